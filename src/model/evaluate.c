// SPDX-License-Identifier: Apache-2.0
// Asking a model. The kind's functions write the answers, they are looked at, and what is left of
// the mass is factorised.
//
// An evaluation that is asked with CAROM_KEEP remembers what it holds: the mask, and where. Answers
// have two parts, those that depend on t and q only, and those that depend on u, a or P as well:
//
//     asked again at the same t, q and u      nothing is computed
//     ... at the same t and q, another u      the second part
//     ... with u = NULL                       the first part, unless it is there
//     else                                    both
//
// "The same" is bit for bit, so that what is computed does not depend on what was asked before.
// The second part goes on from the registers of the first: they belong to the evaluation that the
// program last wrote to (question->writes_to).
#include "model/plan.h"

#include "math/blockmass.h"
#include "math/vector.h"

#include <float.h>
#include <math.h>

// one look at all that must be finite; among it may be what was not asked for, and a gap of
// +infinity is a contact that is not there: they are told apart where this fails
static inline bool is_plainly_finite(const carom_question *ask, const carom_eval *ev)
{
    const double *block = ((const carom_full_eval *)ev)->block;
    return carom_vector_is_finite(block + ask->watched, ask->n_watched);
}

// patches that do not count here have no contact; one that counts may be undefined beyond its edge
static void leave_patches(const carom_model *model, const unsigned char *holds, carom_eval *ev)
{
    for (int c = 0; c < model->size.n_contact; c++) {
        if (model->contact[c].surface == 0) continue;
        const bool is_inside = ev->inside[c] != 0;
        const bool counts = holds ? holds[c] != 0 : is_inside;
        if (!counts || (isnan(ev->gap[c]) && !is_inside)) ev->gap[c] = INFINITY;
    }
}

// rows of open contacts may be undefined; their P is 0, and so is what they push
static void forget_undefined(const carom_sparse *matrix)
{
    double *value = matrix->value;
    const int n = matrix->start[matrix->n_row];
    for (int k = 0; k < n; k++)
        if (!(fabs(value[k]) <= DBL_MAX)) value[k] = 0;
}

void carom_eval_copy_numbers(carom_eval *eval, unsigned mask)
{
    const carom_layout *layout = &eval->model->layout;
    const double *block = carom_eval_block(eval);
    if (mask & CAROM_ENERGY) {
        eval->kinetic = block[layout->kinetic];
        eval->potential = block[layout->potential];
        eval->rheonomic = block[layout->rheonomic];
    }
    if (mask & CAROM_POWER) eval->power = block[layout->power];
}

// what few masks and models need after the answers are written; true where all is well
static __attribute__((noinline)) bool finish_seldom(const carom_question *ask,
                                                    const carom_point *at, carom_eval *eval)
{
    const unsigned mask = ask->mask;
    if (ask->has_numbers) carom_eval_copy_numbers(eval, mask);
    if (mask & CAROM_GAPS && eval->model->size.n_surface > 0)
        leave_patches(eval->model, at->holds, eval);
    if (mask & CAROM_D_ROWS) forget_undefined(&eval->dWP_dq);
    if (mask & CAROM_ENERGY && !(fabs(eval->kinetic + eval->potential) <= DBL_MAX)) return false;
    return is_plainly_finite(ask, eval);
}

static carom_status unknown(unsigned mask, carom_error *error)
{
    return carom_fail(error, CAROM_BUG, "the mask %#x was not given to carom_plan_new", mask);
}

// what is not given; a first look also at factors that never change
static __attribute__((noinline)) bool factor(carom_eval *eval)
{
    carom_full_eval *full = (carom_full_eval *)eval;
    const carom_layout *layout = &eval->model->layout;
    if (!carom_vector_is_finite(full->block + layout->factor, layout->n_factor)) return false;
    if (carom_mass_factor(eval->mass) >= 0) return false;
    full->mass_is_ready = eval->model->mass_is_constant || !carom_mass_varies(eval->mass);
    return true;
}

static inline bool has_mass(const carom_question *ask, carom_eval *eval)
{
    return !(ask->mask & CAROM_MASS) || ((carom_full_eval *)eval)->mass_is_ready || factor(eval);
}

static void find_acceleration(carom_eval *eval)
{
    carom_vector_copy(eval->model->size.nu, eval->f, eval->acceleration);
    carom_mass_solve(eval->mass, eval->acceleration);
}

// one part of the answers, or both
static inline carom_status write_answers(carom_plan *plan, carom_answer *part,
                                         const carom_point *at, carom_question *ask,
                                         carom_eval *eval, carom_error *error)
{
    const carom_status status = part(plan, ask, at, eval, error);
    if (status != CAROM_OK && status != CAROM_NOT_FINITE) return status;
    const bool is_good = ask->is_common ? status == CAROM_OK || is_plainly_finite(ask, eval)
                                        : finish_seldom(ask, at, eval);
    if (!is_good || !has_mass(ask, eval)) CAROM_TRY(carom_plan_refuse(plan, ask, at, eval, error));
    if (ask->needs_solve && at->u) find_acceleration(eval);
    return CAROM_OK;
}

// the side of a break that the step lies on, and sides of switches behind the impulses
static __attribute__((noinline)) carom_status answer_between(carom_plan *plan,
                                                             const carom_point *at,
                                                             carom_question *ask, carom_eval *eval,
                                                             carom_error *error)
{
    carom_point seen = *at;
    seen.t = fmin(plan->to, fmax(plan->from, at->t));
    if (plan->push) {
        if (at->P) carom_vector_copy(plan->model->size.n_row, at->P, plan->push);
        seen.P = plan->push;
    }
    return write_answers(plan, at->u ? ask->whole : ask->still, &seen, ask, eval, error);
}

// ---- what an evaluation holds ----

static inline bool is_at_speed(const carom_full_eval *full, const carom_question *ask,
                               const carom_point *at)
{
    return full->has_rates && (full->t == at->t || !ask->uses_t) &&
           carom_vector_is_same(full->eval.model->size.nu, full->u, at->u);
}

static inline void remember(carom_full_eval *full, carom_question *ask, const carom_point *at)
{
    full->held = ask;
    full->t = at->t;
    full->has_rates = at->u && !ask->needs_more;
    carom_vector_copy(full->eval.model->size.nq, at->q, full->q);
    if (full->has_rates) carom_vector_copy(full->eval.model->size.nu, at->u, full->u);
}

static inline void forget(carom_eval *eval)
{
    ((carom_full_eval *)eval)->held = NULL;
}

void carom_eval_forget(carom_eval *eval)
{
    if (eval) forget(eval);
}

// of a question whose answers are kept: what is there is not computed again
static __attribute__((noinline)) carom_status answer_kept(carom_plan *plan, const carom_point *at,
                                                          carom_question *ask, carom_eval *eval,
                                                          carom_error *error)
{
    carom_full_eval *full = (carom_full_eval *)eval;
    carom_answer *part = at->u ? ask->whole : ask->still;
    if (full->held == ask && carom_eval_is_at(full, at->t, at->q)) {
        if (!at->u || is_at_speed(full, ask, at)) return CAROM_OK;
        if (ask->writes_to == eval) part = ask->rates;
    }
    full->held = NULL;
    ask->writes_to = NULL;
    CAROM_TRY(write_answers(plan, part, at, ask, eval, error));
    ask->writes_to = eval;
    remember(full, ask, at);
    return CAROM_OK;
}

carom_status carom_plan_ask(carom_plan *plan, const carom_point *at, unsigned mask,
                            carom_eval *eval, carom_error *error)
{
    carom_question *ask = carom_plan_question(plan, mask);
    if (!ask) return unknown(mask, error);
    if (ask->can_keep && !plan->is_bounded) return answer_kept(plan, at, ask, eval, error);
    forget(eval);
    ask->writes_to = NULL;
    if (plan->is_bounded) return answer_between(plan, at, ask, eval, error);
    return write_answers(plan, at->u ? ask->whole : ask->still, at, ask, eval, error);
}
