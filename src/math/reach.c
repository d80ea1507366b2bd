// SPDX-License-Identifier: Apache-2.0
// Solves with sparse right sides. With P R A Q = L U
//
//     L y = P R b,   U z = y,   x = Q z
//
// An unknown is touched where a path leads to it from an entry of b, along columns of L and then
// of U. A depth-first search finds these in an order in which they can be eliminated, so that a
// solve costs what its own entries cost, whatever the size of the system.
//
// J. R. Gilbert, T. Peierls, Sparse partial pivoting in time proportional to arithmetic operations,
// 1988.
#include "math/reach.h"

#include "base/grow.h"

#include <stdlib.h>
#include <string.h>
#include <umfpack.h>

static bool reserve(carom_reach *r, int n)
{
    if (n <= r->room) return true;
    const size_t m = (size_t)n;
    int **const starts[] = {&r->L.start, &r->U.start, &r->rows.start};
    int **const ints[] = {&r->P, &r->Q, &r->place, &r->list, &r->stack, &r->at};
    double **const doubles[] = {&r->diagonal, &r->scale, &r->x};
    bool is_good = carom_grow(&r->is_found, 1, m);
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
        is_good = is_good && carom_grow(starts[i], sizeof(int), m + 1);
    for (size_t i = 0; i < sizeof ints / sizeof *ints; i++)
        is_good = is_good && carom_grow(ints[i], sizeof(int), m);
    for (size_t i = 0; i < sizeof doubles / sizeof *doubles; i++)
        is_good = is_good && carom_grow(doubles[i], sizeof(double), m);
    if (!is_good) return false;
    memset(r->is_found, 0, m);
    memset(r->x, 0, sizeof(double) * m);
    r->room = n;
    return true;
}

static bool reserve_entries(carom_triangle *t, int n)
{
    if (n <= t->room) return true;
    if (!carom_grow(&t->index, sizeof(int), (size_t)n) ||
        !carom_grow(&t->value, sizeof(double), (size_t)n))
        return false;
    t->room = n;
    return true;
}

// L by columns from L by rows, both without the unit diagonal that ends each row
static void turn(const carom_triangle *rows, int n, carom_triangle *columns)
{
    int *start = columns->start;
    memset(start, 0, sizeof(int) * (size_t)(n + 1));
    for (int i = 0; i < n; i++)
        for (int k = rows->start[i]; k < rows->start[i + 1] - 1; k++) start[rows->index[k] + 1]++;
    for (int j = 0; j < n; j++) start[j + 1] += start[j];
    for (int i = 0; i < n; i++)
        for (int k = rows->start[i]; k < rows->start[i + 1] - 1; k++) {
            const int to = start[rows->index[k]]++;
            columns->index[to] = i;
            columns->value[to] = rows->value[k];
        }
    for (int j = n; j > 0; j--) start[j] = start[j - 1];
    start[0] = 0;
}

// the diagonal ends each column; it is kept apart
static void drop_diagonal(carom_triangle *t, int n)
{
    int used = 0, from = 0;
    for (int j = 0; j < n; j++) {
        const int to = t->start[j + 1];
        for (int k = from; k < to - 1; k++, used++) {
            t->index[used] = t->index[k];
            t->value[used] = t->value[k];
        }
        from = to;
        t->start[j + 1] = used;
    }
}

bool carom_reach_take(carom_reach *r, int n, void *factors)
{
    int n_l, n_u, n_row, n_column, n_diagonal, is_reciprocal;
    if (umfpack_di_get_lunz(&n_l, &n_u, &n_row, &n_column, &n_diagonal, factors) != UMFPACK_OK ||
        !reserve(r, n) || !reserve_entries(&r->rows, n_l) || !reserve_entries(&r->L, n_l) ||
        !reserve_entries(&r->U, n_u))
        return false;
    if (umfpack_di_get_numeric(r->rows.start, r->rows.index, r->rows.value, r->U.start, r->U.index,
                               r->U.value, r->P, r->Q, r->diagonal, &is_reciprocal, r->scale,
                               factors) != UMFPACK_OK)
        return false;
    r->n = n;
    turn(&r->rows, n, &r->L);
    drop_diagonal(&r->U, n);
    for (int k = 0; k < n; k++) {
        r->place[r->P[k]] = k;
        if (!is_reciprocal) r->scale[k] = 1 / r->scale[k];
    }
    return true;
}

// all that a path leads to from j, found ones excepted, goes to the list's front, which ends at
// `front`: what depends on others comes after them. Returns the new front
static int search(carom_reach *r, const carom_triangle *t, int j, int front)
{
    int depth = 0;
    if (r->is_found[j]) return front;
    r->is_found[j] = 1;
    r->stack[0] = j;
    r->at[0] = t->start[j];
    while (depth >= 0) {
        const int now = r->stack[depth];
        int k = r->at[depth];
        while (k < t->start[now + 1] && r->is_found[t->index[k]]) k++;
        if (k == t->start[now + 1]) {
            r->list[--front] = now;
            depth--;
            continue;
        }
        r->at[depth++] = k + 1;
        r->is_found[t->index[k]] = 1;
        r->stack[depth] = t->index[k];
        r->at[depth] = t->start[t->index[k]];
    }
    return front;
}

// the unknowns that a factor reaches from the first n of touched, in order of elimination, back
// into touched; returns their number
static int find(carom_reach *r, const carom_triangle *t, int n, int *touched)
{
    int front = r->n;
    for (int i = 0; i < n; i++) front = search(r, t, touched[i], front);
    for (int i = front; i < r->n; i++) {
        touched[i - front] = r->list[i];
        r->is_found[r->list[i]] = 0;
    }
    return r->n - front;
}

static void eliminate(carom_reach *r, const carom_triangle *t, int n, const int *touched,
                      const double *diagonal)
{
    double *x = r->x;
    for (int i = 0; i < n; i++) {
        const int j = touched[i];
        if (diagonal) x[j] /= diagonal[j];
        for (int k = t->start[j]; k < t->start[j + 1]; k++) x[t->index[k]] -= t->value[k] * x[j];
    }
}

int carom_reach_solve(carom_reach *r, int n_entry, const int *index, const double *value, double *x,
                      int *touched)
{
    for (int i = 0; i < n_entry; i++) {
        touched[i] = r->place[index[i]];
        r->x[touched[i]] = r->scale[index[i]] * value[i];
    }
    int n = find(r, &r->L, n_entry, touched);
    eliminate(r, &r->L, n, touched, NULL);
    n = find(r, &r->U, n, touched);
    eliminate(r, &r->U, n, touched, r->diagonal);
    for (int i = 0; i < n; i++) {
        const int k = touched[i];
        touched[i] = r->Q[k];
        x[r->Q[k]] = r->x[k];
        r->x[k] = 0;
    }
    return n;
}

void carom_reach_free(carom_reach *r)
{
    void *const all[] = {r->L.start, r->L.index,    r->L.value,    r->U.start,    r->U.index,
                         r->U.value, r->rows.start, r->rows.index, r->rows.value, r->diagonal,
                         r->scale,   r->P,          r->Q,          r->place,      r->x,
                         r->list,    r->stack,      r->at,         r->is_found};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) free(all[i]);
    *r = (carom_reach){0};
}
