// SPDX-License-Identifier: Apache-2.0
// I + J' D J has a block for each pair of bodies that some piece touches: 6 x 6, or 3 x 3 in the
// plane. It is factorised without leaving these blocks, in the order of AMD on the graph of the
// bodies, each row by those before it, pivots inside diagonal blocks only:
//
//     L_kj = A_kj U_jj^-1,     A_kc <- A_kc - L_kj U_jc
//
// Friction makes D unsymmetric, hence L and U. A pile of 1000 spheres has three times as many rows
// as velocities in a wall, and its contacts' matrix fills up; that of the bodies does not.
//
// P. Amestoy, T. A. Davis, I. S. Duff, An approximate minimum degree ordering algorithm, 1996.
#include "contact/bodies/body_lu.h"

#include "base/grow.h"
#include "math/sparse/order.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { WIDEST = 6 };
static const double SMALLEST_PIVOT = 1e-15;

static bool grow_ints(int **array, int n)
{
    return carom_grow(array, sizeof(int), (size_t)n);
}

static bool grow_blocks(carom_body_lu *a, double **array, int n)
{
    return carom_grow(array, sizeof(double), (size_t)n * (size_t)(a->width * a->width));
}

static bool reserve(carom_body_lu *a, const carom_body_form *form)
{
    const int n = form->n_body;
    if (n > a->room.body || form->width != a->width) {
        a->width = form->width;
        a->n = a->room.entry = a->room.factor = 0;
        const bool is_good =
            grow_ints(&a->start, n + 1) && grow_ints(&a->order, n) && grow_ints(&a->place, n) &&
            grow_ints(&a->parent, n) && grow_ints(&a->flag, n) && grow_ints(&a->l_start, n + 1) &&
            grow_ints(&a->u_start, n + 1) && grow_blocks(a, &a->inverse, n) &&
            grow_blocks(a, &a->row, n) && carom_grow(&a->x, sizeof(double), (size_t)n * WIDEST);
        if (!is_good) return false;
        a->room.body = n;
    }
    if (form->n_piece > a->room.piece) {
        if (!grow_ints(&a->known_part, form->n_piece + 1)) return false;
        a->room.piece = form->n_piece;
    }
    if (form->n_part > a->room.part) {
        if (!grow_ints(&a->known_body, form->n_part)) return false;
        a->room.part = form->n_part;
    }
    return true;
}

static int compare(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

// all pairs of the parts of pieces by rows, sorted, each once; false without memory
static bool collect_pairs(carom_body_lu *a, const carom_body_form *form)
{
    int n = form->n_body;
    memset(a->start, 0, sizeof(int) * ((size_t)form->n_body + 1));
    for (int k = 0; k < form->n_piece; k++) {
        const int m = form->piece[k + 1].part - form->piece[k].part;
        for (int t = form->piece[k].part; t < form->piece[k + 1].part; t++)
            a->start[form->body[t] + 1] += m;
        n += m * m;
    }
    a->n_pair = n - form->n_body;
    if (n > a->room.entry) {
        if (!grow_ints(&a->index, n) || !grow_blocks(a, &a->A, n)) return false;
        a->room.entry = n;
    }
    if (a->n_pair > a->room.pair) {
        if (!grow_ints(&a->pair_at, a->n_pair)) return false;
        a->room.pair = a->n_pair;
    }
    for (int i = 0; i < form->n_body; i++) a->start[i + 1] += a->start[i] + 1;
    for (int i = 0; i < form->n_body; i++) a->index[a->start[i]] = i;
    for (int i = 0; i < form->n_body; i++) a->flag[i] = a->start[i] + 1;
    for (int k = 0; k < form->n_piece; k++)
        for (int t = form->piece[k].part; t < form->piece[k + 1].part; t++)
            for (int q = form->piece[k].part; q < form->piece[k + 1].part; q++)
                a->index[a->flag[form->body[t]]++] = form->body[q];
    int to = 0;
    for (int i = 0, from = 0; i < form->n_body; i++) {
        const int end = a->start[i + 1], first = to;
        qsort(a->index + from, (size_t)(end - from), sizeof *a->index, compare);
        a->start[i] = first;
        for (; from < end; from++)
            if (to == first || a->index[to - 1] != a->index[from]) a->index[to++] = a->index[from];
    }
    a->start[form->n_body] = to;
    return true;
}

static int find(const carom_body_lu *a, int i, int j)
{
    int low = a->start[i], high = a->start[i + 1];
    while (high - low > 1) {
        const int middle = low + (high - low) / 2;
        if (a->index[middle] <= j)
            low = middle;
        else
            high = middle;
    }
    return low;
}

// walks from j up the tree to what is already marked for row k; returns the count
static int climb(carom_body_lu *a, int j, int k, int *list)
{
    int n = 0;
    for (; j < k && a->flag[j] != k; j = a->parent[j]) {
        if (a->parent[j] < 0) a->parent[j] = k;
        a->flag[j] = k;
        if (list) list[n] = j;
        n++;
    }
    return n;
}

// counts or lists the rows of L; -1 where they cannot be counted
static int find_rows(carom_body_lu *a, int *list)
{
    int total = 0;
    for (int k = 0; k < a->n; k++) a->parent[k] = a->flag[k] = -1;
    for (int k = 0; k < a->n; k++) {
        const int body = a->order[k], begin = total;
        a->flag[k] = k;
        for (int p = a->start[body]; p < a->start[body + 1]; p++)
            total += climb(a, a->place[a->index[p]], k, list ? list + total : NULL);
        if (total > INT_MAX / (WIDEST * WIDEST)) return -1;
        a->l_start[k] = begin;
        if (list) qsort(list + begin, (size_t)(total - begin), sizeof *list, compare);
    }
    a->l_start[a->n] = total;
    return total;
}

// the rows of U from those of L: the pattern is symmetric
static void transpose(carom_body_lu *a)
{
    for (int k = 0; k <= a->n; k++) a->u_start[k] = 0;
    for (int p = 0; p < a->l_start[a->n]; p++) a->u_start[a->l_index[p] + 1]++;
    for (int k = 0; k < a->n; k++) a->u_start[k + 1] += a->u_start[k];
    for (int k = 0; k < a->n; k++)
        for (int p = a->l_start[k]; p < a->l_start[k + 1]; p++)
            a->u_index[a->u_start[a->l_index[p]]++] = k;
    for (int k = a->n; k > 0; k--) a->u_start[k] = a->u_start[k - 1];
    a->u_start[0] = 0;
}

static bool is_analysed(const carom_body_lu *a, const carom_body_form *form)
{
    if (a->n == 0 || a->n != form->n_body || a->n_known != form->n_piece ||
        a->n_known_part != form->n_part)
        return false;
    for (int k = 0; k < form->n_piece; k++)
        if (a->known_part[k] != form->piece[k].part) return false;
    return memcmp(a->known_body, form->body, sizeof(int) * (size_t)form->n_part) == 0;
}

static void note_known(carom_body_lu *a, const carom_body_form *form)
{
    a->n_known = form->n_piece;
    a->n_known_part = form->n_part;
    for (int k = 0; k < form->n_piece; k++) a->known_part[k] = form->piece[k].part;
    memcpy(a->known_body, form->body, sizeof(int) * (size_t)form->n_part);
    int pair = 0;
    for (int k = 0; k < form->n_piece; k++)
        for (int t = form->piece[k].part; t < form->piece[k + 1].part; t++)
            for (int q = form->piece[k].part; q < form->piece[k + 1].part; q++)
                a->pair_at[pair++] = find(a, form->body[t], form->body[q]);
}

// whether L and U of so many blocks each may be made
static bool is_affordable(carom_body_lu *a, int n_block)
{
    const double bytes = 2.0 * n_block * a->width * a->width * sizeof(double);
    a->is_refused = a->most > 0 && bytes > a->most;
    if (a->is_refused) a->refused = carom_larger(a->refused, bytes);
    return !a->is_refused;
}

static bool analyse(carom_body_lu *a, const carom_body_form *form)
{
    if (a->width == form->width && is_analysed(a, form)) return true;
    a->n = 0;
    if (a->is_refused || form->n_body == 0 || !reserve(a, form) || !collect_pairs(a, form))
        return false;
    if (!carom_order(form->n_body, a->start, a->index, a->order)) return false;
    for (int k = 0; k < form->n_body; k++) a->place[a->order[k]] = k;
    a->n = form->n_body;
    const int total = find_rows(a, NULL);
    bool is_good = total >= 0 && is_affordable(a, total);
    if (is_good && total > a->room.factor) {
        is_good = grow_ints(&a->l_index, total) && grow_ints(&a->u_index, total) &&
                  grow_blocks(a, &a->l, total) && grow_blocks(a, &a->u, total);
        a->room.factor = is_good ? total : 0;
    }
    if (!is_good) {
        a->n = 0;
        return false;
    }
    find_rows(a, a->l_index);
    transpose(a);
    note_known(a, form);
    return true;
}

// adds J_t' D J_q to a block; dim and width are constants at every call
static inline __attribute__((always_inline)) void add_pair(int dim, int W, const double *Jt,
                                                           const double *DJ, double *A)
{
    for (int j = 0; j < W; j++)
        for (int r = 0; r < dim; r++)
            for (int i = 0; i < W; i++) A[j * W + i] += Jt[r * W + i] * DJ[r * W + j];
}

static inline __attribute__((always_inline)) void assemble(carom_body_lu *a,
                                                           const carom_body_form *form,
                                                           const double *D, int dim, int W)
{
    memset(a->A, 0, sizeof *a->A * (size_t)a->start[a->n] * (size_t)(W * W));
    for (int i = 0; i < a->n; i++) {
        double *block = a->A + (size_t)find(a, i, i) * (size_t)(W * W);
        for (int c = 0; c < W; c++) block[c * W + c] = 1;
    }
    for (int k = 0, pair = 0; k < form->n_piece; k++, D += dim * dim) {
        const int first = form->piece[k].part, n = form->piece[k + 1].part - first;
        const double *J = form->J + (size_t)first * (size_t)(dim * W);
        for (int q = 0; q < n; q++) {
            double DJ[3 * WIDEST];
            for (int i = 0; i < dim; i++)
                for (int c = 0; c < W; c++) {
                    DJ[i * W + c] = 0;
                    for (int r = 0; r < dim; r++)
                        DJ[i * W + c] += D[i * dim + r] * J[(q * dim + r) * W + c];
                }
            for (int t = 0; t < n; t++)
                add_pair(dim, W, J + t * dim * W, DJ,
                         a->A + (size_t)a->pair_at[pair + t * n + q] * (size_t)(W * W));
        }
        pair += n * n;
    }
}

// w -= l u for blocks by columns
static inline __attribute__((always_inline)) void subtract(int d, const double *restrict l,
                                                           const double *restrict u,
                                                           double *restrict w)
{
    for (int j = 0; j < d; j++) {
        double sum[WIDEST];
        for (int i = 0; i < d; i++) sum[i] = w[j * d + i];
        for (int k = 0; k < d; k++)
            for (int i = 0; i < d; i++) sum[i] -= l[k * d + i] * u[j * d + k];
        for (int i = 0; i < d; i++) w[j * d + i] = sum[i];
    }
}

static inline __attribute__((always_inline)) void multiply(int d, const double *restrict x,
                                                           const double *restrict y,
                                                           double *restrict z)
{
    for (int j = 0; j < d; j++) {
        double sum[WIDEST] = {0};
        for (int k = 0; k < d; k++)
            for (int i = 0; i < d; i++) sum[i] += x[k * d + i] * y[j * d + k];
        for (int i = 0; i < d; i++) z[j * d + i] = sum[i];
    }
}

// Gauss-Jordan with row pivoting; false where singular
static bool invert(int d, double *A, double *X)
{
    double largest = 0;
    for (int i = 0; i < d * d; i++) {
        largest = carom_larger(largest, fabs(A[i]));
        X[i] = i % (d + 1) == 0;
    }
    for (int k = 0; k < d; k++) {
        int best = k;
        for (int i = k + 1; i < d; i++)
            if (fabs(A[k * d + i]) > fabs(A[k * d + best])) best = i;
        if (!(fabs(A[k * d + best]) > SMALLEST_PIVOT * largest)) return false;
        for (int j = 0; j < d && best != k; j++) {
            const double x = A[j * d + k], y = X[j * d + k];
            A[j * d + k] = A[j * d + best];
            A[j * d + best] = x;
            X[j * d + k] = X[j * d + best];
            X[j * d + best] = y;
        }
        const double inverse = 1 / A[k * d + k];
        for (int j = 0; j < d; j++) {
            A[j * d + k] *= inverse;
            X[j * d + k] *= inverse;
        }
        for (int i = 0; i < d; i++) {
            const double factor = A[k * d + i];
            if (i == k || factor == 0) continue;
            for (int j = 0; j < d; j++) {
                A[j * d + i] -= factor * A[j * d + k];
                X[j * d + i] -= factor * X[j * d + k];
            }
        }
    }
    return true;
}

static inline __attribute__((always_inline)) bool eliminate(carom_body_lu *a, int d)
{
    const size_t size = (size_t)d * (size_t)d, bytes = sizeof(double) * size;
    for (int k = 0; k < a->n; k++) {
        const int body = a->order[k];
        for (int p = a->l_start[k]; p < a->l_start[k + 1]; p++)
            memset(a->row + (size_t)a->l_index[p] * size, 0, bytes);
        for (int q = a->u_start[k]; q < a->u_start[k + 1]; q++)
            memset(a->row + (size_t)a->u_index[q] * size, 0, bytes);
        for (int p = a->start[body]; p < a->start[body + 1]; p++)
            memcpy(a->row + (size_t)a->place[a->index[p]] * size, a->A + (size_t)p * size, bytes);
        for (int p = a->l_start[k]; p < a->l_start[k + 1]; p++) {
            const int j = a->l_index[p];
            double *l = a->l + (size_t)p * size;
            multiply(d, a->row + (size_t)j * size, a->inverse + (size_t)j * size, l);
            for (int q = a->u_start[j]; q < a->u_start[j + 1]; q++)
                subtract(d, l, a->u + (size_t)q * size, a->row + (size_t)a->u_index[q] * size);
        }
        if (!invert(d, a->row + (size_t)k * size, a->inverse + (size_t)k * size)) return false;
        for (int q = a->u_start[k]; q < a->u_start[k + 1]; q++)
            memcpy(a->u + (size_t)q * size, a->row + (size_t)a->u_index[q] * size, bytes);
    }
    return true;
}

bool carom_body_lu_factor(carom_body_lu *a, const carom_body_form *form, const double *D)
{
    if (!analyse(a, form)) return false;
    if (a->width == 3) {
        assemble(a, form, D, 2, 3);
        return eliminate(a, 3);
    }
    assemble(a, form, D, 3, 6);
    return eliminate(a, 6);
}

// y -= A x for one block
static inline __attribute__((always_inline)) void reduce(int d, const double *A, const double *x,
                                                         double *y)
{
    for (int j = 0; j < d; j++)
        for (int i = 0; i < d; i++) y[i] -= A[j * d + i] * x[j];
}

static inline __attribute__((always_inline)) void substitute(const carom_body_lu *a, int d)
{
    const size_t size = (size_t)d * (size_t)d;
    double *x = a->x;
    for (int k = 0; k < a->n; k++)
        for (int p = a->l_start[k]; p < a->l_start[k + 1]; p++)
            reduce(d, a->l + (size_t)p * size, x + a->l_index[p] * d, x + k * d);
    for (int k = a->n - 1; k >= 0; k--) {
        double sum[WIDEST];
        for (int i = 0; i < d; i++) sum[i] = x[k * d + i];
        for (int q = a->u_start[k]; q < a->u_start[k + 1]; q++)
            reduce(d, a->u + (size_t)q * size, x + a->u_index[q] * d, sum);
        for (int i = 0; i < d; i++) x[k * d + i] = 0;
        for (int j = 0; j < d; j++)
            for (int i = 0; i < d; i++)
                x[k * d + i] += a->inverse[(size_t)k * size + (size_t)(j * d + i)] * sum[j];
    }
}

void carom_body_lu_solve(carom_body_lu *a, double *v)
{
    const int W = a->width;
    for (int k = 0; k < a->n; k++)
        for (int i = 0; i < W; i++) a->x[k * W + i] = v[a->order[k] * W + i];
    if (W == 3)
        substitute(a, 3);
    else
        substitute(a, 6);
    for (int k = 0; k < a->n; k++)
        for (int i = 0; i < W; i++) v[a->order[k] * W + i] = a->x[k * W + i];
}

double carom_body_lu_size(const carom_body_lu *a)
{
    return a->n > 0 ? (2.0 * a->l_start[a->n] + a->n) * a->width * a->width : 0;
}

void carom_body_lu_free(carom_body_lu *a)
{
    void *const all[] = {a->start,   a->index,   a->pair_at, a->known_body, a->known_part,
                         a->A,       a->order,   a->place,   a->parent,     a->flag,
                         a->l_start, a->l_index, a->u_start, a->u_index,    a->l,
                         a->u,       a->inverse, a->row,     a->x};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) free(all[i]);
    *a = (carom_body_lu){0};
}
