// SPDX-License-Identifier: Apache-2.0
// Gaps that close where their direction vanishes, like x^2 at x = 0. The gap never becomes
// negative, no impulse could hold it, and a step passes through the obstacle without a sign. It
// shows as a gap that plunges,
//
//     gap(end) < gap(before)/4,
//
// because x^2, seen at equal distances, falls by (1 + sqrt(2))^2 = 5.8 or more in one of the two
// steps around 0. Then the place is looked for along the straight path through the step and the
// next one: the gap rate changes its sign there, the gap is 0 and its derivatives are 0. That is an
// error; a gap that only comes near is not.
#include "math/vector.h"
#include "model/model.h"
#include "sim/sim.h"

#include <math.h>

enum { HALVINGS = 45 };
static const double steep = 4;                              // far more than 2 x of x^2 can need
static const double path_end = 2;                           // steps
static const double noise = 1e-12;                          // of the positions
static const double zero_gap = 1e-8, zero_direction = 1e-3; // of those at the start of the step

// a gap on the path: itself, its rate, the length of its direction
typedef struct glance {
    double gap, rate, length;
} glance;

static glance glance_of(const carom_sim *sim, int contact)
{
    const carom_sparse *W = &sim->eval->rows.W;
    const int r = sim->contacts.normal[contact];
    glance it = {.gap = sim->eval->gaps.value[contact], .rate = sim->eval->rows.w0[r]};
    for (int k = W->start[r]; k < W->start[r + 1]; k++) {
        it.rate += W->value[k] * sim->now.u[W->index[k]];
        it.length += W->value[k] * W->value[k];
    }
    it.length = sqrt(it.length);
    return it;
}

// whether the model has answers at this place of the path
static bool look_at_place(carom_sim *sim, double place)
{
    const double h = place * (sim->next.t - sim->now.t);
    carom_error unheard;
    carom_model_move(sim->model, sim->now.q, sim->now.u, h, sim->energy.mid_q);
    const carom_point at = {.t = sim->now.t + h, .q = sim->energy.mid_q, .u = sim->now.u};
    return carom_model_eval(sim->s.plan, &at, CAROM_ROW_MASK, sim->eval, &unheard) == CAROM_OK;
}

static bool vanishes(carom_sim *sim, int contact, double *t)
{
    // the end first: there contacts that just close are told apart
    if (!look_at_place(sim, path_end)) return false;
    glance it = glance_of(sim, contact);
    if (!(it.rate > 0) || !look_at_place(sim, 0)) return false;
    const glance start = glance_of(sim, contact);
    if (!(start.rate < 0)) return false;
    double closing = 0, opening = path_end;
    for (int k = 0; k < HALVINGS; k++) {
        const double middle = 0.5 * (closing + opening);
        if (!look_at_place(sim, middle)) return false;
        it = glance_of(sim, contact);
        *(it.rate < 0 ? &closing : &opening) = middle;
        // so far from 0 so near the turn: it stays above, or keeps its direction
        const double width = opening - closing, far = steep * width;
        if (it.gap > zero_gap * start.gap + far * far * start.gap) return false;
        if (it.length > zero_direction * start.length + far * start.length) return false;
    }
    *t = sim->now.t + closing * (sim->next.t - sim->now.t);
    return fabs(it.gap) <= zero_gap * start.gap && it.length <= zero_direction * start.length;
}

static carom_status refuse_gap(const carom_sim *sim, int contact, double t, carom_error *error)
{
    return carom_fail(
        error, CAROM_BAD_INPUT,
        "contact '%s' closes at t = %.9g where all derivatives of its gap are 0: it has no "
        "direction there and nothing can hold it (write a gap that changes its sign at the "
        "obstacle: x, not x^2)",
        carom_plan_contact(sim->s.plan, contact)->name, t);
}

carom_status carom_sim_heed_directions(carom_sim *sim)
{
    bool has_looked = false;
    double rounding = -1;
    for (int c = 0; c < sim->size.n_contact; c++) {
        const double gap = sim->contacts.seen->gaps.value[c], before = sim->contacts.last_gap[c];
        // one in the contact problem has had its say
        const bool is_plunging =
            gap >= 0 && !sim->next.is_active[c] && carom_sim_gap_plunges(gap, before);
        double t;
        sim->contacts.last_gap[c] = gap;
        // of two shapes whose bodies move freely: along its normal it always has one
        if (!is_plunging || carom_plan_contact(sim->s.plan, c)->is_near) continue;
        // bodies that touch have gaps that are rounding of their positions
        if (rounding < 0) rounding = noise * carom_vector_largest(sim->next.q, sim->size.nq);
        if (!(before > rounding)) continue;
        has_looked |= sim->contacts.seen == sim->eval;
        if (vanishes(sim, c, &t)) return refuse_gap(sim, c, t, &sim->trouble);
        if (!has_looked) continue;
        const carom_point at = {.t = sim->next.t, .q = sim->next.q, .u = sim->next.u};
        CAROM_TRY(carom_model_eval(sim->s.plan, &at, CAROM_GAPS, sim->eval, &sim->trouble));
    }
    return CAROM_OK;
}

carom_status carom_sim_heed_start(carom_sim *sim, carom_error *error)
{
    if (sim->size.n_contact == 0) return CAROM_OK;
    const carom_point at = {.t = sim->now.t, .q = sim->now.q, .u = sim->now.u};
    CAROM_TRY(carom_model_eval(sim->s.plan, &at, CAROM_ROW_MASK, sim->eval, error));
    sim->contacts.least = INFINITY;
    for (int c = 0; c < sim->size.n_contact; c++) {
        const glance it = glance_of(sim, c);
        sim->contacts.last_gap[c] = it.gap;
        sim->contacts.least = it.gap < sim->contacts.least ? it.gap : sim->contacts.least;
        if (it.gap <= 0 && it.length == 0) return refuse_gap(sim, c, sim->now.t, error);
    }
    return CAROM_OK;
}
