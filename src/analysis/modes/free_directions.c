// SPDX-License-Identifier: Apache-2.0
// All directions that held rows leave free, for models of moderate size. With M = L L', x = L^-T y,
// the held rows are v = L^-1 w; reflections H_1 H_2 ... turn them one after the other into first
// axes (a row that is implied by those before it is left out), and what is free is
//
//     B = L^-T H_1 H_2 ... H_r [0; I],     B' M B = I,     W B = 0
#include "analysis/modes/modes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double DEPENDENT = 1e-9;

typedef struct mass_factor {
    int n;
    double *L; // (n n) by rows
} mass_factor;

static bool factor(mass_factor *f, const carom_mass *mass)
{
    const size_t n = (size_t)f->n;
    for (int i = 0; i < f->n; i++)
        for (int j = 0; j <= i; j++) {
            double *a = f->L + (size_t)i * n, *b = f->L + (size_t)j * n;
            const double sum = carom_mass_entry(mass, i, j) - carom_modes_dot(a, b, j);
            if (i == j && !(sum > 0)) return false;
            a[j] = i == j ? sqrt(sum) : sum / b[j];
        }
    return true;
}

static void solve_lower(const mass_factor *f, double *x)
{
    for (int i = 0; i < f->n; i++) {
        const double *row = f->L + (size_t)i * (size_t)f->n;
        x[i] = (x[i] - carom_modes_dot(row, x, i)) / row[i];
    }
}

static void solve_upper(const mass_factor *f, double *x)
{
    for (int i = f->n - 1; i >= 0; i--) {
        const double *row = f->L + (size_t)i * (size_t)f->n;
        x[i] /= row[i];
        for (int j = 0; j < i; j++) x[j] -= row[j] * x[i];
    }
}

static void reflect(const double *v, int first, int n, double *x)
{
    const double along = 2 * carom_modes_dot(v + first, x + first, n - first);
    for (int i = first; i < n; i++) x[i] -= along * v[i];
}

// the reflections, (rank x n); returns rank
static int reflect_held(const carom_modes_search *s, const mass_factor *f, double *v)
{
    const carom_sparse *W = &s->ev->rows.W;
    const int n = f->n;
    int rank = 0;
    for (int r = 0; r < s->size.n_row && rank < n; r++) {
        double *x = v + (size_t)rank * (size_t)n;
        if (!s->found->is_held[r]) continue;
        memset(x, 0, sizeof *x * (size_t)n);
        for (int k = W->start[r]; k < W->start[r + 1]; k++) x[W->index[k]] += W->value[k];
        solve_lower(f, x);
        const double length = sqrt(carom_modes_dot(x, x, n));
        for (int k = 0; k < rank; k++) reflect(v + (size_t)k * (size_t)n, k, n, x);
        const double left = sqrt(carom_modes_dot(x + rank, x + rank, n - rank));
        if (!(left > DEPENDENT * length)) continue;
        x[rank] += x[rank] > 0 ? left : -left;
        const double size = sqrt(carom_modes_dot(x + rank, x + rank, n - rank));
        for (int i = 0; i < n; i++) x[i] = i < rank ? 0 : x[i] / size;
        rank++;
    }
    return rank;
}

carom_status carom_modes_all(carom_modes_search *s, carom_error *error)
{
    const int n = s->size.nu;
    const size_t square = (size_t)n * (size_t)n;
    mass_factor f = {n, calloc(2 * square + 1, sizeof(double))};
    double *v = f.L + square, *basis = calloc(square + 1, sizeof *basis);
    carom_status status =
        f.L && basis ? CAROM_OK : carom_fail(error, CAROM_NO_MEMORY, "memory ran out");
    if (status == CAROM_OK && !factor(&f, s->ev->mass))
        status = carom_fail(error, CAROM_BAD_INPUT, "the mass matrix is singular to rounding");
    if (status == CAROM_OK) {
        const int rank = reflect_held(s, &f, v);
        for (int k = rank; k < n; k++) {
            double *x = basis + (size_t)(k - rank) * (size_t)n;
            x[k] = 1;
            for (int i = rank - 1; i >= 0; i--) reflect(v + (size_t)i * (size_t)n, i, n, x);
            solve_upper(&f, x);
        }
        s->found->n_basis = s->found->n_free = n - rank;
    }
    free(f.L);
    s->found->basis = basis;
    return status;
}
