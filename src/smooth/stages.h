// SPDX-License-Identifier: Apache-2.0
// What Runge-Kutta methods for constrained motion have in common: sums over stages,
// half-explicit solves, and interpolation inside a step. All of them start from flow->from,
// with the step flow->h.
#ifndef CAROM_SMOOTH_STAGES_H
#define CAROM_SMOOTH_STAGES_H

#include "smooth/smooth.h"

/// Copies now into flow->from and stage 0 (its q, u, a, la), and sets the step.
void carom_stages_begin(carom_flow *flow, const carom_motion *now, double h);
/// Copies next into flow->to.
void carom_stages_end(carom_flow *flow, const carom_motion *next);

/// q = q_n + h sum_j c_j Y(Q_j) V_j over the first n stages; not normalised.
void carom_stages_move(const carom_flow *flow, const double *c, int n, double *q);
/// w = u_n + h sum_j c_j A_j over the first n stages.
void carom_stages_sum(const carom_flow *flow, const double *c, int n, double *w);

/// Evaluates into flow->ev[k] and counts.
carom_status carom_stages_eval(carom_flow *flow, int k, double t, const double *q, const double *u,
                               unsigned mask);
/// Solves [M0 -D0; G1 0][x; la] = [F; -(G1 w + w0_1)/share]: mass and push of ev[0], rows of ev[1];
/// F is weight times the forces of ev[0]. With w + share x the rows of ev[1] are at rest.
carom_status carom_stages_solve(carom_flow *flow, double weight, const double *w, double share,
                                double *x, double *la);

/// Whether the option `projection`, or a place where constraints become dependent, asks for
/// positions on the constraints at the end of the step.
bool carom_stages_keeps_positions(const carom_flow *flow, int projection);
/// The end of a half-explicit step, whose velocities are on their constraints: positions too where
/// that is asked for. moved as in carom_weak_settle_end.
carom_status carom_stages_settle_end(carom_flow *flow, int projection, carom_motion *next,
                                     double *moved);

/// Value at x of the cubic with values y0, y1 and slopes d0, d1 (over the whole step) at both ends.
static inline double carom_stages_cubic(double x, double y0, double d0, double y1, double d1)
{
    const double z = 1 - x, rise = y1 - y0;
    return y0 + x * (rise + z * (z * (d0 - rise) - x * (d1 - rise)));
}
/// q, u at from.t + x h by cubic Hermite polynomials through both ends.
void carom_stages_hermite(const carom_flow *flow, double x, double *q, double *u);
/// A point inside the step that is known.
typedef struct carom_middle {
    double x;
    const double *q, *u; ///< (nq), (nu)
} carom_middle;
/// By quartics that also go through the middle.
void carom_stages_quartic(const carom_flow *flow, double x, const carom_middle *middle, double *q,
                          double *u);

#endif
