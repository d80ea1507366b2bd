// SPDX-License-Identifier: Apache-2.0
// Dense factors as those of math/small.h, to the same bits, for matrices of more than a few rows:
// eight columns at a time, so that the matrix goes through memory an eighth as often. The order of
// operations, and with it every result, is the same on all processors.
#ifndef CAROM_MATH_BLOCKED_H
#define CAROM_MATH_BLOCKED_H

/// As carom_small_cholesky.
int carom_blocked_cholesky(int n, double *a, double *r);
/// As carom_small_lu, without the reciprocals.
int carom_blocked_lu(int n, double *a, int *swap);
/// x := A^-1 x from the factors.
void carom_blocked_lu_solve(int n, const double *a, const int *swap, double *x);

#endif
