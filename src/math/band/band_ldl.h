// SPDX-License-Identifier: Apache-2.0
// A = L D L' of symmetric positive definite bands, as loops over plain arrays.
#ifndef CAROM_MATH_BAND_LDL_H
#define CAROM_MATH_BAND_LDL_H

/// The lower triangle by columns, each `width` entries below the diagonal, and the diagonal. Behind
/// the last row are `width` more, all zero. A factorisation leaves L and 1/D there.
typedef struct carom_band_ldl {
    int n, width;
    double *lower;    ///< (n + width) times width
    double *diagonal; ///< (n + width)
    double *whole;    ///< (n) the diagonal of A, to tell pivots from rounding
} carom_band_ldl;

/// Parts [first, end) that nothing couples are factorised and solved with one by one. Returns -1,
/// or the row whose pivot is not positive beyond rounding.
int carom_band_ldl_factor(const carom_band_ldl *m, int first, int end);
/// x := A^-1 x in rows [first, end); x has width more numbers behind n, but where width is 1.
void carom_band_ldl_solve(const carom_band_ldl *m, int first, int end, double *x);

#endif
