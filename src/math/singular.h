// SPDX-License-Identifier: Apache-2.0
// Singular values of a dense square matrix, one at a time or counted.
#ifndef CAROM_MATH_SINGULAR_H
#define CAROM_MATH_SINGULAR_H

/// Reflections make A (n*n by columns; lost) upper bidiagonal with the same singular values. band
/// (2 n): its entries in the order d0 f0 d1 f1 ..., the last is 0. work: 2 n.
void carom_bidiagonal(int n, double *A, double *band, double *work);
/// How many singular values are above x >= 0.
int carom_singular_above(int n, const double *band, double x);
/// The k-th largest, k = 0 ... n-1, to the rounding of the largest; NaN where A was not finite.
double carom_singular_value(int n, const double *band, int k);

#endif
