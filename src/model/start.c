// SPDX-License-Identifier: Apache-2.0
// A finished model at its start: everything finite, the mass positive definite, the constraints and
// their rates kept. Penetration is allowed, but said.
#include "math/dense.h"
#include "math/vector.h"
#include "model/model.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    START_MASK = CAROM_MASS | CAROM_FORCES | CAROM_GAPS | CAROM_ROWS | CAROM_ENERGY | CAROM_RECORD |
                 CAROM_DRAW,
    MOST_PROJECTED = 32, // coordinates up to which a consistent start is offered
    NEWTON_LIMIT = 50,
    MOST_NAMED = 4 // contacts that penetrate at the start
};
static const double CONSISTENT = 1e-9; // of the model's scale
static const double ROUNDING = 1e-13;  // likewise

// how large row r times a vector like x can be: what "small" is measured against
static double row_scale(const carom_sparse *W, int r, const double *x, double typical)
{
    double sum = 0;
    for (int k = W->start[r]; k < W->start[r + 1]; k++)
        sum += fabs(W->value[k]) * fmax(fabs(x[W->index[k]]), typical);
    return sum;
}

// Newton's method with minimum-norm steps: the nearest start that keeps the constraints
static bool project_start(carom_plan *plan, carom_eval *ev, double *q)
{
    const carom_model *model = plan->model;
    const int n = model->size.nq, m = model->size.n_constraint;
    double A[MOST_PROJECTED * MOST_PROJECTED], step[MOST_PROJECTED],
        work[MOST_PROJECTED * (MOST_PROJECTED + 2)];
    int pivot[MOST_PROJECTED];
    for (int pass = 0; pass < NEWTON_LIMIT; pass++) {
        const carom_point at = {.t = 0, .q = q, .u = model->u0};
        if (carom_model_eval(plan, &at, START_MASK, ev, NULL) != CAROM_OK) return false;
        if (carom_vector_largest(ev->constraint, m) == 0) return true;
        // (W W') l = -g, q += W' l
        for (int r = 0; r < m; r++)
            for (int s = 0; s < m; s++) {
                double sum = 0;
                for (int k = ev->W.start[r]; k < ev->W.start[r + 1]; k++)
                    for (int l = ev->W.start[s]; l < ev->W.start[s + 1]; l++)
                        if (ev->W.index[k] == ev->W.index[l])
                            sum += ev->W.value[k] * ev->W.value[l];
                A[r * m + s] = sum;
            }
        for (int r = 0; r < m; r++) step[r] = -ev->constraint[r];
        if (carom_dense_least(m, A, 1, step, work, pivot) == 0) return false;
        double moved = 0;
        for (int r = 0; r < m; r++)
            for (int k = ev->W.start[r]; k < ev->W.start[r + 1]; k++) {
                q[ev->W.index[k]] += ev->W.value[k] * step[r];
                moved = fmax(moved, fabs(ev->W.value[k] * step[r]));
            }
        if (moved <= 1e-15 * fmax(carom_vector_largest(q, n), 1e-300)) return true;
    }
    return false;
}

static carom_status inconsistent(carom_plan *plan, carom_eval *ev, int k, carom_error *error)
{
    const carom_model *model = plan->model;
    const double residual = ev->constraint[k];
    const char *name = model->constraint_name[k];
    double q[MOST_PROJECTED];
    char offer[512] = "";
    if (model->size.nq <= MOST_PROJECTED && model->size.n_constraint <= model->size.nq) {
        memcpy(q, model->q0, sizeof(double) * (size_t)model->size.nq);
        size_t used = project_start(plan, ev, q)
                          ? (size_t)snprintf(offer, sizeof offer, "; the nearest start that does:")
                          : 0;
        for (int i = 0; used && i < model->size.nq && used < sizeof offer; i++)
            used += (size_t)snprintf(offer + used, sizeof offer - used, " --start '%s=%.15g'",
                                     model->coordinate_name[i], q[i]);
    }
    return carom_fail_at(error, model->constraint_place[k], CAROM_BAD_INPUT,
                         "the start does not satisfy the constraint '%s', which is %.6g%s", name,
                         residual, offer);
}

static carom_status check_constraints(carom_plan *plan, carom_eval *ev, carom_error *error)
{
    const carom_model *model = plan->model;
    const double q_typical = carom_vector_largest(model->q0, model->size.nq),
                 u_typical = carom_vector_largest(model->u0, model->size.nu);
    for (int k = 0; k < model->size.n_constraint; k++) {
        const double scale = row_scale(&ev->W, k, model->q0, q_typical > 0 ? q_typical : 1);
        if (!(fabs(ev->constraint[k]) <= CONSISTENT * scale))
            return inconsistent(plan, ev, k, error);
    }
    for (int k = 0; k < model->size.n_constraint; k++) {
        double rate = ev->w0[k];
        for (int e = ev->W.start[k]; e < ev->W.start[k + 1]; e++)
            rate += ev->W.value[e] * model->u0[ev->W.index[e]];
        const double scale = fabs(ev->w0[k]) + row_scale(&ev->W, k, model->u0, u_typical);
        if (!(fabs(rate) <= CONSISTENT * scale))
            return carom_fail_at(error, model->constraint_place[k], CAROM_BAD_INPUT,
                                 "the start rates do not satisfy the constraint '%s', whose rate "
                                 "is %.6g; change one, e.g. with --start 'der(%s)=...'",
                                 model->constraint_name[k], rate,
                                 model->coordinate_name[ev->W.index[ev->W.start[k]]]);
    }
    return CAROM_OK;
}

static carom_status check_outputs(const carom_model *model, const carom_eval *ev,
                                  carom_error *error)
{
    for (int i = 0; i < model->size.n_record; i++)
        if (!isfinite(ev->record[i]))
            return carom_fail_at(error, model->place, CAROM_BAD_INPUT,
                                 "the record '%s' is not a finite number at the start",
                                 model->record_name[i]);
    for (int i = 0; i < model->size.n_drawing; i++)
        for (int k = 0; k < 2 * model->drawing[i].n_point + model->drawing[i].has_size; k++)
            if (!isfinite(ev->draw[model->drawing[i].first + k]))
                return carom_fail_at(error, model->place, CAROM_BAD_INPUT,
                                     "drawing %d (%s) is not a finite number at the start", i + 1,
                                     model->drawing[i].kind);
    return CAROM_OK;
}

// a deep gap is more likely one of the wrong sign than one that is not quite closed
static void warn_of_gap(carom_model *model, int contact, double gap)
{
    const double size = model->start.size;
    const char *name = model->contact[contact].name;
    if (-gap > CAROM_DEEP * size)
        carom_model_warn(model,
                         "contact '%s' penetrates at the start: gap %.6g in a model of size %.3g; "
                         "with the other sign it would start open (change the start, or write "
                         "gap: -(...))",
                         name, gap, size);
    else
        carom_model_warn(model, "contact '%s' penetrates at the start: gap %.6g", name, gap);
}

// names the first few; what rounding does to a start that touches is not worth a word
static void warn_of_penetration(carom_model *model, const carom_eval *ev)
{
    const double typical = carom_vector_largest(model->q0, model->size.nq);
    carom_start_facts *start = &model->start;
    int n = 0;
    for (int c = 0; c < model->size.n_contact; c++) {
        const double scale = row_scale(&ev->W, model->contact[c].row, model->q0, typical);
        if (!(ev->gap[c] < -ROUNDING * scale)) continue;
        if (-ev->gap[c] > start->depth) {
            start->depth = -ev->gap[c];
            start->contact = c;
        }
        if (n++ < MOST_NAMED) warn_of_gap(model, c, ev->gap[c]);
    }
    if (n > MOST_NAMED)
        carom_model_warn(model, "%d more contacts penetrate at the start, the deepest gap is %.6g",
                         n - MOST_NAMED, -start->depth);
}

// what the forces do at first, and how the deepest gap would move if nothing held it
static carom_status find_motion(carom_model *model, const carom_eval *ev, carom_error *error)
{
    carom_start_facts *start = &model->start;
    double *a = CAROM_TAKE(model->arena, double, model->size.nu);
    if (!a) return carom_fail(error, CAROM_NO_MEMORY, "not enough memory to check the model");
    memcpy(a, ev->f, sizeof(double) * (size_t)model->size.nu);
    carom_mass_solve(ev->mass, a);
    for (int i = 0; i < model->size.nu; i++) start->push += a[i] * ev->f[i];
    if (!(start->depth > 0)) return CAROM_OK;
    const int row = model->contact[start->contact].row;
    start->rate = ev->w0[row];
    for (int k = ev->W.start[row]; k < ev->W.start[row + 1]; k++) {
        start->rate += ev->W.value[k] * model->u0[ev->W.index[k]];
        start->acceleration += ev->W.value[k] * a[ev->W.index[k]];
    }
    return CAROM_OK;
}

// where that stands which is not finite, as far as the answers tell
static carom_place guilty_place(const carom_model *model, const carom_eval *ev)
{
    for (int c = 0; model->contact_place && c < model->size.n_contact; c++)
        if (isnan(ev->gap[c])) return model->contact_place[c];
    for (int k = 0; k < model->size.n_constraint; k++)
        if (!isfinite(ev->constraint[k])) return model->constraint_place[k];
    return isfinite(ev->potential) ? model->place : model->potential_place;
}

static carom_status check_start(carom_model *model, carom_plan *plan, carom_error *error)
{
    carom_eval *ev = carom_plan_eval(plan);
    if (!ev) return carom_fail(error, CAROM_NO_MEMORY, "not enough memory to check the model");
    const carom_point at = {.t = 0, .q = model->q0, .u = model->u0};
    carom_error why = {0};
    const carom_status status = carom_model_eval(plan, &at, START_MASK, ev, &why);
    if (status == CAROM_NO_MEMORY || status == CAROM_BUG)
        return carom_fail(error, status, "%s", why.message);
    if (status != CAROM_OK)
        return carom_fail_at(error, guilty_place(model, ev), CAROM_BAD_INPUT, "%s", why.message);
    CAROM_TRY(check_outputs(model, ev, error));
    model->start.size = carom_model_extent(model, ev);
    warn_of_penetration(model, ev);
    CAROM_TRY(find_motion(model, ev, error));
    return check_constraints(plan, ev, error);
}

carom_status carom_model_check_start(carom_model *model, carom_error *error)
{
    const unsigned mask = START_MASK;
    carom_plan *plan;
    CAROM_TRY(carom_plan_new(model, &mask, 1, &plan, error));
    const carom_status status = check_start(model, plan, error);
    carom_plan_free(plan);
    return status;
}
