// SPDX-License-Identifier: Apache-2.0
// A finished model at its start: everything finite, the mass positive definite, the constraints and
// their rates kept. Penetration is allowed, but said.
#include "math/vector.h"
#include "model/assemble.h"
#include "model/live.h"
#include "model/slots/slots.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum {
    MOST_PROJECTED = 32, // coordinates up to which a consistent start is offered
    MOST_NAMED = 4       // contacts that penetrate at the start
};
static const double ROUNDING = 1e-13; // of the model's scale

double carom_start_gap_scale(const carom_model *model, const double *q, const carom_sparse *W,
                             int r, double typical)
{
    double sum = 0;
    for (int k = W->start[r]; k < W->start[r + 1]; k++)
        sum += fabs(W->value[k]) * fmax(carom_model_size_along(model, q, W->index[k]), typical);
    return sum;
}

double carom_start_rate_scale(const carom_sparse *W, int r, const double *u, double typical)
{
    double sum = 0;
    for (int k = W->start[r]; k < W->start[r + 1]; k++)
        sum += fabs(W->value[k]) * fmax(fabs(u[W->index[k]]), typical);
    return sum;
}

// the nearest start that keeps the constraints
static bool project_start(carom_plan *plan, double *q)
{
    int passes;
    carom_assembler *assembler = carom_assembler_new(plan, CAROM_START_MASK, NULL);
    const bool is_closed = assembler && carom_assembler_close(assembler, q, plan->u0, &passes);
    carom_assembler_free(assembler);
    return is_closed;
}

static carom_status inconsistent(carom_plan *plan, const carom_eval *ev, int k, carom_error *error)
{
    const carom_model *model = plan->model;
    const double residual = ev->gaps.constraint[k];
    const char *name = model->names.constraint[k];
    double q[MOST_PROJECTED];
    char offer[512] = "";
    if (model->size.nq <= MOST_PROJECTED) {
        memcpy(q, plan->q0, sizeof(double) * (size_t)model->size.nq);
        size_t used = project_start(plan, q)
                          ? (size_t)snprintf(offer, sizeof offer,
                                             "; write start: {positions: assemble}, or the nearest "
                                             "start that does:")
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
        const double scale =
            carom_start_gap_scale(model, q0, &ev->rows.W, k, q_typical > 0 ? q_typical : 1);
        if (!(fabs(ev->gaps.constraint[k]) <= CAROM_CONSISTENT * scale))
            return inconsistent(plan, ev, k, error);
    }
    for (int k = 0; k < model->size.n_constraint; k++) {
        double rate = ev->rows.w0[k];
        for (int e = ev->rows.W.start[k]; e < ev->rows.W.start[k + 1]; e++)
            rate += ev->rows.W.value[e] * u0[ev->rows.W.index[e]];
        const double scale =
            fabs(ev->rows.w0[k]) + carom_start_rate_scale(&ev->rows.W, k, u0, u_typical);
        if (!(fabs(rate) <= CAROM_CONSISTENT * scale))
            return carom_fail_at(error, model->places.constraint[k], CAROM_BAD_INPUT,
                                 "the start rates do not satisfy the constraint '%s', whose rate "
                                 "is %.6g; write start: {velocities: assemble}, or change one, "
                                 "e.g. with --start '%s=...'",
                                 model->names.constraint[k], rate,
                                 model->names.velocity[ev->rows.W.index[ev->rows.W.start[k]]]);
    }
    return CAROM_OK;
}

static carom_status check_outputs(const carom_model *model, const carom_eval *ev,
                                  carom_error *error)
{
    for (int i = 0; i < model->size.n_record; i++)
        if (!isfinite(ev->record[i]) &&
            !(model->felt.record_is_felt && model->felt.record_is_felt[i]))
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
    if (look->plan->contact[contact].is_of_shapes)
        warn(
            look,
            "the shapes of contact '%s' overlap at the start, by %.6g m (change the start, --start "
            "NAME=VALUE)",
            name, -gap);
    else if (-gap > CAROM_DEEP * size)
        warn(look,
             "contact '%s' penetrates at the start: gap %.6g in a model of size %.3g; "
             "with the other sign it would start open (change the start, or write "
             "gap: -(...))",
             name, gap, size);
    else
        warn(look,
             "contact '%s' penetrates at the start: gap %.6g (change the start, --start "
             "NAME=VALUE)",
             name, gap);
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
        const double scale =
            carom_start_gap_scale(model, q0, &ev->rows.W, model->contact[c].row, typical);
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

static carom_status evaluate_start(carom_start_look *look, carom_error *error)
{
    const carom_plan *plan = look->plan;
    const carom_point at = {.t = 0, .q = plan->q0, .u = plan->u0};
    carom_error why = {0};
    // contacts that come and go: those of the start, not those of the run before
    CAROM_TRY(carom_plan_refresh(look->plan, &at, 0, NULL, error));
    const carom_status status = carom_model_eval(look->plan, &at, CAROM_START_MASK, look->ev, &why);
    if (status == CAROM_NO_MEMORY || status == CAROM_BUG)
        return carom_fail(error, status, "%s", why.message);
    if (status != CAROM_OK)
        return carom_fail_at(error, guilty_place(plan->model, look->ev), CAROM_BAD_INPUT, "%s",
                             why.message);
    return CAROM_OK;
}

carom_status carom_plan_check_start(carom_start_look *look, carom_error *error)
{
    carom_plan *plan = look->plan;
    look->facts = (carom_start_facts){0};
    look->warnings[0] = 0;
    CAROM_TRY(evaluate_start(look, error));
    CAROM_TRY(check_outputs(plan->model, look->ev, error));
    look->facts.size = carom_model_extent(plan->model, plan->q0, look->ev);
    warn_of_penetration(look);
    find_motion(look);
    return check_constraints(plan, look->ev, error);
}

// The model's start becomes the one that keeps its constraints. Live values have their own copy of
// it, and plans that change them an assembler.
static carom_status assemble_start(carom_model *model, carom_start_look *look, carom_error *error)
{
    carom_plan *plan = look->plan;
    if (model->assembly.what == 0 || model->size.n_constraint == 0) return CAROM_OK;
    CAROM_TRY(evaluate_start(look, error));
    carom_assembler *own =
        plan->assembler ? NULL
                        : carom_assembler_new(plan, CAROM_START_MASK, model->assembly.is_kept);
    if (!own && !plan->assembler)
        return carom_fail(error, CAROM_NO_MEMORY, "not enough memory to assemble the model");
    const carom_status status = carom_assemble(own ? own : plan->assembler, model->q0, model->u0,
                                               &model->assembly.done, error);
    carom_assembler_free(own);
    if (status != CAROM_OK) return status;
    carom_live_take_start(plan);
    model->fingerprint = carom_live_started_fingerprint(model);
    return CAROM_OK;
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
        status = assemble_start(model, &look, error);
    else
        carom_fail(error, status, "not enough memory to check the model");
    if (status == CAROM_OK) status = carom_plan_check_start(&look, error);
    if (status == CAROM_OK) keep_findings(model, &look);
    carom_plan_free(plan);
    return status;
}
