// SPDX-License-Identifier: Apache-2.0
// R A = P' L U of general bands, rows exchanged within the band and scaled.
#ifndef CAROM_MATH_BAND_LU_H
#define CAROM_MATH_BAND_LU_H

/// By columns of 3 width + 1: entry (i, j) is number 2 width + i - j of column j; the first `width`
/// of each are room for what rows exchanged bring.
typedef struct carom_band_lu {
    int n, width;
    double *value; ///< n (3 width + 1)
    double *scale; ///< (n) what each row is multiplied by
    int *swap;     ///< (n) row that each pivot's was exchanged with
} carom_band_lu;

/// Returns -1, or the first column without a usable pivot.
int carom_band_lu_factor(const carom_band_lu *m);
/// x := A^-1 x in rows [first, end) that nothing couples with others.
void carom_band_lu_solve(const carom_band_lu *m, int first, int end, double *x);

#endif
