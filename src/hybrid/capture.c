// SPDX-License-Identifier: Apache-2.0
// Events inside a smooth step of event_capturing: looked for in 12 places of its dense output, and
// in dips between them, enclosed by halving, and kept in front of the step's true end. Forces of
// held contacts are looked at in 4 places.
#include "hybrid/capture.h"

#include "model/model.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { N_SAMPLE = 12, EVERY_FORCE = 3, MOST_HALVINGS = 40, MOST_CORRECTIONS = 5 };
static const double ROUNDING = 64 * DBL_EPSILON;
static const double NEARBY = 1e-3; // of a smooth step: to which dense output knows events
static const double SHORT = 1e-3;  // a nonsmooth step over a smooth one, at most

// ---- what counts as nothing ----

// Gaps and rates at ev[2] within which a contact touches and rests. Flights that rounding would not
// show are none.
void carom_capture_find_slack(const carom_step *s, const carom_trial *it)
{
    const carom_capture *self = s->self;
    const carom_flow *flow = self->flow;
    const carom_sparse *W = &s->ev[2]->rows.W;
    for (int c = 0; c < s->size.n_contact; c++) {
        const int r = carom_capture_row(s, c);
        double gap = 0, rate = 0, pull = 0, size = 0;
        for (int k = W->start[r]; k < W->start[r + 1]; k++) {
            const int i = W->index[k];
            const double w = fabs(W->value[k]);
            gap += w * carom_flow_tolerated_q(flow, &it->from, i);
            rate += w * carom_flow_tolerated_u(flow, &it->from, i);
            pull += w * fmax(fabs(it->from.a[i]), flow->reach[i]);
            size += w * carom_model_size_along(s->model, it->from.q, i);
        }
        self->slack[c] = it->eta * gap;
        self->slow[c] = fmax(it->eta * rate, sqrt(2 * pull * ROUNDING * size));
    }
}

void carom_capture_find_times(const carom_step *s, carom_trial *it)
{
    const carom_flow *flow = ((const carom_capture *)s->self)->flow;
    const double longest = it->h, least = 64 * DBL_EPSILON * fmax(fabs(it->from.t), s->end);
    double soon = SHORT * longest, fall = longest;
    for (int i = 0; i < s->size.nu; i++) {
        const double q = it->eta * carom_flow_tolerated_q(flow, &it->from, i);
        const double u = it->eta * carom_flow_tolerated_u(flow, &it->from, i);
        const double rate = fabs(it->from.u[i]), a = fmax(fabs(it->from.a[i]), flow->reach[i]);
        if (rate > 0) soon = fmin(soon, q / rate);
        if (a > 0) soon = fmin(soon, u / a);
        if (a > 0) fall = fmin(fall, sqrt(2 * q / a));
    }
    it->k =
        fmin(longest, fmax(soon, least)); // what is held has accelerations that it does not show
    it->tau = fmax(it->k, fall);
}

carom_status carom_capture_look_at(carom_step *s, double t, const double *q, const double *u)
{
    const carom_point at = {.t = t, .q = q, .u = u, .holds = s->holds};
    ((carom_capture *)s->self)->flow->cost.G++;
    return carom_plan_ask(s->plan, &at, CAROM_CAPTURE_LOOK, s->ev[2], s->error);
}

// ---- events inside a smooth step ----

// whether a contact that is not held has entered, at the place last looked at
static bool has_entered(const carom_step *s)
{
    const carom_capture *self = s->self;
    const carom_eval_gaps *g = &s->ev[2]->gaps;
    for (int c = 0; c < s->size.n_contact; c++)
        if (!carom_capture_holds(self->flow, c) && g->value[c] < 0 && g->rate[c] < -self->slow[c])
            return true;
    return false;
}

// whether a held one pulls
static bool has_pull(const carom_step *s, const double *la, double largest)
{
    const carom_capture *self = s->self;
    for (int c = 0; c < s->size.n_contact; c++) {
        const int r = carom_capture_row(s, c);
        if (carom_capture_holds(self->flow, c) &&
            la[r] < -CAROM_CAPTURE_WEAK * fmax(largest, fabs(la[r])))
            return true;
    }
    return false;
}

double carom_capture_largest(const carom_step *s, const double *la)
{
    double most = 0;
    for (int c = 0; c < s->size.n_contact; c++)
        most = fmax(most, fabs(la[carom_capture_row(s, c)]));
    return most;
}

// whether something has happened by x of the last smooth step; forces are looked at if asked for
static carom_status look_inside(carom_step *s, const carom_trial *it, double x, bool forces,
                                bool *is_it, bool *is_release)
{
    carom_capture *self = s->self;
    carom_flow *flow = self->flow;
    const carom_work_room *at = &self->room;
    const double t = it->from.t + x * it->h;
    CAROM_TRY(flow->solver->search(flow, x, at->q, at->u));
    CAROM_TRY(carom_capture_look_at(s, t, at->q, at->u));
    *is_it = has_entered(s);
    *is_release = false;
    if (*is_it || !forces) return CAROM_OK;
    CAROM_TRY(carom_flow_accelerate(flow, t, at->q, at->u, at->a, at->la));
    *is_it = *is_release = has_pull(s, at->la, carom_capture_largest(s, it->from.la));
    return CAROM_OK;
}

// the sample that has been looked at becomes the last, and the last the one before
static void keep_sample(const carom_step *s)
{
    const carom_capture *self = s->self;
    const int n = s->size.n_contact;
    memcpy(self->gap + n, self->gap, sizeof(double) * (size_t)n);
    memcpy(self->rate + n, self->rate, sizeof(double) * (size_t)n);
    memcpy(self->gap, s->ev[2]->gaps.value, sizeof(double) * (size_t)n);
    memcpy(self->rate, s->ev[2]->gaps.rate, sizeof(double) * (size_t)n);
}

// whether a gap may have dipped below zero between the last two samples, dt apart: it fell, now it
// rises, and the tangents meet below zero
static bool may_dip(const carom_step *s, int c, double dt)
{
    const carom_capture *self = s->self;
    const int n = s->size.n_contact;
    const double g0 = self->gap[n + c], r0 = self->rate[n + c];
    const double g1 = self->gap[c], r1 = self->rate[c];
    if (carom_capture_holds(self->flow, c) || !(r0 < -self->slow[c] && r1 > 0)) return false;
    return g0 + r0 * (g1 - g0 - r1 * dt) / (r0 - r1) < 0;
}

// searches such a dip for a place where the contact enters, by the sign of its rate
static carom_status search_dips(carom_step *s, const carom_trial *it, double low, double *high,
                                bool *is_it)
{
    const carom_capture *self = s->self;
    for (int c = 0; c < s->size.n_contact && !*is_it; c++) {
        if (!may_dip(s, c, (*high - low) * it->h)) continue;
        double left = low, right = *high;
        for (int i = 0; i < MOST_HALVINGS && (right - left) * it->h > it->k && !*is_it; i++) {
            const double x = 0.5 * (left + right), t = it->from.t + x * it->h;
            CAROM_TRY(self->flow->solver->search(self->flow, x, self->room.q, self->room.u));
            CAROM_TRY(carom_capture_look_at(s, t, self->room.q, self->room.u));
            *is_it = has_entered(s);
            if (*is_it) *high = x;
            *(s->ev[2]->gaps.rate[c] < 0 ? &left : &right) = x;
        }
    }
    return CAROM_OK;
}

// the first sample at which something has happened
static carom_status find_sample(carom_step *s, carom_trial *it, bool forces, double *low,
                                double *high)
{
    bool is_it = false;
    it->x = INFINITY;
    for (int i = 0; i <= N_SAMPLE && !is_it; i++) {
        *low = *high;
        *high = (double)i / N_SAMPLE;
        const bool is_asked = forces && i % EVERY_FORCE == 0;
        CAROM_TRY(look_inside(s, it, *high, is_asked, &is_it, &it->is_release));
        keep_sample(s);
        if (i > 0 && (!is_it || it->is_release)) {
            bool has_dip = false;
            CAROM_TRY(search_dips(s, it, *low, high, &has_dip));
            it->is_release &= !has_dip;
            is_it |= has_dip;
        }
    }
    if (!is_it) return CAROM_OK;
    it->x = *high;
    if (it->is_release) *low = fmax(0, *high - (double)EVERY_FORCE / N_SAMPLE);
    return CAROM_OK;
}

// where it has just not happened
carom_status carom_capture_find_event(carom_step *s, carom_trial *it)
{
    const carom_capture *self = s->self;
    bool forces = false, is_it, is_release;
    for (int c = 0; c < s->size.n_contact; c++) forces |= carom_capture_holds(self->flow, c);
    double low = 0, high = 0;
    CAROM_TRY(find_sample(s, it, forces, &low, &high));
    if (it->x > 1) return CAROM_OK;
    for (int i = 0; i < MOST_HALVINGS && (high - low) * it->h > 0.25 * it->k; i++) {
        const double x = 0.5 * (low + high);
        CAROM_TRY(look_inside(s, it, x, forces, &is_it, &is_release));
        if (is_it) it->is_release = is_release;
        *(is_it ? &high : &low) = x;
    }
    it->x = low;
    return CAROM_OK;
}

// how long until the first contact enters, at the rates that were last looked at
static double time_left(const carom_step *s)
{
    const carom_capture *self = s->self;
    const carom_eval_gaps *g = &s->ev[2]->gaps;
    double least = INFINITY;
    for (int c = 0; c < s->size.n_contact; c++) {
        if (carom_capture_holds(self->flow, c) || !(g->rate[c] < -self->slow[c])) continue;
        least = fmin(least, g->value[c] / -g->rate[c]);
    }
    return least;
}

// A smooth step to k/2 before the event. Dense output does not know so exactly when that is: the
// true step says how far it is still.
carom_status carom_capture_cut_step(carom_step *s, carom_trial *it)
{
    carom_flow *flow = ((carom_capture *)s->self)->flow;
    const double whole = it->h;
    double length = it->x * whole, error;
    for (int i = 0; i < MOST_CORRECTIONS; i++) {
        CAROM_TRY(flow->solver->step(flow, &it->from, length, &it->to, &error));
        it->h = length;
        if (it->is_release) return CAROM_OK;
        CAROM_TRY(carom_capture_look_at(s, it->to.t, it->to.q, it->to.u));
        const double left = time_left(s) - 0.5 * it->k;
        // one that comes in so slowly that it would be far is touching
        if (fabs(left) <= 0.5 * it->k || !(fabs(left) <= NEARBY * whole)) return CAROM_OK;
        const double better = fmin(whole, fmax(0.1 * length, length + left));
        if (better == length) return CAROM_OK;
        length = better;
    }
    return CAROM_OK;
}
