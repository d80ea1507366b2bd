// SPDX-License-Identifier: Apache-2.0
// An open contact whose gap touches 0 where its direction vanishes, like x^2 at x = 0: the gap does
// not change its sign, so that no crossing is found, and nothing could hold it. Between samples in
// which the gap rate turns from closing to opening the place of the turn is found by halving; there
// a gap of 0 with a direction of 0 is an error.
#include "hybrid/hybrid.h"

#include <math.h>

enum { N = CAROM_WATCH_SAMPLES, HALVINGS = 45 };
static const double zero_gap = 1e-8, zero_direction = 1e-3; // of those at the sample before

// a gap inside the step: itself, its rate, the length of its direction
typedef struct glance {
    double gap, rate, length;
} glance;

static carom_status look_at(carom_hybrid *h, int c, double x, glance *it)
{
    carom_flow *flow = h->flow;
    const int r = carom_plan_contact(h->s->plan, c)->row;
    CAROM_TRY(flow->solver->search(flow, x, h->seen.q, h->seen.u));
    CAROM_TRY(carom_hybrid_glance_at(h, flow->from.t + x * flow->h, h->seen.q, h->seen.u));
    const carom_sparse *W = &h->seen.ev->rows.W;
    *it = (glance){.gap = h->seen.gap[c], .rate = h->seen.gamma[r]};
    for (int k = W->start[r]; k < W->start[r + 1]; k++) it->length += W->value[k] * W->value[k];
    it->length = sqrt(it->length);
    return CAROM_OK;
}

// the gap turns between samples k - 1 and k; whether it vanishes there with its direction
static carom_status look_between(carom_hybrid *h, int c, int k, double *place, bool *vanishes)
{
    double closing = (k - 1.) / N, opening = k / (double)N;
    glance before, it;
    CAROM_TRY(look_at(h, c, closing, &before));
    it = before;
    for (int pass = 0; pass < HALVINGS; pass++) {
        *place = 0.5 * (closing + opening);
        CAROM_TRY(look_at(h, c, *place, &it));
        *(it.rate < 0 ? &closing : &opening) = *place;
    }
    *vanishes =
        fabs(it.gap) <= zero_gap * before.gap && it.length <= zero_direction * before.length;
    return CAROM_OK;
}

// whether a gap can touch 0 between samples k - 1 and k: it cannot fall faster than its rates say,
// up to a factor
static bool may_touch(const carom_hybrid *h, int c, int k)
{
    const int n = h->s->size.n_contact, a = (k - 1) * n + c, b = k * n + c;
    const double *rate = h->seen.rate, *gap = h->seen.sample;
    if (!(rate[a] < 0 && rate[b] >= 0)) return false;
    const double low = fmin(gap[a * CAROM_WATCH_FUNCTIONS], gap[b * CAROM_WATCH_FUNCTIONS]);
    return low >= 0 && low <= h->flow->h / N * fmax(-rate[a], rate[b]);
}

carom_status carom_graze_check(carom_hybrid *h, double most)
{
    for (int c = 0; c < h->s->size.n_contact; c++) {
        if (h->seen.watched[c * CAROM_WATCH_FUNCTIONS].contact < 0 || carom_hybrid_is_closed(h, c))
            continue;
        for (int k = 1; k <= N && (k - 1.) / N < most; k++) {
            bool vanishes = false;
            double place = 0;
            if (may_touch(h, c, k)) CAROM_TRY(look_between(h, c, k, &place, &vanishes));
            if (vanishes && place < most)
                return carom_fail(
                    h->s->error, CAROM_BAD_INPUT,
                    "contact '%s' closes at t = %.9g where all derivatives of its gap are 0: it "
                    "has no direction there and nothing can hold it (write a gap that changes its "
                    "sign at the obstacle: x, not x^2)",
                    carom_plan_contact(h->s->plan, c)->name, h->flow->from.t + place * h->flow->h);
        }
    }
    return CAROM_OK;
}
