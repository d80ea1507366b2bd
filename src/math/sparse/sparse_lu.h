// SPDX-License-Identifier: Apache-2.0
// Factors of a large sparse square matrix in compressed columns, from KLU of SuiteSparse (heap).
#ifndef CAROM_MATH_SPARSE_LU_H
#define CAROM_MATH_SPARSE_LU_H

#include "carom/base.h"

/// {0} is empty.
typedef struct carom_sparse_lu {
    int n;
    void *analysis, *factors; ///< KLU's
} carom_sparse_lu;

/// The factors as arrays of the caller, columns of both; a column of L starts with its 1, one of U
/// ends with its diagonal.
typedef struct carom_sparse_lu_parts {
    int *l_start, *l_index, *u_start, *u_index;
    double *l_value, *u_value;
    int *P, *Q;    ///< (n) row and column of each pivot
    double *scale; ///< (n) what each pivot's row was divided by
} carom_sparse_lu_parts;

/// Looks at the pattern alone. CAROM_NOT_CONVERGED where it cannot be regular, CAROM_NO_MEMORY.
carom_status carom_sparse_lu_analyse(carom_sparse_lu *lu, int n, int *start, int *index);
/// With the pattern analysed; replaces former factors. CAROM_NOT_CONVERGED where A is singular.
carom_status carom_sparse_lu_factor(carom_sparse_lu *lu, int *start, int *index, double *value);
/// x := A^-1 x, or the transpose's.
void carom_sparse_lu_solve(const carom_sparse_lu *lu, double *x, bool is_transposed);
/// Entries of L and U, both with their diagonals.
void carom_sparse_lu_count(const carom_sparse_lu *lu, int *n_l, int *n_u);
bool carom_sparse_lu_take(const carom_sparse_lu *lu, const carom_sparse_lu_parts *parts);
void carom_sparse_lu_free(carom_sparse_lu *lu);

#endif
