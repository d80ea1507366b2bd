// SPDX-License-Identifier: Apache-2.0
// Matrices that schemes and models share: sparse rows, the mass in blocks, Newton matrices.
#ifndef CAROM_LINEAR_H
#define CAROM_LINEAR_H

#include "carom/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A sparse matrix by rows. The pattern may be shared; the values belong to the evaluation.
typedef struct carom_sparse {
    int n_row, n_column;
    const int *start; ///< (n_row+1)
    const int *index; ///< column of each entry, increasing within a row
    double *value;
} carom_sparse;

typedef struct carom_mass carom_mass; ///< block-structured symmetric matrix with its factors

/// x := M^-1 x.
CAROM_API void carom_mass_solve(const carom_mass *mass, double *x);
/// y := M x.
CAROM_API void carom_mass_times(const carom_mass *mass, const double *x, double *y);
/// Number of entries of M that are kept.
CAROM_API int carom_mass_n_entry(const carom_mass *mass);
/// The entry M[i][j].
CAROM_API double carom_mass_entry(const carom_mass *mass, int i, int j);

/// A general square linear system, put together from blocks: Newton matrices of implicit schemes.
/// Dense and without allocation up to CAROM_LINEAR_DENSE unknowns, sparse above.
typedef struct carom_linear carom_linear;
enum { CAROM_LINEAR_DENSE = 128 };
CAROM_API carom_status carom_linear_new(int n, int max_entries, carom_linear **linear,
                                        carom_error *error);
CAROM_API void carom_linear_free(carom_linear *linear);
CAROM_API void carom_linear_clear(carom_linear *linear);
/// Clears, and uses the memory for n unknowns, at most as many as the system was made for.
CAROM_API void carom_linear_resize(carom_linear *linear, int n);
/// Adds factor * block at (row, column); is_transposed adds its transpose.
CAROM_API void carom_linear_add(carom_linear *linear, int row, int column,
                                const carom_sparse *block, double factor, bool is_transposed);
CAROM_API void carom_linear_add_mass(carom_linear *linear, int row, int column,
                                     const carom_mass *mass, double factor);
CAROM_API void carom_linear_add_entry(carom_linear *linear, int row, int column, double value);
/// Factorises; CAROM_NOT_CONVERGED where the matrix is singular to rounding.
CAROM_API carom_status carom_linear_factor(carom_linear *linear, carom_error *error);
/// x := A^-1 x.
CAROM_API void carom_linear_solve(const carom_linear *linear, double *x);

#ifdef __cplusplus
}
#endif
#endif
