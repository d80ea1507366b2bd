// SPDX-License-Identifier: Apache-2.0
// A finished model at its start: everything finite, the mass positive definite, the constraints and
// their rates kept. Penetration is allowed, but said.
#include "math/dense.h"
#include "math/vector.h"
#include "model/model.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum {
    MOST_PROJECTED = 32, // coordinates up to which a consistent start is offered
    NEWTON_LIMIT = 50,
    MOST_NAMED = 4 // contacts that penetrate at the start
};
static const double CONSISTENT = 1e-9; // of the model's scale
static const double ROUNDING = 1e-13;  // likewise

// how large a gap of row r can be through its positions: what "small" is measured against
static double gap_scale(const carom_plan *plan, const carom_sparse *W, int r, double typical)
{
    double sum = 0;
    for (int k = W->start[r]; k < W->start[r + 1]; k++)
        sum += fabs(W->value[k]) *
               fmax(carom_model_size_along(plan->model, plan->q0, W->index[k]), typical);
    return sum;
}

// likewise a rate, through its velocities x
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
        const carom_point at = {.t = 0, .q = q, .u = plan->u0};
        if (carom_model_eval(plan, &at, CAROM_START_MASK, ev, NULL) != CAROM_OK) return false;
        if (carom_vector_largest(ev->gaps.constraint, m) == 0) return true;
        // (W W') l = -g, q += W' l
        for (int r = 0; r < m; r++)
            for (int s = 0; s < m; s++) {
                const bool is_out = carom_model_is_rate(model, r) || carom_model_is_rate(model, s);
                double sum = is_out && r == s;
                for (int k = ev->rows.W.start[r]; !is_out && k < ev->rows.W.start[r + 1]; k++)
                    for (int l = ev->rows.W.start[s]; l < ev->rows.W.start[s + 1]; l++)
                        if (ev->rows.W.index[k] == ev->rows.W.index[l])
                            sum += ev->rows.W.value[k] * ev->rows.W.value[l];
                A[r * m + s] = sum;
            }
        for (int r = 0; r < m; r++) step[r] = -ev->gaps.constraint[r];
        if (carom_dense_least(m, A, 1, step, work, pivot) == 0) return false;
        double moved = 0, direction[MOST_PROJECTED];
        for (int r = 0; r < m; r++) {
            memset(direction, 0, sizeof direction);
            for (int k = ev->rows.W.start[r]; k < ev->rows.W.start[r + 1]; k++) {
                direction[ev->rows.W.index[k]] = ev->rows.W.value[k];
                moved = fmax(moved, fabs(ev->rows.W.value[k] * step[r]));
            }
            carom_model_move(model, q, direction, step[r], q);
        }
        if (moved <= 1e-15 * fmax(carom_vector_largest(q, n), 1e-300)) return true;
    }
    return false;
}

static carom_status inconsistent(carom_plan *plan, carom_eval *ev, int k, carom_error *error)
{
    const carom_model *model = plan->model;
    const double residual = ev->gaps.constraint[k];
    const char *name = model->names.constraint[k];
    double q[MOST_PROJECTED];
    char offer[512] = "";
    if (model->size.nq <= MOST_PROJECTED && model->size.n_constraint <= model->size.nq) {
        memcpy(q, plan->q0, sizeof(double) * (size_t)model->size.nq);
        size_t used = project_start(plan, ev, q)
                          ? (size_t)snprintf(offer, sizeof offer, "; the nearest start that does:")
                          : 0;
        for (int i = 0; used && i < model->size.nq && used < sizeof offer; i++)
            used += (size_t)snprintf(offer + used, sizeof offer - used, " --start '%s=%.15g'",
                                     model->names.coordinate[i], q[i]);
    }
    return carom_fail_at(error, model->places.constraint[k], CAROM_BAD_INPUT,
                         "the start does not satisfy the constraint '%s', which is %.6g%s", name,
                         residual, offer);
}

static carom_status check_constraints(carom_plan *plan, carom_eval *ev, carom_error *error)
{
    const carom_model *model = plan->model;
    const double *q0 = plan->q0, *u0 = plan->u0;
    const double q_typical = carom_vector_largest(q0, model->size.nq),
                 u_typical = carom_vector_largest(u0, model->size.nu);
    for (int k = 0; k < model->size.n_constraint; k++) {
        const double scale = gap_scale(plan, &ev->rows.W, k, q_typical > 0 ? q_typical : 1);
        if (!(fabs(ev->gaps.constraint[k]) <= CONSISTENT * scale))
            return inconsistent(plan, ev, k, error);
    }
    for (int k = 0; k < model->size.n_constraint; k++) {
        double rate = ev->rows.w0[k];
        for (int e = ev->rows.W.start[k]; e < ev->rows.W.start[k + 1]; e++)
            rate += ev->rows.W.value[e] * u0[ev->rows.W.index[e]];
        const double scale = fabs(ev->rows.w0[k]) + row_scale(&ev->rows.W, k, u0, u_typical);
        if (!(fabs(rate) <= CONSISTENT * scale))
            return carom_fail_at(error, model->places.constraint[k], CAROM_BAD_INPUT,
                                 "the start rates do not satisfy the constraint '%s', whose rate "
                                 "is %.6g; change one, e.g. with --start '%s=...'",
                                 model->names.constraint[k], rate,
                                 model->names.velocity[ev->rows.W.index[ev->rows.W.start[k]]]);
    }
    return CAROM_OK;
}

static carom_status check_outputs(const carom_model *model, const carom_eval *ev,
                                  carom_error *error)
{
    for (int i = 0; i < model->size.n_record; i++)
        if (!isfinite(ev->record[i]))
            return carom_fail_at(error, model->places.energies, CAROM_BAD_INPUT,
                                 "the record '%s' is not a finite number at the start",
                                 model->names.record[i]);
    for (int i = 0; i < model->size.n_drawing; i++)
        for (int k = 0; k < 2 * model->drawing[i].n_point + model->drawing[i].has_size; k++)
            if (!isfinite(ev->draw[model->drawing[i].first + k]))
                return carom_fail_at(error, model->places.energies, CAROM_BAD_INPUT,
                                     "drawing %d (%s) is not a finite number at the start", i + 1,
                                     model->drawing[i].kind);
    return CAROM_OK;
}

// appends a line; one that does not fit is left out
static void __attribute__((format(printf, 2, 3)))
warn(carom_start_look *look, const char *format, ...)
{
    const size_t used = strlen(look->warnings), room = sizeof look->warnings - used;
    va_list list;
    va_start(list, format);
    const int n = snprintf(look->warnings + used, room, "%s", used > 0 ? "\n" : "");
    const int m = vsnprintf(look->warnings + used + n, room - (size_t)n, format, list);
    if (m < 0 || (size_t)n + (size_t)m >= room) look->warnings[used] = 0;
    va_end(list);
}

// a deep gap is more likely one of the wrong sign than one that is not quite closed
static void warn_of_gap(carom_start_look *look, int contact, double gap)
{
    const double size = look->facts.size;
    const char *name = look->plan->contact[contact].name;
    if (-gap > CAROM_DEEP * size)
        warn(look,
             "contact '%s' penetrates at the start: gap %.6g in a model of size %.3g; "
             "with the other sign it would start open (change the start, or write "
             "gap: -(...))",
             name, gap, size);
    else
        warn(look, "contact '%s' penetrates at the start: gap %.6g", name, gap);
}

// names the first few; what rounding does to a start that touches is not worth a word
static void warn_of_penetration(carom_start_look *look)
{
    const carom_model *model = look->plan->model;
    const carom_eval *ev = look->ev;
    const double *q0 = look->plan->q0, typical = carom_vector_largest(q0, model->size.nq);
    carom_start_facts *start = &look->facts;
    int n = 0;
    for (int c = 0; c < model->size.n_contact; c++) {
        const double scale = gap_scale(look->plan, &ev->rows.W, model->contact[c].row, typical);
        if (!(ev->gaps.value[c] < -ROUNDING * scale)) continue;
        if (-ev->gaps.value[c] > start->depth) {
            start->depth = -ev->gaps.value[c];
            start->contact = c;
        }
        if (n++ < MOST_NAMED) warn_of_gap(look, c, ev->gaps.value[c]);
    }
    if (n > MOST_NAMED)
        warn(look, "%d more contacts penetrate at the start, the deepest gap is %.6g",
             n - MOST_NAMED, -start->depth);
}

// what the forces do at first, and how the deepest gap would move if nothing held it
static void find_motion(carom_start_look *look)
{
    const carom_model *model = look->plan->model;
    const carom_eval *ev = look->ev;
    carom_start_facts *start = &look->facts;
    double *a = look->scratch;
    memcpy(a, ev->f, sizeof(double) * (size_t)model->size.nu);
    carom_mass_solve(ev->mass, a);
    for (int i = 0; i < model->size.nu; i++) start->push += a[i] * ev->f[i];
    if (!(start->depth > 0)) return;
    const int row = model->contact[start->contact].row;
    start->rate = ev->rows.w0[row];
    for (int k = ev->rows.W.start[row]; k < ev->rows.W.start[row + 1]; k++) {
        start->rate += ev->rows.W.value[k] * look->plan->u0[ev->rows.W.index[k]];
        start->acceleration += ev->rows.W.value[k] * a[ev->rows.W.index[k]];
    }
}

// where that stands which is not finite, as far as the answers tell
static carom_place guilty_place(const carom_model *model, const carom_eval *ev)
{
    for (int c = 0; model->places.contact && c < model->size.n_contact; c++)
        if (isnan(ev->gaps.value[c])) return model->places.contact[c];
    for (int k = 0; k < model->size.n_constraint; k++)
        if (!isfinite(ev->gaps.constraint[k])) return model->places.constraint[k];
    return isfinite(ev->energy.potential) ? model->places.energies : model->places.potential;
}

carom_status carom_plan_check_start(carom_start_look *look, carom_error *error)
{
    carom_plan *plan = look->plan;
    carom_eval *ev = look->ev;
    const carom_model *model = plan->model;
    const carom_point at = {.t = 0, .q = plan->q0, .u = plan->u0};
    carom_error why = {0};
    const carom_status status = carom_model_eval(plan, &at, CAROM_START_MASK, ev, &why);
    look->facts = (carom_start_facts){0};
    look->warnings[0] = 0;
    if (status == CAROM_NO_MEMORY || status == CAROM_BUG)
        return carom_fail(error, status, "%s", why.message);
    if (status != CAROM_OK)
        return carom_fail_at(error, guilty_place(model, ev), CAROM_BAD_INPUT, "%s", why.message);
    CAROM_TRY(check_outputs(model, ev, error));
    look->facts.size = carom_model_extent(model, plan->q0, ev);
    warn_of_penetration(look);
    find_motion(look);
    return check_constraints(plan, ev, error);
}

// the model warns of what was found
static void keep_findings(carom_model *model, carom_start_look *look)
{
    model->start = look->facts;
    for (char *line = look->warnings, *end; line && *line; line = end) {
        end = strchr(line, '\n');
        if (end) *end++ = 0;
        carom_model_warn(model, "%s", line);
    }
}

carom_status carom_model_check_start(carom_model *model, carom_error *error)
{
    const unsigned mask = CAROM_START_MASK;
    carom_plan *plan;
    CAROM_TRY(carom_plan_new(model, &mask, 1, &plan, error));
    carom_start_look look = {.plan = plan,
                             .ev = carom_plan_eval(plan),
                             .scratch = CAROM_TAKE(plan->arena, double, model->size.nu)};
    carom_status status = CAROM_NO_MEMORY;
    if (look.ev && look.scratch)
        status = carom_plan_check_start(&look, error);
    else
        carom_fail(error, status, "not enough memory to check the model");
    if (status == CAROM_OK) keep_findings(model, &look);
    carom_plan_free(plan);
    return status;
}
