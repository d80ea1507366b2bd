// SPDX-License-Identifier: Apache-2.0
// The algebra of the cone L = { x_0 >= |x_T| } of dimension 1 to 4 that interior points live in.
#ifndef CAROM_CONTACT_BARRIER_H
#define CAROM_CONTACT_BARRIER_H

/// The Nesterov-Todd scaling W of a pair x, y inside L: W x = W^-1 y.
typedef struct carom_scaling {
    int dim;
    double eta, w[4]; ///< W^2 = eta^2 (2 w w' - J), J = diag(1, -1, ...)
} carom_scaling;

/// x_0^2 - |x_T|^2 without cancellation beyond that of x.
double carom_barrier_det(int dim, const double *x);
/// How far one can go from x inside L along d: the largest a with x + a d in L, INFINITY if any.
double carom_barrier_reach(int dim, const double *x, const double *d);
/// out = x o y = (x.y, x_0 y_T + y_0 x_T).
void carom_barrier_multiply(int dim, const double *x, const double *y, double *out);
/// The z with l o z = r.
void carom_barrier_divide(int dim, const double *l, const double *r, double *z);
carom_scaling carom_barrier_scaling(int dim, const double *x, const double *y);
/// out = W x, or W^-1 x.
void carom_barrier_scale(const carom_scaling *W, const double *x, double *out);
void carom_barrier_unscale(const carom_scaling *W, const double *x, double *out);

#endif
