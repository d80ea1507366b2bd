// SPDX-License-Identifier: Apache-2.0
// Square dense systems A X = B of contact problems: LU where A is regular, minimum norm where it is
// not. Matrices are column-major. Entries are expected to be of size 1 (the problems are scaled).
#ifndef CAROM_MATH_DENSE_H
#define CAROM_MATH_DENSE_H

#include <stdbool.h>
#include <stddef.h>

/// Redundant rows cancel to about n eps; below this share of the largest entry a pivot is noise.
#define CAROM_SMALLEST_PIVOT 1e-12

/// Entries further than this below and above the diagonal are zero.
typedef struct carom_band {
    int below, above;
} carom_band;

/// Whether it pays to stay inside the band.
bool carom_band_is_narrow(int n, carom_band band);
/// LU with row pivoting inside the band, of a matrix (n*n) that is stored with its zeros. False
/// where a pivot is too small; A is then lost. pivot: n.
bool carom_band_factor(int n, carom_band band, double smallest, double *A, int *pivot);
/// b := A^-1 b from the factors.
void carom_band_solve(int n, carom_band band, const double *A, const int *pivot, double *b);

/// LU with row pivoting. A (n*n) and B (n*n_rhs) are overwritten, B by the answer; false where a
/// pivot is too small against the largest entry of A (A and B are then lost). pivot (n) is scratch.
bool carom_dense_lu(int n, double *A, int n_rhs, double *B, int *pivot);

/// Of all X with the smallest |A X - B| the one with the smallest |X|, by QR with column pivoting.
/// A and B are overwritten, B by X. Returns the rank. work: n*n + 2n doubles, pivot: n.
int carom_dense_least(int n, double *A, int n_rhs, double *B, double *work, int *pivot);

/// The same for one right side, where pivots up to a share of the largest entry of A count as 0.
int carom_dense_least_above(double share, int n, double *A, double *b, double *work, int *pivot);

/// LU, and the minimum norm where that fails; A survives. Returns the rank. work: carom_dense_room,
/// pivot: n.
int carom_dense_solve(int n, const double *A, int n_rhs, double *B, double *work, int *pivot);
size_t carom_dense_room(int n, int n_rhs);
/// The smallest pivot over the largest, of the first rank ones, from what carom_dense_solve has
/// left in work (or carom_band_factor in A).
double carom_dense_weakest(int n, int rank, const double *factors);

#endif
