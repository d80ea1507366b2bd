// SPDX-License-Identifier: Apache-2.0
// A worker: a simulation that is started again for each unit, with its values, from the model's
// start or from where the unit before has ended. What is then done is the kind's. Nothing of a unit
// is left for the next one but what is handed on in its state, so that a unit is the same whoever
// does it.
#include "studies/study_scan.h"

#include "base/grow.h"
#include "sim/sim.h"
#include "sim/sim_clock.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static carom_status note_event(void *self, const carom_event *event, carom_error *error)
{
    carom_worker *w = self;
    (void)error;
    w->impacts += event->kind == CAROM_IMPACT;
    if (event->kind == CAROM_IMPACT) {
        w->fastest = fmax(w->fastest, -event->rate_before);
        w->last_impact = event->t;
        if (w->impacts == 1) w->first_impact = event->t;
    }
    // modes that the start has are no events of the round
    if (w->n_mark < CAROM_MARKS && event->t > w->last)
        w->mark[w->n_mark++] = (unsigned short)(event->contact * 16 + (int)event->kind + 1);
    w->events++;
    w->word = 1099511628211u * (w->word ^ (unsigned)(event->contact * 16 + (int)event->kind + 1));
    const bool is_ours = w->watch.contact < 0 || event->contact == w->watch.contact;
    if (is_ours && w->watch.events >> event->kind & 1) w->event = *event;
    return CAROM_OK;
}

static carom_status make_parts(carom_worker *w, carom_error *error)
{
    const carom_scan *scan = w->scan;
    CAROM_TRY(carom_sim_new(scan->model, &scan->run, &w->sim, error));
    const size_t n_column = (size_t)carom_sim_n_column(w->sim);
    w->axis = calloc((size_t)scan->design.n_axis + 1, sizeof *w->axis);
    w->seen = calloc(n_column, sizeof *w->seen);
    w->other = calloc(n_column, sizeof *w->other);
    if (!w->axis || !w->seen || !w->other) return carom_scan_no_memory(error);
    if (scan->points.section.kind == CAROM_SECTION_PERIOD)
        CAROM_TRY(carom_period_prepare(w, error));
    const carom_recorder recorder = {.self = w, .event = note_event};
    const carom_section *section = &scan->points.section;
    w->watch = carom_stop_default();
    w->watch.contact = section->number;
    if (section->kind == CAROM_SECTION_EVENT) w->watch.events = 1u << section->event;
    if (scan->kind->has_section || scan->kind->is_varied)
        CAROM_TRY(carom_sim_add_recorder(w->sim, recorder, error));
    return scan->kind->begin ? scan->kind->begin(w, error) : CAROM_OK;
}

carom_status carom_worker_new(const carom_scan *scan, carom_worker **worker, carom_error *error)
{
    *worker = calloc(1, sizeof **worker);
    if (!*worker) return carom_scan_no_memory(error);
    (*worker)->scan = scan;
    const carom_status status = make_parts(*worker, error);
    if (status == CAROM_OK) return CAROM_OK;
    carom_worker_free(*worker);
    *worker = NULL;
    return status;
}

void carom_worker_free(carom_worker *w)
{
    if (!w) return;
    carom_probe_free(w->probe);
    carom_sim_free(w->sim);
    carom_plan_free(w->plan);
    free(w->axis);
    free(w->seen);
    free(w->other);
    if (w->scan->kind->end) w->scan->kind->end(w);
    free(w->self);
    free(w);
}

double *carom_worker_row(carom_worker *w)
{
    const int n = w->scan->n_column;
    carom_unit *unit = w->unit;
    if (unit->n_row == w->room) {
        const int room = w->room ? 2 * w->room : 1;
        if (!carom_grow(&unit->row, sizeof *unit->row, (size_t)room * (size_t)n)) return NULL;
        w->room = room;
    }
    double *row = unit->row + (size_t)unit->n_row++ * (size_t)n;
    memcpy(row, w->axis, sizeof *row * (size_t)w->scan->design.n_axis);
    return row + w->scan->design.n_axis;
}

// what an entry of the model's records is with the values of the unit
static double record_of(const carom_worker *w, int record)
{
    return w->seen[carom_sim_n_column(w->sim) - w->scan->size.n_record + record];
}

static carom_status start(carom_worker *w, const carom_parameter *value, const double *from,
                          double t, carom_error *error)
{
    const int n = w->scan->design.n_axis;
    const carom_moment moment = {t, from ? from + 1 : NULL,
                                 from ? from + 1 + w->scan->size.nq : NULL};
    if (from) return carom_sim_start_from(w->sim, &moment, value, value ? n : 0, error);
    if (value && n > 0) return carom_sim_set_parameters(w->sim, value, n, error);
    return carom_sim_reset(w->sim, error);
}

static carom_status check_positive(const char *what, double value, carom_error *error)
{
    if (isfinite(value) && value > 0) return CAROM_OK;
    return carom_fail(error, CAROM_BAD_INPUT, "the %s is %g, it must be above 0", what, value);
}

// what follows from the values: the period, the end, the step
static carom_status set_times(carom_worker *w, const carom_parameter *value, double *end,
                              bool *is_anew, carom_error *error)
{
    const carom_scan_records *r = &w->scan->record;
    const carom_scan_points *p = &w->scan->points;
    CAROM_TRY(carom_sim_row(w->sim, carom_sim_state(w->sim), w->seen, error));
    *is_anew = false;
    if (r->step >= 0 && w->scan->run.step > 0) {
        CAROM_TRY(check_positive("step", record_of(w, r->step), error));
        carom_sim_set_step(w->sim, record_of(w, r->step));
        *is_anew = true;
    }
    if (r->end >= 0 && !w->scan->kind->has_section) {
        *end = record_of(w, r->end);
        CAROM_TRY(check_positive("end", *end, error));
    }
    if (r->period < 0) return CAROM_OK;
    w->period = record_of(w, r->period);
    CAROM_TRY(check_positive("period", w->period, error));
    CAROM_TRY(carom_period_check(w, value, w->scan->design.n_axis, error));
    *end = ((double)p->skip + p->n + 2) * w->period;
    return CAROM_OK;
}

// from: time and state at the end of the unit before, or NULL
carom_status carom_worker_begin(carom_worker *w, const double *from, carom_error *error)
{
    const carom_scan *scan = w->scan;
    carom_parameter value[CAROM_SCAN_AXES];
    const bool goes_on = from && scan->kind->has_section && scan->record.period < 0;
    const double t = goes_on ? from[0] : 0;
    double end = t + scan->run.end;
    bool is_anew;
    for (int k = 0; k < scan->design.n_axis; k++)
        value[k] = (carom_parameter){scan->design.axis[k].live, w->axis[k]};
    if (goes_on) { // time does as well
        const double now = carom_sim_state(w->sim)->t;
        CAROM_TRY(carom_sim_set_end(w->sim, fmax(end, 2 * now), error));
    }
    CAROM_TRY(start(w, value, from, t, error));
    CAROM_TRY(set_times(w, value, &end, &is_anew, error));
    if (is_anew) CAROM_TRY(start(w, NULL, from, t, error));
    CAROM_TRY(carom_sim_set_end(w->sim, end, error));
    w->fastest = 0;
    const double phase = scan->points.section.phase * w->period;
    if (from && scan->record.period >= 0 && phase > 0)
        CAROM_TRY(start(w, NULL, from, phase, error));
    return carom_walk_begin(w, error);
}

static carom_status keep_state(carom_worker *w, carom_error *error)
{
    const carom_sizes *n = &w->scan->size;
    const carom_state *now = carom_sim_state(w->sim);
    double *state = malloc(sizeof *state * (size_t)(1 + n->nq + n->nu));
    if (!state) return carom_scan_no_memory(error);
    state[0] = now->t;
    memcpy(state + 1, now->q, sizeof *state * (size_t)n->nq);
    memcpy(state + 1 + n->nq, now->u, sizeof *state * (size_t)n->nu);
    w->unit->state = state;
    return CAROM_OK;
}

// one row that says nothing but what it would have been about
static carom_status note_failure(carom_worker *w, const char *message, carom_error *error)
{
    carom_unit *unit = w->unit;
    unit->n_row = 0;
    unit->has_failed = true;
    unit->message = strdup(message);
    double *row = unit->message ? carom_worker_row(w) : NULL;
    if (!row) return carom_scan_no_memory(error);
    for (int i = w->scan->design.n_axis; i < w->scan->n_column; i++)
        row[i - w->scan->design.n_axis] = NAN;
    return CAROM_OK;
}

carom_status carom_worker_do(carom_worker *w, long index, const carom_unit *before,
                             carom_unit *unit, carom_error *error)
{
    carom_error why = {0};
    const double start_time = carom_clock_wall();
    *unit = (carom_unit){0};
    w->unit = unit;
    w->room = 0;
    w->goes_down = carom_chain_values(w->scan, index, w->axis);
    carom_status status = carom_worker_begin(w, before ? before->state : NULL, &why);
    if (status == CAROM_OK) status = w->scan->kind->work(w, &why);
    if (status == CAROM_OK && w->scan->chains.is_followed) status = keep_state(w, &why);
    if (status == CAROM_NO_MEMORY) {
        if (error) *error = why;
        return status;
    }
    if (status != CAROM_OK) CAROM_TRY(note_failure(w, why.message, error));
    unit->seconds = carom_clock_wall() - start_time;
    unit->is_done = true;
    return CAROM_OK;
}
