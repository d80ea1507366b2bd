// SPDX-License-Identifier: Apache-2.0
// Eigenvalues and eigenvectors of dense matrices, by rows.
#ifndef CAROM_MATH_EIGEN_H
#define CAROM_MATH_EIGEN_H

#include <stdbool.h>

/// Of a symmetric matrix a (n x n), of which the lower triangle counts: value (n) rises, and row i
/// of a becomes the eigenvector of value i, of length 1. False where it did not converge, or
/// without memory.
bool carom_eigen_symmetric(int n, double *a, double *value);

/// Of any matrix a (n x n), which is lost: the eigenvalues re + i im; of a pair the one with im > 0
/// comes first. vectors (n x n, or NULL): column j is the eigenvector of a real eigenvalue j; those
/// of a pair j, j + 1 are column j +- i column j + 1. They have length 1. False where it did not
/// converge, where a is not finite, or without memory.
bool carom_eigen_general(int n, double *a, double *re, double *im, double *vectors);

#endif
