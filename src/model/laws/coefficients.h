// SPDX-License-Identifier: Apache-2.0
// Friction and restitution that are expressions: a plan has their values at the point where it was
// asked last (carom_plan_contact), so that whoever reads e and mu of a contact reads those. What is
// constant is never asked.
#ifndef CAROM_MODEL_COEFFICIENTS_H
#define CAROM_MODEL_COEFFICIENTS_H

#include "model/model.h"

/// Whether the model has such a contact.
static inline bool carom_coefficients_vary(const carom_model *model)
{
    return model->layout.coefficients.mu_q.start != NULL;
}
/// What the plan needs for them; nothing where all are constant. False where memory runs out.
bool carom_coefficients_make(carom_plan *plan);
/// Where the caller writes the rates at which they are asked: (n_row) of each contact its arrival
/// speed, 0 or more, at its normal row, and its slip rate at the next; then as many of his own.
/// NULL: all are constant.
double *carom_plan_law_rates(const carom_plan *plan);
/// Sets them from (t, q) and those rates. CAROM_BAD_INPUT names a contact whose friction is
/// negative or not finite, or whose restitution is not within 0 .. 1.
carom_status carom_plan_find_coefficients(carom_plan *plan, double t, const double *q,
                                          carom_error *error);
/// The rates of a motion (gamma by rows): arrival speeds and lengths of slips.
void carom_plan_take_law_rates(const carom_plan *plan, const double *gamma);
/// The same of a rest at q: no rates, and what can stick sticks.
carom_status carom_plan_rest_coefficients(carom_plan *plan, const double *q, carom_error *error);
/// Until they are found again a contact has the friction of one that sticks.
void carom_plan_grip(carom_plan *plan, int contact);
/// Likewise its friction is more by this.
void carom_plan_add_friction(carom_plan *plan, int contact, double more);
/// Their answers at the point asked last; NULL where all are constant.
const carom_eval_coefficients *carom_plan_coefficients(const carom_plan *plan);

#endif
