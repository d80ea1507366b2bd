// SPDX-License-Identifier: Apache-2.0
// Systems with the rows S of a sparse symmetric matrix: rows outside of S become those of the unit
// matrix, so that the pattern stays and one analysis serves all sets,
//
//     Q G_S Q' = L D L'      Q the given order, or, where that fills, approximate minimum degree
//
// T. A. Davis, Algorithm 849: a concise sparse Cholesky factorization package, 2005 (SuiteSparse
// LDL and AMD).
#include "contact/newton/symmetric.h"

#include "base/grow.h"

#include <amd.h>
#include <ldl.h>
#include <stdlib.h>
#include <string.h>

static const double SMALLEST_PIVOT = 1e-12; // of the diagonal entry
static const double SYMMETRIC = 1e-13;      // of the row's diagonal entry

static bool reserve_rows(carom_symmetric *s, int n)
{
    if (n <= s->room_row) return true;
    const size_t m = (size_t)n;
    int **const ints[] = {&s->order, &s->place, &s->parent, &s->count, &s->flag, &s->pattern};
    double **const doubles[] = {&s->D, &s->y, &s->x};
    bool is_good = carom_grow(&s->start, sizeof(int), m + 1) &&
                   carom_grow(&s->known_start, sizeof(int), m + 1) &&
                   carom_grow(&s->l_start, sizeof(int), m + 1);
    for (size_t i = 0; i < sizeof ints / sizeof *ints; i++)
        is_good = is_good && carom_grow(ints[i], sizeof(int), m);
    for (size_t i = 0; i < sizeof doubles / sizeof *doubles; i++)
        is_good = is_good && carom_grow(doubles[i], sizeof(double), m);
    if (is_good) s->room_row = n;
    return is_good;
}

static bool reserve_entries(carom_symmetric *s, int n)
{
    if (n <= s->room_entry) return true;
    const int room = 2 * n + 64;
    const size_t m = (size_t)room;
    const bool is_good =
        carom_grow(&s->index, sizeof(int), m) && carom_grow(&s->known_index, sizeof(int), m) &&
        carom_grow(&s->value, sizeof(double), m) && carom_grow(&s->chosen, sizeof(double), m);
    if (is_good) s->room_entry = room;
    return is_good;
}

static double entry(const carom_symmetric *s, int i, int j)
{
    for (int k = s->start[i]; k < s->start[i + 1]; k++)
        if (s->index[k] == j) return s->value[k];
    return 0;
}

// rows one after the other, each with its diagonal; each may need room for n entries
static bool copy(carom_symmetric *s, const carom_matrix *G)
{
    s->start[0] = 0;
    for (int i = 0; i < s->n; i++) {
        const int at = s->start[i];
        if (!reserve_entries(s, at + s->n)) return false;
        s->start[i + 1] = at + carom_matrix_entries(G, i, s->index + at, s->value + at);
        if (entry(s, i, i) != 0) continue;
        s->index[s->start[i + 1]] = i;
        s->value[s->start[i + 1]++] = 0;
    }
    return true;
}

// entry by entry, and no negative diagonal
static bool is_symmetric(const carom_symmetric *s)
{
    for (int i = 0; i < s->n; i++) {
        const double diagonal = entry(s, i, i);
        if (!(diagonal >= 0)) return false;
        for (int k = s->start[i]; k < s->start[i + 1]; k++)
            if (s->index[k] > i &&
                !(fabs(s->value[k] - entry(s, s->index[k], i)) <= SYMMETRIC * diagonal))
                return false;
    }
    return true;
}

bool carom_symmetric_reserve(carom_symmetric *s, int n, int n_entry)
{
    if (!reserve_rows(s, n) || !reserve_entries(s, n_entry)) return false;
    if (n_entry <= s->room_factor) return true;
    if (!carom_grow(&s->l_index, sizeof(int), (size_t)n_entry) ||
        !carom_grow(&s->l_value, sizeof(double), (size_t)n_entry))
        return false;
    s->room_factor = n_entry;
    return true;
}

// the pattern of L for the present order
static void find_pattern(carom_symmetric *s)
{
    ldl_symbolic(s->n, s->start, s->index, s->l_start, s->parent, s->count, s->flag, s->order,
                 s->place);
}

static bool analyse(carom_symmetric *s)
{
    const size_t rows = sizeof(int) * (size_t)(s->n + 1),
                 entries = sizeof(int) * (size_t)s->start[s->n];
    const bool is_known = s->n == s->n_analysed && memcmp(s->start, s->known_start, rows) == 0 &&
                          memcmp(s->index, s->known_index, entries) == 0;
    if (is_known) return true;
    s->n_analysed = 0;
    // chains need no order of their own
    for (int i = 0; i < s->n; i++) s->order[i] = i;
    find_pattern(s);
    if (s->l_start[s->n] > s->start[s->n]) {
        if (amd_order(s->n, s->start, s->index, s->order, NULL, NULL) < AMD_OK) return false;
        find_pattern(s);
    }
    if (s->l_start[s->n] > s->room_factor &&
        !carom_symmetric_reserve(s, s->n, 2 * s->l_start[s->n]))
        return false;
    memcpy(s->known_start, s->start, rows);
    memcpy(s->known_index, s->index, entries);
    s->n_analysed = s->n;
    return true;
}

bool carom_symmetric_fill(carom_symmetric *s, const carom_problem *problem)
{
    s->n = problem->n_row;
    if (!reserve_rows(s, s->n) || !copy(s, &problem->G) || !is_symmetric(s)) return false;
    memset(s->y, 0, sizeof(double) * (size_t)s->n);
    return analyse(s);
}

static void choose_rows(carom_symmetric *s, const int *is_in)
{
    for (int i = 0; i < s->n; i++)
        for (int k = s->start[i]; k < s->start[i + 1]; k++) {
            const int j = s->index[k];
            s->chosen[k] = is_in[i] && is_in[j] ? s->value[k] : (double)(i == j);
        }
}

bool carom_symmetric_solve(carom_symmetric *s, const int *is_in, double *x)
{
    choose_rows(s, is_in);
    const int done =
        ldl_numeric(s->n, s->start, s->index, s->chosen, s->l_start, s->parent, s->count,
                    s->l_index, s->l_value, s->D, s->y, s->pattern, s->flag, s->order, s->place);
    if (done < s->n) return false;
    for (int k = 0; k < s->n; k++)
        if (is_in[s->order[k]] && !(s->D[k] > SMALLEST_PIVOT * entry(s, s->order[k], s->order[k])))
            return false;
    ldl_perm(s->n, s->x, x, s->order);
    ldl_lsolve(s->n, s->x, s->l_start, s->l_index, s->l_value);
    ldl_dsolve(s->n, s->x, s->D);
    ldl_ltsolve(s->n, s->x, s->l_start, s->l_index, s->l_value);
    ldl_permt(s->n, x, s->x, s->order);
    return true;
}

void carom_symmetric_product(const carom_symmetric *s, const double *x, double *y)
{
    for (int i = 0; i < s->n; i++) {
        double sum = 0;
        for (int k = s->start[i]; k < s->start[i + 1]; k++) sum += s->value[k] * x[s->index[k]];
        y[i] = sum;
    }
}

void carom_symmetric_diagonal(const carom_symmetric *s, double *d)
{
    for (int i = 0; i < s->n; i++) d[i] = entry(s, i, i);
}

void carom_symmetric_free(carom_symmetric *s)
{
    void *const all[] = {
        s->start,   s->index,   s->known_start, s->known_index, s->value, s->chosen,
        s->order,   s->place,   s->parent,      s->count,       s->flag,  s->pattern,
        s->l_start, s->l_index, s->l_value,     s->D,           s->y,     s->x};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) free(all[i]);
    *s = (carom_symmetric){0};
}
