// SPDX-License-Identifier: Apache-2.0
// Eigenvalues of small dense matrices that need not be symmetric, and an eigenvector of a real one.
#ifndef CAROM_MATH_EIGENVALUES_H
#define CAROM_MATH_EIGENVALUES_H

#include <stdbool.h>

/// All eigenvalues of A (n*n, column-major), which is overwritten: real and imaginary parts, by
/// decreasing modulus, of a complex pair the one with the positive imaginary part first. False
/// where the iteration does not end, or a number is not finite.
bool carom_eigenvalues(int n, double *A, double *real, double *imaginary);

/// A vector v (n) of length 1 with A v near value v, by inverse iteration; the largest entry is
/// positive. work: n*n doubles, pivot: n.
void carom_eigenvector(int n, const double *A, double value, double *v, double *work, int *pivot);

#endif
