// SPDX-License-Identifier: Apache-2.0
// Asking a model. The kind's functions write the answers, they are looked at, and what is left of
// the mass is factorised.
//
// Answers have two parts: those that depend on t and q only, and those that depend on u, a or P as
// well. An evaluation that is asked with CAROM_KEEP remembers the mask, t and q of the first part,
// and u where both parts are computed at once:
//
//     asked again at the same t and q     the second part is computed
//     ... with u = NULL, or the same u,
//         or where nothing depends on it  nothing
//     else, with u = NULL                 the first part
//     else                                both
//
// "The same" is bit for bit, so that no answer depends on what was asked before. The second part
// goes on from the registers of the first: they belong to the evaluation that the program last
// wrote to (question->writes_to).
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

// likewise after the second part alone: of what must be finite, it has written the forces
static inline bool are_forces_finite(const carom_question *ask, const carom_eval *ev)
{
    const bool has_forces = ask->mask & CAROM_FORCES;
    return !has_forces || carom_vector_is_finite(ev->f, ev->model->size.nu);
}

// The same where contacts are missing: their gaps are +infinity, all else is finite. A sum of gaps
// is above -infinity only where none of them is NaN or -infinity.
static __attribute__((noinline)) bool is_finite_but_for_gaps(const carom_question *ask,
                                                             const carom_eval *ev)
{
    const double *block = ((const carom_full_eval *)ev)->block;
    const carom_model *model = ev->model;
    const int gap = model->layout.gap, n = model->size.n_contact, behind = gap + n;
    if (!(ask->mask & CAROM_GAPS)) return false;
    double sum = 0;
    for (int c = 0; c < n; c++) sum += block[gap + c];
    return sum > -INFINITY && carom_vector_is_finite(block + ask->watched, gap - ask->watched) &&
           carom_vector_is_finite(block + behind, ask->watched + ask->n_watched - behind);
}

// patches that do not count here have no contact; one that counts may be undefined beyond its edge
static void leave_patches(const carom_model *model, const unsigned char *holds, carom_eval *ev)
{
    for (int c = 0; c < model->size.n_contact; c++) {
        if (model->contact[c].surface == 0) continue;
        const bool is_inside = ev->gaps.inside[c] != 0;
        const bool counts = holds ? holds[c] != 0 : is_inside;
        if (!counts || (isnan(ev->gaps.value[c]) && !is_inside)) ev->gaps.value[c] = INFINITY;
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
        eval->energy.kinetic = block[layout->energy.kinetic];
        eval->energy.potential = block[layout->energy.potential];
        eval->energy.rheonomic = block[layout->energy.rheonomic];
    }
    if (mask & CAROM_POWER) eval->energy.power = block[layout->energy.power];
}

// what few masks and models need after the answers are written; true where all is well
static __attribute__((noinline)) bool finish_seldom(const carom_question *ask,
                                                    const carom_point *at, carom_eval *eval)
{
    const unsigned mask = ask->mask;
    if (ask->has_numbers) carom_eval_copy_numbers(eval, mask);
    if (mask & CAROM_GAPS && eval->model->size.n_surface > 0)
        leave_patches(eval->model, at->holds, eval);
    if (mask & CAROM_D_ROWS) forget_undefined(&eval->derivatives.dWP_dq);
    if (mask & CAROM_ENERGY && !(fabs(eval->energy.kinetic + eval->energy.potential) <= DBL_MAX))
        return false;
    return is_plainly_finite(ask, eval) || is_finite_but_for_gaps(ask, eval);
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
    bool is_good = false;
    if (part)
        is_good = part(ask->program, at, carom_eval_block(eval));
    else
        CAROM_TRY(plan->model->kind->eval(plan, ask, at, eval, error));
    is_good = !ask->is_common
                  ? finish_seldom(ask, at, eval)
                  : is_good || is_plainly_finite(ask, eval) || is_finite_but_for_gaps(ask, eval);
    const bool is_factored = part && part == ask->rates; // with the first part
    if (!is_good || !(is_factored || has_mass(ask, eval)))
        CAROM_TRY(carom_plan_refuse(plan, ask, at, eval, error));
    if (ask->needs_solve && at->u) find_acceleration(eval);
    return CAROM_OK;
}

// the side of a break that the step lies on, and sides of switches behind the impulses
static carom_status answer_between(carom_plan *plan, const carom_point *at, carom_question *ask,
                                   carom_eval *eval, carom_error *error)
{
    carom_point seen = *at;
    carom_eval_drop(eval);
    seen.t = fmin(plan->to, fmax(plan->from, at->t));
    if (plan->push) {
        if (at->P) carom_vector_copy(plan->model->size.n_row, at->P, plan->push);
        seen.P = plan->push;
    }
    return write_answers(plan, at->u ? ask->whole : ask->still, &seen, ask, eval, error);
}

// ---- what an evaluation holds ----

void carom_eval_forget(carom_eval *eval)
{
    if (eval) carom_eval_drop(eval);
}

// what the program has just written to the evaluation
static inline void note_point(const carom_point *at, carom_question *ask, carom_full_eval *full)
{
    full->held = ask;
    ask->writes_to = &full->eval;
    full->t = at->t;
    full->has_u = at->u && ask->is_of_u;
    if (full->has_u && at->u == at->q + full->nq) { // of a state
        carom_vector_copy(full->n, at->q, full->q);
        return;
    }
    carom_vector_copy(full->nq, at->q, full->q);
    if (full->has_u) carom_vector_copy(full->nu, at->u, full->u);
}

static carom_status answer_kept(carom_plan *plan, const carom_point *at, carom_question *ask,
                                carom_eval *eval, carom_error *error)
{
    carom_full_eval *full = (carom_full_eval *)eval;
    carom_answer *part = at->u ? ask->whole : ask->still;
    const bool is_there = full->held == ask && carom_eval_is_at(full, at->t, at->q);
    if (is_there && (!at->u || carom_eval_is_of(full, at->t, at->u))) return CAROM_OK;
    const bool is_second = is_there && ask->writes_to == eval;
    if (is_second) part = ask->rates;
    full->held = NULL;
    ask->writes_to = NULL; // where this fails the registers are nobody's
    CAROM_TRY(write_answers(plan, part, at, ask, eval, error));
    if (!is_second) {
        note_point(at, ask, full);
        return CAROM_OK;
    }
    full->held = ask;
    ask->writes_to = eval;
    full->has_u = ask->is_still;
    return CAROM_OK;
}

// anything odd: all is done again, with care
static carom_status answer_again(carom_plan *plan, const carom_point *at, carom_question *ask,
                                 carom_eval *eval, carom_error *error)
{
    carom_eval_drop(eval);
    return answer_kept(plan, at, ask, eval, error);
}

// the first part is there
static __attribute__((noinline)) carom_status answer_rates(carom_plan *plan, const carom_point *at,
                                                           carom_question *ask, carom_eval *eval,
                                                           carom_error *error)
{
    carom_full_eval *full = (carom_full_eval *)eval;
    full->has_u = false;
    if (ask->writes_to == eval &&
        (ask->rates(ask->program, at, full->block) || are_forces_finite(ask, eval)))
        return CAROM_OK;
    return answer_again(plan, at, ask, eval, error);
}

// nothing is there
static __attribute__((noinline)) carom_status answer_anew(carom_plan *plan, const carom_point *at,
                                                          carom_question *ask, carom_eval *eval,
                                                          carom_error *error)
{
    carom_full_eval *full = (carom_full_eval *)eval;
    carom_answer *part = at->u ? ask->whole : ask->still;
    const bool is_finite = part(ask->program, at, full->block);
    if (!(is_finite || is_plainly_finite(ask, eval)) || !has_mass(ask, eval))
        return answer_again(plan, at, ask, eval, error);
    note_point(at, ask, full);
    return CAROM_OK;
}

// The same where a program is run and its answers are finite; nothing is noted where the second
// part is added to the first. Where all is there already nothing else is done: those who work
// stand apart, and what they need for it is not set up.
static carom_status answer_kept_plainly(carom_plan *plan, const carom_point *at,
                                        carom_question *ask, carom_eval *eval, carom_error *error)
{
    const carom_full_eval *full = (const carom_full_eval *)eval;
    if (full->held != ask || !carom_eval_is_at(full, at->t, at->q))
        return answer_anew(plan, at, ask, eval, error);
    if (!at->u || carom_eval_is_of(full, at->t, at->u)) return CAROM_OK;
    return answer_rates(plan, at, ask, eval, error);
}

// a program is run, and its answers are finite: most answers of a step
static carom_status answer_plainly(carom_plan *plan, const carom_point *at, carom_question *ask,
                                   carom_eval *eval, carom_error *error)
{
    carom_answer *part = at->u ? ask->whole : ask->still;
    carom_eval_drop(eval);
    const bool is_finite = part(ask->program, at, carom_eval_block(eval));
    if ((is_finite || is_plainly_finite(ask, eval)) && has_mass(ask, eval)) return CAROM_OK;
    return carom_plan_refuse(plan, ask, at, eval, error);
}

static carom_status answer_with_care(carom_plan *plan, const carom_point *at, carom_question *ask,
                                     carom_eval *eval, carom_error *error)
{
    carom_eval_drop(eval);
    return write_answers(plan, at->u ? ask->whole : ask->still, at, ask, eval, error);
}

// Records may contain forces of rows and accelerations (P and a of the point): where these are not
// given, such records are not numbers.
static carom_status answer_unfelt(carom_plan *plan, const carom_point *at, carom_question *ask,
                                  carom_eval *eval, carom_error *error)
{
    carom_point felt = *at;
    if (!at->a) felt.a = plan->unknown;
    if (!at->P) felt.P = plan->unknown;
    return ask->known_way(plan, &felt, ask, eval, error);
}

void carom_plan_find_ways(const carom_plan *plan)
{
    for (int i = 0; i < plan->n_mask; i++) {
        carom_question *ask = &plan->question[i];
        const bool is_plain = ask->program && ask->is_common && !ask->needs_solve;
        ask->writes_to = NULL;
        carom_way *keep = is_plain ? answer_kept_plainly : answer_kept;
        ask->way = plan->is_bounded ? answer_between
                   : ask->can_keep  ? keep
                   : is_plain       ? answer_plainly
                                    : answer_with_care;
        ask->known_way = ask->way;
        if (plan->unknown && ask->mask & CAROM_RECORD) ask->way = answer_unfelt;
    }
}

carom_status carom_plan_refuse_mask(unsigned mask, carom_error *error)
{
    return carom_fail(error, CAROM_BUG, "the mask %#x was not given to carom_plan_new", mask);
}
