// SPDX-License-Identifier: Apache-2.0
// Plans (what a model will be asked) and evaluations (its answers at one point).
#include "model/plan.h"

#include "math/blockmass.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// an evaluation with what does not concern its readers
typedef struct full_eval {
    carom_eval eval; // first, so that one pointer serves for both
    double *block;
    bool mass_is_ready; // a constant mass is factorised once
} full_eval;

double *carom_eval_block(carom_eval *eval)
{
    return ((full_eval *)eval)->block;
}

static carom_status no_memory(carom_error *error)
{
    return carom_fail(error, CAROM_NO_MEMORY, "not enough memory to evaluate the model");
}

static carom_status fill_plan(carom_plan *plan, const unsigned *mask, int n_mask,
                              carom_error *error)
{
    plan->arena = carom_arena_new();
    if (!plan->arena) return no_memory(error);
    plan->mask = CAROM_TAKE(plan->arena, unsigned, n_mask);
    plan->last = CAROM_TAKE(plan->arena, carom_last, n_mask);
    if (!plan->mask || !plan->last) return no_memory(error);
    for (int i = 0; i < n_mask; i++) {
        plan->last[i].q = CAROM_TAKE(plan->arena, double, plan->model->size.nq);
        if (!plan->last[i].q) return no_memory(error);
    }
    for (int i = 0; i < n_mask; i++) {
        bool is_new = mask[i] != 0;
        for (int k = 0; k < plan->n_mask; k++) is_new &= plan->mask[k] != mask[i];
        if (is_new) plan->mask[plan->n_mask++] = mask[i];
    }
    return plan->model->kind->prepare(plan, error);
}

carom_status carom_plan_new(const carom_model *model, const unsigned *mask, int n_mask,
                            carom_plan **plan, carom_error *error)
{
    carom_plan *made = calloc(1, sizeof *made);
    *plan = NULL;
    if (!made) return no_memory(error);
    made->model = model;
    const carom_status status = fill_plan(made, mask, n_mask, error);
    if (status != CAROM_OK) {
        carom_plan_free(made);
        return status;
    }
    *plan = made;
    return CAROM_OK;
}

carom_status carom_plan_compile(carom_plan *plan, carom_error *error)
{
    return plan->model->kind->compile ? plan->model->kind->compile(plan, error) : CAROM_OK;
}

void carom_plan_free(carom_plan *plan)
{
    if (!plan) return;
    if (plan->self) plan->model->kind->release(plan);
    carom_arena_free(plan->arena);
    free(plan);
}

static carom_sparse view(const carom_pattern *pattern, double *block)
{
    return (carom_sparse){pattern->n_row, pattern->n_column, pattern->start, pattern->index,
                          block + pattern->offset};
}

static void lay_out(carom_eval *ev, const carom_layout *at, double *block)
{
    ev->f = block + at->f;
    ev->constraint = block + at->constraint;
    ev->gap = block + at->gap;
    if (ev->model->size.n_surface > 0) {
        ev->inside = block + at->inside;
        ev->margin = block + at->margin;
    }
    ev->w0 = block + at->w0;
    ev->curvature = block + at->curvature;
    ev->p = block + at->p;
    ev->T_q = block + at->T_q;
    ev->f_plain = block + at->f_plain;
    ev->record = block + at->record;
    ev->draw = block + at->draw;
    ev->W = view(&at->W, block);
    ev->df_dq = view(&at->df_dq, block);
    ev->df_du = view(&at->df_du, block);
    ev->dMa_dq = view(&at->dMa_dq, block);
    ev->dWP_dq = view(&at->dWP_dq, block);
    ev->dgamma_dq = view(&at->dgamma_dq, block);
    ev->dp_dq = view(&at->dp_dq, block);
    ev->dTq_dq = view(&at->dTq_dq, block);
    ev->dTq_du = view(&at->dTq_du, block);
    ev->dplain_dq = view(&at->dplain_dq, block);
    ev->dplain_du = view(&at->dplain_du, block);
}

// models whose rows change their pattern get their own copy of it
static bool own_rows(const carom_plan *plan, carom_eval *ev)
{
    const carom_pattern *W = &plan->model->layout.W;
    const int n_entry = W->start[W->n_row];
    int *start = CAROM_TAKE(plan->arena, int, W->n_row + 1),
        *index = CAROM_TAKE(plan->arena, int, n_entry);
    if (!start || !index) return false;
    ev->W.start = start;
    ev->W.index = index;
    return true;
}

carom_eval *carom_plan_eval(carom_plan *plan)
{
    const carom_model *model = plan->model;
    full_eval *full = CAROM_TAKE(plan->arena, full_eval, 1);
    if (!full) return NULL;
    full->block = CAROM_TAKE(plan->arena, double, model->layout.size);
    const carom_pattern *mass = &model->layout.mass;
    carom_eval *ev = &full->eval;
    ev->mass = carom_mass_new(plan->arena, mass->n_row, mass->start, mass->index);
    if (!full->block || !ev->mass) return NULL;
    ev->model = model;
    lay_out(ev, &model->layout, full->block);
    if (model->rows_change_pattern && !own_rows(plan, ev)) return NULL;
    carom_mass_use_values(ev->mass, full->block + mass->offset);
    if (model->mass_entry_is_constant)
        carom_mass_mark_constant(ev->mass, model->mass_entry_is_constant);
    model->kind->constants(plan, ev);
    return ev;
}

// what was found at a point, for messages
typedef struct finding {
    const carom_plan *plan;
    const carom_point *at;
    int i_mask;
} finding;

static carom_status not_finite(const finding *f, const char *what, const char *which,
                               carom_error *error)
{
    char expression[256];
    f->plan->model->kind->blame(f->plan, f->at, f->i_mask, expression, sizeof expression);
    return carom_fail(error, CAROM_NOT_FINITE, "%s%s is not a finite number at t = %.9g%s%s", what,
                      which, f->at->t, expression[0] ? ", because of " : "", expression);
}

static inline bool are_finite(const double *x, int n)
{
    double sum = 0; // of zeros, unless some x is not finite
    for (int i = 0; i < n; i++) sum += 0 * x[i];
    return sum == 0;
}

// the question of check_finite in short; a gap of +infinity is a contact that is not there
static inline bool is_finite(const carom_model *model, unsigned mask, const carom_eval *ev)
{
    if (mask & CAROM_FORCES && !are_finite(ev->f, model->size.nu)) return false;
    if (mask & CAROM_GAPS) {
        const double *gap = ev->gap;
        const int n = are_finite(gap, model->size.n_contact) ? 0 : model->size.n_contact;
        for (int c = 0; c < n; c++)
            if (!(gap[c] >= -DBL_MAX)) return false;
        if (!are_finite(ev->constraint, model->size.n_constraint)) return false;
    }
    return !(mask & CAROM_ENERGY) || fabs(ev->kinetic + ev->potential) <= DBL_MAX;
}

// forces and gaps must be finite; rows may be undefined where a contact is far from closed
static carom_status check_finite(const finding *f, const carom_eval *ev, carom_error *error)
{
    const carom_model *model = f->plan->model;
    const unsigned mask = f->plan->mask[f->i_mask];
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

static inline carom_status find_mask(const carom_plan *plan, unsigned mask, int *i_mask,
                                     carom_error *error)
{
    int i = 0;
    while (i < plan->n_mask && plan->mask[i] != mask) i++;
    *i_mask = i;
    if (i < plan->n_mask) return CAROM_OK;
    return carom_fail(error, CAROM_BUG, "the mask %#x was not given to carom_plan_new", mask);
}

carom_status carom_model_eval(carom_plan *plan, const carom_point *at, unsigned mask,
                              carom_eval *eval, carom_error *error)
{
    int i;
    CAROM_TRY(find_mask(plan, mask, &i, error));
    plan->last[i].eval = NULL;
    CAROM_TRY(plan->model->kind->eval(plan, at, i, eval, error));
    if (mask & CAROM_GAPS && plan->model->size.n_surface > 0) leave_patches(plan->model, eval);
    if (!is_finite(plan->model, mask, eval))
        CAROM_TRY(check_finite(&(finding){plan, at, i}, eval, error));
    if (mask & CAROM_D_ROWS) forget_undefined(&eval->dWP_dq);
    if (!(mask & CAROM_MASS) || ((full_eval *)eval)->mass_is_ready) return CAROM_OK;
    const int failed = carom_mass_factor(eval->mass);
    if (failed >= 0) return blame_mass(&(finding){plan, at, i}, eval, failed, error);
    ((full_eval *)eval)->mass_is_ready = plan->model->mass_is_constant;
    return CAROM_OK;
}

bool carom_plan_needs_t(const carom_plan *plan, unsigned mask)
{
    int i;
    const carom_model_kind *kind = plan->model->kind;
    if (!kind->needs_t || find_mask(plan, mask, &i, NULL) != CAROM_OK) return true;
    return kind->needs_t(plan, i);
}

bool carom_plan_is_constant(const carom_plan *plan, unsigned mask)
{
    int i;
    const carom_model_kind *kind = plan->model->kind;
    return kind->is_constant && find_mask(plan, mask, &i, NULL) == CAROM_OK &&
           kind->is_constant(plan, i);
}

void carom_model_keep(carom_plan *plan, const carom_point *at, unsigned mask,
                      const carom_eval *eval)
{
    int i;
    if (!plan->model->kind->eval_rates || find_mask(plan, mask, &i, NULL) != CAROM_OK) return;
    carom_last *last = &plan->last[i];
    last->eval = eval;
    last->t = at->t;
    for (int k = 0; k < plan->model->size.nq; k++) last->q[k] = at->q[k];
}

// whether eval still holds what mask i gives at (t, q), apart from what depends on u, a and P;
// which patches of a surface count may have changed
static bool is_kept(const carom_plan *plan, const carom_point *at, int i, const carom_eval *eval)
{
    const carom_last *last = &plan->last[i];
    if (last->eval != eval || plan->model->size.n_surface > 0) return false;
    for (int k = 0; k < plan->model->size.nq; k++)
        if (last->q[k] != at->q[k]) return false;
    return last->t == at->t || !plan->model->kind->needs_t(plan, i);
}

carom_status carom_model_eval_again(carom_plan *plan, const carom_point *at, unsigned mask,
                                    carom_eval *eval, carom_error *error)
{
    int i;
    CAROM_TRY(find_mask(plan, mask, &i, error));
    if (!is_kept(plan, at, i, eval)) return carom_model_eval(plan, at, mask, eval, error);
    plan->last[i].eval = NULL;
    plan->model->kind->eval_rates(plan, at, i, eval);
    if (mask & CAROM_D_ROWS) forget_undefined(&eval->dWP_dq);
    return is_finite(plan->model, mask, eval) ? CAROM_OK
                                              : check_finite(&(finding){plan, at, i}, eval, error);
}

void carom_model_move(const carom_model *model, const double *q, const double *u, double h,
                      double *q_out)
{
    for (int i = 0, n = model->size.nq; i < n; i++) q_out[i] = q[i] + h * u[i];
}
