// SPDX-License-Identifier: Apache-2.0
// How nearly a motion meets contacts that stay open: the smallest gap where one turns from closing
// to opening inside a step, on the step's own polynomial. At 0 it grazes. One that has just been
// left has the gap 0 and a rate that is rounding: it turns nowhere.
#include "tangent/tangent.h"

#include <math.h>

enum { HALVINGS = 60 };
static const double left_just_now = 1e-9; // of the way in the step: a gap at its start

// gap and gap rate of contact c at x (0..1) of the last step
static carom_status look(carom_tangent *t, carom_hybrid *h, int c, double x, double *gap,
                         double *rate)
{
    carom_variation *v = t->v;
    carom_step *s = h->s;
    const int row = carom_plan_contact(s->plan, c)->row;
    CAROM_TRY(h->flow->solver->search(h->flow, x, v->point, v->velocity));
    const carom_point at = {
        .t = h->flow->from.t + x * h->flow->h, .q = v->point, .u = v->velocity, .holds = s->holds};
    CAROM_TRY(carom_model_eval(s->plan, &at, CAROM_LOOK, v->ev[1], s->error));
    carom_dynamics_rates(v->ev[1], v->velocity, v->r);
    *gap = v->ev[1]->gaps.value[c];
    *rate = v->r[row];
    return CAROM_OK;
}

carom_status carom_tangent_watch_gaps(carom_tangent *t, carom_hybrid *h)
{
    for (int c = 0; c < h->s->size.n_contact; c++) {
        double gap, start, first, last;
        if (carom_hybrid_is_closed(h, c)) continue;
        CAROM_TRY(look(t, h, c, 0, &start, &first));
        if (!isfinite(start) || !(first < 0)) continue;
        CAROM_TRY(look(t, h, c, 1, &gap, &last));
        if (!isfinite(gap) || !(last > 0)) continue;
        if (start <= left_just_now * last * h->flow->h) continue;
        double low = 0, high = 1;
        for (int k = 0; k < HALVINGS && high - low > 1e-15; k++) {
            const double x = 0.5 * (low + high);
            double rate;
            CAROM_TRY(look(t, h, c, x, &gap, &rate));
            *(rate < 0 ? &low : &high) = x;
        }
        t->least_gap = fmin(t->least_gap, gap);
    }
    return CAROM_OK;
}
