// SPDX-License-Identifier: Apache-2.0
// What an attempt of the step control is weighed with. With a weight w = atol + tolerance scale
// for each coordinate and velocity (scale: the largest value so far), d the difference of one step
// h and two steps h/2, p the order, [du] a jump of the velocity, [a] one of the acceleration:
//
//     smooth motion   d / ((2^p - 1) tolerance^(1/p)) <= w
//                     d tolerance^(1/4) / (2^p - 1)   <= w     velocities where impulses act, which
//                                                              are of first order then
//     impact          h [du]  <= w/10                          positions, as its time is unknown
//     change of mode  h [a]   <= w/10                          velocities
//                     h^2 [a] <= w/10                          positions
//     edge            also |q+ - q| <= w                       positions, as the surface behind it
//                                                              is met late by so much
//
// [a] is the largest difference of the mean accelerations of the step before and of both halves.
// Where one of the two is not in sight (after an impact; before the law sees the change) twice the
// largest acceleration and that of the forces alone bound it.
#include "model/model.h"
#include "sim/auto/auto_step.h"

#include <math.h>

// differences below this share of the scale are rounding and the tolerance of iterations
static const double noise = 1e-12;
// coordinates that are small beside the others are held to this share of the largest, compared by
// the roots of their masses: a metre is not a radian
static const double small = 1e-3;
const double carom_auto_nothing = 1e-150;
// a run has many impacts and changes, and all may err to the same side
static const double share_of_one = 0.1;

// of the positions that velocity i moves, or of velocity i - nq
static double size_of(const carom_sim *sim, const double *now, int i)
{
    return i < sim->size.nq ? carom_model_size_along(sim->model, now, i) : fabs(now[i]);
}

// from a to b, into control->way
static const double *find_way(const carom_sim *sim, const double *a, const double *b)
{
    carom_model_difference(sim->model, a, b, sim->control->way);
    return sim->control->way;
}

double carom_auto_weight(const carom_sim *sim, const double *now, int i)
{
    const carom_auto_step *c = sim->control;
    const int nq = sim->size.nq, first = i < nq ? 0 : nq, last = first + sim->size.nu;
    const double atol = c->atol[i - first < nq ? i - first : 0], *mass = c->root_mass;
    const double scale = fmax(carom_auto_nothing, fmax(c->scale[i], size_of(sim, now, i)));
    double largest = 0;
    for (int k = first; atol == 0 && k < last; k++)
        largest = fmax(largest, mass[k - first] * fmax(c->scale[k], size_of(sim, now, k)));
    return atol + sim->choice.tolerance * fmax(scale, small * largest / mass[i - first]);
}

int carom_auto_order(const carom_sim *sim, const carom_verdict *v)
{
    const int order = v->has_impulse ? sim->scheme->order_contact : sim->scheme->order_free;
    return order > 0 ? order : 1;
}

// positions are apart by their difference: an orientation p is the same as -p
void carom_auto_judge_smooth(const carom_sim *sim, carom_verdict *v)
{
    const double *fine = sim->next.q, *coarse = sim->control->coarse.q;
    const int p = sim->scheme->order_free > 0 ? sim->scheme->order_free : 1;
    const double tol = sim->choice.tolerance, share = fmax(pow(tol, 1.0 / p), noise / tol);
    const double gain = pow(2, carom_auto_order(sim, v)) - 1;
    // velocities that impulses make are of first order in h, which goes with tolerance^(3/4)
    const double share_u = v->has_impulse ? pow(tol, -0.25) : share;
    const int nq = sim->size.nq, nu = sim->size.nu;
    const double *way = find_way(sim, coarse, fine);
    v->error = v->error_q = 0;
    for (int i = 0; i < 2 * nu; i++) {
        const int k = i < nu ? i : nq + i - nu;
        const double d = fabs(i < nu ? way[i] : fine[k] - coarse[k]) / gain;
        const double part = i < nu ? share : share_u;
        if (d > 0) v->error = fmax(v->error, d / (part * carom_auto_weight(sim, fine, k)));
        if (i < nu) v->error_q = v->error;
    }
    v->is_good = v->error <= 1;
}

// the part of h after which a velocity that is wrong by mid_u has moved positions by their weights
static double share_of_positions(carom_sim *sim, double h, const carom_state *to, double weight)
{
    double share = INFINITY;
    carom_model_move(sim->model, sim->now.q, sim->energy.mid_u, h, sim->energy.mid_q);
    const double *way = find_way(sim, sim->now.q, sim->energy.mid_q);
    for (int i = 0; i < sim->size.nu; i++) {
        const double moved = fabs(way[i]);
        if (moved > 0) share = fmin(share, weight * carom_auto_weight(sim, to->q, i) / moved);
    }
    return share;
}

void carom_auto_judge_jump(carom_sim *sim, carom_verdict *v, const carom_state *from,
                           const carom_state *to)
{
    const carom_auto_step *c = sim->control;
    for (int i = 0; i < sim->size.nu; i++) sim->energy.mid_u[i] = to->u[i] - from->u[i];
    const double share = fmin(c->max_step / v->h, share_of_positions(sim, v->h, to, share_of_one));
    v->h_impact = fmax(c->min_step, share * v->h);
    v->is_good = v->h <= v->h_impact;
}

bool carom_auto_states_agree(const carom_sim *sim, const carom_state *a, const carom_state *b)
{
    const double *way = find_way(sim, b->q, a->q);
    for (int i = 0; i < sim->size.nu; i++)
        if (fabs(way[i]) > carom_auto_weight(sim, a->q, i)) return false;
    return true;
}

bool carom_auto_velocities_agree(const carom_sim *sim, const carom_state *a, const carom_state *b)
{
    const int nq = sim->size.nq;
    if (!sim->scheme->separates_impact) return true;
    for (int i = 0; i < sim->size.nu; i++)
        if (fabs(a->u[i] - b->u[i]) > carom_auto_weight(sim, a->q, nq + i)) return false;
    return true;
}

// h [a] for each velocity
static carom_status find_effect(carom_sim *sim, const carom_verdict *v)
{
    const carom_auto_step *c = sim->control;
    const double *u0 = sim->now.u, *u1 = c->mid.u, *u2 = sim->next.u, *before = c->acceleration;
    double *effect = c->effect;
    const carom_point start = {.t = sim->now.t, .q = sim->now.q, .u = sim->now.u};
    const bool is_bound =
        !isfinite(before[0]) || v->has_edge || v->has_late_change || !v->has_change;
    if (is_bound) CAROM_TRY(carom_auto_find_free(sim, &start, c->free[0]));
    for (int i = 0; i < sim->size.nu; i++) {
        const double first = 2 * (u1[i] - u0[i]), second = 2 * (u2[i] - u1[i]);
        const double last = isfinite(before[i]) ? v->h * before[i] : 0;
        const double ways = fabs(u2[i] - c->coarse.u[i]);
        double most = fmax(fabs(first - second), ways);
        if (isfinite(before[i])) most = fmax(most, fmax(fabs(first - last), fabs(second - last)));
        if (is_bound)
            most = fmax(most, 2 * (fmax(fmax(fabs(first), fabs(second)), fabs(last)) +
                                   v->h * fabs(c->free[0][i])));
        effect[i] = most;
    }
    return CAROM_OK;
}

carom_status carom_auto_judge_change(carom_sim *sim, carom_verdict *v)
{
    const carom_auto_step *c = sim->control;
    const int nq = sim->size.nq;
    CAROM_TRY(find_effect(sim, v));
    for (int i = 0; i < sim->size.nu; i++) sim->energy.mid_u[i] = c->effect[i];
    double share = share_of_positions(sim, v->h, &sim->next, share_of_one);
    for (int i = 0; i < sim->size.nu; i++)
        if (c->effect[i] > 0)
            share = fmin(share,
                         share_of_one * carom_auto_weight(sim, sim->next.q, nq + i) / c->effect[i]);
    const double *way = find_way(sim, sim->now.q, sim->next.q);
    for (int i = 0; v->has_edge && i < sim->size.nu; i++) {
        const double moved = fabs(way[i]);
        if (moved > 0) share = fmin(share, carom_auto_weight(sim, sim->next.q, i) / moved);
    }
    v->h_impact = fmax(c->min_step, fmin(c->max_step, share * v->h));
    v->is_good = v->h <= v->h_impact;
    return CAROM_OK;
}
