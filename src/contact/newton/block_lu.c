// SPDX-License-Identifier: Apache-2.0
// Newton steps of large contact problems. F' = own + rate G has the block pattern of G. Its blocks
// are eliminated in the order of AMD (SuiteSparse) for the pattern of G + G', with pivoting inside
// diagonal blocks only; the pattern of the factors follows from the elimination tree:
//
//     L_kj = A_kj U_jj^-1,     A_kc <- A_kc - L_kj U_jc     row by row
//
// A step is refined once or twice and refused where F' step = -F is not met.
//
// P. Amestoy, T. A. Davis, I. S. Duff, An approximate minimum degree ordering algorithm, 1996.
#include "contact/newton/block_lu.h"

#include "base/grow.h"
#include "math/sparse/order.h"

#include <stdlib.h>
#include <string.h>

static const double SMALLEST_PIVOT = 1e-15, WORST_STEP = 1e-2, GOOD_STEP = 1e-11;
enum { N_REFINE = 3 };

static bool reserve(carom_block_lu *a, const carom_block_rows *B)
{
    const size_t n = (size_t)B->n_block, m = (size_t)B->start[B->n_block];
    if (B->n_block > a->room) {
        const bool is_good =
            carom_grow(&a->order, sizeof(int), n) && carom_grow(&a->place, sizeof(int), n) &&
            carom_grow(&a->start, sizeof(int), n + 1) && carom_grow(&a->parent, sizeof(int), n) &&
            carom_grow(&a->flag, sizeof(int), n) && carom_grow(&a->l_start, sizeof(int), n + 1) &&
            carom_grow(&a->u_start, sizeof(int), n + 1) &&
            carom_grow(&a->inverse, sizeof(double), 9 * n) &&
            carom_grow(&a->row, sizeof(double), 9 * n) &&
            carom_grow(&a->x, sizeof(double), 3 * n) && carom_grow(&a->y, sizeof(double), 3 * n) &&
            carom_grow(&a->is_trivial, 1, n);
        if (!is_good) return false;
        a->room = B->n_block;
    }
    if (B->start[B->n_block] > a->room_index) {
        if (!carom_grow(&a->index, sizeof(int), m)) return false;
        a->room_index = B->start[B->n_block];
    }
    return true;
}

// walks from j up the tree to what is already marked for row k; returns the count
static int climb_tree(carom_block_lu *a, int j, int k, int *list)
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

static int compare(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

// counts (list NULL) or lists the rows of L; the pattern is that of G + G', given by its rows and
// the reverse lists in next
static int find_rows(carom_block_lu *a, const int *first, const int *next, const int *owner,
                     int *list)
{
    int total = 0;
    for (int k = 0; k < a->n; k++) a->parent[k] = a->flag[k] = -1;
    for (int k = 0; k < a->n; k++) {
        const int piece = a->order[k], begin = total;
        a->flag[k] = k;
        for (int p = a->start[piece]; p < a->start[piece + 1]; p++)
            total += climb_tree(a, a->place[a->index[p]], k, list ? list + total : NULL);
        for (int e = first[piece]; e >= 0; e = next[e])
            total += climb_tree(a, a->place[owner[e]], k, list ? list + total : NULL);
        a->l_start[k] = begin;
        if (list) qsort(list + begin, (size_t)(total - begin), sizeof *list, compare);
    }
    a->l_start[a->n] = total;
    return total;
}

// the rows of U from those of L: the pattern is symmetric
static void transpose(carom_block_lu *a)
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

// the pattern of the factors
static bool find_pattern(carom_block_lu *a)
{
    const int m = a->start[a->n];
    int *first = malloc(sizeof(int) * ((size_t)a->n + 2 * (size_t)m + 1));
    if (!first) return false;
    int *next = first + a->n, *owner = next + m;
    for (int k = 0; k < a->n; k++) first[k] = -1;
    for (int k = 0; k < a->n; k++)
        for (int p = a->start[k]; p < a->start[k + 1]; p++) {
            owner[p] = k;
            next[p] = first[a->index[p]];
            first[a->index[p]] = p;
        }
    const int total = find_rows(a, first, next, owner, NULL);
    const size_t room = (size_t)total;
    bool is_good = total <= a->room_factor || (carom_grow(&a->l_index, sizeof(int), room) &&
                                               carom_grow(&a->u_index, sizeof(int), room));
    if (is_good && total > a->room_factor) a->room_factor = total;
    if (is_good) find_rows(a, first, next, owner, a->l_index);
    free(first);
    if (!is_good) return false;
    transpose(a);
    return true;
}

static bool is_analysed(const carom_block_lu *a, const carom_block_rows *B)
{
    const size_t n = (size_t)B->n_block;
    return a->n == B->n_block && a->start && a->start[n] == B->start[n] &&
           memcmp(a->start, B->start, sizeof(int) * (n + 1)) == 0 &&
           memcmp(a->index, B->index, sizeof(int) * (size_t)B->start[n]) == 0;
}

static bool analyse(carom_block_lu *a, const carom_problem *problem)
{
    const carom_block_rows *B = problem->G.blocks;
    int d = 1;
    for (int k = 0; k < B->n_block; k++)
        d = B->row[k + 1] - B->row[k] > d ? B->row[k + 1] - B->row[k] : d;
    if (!is_analysed(a, B)) {
        a->n = 0;
        if (!reserve(a, B)) return false;
        memcpy(a->start, B->start, sizeof(int) * ((size_t)B->n_block + 1));
        memcpy(a->index, B->index, sizeof(int) * (size_t)B->start[B->n_block]);
        if (!carom_order(B->n_block, B->start, B->index, a->order)) return false;
        a->n = B->n_block;
        for (int k = 0; k < a->n; k++) a->place[a->order[k]] = k;
        if (!find_pattern(a)) {
            a->n = 0;
            return false;
        }
    }
    a->d = d;
    const int size = a->l_start[a->n] * d * d;
    if (size <= a->room_value) return true;
    if (!carom_grow(&a->l, sizeof(double), (size_t)size) ||
        !carom_grow(&a->u, sizeof(double), (size_t)size))
        return false;
    a->room_value = size;
    return true;
}

// w -= l u, and the like, for blocks by columns; d is a constant at every call
static inline void subtract(int d, const double *l, const double *u, double *w)
{
    for (int j = 0; j < d; j++)
        for (int k = 0; k < d; k++)
            for (int i = 0; i < d; i++) w[j * d + i] -= l[k * d + i] * u[j * d + k];
}

static inline void multiply(int d, const double *x, const double *y, double *z)
{
    for (int j = 0; j < d; j++)
        for (int i = 0; i < d; i++) {
            double sum = 0;
            for (int k = 0; k < d; k++) sum += x[k * d + i] * y[j * d + k];
            z[j * d + i] = sum;
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
            const double a = A[j * d + k], x = X[j * d + k];
            A[j * d + k] = A[j * d + best];
            A[j * d + best] = a;
            X[j * d + k] = X[j * d + best];
            X[j * d + best] = x;
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

// rate and own of a piece as matrices by columns; true where all rows are trivial
static bool spread_piece(const carom_natural *a, int first, int dim, double *rate, double *own)
{
    bool is_trivial = true;
    for (int i = 0; i < 9; i++) rate[i] = own[i] = 0;
    for (int i = 0; i < dim; i++) {
        const carom_natural_row *row = &a->row[first + i];
        is_trivial = is_trivial && row->is_identity;
        for (int k = 0; k < row->dim; k++) {
            rate[(row->first - first + k) * 3 + i] = row->rate[k];
            own[(row->first - first + k) * 3 + i] = row->own[k];
        }
    }
    return is_trivial;
}

// what the push of its contact does to a disc: into the column of the contact's normal, the first
// of its block
static void add_loads(carom_block_lu *a, const carom_natural *natural, int piece)
{
    const carom_block *block = &natural->problem->block[piece];
    if (block->of == 0) return;
    const ptrdiff_t owner = carom_block_owner(block) - natural->problem->block;
    double *to = a->row + (ptrdiff_t)a->place[owner] * a->d * a->d;
    for (int i = 0; i < block->dim; i++) to[i] += natural->row[block->first + i].load;
}

// row k of F' into the scratch blocks
static void scatter_row(carom_block_lu *a, const carom_natural *natural, int k)
{
    const carom_block_rows *B = natural->problem->G.blocks;
    const int d = a->d, piece = a->order[k], first = B->row[piece];
    const int dim = B->row[piece + 1] - first;
    double rate[9], own[9], *diagonal = a->row + k * d * d;
    a->is_trivial[k] = spread_piece(natural, first, dim, rate, own);
    memset(diagonal, 0, sizeof(double) * (size_t)(d * d));
    if (!a->is_trivial[k]) {
        const size_t size = sizeof(double) * (size_t)(d * d);
        for (int p = a->l_start[k]; p < a->l_start[k + 1]; p++)
            memset(a->row + a->l_index[p] * d * d, 0, size);
        for (int p = a->u_start[k]; p < a->u_start[k + 1]; p++)
            memset(a->row + a->u_index[p] * d * d, 0, size);
        for (int p = B->start[piece]; p < B->start[piece + 1]; p++) {
            const int c = B->index[p], width = B->row[c + 1] - B->row[c];
            const double *G = B->value + B->at[p];
            double *to = a->row + a->place[c] * d * d;
            for (int j = 0; j < width; j++, G += dim)
                for (int l = 0; l < dim; l++)
                    for (int i = 0; i < dim; i++) to[j * d + i] += rate[l * 3 + i] * G[l];
        }
    }
    for (int j = 0; j < dim; j++)
        for (int i = 0; i < dim; i++) diagonal[j * d + i] += own[j * 3 + i];
    for (int i = dim; i < d; i++) diagonal[i * d + i] = 1;
    if (!a->is_trivial[k]) add_loads(a, natural, piece);
}

static inline bool eliminate(carom_block_lu *a, int d, int k)
{
    const int size = d * d;
    for (int p = a->l_start[k]; p < a->l_start[k + 1] && !a->is_trivial[k]; p++) {
        const int j = a->l_index[p];
        double *l = a->l + p * size;
        multiply(d, a->row + j * size, a->inverse + j * size, l);
        if (a->is_trivial[j]) continue;
        for (int q = a->u_start[j]; q < a->u_start[j + 1]; q++)
            subtract(d, l, a->u + q * size, a->row + a->u_index[q] * size);
    }
    if (!invert(d, a->row + k * size, a->inverse + k * size)) return false;
    for (int q = a->u_start[k]; q < a->u_start[k + 1] && !a->is_trivial[k]; q++)
        memcpy(a->u + q * size, a->row + a->u_index[q] * size, sizeof(double) * (size_t)size);
    return true;
}

static bool factor(carom_block_lu *a, const carom_natural *natural)
{
    for (int k = 0; k < a->n; k++) {
        scatter_row(a, natural, k);
        const bool is_good = a->d == 3   ? eliminate(a, 3, k)
                             : a->d == 2 ? eliminate(a, 2, k)
                                         : eliminate(a, 1, k);
        if (!is_good) return false;
    }
    return true;
}

// x (blocks in the order of elimination) <- U^-1 L^-1 x
static inline void substitute(const carom_block_lu *a, int d, double *x)
{
    const int size = d * d;
    for (int k = 0; k < a->n; k++)
        for (int p = a->l_start[k]; p < a->l_start[k + 1] && !a->is_trivial[k]; p++)
            for (int j = 0; j < d; j++)
                for (int i = 0; i < d; i++)
                    x[k * d + i] -= a->l[p * size + j * d + i] * x[a->l_index[p] * d + j];
    for (int k = a->n - 1; k >= 0; k--) {
        double sum[3] = {0, 0, 0};
        for (int i = 0; i < d; i++) sum[i] = x[k * d + i];
        for (int q = a->u_start[k]; q < a->u_start[k + 1] && !a->is_trivial[k]; q++)
            for (int j = 0; j < d; j++)
                for (int i = 0; i < d; i++)
                    sum[i] -= a->u[q * size + j * d + i] * x[a->u_index[q] * d + j];
        for (int i = 0; i < d; i++) {
            x[k * d + i] = 0;
            for (int j = 0; j < d; j++) x[k * d + i] += a->inverse[k * size + j * d + i] * sum[j];
        }
    }
}

// step += F'^-1 y
static void add_solution(carom_block_lu *a, const carom_block_rows *B, const double *y,
                         double *step)
{
    const int d = a->d;
    for (int k = 0; k < a->n; k++) {
        const int piece = a->order[k], first = B->row[piece], dim = B->row[piece + 1] - first;
        for (int i = 0; i < d; i++) a->x[k * d + i] = i < dim ? y[first + i] : 0;
    }
    if (d == 3)
        substitute(a, 3, a->x);
    else if (d == 2)
        substitute(a, 2, a->x);
    else
        substitute(a, 1, a->x);
    for (int k = 0; k < a->n; k++) {
        const int piece = a->order[k], first = B->row[piece], dim = B->row[piece + 1] - first;
        for (int i = 0; i < dim; i++) step[first + i] += a->x[k * d + i];
    }
}

// y = -F - F' step; returns its length relative to F
static double find_rest(const carom_natural *natural, const double *step, double *y)
{
    const int n = natural->problem->n_row;
    double sum = 0, size = 0;
    carom_matrix_product(&natural->problem->G, step, y);
    for (int k = 0; k < natural->problem->n_block; k++) {
        const carom_block *block = &natural->problem->block[k];
        double rest[3] = {0, 0, 0};
        for (int i = 0; i < block->dim; i++) {
            const carom_natural_row *row = &natural->row[block->first + i];
            rest[i] = -natural->F[block->first + i];
            for (int j = 0; j < row->dim; j++)
                rest[i] -= row->own[j] * step[row->first + j] + row->rate[j] * y[row->first + j];
            if (row->back > 0) rest[i] -= row->load * step[row->first - row->back];
        }
        for (int i = 0; i < block->dim; i++) y[block->first + i] = rest[i];
    }
    for (int i = 0; i < n; i++) {
        sum += y[i] * y[i];
        size += natural->F[i] * natural->F[i];
    }
    return size > 0 ? sqrt(sum / size) : 0;
}

bool carom_block_lu_step(carom_block_lu *a, const carom_natural *natural, double *step)
{
    const carom_block_rows *B = natural->problem->G.blocks;
    const int n = natural->problem->n_row;
    if (!analyse(a, natural->problem) || !factor(a, natural)) return false;
    for (int i = 0; i < n; i++) {
        step[i] = 0;
        a->y[i] = -natural->F[i];
    }
    double rest = INFINITY;
    for (int k = 0; k < N_REFINE && rest > GOOD_STEP; k++) {
        add_solution(a, B, a->y, step);
        const double before = rest;
        rest = find_rest(natural, step, a->y);
        if (!(rest < 0.5 * before)) break;
    }
    return rest < WORST_STEP;
}

void carom_block_lu_free(carom_block_lu *a)
{
    void *const all[] = {a->order,   a->place,   a->start,   a->index,   a->parent,    a->flag,
                         a->l_start, a->l_index, a->u_start, a->u_index, a->l,         a->u,
                         a->inverse, a->row,     a->x,       a->y,       a->is_trivial};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) free(all[i]);
    *a = (carom_block_lu){0};
}
