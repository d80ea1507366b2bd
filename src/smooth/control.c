// SPDX-License-Identifier: Apache-2.0
// Step control by the error of each step (not per unit of time). With err in units of the
// tolerance:
//
//     err <= 1:   accepted
//     h := h clip(0.9 err^-k, 0.2, 10)      k = 1/5 (hem5, phem56, rkf45) or 1/2 (gen_alpha);
//                                           mexx proposes itself, with its order
//
// without growth right after a rejection. Drift off the constraints is never a reason to reject:
// a shorter step cannot remove what has accumulated.
#include "smooth/control.h"

#include "smooth/weak.h"

#include <float.h>
#include <math.h>

static const double SAFETY = 0.9, LEAST = 0.2, MOST = 10;

double carom_control_factor(const carom_flow *flow, double error)
{
    if (flow->pace.growth > 0) return fmin(MOST, fmax(LEAST, flow->pace.growth));
    if (!(error > 0)) return MOST;
    return fmin(MOST, fmax(LEAST, SAFETY * pow(error, -flow->solver->exponent)));
}

// whether a shorter step may help
static bool is_mendable(carom_status status)
{
    return status == CAROM_NOT_FINITE || status == CAROM_NOT_CONVERGED || status == CAROM_BAD_INPUT;
}

carom_status carom_control_step(carom_flow *flow, const carom_motion *now, double h,
                                carom_motion *next, carom_controlled *result)
{
    carom_error *kept = flow->s->error;
    const double floor = 4 * DBL_EPSILON * fabs(now->t) + DBL_MIN;
    *result = (carom_controlled){.h = h};
    for (;; result->rejected++) {
        carom_error trouble = {0};
        flow->s->error = &trouble;
        const carom_status status = flow->solver->step(flow, now, h, next, &result->error);
        flow->s->error = kept;
        const bool is_good = status == CAROM_OK && result->error <= 1;
        if (status != CAROM_OK && !is_mendable(status))
            return carom_fail(kept, status, "%s", trouble.message);
        const double factor = status == CAROM_OK && !isnan(result->error)
                                  ? carom_control_factor(flow, result->error)
                                  : LEAST;
        if (is_good) {
            result->h = h;
            result->h_next = h * (result->rejected > 0 ? fmin(factor, 1) : factor);
            return CAROM_OK;
        }
        h *= factor;
        if (h <= floor)
            return carom_fail(kept, CAROM_NOT_CONVERGED,
                              "the step fell to %.3g s without reaching the tolerance%s%s%s", h,
                              trouble.message[0] ? ": " : "", trouble.message,
                              carom_weak_advice(flow));
    }
}
