// SPDX-License-Identifier: Apache-2.0
// Plans and evaluation buffers from inside.
#ifndef CAROM_MODEL_PLAN_H
#define CAROM_MODEL_PLAN_H

#include "model/model.h"

/// An evaluation with what does not concern its readers.
typedef struct carom_full_eval {
    carom_eval eval; ///< first, so that one pointer serves for both
    const carom_plan *plan;
    double *block;      ///< all its answers, in the places of the model's layout
    bool mass_is_ready; ///< a constant mass is factorised once
} carom_full_eval;

static inline double *carom_eval_block(carom_eval *eval)
{
    return ((carom_full_eval *)eval)->block;
}

/// The question with this mask, or NULL.
static inline carom_question *carom_plan_question(const carom_plan *plan, unsigned mask)
{
    const int place = mask >> CAROM_N_FLAG ? 0 : plan->place[mask];
    return place ? &plan->question[place - 1] : NULL;
}

// carom_model_eval and its kin for callers that leave nothing out
carom_status carom_plan_ask(carom_plan *plan, const carom_point *at, unsigned mask,
                            carom_eval *eval, carom_error *error);
carom_status carom_plan_ask_keep(carom_plan *plan, const carom_point *at, unsigned mask,
                                 carom_eval *eval, carom_error *error);
carom_status carom_plan_ask_ahead(carom_plan *plan, const carom_point *at, unsigned mask,
                                  carom_eval *eval, carom_error *error);
carom_status carom_plan_ask_again(carom_plan *plan, const carom_point *at, unsigned mask,
                                  carom_eval *eval, carom_error *error);

/// Says why answers cannot be used, naming the expression or the coordinate; CAROM_OK where they
/// can after all.
carom_status carom_plan_refuse(const carom_plan *plan, const carom_question *ask,
                               const carom_point *at, carom_eval *eval, carom_error *error);
/// Answers that an evaluation has as numbers of its own, from its block.
void carom_eval_copy_numbers(carom_eval *eval, unsigned mask);

#endif
