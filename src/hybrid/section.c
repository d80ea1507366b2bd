// SPDX-License-Identifier: Apache-2.0
// A section: a record entry s(t, q, u) whose zeros end steps, for Poincare maps. The motion takes
// no notice of them. With the side that the motion is on, +1 or -1, the event function is
//
//     f = side s          positive until the section is crossed
//
// A motion that starts on the section takes the side that it leaves to. A jump of the velocities
// may throw it to the other side, which is no crossing: the side is read again at the start of each
// step, except right behind a crossing, where s is zero but for rounding.
#include "hybrid/hybrid.h"

#include "model/model.h"

#include <math.h>

enum { N = CAROM_WATCH_SAMPLES };
static const double noise_share = 1e-12; // of the largest |s| so far
static const double nearby = 1e-4;       // of a step, for a slope

static carom_status ask(carom_hybrid *h, double t, const double *q, const double *u, double *s)
{
    const carom_point at = {.t = t, .q = q, .u = u, .holds = h->s->holds};
    CAROM_TRY(carom_model_eval(h->s->plan, &at, CAROM_RECORD, h->seen.ev, h->s->error));
    *s = h->seen.ev->record[h->s->section - 1];
    return CAROM_OK;
}

static carom_status value_inside(carom_hybrid *h, int which, double x, double *f)
{
    carom_flow *flow = h->flow;
    (void)which; // there is one
    CAROM_TRY(flow->solver->search(flow, x, h->seen.q, h->seen.u));
    CAROM_TRY(ask(h, flow->from.t + x * flow->h, h->seen.q, h->seen.u, f));
    *f *= h->section.side;
    return CAROM_OK;
}

static bool is_beside(const carom_hybrid *h, double s)
{
    return fabs(s) > noise_share * h->section.scale;
}

// values along the step, from the side that it starts on
static carom_status take_samples(carom_hybrid *h)
{
    carom_hybrid_section *it = &h->section;
    const double was = it->side;
    it->side = 1; // plain values
    for (int i = 0; i <= N; i++) {
        CAROM_TRY(value_inside(h, 0, i / (double)N, &it->sample[i]));
        if (isfinite(it->sample[i])) it->scale = fmax(it->scale, fabs(it->sample[i]));
    }
    it->side = was;
    if (!it->has_crossed && is_beside(h, it->sample[0])) it->side = it->sample[0] > 0 ? 1 : -1;
    for (int i = 0; i <= N && it->side == 0; i++)
        if (is_beside(h, it->sample[i])) it->side = it->sample[i] > 0 ? 1 : -1;
    for (int i = 0; i <= N; i++) it->sample[i] *= it->side;
    return CAROM_OK;
}

carom_status carom_section_watch_step(carom_hybrid *h, carom_crossing *first, bool *is_resolved)
{
    const double *f = h->section.sample, most = first->contact < 0 ? 1 : first->x;
    CAROM_TRY(take_samples(h));
    int i = 1;
    while (i <= N && !(f[i] < 0 && is_beside(h, f[i]))) i++;
    if (i > N) *is_resolved &= carom_sides_are_shown(f);
    if (i > N || (i - 1.) / N >= most) return CAROM_OK;
    double x, low, high;
    CAROM_TRY(carom_sides_search_zero(h, value_inside, 0, f, i, &x));
    if (x >= most) return CAROM_OK;
    const double after = fmin(1, x + nearby), before = fmax(0, x - nearby);
    CAROM_TRY(value_inside(h, 0, before, &low));
    CAROM_TRY(value_inside(h, 0, after, &high));
    *first = (carom_crossing){.contact = h->s->size.n_contact + h->s->size.n_switch,
                              .kind = CAROM_CROSS_SECTION,
                              .x = x,
                              .slope = (high - low) / ((after - before) * h->flow->h)};
    return CAROM_OK;
}

carom_status carom_section_end(carom_hybrid *h, const carom_crossing *it, double *value,
                               double *slope)
{
    const carom_motion *to = &h->flow->to;
    CAROM_TRY(ask(h, to->t, to->q, to->u, value));
    *value *= h->section.side;
    *slope = it->slope;
    return CAROM_OK;
}

void carom_section_meet(carom_hybrid *h, bool is_met)
{
    carom_hybrid_section *it = &h->section;
    if (is_met) {
        h->s->report.crossed = it->side > 0 ? -1 : 1;
        it->side = -it->side;
    }
    it->has_crossed = is_met;
}
