// SPDX-License-Identifier: Apache-2.0
// Asking a model: compiled code or the model's kind writes the answers, they are looked at, and
// what is left of the mass is factorised. Most evaluations are small, so that the common way
// through here is short and everything else stands apart.
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
static void leave_patches(const carom_model *model, carom_eval *ev)
{
    for (int c = 0; c < model->size.n_contact; c++) {
        if (model->contact[c].surface == 0) continue;
        const bool is_inside = ev->inside[c] != 0;
        const bool counts = ev->holds ? ev->holds[c] != 0 : is_inside;
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
static __attribute__((noinline)) bool finish_seldom(const carom_question *ask, carom_eval *eval)
{
    const unsigned mask = ask->mask;
    if (mask & CAROM_GAPS && eval->model->size.n_surface > 0) leave_patches(eval->model, eval);
    if (mask & CAROM_D_ROWS) forget_undefined(&eval->dWP_dq);
    if (mask & CAROM_ENERGY && !(fabs(eval->kinetic + eval->potential) <= DBL_MAX)) return false;
    return is_plainly_finite(ask, eval);
}

// runs compiled code, which tells whether its answers are finite
static inline bool run_native(carom_native_function *function, const carom_question *ask,
                              const carom_point *at, carom_eval *eval)
{
    const double sum =
        function(at->t, at->q, at->u, at->a, at->P, carom_eval_block(eval), ask->native->v);
    if (ask->is_common && sum - sum == 0) return true;
    carom_eval_copy_numbers(eval, ask->mask);
    return finish_seldom(ask, eval);
}

typedef void tape_run(carom_tape *tape, const carom_point *at, double *result);

static inline bool run_tape(tape_run *run, const carom_question *ask, const carom_point *at,
                            carom_eval *eval)
{
    run(ask->tape, at, carom_eval_block(eval));
    if (ask->is_common) return is_plainly_finite(ask, eval);
    carom_eval_copy_numbers(eval, ask->mask);
    return finish_seldom(ask, eval);
}

static carom_status refuse_mask(unsigned mask, carom_error *error)
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

static inline carom_status answer_at(carom_plan *plan, const carom_point *at, carom_question *ask,
                                     carom_eval *eval, carom_error *error)
{
    bool is_good;
    ask->kept = NULL;
    if (ask->native) {
        is_good = run_native(ask->native->whole, ask, at, eval);
    } else if (ask->tape) {
        is_good = run_tape(carom_tape_run, ask, at, eval);
    } else {
        const int i = (int)(ask - plan->question);
        CAROM_TRY(plan->model->kind->eval(plan, at, i, eval, error));
        is_good = finish_seldom(ask, eval);
    }
    if (!is_good || !has_mass(ask, eval)) CAROM_TRY(carom_plan_refuse(plan, ask, at, eval, error));
    if (ask->needs_solve) find_acceleration(eval);
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
    return answer_at(plan, &seen, ask, eval, error);
}

static inline carom_status answer(carom_plan *plan, const carom_point *at, carom_question *ask,
                                  carom_eval *eval, carom_error *error)
{
    return plan->is_bounded ? answer_between(plan, at, ask, eval, error)
                            : answer_at(plan, at, ask, eval, error);
}

carom_status carom_plan_ask(carom_plan *plan, const carom_point *at, unsigned mask,
                            carom_eval *eval, carom_error *error)
{
    carom_question *ask = carom_plan_question(plan, mask);
    return ask ? answer(plan, at, ask, eval, error) : refuse_mask(mask, error);
}

static inline void keep_place(carom_question *ask, const carom_point *at, const carom_eval *eval,
                              bool has_rates)
{
    ask->kept = ask->can_keep && at->number ? eval : NULL;
    ask->number = at->number;
    ask->t = at->t;
    ask->has_rates = has_rates;
}

carom_status carom_plan_ask_keep(carom_plan *plan, const carom_point *at, unsigned mask,
                                 carom_eval *eval, carom_error *error)
{
    carom_question *ask = carom_plan_question(plan, mask);
    if (!ask) return refuse_mask(mask, error);
    CAROM_TRY(answer(plan, at, ask, eval, error));
    // derivatives that depend on a and P are not kept: the number of a state says nothing of these
    keep_place(ask, at, eval, !at->is_ahead && !(mask & (CAROM_D_MASS | CAROM_D_ROWS)));
    return CAROM_OK;
}

carom_status carom_plan_ask_ahead(carom_plan *plan, const carom_point *at, unsigned mask,
                                  carom_eval *eval, carom_error *error)
{
    carom_question *ask = carom_plan_question(plan, mask);
    bool is_good;
    if (!ask || !ask->can_keep) return carom_plan_ask(plan, at, mask, eval, error);
    ask->kept = NULL;
    if (ask->native)
        is_good = run_native(ask->native->still, ask, at, eval);
    else
        is_good = run_tape(carom_tape_run_still, ask, at, eval);
    if (!is_good || !has_mass(ask, eval)) CAROM_TRY(carom_plan_refuse(plan, ask, at, eval, error));
    keep_place(ask, at, eval, false);
    return CAROM_OK;
}

// the part that depends on u, a and P, where the rest is kept
static __attribute__((noinline)) carom_status eval_rest(carom_plan *plan, const carom_point *at,
                                                        carom_question *ask, carom_eval *eval,
                                                        carom_error *error)
{
    bool is_good;
    ask->kept = NULL;
    if (ask->native)
        is_good = run_native(ask->native->rates, ask, at, eval);
    else
        is_good = run_tape(carom_tape_run_rates, ask, at, eval);
    if (!is_good) CAROM_TRY(carom_plan_refuse(plan, ask, at, eval, error));
    if (ask->needs_solve) find_acceleration(eval);
    return CAROM_OK;
}

carom_status carom_plan_ask_again(carom_plan *plan, const carom_point *at, unsigned mask,
                                  carom_eval *eval, carom_error *error)
{
    carom_question *ask = carom_plan_question(plan, mask);
    if (!ask || ask->kept != eval || ask->number != at->number)
        return carom_plan_ask(plan, at, mask, eval, error);
    const bool is_same_t = ask->t == at->t;
    if (ask->has_rates && (is_same_t || !ask->uses_t)) return CAROM_OK;
    if (!is_same_t && ask->needs_t) return carom_plan_ask(plan, at, mask, eval, error);
    return eval_rest(plan, at, ask, eval, error);
}
