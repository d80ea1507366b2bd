// SPDX-License-Identifier: Apache-2.0
// Large sparse linear systems. Entries come as triplets in any order and repeated (gather.c).
//
//     a narrow band in some order     its factors (math/band)
//     all other patterns              P R A Q = L U of KLU (sparse_lu.c), allocated anew
//
// Values that are those of the last factorisation to the last bit are not factorised again: so the
// matrix of a linear model is factorised once for each step size. But for L D L', which needs none,
// a solution is refined until its error is that of the rounding of A and b,
//
//     |b - A x| <= eps (|A| |x| + |b|)     in each row, at most twice
//
// M. Arioli, J. W. Demmel, I. S. Duff, Solving sparse linear systems with sparse
// backward error, 1989.
#include "math/sparse/linear_sparse.h"

#include "math/band/narrow.h"
#include "math/instead/capacity.h"
#include "math/sparse/gather.h"
#include "math/sparse/reach.h"
#include "math/sparse/recall.h"
#include "math/sparse/sparse_lu.h"

#include <float.h>
#include <math.h>
#include <string.h>

struct carom_linear_sparse {
    carom_gather matrix;
    int *start, *index;     // pattern of the analysis (n+1, entries)
    double *factored;       // values of the factors (entries)
    bool is_factored;       // they are there
    carom_arena *band_room; // of the band
    carom_narrow *band;     // NULL: the pattern is none, or
    carom_recall *recall;   // of a band that is one part: directions of contacts; may be NULL
    bool needs_general;     // somebody asks what only the other factors tell
    carom_sparse_lu lu;     // its analysis is that of the pattern
    double *b, *kept;       // workspace of a solution (n)
    double *rest, *size;    // b - A x, |A| |x| + |b| (n)
    carom_reach reach;      // the factors once more, for sparse right sides
    bool has_reach;         // it belongs to the present factors
};

enum { MAX_REFINEMENTS = 2 };
static const double CANCELLED = 1e-10; // a pivot, of the terms that it was left over from

carom_status carom_linear_sparse_new(carom_arena *arena, int n, int max_entries,
                                     carom_linear_sparse **sparse, carom_error *error)
{
    carom_linear_sparse *s = CAROM_TAKE(arena, carom_linear_sparse, 1);
    if (!s || !carom_gather_take(arena, n, max_entries, &s->matrix))
        return carom_factors_fail(n, error);
    double **const vectors[] = {&s->b, &s->kept, &s->rest, &s->size};
    bool is_whole = true;
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
        is_whole = (*vectors[i] = CAROM_TAKE(arena, double, n)) && is_whole;
    s->start = CAROM_TAKE(arena, int, n + 1);
    s->index = CAROM_TAKE(arena, int, max_entries);
    s->factored = CAROM_TAKE(arena, double, max_entries);
    if (!is_whole || !s->start || !s->index || !s->factored) return carom_factors_fail(n, error);
    *sparse = s;
    return CAROM_OK;
}

void carom_linear_sparse_free(carom_linear_sparse *sparse)
{
    carom_sparse_lu_free(&sparse->lu);
    carom_reach_free(&sparse->reach);
    carom_arena_free(sparse->band_room);
}

void carom_linear_sparse_clear(carom_linear_sparse *sparse)
{
    carom_gather_clear(&sparse->matrix);
}

// what was analysed is of another pattern
static void forget_analysis(carom_linear_sparse *s)
{
    carom_sparse_lu_free(&s->lu);
    carom_arena_free(s->band_room);
    s->band_room = NULL;
    s->band = NULL;
    s->recall = NULL;
    s->is_factored = s->has_reach = false;
}

void carom_linear_sparse_resize(carom_linear_sparse *sparse, int n)
{
    if (n == sparse->matrix.n) return;
    forget_analysis(sparse);
    carom_gather_resize(&sparse->matrix, n);
}

void carom_linear_sparse_add(carom_linear_sparse *sparse, int row, int column, double value)
{
    carom_gather_add(&sparse->matrix, row, column, value);
}

void carom_linear_sparse_begin(carom_linear_sparse *sparse)
{
    carom_gather_begin(&sparse->matrix);
}

void carom_linear_sparse_block(carom_linear_sparse *sparse, int n, const double *value,
                               double factor)
{
    carom_gather_block(&sparse->matrix, n, value, factor);
}

static bool is_analysed(const carom_linear_sparse *s)
{
    const carom_gather *m = &s->matrix;
    return (s->band || s->lu.analysis) &&
           memcmp(m->start, s->start, sizeof(int) * (size_t)(m->n + 1)) == 0 &&
           memcmp(m->index, s->index, sizeof(int) * (size_t)m->start[m->n]) == 0;
}

static void look_for_band(carom_linear_sparse *s)
{
    if (s->needs_general) return;
    s->band_room = carom_arena_new();
    if (s->band_room)
        s->band = carom_narrow_new(s->band_room, s->matrix.n, s->start, s->index, false);
    if (s->band && carom_narrow_n_part(s->band) == 1)
        s->recall = carom_recall_new(s->band_room, s->matrix.n);
}

static carom_status analyse(carom_linear_sparse *s)
{
    const carom_gather *m = &s->matrix;
    forget_analysis(s);
    memcpy(s->start, m->start, sizeof(int) * (size_t)(m->n + 1));
    memcpy(s->index, m->index, sizeof(int) * (size_t)m->start[m->n]);
    look_for_band(s);
    return s->band ? CAROM_OK : carom_sparse_lu_analyse(&s->lu, m->n, m->start, m->index);
}

static carom_status factor(carom_linear_sparse *s)
{
    const carom_gather *m = &s->matrix;
    const size_t bytes = sizeof(double) * (size_t)m->start[m->n];
    if (s->is_factored && memcmp(s->factored, m->entry, bytes) == 0) return CAROM_OK;
    s->is_factored = s->has_reach = false;
    carom_recall_forget(s->recall);
    if (s->band) {
        if (carom_narrow_factor(s->band, m->entry) >= 0) return CAROM_NOT_CONVERGED;
    } else {
        const carom_status status = carom_sparse_lu_factor(&s->lu, m->start, m->index, m->entry);
        if (status != CAROM_OK) return status;
    }
    memcpy(s->factored, m->entry, bytes);
    s->is_factored = true;
    return CAROM_OK;
}

carom_status carom_linear_sparse_analyse(carom_linear_sparse *s, carom_error *error)
{
    const carom_gather *m = &s->matrix;
    if (m->n_added > m->most)
        return carom_fail(error, CAROM_BUG, "a linear system was made for %d entries and got more",
                          m->most);
    if (!carom_gather_sum(&s->matrix) && (s->band || s->lu.analysis)) return CAROM_OK;
    const carom_status status = is_analysed(s) ? CAROM_OK : analyse(s);
    return status == CAROM_OK ? CAROM_OK : carom_factors_fail(m->n, error);
}

carom_status carom_linear_sparse_factor(carom_linear_sparse *s, carom_error *error)
{
    CAROM_TRY(carom_linear_sparse_analyse(s, error));
    const carom_status status = factor(s);
    if (status == CAROM_OK) return CAROM_OK;
    if (status == CAROM_NO_MEMORY) return carom_factors_fail(s->matrix.n, error);
    return carom_fail(error, status, "a linear system of %d unknowns is singular", s->matrix.n);
}

int carom_linear_sparse_width(const carom_linear_sparse *sparse)
{
    return sparse->band ? carom_narrow_width(sparse->band) : -1;
}

// rest = b - A x; returns the largest of its entries, each over that of |A| |x| + |b|
static double error_of(const carom_linear_sparse *s, const double *x)
{
    const carom_gather *m = &s->matrix;
    double *rest = s->rest, *size = s->size, error = 0;
    for (int i = 0; i < m->n; i++) {
        rest[i] = s->b[i];
        size[i] = fabs(s->b[i]);
    }
    for (int j = 0; j < m->n; j++)
        for (int k = m->start[j]; k < m->start[j + 1]; k++) {
            const double term = m->entry[k] * x[j];
            rest[m->index[k]] -= term;
            size[m->index[k]] += fabs(term);
        }
    for (int i = 0; i < m->n; i++)
        if (fabs(rest[i]) > error * size[i]) error = fabs(rest[i]) / size[i];
    return error;
}

static void solve_once(const carom_linear_sparse *s, double *x)
{
    if (s->band)
        carom_narrow_solve(s->band, x);
    else
        carom_sparse_lu_solve(&s->lu, x, false);
}

void carom_linear_sparse_solve(const carom_linear_sparse *s, double *x)
{
    const int n = s->matrix.n;
    if (!s->is_factored) return;
    if (s->band && carom_narrow_is_symmetric(s->band)) {
        carom_narrow_solve(s->band, x);
        return;
    }
    memcpy(s->b, x, sizeof(double) * (size_t)n);
    solve_once(s, x);
    double error = error_of(s, x);
    for (int k = 0; k < MAX_REFINEMENTS && error > DBL_EPSILON; k++) {
        memcpy(s->kept, x, sizeof(double) * (size_t)n);
        solve_once(s, s->rest);
        for (int i = 0; i < n; i++) x[i] += s->rest[i];
        const double before = error;
        error = error_of(s, x);
        // NaN, too, goes back
        if (!(error < before)) memcpy(x, s->kept, sizeof(double) * (size_t)n);
        if (!(error < before / 2)) break;
    }
}

static bool take_reach(carom_linear_sparse *s)
{
    if (!s->is_factored || s->band) return false;
    s->has_reach = s->has_reach || carom_reach_take(&s->reach, &s->lu);
    return s->has_reach;
}

// from now on the factors that tell
static bool become_general(carom_linear_sparse *s)
{
    s->needs_general = true;
    return analyse(s) == CAROM_OK && factor(s) == CAROM_OK;
}

bool carom_linear_sparse_is_sound(carom_linear_sparse *s)
{
    if (s->band && !become_general(s)) return false;
    return !take_reach(s) || carom_reach_weakest(&s->reach) > CANCELLED;
}

static int reach_band(const carom_linear_sparse *s, int n_entry, const int *index,
                      const double *value, double *x, int *touched)
{
    const double *known = carom_recall_find(s->recall, n_entry, index, value);
    if (!known) {
        const int n = carom_narrow_reach(s->band, n_entry, index, value, x, touched);
        carom_recall_keep(s->recall, n_entry, index, value, x);
        return n;
    }
    for (int i = 0; i < s->matrix.n; i++) {
        x[i] = known[i];
        touched[i] = i;
    }
    return s->matrix.n;
}

int carom_linear_sparse_reach(carom_linear_sparse *s, int n_entry, const int *index,
                              const double *value, double *x, int *touched)
{
    if (s->is_factored && s->band) return reach_band(s, n_entry, index, value, x, touched);
    return take_reach(s) ? carom_reach_solve(&s->reach, n_entry, index, value, x, touched) : -1;
}
