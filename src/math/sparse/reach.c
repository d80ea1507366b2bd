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
#include "math/sparse/reach.h"

#include "base/grow.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double LARGEST_L = 10; // by the choice of pivots (sparse_lu.c)

static bool reserve(carom_reach *r, int n)
{
    if (n <= r->room) return true;
    const size_t m = (size_t)n;
    int **const starts[] = {&r->L.start, &r->U.start};
    int **const ints[] = {&r->P, &r->Q, &r->place, &r->list, &r->stack, &r->at};
    double **const doubles[] = {&r->scale, &r->x};
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

bool carom_reach_take(carom_reach *r, const carom_sparse_lu *lu)
{
    int n_l, n_u;
    carom_sparse_lu_count(lu, &n_l, &n_u);
    if (!reserve(r, lu->n) || !reserve_entries(&r->L, n_l) || !reserve_entries(&r->U, n_u))
        return false;
    const carom_sparse_lu_parts parts = {
        .l_start = r->L.start,
        .l_index = r->L.index,
        .l_value = r->L.value,
        .u_start = r->U.start,
        .u_index = r->U.index,
        .u_value = r->U.value,
        .P = r->P,
        .Q = r->Q,
        .scale = r->scale,
    };
    if (!carom_sparse_lu_take(lu, &parts)) return false;
    r->n = lu->n;
    for (int k = 0; k < r->n; k++) r->place[r->P[k]] = k;
    return true;
}

// all that a path leads to from j, found ones excepted, goes to the list's front, which ends at
// `front`: what depends on others comes after them. Returns the new front
static int search_paths(carom_reach *r, const carom_triangle *t, int j, int front)
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
static int find_reached(carom_reach *r, const carom_triangle *t, int n, int *touched)
{
    int front = r->n;
    for (int i = 0; i < n; i++) front = search_paths(r, t, touched[i], front);
    for (int i = front; i < r->n; i++) {
        touched[i - front] = r->list[i];
        r->is_found[r->list[i]] = 0;
    }
    return r->n - front;
}

static void eliminate(double *x, const carom_triangle *t, int j, int first, int last)
{
    for (int k = first; k < last; k++) x[t->index[k]] -= t->value[k] * x[j];
}

int carom_reach_solve(carom_reach *r, int n_entry, const int *index, const double *value, double *x,
                      int *touched)
{
    for (int i = 0; i < n_entry; i++) {
        touched[i] = r->place[index[i]];
        r->x[touched[i]] = value[i] / r->scale[touched[i]];
    }
    int n = find_reached(r, &r->L, n_entry, touched);
    for (int i = 0; i < n; i++) {
        const int j = touched[i];
        eliminate(r->x, &r->L, j, r->L.start[j] + 1, r->L.start[j + 1]);
    }
    n = find_reached(r, &r->U, n, touched);
    for (int i = 0; i < n; i++) {
        const int j = touched[i], diagonal = r->U.start[j + 1] - 1;
        r->x[j] /= r->U.value[diagonal];
        eliminate(r->x, &r->U, j, r->U.start[j], diagonal);
    }
    for (int i = 0; i < n; i++) {
        const int k = touched[i];
        touched[i] = r->Q[k];
        x[r->Q[k]] = r->x[k];
        r->x[k] = 0;
    }
    return n;
}

// |L_kj U_jk| for entry e of column k of U
static double term(const carom_reach *r, int k, int e)
{
    const int j = r->U.index[e];
    for (int i = r->L.start[j]; i < r->L.start[j + 1]; i++)
        if (r->L.index[i] == k) return fabs(r->L.value[i] * r->U.value[e]);
    return 0;
}

double carom_reach_weakest(const carom_reach *r)
{
    double weakest = 1;
    for (int k = 0; k < r->n; k++) {
        const int first = r->U.start[k], diagonal = r->U.start[k + 1] - 1;
        const double pivot = fabs(r->U.value[diagonal]);
        double above = 0, most = pivot;
        for (int e = first; e < diagonal; e++) above = fmax(above, fabs(r->U.value[e]));
        // no L is larger than LARGEST_L, so that the column alone mostly tells
        if (pivot >= weakest * LARGEST_L * above) continue;
        for (int e = first; e < diagonal; e++) most = fmax(most, term(r, k, e));
        if (!(pivot >= weakest * most)) weakest = pivot / most;
    }
    return weakest;
}

void carom_reach_free(carom_reach *r)
{
    void *const all[] = {r->L.start, r->L.index, r->L.value, r->U.start, r->U.index,
                         r->U.value, r->scale,   r->P,       r->Q,       r->place,
                         r->x,       r->list,    r->stack,   r->at,      r->is_found};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) free(all[i]);
    *r = (carom_reach){0};
}
