// SPDX-License-Identifier: Apache-2.0
// Plans and evaluation buffers from inside.
#ifndef CAROM_MODEL_PLAN_H
#define CAROM_MODEL_PLAN_H

#include "model/model.h"

/// An evaluation with what does not concern its readers.
typedef struct carom_full_eval {
    carom_eval eval; ///< first, so that one pointer serves for both
    const carom_plan *plan;
    struct carom_full_eval *next; ///< of the plan
    double *block;                ///< all its answers, in the places of the model's layout
    bool mass_is_ready;           ///< a constant mass is factorised once
    unsigned has_written;         ///< constant answers that the caller's functions have given
    // what it holds
    const carom_question *held; ///< the answers to this; NULL = not known
    double t, *q, *u;           ///< and where
    int nq, nu, n;              ///< numbers of these, in one piece as in a state, and of both
    bool has_u;                 ///< also those that depend on u
} carom_full_eval;

static inline double *carom_eval_block(carom_eval *eval)
{
    return ((carom_full_eval *)eval)->block;
}

/// Masks that differ in these low bits only have a page of the table of questions in common; masks
/// that nobody has asked for share an empty one.
enum { CAROM_PAGE_BITS = 11, CAROM_PAGE = 1 << CAROM_PAGE_BITS };

/// The question with this mask, or NULL.
static inline carom_question *carom_plan_question(const carom_plan *plan, unsigned mask)
{
    mask &= ~(unsigned)CAROM_KEEP;
    if (mask >> CAROM_N_FLAG) return NULL;
    return plan->page[mask >> CAROM_PAGE_BITS][mask % CAROM_PAGE];
}

/// Chooses the way to answer of each question: once the kind knows the plan, and where bounds
/// change.
void carom_plan_find_ways(const carom_plan *plan);
carom_status carom_plan_refuse_mask(unsigned mask, carom_error *error);
/// carom_model_eval for callers that leave nothing out.
static inline carom_status carom_plan_ask(carom_plan *plan, const carom_point *at, unsigned mask,
                                          carom_eval *eval, carom_error *error)
{
    carom_question *ask = carom_plan_question(plan, mask);
    if (!ask) return carom_plan_refuse_mask(mask, error);
    return ask->way(plan, at, ask, eval, error);
}
/// Whether the answers that it holds are of this t (where that matters) and q.
static inline bool carom_eval_is_at(const carom_full_eval *full, double t, const double *q)
{
    return (full->t == t || !full->held->needs_t) && carom_vector_is_same(full->nq, full->q, q);
}
/// Whether, of this t and q, those that depend on u are there as well.
static inline bool carom_eval_is_of(const carom_full_eval *full, double t, const double *u)
{
    return full->has_u && (full->t == t || !full->held->uses_t) &&
           (full->held->is_still || carom_vector_is_same(full->nu, full->u, u));
}
/// carom_eval_forget for callers that leave nothing out.
static inline void carom_eval_drop(carom_eval *eval)
{
    ((carom_full_eval *)eval)->held = NULL;
}
/// The same for all evaluations of the plan.
static inline void carom_plan_forget(const carom_plan *plan)
{
    for (carom_full_eval *full = plan->evals; full; full = full->next) full->held = NULL;
}
/// Whether it holds what the mask asks of t and q.
static inline bool carom_eval_holds(const carom_eval *eval, double t, const double *q,
                                    unsigned mask)
{
    const carom_full_eval *full = (const carom_full_eval *)eval;
    return full->held && (full->held->mask & mask) == mask && carom_eval_is_at(full, t, q);
}
/// carom_plan_ask with CAROM_KEEP where the step before has asked at its end, so that all answers
/// mostly are there: looks before it asks. States have u right behind q, and so have evaluations.
static inline carom_status carom_plan_ask_again(carom_plan *plan, const carom_state *now,
                                                const unsigned char *holds, unsigned mask,
                                                carom_eval *eval, carom_error *error)
{
    const carom_full_eval *full = (const carom_full_eval *)eval;
    const carom_question *held = full->held;
    if (held && held->mask == (mask & ~(unsigned)CAROM_KEEP) && full->has_u &&
        (full->t == now->t || !held->uses_t) && carom_vector_is_same(full->n, full->q, now->q))
        return CAROM_OK;
    const carom_point at = {.t = now->t, .q = now->q, .u = now->u, .holds = holds};
    return carom_plan_ask(plan, &at, mask, eval, error);
}

/// Says why answers cannot be used, naming the expression or the coordinate; CAROM_OK where they
/// can after all.
carom_status carom_plan_refuse(const carom_plan *plan, const carom_question *ask,
                               const carom_point *at, carom_eval *eval, carom_error *error);
/// Answers that an evaluation has as numbers of its own, from its block.
void carom_eval_copy_numbers(carom_eval *eval, unsigned mask);

#endif
