// SPDX-License-Identifier: Apache-2.0
// Asking a model: compiled code or the model's kind writes the answers, what is not finite is
// refused by name, the mass is factorised. Most evaluations are small, so that the common way
// through here is short and everything else stands apart.
#include "model/plan.h"

#include "math/blockmass.h"
#include "math/vector.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

// what was found at a point, for messages
typedef struct finding {
    const carom_plan *plan;
    const carom_question *ask;
    const carom_point *at;
} finding;

static carom_status not_finite(const finding *f, const char *what, const char *which,
                               carom_error *error)
{
    char expression[256];
    const int i = (int)(f->ask - f->plan->question);
    f->plan->model->kind->blame(f->plan, f->at, i, expression, sizeof expression);
    return carom_fail(error, CAROM_NOT_FINITE, "%s%s is not a finite number at t = %.9g%s%s", what,
                      which, f->at->t, expression[0] ? ", because of " : "", expression);
}

// the question of check_finite in short; a gap of +infinity is a contact that is not there
static inline bool is_finite(const carom_model *model, unsigned mask, const carom_eval *ev)
{
    if (mask & CAROM_FORCES && !carom_vector_is_finite(ev->f, model->size.nu)) return false;
    if (mask & CAROM_GAPS) {
        const double *gap = ev->gap;
        const int n =
            carom_vector_is_finite(gap, model->size.n_contact) ? 0 : model->size.n_contact;
        for (int c = 0; c < n; c++)
            if (!(gap[c] >= -DBL_MAX)) return false;
        if (!carom_vector_is_finite(ev->constraint, model->size.n_constraint)) return false;
    }
    return !(mask & CAROM_ENERGY) || fabs(ev->kinetic + ev->potential) <= DBL_MAX;
}

// forces and gaps must be finite; rows may be undefined where a contact is far from closed
static carom_status check_finite(const finding *f, const carom_eval *ev, carom_error *error)
{
    const carom_model *model = f->plan->model;
    const unsigned mask = f->ask->mask;
    for (int i = 0; mask & CAROM_FORCES && i < model->size.nu; i++)
        if (!isfinite(ev->f[i]))
            return not_finite(f, "the force on ", model->coordinate_name[i], error);
    for (int c = 0; mask & CAROM_GAPS && c < model->size.n_contact; c++)
        if (!(ev->gap[c] > -INFINITY))
            return not_finite(f, "the gap of contact ", model->contact[c].name, error);
    for (int k = 0; mask & CAROM_GAPS && k < model->size.n_constraint; k++)
        if (!isfinite(ev->constraint[k]))
            return not_finite(f, "the constraint ", model->constraint_name[k], error);
    if (mask & CAROM_ENERGY && !isfinite(ev->kinetic + ev->potential))
        return not_finite(f, "the energy", "", error);
    return CAROM_OK;
}

static carom_status blame_mass(const finding *f, const carom_eval *ev, int failed,
                               carom_error *error)
{
    const carom_model *model = f->plan->model;
    const double pivot = carom_mass_entry(ev->mass, failed, failed);
    const char *name = model->coordinate_name[failed];
    if (!isfinite(pivot)) return not_finite(f, "the mass of ", name, error);
    return carom_fail(error, CAROM_BAD_INPUT,
                      "the mass matrix is not positive definite at t = %.9g, first seen at "
                      "coordinate '%s' (its own "
                      "entry is %.6g); check the kinetic energy and the masses",
                      f->at->t, name, pivot);
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

// what few masks and models need after the answers are written; true where all are finite
static bool finish_seldom(const carom_model *model, unsigned mask, carom_eval *eval)
{
    if (mask & CAROM_GAPS && model->size.n_surface > 0) leave_patches(model, eval);
    if (mask & CAROM_D_ROWS) forget_undefined(&eval->dWP_dq);
    return is_finite(model, mask, eval);
}

// what compiled code is not told of
enum { SELDOM = CAROM_D_ROWS | CAROM_ENERGY | CAROM_POWER };

static inline bool run_native(carom_native_function *function, const carom_question *ask,
                              const carom_point *at, carom_eval *eval)
{
    const double sum =
        function(at->t, at->q, at->u, at->a, at->P, carom_eval_block(eval), ask->native->v);
    if (ask->mask & SELDOM) carom_eval_copy_numbers(eval, ask->mask);
    const bool is_common = !(ask->mask & SELDOM) && eval->model->size.n_surface == 0;
    return (is_common && sum - sum == 0) || finish_seldom(eval->model, ask->mask, eval);
}

static carom_status unknown(unsigned mask, carom_error *error)
{
    return carom_fail(error, CAROM_BUG, "the mask %#x was not given to carom_plan_new", mask);
}

static carom_status factor(const finding *f, carom_eval *eval, carom_error *error)
{
    const int failed = carom_mass_factor(eval->mass);
    if (failed >= 0) return blame_mass(f, eval, failed, error);
    ((carom_full_eval *)eval)->mass_is_ready = f->plan->model->mass_is_constant;
    return CAROM_OK;
}

carom_status carom_model_eval(carom_plan *plan, const carom_point *at, unsigned mask,
                              carom_eval *eval, carom_error *error)
{
    carom_question *ask = carom_plan_question(plan, mask);
    bool is_good;
    if (!ask) return unknown(mask, error);
    ask->kept = NULL;
    if (ask->native) {
        is_good = run_native(ask->native->whole, ask, at, eval);
    } else {
        const int i = (int)(ask - plan->question);
        CAROM_TRY(plan->model->kind->eval(plan, at, i, eval, error));
        is_good = finish_seldom(plan->model, mask, eval);
    }
    if (!is_good) CAROM_TRY(check_finite(&(finding){plan, ask, at}, eval, error));
    if (!(mask & CAROM_MASS) || ((carom_full_eval *)eval)->mass_is_ready) return CAROM_OK;
    return factor(&(finding){plan, ask, at}, eval, error);
}

void carom_model_keep(carom_plan *plan, const carom_point *at, unsigned mask,
                      const carom_eval *eval)
{
    carom_question *ask = carom_plan_question(plan, mask);
    if (!ask || !plan->model->kind->eval_rates) return;
    ask->kept = eval;
    ask->t = at->t;
    for (int k = 0, n = plan->model->size.nq; k < n; k++) ask->q[k] = at->q[k];
}

// whether eval still holds what the question gives at (t, q), apart from what depends on u, a and
// P; which patches of a surface count may have changed
static inline bool is_kept(const carom_plan *plan, const carom_question *ask, const carom_point *at,
                           const carom_eval *eval)
{
    if (ask->kept != eval || plan->model->size.n_surface > 0) return false;
    const double *here = ask->q, *q = at->q;
    for (int k = 0, n = plan->model->size.nq; k < n; k++)
        if (here[k] != q[k]) return false;
    return ask->t == at->t || !plan->model->kind->needs_t(plan, (int)(ask - plan->question));
}

carom_status carom_model_eval_again(carom_plan *plan, const carom_point *at, unsigned mask,
                                    carom_eval *eval, carom_error *error)
{
    carom_question *ask = carom_plan_question(plan, mask);
    bool is_good;
    if (!ask || !is_kept(plan, ask, at, eval)) return carom_model_eval(plan, at, mask, eval, error);
    ask->kept = NULL;
    if (ask->native) {
        is_good = run_native(ask->native->rates, ask, at, eval);
    } else {
        plan->model->kind->eval_rates(plan, at, (int)(ask - plan->question), eval);
        is_good = finish_seldom(plan->model, mask, eval);
    }
    return is_good ? CAROM_OK : check_finite(&(finding){plan, ask, at}, eval, error);
}

void carom_model_move(const carom_model *model, const double *q, const double *u, double h,
                      double *q_out)
{
    carom_vector_move(model->size.nq, q, h, u, q_out);
}
