// SPDX-License-Identifier: Apache-2.0
// Small dense kernels, inlined. A symmetric matrix stands in the upper triangle of rows, so that
// every inner loop runs over neighbours in memory:
//
//     A = U'U         U overwrites A, reciprocals of the diagonal go to r
//     P A = L U       column by column, partial pivoting, reciprocals of U's diagonal go to r
//
// G. H. Golub, C. F. Van Loan, Matrix Computations, 4th ed., sections 3.4 and 4.2.
#ifndef CAROM_MATH_SMALL_H
#define CAROM_MATH_SMALL_H

#include <float.h>
#include <math.h>
#include <stdbool.h>

/// Whether a pivot left over from the diagonal entry is positive beyond rounding;
/// false for NaN and infinity.
static inline bool carom_small_is_pivot(double pivot, double diagonal)
{
    return pivot > 4 * DBL_EPSILON * diagonal && pivot <= DBL_MAX;
}

static inline double carom_small_dot(int n, const double *a, const double *b)
{
    double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
    int i = 0;
    for (; i + 3 < n; i += 4) {
        s0 += a[i] * b[i];
        s1 += a[i + 1] * b[i + 1];
        s2 += a[i + 2] * b[i + 2];
        s3 += a[i + 3] * b[i + 3];
    }
    for (; i < n; i++) s0 += a[i] * b[i];
    return (s0 + s1) + (s2 + s3);
}

/// y -= factor x.
static inline void carom_small_reduce(int n, double factor, const double *restrict x,
                                      double *restrict y)
{
    for (int i = 0; i < n; i++) y[i] -= factor * x[i];
}

/// Factorises the upper triangle of a (n*n by rows); returns -1 or the row whose
/// pivot is not positive.
static inline int carom_small_cholesky(int n, double *a, double *r)
{
    // r keeps the diagonal until its row is reached, to tell a small pivot from rounding
    for (int k = 0; k < n; k++) r[k] = a[k * n + k];
    for (int k = 0; k < n; k++) {
        double *row = a + k * n;
        if (!carom_small_is_pivot(row[k], r[k])) return k;
        row[k] = sqrt(row[k]);
        r[k] = 1 / row[k];
        for (int j = k + 1; j < n; j++) row[j] *= r[k];
        for (int i = k + 1; i < n; i++) carom_small_reduce(n - i, row[i], row + i, a + i * n + i);
    }
    return -1;
}

/// x := (U'U)^-1 x.
static inline void carom_small_cholesky_solve(int n, const double *a, const double *r, double *x)
{
    for (int k = 0; k < n; k++) {
        x[k] *= r[k];
        carom_small_reduce(n - k - 1, x[k], a + k * n + k + 1, x + k + 1);
    }
    for (int k = n - 1; k >= 0; k--)
        x[k] = r[k] * (x[k] - carom_small_dot(n - k - 1, a + k * n + k + 1, x + k + 1));
}

static inline int carom_small_largest(int n, const double *column, int from)
{
    int best = from;
    double most = fabs(column[from]);
    for (int i = from + 1; i < n; i++) {
        if (!(fabs(column[i]) > most)) continue;
        most = fabs(column[i]);
        best = i;
    }
    return best;
}

static inline void carom_small_swap_rows(int n, double *a, int i, int k)
{
    for (const double *end = a + n * n; a < end; a += n) {
        const double keep = a[i];
        a[i] = a[k];
        a[k] = keep;
    }
}

/// Factorises a (n*n by columns), row swaps in swap (n); returns -1 or the column
/// without a usable pivot.
static inline int carom_small_lu(int n, double *a, int *swap, double *r)
{
    for (int k = 0; k < n; k++) {
        double *column = a + k * n;
        const int p = carom_small_largest(n, column, k);
        swap[k] = p;
        // false also for NaN
        if (!(fabs(column[p]) >= DBL_MIN && fabs(column[p]) <= DBL_MAX)) return k;
        if (p != k) carom_small_swap_rows(n, a, k, p);
        const double inverse = 1 / column[k];
        r[k] = inverse;
        for (int i = k + 1; i < n; i++) column[i] *= inverse;
        double *other = column;
        for (int j = k + 1; j < n; j++) { // larger Newton matrices have many zeros
            other += n;
            if (n <= 3 || other[k] != 0)
                carom_small_reduce(n - k - 1, other[k], column + k + 1, other + k + 1);
        }
    }
    return -1;
}

/// Whether the pivot U_kk of L U (n*n by columns) is nothing but the rounding of the terms it was
/// left over from. No L_kj is larger than 1, so that the column alone mostly tells.
static inline bool carom_small_is_cancelled(int n, const double *a, int k)
{
    const double *column = a + k * n, pivot = fabs(column[k]);
    double most = 0, terms = 0;
    for (int j = 0; j < k; j++) most += fabs(column[j]);
    if (pivot > 8 * DBL_EPSILON * most) return false;
    for (int j = 0; j < k; j++) terms += fabs(a[j * n + k]) * fabs(column[j]);
    return !(pivot > 4 * DBL_EPSILON * terms);
}

/// x := A^-1 x from the factors. Larger systems skip zeros.
static inline void carom_small_lu_solve(int n, const double *restrict a, const int *restrict swap,
                                        const double *restrict r, double *restrict x)
{
    for (int k = 0; k < n - 1; k++) { // the last has no other to change with
        const double keep = x[k];
        x[k] = x[swap[k]];
        x[swap[k]] = keep;
    }
    for (int k = 0; k < n; k++)
        if (n <= 3 || x[k] != 0) carom_small_reduce(n - k - 1, x[k], a + k * n + k + 1, x + k + 1);
    for (int k = n - 1; k >= 0; k--) {
        x[k] *= r[k];
        if (n <= 3 || x[k] != 0) carom_small_reduce(k, x[k], a + k * n, x);
    }
}

#endif
