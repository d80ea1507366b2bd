// SPDX-License-Identifier: Apache-2.0
// A large sparse square matrix:
//
//     P R A Q = L U      R scales rows by their largest entry
//
// Where the diagonal is full, Q comes from approximate minimum degree of A + A', and P keeps to the
// diagonal where it is within a tenth of the largest entry of its column. Matrices with multipliers
// have zeros there, pivots will be others, and Q comes from columns alone (COLAMD).
//
// T. A. Davis, E. Palamadai Natarajan, Algorithm 907: KLU, a direct sparse solver for circuit
// simulation problems, 2010.
#include "math/sparse/sparse_lu.h"

#include <klu.h>

static const double smallest_rcond = 1e-300;

static klu_common settings(void)
{
    klu_common common;
    klu_defaults(&common);
    common.btf = 0; // one block, so that L and U are triangles of the whole
    common.tol = 0.1;
    return common;
}

static void free_factors(carom_sparse_lu *lu)
{
    klu_common common = settings();
    klu_numeric *factors = lu->factors;
    klu_free_numeric(&factors, &common);
    lu->factors = NULL;
}

void carom_sparse_lu_free(carom_sparse_lu *lu)
{
    klu_common common = settings();
    klu_symbolic *analysis = lu->analysis;
    free_factors(lu);
    klu_free_symbolic(&analysis, &common);
    lu->analysis = NULL;
}

static bool diagonal_is_full(int n, const int *start, const int *index)
{
    for (int j = 0; j < n; j++) {
        int k = start[j];
        while (k < start[j + 1] && index[k] != j) k++;
        if (k == start[j + 1]) return false;
    }
    return true;
}

carom_status carom_sparse_lu_analyse(carom_sparse_lu *lu, int n, int *start, int *index)
{
    klu_common common = settings();
    carom_sparse_lu_free(lu);
    lu->n = n;
    common.ordering = !diagonal_is_full(n, start, index);
    lu->analysis = klu_analyze(n, start, index, &common);
    return lu->analysis ? CAROM_OK : CAROM_NO_MEMORY;
}

carom_status carom_sparse_lu_factor(carom_sparse_lu *lu, int *start, int *index, double *value)
{
    klu_common common = settings();
    free_factors(lu);
    lu->factors = klu_factor(start, index, value, lu->analysis, &common);
    if (!lu->factors) return common.status < 0 ? CAROM_NO_MEMORY : CAROM_NOT_CONVERGED;
    klu_rcond(lu->analysis, lu->factors, &common);
    // the comparison is false for NaN
    if (common.rcond >= smallest_rcond) return CAROM_OK;
    free_factors(lu);
    return CAROM_NOT_CONVERGED;
}

void carom_sparse_lu_solve(const carom_sparse_lu *lu, double *x, bool is_transposed)
{
    klu_common common = settings();
    if (is_transposed)
        klu_tsolve(lu->analysis, lu->factors, lu->n, 1, x, &common);
    else
        klu_solve(lu->analysis, lu->factors, lu->n, 1, x, &common);
}

void carom_sparse_lu_count(const carom_sparse_lu *lu, int *n_l, int *n_u)
{
    const klu_numeric *factors = lu->factors;
    *n_l = factors->lnz;
    *n_u = factors->unz;
}

bool carom_sparse_lu_take(const carom_sparse_lu *lu, const carom_sparse_lu_parts *to)
{
    klu_common common = settings();
    return klu_extract(lu->factors, lu->analysis, to->l_start, to->l_index, to->l_value,
                       to->u_start, to->u_index, to->u_value, NULL, NULL, NULL, to->P, to->Q,
                       to->scale, NULL, &common);
}
