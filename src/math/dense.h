// SPDX-License-Identifier: Apache-2.0
// Square dense systems A X = B of contact problems: LU where A is regular, minimum norm where it is
// not. Matrices are column-major. Entries are expected to be of size 1 (the problems are scaled).
#ifndef CAROM_MATH_DENSE_H
#define CAROM_MATH_DENSE_H

#include <stdbool.h>
#include <stddef.h>

/// LU with row pivoting. A (n*n) and B (n*n_rhs) are overwritten, B by the answer; false where a
/// pivot is too small against the largest entry of A (A and B are then lost). pivot (n) is scratch.
bool carom_dense_lu(int n, double *A, int n_rhs, double *B, int *pivot);

/// Of all X with the smallest |A X - B| the one with the smallest |X|, by QR with column pivoting.
/// A and B are overwritten, B by X. Returns the rank. work: n*n + 2n doubles, pivot: n.
int carom_dense_least(int n, double *A, int n_rhs, double *B, double *work, int *pivot);

/// LU, and the minimum norm where that fails; A survives. Returns the rank. work: carom_dense_room,
/// pivot: n.
int carom_dense_solve(int n, const double *A, int n_rhs, double *B, double *work, int *pivot);
size_t carom_dense_room(int n, int n_rhs);

#endif
