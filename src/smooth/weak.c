// SPDX-License-Identifier: Apache-2.0
// Where rows become dependent, at a distance d from such a place, an error e of the positions off
// the constraints becomes e/d in the velocities and e/d^2 in the accelerations: what drifts without
// harm elsewhere makes energy there, and smaller steps come nearer. A step is weak where a pivot of
// S (see dynamics/saddle.h; it goes with d^2) is small or the rank falls. Then
//
//     it starts from a point on the constraints and ends on them, in positions and velocities,
//     what that moves at its end counts as its error.
//
// So the ends of steps keep away from the place itself, and the error across the constraints, which
// the estimates of the methods do not see, is held to the tolerance.
#include "smooth/weak.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <string.h>

// of the strongest pivot so far
static const double least_lost = 1e-6, most_lost = 1e-3, weak_over_lost = 100;
static const double told = 1e-2; // up to here it is the likely reason why a step fails

// a pivot up to which rows are lost: rounding, over the pivot, is what is left of velocities
static double lost_pivot(const carom_flow *flow)
{
    const double noise = 0.25 * DBL_EPSILON / flow->rtol;
    return flow->weak.strongest * fmin(most_lost, fmax(least_lost, noise));
}

static double *memory_of(const carom_flow *flow, const carom_motion *motion)
{
    return motion->memory + carom_smooth_n_memory(flow->solver, flow->s->size) - CAROM_WEAK_MEMORY;
}

enum { IS_CLEAN, N_HELD, MOST_RANK, STRONGEST, RANK, WEAKEST };

static bool is_rank(double x, int n)
{
    return x >= 0 && x <= n && x == floor(x);
}

bool carom_weak_is_memory(const carom_flow *flow, const carom_motion *motion)
{
    const double *memory = memory_of(flow, motion);
    const int n = flow->s->size.n_row;
    return is_rank(memory[IS_CLEAN], 1) && is_rank(memory[N_HELD], n) &&
           is_rank(memory[MOST_RANK], n) && is_rank(memory[RANK], n) && memory[STRONGEST] >= 0;
}

void carom_weak_begin(carom_flow *flow, const carom_motion *now)
{
    const double *memory = memory_of(flow, now);
    carom_weakness *weak = &flow->weak;
    weak->n = (int)memory[N_HELD];
    weak->most_rank = (int)memory[MOST_RANK];
    weak->strongest = memory[STRONGEST];
    // an implicit step may find itself done before it has solved for anything
    weak->last = (carom_saddle_strength){weak->n, (int)memory[RANK], memory[WEAKEST]};
    weak->rank = weak->n > 0 ? weak->last.rank : INT_MAX;
    weak->weakest = weak->n > 0 ? weak->last.weakest : 1;
}

void carom_weak_end(const carom_flow *flow, carom_motion *next, bool is_clean)
{
    double *memory = memory_of(flow, next);
    memory[IS_CLEAN] = is_clean;
    memory[N_HELD] = flow->weak.n;
    memory[MOST_RANK] = flow->weak.most_rank;
    memory[STRONGEST] = flow->weak.strongest;
    memory[RANK] = flow->weak.last.rank;
    memory[WEAKEST] = flow->weak.last.weakest;
}

carom_status carom_weak_start(carom_flow *flow, carom_motion *now)
{
    carom_weak_begin(flow, now);
    memcpy(flow->from.la, now->la, sizeof(double) * (size_t)flow->s->size.n_row);
    CAROM_TRY(carom_flow_accelerate(flow, now->t, now->q, now->u, now->a, now->la));
    carom_weak_end(flow, now, false);
    return CAROM_OK;
}

void carom_weak_note_strength(carom_flow *flow, const carom_saddle_strength *strength)
{
    carom_weakness *weak = &flow->weak;
    if (strength->n != weak->n) { // other rows
        weak->n = strength->n;
        weak->most_rank = 0;
        weak->strongest = 0;
        weak->rank = INT_MAX;
        weak->weakest = 1;
    }
    weak->last = *strength;
    if (strength->rank > weak->most_rank) weak->most_rank = strength->rank;
    if (strength->rank < weak->rank) weak->rank = strength->rank;
    weak->weakest = fmin(weak->weakest, strength->weakest);
    weak->strongest = fmax(weak->strongest, strength->weakest);
}

carom_saddle_limit carom_weak_limit(const carom_flow *flow, bool is_forces)
{
    const carom_weakness *weak = &flow->weak;
    const double limit = lost_pivot(flow);
    return is_forces ? (carom_saddle_limit){weak->most_rank, limit, flow->from.la}
                     : (carom_saddle_limit){weak->most_rank, 0.01 * limit, NULL};
}

bool carom_weak_is_near(const carom_flow *flow)
{
    const carom_weakness *weak = &flow->weak;
    return weak->n > 0 &&
           (weak->rank < weak->most_rank || weak->weakest < weak_over_lost * lost_pivot(flow));
}

const char *carom_weak_advice(const carom_flow *flow)
{
    const carom_weakness *weak = &flow->weak;
    return carom_weak_is_near(flow) || (weak->n > 0 && weak->weakest < told * weak->strongest)
               ? "; the constraints become dependent near there (a singular position), where "
                 "rounding leaves no more digits: use a larger tolerance"
               : "";
}

carom_status carom_weak_settle_end(carom_flow *flow, carom_motion *next, bool positions,
                                   bool velocities, double *moved)
{
    const int n = flow->s->size.nu;
    double *q = flow->weak.change, *u = flow->weak.u;
    memcpy(flow->weak.q, next->q, sizeof(double) * (size_t)flow->s->size.nq);
    memcpy(u, next->u, sizeof(double) * (size_t)n);
    CAROM_TRY(carom_flow_project(flow, next, positions, velocities));
    *moved = 0;
    if (!carom_weak_is_near(flow)) return CAROM_OK;
    double change_q = 0, change_u = 0, way = 0, speed = 0;
    carom_model_difference(flow->s->model, next->q, flow->weak.q, q);
    for (int i = 0; i < n; i++) {
        u[i] -= next->u[i];
        change_q += q[i] * q[i];
        change_u += u[i] * u[i];
        way += flow->h * flow->h * next->u[i] * next->u[i];
        speed += next->u[i] * next->u[i];
    }
    const double share_q = change_q < way ? sqrt(change_q / way) : 1;
    const double share_u = change_u < speed ? sqrt(change_u / speed) : 1;
    for (int i = 0; i < n; i++) {
        q[i] *= share_q;
        u[i] *= share_u;
    }
    *moved = carom_flow_norm(flow, q, u, &flow->from, next);
    return CAROM_OK;
}

// rounding over a pivot is what velocities across the constraints are known to: less cannot be
// asked for
static double allowed_error(const carom_flow *flow, double error)
{
    if (!carom_weak_is_near(flow)) return error;
    const double known = 4 * DBL_EPSILON / fmax(flow->weak.weakest, lost_pivot(flow));
    return known > flow->rtol ? error * flow->rtol / known : error;
}

carom_status carom_weak_step(carom_flow *flow, carom_weak_attempt *attempt, const carom_motion *now,
                             double h, carom_motion *next, double *error)
{
    CAROM_TRY(attempt(flow, now, h, next, error));
    if (carom_weak_is_near(flow) && memory_of(flow, now)[IS_CLEAN] == 0) {
        carom_motion *clean = &flow->weak.clean;
        carom_flow_copy(flow, now, clean);
        CAROM_TRY(carom_flow_project(flow, clean, true, true));
        CAROM_TRY(carom_flow_accelerate(flow, clean->t, clean->q, clean->u, clean->a, clean->la));
        carom_weak_end(flow, clean, true);
        CAROM_TRY(attempt(flow, clean, h, next, error));
    }
    carom_weak_end(flow, next, carom_weak_is_near(flow));
    *error = allowed_error(flow, *error);
    return CAROM_OK;
}
