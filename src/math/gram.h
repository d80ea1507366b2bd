// SPDX-License-Identifier: Apache-2.0
// Square dense systems A X = B with A symmetric and no eigenvalue below 0, as W M^-1 W' of
// constraints, redundant ones included. Matrices are column-major.
#ifndef CAROM_MATH_GRAM_H
#define CAROM_MATH_GRAM_H

#include <stddef.h>

/// A, with columns that are lda apart; survives.
typedef struct carom_gram {
    int n, lda;
    const double *A;
    double *work; ///< (carom_gram_room)
    int *pivot;   ///< (n)
} carom_gram;

/// Of all X with the smallest |A X - B| the one with the smallest |X|; overwrites B (n*n_rhs).
/// Returns the rank, or -1 where A is not of this kind (B is then as it was).
int carom_gram_solve(const carom_gram *gram, int n_rhs, double *B);
size_t carom_gram_room(int n);

#endif
