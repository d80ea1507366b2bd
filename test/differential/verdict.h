// SPDX-License-Identifier: Apache-2.0
// Whether event_driven and time stepping tell the same motion.
//
// Time stepping is wrong by O(h), with a factor that is not known: halved steps must come closer to
// the answer of event_driven, until the rest is small. A motion that multiplies small changes (an
// impact just missed, a box on its edge) comes closer late or never; it is *sensitive* only where
// event_driven itself, from a start that differs by about a step, moves as far away as time
// stepping is: that is the evidence. Where friction of one contact acts along the normal of another
// the contact law may have more than one answer, and where contacts close at once or touch without
// force at an impact (the side of a box against a wall, discs that lean on each other) time
// stepping takes one or the other first, by scheme and step: *ambiguous* is a motion that some runs
// share with event_driven while others go elsewhere, or in which the schemes do not even agree with
// each other. What is left is a difference nobody can explain.
#ifndef CAROM_TEST_DIFFERENTIAL_VERDICT_H
#define CAROM_TEST_DIFFERENTIAL_VERDICT_H

#include "differential/motion.h"

typedef enum verdict_kind {
    AGREED,
    SENSITIVE,
    AMBIGUOUS,
    DIFFERING,
    UNFINISHED,
    N_VERDICT
} verdict_kind;

typedef struct verdict {
    verdict_kind kind;
    char why[512];
} verdict;

static const char *const verdict_scheme[] = {"moreau_midpoint", "moreau_jean", "tdg_velocity"};
enum { N_VERDICT_SCHEME = 3 };
static const long verdict_first = 1024, verdict_last = 262144;
static const double verdict_small = 3e-5;  // such a distance is none [m, rad]
static const double verdict_large = 2e-2;  // such a distance is one, although it falls
static const double verdict_near = 6e-4;   // so near is the same motion, if only for some steps
static const double verdict_energy = 1e-5; // share of all energies

// how far event_driven moves when its start is changed by about d
static inline double verdict_spread(const mechanism *it, const motion *truth, double d)
{
    static const double share[] = {1, -1, 3, -3, 0.3, -0.3};
    double most = 0;
    for (int k = 0; k < 6; k++) {
        const motion m = motion_events(it, 1e-10, share[k] * d);
        if (m.is_done) most = fmax(most, motion_distance(&m, truth));
    }
    return most;
}

// distance of a scheme with so many steps; infinite where it does not finish
static inline double verdict_distance(const mechanism *it, const char *scheme, long steps,
                                      const motion *truth)
{
    const motion m = motion_of(it, &(motion_plan){.scheme = scheme, .steps = steps});
    return m.is_done ? motion_distance(&m, truth) : INFINITY;
}

// what the halved steps of one scheme came to
typedef struct verdict_ladder {
    double rest[16], last, nearest; // distances
    long steps;                     // the last
} verdict_ladder;

// steps are halved until the distance is small, or has fallen to a third in three halvings (an
// eighth is what O(h) means) and is not large
static inline bool verdict_converges(const mechanism *it, const char *scheme, const motion *truth,
                                     verdict_ladder *l)
{
    double *rests = l->rest;
    l->nearest = INFINITY;
    for (int k = 0;; k++) {
        l->steps = verdict_first << k;
        l->last = rests[k] = verdict_distance(it, scheme, l->steps, truth);
        l->nearest = fmin(l->nearest, l->last);
        const double large = l->steps >= verdict_last ? verdict_large : 0.05 * verdict_large;
        if (l->last <= verdict_small) return true;
        if (k >= 3 && l->last <= large && l->last <= 0.35 * rests[k - 3]) return true;
        if (l->steps >= verdict_last) return false;
    }
}

// the tolerances of event_driven against each other
static inline bool verdict_of_tolerances(const mechanism *it, const motion *truth, verdict *v)
{
    static const double tolerance[] = {1e-6, 1e-8};
    for (int k = 0; k < 2; k++) {
        const motion m = motion_events(it, tolerance[k], 0);
        const double rest = m.is_done ? motion_distance(&m, truth) : 0;
        if (!m.is_done) {
            v->kind = UNFINISHED;
            snprintf(v->why, sizeof v->why, "tolerance %g: %s", tolerance[k], m.why);
            return false;
        }
        if (rest <= 1000 * tolerance[k]) continue;
        const double spread = verdict_spread(it, truth, 10 * tolerance[k]);
        v->kind = rest <= 10 * spread ? SENSITIVE : DIFFERING;
        snprintf(v->why, sizeof v->why,
                 "tolerance %g is off by %.3g; starts that differ by 10 of them spread %.3g",
                 tolerance[k], rest, spread);
        if (v->kind == DIFFERING) return false;
    }
    return true;
}

// whether the schemes go elsewhere together: each of Moreau's kind against the other kind
static inline bool verdict_is_common(const mechanism *it)
{
    motion m[N_VERDICT_SCHEME];
    for (int k = 0; k < N_VERDICT_SCHEME; k++)
        m[k] = motion_of(it, &(motion_plan){.scheme = verdict_scheme[k], .steps = verdict_last});
    if (!m[2].is_done) return true;
    return (m[0].is_done && motion_distance(&m[0], &m[2]) <= verdict_near) ||
           (m[1].is_done && motion_distance(&m[1], &m[2]) <= verdict_near);
}

// the schemes against event_driven
static inline void verdict_of_schemes(const mechanism *it, const motion *truth, verdict *v)
{
    int n_same = 0, n_other = 0;
    for (int k = 0; k < N_VERDICT_SCHEME; k++) {
        verdict_ladder l;
        const bool is_same = verdict_converges(it, verdict_scheme[k], truth, &l);
        n_same += is_same || l.nearest <= verdict_near;
        if (is_same) continue;
        const double spread = verdict_spread(it, truth, 4 * it->end / (double)l.steps);
        n_other += l.last > 4 * spread;
        if (v->kind == AGREED) v->kind = SENSITIVE;
        snprintf(v->why, sizeof v->why,
                 "%s with %ld steps is off by %.3g (nearest %.3g); starts that differ by 4 steps "
                 "spread %.3g",
                 verdict_scheme[k], l.steps, l.last, l.nearest, spread);
    }
    if (n_other == 0) return;
    v->kind = n_same > 0 || !verdict_is_common(it) ? AMBIGUOUS : DIFFERING;
}

static inline verdict verdict_of(const mechanism *it)
{
    verdict v = {.kind = AGREED};
    const motion truth = motion_events(it, 1e-10, 0);
    if (!truth.is_done) {
        v.kind = UNFINISHED;
        snprintf(v.why, sizeof v.why, "tolerance 1e-10: %.200s", truth.why);
        return v;
    }
    if (truth.energy_error > verdict_energy) {
        v.kind = DIFFERING;
        snprintf(v.why, sizeof v.why, "energy is off by %.3g of all", truth.energy_error);
        return v;
    }
    if (!verdict_of_tolerances(it, &truth, &v)) return v;
    verdict_of_schemes(it, &truth, &v);
    return v;
}

#endif
