// SPDX-License-Identifier: Apache-2.0
// Contacts of shapes keep their features for a step (model/touch): a corner over a face, two edges.
// Where the features change, the step ends. Along the step, as far as its first event, is asked
//
//     does a closed contact still touch with the features that it has?
//     does anything overlap that is in no slot?
//     is a gap that closes one of features that are there?
//
// and between two samples the place is found by halving, to the last digits. The step is cut right
// behind it; the next one finds other features, and what has become of the contacts is decided at
// its start like at any event.
#include "hybrid/hybrid.h"
#include "model/plan.h"
#include "model/slots/slots.h"

#include <math.h>
#include <string.h>

enum { SAMPLES = 6, HALVINGS = 60 };

/// What is asked at one point.
typedef struct look {
    bool is_right;
    int contact; // that the change belongs to, if any
} look;

static bool is_near_slot(const carom_hybrid *h, int c)
{
    return carom_plan_contact(h->s->plan, c)->is_near;
}

// at a point of the model; closing: a contact whose gap is zero there, or -1
static carom_status look_at(carom_hybrid *h, const carom_point *at, int closing, look *is)
{
    const int n = h->s->size.n_contact;
    unsigned char *is_there = h->seen.has_features;
    bool is_missed = false;
    memset(is_there, 1, (size_t)n);
    CAROM_TRY(carom_plan_check_slots(h->s->plan, at, is_there, &is_missed, h->s->error));
    *is = (look){!is_missed, -1};
    for (int c = 0; c < n; c++) {
        if (is_there[c] || !(carom_hybrid_is_closed(h, c) || c == closing)) continue;
        *is = (look){false, c};
        break;
    }
    return CAROM_OK;
}

static carom_status look_inside(carom_hybrid *h, double x, int closing, look *is)
{
    carom_flow *flow = h->flow;
    CAROM_TRY(flow->solver->search(flow, x, h->seen.q, h->seen.u));
    const carom_point at = {.t = flow->from.t + x * flow->h, .q = h->seen.q, .u = h->seen.u};
    return look_at(h, &at, closing, is);
}

// right at a, not right at b: where that changes
static carom_status halve(carom_hybrid *h, double a, double b, int closing, carom_crossing *first)
{
    look is;
    int contact = first->contact;
    for (int k = 0; k < HALVINGS; k++) {
        const double x = 0.5 * (a + b);
        if (!(x > a && x < b)) break;
        CAROM_TRY(look_inside(h, x, closing, &is));
        if (is.is_right) {
            a = x;
        } else {
            b = x;
            contact = is.contact;
        }
    }
    *first = (carom_crossing){.contact = contact >= 0 ? contact : h->s->size.n_contact,
                              .kind = CAROM_CROSS_FEATURE,
                              .x = b};
    return CAROM_OK;
}

carom_status carom_features_watch_step(carom_hybrid *h, carom_crossing *first)
{
    if (!carom_plan_has_features(h->s->plan)) return CAROM_OK;
    const double end = first->contact >= 0 ? first->x : 1;
    const bool is_closing =
        first->contact >= 0 && first->kind == CAROM_CROSS_CLOSE && is_near_slot(h, first->contact);
    double before = 0;
    if (!(end > 0)) return CAROM_OK;
    for (int k = 1; k <= SAMPLES; k++) {
        const double x = fmin(end, k / (double)SAMPLES);
        const int closing = is_closing && x == end ? first->contact : -1;
        look is;
        CAROM_TRY(look_inside(h, x, closing, &is));
        if (!is.is_right) {
            first->contact = is.contact;
            return halve(h, before, x, closing, first);
        }
        before = x;
        if (x == end) break;
    }
    return CAROM_OK;
}

carom_status carom_features_hide_absent(carom_hybrid *h)
{
    const int n = h->s->size.n_contact;
    bool is_asked = false;
    look is;
    if (!carom_plan_has_features(h->s->plan)) return CAROM_OK;
    for (int c = 0; c < n; c++)
        is_asked |= is_near_slot(h, c) && !carom_hybrid_is_closed(h, c) &&
                    h->seen.gap[c] <= carom_hybrid_zero_gap(h, c);
    if (!is_asked) return CAROM_OK;
    const carom_point at = {.t = h->next.t, .q = h->next.q, .u = h->next.u};
    CAROM_TRY(look_at(h, &at, -1, &is));
    for (int c = 0; c < n; c++)
        if (!h->seen.has_features[c] && !carom_hybrid_is_closed(h, c)) h->seen.gap[c] = INFINITY;
    return CAROM_OK;
}

carom_status carom_features_meet_change(carom_hybrid *h, int contact)
{
    const carom_point at = {.t = h->next.t, .q = h->next.q, .u = h->next.u};
    look is;
    CAROM_TRY(look_at(h, &at, -1, &is));
    for (int c = 0; c < h->s->size.n_contact; c++)
        if ((!h->seen.has_features[c] || c == contact) && carom_hybrid_is_closed(h, c))
            carom_hybrid_send_event(h, CAROM_EDGE, c);
    return CAROM_OK;
}

double carom_features_missed_rate(const carom_hybrid *h, int c)
{
    const carom_sparse *W = &h->seen.ev->rows.W;
    const int r = carom_plan_contact(h->s->plan, c)->row;
    double sum = 0;
    if (!h->memory.contact.is_new[c]) return 0;
    for (int k = W->start[r]; k < W->start[r + 1]; k++)
        sum += fabs(W->value[k]) * carom_flow_tolerated_u(h->flow, &h->next, W->index[k]);
    return 10 * sum;
}
