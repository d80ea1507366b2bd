// SPDX-License-Identifier: Apache-2.0
// Large sparse linear systems. Entries come as triplets in any order and repeated; two bucket sorts
// (by row, then by column) leave them in compressed columns with increasing rows, where repeated
// ones are summed. UMFPACK factorises
//
//     P R A Q = L U      R scales rows
//
// and allocates its factors; everything of ours is taken at creation.
// T. A. Davis, Algorithm 832: UMFPACK V4.3, an unsymmetric-pattern multifrontal method, 2004.
#include "math/linear_sparse.h"

#include "math/reach.h"

#include <string.h>
#include <umfpack.h>

struct carom_linear_sparse {
    int n, max_entries, n_added;
    int *row, *column; // triplets (max_entries)
    double *value;
    int *count;                 // bucket starts (n+1)
    int *by_row;                // triplets in order of rows (max_entries)
    int *start, *index;         // compressed columns (n+1, max_entries)
    double *entry;              // their values (max_entries)
    int *old_start, *old_index; // pattern of the analysis
    void *analysis, *factors;   // UMFPACK's
    double *x, *work;           // workspace (n), (5 n)
    int *list;                  // workspace (n)
    carom_reach reach;          // the factors once more, for sparse right sides
    bool has_reach;             // it belongs to the present factors
};

static const double smallest_rcond = 1e-300;

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
    int **const per_unknown[] = {&s->count, &s->start, &s->old_start, &s->list};
    bool is_whole = true;
    for (size_t i = 0; i < sizeof per_entry / sizeof *per_entry; i++)
        is_whole = (*per_entry[i] = CAROM_TAKE(arena, int, max_entries)) && is_whole;
    for (size_t i = 0; i < sizeof per_unknown / sizeof *per_unknown; i++)
        is_whole = (*per_unknown[i] = CAROM_TAKE(arena, int, n + 1)) && is_whole;
    s->value = CAROM_TAKE(arena, double, max_entries);
    s->entry = CAROM_TAKE(arena, double, max_entries);
    s->x = CAROM_TAKE(arena, double, n);
    s->work = CAROM_TAKE(arena, double, 5 * n);
    if (!is_whole || !s->value || !s->entry || !s->x || !s->work) return fail_memory(n, error);
    *sparse = s;
    return CAROM_OK;
}

static void free_factors(carom_linear_sparse *s)
{
    if (s->factors) umfpack_di_free_numeric(&s->factors);
    s->factors = NULL;
    s->has_reach = false;
}

static void free_analysis(carom_linear_sparse *s)
{
    if (s->analysis) umfpack_di_free_symbolic(&s->analysis);
    s->analysis = NULL;
}

void carom_linear_sparse_free(carom_linear_sparse *sparse)
{
    free_factors(sparse);
    free_analysis(sparse);
    carom_reach_free(&sparse->reach);
}

void carom_linear_sparse_clear(carom_linear_sparse *sparse)
{
    sparse->n_added = 0;
}

void carom_linear_sparse_resize(carom_linear_sparse *sparse, int n)
{
    if (n == sparse->n) return;
    free_factors(sparse);
    free_analysis(sparse);
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
    return s->analysis && memcmp(s->start, s->old_start, sizeof(int) * (size_t)(s->n + 1)) == 0 &&
           memcmp(s->index, s->old_index, sizeof(int) * (size_t)s->start[s->n]) == 0;
}

static int analyse(carom_linear_sparse *s)
{
    if (pattern_is_old(s)) return UMFPACK_OK;
    free_analysis(s);
    memcpy(s->old_start, s->start, sizeof(int) * (size_t)(s->n + 1));
    memcpy(s->old_index, s->index, sizeof(int) * (size_t)s->start[s->n]);
    return umfpack_di_symbolic(s->n, s->n, s->start, s->index, s->entry, &s->analysis, NULL, NULL);
}

carom_status carom_linear_sparse_factor(carom_linear_sparse *s, carom_error *error)
{
    free_factors(s);
    if (s->n_added > s->max_entries)
        return carom_fail(error, CAROM_BUG, "a linear system was made for %d entries and got more",
                          s->max_entries);
    compress(s);
    int status = analyse(s);
    double info[UMFPACK_INFO] = {0};
    if (status == UMFPACK_OK)
        status =
            umfpack_di_numeric(s->start, s->index, s->entry, s->analysis, &s->factors, NULL, info);
    if (status == UMFPACK_ERROR_out_of_memory) return fail_memory(s->n, error);
    // the comparison is false for NaN
    if (status == UMFPACK_OK && info[UMFPACK_RCOND] >= smallest_rcond) return CAROM_OK;
    free_factors(s);
    return carom_fail(error, CAROM_NOT_CONVERGED, "a linear system of %d unknowns is singular",
                      s->n);
}

void carom_linear_sparse_solve(const carom_linear_sparse *s, double *x)
{
    if (!s->factors) return;
    memcpy(s->x, x, sizeof(double) * (size_t)s->n);
    umfpack_di_wsolve(UMFPACK_A, s->start, s->index, s->entry, x, s->x, s->factors, NULL, NULL,
                      s->list, s->work);
}

int carom_linear_sparse_reach(carom_linear_sparse *s, int n_entry, const int *index,
                              const double *value, double *x, int *touched)
{
    if (!s->factors) return -1;
    s->has_reach = s->has_reach || carom_reach_take(&s->reach, s->n, s->factors);
    return s->has_reach ? carom_reach_solve(&s->reach, n_entry, index, value, x, touched) : -1;
}
