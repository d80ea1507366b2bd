// SPDX-License-Identifier: Apache-2.0
// Square dense systems A X = B with A symmetric and no eigenvalue below 0, as W M^-1 W' of
// constraints, redundant ones included. Matrices are column-major.
#ifndef CAROM_MATH_GRAM_H
#define CAROM_MATH_GRAM_H

#include <stddef.h>

/// Of all X with the smallest |A X - B| the one with the smallest |X|; B is overwritten by it.
/// Returns the rank, or -1 where A is not of this kind (B is then as it was). A survives.
/// Columns of A are lda apart. work: carom_gram_room, pivot: n.
int carom_gram_solve(int n, int lda, const double *A, int n_rhs, double *B, double *work,
                     int *pivot);
size_t carom_gram_room(int n);

#endif
