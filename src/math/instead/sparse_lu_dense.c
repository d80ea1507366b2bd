// SPDX-License-Identifier: Apache-2.0
// The factors of sparse_lu.h in a build without SuiteSparse (CAROM_SPARSE=OFF): dense,
//
//     P R A = L U      R scales rows by their largest entry, P by partial pivoting
//
// up to CAROM_MOST_DENSE unknowns. Larger systems are refused when they are analysed.
// G. H. Golub, C. F. Van Loan, Matrix Computations, 4th ed., section 3.4.
#include "math/instead/capacity.h"
#include "math/sparse/sparse_lu.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

/// What the caller's pointer `factors` points to.
typedef struct dense_factors {
    double *A;     ///< (n*n) by columns: L below the diagonal, U on and above it
    double *scale; ///< (n) of rows as they were given
    int *P;        ///< (n) row of each pivot
} dense_factors;

void carom_sparse_lu_free(carom_sparse_lu *lu)
{
    dense_factors *f = lu->analysis;
    lu->analysis = lu->factors = NULL;
    if (!f) return;
    free(f->A);
    free(f->scale);
    free(f->P);
    free(f);
}

carom_status carom_sparse_lu_analyse(carom_sparse_lu *lu, int n, int *start, int *index)
{
    (void)start, (void)index;
    carom_sparse_lu_free(lu);
    lu->n = n;
    if (n > CAROM_MOST_DENSE) return CAROM_NO_MEMORY;
    dense_factors *f = lu->analysis = calloc(1, sizeof *f);
    if (!f) return CAROM_NO_MEMORY;
    f->A = calloc((size_t)n * (size_t)n + 1, sizeof *f->A);
    f->scale = calloc((size_t)n + 1, sizeof *f->scale);
    f->P = calloc((size_t)n + 1, sizeof *f->P);
    if (f->A && f->scale && f->P) return CAROM_OK;
    carom_sparse_lu_free(lu);
    return CAROM_NO_MEMORY;
}

static bool scatter(dense_factors *f, int n, const int *start, const int *index,
                    const double *value)
{
    for (int i = 0; i < n * n; i++) f->A[i] = 0;
    for (int i = 0; i < n; i++) f->scale[i] = 0;
    for (int j = 0; j < n; j++)
        for (int k = start[j]; k < start[j + 1]; k++) f->A[j * n + index[k]] += value[k];
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) f->scale[i] = fmax(f->scale[i], fabs(f->A[j * n + i]));
    for (int i = 0; i < n; i++) {
        if (!(f->scale[i] > 0 && f->scale[i] <= DBL_MAX)) return false;
        f->P[i] = i;
        for (int j = 0; j < n; j++) f->A[j * n + i] /= f->scale[i];
    }
    return true;
}

static void swap_rows(dense_factors *f, int n, int i, int k)
{
    const int row = f->P[i];
    f->P[i] = f->P[k];
    f->P[k] = row;
    for (int j = 0; j < n; j++) {
        const double entry = f->A[j * n + i];
        f->A[j * n + i] = f->A[j * n + k];
        f->A[j * n + k] = entry;
    }
}

// column k from all before it; false where nothing is left
static bool eliminate(dense_factors *f, int n, int k)
{
    double *column = f->A + k * n;
    int best = k;
    for (int i = k + 1; i < n; i++)
        if (fabs(column[i]) > fabs(column[best])) best = i;
    if (!(fabs(column[best]) > DBL_MIN && fabs(column[best]) <= DBL_MAX)) return false;
    if (best != k) swap_rows(f, n, k, best);
    for (int i = k + 1; i < n; i++) column[i] /= column[k];
    for (int j = k + 1; j < n; j++) {
        double *other = f->A + j * n;
        if (other[k] == 0) continue;
        for (int i = k + 1; i < n; i++) other[i] -= column[i] * other[k];
    }
    return true;
}

carom_status carom_sparse_lu_factor(carom_sparse_lu *lu, int *start, int *index, double *value)
{
    dense_factors *f = lu->analysis;
    lu->factors = NULL;
    if (!scatter(f, lu->n, start, index, value)) return CAROM_NOT_CONVERGED;
    for (int k = 0; k < lu->n; k++)
        if (!eliminate(f, lu->n, k)) return CAROM_NOT_CONVERGED;
    lu->factors = f;
    return CAROM_OK;
}

static void solve_straight(const dense_factors *f, int n, double *x, double *y)
{
    for (int k = 0; k < n; k++) y[k] = x[f->P[k]] / f->scale[f->P[k]];
    for (int k = 0; k < n; k++)
        for (int i = k + 1; i < n; i++) y[i] -= f->A[k * n + i] * y[k];
    for (int k = n - 1; k >= 0; k--) {
        y[k] /= f->A[k * n + k];
        for (int i = 0; i < k; i++) y[i] -= f->A[k * n + i] * y[k];
    }
    for (int k = 0; k < n; k++) x[k] = y[k];
}

static void solve_transposed(const dense_factors *f, int n, double *x, double *y)
{
    for (int k = 0; k < n; k++) {
        y[k] = x[k];
        for (int i = 0; i < k; i++) y[k] -= f->A[k * n + i] * y[i];
        y[k] /= f->A[k * n + k];
    }
    for (int k = n - 1; k >= 0; k--)
        for (int i = k + 1; i < n; i++) y[k] -= f->A[k * n + i] * y[i];
    for (int k = 0; k < n; k++) x[f->P[k]] = y[k] / f->scale[f->P[k]];
}

void carom_sparse_lu_solve(const carom_sparse_lu *lu, double *x, bool is_transposed)
{
    double y[CAROM_MOST_DENSE];
    (is_transposed ? solve_transposed : solve_straight)(lu->factors, lu->n, x, y);
}

// zeros, too, are entries: the factors are full
void carom_sparse_lu_count(const carom_sparse_lu *lu, int *n_l, int *n_u)
{
    *n_l = *n_u = lu->n * (lu->n + 1) / 2;
}

bool carom_sparse_lu_take(const carom_sparse_lu *lu, const carom_sparse_lu_parts *to)
{
    const dense_factors *f = lu->factors;
    const int n = lu->n;
    int l = 0, u = 0;
    for (int k = 0; k < n; k++) {
        to->P[k] = f->P[k];
        to->Q[k] = k;
        to->scale[k] = f->scale[f->P[k]];
        to->l_start[k] = l;
        to->u_start[k] = u;
        for (int i = k; i < n; i++, l++) {
            to->l_index[l] = i;
            to->l_value[l] = i == k ? 1 : f->A[k * n + i];
        }
        for (int i = 0; i <= k; i++, u++) {
            to->u_index[u] = i;
            to->u_value[u] = f->A[k * n + i];
        }
    }
    to->l_start[n] = l;
    to->u_start[n] = u;
    return true;
}
