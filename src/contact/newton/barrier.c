// SPDX-License-Identifier: Apache-2.0
// The algebra of the cone L = { x_0 >= |x_T| }. With xb = x/sqrt(det x), yb alike,
//
//     w = (yb + J xb) / (2 g),  g^2 = (1 + xb.yb)/2,  eta^4 = det y / det x
//     W = eta [ w_0  w_T' ; w_T  I + w_T w_T'/(1 + w_0) ]      W x = W^-1 y
//
// Y. E. Nesterov, M. J. Todd, Self-scaled barriers and interior-point methods for convex
// programming, 1997.
#include "contact/newton/barrier.h"

#include "math/cone.h"

#include <math.h>

static double dot(int dim, const double *x, const double *y)
{
    double sum = 0;
    for (int i = 0; i < dim; i++) sum += x[i] * y[i];
    return sum;
}

double carom_barrier_det(int dim, const double *x)
{
    const double t = carom_cone_length(dim - 1, x + 1);
    return (x[0] - t) * (x[0] + t);
}

double carom_barrier_reach(int dim, const double *x, const double *d)
{
    // det(x + a d) = c + 2 b a + e a^2 has its first zero at c / (root - b)
    const double e = carom_barrier_det(dim, d), c = carom_barrier_det(dim, x);
    const double b = x[0] * d[0] - dot(dim - 1, x + 1, d + 1), under = b * b - e * c;
    double reach = d[0] < 0 ? -x[0] / d[0] : INFINITY;
    if (dim == 1) return reach;
    if (e < 0 || (b < 0 && under >= 0)) {
        const double root = sqrt(under > 0 ? under : 0) - b, first = c > 0 ? c / root : 0;
        if (root > 0 && first < reach) reach = first;
    }
    return reach;
}

void carom_barrier_multiply(int dim, const double *x, const double *y, double *out)
{
    const double x0 = x[0], y0 = y[0], sum = dot(dim, x, y);
    for (int i = 1; i < dim; i++) out[i] = x0 * y[i] + y0 * x[i];
    out[0] = sum;
}

void carom_barrier_divide(int dim, const double *l, const double *r, double *z)
{
    const double z0 = (l[0] * r[0] - dot(dim - 1, l + 1, r + 1)) / carom_barrier_det(dim, l);
    for (int i = 1; i < dim; i++) z[i] = (r[i] - z0 * l[i]) / l[0];
    z[0] = z0;
}

carom_scaling carom_barrier_scaling(int dim, const double *x, const double *y)
{
    carom_scaling W = {.dim = dim};
    const double dx = sqrt(carom_barrier_det(dim, x)), dy = sqrt(carom_barrier_det(dim, y));
    const double g = sqrt(0.5 * (1 + dot(dim, x, y) / (dx * dy)));
    W.eta = sqrt(dy / dx);
    for (int i = 0; i < dim; i++) W.w[i] = (y[i] / dy + (i == 0 ? x[i] : -x[i]) / dx) / (2 * g);
    return W;
}

// out = factor [ w_0  sign w_T' ; sign w_T  I + w_T w_T'/(1 + w_0) ] x
static void apply(const carom_scaling *W, double factor, double sign, const double *x, double *out)
{
    const double *w = W->w, x0 = x[0], t = dot(W->dim - 1, w + 1, x + 1);
    for (int i = 1; i < W->dim; i++) out[i] = factor * (x[i] + w[i] * (sign * x0 + t / (1 + w[0])));
    out[0] = factor * (w[0] * x0 + sign * t);
}

void carom_barrier_scale(const carom_scaling *W, const double *x, double *out)
{
    apply(W, W->eta, 1, x, out);
}

void carom_barrier_unscale(const carom_scaling *W, const double *x, double *out)
{
    apply(W, 1 / W->eta, -1, x, out);
}
