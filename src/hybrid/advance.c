// SPDX-License-Identifier: Apache-2.0
// One step between events: as long as the tolerance and the asked length allow, cut at
// the first crossing of an event function. The crossing is located on the dense output
// and then on the step itself,
//
//     h* := h* - F(h*)/F'(h*),   F on the end of a true step of length h*,
//
// so that the time of an event has the order of the solver, not that of its dense output.
//
// Step control: accept err <= 1, then h clip(0.9 err^-k, 0.2, 10), no growth after a rejection.
#include "dynamics/law.h"
#include "hybrid/hybrid.h"
#include "smooth/control.h"
#include "smooth/weak.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { MOST_ATTEMPTS = 200, MOST_CORRECTIONS = 8 };
static const double pole_share = 0.1; // of the force before

// a shorter step may mend it
static bool is_mendable(carom_hybrid *h, carom_status status)
{
    if (status != CAROM_NOT_CONVERGED && status != CAROM_NOT_FINITE) return false;
    h->s->error->status = CAROM_OK;
    h->s->error->message[0] = 0;
    return true;
}

// true step of length h*; what it leaves of the function
static carom_status try_length(carom_hybrid *h, const carom_crossing *it, double length,
                               double *value, double *slope)
{
    double error;
    CAROM_TRY(h->flow->solver->step(h->flow, &h->now, length, &h->next, &error));
    return carom_watch_end(h, it, value, slope);
}

static carom_status locate_event(carom_hybrid *h, carom_crossing *it, double whole)
{
    // an event at the very start still needs a step that is one
    double length = fmax(it->x, DBL_EPSILON) * whole, old_length = 0, old_value = 0,
           last = INFINITY;
    for (int k = 0; k < MOST_CORRECTIONS; k++) {
        double value, slope;
        CAROM_TRY(try_length(h, it, length, &value, &slope));
        if (k > 0 && it->kind != CAROM_CROSS_CLOSE && length != old_length)
            slope = (value - old_value) / (length - old_length);
        old_length = length;
        old_value = value;
        const double change = slope < 0 ? -value / slope : 0;
        // rounding level: a correction gains nothing any more
        if (fabs(change) <= 2 * DBL_EPSILON * length || fabs(change) >= 0.5 * last) return CAROM_OK;
        last = fabs(change);
        length = fmin(whole, fmax(0.1 * length, length + change));
    }
    return CAROM_OK;
}

// the step has become too short: a contact that slides jams, the one that pushes most, at once; or
// it is an error
static carom_status too_short(carom_hybrid *h, double wish, carom_crossing *it, double *length)
{
    double most = 0;
    carom_hybrid_set_rows(h);
    CAROM_TRY(carom_hybrid_look_at(h, h->now.t, h->now.q, h->now.u, true));
    for (int c = 0; c < h->s->size.n_contact; c++) {
        const carom_contact_facts *facts = carom_plan_contact(h->s->plan, c);
        const double la = carom_law_is_disc(facts) ? 0 : fabs(h->seen.la[facts->row]);
        if (h->memory.contact.mode[c] != CAROM_MODE_SLIDE || !(la > most)) continue;
        most = la;
        *it = (carom_crossing){.contact = c, .kind = CAROM_CROSS_JAM};
    }
    if (!(most > 0))
        return carom_fail(h->s->error, CAROM_NOT_CONVERGED,
                          "the step fell to %.3g s: the motion is not smooth there, or the "
                          "tolerance is too small%s",
                          *length, carom_weak_advice(h->flow));
    memcpy(h->seen.start_direction, h->flow->rows.anchor,
           sizeof(double) * (size_t)h->s->size.n_row);
    carom_flow_copy(h->flow, &h->now, &h->next);
    h->flow->h = *length = 0;
    h->memory.h = wish;
    return CAROM_OK;
}

// a step that leads to where a gap is not defined may be one that an event cuts before
static carom_status watch_step(carom_hybrid *h, carom_crossing *it, bool is_last, bool *is_resolved)
{
    carom_status status = carom_watch_step(h, it, is_resolved);
    if (status == CAROM_OK && *is_resolved) status = carom_sides_watch_step(h, it, is_resolved);
    if (status == CAROM_OK && *is_resolved && h->s->section > 0)
        status = carom_section_watch_step(h, it, is_resolved);
    if (status == CAROM_OK && *is_resolved) status = carom_features_watch_step(h, it);
    if (status == CAROM_OK || is_last || !is_mendable(h, status)) return status;
    *is_resolved = false;
    return CAROM_OK;
}

// the first length whose error and samples are good; next is its end
static carom_status take_step(carom_hybrid *h, carom_crossing *it, double *length)
{
    carom_flow *flow = h->flow;
    const double wish = h->memory.h,
                 floor = 16 * DBL_EPSILON * fmax(fabs(h->now.t), 1e-3 * *length);
    bool was_rejected = false;
    for (int k = 0; k < MOST_ATTEMPTS; k++) {
        double error = INFINITY;
        bool is_resolved = true;
        const bool is_last = *length < 4 * floor;
        const carom_status status = flow->solver->step(flow, &h->now, *length, &h->next, &error);
        if (status != CAROM_OK && !is_mendable(h, status)) return status;
        if (status == CAROM_OK && error <= 1) {
            CAROM_TRY(watch_step(h, it, is_last, &is_resolved));
            if (is_resolved || (is_last && !h->seen.has_pole)) {
                const double next = *length * carom_control_factor(flow, error);
                if (was_rejected)
                    h->memory.h = fmin(next, *length);
                else
                    h->memory.h = *length < wish ? fmax(next, wish) : next;
                h->s->report.error = error;
                return CAROM_OK;
            }
        }
        if (is_last && k > 0) return too_short(h, wish, it, length);
        was_rejected = true;
        *length *= status != CAROM_OK ? 0.25
                   : !is_resolved     ? 0.5
                                      : fmin(0.9, carom_control_factor(flow, error));
        carom_hybrid_set_rows(h);
    }
    return too_short(h, wish, it, length);
}

// a force that the dense output saw vanish, but that is there on the true step: it has a pole
static carom_status is_mistaken(carom_hybrid *h, const carom_crossing *it, bool *is)
{
    double value, slope;
    *is = false;
    if (it->kind != CAROM_CROSS_RELEASE || h->memory.contact.mode[it->contact] != CAROM_MODE_SLIDE)
        return CAROM_OK;
    CAROM_TRY(carom_watch_end(h, it, &value, &slope));
    *is = fabs(value) > pole_share * fabs(h->seen.sample[CAROM_WATCH_FUNCTIONS * it->contact]) &&
          fabs(value) > 1e-9 * h->seen.force_scale;
    return CAROM_OK;
}

// the event is now
static carom_status stay_at_event(carom_hybrid *h, double wish)
{
    carom_flow_copy(h->flow, &h->now, &h->next);
    h->flow->h = 0;
    h->memory.h = wish;
    return CAROM_OK;
}

// a shorter one, that is as good
static carom_status cut_step(carom_hybrid *h, double length)
{
    double error;
    return h->flow->solver->step(h->flow, &h->now, length, &h->next, &error);
}

// a good step, cut at the first crossing
static carom_status find_end(carom_hybrid *h, carom_crossing *it, double length)
{
    const double wish = h->memory.h;
    for (int k = 0; k < MOST_ATTEMPTS; k++) {
        bool is_wrong = false;
        CAROM_TRY(take_step(h, it, &length));
        if (it->contact < 0 || it->kind == CAROM_CROSS_JAM) return CAROM_OK;
        carom_hybrid_set_rows(h);
        if (it->x == 0) return stay_at_event(h, wish);
        if (it->kind == CAROM_CROSS_FEATURE) return cut_step(h, it->x * length);
        CAROM_TRY(locate_event(h, it, length));
        CAROM_TRY(is_mistaken(h, it, &is_wrong));
        if (!is_wrong) return CAROM_OK;
        length *= 0.25;
        carom_hybrid_set_rows(h);
        if (length < 64 * DBL_EPSILON * fabs(h->now.t)) break;
    }
    return too_short(h, wish, it, &length);
}

carom_status carom_hybrid_advance(carom_hybrid *h, carom_crossing *it)
{
    double length = fmin(h->s->h, h->memory.h);
    *it = (carom_crossing){.contact = -1};
    if (!(length > 0)) {
        carom_flow_copy(h->flow, &h->now, &h->next);
        h->flow->h = 0;
        h->s->report.h_used = 0;
        return CAROM_OK;
    }
    CAROM_TRY(find_end(h, it, length));
    // drift does not add up; an implicit solver needs its velocities as they are
    bool is_held = false;
    for (int r = 0; r < h->s->size.n_row; r++) is_held |= h->flow->rows.is_held[r];
    if (is_held)
        CAROM_TRY(carom_flow_project(h->flow, &h->next, true, !h->flow->solver->is_implicit));
    h->memory.h = fmin(h->memory.h, h->max_step);
    h->next.t = h->now.t + h->flow->h;
    h->s->report.h_used = h->flow->h;
    return CAROM_OK;
}
