// SPDX-License-Identifier: Apache-2.0
// What comes later: steps whose length follows the motion so far would step over a blow that comes
// after a rest. Known from time alone are
//
//     breaks   where a law jumps or bends: points of tables of t and times in conditions. Steps end
//              there exactly. Times of functions that are affine in t are known; of others those
//              are found that lie between the samples of the run, or at an extremum beside them.
//     inputs   z(t), terms of the model's laws: pulses, vibrations, prescribed motions. A step over
//              a time t is at most  2 sqrt(range of z / |z''(t)|)  long, about half a period or the
//              width of a pulse, so that error estimates and searches for contacts see it.
//
// There are 2^14 samples of the run, fewer (2^10 at least) where the model has more than 256 nodes
// of time: what lasts four samples, 1/4096 of the run, is seen.
#include "expr/operation.h"
#include "model/model.h"
#include "sim/sim.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

enum { MOST_SAMPLES = 1 << 14, LEAST_SAMPLES = 1 << 10, MOST_WORK = 1 << 22, SEARCHES = 40 };
static const double input_share = 2;
static const double first_share = 1e-3;  // of the run: a step behind a jump
static const double same_time = 1e-12;   // as for points of the grid
static const double still_share = 1e-10; // of its values: an input that changes less is constant

// of the run
static double sample_time(const carom_schedule *s, int k)
{
    return s->from + k * s->dt;
}

static carom_break earlier(carom_break a, carom_break b)
{
    return b.t < a.t ? b : a;
}

carom_break carom_schedule_next(const carom_schedule *s, double t)
{
    carom_break next = {INFINITY, 0, 0};
    int low = 0, high = s->found.n;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (s->found.item[middle].t > t)
            high = middle;
        else
            low = middle + 1;
    }
    if (low < s->found.n) next = s->found.item[low];
    next = earlier(carom_clock_next(s->clock, t), next);
    // two at once to rounding are one
    return next.t <= t + next.rounding ? carom_schedule_next(s, next.t) : next;
}

// the break that t lies at
static bool is_at_break(const carom_schedule *s, double t, carom_break *at)
{
    const double before = t - same_time * fmax(fabs(t), s->dt);
    *at = carom_schedule_next(s, before);
    return at->t <= t + at->rounding;
}

double carom_schedule_cut(const carom_schedule *s, double t, double h)
{
    const double left = carom_schedule_next(s, t).t - t;
    carom_break at;
    if (left < h) h = left;
    if (is_at_break(s, t, &at) && at.order == 0) h = fmin(h, first_share * s->dt * s->n);
    for (int k = (int)fmin(s->n, fmax(0, (t - s->from) / s->dt));
         k <= s->n && sample_time(s, k) < t + h; k++)
        if (s->pace[k] < h) h = fmax(s->pace[k], sample_time(s, k - 1) - t);
    return h;
}

void carom_schedule_open(carom_sim *sim, double h)
{
    const carom_break next = carom_schedule_next(sim->schedule, sim->now.t);
    carom_break at;
    const bool is_at = is_at_break(sim->schedule, sim->now.t, &at);
    const double end = next.t - next.rounding;
    sim->s.is_anew = is_at && at.order <= 1;
    carom_plan_between(sim->s.plan, is_at ? at.t + at.rounding : -INFINITY,
                       sim->now.t + h >= end - next.rounding ? end : INFINITY);
}

void carom_schedule_close(carom_sim *sim)
{
    carom_plan_between(sim->s.plan, -INFINITY, INFINITY);
}

static double value_at(const carom_schedule *s, int node, double t)
{
    carom_clock_read(s->clock, t, s->value);
    return s->value[node];
}

static double piece_at(const carom_schedule *s, const carom_clock_switch *it, double t)
{
    return carom_switch_piece(&it->places, value_at(s, it->node, t));
}

// how far from a change of piece both sides are told apart in spite of rounding, that of the
// function and of the terms it is made of: far where it is slow
static double rounding_at(const carom_schedule *s, const carom_clock_switch *it, double t)
{
    const carom_clock_node *node = &s->clock->node[it->node];
    const double step = 1e-3 * s->dt;
    const double slope =
        fabs(value_at(s, it->node, t + step) - value_at(s, it->node, t - step)) / (2 * step);
    double size = fabs(value_at(s, it->node, t));
    for (int k = 0; k < carom_operation_arity(node->op); k++)
        size = fmax(size, fabs(s->value[node->child[k]]));
    const double d = slope > 0 ? 64 * DBL_EPSILON * size / slope : 0;
    return fmin(0.1 * s->dt, d + 8 * DBL_EPSILON * t) + DBL_MIN;
}

// all changes of piece from a to b, each to the last digit of its time
static bool locate_changes(carom_sim *sim, const carom_clock_switch *it, double a, double b)
{
    carom_schedule *s = sim->schedule;
    const double last = piece_at(s, it, b);
    double piece = piece_at(s, it, a);
    while (piece != last) {
        double low = a, high = b;
        for (;;) {
            const double middle = 0.5 * (low + high);
            if (!(middle > low && middle < high)) break;
            *(piece_at(s, it, middle) == piece ? &low : &high) = middle;
        }
        carom_break *made = CAROM_LIST_ADD(sim->arena, &s->found);
        if (!made) return false;
        *made = (carom_break){high, rounding_at(s, it, high), it->places.order};
        a = high + made->rounding;
        piece = piece_at(s, it, a);
        if (!(a < b)) break;
    }
    return true;
}

// an extremum of the function between a and b that may reach over a place and back
static bool search_extremum(carom_sim *sim, const carom_clock_switch *it, double a, double b,
                            double sign)
{
    static const double golden = 0.6180339887498949;
    const carom_schedule *s = sim->schedule;
    double low = a, high = b;
    for (int k = 0; k < SEARCHES; k++) {
        const double x = high - golden * (high - low), y = low + golden * (high - low);
        if (sign * value_at(s, it->node, x) > sign * value_at(s, it->node, y))
            high = y;
        else
            low = x;
    }
    const double middle = 0.5 * (low + high);
    return locate_changes(sim, it, a, middle) && locate_changes(sim, it, middle, b);
}

// f: the function at three samples, the last at t
static bool search_switch(carom_sim *sim, const carom_clock_switch *it, const double *f, double t)
{
    const double dt = sim->schedule->dt, bend = f[0] - 2 * f[1] + f[2];
    const double piece[] = {carom_switch_piece(&it->places, f[0]),
                            carom_switch_piece(&it->places, f[1]),
                            carom_switch_piece(&it->places, f[2])};
    if (piece[0] != piece[1]) return locate_changes(sim, it, t - 2 * dt, t - dt);
    const bool is_extremum = (f[1] - f[0]) * (f[2] - f[1]) <= 0 && bend != 0;
    if (!is_extremum || piece[1] != piece[2]) return true;
    if (carom_switch_piece(&it->places, f[1] - bend) == piece[1]) return true;
    return search_extremum(sim, it, t - 2 * dt, t, bend < 0 ? 1 : -1);
}

typedef struct scan {
    double *last; // (3 values) of each switch and each input
    double *most, *least;
} scan;

static void shift_three(double *three, double value)
{
    three[0] = three[1];
    three[1] = three[2];
    three[2] = value;
}

static int by_time(const void *a, const void *b)
{
    const carom_break *x = a, *y = b;
    return (x->t > y->t) - (x->t < y->t);
}

// one pass through the run: the breaks, and the range of each input
static bool find_breaks(carom_sim *sim, const scan *w)
{
    carom_schedule *s = sim->schedule;
    const carom_clock *clock = s->clock;
    for (int k = 0; k <= s->n + 1; k++) {
        carom_clock_read(clock, sample_time(s, k), s->value);
        for (int i = 0; i < clock->n_input && k <= s->n; i++) {
            w->most[i] = fmax(w->most[i], s->value[clock->input[i]]);
            w->least[i] = fmin(w->least[i], s->value[clock->input[i]]);
        }
        for (int i = 0; i < clock->n_other; i++)
            shift_three(w->last + 3 * i, s->value[clock->other[i].node]);
        for (int i = 0; i < clock->n_other && k > 1; i++)
            if (!search_switch(sim, &clock->other[i], w->last + 3 * i, sample_time(s, k)))
                return false;
    }
    if (s->found.n > 0) qsort(s->found.item, (size_t)s->found.n, sizeof *s->found.item, by_time);
    return true;
}

static void find_pace(const carom_sim *sim, const scan *w)
{
    const carom_schedule *s = sim->schedule;
    const carom_clock *clock = s->clock;
    double next = carom_schedule_next(s, sample_time(s, -1)).t;
    for (int k = 0; k <= s->n; k++) {
        carom_clock_read(clock, sample_time(s, k), s->value);
        for (int i = 0; i < clock->n_input; i++)
            shift_three(w->last + 3 * i, s->value[clock->input[i]]);
        s->pace[k] = INFINITY;
        while (next < sample_time(s, k - 2)) next = carom_schedule_next(s, next).t;
        for (int i = 0; k > 1 && next > sample_time(s, k) && i < clock->n_input; i++) {
            const double *z = w->last + 3 * i, range = w->most[i] - w->least[i];
            const double bend = fabs(z[0] - 2 * z[1] + z[2]);
            if (!(range > still_share * fmax(fabs(w->most[i]), fabs(w->least[i]))) || !(bend > 0))
                continue;
            const double pace = input_share * s->dt * sqrt(range / bend);
            for (int j = k - 2; j <= k; j++) s->pace[j] = fmin(s->pace[j], pace);
        }
    }
}

static carom_status look_through(carom_sim *sim, carom_error *error)
{
    carom_schedule *s = sim->schedule;
    const carom_clock *clock = s->clock;
    const int n_last = clock->n_other > clock->n_input ? clock->n_other : clock->n_input;
    const scan w = {s->scratch, s->scratch + 3 * n_last, s->scratch + 3 * n_last + clock->n_input};
    for (int i = 0; i < 3 * n_last; i++) w.last[i] = 0;
    for (int i = 0; i < clock->n_input; i++) {
        w.most[i] = -INFINITY;
        w.least[i] = INFINITY;
    }
    s->found.n = 0;
    if (clock->n_other + clock->n_input > 0 && !find_breaks(sim, &w))
        return carom_fail(error, CAROM_NO_MEMORY, "no memory for the run's breaks");
    find_pace(sim, &w);
    return CAROM_OK;
}

carom_status carom_sim_foresee_breaks(carom_sim *sim, carom_error *error)
{
    const carom_clock *clock = sim->s.plan->clock;
    if (sim->scheme->keeps_step || !(sim->choice.end > 0) || !clock ||
        clock->n_affine + clock->n_other + clock->n_input == 0)
        return CAROM_OK;
    carom_schedule *s = CAROM_TAKE(sim->arena, carom_schedule, 1);
    const int work = MOST_WORK / (clock->n_node + 1);
    const int n = work > MOST_SAMPLES ? MOST_SAMPLES : work < LEAST_SAMPLES ? LEAST_SAMPLES : work;
    const int n_last = clock->n_other > clock->n_input ? clock->n_other : clock->n_input;
    double *number =
        CAROM_TAKE(sim->arena, double, n + 1 + clock->n_node + 3 * n_last + 2 * clock->n_input);
    if (!s || !number) return carom_fail(error, CAROM_NO_MEMORY, "no memory for the run's breaks");
    *s = (carom_schedule){.clock = clock, .dt = sim->choice.end / n, .n = n, .pace = number};
    s->value = number + n + 1;
    s->scratch = s->value + clock->n_node;
    sim->schedule = s;
    (void)carom_plan_clock_is_new(sim->s.plan);
    return look_through(sim, error);
}

carom_status carom_sim_foresee_again(carom_sim *sim, double from, carom_error *error)
{
    carom_schedule *s = sim->schedule;
    if (!s) return CAROM_OK;
    const double dt = (sim->choice.end - from) / s->n;
    const bool has_moved = s->from != from || s->dt != dt;
    if (!carom_plan_clock_is_new(sim->s.plan) && !has_moved) return CAROM_OK;
    s->from = from;
    s->dt = dt;
    return look_through(sim, error);
}
