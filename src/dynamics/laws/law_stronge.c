// SPDX-License-Identifier: Apache-2.0
// Stronge's law, energetic restitution: of the work that the normal force takes in compression it
// gives e^2 back. The impact is followed along its normal impulse p, with friction as it is at each
// moment (Routh):
//
//     gamma' = G (1, t)        W' = gamma_N       ' = d/dp,  p = Q_N
//     slides   t = -mu gamma_T/|gamma_T|
//     sticks   t = -G_TT^-1 G_TN                  where |t| <= mu
//     slips on t = -mu d,  G_TN - mu G_TT d = lambda d,  lambda > 0      from rest, else
//
// Compression ends at gamma_N = 0, where W = W_c; restitution where W = (1 - e^2) W_c. So no energy
// is ever made, also where friction turns round during the impact (Kane's paradox). In the plane,
// and where the direction of slip does not turn, gamma is linear in p and the answer is exact; a
// slip that turns is integrated to 1e-12.
//
// W. J. Stronge, Rigid body collisions with friction, 1990.
#include "dynamics/laws/laws.h"

#include <math.h>
#include <string.h>

enum { N_STATE = 7, MOST_STEPS = 20000, N_HALF = 60 };
enum { RATE = 0, WORK = 3, PUSH = 4 }; // of a state: gamma (3), W, Q (3)
static const double STILL = 1e-10;     // of the fastest rate: slips no more
static const double ACCURACY = 1e-13;

typedef struct stronge {
    const carom_hit *hit;
    double y[N_STATE];
    double still;  // slip rate that is none [m/s]
    double lowest; // W_c
    double t[2];   // what pushes along the tangents for each p, where that stays
    bool is_straight, is_still, is_done;
} stronge;

static double G_of(const carom_hit *hit, int i, int j)
{
    return hit->G[i * hit->dim + j];
}

static double slip_of(const stronge *s)
{
    return s->hit->dim < 2 ? 0 : s->hit->dim < 3 ? fabs(s->y[1]) : hypot(s->y[1], s->y[2]);
}

// the derivative of a state with the tangents t
static void find_slope(const carom_hit *hit, const double *y, const double t[2], double *slope)
{
    const double push[3] = {1, t[0], t[1]};
    memset(slope, 0, sizeof *slope * N_STATE);
    for (int i = 0; i < hit->dim; i++)
        for (int j = 0; j < hit->dim; j++) slope[RATE + i] += G_of(hit, i, j) * push[j];
    slope[WORK] = y[RATE];
    for (int i = 0; i < 3; i++) slope[PUSH + i] = push[i];
}

// friction against the slip
static void slide(const carom_hit *hit, const double *y, double t[2])
{
    const double slip = hit->dim < 3 ? fabs(y[1]) : hypot(y[1], y[2]);
    for (int k = 1; k < hit->dim; k++) t[k - 1] = slip > 0 ? -hit->mu * y[k] / slip : 0;
}

// ---- from rest: stick, or slip in a direction that stays ----

// d of (lambda + mu G_TT) d = G_TN; returns its length
static double solve_direction(const carom_hit *hit, double lambda, double d[2])
{
    const double a = lambda + hit->mu * G_of(hit, 1, 1), b = hit->mu * G_of(hit, 1, 2),
                 c = lambda + hit->mu * G_of(hit, 2, 2), det = a * c - b * b;
    d[0] = (c * G_of(hit, 1, 0) - b * G_of(hit, 2, 0)) / det;
    d[1] = (a * G_of(hit, 2, 0) - b * G_of(hit, 1, 0)) / det;
    return hypot(d[0], d[1]);
}

// t of a slip that begins; t comes as what sticking would need
static void begin_slip(const carom_hit *hit, double t[2])
{
    if (hit->dim == 2) {
        t[0] = copysign(hit->mu, t[0]);
        return;
    }
    double low = 0, high = hypot(G_of(hit, 1, 0), G_of(hit, 2, 0)), d[2];
    for (int i = 0; i < 200 && high - low > 0; i++) {
        const double middle = 0.5 * (low + high);
        if (middle == low || middle == high) break;
        if (solve_direction(hit, middle, d) > 1)
            low = middle;
        else
            high = middle;
    }
    const double length = solve_direction(hit, high, d);
    for (int k = 0; k < 2; k++) t[k] = -hit->mu * d[k] / length;
}

static void begin_from_rest(stronge *s)
{
    const carom_hit *hit = s->hit;
    double need = 0;
    if (hit->dim == 2) {
        s->t[0] = -G_of(hit, 1, 0) / G_of(hit, 1, 1);
        need = fabs(s->t[0]);
    } else if (hit->dim == 3) {
        const double a = G_of(hit, 1, 1), b = G_of(hit, 1, 2), c = G_of(hit, 2, 2),
                     det = a * c - b * b;
        s->t[0] = -(c * G_of(hit, 1, 0) - b * G_of(hit, 2, 0)) / det;
        s->t[1] = -(a * G_of(hit, 2, 0) - b * G_of(hit, 1, 0)) / det;
        need = hypot(s->t[0], s->t[1]);
    }
    if (need > hit->mu) begin_slip(hit, s->t);
    for (int k = 1; k < hit->dim; k++) s->y[k] = 0;
    s->is_straight = s->is_still = true; // it stays so: nothing in it depends on p
}

// ---- steps ----

// how far until the phase ends with these slopes, if they stay; infinite where it does not
static double way_to_end(const stronge *s, const double *slope)
{
    const double v = s->y[RATE], k = slope[RATE];
    if (v < 0) return k > 0 ? -v / k : INFINITY;
    // W + v p + k p^2/2 = (1 - e^2) W_c
    const double left = s->y[WORK] - (1 - s->hit->e * s->hit->e) * s->lowest;
    if (left >= 0) return 0;
    const double inside = v * v - 2 * k * left;
    if (inside < 0) return INFINITY;
    const double root = sqrt(inside);
    return v + root > 0 ? -2 * left / (v + root) : INFINITY;
}

static void move_straight(stronge *s, const double *slope, double p)
{
    s->y[WORK] += p * (s->y[RATE] + 0.5 * p * slope[RATE]);
    for (int i = 0; i < 3; i++) {
        s->y[RATE + i] += p * slope[RATE + i];
        s->y[PUSH + i] += p * slope[PUSH + i];
    }
}

static void end_phase(stronge *s, bool was_closing)
{
    s->is_done = !was_closing || s->hit->e == 0;
    if (!was_closing) return;
    s->y[RATE] = 0;
    s->lowest = fmin(s->lowest, s->y[WORK]);
}

// a part of the impact in which friction does not turn; false where it never ends
static bool advance_straight(stronge *s)
{
    double slope[N_STATE], limit = INFINITY;
    if (!s->is_still) slide(s->hit, s->y, s->t);
    find_slope(s->hit, s->y, s->t, slope);
    if (!s->is_still && s->hit->dim == 2 && s->y[1] * slope[1] < 0) limit = -s->y[1] / slope[1];
    const double way = way_to_end(s, slope);
    if (way == INFINITY && limit == INFINITY) return false;
    const bool is_closing = s->y[RATE] < 0;
    move_straight(s, slope, fmin(way, limit));
    if (way <= limit)
        end_phase(s, is_closing);
    else
        begin_from_rest(s);
    return true;
}

// Runge and Kutta's step of fourth order along p
static void step_curved(const carom_hit *hit, const double *y, double p, double *out)
{
    static const double node[] = {0, 0.5, 0.5, 1}, weight[] = {1. / 6, 1. / 3, 1. / 3, 1. / 6};
    double slope[N_STATE] = {0}, at[N_STATE], sum[N_STATE] = {0}, t[2] = {0};
    for (int stage = 0; stage < 4; stage++) {
        for (int i = 0; i < N_STATE; i++) at[i] = y[i] + p * node[stage] * slope[i];
        slide(hit, at, t);
        find_slope(hit, at, t, slope);
        for (int i = 0; i < N_STATE; i++) sum[i] += weight[stage] * slope[i];
    }
    for (int i = 0; i < N_STATE; i++) out[i] = y[i] + p * sum[i];
}

// whether the phase has ended at y
static bool has_ended(const stronge *s, const double *y)
{
    if (s->y[RATE] < 0) return y[RATE] >= 0;
    return y[WORK] >= (1 - s->hit->e * s->hit->e) * s->lowest;
}

// a step of length *p along a slip that turns, short enough; *p becomes what to try next
static void advance_curved(stronge *s, double *p)
{
    double whole[N_STATE], half[N_STATE], twice[N_STATE], error,
        scale = fabs(s->y[RATE]) + slip_of(s);
    double t[2], slope[N_STATE];
    slide(s->hit, s->y, t);
    find_slope(s->hit, s->y, t, slope);
    const double turn = hypot(slope[1], slope[2]);
    if (turn > 0) *p = fmin(*p, 0.2 * slip_of(s) / turn);
    for (int i = 0; i < N_HALF; i++, *p *= 0.5) {
        step_curved(s->hit, s->y, *p, whole);
        step_curved(s->hit, s->y, 0.5 * *p, half);
        step_curved(s->hit, half, 0.5 * *p, twice);
        error = 0;
        for (int k = 0; k < 3; k++) error = fmax(error, fabs(whole[k] - twice[k]));
        if (error <= ACCURACY * scale) break;
    }
    double low = 0, high = *p;
    for (int i = 0; i < N_HALF && has_ended(s, twice); i++) { // close in on the end
        const double middle = 0.5 * (low + high);
        step_curved(s->hit, s->y, middle, whole);
        if (has_ended(s, whole))
            high = middle;
        else
            low = middle;
    }
    const bool is_end = has_ended(s, twice), is_closing = s->y[RATE] < 0;
    if (is_end) step_curved(s->hit, s->y, high, twice);
    memcpy(s->y, twice, sizeof twice);
    if (is_end) end_phase(s, is_closing);
    if (!s->is_done && slip_of(s) <= s->still) begin_from_rest(s);
    if (error <= 0.03 * ACCURACY * scale) *p *= 2;
}

static carom_status fail_to_end(carom_collision *c)
{
    return carom_fail(
        c->error, CAROM_NOT_CONVERGED,
        "an impact by Stronge's law has no end: friction presses the contact on faster "
        "than the normal force opens it");
}

static carom_status stronge_one(carom_collision *c, const carom_hit *hit, double *Q)
{
    double most = 0;
    stronge s = {.hit = hit};
    for (int i = 0; i < hit->dim; i++) most = fmax(most, fabs(s.y[RATE + i] = hit->rate[i]));
    s.still = STILL * most;
    const bool is_rough = hit->dim > 1 && hit->mu > 0;
    if (!is_rough || slip_of(&s) <= s.still) {
        if (is_rough)
            begin_from_rest(&s);
        else
            s.is_straight = s.is_still = true;
    } else {
        s.is_straight = hit->dim == 2;
    }
    double p = -hit->rate[0] / hit->G[0];
    for (int i = 0; i < MOST_STEPS && !s.is_done; i++) {
        if (!s.is_straight)
            advance_curved(&s, &p);
        else if (!advance_straight(&s))
            return fail_to_end(c);
    }
    if (!s.is_done) return fail_to_end(c);
    for (int i = 0; i < hit->dim; i++) Q[i] = s.y[PUSH + i];
    return CAROM_OK;
}

const carom_impact_law carom_impact_law_stronge = {
    .name = "stronge",
    .about = "the normal force gives e^2 of its work back; contacts in turn, the fastest first",
    .number = CAROM_LAW_STRONGE,
    .one = stronge_one,
};
