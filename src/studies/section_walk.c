// SPDX-License-Identifier: Apache-2.0
// From point to point of a section. Schemes with free steps meet times, and event_driven meets
// crossings, to rounding; of others the columns are taken as linear inside the step, which is as
// good as they are. Point 0 of a period is at its phase, of all other sections the first that
// comes: a start on the section is none.
#include "studies/study_scan.h"

#include "sim/sim.h"

#include <math.h>
#include <string.h>

carom_status carom_walk_begin(carom_worker *w, carom_error *error)
{
    (void)error;
    w->k = 0;
    w->impacts = w->last_impacts = 0;
    w->has_no_more = false;
    w->last = carom_sim_state(w->sim)->t;
    return CAROM_OK;
}

// the columns between the ends of the last step, x = 0 .. 1
static carom_status look_between(carom_worker *w, double x, carom_error *error)
{
    const int n = carom_sim_n_column(w->sim);
    CAROM_TRY(carom_sim_row(w->sim, carom_sim_before(w->sim), w->other, error));
    CAROM_TRY(carom_sim_row(w->sim, carom_sim_state(w->sim), w->seen, error));
    for (int i = 0; i < n; i++) w->seen[i] = w->other[i] + x * (w->seen[i] - w->other[i]);
    return CAROM_OK;
}

carom_status carom_walk_to(carom_worker *w, double t, bool is_seen, carom_error *error)
{
    const carom_state *now = carom_sim_state(w->sim);
    carom_stop stop = carom_stop_default();
    carom_reached reached = CAROM_REACHED_TIME;
    stop.t = t;
    if (t > now->t) CAROM_TRY(carom_sim_run_until(w->sim, &stop, &reached, error));
    now = carom_sim_state(w->sim);
    if (reached == CAROM_REACHED_END && now->t < t)
        return carom_fail(error, CAROM_BUG, "the run ended at t = %g, before t = %g", now->t, t);
    if (!is_seen) return CAROM_OK;
    if (now->t == t) return carom_sim_row(w->sim, now, w->seen, error);
    const double before = carom_sim_before(w->sim)->t;
    return look_between(w, (t - before) / (now->t - before), error);
}

static carom_status refuse_wait(carom_worker *w, carom_error *error)
{
    const carom_section *s = &w->scan->points.section;
    const double t = carom_sim_state(w->sim)->t;
    w->has_no_more = true;
    if (s->kind == CAROM_SECTION_CROSS) {
        CAROM_TRY(carom_sim_row(w->sim, carom_sim_state(w->sim), w->seen, error));
        const int column = carom_sim_n_column(w->sim) - w->scan->size.n_record;
        return carom_fail(error, CAROM_NOT_CONVERGED,
                          "'%s' did not cross zero in the %g s up to t = %.6g, where it is %.6g",
                          s->expression.text, t - w->last, t,
                          w->seen[column + w->scan->record.section]);
    }
    carom_audit audit;
    CAROM_TRY(carom_sim_audit(w->sim, &audit, NULL, error));
    return carom_fail(
        error, CAROM_NOT_CONVERGED,
        "no %s of %s%s%s in the %g s up to t = %.6g; the smallest gap of all was %.3g m "
        "(%s, t = %.6g)",
        carom_event_word(s->event), s->contact ? "'" : "any contact", s->contact ? s->contact : "",
        s->contact ? "'" : "", t - w->last, t, audit.min_gap, audit.min_gap_at, audit.min_gap_time);
}

// runs until an event or a crossing, and farther than the end if need be
static carom_status wait(carom_worker *w, const carom_stop *stop, carom_error *error)
{
    for (;;) {
        carom_reached reached = CAROM_REACHED_END;
        if (!carom_sim_is_done(w->sim))
            CAROM_TRY(carom_sim_run_until(w->sim, stop, &reached, error));
        if (reached != CAROM_REACHED_END) return CAROM_OK;
        const double t = carom_sim_state(w->sim)->t;
        if (t - w->last >= w->scan->points.within * (1 - 1e-9)) return refuse_wait(w, error);
        CAROM_TRY(carom_sim_set_end(w->sim, t + w->scan->points.within, error));
    }
}

// where in the last step the section was, of a scheme that does not meet it
static carom_status look_at_crossing(carom_worker *w, carom_error *error)
{
    const int record = carom_sim_n_column(w->sim) - w->scan->size.n_record;
    const int column = record + w->scan->record.section;
    CAROM_TRY(carom_sim_row(w->sim, carom_sim_before(w->sim), w->other, error));
    CAROM_TRY(carom_sim_row(w->sim, carom_sim_state(w->sim), w->seen, error));
    const double from = w->other[column], to = w->seen[column];
    return look_between(w, from == to ? 1 : from / (from - to), error);
}

static carom_status next_event(carom_worker *w, bool is_seen, carom_error *error)
{
    const carom_section *s = &w->scan->points.section;
    carom_stop stop = carom_stop_default();
    if (s->kind == CAROM_SECTION_CROSS) {
        stop.crossing = s->direction;
    } else {
        stop.events = 1u << s->event;
        stop.contact = s->number;
    }
    CAROM_TRY(wait(w, &stop, error));
    const carom_state *now = carom_sim_state(w->sim);
    w->last = now->t;
    if (!is_seen) return CAROM_OK;
    if (s->kind == CAROM_SECTION_EVENT)
        return carom_sim_row(w->sim, s->is_before ? carom_sim_before(w->sim) : now, w->seen, error);
    return w->sim->scheme->finds_events ? carom_sim_row(w->sim, now, w->seen, error)
                                        : look_at_crossing(w, error);
}

carom_status carom_walk_next(carom_worker *w, bool is_seen, carom_error *error)
{
    const carom_section *s = &w->scan->points.section;
    w->last_impacts = w->impacts;
    if (s->kind == CAROM_SECTION_PERIOD)
        CAROM_TRY(carom_walk_to(w, ((double)w->k + s->phase) * w->period, is_seen, error));
    else
        CAROM_TRY(next_event(w, is_seen, error));
    w->k++;
    return CAROM_OK;
}
