// SPDX-License-Identifier: Apache-2.0
// How measures of a run change with parameters, starts and start rates: exactly, by following the
// motion's derivatives, and by a central difference of two runs as a check,
//
//     (m(p + h) - m(p - h))/2h,   h = 1e-5 of p
//
// Measures are `at COLUMN T`, `last COLUMN`, and of event N of a contact its time, and gap rates
// before and after it. Where both differ by more than 1e-4, the unit has failed.
#include "studies/orbits/map.h"

#include "sim/sim.h"
#include "tangent/tangent.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double share = 1e-5; // of a parameter, for the difference
static const double agree = 1e-4; // of the derivative

typedef struct sensing {
    int column,
        state; // of the simulation; what it is of the state, from 0, or a record from nq + nu
    int contact;
    carom_event_kind event;
} sensing;

typedef struct sensitivity_work {
    sensing *take;          // (n_measure)
    double *value, *change; // (n_measure), (n_measure n_by)
    double *up, *down;      // (n_measure n_by)
    double *base, *a;       // (n_by), (nu)
} sensitivity_work;

static bool is_of_event(const carom_measure *m)
{
    return strcmp(m->take, "event_time") == 0 || strcmp(m->take, "event_before") == 0 ||
           strcmp(m->take, "event_after") == 0;
}

static carom_status check_measure(const carom_measure *m, const char *text, carom_error *error)
{
    const bool is_known =
        is_of_event(m) || strcmp(m->take, "at") == 0 || strcmp(m->take, "last") == 0;
    if (is_known && !(m->from > 0) && !isfinite(m->to)) return CAROM_OK;
    return carom_fail(error, CAROM_BAD_INPUT,
                      "'%s' has no derivative here: take at COLUMN T, last COLUMN, event_time, "
                      "event_before or event_after of a CONTACT and a number (or --difference with "
                      "a sweep)",
                      text);
}

static carom_status prepare(carom_scan *scan, const carom_scan_texts *texts, carom_sim *sim,
                            carom_error *error)
{
    (void)sim;
    if (scan->tangent.n_by == 0)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "a sensitivity needs something to differentiate by: --by e,mu");
    if (texts->n_take == 0)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "a sensitivity needs something to take: --take 'at x 2.1'");
    for (int i = 0; i < scan->n_measure; i++)
        CAROM_TRY(check_measure(&scan->measure[i], texts->take[i].text, error));
    for (int i = 0; i < texts->n_take; i++) {
        const char *take = texts->take[i].text;
        CAROM_TRY(carom_scan_add_column(scan, error, "%s", take));
        for (int k = 0; k < scan->tangent.n_by; k++) {
            const char *by = scan->tangent.by[k];
            if (!scan->tangent.is_difference)
                CAROM_TRY(carom_scan_add_column(scan, error, "d(%s)/d(%s)", take, by));
            CAROM_TRY(carom_scan_add_column(scan, error, "difference(%s)/d(%s)", take, by));
        }
    }
    return CAROM_OK;
}

// the column of a measure: of the state, or a record
static carom_status find_column(const carom_worker *w, const carom_measure *m, sensing *to,
                                carom_error *error)
{
    const carom_sizes *n = &w->scan->size;
    const int n_column = carom_sim_n_column(w->sim);
    to->column = -1;
    for (int i = 0; i < n_column; i++)
        if (strcmp(carom_sim_column(w->sim, i)->name, m->column) == 0) to->column = i;
    if (to->column < 0)
        return carom_fail(error, CAROM_BAD_INPUT, "no column '%s' in the output of this model",
                          m->column);
    const int record = to->column - (n_column - n->n_record);
    to->state = to->column - 1;
    if (record >= 0) to->state = n->nq + n->nu + record;
    const unsigned char *is_felt = w->scan->model->felt.record_is_felt;
    const bool is_known =
        record >= 0 ? !is_felt || !is_felt[record] : to->state >= 0 && to->state < n->nq + n->nu;
    if (is_known && (record >= 0 || w->scan->model->n_plain >= 0 || to->state >= n->nq))
        return CAROM_OK;
    return carom_fail(
        error, CAROM_BAD_INPUT,
        "'%s' has no derivative here: take coordinates, velocities, or record entries "
        "of them",
        m->column);
}

static carom_status find_event(const carom_worker *w, const carom_measure *m, sensing *to,
                               carom_error *error)
{
    to->contact = -1;
    to->event = CAROM_IMPACT;
    for (int c = 0; m->contact && c < w->scan->size.n_contact; c++)
        if (strcmp(carom_model_contact(w->scan->model, c)->name, m->contact) == 0) to->contact = c;
    if (m->contact && to->contact < 0)
        return carom_fail(error, CAROM_BAD_INPUT, "the model has no contact '%s'", m->contact);
    for (int k = 0; m->event && k <= CAROM_EDGE; k++)
        if (strcmp(carom_event_word((carom_event_kind)k), m->event) == 0)
            to->event = (carom_event_kind)k;
    if (to->event != CAROM_ACCUMULATED) return CAROM_OK;
    return carom_fail(error, CAROM_BAD_INPUT,
                      "the end of a tail of impacts has no derivative here");
}

static carom_status begin(carom_worker *w, carom_error *error)
{
    const carom_scan *scan = w->scan;
    const size_t n = (size_t)scan->n_measure, all = n * (size_t)(scan->tangent.n_by + 1);
    sensitivity_work *it = w->self = calloc(1, sizeof *it);
    if (!it) return carom_scan_no_memory(error);
    it->take = calloc(n, sizeof *it->take);
    it->value = calloc(n, sizeof(double));
    it->change = calloc(all, sizeof(double));
    it->up = calloc(all, sizeof(double));
    it->down = calloc(all, sizeof(double));
    it->base = calloc((size_t)scan->tangent.n_by + 1, sizeof(double));
    it->a = calloc((size_t)scan->size.nu + 1, sizeof(double));
    if (!it->take || !it->value || !it->change || !it->up || !it->down || !it->base || !it->a)
        return carom_scan_no_memory(error);
    for (int i = 0; i < scan->n_measure; i++) {
        const carom_measure *m = &scan->measure[i];
        CAROM_TRY(is_of_event(m) ? find_event(w, m, &it->take[i], error)
                                 : find_column(w, m, &it->take[i], error));
    }
    return CAROM_OK;
}

static void end(carom_worker *w)
{
    sensitivity_work *it = w->self;
    if (!it) return;
    free(it->take);
    free(it->value);
    free(it->change);
    free(it->up);
    free(it->down);
    free(it->base);
    free(it->a);
}

// ---- one run to each measure ----

static carom_status run_to(carom_worker *w, int i, carom_error *error)
{
    const sensitivity_work *it = w->self;
    const carom_measure *m = &w->scan->measure[i];
    carom_stop stop = carom_stop_default();
    carom_reached reached;
    if (!is_of_event(m)) {
        stop.t = strcmp(m->take, "last") == 0 ? w->sim->choice.end : m->time;
        if (stop.t > w->sim->choice.end) CAROM_TRY(carom_sim_set_end(w->sim, stop.t, error));
        return carom_sim_run_until(w->sim, &stop, &reached, error);
    }
    stop.events = 1u << it->take[i].event;
    stop.contact = it->take[i].contact;
    w->watch = stop;
    for (int k = 0; k < (m->number > 0 ? m->number : 1); k++) {
        CAROM_TRY(carom_sim_run_until(w->sim, &stop, &reached, error));
        if (reached != CAROM_REACHED_EVENT)
            return carom_fail(error, CAROM_NOT_CONVERGED, "there were %d such events up to t = %g",
                              k, carom_sim_state(w->sim)->t);
    }
    return CAROM_OK;
}

static carom_status take_value(carom_worker *w, int i, double *value, carom_error *error)
{
    const sensitivity_work *it = w->self;
    const carom_measure *m = &w->scan->measure[i];
    CAROM_TRY(carom_sim_row(w->sim, carom_sim_state(w->sim), w->seen, error));
    *value = !is_of_event(m)                        ? w->seen[it->take[i].column]
             : strcmp(m->take, "event_time") == 0   ? carom_sim_state(w->sim)->t
             : strcmp(m->take, "event_before") == 0 ? w->event.rate_before
                                                    : w->event.rate_after;
    return CAROM_OK;
}

// ---- derivatives ----

static carom_status take_changes(carom_worker *w, int i, double *change, carom_error *error)
{
    const sensitivity_work *it = w->self;
    const carom_measure *m = &w->scan->measure[i];
    carom_tangent *t = w->sim->until.tangent;
    const carom_sizes *n = &w->scan->size;
    const carom_state *now = carom_sim_state(w->sim);
    const int state = it->take[i].state;
    w->sim->s.error = error;
    if (t->refusal[0]) return carom_fail(error, CAROM_BAD_INPUT, "%s", t->refusal);
    if (strcmp(m->take, "event_time") == 0) {
        memcpy(change, t->event.dt, sizeof *change * (size_t)t->v->n);
        return CAROM_OK;
    }
    if (is_of_event(m))
        return carom_tangent_gap_rate(t, w->event.contact, strcmp(m->take, "event_before") == 0,
                                      change);
    if (state >= n->nq + n->nu) {
        double rate;
        CAROM_TRY(carom_tangent_flow(t, now, it->a));
        return carom_tangent_record(t, now, it->a, state - n->nq - n->nu, change, &rate);
    }
    for (int k = 0; k < t->v->n; k++)
        change[k] = state < n->nq ? t->v->q[k * n->nu + state] : t->v->u[k * n->nu + state - n->nq];
    return CAROM_OK;
}

static carom_status follow(carom_worker *w, carom_error *error)
{
    carom_change change[64] = {{0}};
    const carom_scan_tangent *asked = &w->scan->tangent;
    for (int k = 0; k < asked->n_by; k++) change[k].parameter = asked->number[k];
    return carom_sim_vary(w->sim, change, asked->n_by, error);
}

// all measures, each by a run of its own
static carom_status measure_all(carom_worker *w, double *value, double *change, carom_error *error)
{
    const carom_scan *scan = w->scan;
    for (int i = 0; i < scan->n_measure; i++) {
        CAROM_TRY(carom_sim_reset(w->sim, error));
        if (change) CAROM_TRY(follow(w, error));
        CAROM_TRY(run_to(w, i, error));
        CAROM_TRY(take_value(w, i, &value[i], error));
        if (change) CAROM_TRY(take_changes(w, i, change + i * scan->tangent.n_by, error));
    }
    return CAROM_OK;
}

// ---- differences ----

static carom_status set_all(carom_worker *w, int by, double value, carom_error *error)
{
    const sensitivity_work *it = w->self;
    const carom_scan_tangent *asked = &w->scan->tangent;
    carom_parameter parameter[64];
    for (int k = 0; k < asked->n_by; k++)
        parameter[k] = (carom_parameter){asked->by_live[k], k == by ? value : it->base[k]};
    return carom_sim_set_parameters(w->sim, parameter, asked->n_by, error);
}

static double step_of(double base)
{
    return share * (base != 0 ? fabs(base) : 1);
}

// the measures with one parameter a little larger and smaller; NAN where a run fails there
static carom_status take_differences(carom_worker *w, carom_error *error)
{
    const sensitivity_work *it = w->self;
    const carom_scan *scan = w->scan;
    const int n = scan->n_measure, n_by = scan->tangent.n_by;
    double *value = malloc(sizeof *value * (size_t)n);
    if (!value) return carom_scan_no_memory(error);
    for (int k = 0; k < n_by; k++)
        for (int side = 1; side >= -1; side -= 2) {
            carom_error why = {0};
            const double p = it->base[k] + side * step_of(it->base[k]);
            carom_status status = set_all(w, k, p, &why);
            if (status == CAROM_OK) status = measure_all(w, value, NULL, &why);
            for (int i = 0; i < n; i++)
                (side > 0 ? it->up : it->down)[i * n_by + k] = status == CAROM_OK ? value[i] : NAN;
        }
    free(value);
    return set_all(w, -1, 0, error);
}

static carom_status compare(const carom_worker *w, int i, int k, double difference,
                            carom_error *error)
{
    const sensitivity_work *it = w->self;
    const carom_scan_tangent *asked = &w->scan->tangent;
    const double exact = it->change[i * asked->n_by + k], value = it->value[i];
    const double size = fmax(fabs(exact), fabs(difference));
    // a difference of numbers that hardly change is rounding
    const double noise = 1e-6 * fabs(value) / (it->base[k] != 0 ? fabs(it->base[k]) : 1);
    if (isnan(difference) || fabs(exact - difference) <= agree * size + noise) return CAROM_OK;
    return carom_fail(error, CAROM_NOT_CONVERGED,
                      "the derivative of '%s %s' by %s is %.9g, but runs beside it differ as if it "
                      "were %.9g: the motion has a kink there, or the tolerance is too large",
                      w->scan->measure[i].take,
                      w->scan->measure[i].column    ? w->scan->measure[i].column
                      : w->scan->measure[i].contact ? w->scan->measure[i].contact
                                                    : "",
                      asked->by[k], exact, difference);
}

static carom_status work(carom_worker *w, carom_error *error)
{
    const sensitivity_work *it = w->self;
    const carom_scan_tangent *asked = &w->scan->tangent;
    const int n = w->scan->n_measure;
    for (int k = 0; k < asked->n_by; k++)
        it->base[k] = carom_sim_parameter(w->sim, asked->by_live[k]);
    CAROM_TRY(set_all(w, -1, 0, error));
    CAROM_TRY(measure_all(w, it->value, asked->is_difference ? NULL : it->change, error));
    CAROM_TRY(take_differences(w, error));
    double *row = carom_worker_row(w);
    if (!row) return carom_scan_no_memory(error);
    for (int i = 0; i < n; i++) {
        *row++ = it->value[i];
        for (int k = 0; k < asked->n_by; k++) {
            const double up = it->up[i * asked->n_by + k], down = it->down[i * asked->n_by + k];
            const double difference = (up - down) / (2 * step_of(it->base[k]));
            if (!asked->is_difference) {
                *row++ = it->change[i * asked->n_by + k];
                CAROM_TRY(compare(w, i, k, difference, error));
            }
            *row++ = difference;
        }
    }
    return CAROM_OK;
}

static carom_status draw(const carom_scan *scan, const char *path, carom_error *error)
{
    const int n = scan->design.n_axis;
    const carom_picture picture = {
        .x = 0, .first = n, .n = n > 0 ? 2 : 0, .branch = -1, .is_line = true};
    return carom_picture_draw(scan, &picture, path, error);
}

const carom_scan_kind carom_scan_kind_sensitivity = {.name = "sensitivity",
                                                     .has_measures = true,
                                                     .is_varied = true,
                                                     .prepare = prepare,
                                                     .begin = begin,
                                                     .end = end,
                                                     .work = work,
                                                     .draw = draw};
