// SPDX-License-Identifier: Apache-2.0
// Switches of the forces: conditions, sign, step, abs, min, max and points of linear tables of the
// state. Between events every switch k stays in one piece of its function s(t, q, u), and the
// forces are those of that piece also beyond its ends (carom_plan_hold). The event function is
//
//     f = min(s - low, high - s)          positive inside the piece
//
// Where s reaches an end, the motion a little later tells what comes:
//
//     s goes on in the piece beyond       that piece
//     s turns back in the piece before    stays (it only touched)
//     neither: both sides push it back    the motion would have to slide along the switch, which
//                                         only laws of friction can say: an error
#include "hybrid/hybrid.h"

#include "model/model.h"

#include <float.h>
#include <math.h>

enum { N = CAROM_WATCH_SAMPLES, MOST_PASSES = 100 };
static const double noise_share = 1e-12; // of the largest |s| so far
static const double ahead = 1e-3;        // of a step: how far ahead to look
static const double quiet = 64 * DBL_EPSILON;

static const carom_switch *switch_at(const carom_hybrid *h, int k)
{
    return &h->s->model->switches[k];
}

// the event function of switch k where its function has the value s
static double switch_value(const carom_hybrid *h, int k, double s)
{
    double low, high;
    carom_switch_ends(switch_at(h, k), h->memory.sides.piece[k], &low, &high);
    return fmin(s - low, high - s);
}

static double noise_of(const carom_hybrid *h, int k)
{
    return noise_share * h->memory.sides.scale[k];
}

static carom_status ask_switches(carom_hybrid *h, double t, const double *q, const double *u)
{
    const carom_point at = {.t = t, .q = q, .u = u, .holds = h->s->holds};
    return carom_model_eval(h->s->plan, &at, CAROM_SWITCHES, h->seen.ev, h->s->error);
}

bool carom_sides_are_memory(const carom_hybrid *h)
{
    for (int k = 0; k < h->s->size.n_switch; k++) {
        const carom_switch *it = switch_at(h, k);
        const double piece = h->memory.sides.piece[k],
                     far = 1e15; // beyond, they are not whole numbers
        const double low = it->period > 0 ? -far : 0, high = it->period > 0 ? far : it->n_place;
        if (!(piece >= low && piece <= high) || piece != floor(piece) ||
            !(h->memory.sides.scale[k] >= 0))
            return false;
    }
    return true;
}

void carom_sides_set_forces(carom_hybrid *h)
{
    double *side = carom_plan_sides(h->s->plan);
    for (int k = 0; k < h->s->size.n_switch; k++) {
        const carom_switch *it = switch_at(h, k);
        double low, high;
        carom_switch_ends(it, h->memory.sides.piece[k], &low, &high);
        const bool is_table = it->n_place > 1;
        side[k] = !is_table         ? h->memory.sides.piece[k]
                  : !isfinite(low)  ? high - 1
                  : !isfinite(high) ? low + 1
                                    : 0.5 * (low + high);
    }
}

static double piece_of(const carom_hybrid *h, int k, double s)
{
    double low, high;
    const double piece = carom_switch_piece(switch_at(h, k), s);
    carom_switch_ends(switch_at(h, k), piece, &low, &high);
    return high > low ? piece : carom_switch_neighbour(switch_at(h, k), piece, true);
}

// how s moves a little later from next in a piece
static carom_status find_drift(carom_hybrid *h, int k, double piece, double s, double *change)
{
    const carom_sizes n = h->s->size;
    const double dt = ahead * h->memory.h;
    h->memory.sides.piece[k] = piece;
    carom_sides_set_forces(h);
    carom_flow_copy(h->flow, &h->next, &h->event.probe.motion);
    CAROM_TRY(h->flow->solver->start(h->flow, &h->event.probe.motion));
    for (int i = 0; i < n.nu; i++)
        h->event.probe.u[i] = h->event.probe.motion.u[i] + 0.5 * dt * h->event.probe.motion.a[i];
    carom_model_move(h->s->model, h->event.probe.motion.q, h->event.probe.u, dt, h->event.probe.q);
    for (int i = 0; i < n.nu; i++)
        h->event.probe.u[i] = h->event.probe.motion.u[i] + dt * h->event.probe.motion.a[i];
    CAROM_TRY(ask_switches(h, h->event.probe.motion.t + dt, h->event.probe.q, h->event.probe.u));
    *change = h->seen.ev->switches[k] - s;
    return CAROM_OK;
}

static carom_status refuse_sliding(carom_hybrid *h, int k)
{
    char text[200];
    carom_model_switch_text(h->s->model, k, text, sizeof text);
    return carom_fail(h->s->error, CAROM_NOT_CONVERGED,
                      "at t = %.9g both sides of the switch at %s push the motion back to it: it "
                      "would slide along the switch (friction that is written as a force? write it "
                      "as a contact with friction, or make the switch smooth)",
                      h->next.t, text);
}

// what comes where s lies between two pieces; preferred: one of them
static carom_status decide_piece(carom_hybrid *h, int k, double down, double up, double preferred)
{
    double s, falls, rises;
    CAROM_TRY(ask_switches(h, h->next.t, h->next.q, h->next.u));
    s = h->seen.ev->switches[k];
    CAROM_TRY(find_drift(h, k, down, s, &falls));
    CAROM_TRY(find_drift(h, k, up, s, &rises));
    const double still = quiet * h->memory.sides.scale[k];
    const bool goes_up = rises >= -still, goes_down = falls <= still;
    if (!goes_up && !goes_down) return refuse_sliding(h, k);
    h->memory.sides.piece[k] = goes_up && goes_down ? preferred : goes_up ? up : down;
    carom_sides_set_forces(h);
    return CAROM_OK;
}

// the end of its piece that s is nearer to
static carom_status decide_at_end(carom_hybrid *h, int k, double s, bool has_crossed)
{
    double low, high;
    const carom_switch *it = switch_at(h, k);
    const double piece = h->memory.sides.piece[k];
    carom_switch_ends(it, piece, &low, &high);
    const bool is_up = high - s < s - low;
    const double beyond = carom_switch_neighbour(it, piece, is_up);
    return decide_piece(h, k, is_up ? piece : beyond, is_up ? beyond : piece,
                        has_crossed ? beyond : piece);
}

carom_status carom_sides_begin(carom_hybrid *h)
{
    const int n = h->s->size.n_switch;
    if (n == 0) return CAROM_OK;
    CAROM_TRY(ask_switches(h, h->next.t, h->next.q, h->next.u));
    for (int k = 0; k < n; k++) {
        const double s = h->seen.ev->switches[k];
        h->memory.sides.scale[k] = fmax(h->memory.sides.scale[k], fabs(s));
        h->memory.sides.piece[k] = piece_of(h, k, s);
    }
    carom_sides_set_forces(h);
    for (int k = 0; k < n; k++) {
        CAROM_TRY(ask_switches(h, h->next.t, h->next.q, h->next.u));
        const double s = h->seen.ev->switches[k];
        if (switch_value(h, k, s) <= noise_of(h, k)) CAROM_TRY(decide_at_end(h, k, s, false));
    }
    return CAROM_OK;
}

carom_status carom_sides_refresh_pieces(carom_hybrid *h)
{
    const int n = h->s->size.n_switch;
    if (n == 0) return CAROM_OK;
    CAROM_TRY(ask_switches(h, h->next.t, h->next.q, h->next.u));
    for (int k = 0; k < n; k++)
        if (switch_value(h, k, h->seen.ev->switches[k]) < -noise_of(h, k))
            h->memory.sides.piece[k] = piece_of(h, k, h->seen.ev->switches[k]);
    carom_sides_set_forces(h);
    return CAROM_OK;
}

carom_status carom_sides_cross_switch(carom_hybrid *h, int k)
{
    CAROM_TRY(ask_switches(h, h->next.t, h->next.q, h->next.u));
    return decide_at_end(h, k, h->seen.ev->switches[k], true);
}

static carom_status value_inside(carom_hybrid *h, int k, double x, double *f)
{
    carom_flow *flow = h->flow;
    CAROM_TRY(flow->solver->search(flow, x, h->seen.q, h->seen.u));
    CAROM_TRY(ask_switches(h, flow->from.t + x * flow->h, h->seen.q, h->seen.u));
    *f = switch_value(h, k, h->seen.ev->switches[k]);
    return CAROM_OK;
}

static carom_status take_samples(carom_hybrid *h)
{
    const int n = h->s->size.n_switch;
    carom_flow *flow = h->flow;
    for (int i = 0; i <= N; i++) {
        CAROM_TRY(flow->solver->search(flow, i / (double)N, h->seen.q, h->seen.u));
        CAROM_TRY(ask_switches(h, flow->from.t + i / (double)N * flow->h, h->seen.q, h->seen.u));
        for (int k = 0; k < n; k++) {
            const double s = h->seen.ev->switches[k];
            if (isfinite(s)) h->memory.sides.scale[k] = fmax(h->memory.sides.scale[k], fabs(s));
            h->seen.switches[k * (N + 1) + i] = switch_value(h, k, s);
        }
    }
    return CAROM_OK;
}

bool carom_sides_are_shown(const double *f)
{
    for (int i = 1; i < N; i++) {
        const double bend = f[i - 1] - 2 * f[i] + f[i + 1];
        if (f[i] > 0 && f[i] <= f[i - 1] && f[i] <= f[i + 1] && f[i] < 0.25 * bend) return false;
    }
    return true;
}

carom_status carom_sides_search_zero(carom_hybrid *h, carom_inside *inside, int k, const double *f,
                                     int i, double *x)
{
    double a = (i - 1.) / N, fa = f[i - 1], b = i / (double)N, fb = f[i];
    if (!(fa > 0)) fa = -fb;
    for (int pass = 0; pass < MOST_PASSES && b - a > 4 * DBL_EPSILON * b; pass++) {
        double middle = (a * fb - b * fa) / (fb - fa), value;
        if (pass % 3 == 2 || !(middle > a && middle < b)) middle = 0.5 * (a + b);
        if (!(middle > a && middle < b)) break;
        CAROM_TRY(inside(h, k, middle, &value));
        if (value > 0) {
            a = middle;
            fa = value;
        } else {
            b = middle;
            fb = value;
            if (value == 0) break;
        }
    }
    *x = b;
    return CAROM_OK;
}

carom_status carom_sides_watch_step(carom_hybrid *h, carom_crossing *first, bool *is_resolved)
{
    const int n = h->s->size.n_switch;
    if (n == 0) return CAROM_OK;
    CAROM_TRY(take_samples(h));
    for (int k = 0; k < n; k++) {
        const double *f = h->seen.switches + k * (N + 1), most = first->contact < 0 ? 1 : first->x;
        int i = 1;
        while (i <= N && !(f[i] < -noise_of(h, k))) i++;
        if (i > N) *is_resolved &= carom_sides_are_shown(f);
        if (i > N || (i - 1.) / N >= most) continue;
        double x, low, high;
        CAROM_TRY(carom_sides_search_zero(h, value_inside, k, f, i, &x));
        if (x >= most) continue;
        const double after = fmin(1, x + 1e-4), before = fmax(0, x - 1e-4);
        CAROM_TRY(value_inside(h, k, before, &low));
        CAROM_TRY(value_inside(h, k, after, &high));
        *first = (carom_crossing){.contact = h->s->size.n_contact + k,
                                  .kind = CAROM_CROSS_SWITCH,
                                  .x = x,
                                  .slope = (high - low) / ((after - before) * h->flow->h)};
    }
    return CAROM_OK;
}

carom_status carom_sides_end(carom_hybrid *h, const carom_crossing *it, double *value,
                             double *slope)
{
    const carom_motion *to = &h->flow->to;
    const int k = it->contact - h->s->size.n_contact;
    CAROM_TRY(ask_switches(h, to->t, to->q, to->u));
    *value = switch_value(h, k, h->seen.ev->switches[k]);
    *slope = it->slope;
    return CAROM_OK;
}
