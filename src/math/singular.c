// SPDX-License-Identifier: Apache-2.0
// A bidiagonal matrix B and the symmetric tridiagonal one
//
//     T = [0 d0; d0 0 f0; f0 0 d1; d1 0 f1; ...]
//
// belong together: T has the eigenvalues +-sigma. The pivots of T - x I = L D L' have as many
// positive signs as there are eigenvalues above x, so that one pass along the band counts them and
// bisection finds each.
//
// G. H. Golub, W. Kahan, Calculating the singular values and pseudo-inverse of a matrix, 1965.
#include "math/singular.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { HALVINGS = 100 };

// v becomes the mirror's normal that takes it to (result, 0, ...); I - beta v v'
static double make_mirror(int n, double *v, double *beta)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += v[i] * v[i];
    const double length = n > 0 && v[0] > 0 ? -sqrt(sum) : sqrt(sum);
    *beta = 0;
    if (n < 1 || length == 0) return 0;
    v[0] -= length;
    *beta = -1 / (length * v[0]);
    return length;
}

// column k of A below row k goes to d; the columns right of it follow
static double clear_column(int n, int k, double *A, double *v)
{
    const int m = n - k;
    double beta;
    memcpy(v, A + k * n + k, sizeof(double) * (size_t)m);
    const double d = make_mirror(m, v, &beta);
    for (int j = k + 1; j < n; j++) {
        double *column = A + j * n + k, sum = 0;
        for (int i = 0; i < m; i++) sum += v[i] * column[i];
        for (int i = 0; i < m; i++) column[i] -= beta * sum * v[i];
    }
    return d;
}

// row k of A right of the diagonal goes to f; the rows below follow
static double clear_row(int n, int k, double *A, double *v, double *w)
{
    const int m = n - k - 1;
    double beta;
    for (int j = 0; j < m; j++) v[j] = A[(k + 1 + j) * n + k];
    const double f = make_mirror(m, v, &beta);
    memset(w, 0, sizeof(double) * (size_t)m);
    for (int j = 0; j < m; j++)
        for (int i = 0; i < m; i++) w[i] += A[(k + 1 + j) * n + k + 1 + i] * v[j];
    for (int j = 0; j < m; j++)
        for (int i = 0; i < m; i++) A[(k + 1 + j) * n + k + 1 + i] -= beta * w[i] * v[j];
    return f;
}

void carom_bidiagonal(int n, double *A, double *band, double *work)
{
    for (int k = 0; k < n; k++) {
        band[2 * k] = clear_column(n, k, A, work);
        band[2 * k + 1] = clear_row(n, k, A, work, work + n);
    }
}

int carom_singular_above(int n, const double *band, double x)
{
    int count = 0;
    double pivot = -x;
    for (int i = 0; i < 2 * n; i++) {
        // next to a pivot of 0 the following one is infinite, with the sign that counts it once
        if (pivot == 0) pivot = -DBL_MIN;
        count += pivot > 0;
        pivot = -x - band[i] * (band[i] / pivot);
    }
    return count;
}

double carom_singular_value(int n, const double *band, int k)
{
    double low = 0, high = 0;
    for (int i = 0; i < 2 * n; i++) high = fmax(high, fabs(band[i]) + fabs(band[i ? i - 1 : 0]));
    for (int i = 0; i < 2 * n; i++)
        if (!isfinite(band[i])) return NAN;
    for (int i = 0; i < HALVINGS && low < high; i++) {
        const double middle = low + (high - low) / 2;
        if (carom_singular_above(n, band, middle) > k)
            low = middle;
        else
            high = middle;
    }
    return high;
}
