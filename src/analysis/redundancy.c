// SPDX-License-Identifier: Apache-2.0
// Redundant constraints at the start: which rows of W say nothing that the others do not say.
// Gram-Schmidt with pivoting in the metric of M^-1, rows scaled to length 1:
//
//     w_p = R_1p e_1 + R_2p e_2 + ...      p the longest of what is left; done when that is 1e-10
//     w_r = c_1 e_1 + c_2 e_2 + ...        the rest r: implied by those that were taken
//     R a = c                              how much of each; those with a = 0 have no part in it
//
// Reactions of rows that take part are not unique, their sums on each body are.
#include "base/need.h"
#include "carom/analysis.h"
#include "math/blockmass.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MASK = CAROM_MASS | CAROM_GAPS | CAROM_ROWS };
static const double DEPENDENT = 1e-10; // of a row's length
static const double TAKES_PART = 1e-7;
static const double MOST_WORK = 4e9; // operations

typedef struct basis {
    int m, nu, rank;
    double *w, *z;  // (m x nu) what is left of each row, and M^-1 times that
    double *length; // (m) of the row as it was
    double *c;      // (m x m) c[k*m + r] = part of row r along e_k
    double *a;      // (m)
    int *pivot;     // (m) row of e_k
    bool *is_taken; // (m)
} basis;

static bool take_memory(basis *b, int m, int nu)
{
    const size_t rows = (size_t)m, width = (size_t)nu;
    b->m = m;
    b->nu = nu;
    b->w = calloc(rows * width + 1, sizeof(double));
    b->z = calloc(rows * width + 1, sizeof(double));
    b->length = calloc(rows + 1, sizeof(double));
    b->c = calloc(rows * rows + 1, sizeof(double));
    b->a = calloc(rows + 1, sizeof(double));
    b->pivot = calloc(rows + 1, sizeof(int));
    b->is_taken = calloc(rows + 1, sizeof(bool));
    return b->w && b->z && b->length && b->c && b->a && b->pivot && b->is_taken;
}

static void release(basis *b)
{
    free(b->w);
    free(b->z);
    free(b->length);
    free(b->c);
    free(b->a);
    free(b->pivot);
    free(b->is_taken);
}

static double dot(const double *x, const double *y, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += x[i] * y[i];
    return sum;
}

static double *row_of(double *x, const basis *b, int r)
{
    return x + (size_t)r * (size_t)b->nu;
}

static double length_left(const basis *b, int r)
{
    return sqrt(fmax(dot(row_of(b->w, b, r), row_of(b->z, b, r), b->nu), 0));
}

static void scale_row(const basis *b, int r, double factor)
{
    for (int i = 0; i < b->nu; i++) {
        row_of(b->w, b, r)[i] *= factor;
        row_of(b->z, b, r)[i] *= factor;
    }
}

static void fill_rows(basis *b, const carom_eval *ev)
{
    const carom_sparse *W = &ev->rows.W;
    for (int r = 0; r < b->m; r++) {
        double *w = row_of(b->w, b, r), *z = row_of(b->z, b, r);
        for (int k = W->start[r]; k < W->start[r + 1]; k++) w[W->index[k]] += W->value[k];
        memcpy(z, w, sizeof(double) * (size_t)b->nu);
        carom_mass_solve(ev->mass, z);
        b->length[r] = length_left(b, r);
        if (b->length[r] > 0) scale_row(b, r, 1 / b->length[r]);
    }
}

// takes e_k out of row r, twice: once leaves rounding
static void reduce(basis *b, int k, int r)
{
    const double *e = row_of(b->w, b, b->pivot[k]), *ze = row_of(b->z, b, b->pivot[k]);
    double *w = row_of(b->w, b, r), *z = row_of(b->z, b, r);
    for (int pass = 0; pass < 2; pass++) {
        const double part = dot(ze, w, b->nu);
        for (int i = 0; i < b->nu; i++) {
            w[i] -= part * e[i];
            z[i] -= part * ze[i];
        }
        b->c[(size_t)k * (size_t)b->m + (size_t)r] += part;
    }
}

static void orthogonalise(basis *b)
{
    for (b->rank = 0; b->rank < b->m; b->rank++) {
        int longest = -1;
        double most = DEPENDENT;
        for (int r = 0; r < b->m; r++) {
            // of rows that are as good the first, so that the later one is the redundant one
            const double left = b->is_taken[r] ? 0 : length_left(b, r);
            if (left > most * (longest < 0 ? 1 : 1.01)) longest = r, most = left;
        }
        if (longest < 0) return;
        const int k = b->rank;
        b->is_taken[longest] = true;
        b->pivot[k] = longest;
        b->c[(size_t)k * (size_t)b->m + (size_t)longest] = most;
        scale_row(b, longest, 1 / most);
        for (int r = 0; r < b->m; r++)
            if (!b->is_taken[r]) reduce(b, k, r);
    }
}

// a of row r
static void find_parts(basis *b, int r)
{
    for (int k = b->rank - 1; k >= 0; k--) {
        const double *c = b->c + (size_t)k * (size_t)b->m;
        double sum = c[r];
        for (int j = k + 1; j < b->rank; j++) sum -= c[b->pivot[j]] * b->a[j];
        b->a[k] = sum / c[b->pivot[k]];
    }
}

static bool list_groups(basis *b, carom_redundancy *found)
{
    const size_t n = (size_t)(b->m - b->rank), rows = (size_t)b->m;
    found->rank = b->rank;
    found->n_group = (int)n;
    found->start = calloc(n + 1, sizeof(int));
    found->row = calloc(n * (rows + 1) + 1, sizeof(int));
    if (!found->start || !found->row) return false;
    int used = 0, g = 0;
    for (int r = 0; r < b->m; r++) {
        if (b->is_taken[r]) continue;
        find_parts(b, r);
        found->row[used++] = r;
        for (int p = 0; p < b->m; p++)
            for (int k = 0; k < b->rank; k++)
                if (b->pivot[k] == p && fabs(b->a[k]) > TAKES_PART) found->row[used++] = p;
        found->start[++g] = used;
    }
    return true;
}

static carom_status find(carom_plan *plan, const carom_model *model, carom_redundancy *found,
                         carom_error *error)
{
    const carom_sizes size = carom_model_sizes(model);
    const carom_point at = {.q = carom_model_start_q(model), .u = carom_model_start_u(model)};
    basis b = {0};
    carom_eval *ev = carom_plan_eval(plan);
    carom_status status = CAROM_NO_MEMORY;
    if (ev && take_memory(&b, size.n_constraint, size.nu))
        status = carom_model_eval(plan, &at, MASK, ev, error);
    if (status == CAROM_OK) {
        fill_rows(&b, ev);
        orthogonalise(&b);
        if (!list_groups(&b, found)) status = CAROM_NO_MEMORY;
    }
    if (status == CAROM_NO_MEMORY) carom_fail(error, status, "not enough memory to compare rows");
    release(&b);
    return status;
}

carom_status carom_redundancy_find(const carom_model *model, carom_redundancy *redundancy,
                                   carom_error *error)
{
    const unsigned mask = MASK;
    CAROM_NEED(error, redundancy);
    *redundancy = (carom_redundancy){0};
    CAROM_NEED(error, model);
    const carom_sizes size = carom_model_sizes(model);
    const double m = size.n_constraint;
    redundancy->n_row = size.n_constraint;
    redundancy->is_known = m * m * size.nu <= MOST_WORK;
    if (m == 0 || !redundancy->is_known) return CAROM_OK;
    carom_plan *plan;
    CAROM_TRY(carom_plan_new(model, &mask, 1, &plan, error));
    const carom_status status = find(plan, model, redundancy, error);
    carom_plan_free(plan);
    if (status != CAROM_OK) carom_redundancy_free(redundancy);
    return status;
}

void carom_redundancy_free(carom_redundancy *redundancy)
{
    if (!redundancy) return;
    free(redundancy->start);
    free(redundancy->row);
    *redundancy = (carom_redundancy){0};
}
