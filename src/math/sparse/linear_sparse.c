// SPDX-License-Identifier: Apache-2.0
// Large sparse linear systems. Entries come as triplets in any order and repeated; two bucket sorts
// (by row, then by column) leave them in compressed columns with increasing rows, where repeated
// ones are summed. The factors (sparse_lu.c) are allocated anew; everything else is taken at
// creation. A solution is refined until its error is that of the rounding of A and b,
//
//     |b - A x| <= eps (|A| |x| + |b|)     in each row, at most twice
//
// M. Arioli, J. W. Demmel, I. S. Duff, Solving sparse linear systems with sparse
// backward error, 1989.
#include "math/sparse/linear_sparse.h"

#include "math/sparse/reach.h"
#include "math/sparse/sparse_lu.h"

#include <float.h>
#include <math.h>
#include <string.h>

struct carom_linear_sparse {
    int n, max_entries, n_added;
    int *row, *column; // triplets (max_entries)
    double *value;
    int *count;                 // bucket starts (n+1)
    int *by_row;                // triplets in order of rows (max_entries)
    int *start, *index;         // compressed columns (n+1, max_entries)
    double *entry;              // their values (max_entries)
    int *old_start, *old_index; // pattern of the analysis
    carom_sparse_lu lu;         // its analysis is that of the pattern
    double *b, *kept;           // workspace of a solution (n)
    double *rest, *size;        // b - A x, |A| |x| + |b| (n)
    carom_reach reach;          // the factors once more, for sparse right sides
    bool has_reach;             // it belongs to the present factors
};

enum { MAX_REFINEMENTS = 2 };
static const double CANCELLED = 1e-10; // a pivot, of the terms that it was left over from

static carom_status fail_memory(int n, carom_error *error)
{
    return carom_fail(error, CAROM_NO_MEMORY, "no memory for a linear system of %d unknowns", n);
}

carom_status carom_linear_sparse_new(carom_arena *arena, int n, int max_entries,
                                     carom_linear_sparse **sparse, carom_error *error)
{
    carom_linear_sparse *s = CAROM_TAKE(arena, carom_linear_sparse, 1);
    if (!s) return fail_memory(n, error);
    s->n = n;
    s->max_entries = max_entries;
    int **const per_entry[] = {&s->row, &s->column, &s->by_row, &s->index, &s->old_index};
    int **const per_unknown[] = {&s->count, &s->start, &s->old_start};
    bool is_whole = true;
    for (size_t i = 0; i < sizeof per_entry / sizeof *per_entry; i++)
        is_whole = (*per_entry[i] = CAROM_TAKE(arena, int, max_entries)) && is_whole;
    for (size_t i = 0; i < sizeof per_unknown / sizeof *per_unknown; i++)
        is_whole = (*per_unknown[i] = CAROM_TAKE(arena, int, n + 1)) && is_whole;
    s->value = CAROM_TAKE(arena, double, max_entries);
    s->entry = CAROM_TAKE(arena, double, max_entries);
    double **const vectors[] = {&s->b, &s->kept, &s->rest, &s->size};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
        is_whole = (*vectors[i] = CAROM_TAKE(arena, double, n)) && is_whole;
    if (!is_whole || !s->value || !s->entry) return fail_memory(n, error);
    *sparse = s;
    return CAROM_OK;
}

void carom_linear_sparse_free(carom_linear_sparse *sparse)
{
    carom_sparse_lu_free(&sparse->lu);
    carom_reach_free(&sparse->reach);
}

void carom_linear_sparse_clear(carom_linear_sparse *sparse)
{
    sparse->n_added = 0;
}

void carom_linear_sparse_resize(carom_linear_sparse *sparse, int n)
{
    if (n == sparse->n) return;
    carom_sparse_lu_free(&sparse->lu);
    sparse->n = n;
}

void carom_linear_sparse_add(carom_linear_sparse *sparse, int row, int column, double value)
{
    // one too many is remembered as such
    if (sparse->n_added >= sparse->max_entries) {
        sparse->n_added = sparse->max_entries + 1;
        return;
    }
    sparse->row[sparse->n_added] = row;
    sparse->column[sparse->n_added] = column;
    sparse->value[sparse->n_added++] = value;
}

// count[k] becomes the first place of bucket k
static void count_buckets(const carom_linear_sparse *s, const int *key, int *count)
{
    memset(count, 0, sizeof(int) * (size_t)(s->n + 1));
    for (int k = 0; k < s->n_added; k++) count[key[k] + 1]++;
    for (int i = 0; i < s->n; i++) count[i + 1] += count[i];
}

// sums neighbours that are the same entry; start is rewritten on the way
static void sum_repeated(carom_linear_sparse *s)
{
    int used = 0, from = 0;
    for (int j = 0; j < s->n; j++) {
        const int to = s->start[j + 1], first = used;
        for (int k = from; k < to; k++) {
            if (used > first && s->index[used - 1] == s->index[k]) {
                s->entry[used - 1] += s->entry[k];
                continue;
            }
            s->index[used] = s->index[k];
            s->entry[used++] = s->entry[k];
        }
        from = to;
        s->start[j + 1] = used;
    }
}

static void compress(carom_linear_sparse *s)
{
    count_buckets(s, s->row, s->count);
    for (int k = 0; k < s->n_added; k++) s->by_row[s->count[s->row[k]]++] = k;
    count_buckets(s, s->column, s->start);
    memcpy(s->count, s->start, sizeof(int) * (size_t)(s->n + 1));
    for (int i = 0; i < s->n_added; i++) {
        const int k = s->by_row[i], at = s->count[s->column[k]]++;
        s->index[at] = s->row[k];
        s->entry[at] = s->value[k];
    }
    sum_repeated(s);
}

static bool pattern_is_old(const carom_linear_sparse *s)
{
    return s->lu.analysis &&
           memcmp(s->start, s->old_start, sizeof(int) * (size_t)(s->n + 1)) == 0 &&
           memcmp(s->index, s->old_index, sizeof(int) * (size_t)s->start[s->n]) == 0;
}

static carom_status factor(carom_linear_sparse *s)
{
    if (!pattern_is_old(s)) {
        memcpy(s->old_start, s->start, sizeof(int) * (size_t)(s->n + 1));
        memcpy(s->old_index, s->index, sizeof(int) * (size_t)s->start[s->n]);
        const carom_status status = carom_sparse_lu_analyse(&s->lu, s->n, s->start, s->index);
        if (status != CAROM_OK) return status;
    }
    return carom_sparse_lu_factor(&s->lu, s->start, s->index, s->entry);
}

carom_status carom_linear_sparse_factor(carom_linear_sparse *s, carom_error *error)
{
    s->has_reach = false;
    if (s->n_added > s->max_entries)
        return carom_fail(error, CAROM_BUG, "a linear system was made for %d entries and got more",
                          s->max_entries);
    compress(s);
    const carom_status status = factor(s);
    if (status == CAROM_OK) return CAROM_OK;
    if (status == CAROM_NO_MEMORY) return fail_memory(s->n, error);
    return carom_fail(error, status, "a linear system of %d unknowns is singular", s->n);
}

// rest = b - A x; returns the largest of its entries, each over that of |A| |x| + |b|
static double error_of(const carom_linear_sparse *s, const double *x)
{
    double *rest = s->rest, *size = s->size, error = 0;
    for (int i = 0; i < s->n; i++) {
        rest[i] = s->b[i];
        size[i] = fabs(s->b[i]);
    }
    for (int j = 0; j < s->n; j++)
        for (int k = s->start[j]; k < s->start[j + 1]; k++) {
            const double term = s->entry[k] * x[j];
            rest[s->index[k]] -= term;
            size[s->index[k]] += fabs(term);
        }
    for (int i = 0; i < s->n; i++)
        if (fabs(rest[i]) > error * size[i]) error = fabs(rest[i]) / size[i];
    return error;
}

void carom_linear_sparse_solve(const carom_linear_sparse *s, double *x)
{
    if (!s->lu.factors) return;
    memcpy(s->b, x, sizeof(double) * (size_t)s->n);
    carom_sparse_lu_solve(&s->lu, x, false);
    double error = error_of(s, x);
    for (int k = 0; k < MAX_REFINEMENTS && error > DBL_EPSILON; k++) {
        memcpy(s->kept, x, sizeof(double) * (size_t)s->n);
        carom_sparse_lu_solve(&s->lu, s->rest, false);
        for (int i = 0; i < s->n; i++) x[i] += s->rest[i];
        const double before = error;
        error = error_of(s, x);
        // NaN, too, goes back
        if (!(error < before)) memcpy(x, s->kept, sizeof(double) * (size_t)s->n);
        if (!(error < before / 2)) break;
    }
}

static bool take_reach(carom_linear_sparse *s)
{
    if (!s->lu.factors) return false;
    s->has_reach = s->has_reach || carom_reach_take(&s->reach, &s->lu);
    return s->has_reach;
}

bool carom_linear_sparse_is_sound(carom_linear_sparse *s)
{
    return !take_reach(s) || carom_reach_weakest(&s->reach) > CANCELLED;
}

int carom_linear_sparse_reach(carom_linear_sparse *s, int n_entry, const int *index,
                              const double *value, double *x, int *touched)
{
    return take_reach(s) ? carom_reach_solve(&s->reach, n_entry, index, value, x, touched) : -1;
}
