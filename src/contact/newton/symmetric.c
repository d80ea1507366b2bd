// SPDX-License-Identifier: Apache-2.0
// The rows of a sparse symmetric matrix: copied, checked, multiplied. Systems with some of them are
// solved in symmetric_ldl.c, or without SuiteSparse in symmetric_dense.c.
#include "contact/newton/symmetric.h"

#include "base/grow.h"

#include <stdlib.h>
#include <string.h>

static const double SYMMETRIC = 1e-13; // of the row's diagonal entry

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

double carom_symmetric_entry(const carom_symmetric *s, int i, int j)
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
        if (carom_symmetric_entry(s, i, i) != 0) continue;
        s->index[s->start[i + 1]] = i;
        s->value[s->start[i + 1]++] = 0;
    }
    return true;
}

// entry by entry, and no negative diagonal
static bool is_symmetric(const carom_symmetric *s)
{
    for (int i = 0; i < s->n; i++) {
        const double diagonal = carom_symmetric_entry(s, i, i);
        if (!(diagonal >= 0)) return false;
        for (int k = s->start[i]; k < s->start[i + 1]; k++)
            if (s->index[k] > i && !(fabs(s->value[k] - carom_symmetric_entry(s, s->index[k], i)) <=
                                     SYMMETRIC * diagonal))
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

bool carom_symmetric_fill(carom_symmetric *s, const carom_problem *problem)
{
    s->n = problem->n_row;
    if (!reserve_rows(s, s->n) || !copy(s, &problem->G) || !is_symmetric(s)) return false;
    memset(s->y, 0, sizeof(double) * (size_t)s->n);
    return carom_symmetric_analyse(s);
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
    for (int i = 0; i < s->n; i++) d[i] = carom_symmetric_entry(s, i, i);
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
