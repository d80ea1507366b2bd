// SPDX-License-Identifier: Apache-2.0
// The Fischer-Burmeister function in the Jordan algebra of L, x o y = (x.y, x_0 y_T + y_0 x_T):
//
//     f = x + y - s,   s = sqrt(w),   w = x o x + y o y,   n = w_T/|w_T|
//     s = (b + a)/2 (1, 0) + (b - a)/2 (0, n),   a^2 = w_0 - |w_T|,   b^2 = w_0 + |w_T|
//     df = dx + dy - A_s^-1 (A_x dx + A_y dy),   A_x y = x o y
//
// a^2 = |x_0 n - x_T|^2 + |y_0 n - y_T|^2 loses no digits where w is close to the boundary of L.
// There, at points without a derivative, a is kept off 0: a limit of derivatives nearby.
//
// M. Fukushima, Z.-Q. Luo, P. Tseng, Smoothing functions for second-order-cone complementarity
// problems, SIAM J. Optim. 12, 2002.
#include "contact/newton/fischer.h"

#include "math/cone.h"

#include <math.h>

static const double SMALLEST_ROOT = 1e-12; // a over b in the derivative

// the length of (x_0 n + sign x_T, y_0 n + sign y_T); for dim 1 that of (x_0, y_0)
static double root(int dim, const double *x, const double *y, const double *n, double sign)
{
    double sum = dim == 1 ? x[0] * x[0] + y[0] * y[0] : 0;
    for (int i = 1; i < dim; i++) {
        const double u = x[0] * n[i] + sign * x[i], v = y[0] * n[i] + sign * y[i];
        sum += u * u + v * v;
    }
    return sqrt(sum);
}

// D (3*3) = 1 - A_s^-1 A_x with 1/s of eigenvalues a, b and axis n
static void derive(int dim, const double *s, double det, const double *x, double *D)
{
    for (int j = 0; j < dim; j++) {
        double r[3] = {x[j], 0, 0}, *column = D + 3 * j; // A_x e_j
        for (int i = 1; i < dim; i++) r[i] = j == 0 ? x[i] : i == j ? x[0] : 0;
        double z0 = s[0] * r[0];
        for (int i = 1; i < dim; i++) z0 -= s[i] * r[i];
        z0 /= det;
        column[0] = (j == 0) - z0;
        for (int i = 1; i < dim; i++) column[i] = (i == j) - (r[i] - z0 * s[i]) / s[0];
    }
}

void carom_fischer_at(int dim, const double *x, const double *y, double *f, double *X, double *Y)
{
    double n[3] = {0, 1, 0}, w[3] = {0, 0, 0}, s[3];
    if (dim > 3) return; // no cone has more
    for (int i = 1; i < dim; i++) w[i] = 2 * (x[0] * x[i] + y[0] * y[i]);
    const double length = carom_cone_length(dim - 1, w + 1);
    for (int i = 1; i < dim && length > 0; i++) n[i] = w[i] / length;
    double a = root(dim, x, y, n, -1), b = root(dim, x, y, n, 1);
    if (a > b) a = b;
    for (int i = 0; i < dim; i++)
        f[i] = x[i] + y[i] - (i == 0 ? 0.5 * (b + a) : 0.5 * (b - a) * n[i]);
    for (int i = 0; i < 9; i++) X[i] = Y[i] = 0;
    if (!(b > 0)) { // x = y = 0: the limit from the middle of the cone
        for (int i = 0; i < dim; i++) X[4 * i] = Y[4 * i] = 1 - sqrt(0.5);
        return;
    }
    if (a < SMALLEST_ROOT * b) a = SMALLEST_ROOT * b;
    for (int i = 0; i < dim; i++) s[i] = i == 0 ? 0.5 * (b + a) : 0.5 * (b - a) * n[i];
    derive(dim, s, a * b, x, X);
    derive(dim, s, a * b, y, Y);
}
