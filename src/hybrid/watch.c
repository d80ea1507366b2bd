// SPDX-License-Identifier: Apache-2.0
// Event functions on the dense output of a step. Each is sampled at 13 points; the first sign
// change is found by the Illinois rule. A contact that starts the step with gap 0 is searched with
//
//     (g(s) - g(0))/s,   or after a slow rebound with the mean of the gap rate over (0, s),
//
// which does not suffer from the rounding of the gap where the whole flight is lower than that.
// Samples that do not show a function well, because the motion says nothing of what moves the
// obstacle, ask for a shorter step: each odd sample is compared with the polynomial through the
// even ones.
//
// M. Dowell, P. Jarratt, A modified regula falsi method for computing the root of an equation, BIT
// 11, 1971.
#include "dynamics/law.h"
#include "hybrid/hybrid.h"
#include "model/model.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { N = CAROM_WATCH_SAMPLES, N_FUN = CAROM_WATCH_FUNCTIONS, MOST_PASSES = 100 };
static const double flight_share = 0.3;  // of a rate that a cubic may miss
static const double dip_share = 0.05;    // of a fall: a dip that ends so near to zero may cross it
static const double dip_least = 100;     // of a gap that counts as zero: lower dips touch at most
static const double slow_rebound = 1e-3; // of the fastest impact
static const double low_flight = 1e4;    // of a gap that counts as zero
static const double rounding = 1e-11;
static const double at_once = 1e-9; // of the step: what crosses zero there does so at its start

static bool is_slow_rebound(const carom_hybrid *h, int c)
{
    return h->memory.contact.is_touching[c] != 0 &&
           h->seen.start_rate[c] <= slow_rebound * h->memory.contact.rate_scale[c];
}

static carom_crossing find_crossing(const carom_hybrid *h, int fun)
{
    const int c = fun / N_FUN, place = fun % N_FUN;
    const carom_mode mode = h->memory.contact.mode[c];
    carom_crossing it = {.contact = -1};
    if (place == 2) {
        if (!carom_edge_is_patch(h, c)) return it;
        const bool is_watched = carom_hybrid_is_closed(h, c)
                                    ? h->memory.contact.domain[c] != CAROM_DOMAIN_IGNORED
                                    : carom_edge_is_waiting(h, c);
        if (is_watched) it = (carom_crossing){.contact = c, .kind = CAROM_CROSS_EDGE};
    } else if (place == 0) {
        if (carom_law_is_disc(carom_plan_contact(h->s->plan, c))) return it;
        if (carom_edge_is_waiting(h, c)) return it;
        const bool is_held = mode != CAROM_MODE_OPEN && mode != CAROM_MODE_IDLE;
        it = (carom_crossing){.contact = c,
                              .kind = is_held ? CAROM_CROSS_RELEASE : CAROM_CROSS_CLOSE};
    } else if (mode == CAROM_MODE_SLIDE || mode == CAROM_MODE_STICK) {
        it = (carom_crossing){
            .contact = c, .kind = mode == CAROM_MODE_SLIDE ? CAROM_CROSS_STOP : CAROM_CROSS_GRIP};
    }
    return it;
}

// modes stay what they are along a step: what each function looks for is found once
static void find_crossings(carom_hybrid *h)
{
    for (int fun = 0; fun < N_FUN * h->s->size.n_contact; fun++)
        h->seen.watched[fun] = find_crossing(h, fun);
}

static carom_crossing crossing_of(const carom_hybrid *h, int fun)
{
    return h->seen.watched[fun];
}

// the function at the point last looked at
static double value_of(const carom_hybrid *h, int c, carom_crossing_kind kind)
{
    const carom_contact_facts *facts = carom_plan_contact(h->s->plan, c);
    const int r = facts->row;
    double sum = 0;
    switch (kind) {
    case CAROM_CROSS_CLOSE:
        // patches are smooth beyond their edges, and looked for there
        return (facts->surface > 0 ? h->seen.raw[c] : h->seen.gap[c]) - h->seen.floor[c];
    case CAROM_CROSS_SIDE:
        return h->seen.gap[c] - h->seen.floor[c];
    case CAROM_CROSS_RELEASE:
        return h->seen.la[r];
    case CAROM_CROSS_STOP:
        for (int k = 1; k <= facts->n_slip; k++)
            sum += h->seen.gamma[r + k] * h->seen.start_direction[r + k];
        return sum;
    case CAROM_CROSS_GRIP:
        for (int k = 1; k <= facts->n_slip; k++) sum += h->seen.la[r + k] * h->seen.la[r + k];
        return carom_law_hold(facts, h->seen.la[r]) * carom_law_grip(facts) * fabs(h->seen.la[r]) -
               sum;
    case CAROM_CROSS_EDGE:
        return carom_edge_value(h, c);
    case CAROM_CROSS_FEATURE:
    case CAROM_CROSS_SWITCH:
    case CAROM_CROSS_SECTION:
    case CAROM_CROSS_JAM:
        break;
    }
    return 1;
}

static carom_status look_inside(carom_hybrid *h, double x)
{
    carom_flow *flow = h->flow;
    CAROM_TRY(flow->solver->search(flow, x, h->seen.q, h->seen.u));
    return carom_hybrid_look_at(h, flow->from.t + x * flow->h, h->seen.q, h->seen.u, false);
}

// gaps and rates only
static carom_status glance_inside(carom_hybrid *h, double x)
{
    carom_flow *flow = h->flow;
    CAROM_TRY(flow->solver->search(flow, x, h->seen.q, h->seen.u));
    return carom_hybrid_glance_at(h, flow->from.t + x * flow->h, h->seen.q, h->seen.u);
}

// which functions are made of forces
static bool is_of_forces(carom_crossing_kind kind)
{
    return kind == CAROM_CROSS_RELEASE || kind == CAROM_CROSS_GRIP;
}

// mean of the gap rate over (0, x) of the step: Lobatto's rule with 5 points
static carom_status mean_rate(carom_hybrid *h, int c, double x, double *mean)
{
    static const double node[] = {0.17267316464601142810, 0.5, 0.82732683535398857190, 1};
    static const double weight[] = {49. / 180, 16. / 45, 49. / 180, 1. / 20};
    const int r = carom_plan_contact(h->s->plan, c)->row;
    *mean = h->seen.start_rate[c] / 20;
    for (int k = 0; k < 4; k++) {
        CAROM_TRY(glance_inside(h, x * node[k]));
        *mean += weight[k] * h->seen.gamma[r];
    }
    return CAROM_OK;
}

// whether a flight from gap 0 of the length x of the step is so low that the gap is mostly rounding
static bool is_low(const carom_hybrid *h, const carom_crossing *it, double x)
{
    const int c = it->contact;
    if (it->kind != CAROM_CROSS_CLOSE || h->memory.contact.is_touching[c] == 0) return false;
    return is_slow_rebound(h, c) ||
           fabs(h->seen.start_rate[c]) * x * h->flow->h <= low_flight * carom_hybrid_zero_gap(h, c);
}

// the function that is searched; is_from_zero: divided by x
static carom_status value_at(carom_hybrid *h, const carom_crossing *it, double x, bool is_from_zero,
                             double *value)
{
    if (is_low(h, it, x)) {
        CAROM_TRY(mean_rate(h, it->contact, x, value));
        *value *= h->flow->h;
        return CAROM_OK;
    }
    CAROM_TRY(is_of_forces(it->kind) ? look_inside(h, x) : glance_inside(h, x));
    *value = value_of(h, it->contact, it->kind) / (is_from_zero ? x : 1);
    return CAROM_OK;
}

// the gap below which an open or idle contact closes. What an idle one may drift is one band in
// all, not one for each step; a second where it was decided on beyond the first.
static double floor_of(const carom_hybrid *h, int c)
{
    const double start =
        h->memory.contact.is_touching[c] != 0 ? h->seen.gap[c] : fmin(0, h->seen.gap[c]);
    if (h->memory.contact.mode[c] != CAROM_MODE_IDLE) return start;
    const double band = carom_hybrid_idle_gap(h, c);
    return start > -band ? -band : start - band;
}

static carom_status take_samples(carom_hybrid *h)
{
    const int n = h->s->size.n_contact;
    h->seen.force_scale = 0;
    for (int k = 0; k <= N; k++) {
        CAROM_TRY(look_inside(h, k / (double)N));
        for (int r = 0; r < h->s->size.n_row; r++)
            h->seen.force_scale = fmax(h->seen.force_scale, fabs(h->seen.la[r]));
        for (int c = 0; c < n; c++) {
            const int r = carom_plan_contact(h->s->plan, c)->row;
            if (k == 0) {
                h->seen.floor[c] = floor_of(h, c);
                h->seen.start_rate[c] = h->seen.gamma[r];
            }
            h->seen.rate[k * n + c] = h->seen.gamma[r];
            h->seen.is_there[k * n + c] = isfinite(h->seen.gap[c]) != 0;
            for (int j = 0; j < N_FUN; j++) {
                const carom_crossing *it = &h->seen.watched[N_FUN * c + j];
                h->seen.sample[(k * n + c) * N_FUN + j] =
                    it->contact < 0 ? 1 : value_of(h, c, it->kind);
            }
        }
    }
    // flights lower than rounding: the gap from its rate
    for (int c = 0; c < n; c++) {
        if (carom_hybrid_is_closed(h, c) || !is_slow_rebound(h, c)) continue;
        double sum = 0;
        h->seen.sample[N_FUN * c] = 0;
        for (int k = 1; k <= N; k++) {
            sum += 0.5 * h->flow->h / N * (h->seen.rate[(k - 1) * n + c] + h->seen.rate[k * n + c]);
            h->seen.sample[(k * n + c) * N_FUN] = sum;
        }
    }
    return CAROM_OK;
}

static double sample_of(const carom_hybrid *h, int fun, int k)
{
    return h->seen.sample[k * N_FUN * h->s->size.n_contact + fun];
}

// the polynomial of degree 6 through the even samples, at odd sample k
static double interpolate(const carom_hybrid *h, int fun, int k)
{
    double sum = 0;
    for (int i = 0; i <= N; i += 2) {
        double weight = 1;
        for (int j = 0; j <= N; j += 2)
            if (j != i) weight *= (double)(k - j) / (double)(i - j);
        sum += weight * sample_of(h, fun, i);
    }
    return sum;
}

// size of the forces that a contact is made of, also where they cancel: the largest of the samples,
// or what would hold the applied forces at the point last looked at
static double force_size(carom_hybrid *h, int c)
{
    const carom_sparse *W = &h->seen.ev->rows.W;
    const int r = carom_plan_contact(h->s->plan, c)->row, n = h->s->size.nu;
    double *a = h->scratch.force, applied = 0, own = 0;
    memcpy(a, h->seen.ev->f, sizeof(double) * (size_t)n);
    carom_mass_solve(h->seen.ev->mass, a);
    for (int k = W->start[r]; k < W->start[r + 1]; k++)
        applied += fabs(W->value[k] * a[W->index[k]]);
    memset(a, 0, sizeof(double) * (size_t)n);
    for (int k = W->start[r]; k < W->start[r + 1]; k++) a[W->index[k]] += W->value[k];
    carom_mass_solve(h->seen.ev->mass, a);
    for (int k = W->start[r]; k < W->start[r + 1]; k++) own += W->value[k] * a[W->index[k]];
    return fmax(h->seen.force_scale, own > 0 ? applied / own : 0);
}

// what rounding can do to a function
static double noise_of(carom_hybrid *h, int fun)
{
    const carom_crossing it = crossing_of(h, fun);
    const carom_contact_facts *facts = carom_plan_contact(h->s->plan, fun / N_FUN);
    switch (it.kind) {
    case CAROM_CROSS_CLOSE:
        return carom_hybrid_zero_gap(h, it.contact);
    case CAROM_CROSS_RELEASE:
        return rounding * force_size(h, it.contact);
    case CAROM_CROSS_STOP:
        return carom_hybrid_noise(h, facts->row, facts->row + facts->n_slip);
    case CAROM_CROSS_GRIP:
        return rounding * pow(carom_law_hold(facts, force_size(h, it.contact)), 2);
    case CAROM_CROSS_EDGE:
        return rounding * h->memory.contact.edge_scale[it.contact];
    case CAROM_CROSS_SIDE:
    case CAROM_CROSS_FEATURE:
    case CAROM_CROSS_SWITCH:
    case CAROM_CROSS_SECTION:
    case CAROM_CROSS_JAM:
        break;
    }
    return 0;
}

// the lowest point between two samples of a gap whose rate goes from below zero to above: that of
// the cubic f0 + d0 x + a x^2 + b x^3 through values and rates
static double lowest_between(double f0, double d0, double f1, double d1)
{
    const double a = 3 * (f1 - f0) - 2 * d0 - d1, b = d0 + d1 - 2 * (f1 - f0);
    const double x = -d0 / (a + sqrt(fmax(0, a * a - 3 * b * d0)));
    if (!(x > 0 && x < 1)) return fmin(f0, f1);
    return f0 + x * (d0 + x * (a + x * b));
}

// whether a gap may dip below zero between two samples
static bool may_dip(const carom_hybrid *h, int fun)
{
    const int n = h->s->size.n_contact, c = fun / N_FUN;
    const double dt = h->flow->h / N;
    if (h->seen.watched[fun].kind != CAROM_CROSS_CLOSE) return false;
    for (int k = 0; k < N; k++) {
        const double d0 = h->seen.rate[k * n + c] * dt, d1 = h->seen.rate[(k + 1) * n + c] * dt;
        const double f0 = sample_of(h, fun, k), f1 = sample_of(h, fun, k + 1);
        if (!(d0 < 0 && d1 > 0 && f0 > 0 && f1 > 0)) continue;
        const double lowest = lowest_between(f0, d0, f1, d1);
        const double fall = f0 - lowest;
        if (lowest < dip_share * fall && fall > dip_least * carom_hybrid_zero_gap(h, c))
            return true;
    }
    return false;
}

// a function is shown well where what the samples miss cannot hide a root
static bool is_shown(carom_hybrid *h, int fun)
{
    double most = 0, least = INFINITY, missed = 0;
    if (may_dip(h, fun)) return false;
    for (int k = 0; k <= N; k++) {
        const double f = sample_of(h, fun, k);
        if (!isfinite(f)) return true;
        most = fmax(most, fabs(f));
        if (k > 0) least = fmin(least, f);
    }
    for (int k = 1; k < N; k += 2)
        missed = fmax(missed, fabs(sample_of(h, fun, k) - interpolate(h, fun, k)));
    return missed <= 1e-3 * most || least > 4 * missed || missed <= noise_of(h, fun);
}

// A flight from gap 0 may be over, and another begun, before the first sample. Whether the gap rate
// half way there is that of the cubic through both ends, 1.5 (f1 - f0)/dt - (d0 + d1)/4.
static carom_status is_start_shown(carom_hybrid *h, int c, bool *is)
{
    const int n = h->s->size.n_contact, fun = N_FUN * c;
    const double dt = h->flow->h / N, d0 = h->seen.rate[c], d1 = h->seen.rate[n + c];
    if (h->seen.watched[fun].kind != CAROM_CROSS_CLOSE || h->memory.contact.is_touching[c] == 0)
        return CAROM_OK;
    CAROM_TRY(glance_inside(h, 0.5 / N));
    const double rate = h->seen.gamma[carom_plan_contact(h->s->plan, c)->row];
    const double cubic = 1.5 * (sample_of(h, fun, 1) - sample_of(h, fun, 0)) / dt - (d0 + d1) / 4;
    const double size = fmax(fabs(rate), fmax(fabs(d0), fabs(d1)));
    if (size * dt > carom_hybrid_zero_gap(h, c) && fabs(rate - cubic) > flight_share * size)
        *is = false;
    return CAROM_OK;
}

// the first sample below zero, or N + 1; what rounding can do is not below zero
static int find_below(carom_hybrid *h, int fun)
{
    const carom_crossing *it = &h->seen.watched[fun];
    if (it->contact < 0) return N + 1;
    double noise = it->kind == CAROM_CROSS_CLOSE ? 0 : -1;
    for (int k = 1; k <= N; k++) {
        const double f = sample_of(h, fun, k);
        if (!(isfinite(f) && f < 0)) continue;
        if (noise < 0) noise = noise_of(h, fun);
        if (f < -noise) return k;
    }
    return N + 1;
}

typedef struct bracket {
    double a, fa, b, fb; // fa > 0 > fb
} bracket;

// what the rounding of positions makes of a gap at the point last looked at: a root is known no
// better than to there, and further passes would only follow the last digit up and down
static double rounding_of_gap(const carom_hybrid *h, int c)
{
    const carom_sparse *W = &h->seen.ev->rows.W;
    const int r = carom_plan_contact(h->s->plan, c)->row;
    double sum = 0;
    for (int k = W->start[r]; k < W->start[r + 1]; k++)
        sum += fabs(W->value[k] * carom_model_size_along(h->s->model, h->seen.q, W->index[k]));
    return 2 * DBL_EPSILON * sum;
}

static carom_status illinois(carom_hybrid *h, const carom_crossing *it, bool is_from_zero,
                             bracket *at)
{
    const bool is_gap =
        it->kind == CAROM_CROSS_CLOSE && !is_from_zero && !is_slow_rebound(h, it->contact);
    int side = 0;
    for (int k = 0; k < MOST_PASSES && at->b - at->a > 4 * DBL_EPSILON * at->b; k++) {
        double x = (at->a * at->fb - at->b * at->fa) / (at->fb - at->fa), f;
        if (!(x > at->a && x < at->b)) x = 0.5 * (at->a + at->b);
        if (!(x > at->a && x < at->b)) break;
        CAROM_TRY(value_at(h, it, x, is_from_zero, &f));
        if (f > 0) {
            at->a = x;
            at->fa = f;
            if (side == 1) at->fb *= 0.5;
            side = 1;
        } else {
            at->b = x;
            at->fb = f;
            if (f == 0 || (is_gap && -f <= rounding_of_gap(h, it->contact))) break;
            if (side == -1) at->fa *= 0.5;
            side = -1;
        }
    }
    return CAROM_OK;
}

// a force of a contact that slides into a jam changes its sign, but is not small where it does
static bool is_pole(const carom_hybrid *h, const carom_crossing *it, double start, double there)
{
    if (it->kind != CAROM_CROSS_RELEASE || h->memory.contact.mode[it->contact] != CAROM_MODE_SLIDE)
        return false;
    return fabs(start) > 10 * rounding * h->seen.force_scale &&
           fmax(there, -start) > 0.01 * fabs(start);
}

// where in the bracket below sample k the function crosses zero; contact -1 where it does not. A
// gap that is not below zero at most, where another function crosses, closes later. A function that
// is below zero at the start, or falls below it there, crosses at x = 0.
static carom_status search_crossing(carom_hybrid *h, int fun, int k, double most,
                                    carom_crossing *it)
{
    *it = crossing_of(h, fun);
    const bool is_touching =
        it->kind == CAROM_CROSS_CLOSE && h->memory.contact.is_touching[it->contact] != 0;
    const double before = sample_of(h, fun, k - 1);
    const bool is_from_zero = is_touching || (k == 1 && !(before > 0));
    bracket at = {.a = (k - 1.) / N, .b = k / (double)N};
    if (k == 1 && it->kind != CAROM_CROSS_CLOSE && before < -noise_of(h, fun)) {
        h->seen.has_pole |= is_pole(h, it, before, -before);
        return CAROM_OK;
    }
    if (it->kind == CAROM_CROSS_CLOSE && !carom_edge_is_patch(h, it->contact))
        at.b = fmin(at.b, most);
    CAROM_TRY(value_at(h, it, at.b, is_from_zero, &at.fb));
    if (!(at.fb < 0)) {
        it->contact = -1;
        return CAROM_OK;
    }
    if (k > 1)
        CAROM_TRY(value_at(h, it, at.a, is_from_zero, &at.fa));
    else
        at.fa = is_touching ? h->seen.start_rate[it->contact] * h->flow->h : before;
    const bool is_falling = is_touching && k == 1 && at.fa < 0;
    if (!(at.fa > 0)) at.fa = -at.fb; // starts at zero: any positive number will do
    CAROM_TRY(illinois(h, it, is_from_zero, &at));
    it->x = at.b;
    if (is_from_zero && at.b < at_once && (is_falling || it->kind != CAROM_CROSS_CLOSE)) it->x = 0;
    if (it->kind == CAROM_CROSS_CLOSE || it->x == 0) return CAROM_OK;
    double low, high;
    CAROM_TRY(value_at(h, it, at.b * (1 - 1e-4), false, &low));
    CAROM_TRY(value_at(h, it, fmin(1, at.b * (1 + 1e-4)), false, &high));
    double at_root;
    CAROM_TRY(value_at(h, it, at.b, false, &at_root));
    h->seen.has_pole |= is_pole(h, it, sample_of(h, fun, 0), fmax(low, -at_root));
    it->slope = (high - low) / ((fmin(1, at.b * (1 + 1e-4)) - at.b * (1 - 1e-4)) * h->flow->h);
    return CAROM_OK;
}

// an open patch below zero at sample k that was not there before: into its side
static carom_status search_side(carom_hybrid *h, int c, int k, carom_crossing *it)
{
    bracket at = {.a = (k - 1.) / N, .fa = INFINITY, .b = k / (double)N};
    *it = (carom_crossing){.contact = c, .kind = CAROM_CROSS_SIDE};
    CAROM_TRY(value_at(h, it, at.b, false, &at.fb));
    CAROM_TRY(illinois(h, it, false, &at));
    it->x = at.b;
    it->kind = CAROM_CROSS_CLOSE;
    if (at.fb < -carom_hybrid_idle_gap(h, c)) it->side = at.fb;
    return CAROM_OK;
}

// the first root of an open patch's gap where the patch is there
static carom_status search_patch(carom_hybrid *h, int fun, double most, carom_crossing *it)
{
    const int n = h->s->size.n_contact, c = fun / N_FUN;
    for (int k = 1; k <= N && (k - 1.) / N < most; k++) {
        if (!(sample_of(h, fun, k) < 0)) continue;
        const bool is_root = k == 1 || !(sample_of(h, fun, k - 1) < 0);
        if (is_root) {
            CAROM_TRY(search_crossing(h, fun, k, 1, it));
            if (it->contact >= 0) CAROM_TRY(glance_inside(h, it->x));
            if (it->contact >= 0 && isfinite(h->seen.gap[c])) return CAROM_OK;
        }
        const bool was_there = !is_root && h->seen.is_there[(k - 1) * n + c] != 0;
        if (h->seen.is_there[k * n + c] != 0 && !was_there) return search_side(h, c, k, it);
    }
    it->contact = -1;
    return CAROM_OK;
}

static carom_status search_first(carom_hybrid *h, int fun, double most, carom_crossing *it)
{
    *it = crossing_of(h, fun);
    if (it->contact < 0) return CAROM_OK;
    if (it->kind == CAROM_CROSS_CLOSE && carom_edge_is_patch(h, it->contact))
        return search_patch(h, fun, most, it);
    const int k = h->seen.below[fun];
    it->contact = -1;
    if (k > N || (k - 1.) / N >= most) return CAROM_OK;
    CAROM_TRY(search_crossing(h, fun, k, most, it));
    const bool is_next = k < N && k / (double)N < most && sample_of(h, fun, k + 1) < 0;
    return it->contact < 0 && is_next ? search_crossing(h, fun, k + 1, most, it) : CAROM_OK;
}

// those that are below zero first are searched first: few of the others can come before them
static carom_status search_all(carom_hybrid *h, carom_crossing *first)
{
    const int n_fun = N_FUN * h->s->size.n_contact;
    int earliest = N + 1;
    for (int fun = 0; fun < n_fun; fun++) {
        h->seen.below[fun] = find_below(h, fun);
        if (h->seen.below[fun] < earliest) earliest = h->seen.below[fun];
    }
    for (int pass = 0; pass < 2; pass++)
        for (int fun = 0; fun < n_fun; fun++) {
            carom_crossing it;
            if ((h->seen.below[fun] == earliest) != (pass == 0)) continue;
            CAROM_TRY(search_first(h, fun, first->x, &it));
            if (it.contact >= 0 && it.x < first->x) *first = it;
        }
    return CAROM_OK;
}

carom_status carom_watch_step(carom_hybrid *h, carom_crossing *first, bool *is_resolved)
{
    const int n_fun = N_FUN * h->s->size.n_contact;
    *first = (carom_crossing){.contact = -1, .x = 2};
    *is_resolved = true;
    h->seen.has_pole = false;
    memcpy(h->seen.start_direction, h->flow->rows.anchor,
           sizeof(double) * (size_t)h->s->size.n_row);
    if (n_fun == 0) return CAROM_OK;
    find_crossings(h);
    CAROM_TRY(take_samples(h));
    for (int fun = 0; fun < n_fun; fun++)
        if (h->seen.watched[fun].contact >= 0) *is_resolved &= is_shown(h, fun);
    for (int c = 0; c < h->s->size.n_contact; c++)
        if (h->seen.watched[N_FUN * c].contact >= 0) CAROM_TRY(is_start_shown(h, c, is_resolved));
    CAROM_TRY(search_all(h, first));
    CAROM_TRY(carom_graze_check(h, first->x)); // a shorter step might take the touch for an impact
    if (!*is_resolved || h->seen.has_pole) {
        *is_resolved = false;
        first->contact = -1;
    }
    if (first->contact >= 0 && first->side < 0)
        return carom_edge_refuse(h, first->contact, h->flow->from.t + first->x * h->flow->h,
                                 first->side);
    return CAROM_OK;
}

carom_status carom_watch_end(carom_hybrid *h, const carom_crossing *it, double *value,
                             double *slope)
{
    if (it->kind == CAROM_CROSS_SWITCH) return carom_sides_end(h, it, value, slope);
    if (it->kind == CAROM_CROSS_SECTION) return carom_section_end(h, it, value, slope);
    const carom_flow *flow = h->flow;
    const int c = it->contact, r = carom_plan_contact(h->s->plan, c)->row;
    const bool is_close = it->kind == CAROM_CROSS_CLOSE;
    if (is_low(h, it, 1)) {
        CAROM_TRY(mean_rate(h, c, 1, value));
    } else {
        const carom_motion *to = &flow->to;
        CAROM_TRY(is_of_forces(it->kind) ? carom_hybrid_look_at(h, to->t, to->q, to->u, false)
                                         : carom_hybrid_glance_at(h, to->t, to->q, to->u));
        *value = value_of(h, c, it->kind);
        if (is_close && h->memory.contact.is_touching[c] != 0) *value /= flow->h;
    }
    *slope = it->slope;
    if (is_close)
        *slope = h->memory.contact.is_touching[c] != 0 ? (h->seen.gamma[r] - *value) / flow->h
                                                       : h->seen.gamma[r];
    return CAROM_OK;
}
