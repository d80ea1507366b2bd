// SPDX-License-Identifier: Apache-2.0
// Right-looking factorisations by panels of eight. What a panel does to the rest of the matrix is
// one loop,
//
//     y -= f0 x0 + f1 x1 + ... + f7 x7       subtracted one after the other
//
// which compilers turn into vector code and which loads and stores y once.
//
// J. J. Dongarra, F. G. Gustavson, A. Karp, Implementing linear algebra algorithms for dense
// matrices on a vector pipeline machine, 1984.
#include "math/blocked.h"

#include "math/small.h"

enum { PANEL = 8 };

static int panel_at(int n, int k)
{
    return n - k < PANEL ? n - k : PANEL;
}

// x: eight vectors, each a stride after the one before
static void reduce_by_panel(int length, const double *f, const double *restrict x, int stride,
                            double *restrict y)
{
    const double *restrict x1 = x + stride, *restrict x2 = x1 + stride, *restrict x3 = x2 + stride,
                           *restrict x4 = x3 + stride, *restrict x5 = x4 + stride,
                           *restrict x6 = x5 + stride, *restrict x7 = x6 + stride;
    const double f0 = f[0], f1 = f[1], f2 = f[2], f3 = f[3], f4 = f[4], f5 = f[5], f6 = f[6],
                 f7 = f[7];
    for (int i = 0; i < length; i++) {
        double sum = y[i] - f0 * x[i] - f1 * x1[i] - f2 * x2[i] - f3 * x3[i];
        sum = sum - f4 * x4[i] - f5 * x5[i] - f6 * x6[i] - f7 * x7[i];
        y[i] = sum;
    }
}

// ---- A = U'U, upper triangle by rows ----

// rows k to k + m of U; -1 or the row whose pivot is not positive
static int cholesky_panel(int n, int k, int m, double *a, double *r)
{
    for (int p = k; p < k + m; p++) {
        double *row = a + p * n;
        if (!carom_small_is_pivot(row[p], r[p])) return p;
        row[p] = sqrt(row[p]);
        r[p] = 1 / row[p];
        for (int j = p + 1; j < n; j++) row[j] *= r[p];
        for (int i = p + 1; i < k + m; i++)
            carom_small_reduce(n - i, row[i], row + i, a + i * n + i);
    }
    return -1;
}

int carom_blocked_cholesky(int n, double *a, double *r)
{
    // r keeps the diagonal until its row is reached, to tell a small pivot from rounding
    for (int k = 0; k < n; k++) r[k] = a[k * n + k];
    for (int k = 0; k < n; k += PANEL) {
        const int failed = cholesky_panel(n, k, panel_at(n, k), a, r);
        if (failed >= 0) return failed;
        for (int i = k + PANEL; i < n; i++) {
            double f[PANEL];
            for (int p = 0; p < PANEL; p++) f[p] = a[(k + p) * n + i];
            reduce_by_panel(n - i, f, a + k * n + i, n, a + i * n + i);
        }
    }
    return -1;
}

// ---- P A = L U, by columns ----

static void swap_in(double *column, int i, int j)
{
    const double keep = column[i];
    column[i] = column[j];
    column[j] = keep;
}

// columns k to k + m of L and U, rows swapped inside them; -1 or the column without a usable pivot
static int lu_panel(int n, int k, int m, double *a, int *swap)
{
    for (int p = k; p < k + m; p++) {
        double *column = a + p * n;
        const int best = carom_small_largest(n, column, p);
        swap[p] = best;
        // false also for NaN
        if (!(fabs(column[best]) >= DBL_MIN && fabs(column[best]) <= DBL_MAX)) return p;
        for (int j = k; j < k + m; j++) swap_in(a + j * n, p, best);
        const double reciprocal = 1 / column[p];
        for (int i = p + 1; i < n; i++) column[i] *= reciprocal;
        for (int j = p + 1; j < k + m; j++)
            carom_small_reduce(n - p - 1, a[j * n + p], column + p + 1, a + j * n + p + 1);
    }
    return -1;
}

// what a whole panel does to a column right of it
static void lu_update(int n, int k, const double *a, double *column)
{
    bool is_touched = false; // Newton matrices have many zeros
    for (int p = k; p < k + PANEL; p++) {
        is_touched = is_touched || column[p] != 0;
        for (int i = p + 1; i < k + PANEL; i++) column[i] -= a[p * n + i] * column[p];
    }
    if (!is_touched) return;
    const int below = k + PANEL;
    reduce_by_panel(n - below, column + k, a + k * n + below, n, column + below);
}

int carom_blocked_lu(int n, double *a, int *swap)
{
    for (int k = 0; k < n; k += PANEL) {
        const int m = panel_at(n, k), failed = lu_panel(n, k, m, a, swap);
        if (failed >= 0) return failed;
        for (int j = 0; j < n; j++) {
            if (j >= k && j < k + m) continue;
            for (int p = k; p < k + m; p++) swap_in(a + j * n, p, swap[p]);
            if (j >= k + m) lu_update(n, k, a, a + j * n);
        }
    }
    return -1;
}

void carom_blocked_lu_solve(int n, const double *a, const int *swap, double *x)
{
    for (int k = 0; k < n; k++) swap_in(x, k, swap[k]);
    for (int k = 0; k < n; k++)
        if (x[k] != 0) carom_small_reduce(n - k - 1, x[k], a + k * n + k + 1, x + k + 1);
    for (int k = n - 1; k >= 0; k--) {
        x[k] *= 1 / a[k * n + k];
        if (x[k] != 0) carom_small_reduce(k, x[k], a + k * n, x);
    }
}
