// SPDX-License-Identifier: Apache-2.0
// Friction and restitution that are expressions, along a motion: the rates at which they are asked.
#ifndef CAROM_DYNAMICS_FRICTION_H
#define CAROM_DYNAMICS_FRICTION_H

#include "dynamics/saddle.h"
#include "model/laws/coefficients.h"

/// The plan's coefficients become those at a point (t, q, u), at which eval has the rows; where all
/// are constant nothing is done. The slip rate of a contact that slides is d.gamma_T, smooth
/// through rest; that of others |gamma_T|. Directions are those of the point.
carom_status carom_friction_ask(carom_plan *plan, const carom_saddle_rows *rows,
                                const carom_eval *eval, const carom_point *at, carom_error *error);
static inline carom_status carom_friction_follow(carom_plan *plan, const carom_saddle_rows *rows,
                                                 const carom_eval *eval, const carom_point *at,
                                                 carom_error *error)
{
    return plan->coefficients ? carom_friction_ask(plan, rows, eval, at, error) : CAROM_OK;
}

#endif
