// SPDX-License-Identifier: Apache-2.0
// The trapezoidal discrete Lagrangian over one interval from q to q + h w: momenta at both ends and
// the matrix of Newton's method on w. With p = dT/du, T_q = dT/dq and f without inertia terms:
//
//     R(w) = -p_L + 1/2 [p(q, w) + p(q + h w, w)] - h/2 [T_q + f](q, w)
//     J    = 1/2 [M(q) + M(q + h w) + h dp/dq(q + h w, w)] - h/2 [dT_q/du + df/du](q, w)
//     p_L of the next interval
//          = 1/2 [p(q, w) + p(q + h w, w)] + h/2 [T_q + f](q + h w, w)
#ifndef CAROM_INTEGRATORS_INTERVAL_H
#define CAROM_INTEGRATORS_INTERVAL_H

#include "carom/extend.h"

#define CAROM_INTERVAL_MASK (CAROM_MASS | CAROM_MOMENTUM)
/// At the end where there are constraints, which are kept there.
#define CAROM_INTERVAL_END_MASK (CAROM_INTERVAL_MASK | CAROM_GAPS | CAROM_ROWS)

/// A matrix with room for J; begin is an evaluation of the model.
carom_status carom_interval_matrix(carom_step *s, const carom_eval *begin, carom_linear **J);
/// q_end = q + h w, and the answers at both ends.
carom_status carom_interval_eval(carom_step *s, const carom_point *begin, double *q_end,
                                 carom_eval *at_begin, carom_eval *at_end);
/// Puts J together and factorises it.
carom_status carom_interval_factor(carom_step *s, const carom_eval *begin, const carom_eval *end,
                                   carom_linear *J);
/// R (nu) for the momentum p_L (nu) that the interval starts from.
void carom_interval_residual(const carom_step *s, const carom_eval *begin, const carom_eval *end,
                             const double *p_L, double *R);
/// The momentum that the next interval starts from.
void carom_interval_momentum(const carom_step *s, const carom_eval *begin, const carom_eval *end,
                             double *p_L);

/// Makes the rows of constraints in rate those at the end, so that W w + w0 = 0 means
/// g + W (w - w_old) h = 0 there.
void carom_interval_aim_constraints(const carom_step *s, const carom_eval *end, const double *w_old,
                                    carom_eval *rate);

#endif
