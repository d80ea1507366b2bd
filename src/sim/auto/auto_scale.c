// SPDX-License-Identifier: Apache-2.0
// The sizes by which step control measures a motion are the largest |q| and |u| so far. Where
// nothing moves yet (a body at rest, which a force will lift) they are 0, and no error is small
// beside them. Then what the forces can do in a short time T gives them: with a = M^-1 f,
//
//     scale_u >= |a| T,     scale_q >= |a| T^2
//     scale_q >= |u| T                              where all coordinates are 0
//
// T is the first step: a thousandth of the run, or as much shorter as it takes that the forces
// along the free motion q + u s + a s^2/2, s <= T, lie on a parabola to a tenth of their size and
// no gap closes. So it follows the motion in a long run, and a motion in other units is the same.
//
// E. Hairer, S. P. Norsett, G. Wanner, Solving Ordinary Differential Equations I, II.4 (starting
// step size).
#include "model/model.h"
#include "sim/auto/auto_step.h"

#include <math.h>

enum { MOST_HALVINGS = 60 };
static const double followed = 0.1;

carom_status carom_auto_find_free(carom_sim *sim, const carom_point *at, double *acceleration)
{
    CAROM_TRY(carom_model_eval(sim->s.plan, at, CAROM_CONTROL_FORCES, sim->eval, &sim->trouble));
    for (int i = 0; i < sim->size.nu; i++) acceleration[i] = sim->eval->acceleration[i];
    return CAROM_OK;
}

// the state after the time s of free motion, with the acceleration at the start
static carom_point free_motion(const carom_sim *sim, double s)
{
    const carom_auto_step *c = sim->control;
    for (int i = 0; i < sim->size.nu; i++) c->point.u[i] = sim->now.u[i] + 0.5 * s * c->free[0][i];
    carom_model_move(sim->model, sim->now.q, c->point.u, s, c->point.q);
    for (int i = 0; i < sim->size.nu; i++) c->point.u[i] = sim->now.u[i] + s * c->free[0][i];
    return (carom_point){.t = sim->now.t + s, .q = c->point.q, .u = c->point.u};
}

// whether no contact that is open at the start is closed at this point
static carom_status stays_open(carom_sim *sim, const carom_point *at, bool *is_open)
{
    const carom_auto_step *c = sim->control;
    if (sim->size.n_contact == 0) return CAROM_OK;
    CAROM_TRY(carom_model_eval(sim->s.plan, at, CAROM_GAPS, sim->eval, &sim->trouble));
    for (int i = 0; i < sim->size.n_contact; i++)
        *is_open &= !c->is.closed[i] || sim->eval->gaps.value[i] > 0;
    return CAROM_OK;
}

// whether the accelerations at the five instants lie on a parabola
static bool lie_on_a_parabola(const carom_sim *sim)
{
    double *const *a = sim->control->free;
    double size = 0, error = 0;
    for (int i = 0; i < sim->size.nu; i++) {
        const double mass = sim->control->root_mass[i];
        for (int k = 0; k < CAROM_LOOKS; k++) size = fmax(size, mass * fabs(a[k][i]));
        const double slope = 4 * a[2][i] - 3 * a[0][i] - a[4][i];
        const double bend = 2 * (a[0][i] - 2 * a[2][i] + a[4][i]);
        for (int k = 1; k < CAROM_LOOK_END; k += 2) {
            const double x = carom_look_share[k];
            error = fmax(error, mass * fabs(a[k][i] - a[0][i] - x * (slope + x * bend)));
        }
    }
    return error <= followed * size;
}

// Whether the free motion is followed over the time T. What cannot be evaluated is not.
static bool is_followed(carom_sim *sim, double T)
{
    const carom_auto_step *c = sim->control;
    bool is_open = true;
    for (int k = 1; k < CAROM_LOOKS; k++) {
        const carom_point at = free_motion(sim, carom_look_share[k] * T);
        if (stays_open(sim, &at, &is_open) != CAROM_OK || !is_open) return false;
        if (carom_auto_find_free(sim, &at, c->free[k]) != CAROM_OK) return false;
    }
    return lie_on_a_parabola(sim);
}

static double largest(const double *x, int n)
{
    double most = 0;
    for (int i = 0; i < n; i++) most = fmax(most, fabs(x[i]));
    return most;
}

// what the forces, or else the velocities, can do in the time T
static void widen_by(carom_sim *sim, double T, bool is_at_rest)
{
    const carom_auto_step *c = sim->control;
    const int nq = sim->size.nq, nu = sim->size.nu;
    for (int i = 0; i < nu; i++) {
        double most = 0;
        for (int k = 0; k < CAROM_LOOKS; k++) most = fmax(most, fabs(c->free[k][i]));
        c->point.u[i] = is_at_rest ? most * T : sim->now.u[i];
        if (is_at_rest) c->scale[nq + i] = fmax(c->scale[nq + i], most * T);
    }
    carom_model_move(sim->model, sim->now.q, c->point.u, T, c->point.q);
    carom_model_difference(sim->model, sim->now.q, c->point.q, c->way);
    for (int i = 0; i < nu; i++) c->scale[i] = fmax(c->scale[i], fabs(c->way[i]));
}

carom_status carom_auto_seed_scale(carom_sim *sim, carom_ledger *ledger)
{
    carom_auto_step *c = sim->control;
    const int nq = sim->size.nq;
    const bool is_at_rest = !(largest(c->scale + nq, sim->size.nu) > carom_auto_nothing);
    if (sim->now.t > 0 && !is_at_rest) return CAROM_OK;
    const carom_point start = {.t = sim->now.t, .q = sim->now.q, .u = sim->now.u};
    CAROM_TRY(carom_auto_find_free(sim, &start, c->free[0]));
    for (int i = 0; i < sim->size.n_contact; i++) c->is.closed[i] = false;
    if (sim->size.n_contact > 0)
        CAROM_TRY(carom_model_eval(sim->s.plan, &start, CAROM_GAPS, sim->eval, &sim->trouble));
    for (int i = 0; i < sim->size.n_contact; i++) c->is.closed[i] = sim->eval->gaps.value[i] > 0;
    double T = fmin(c->first_step, ledger->h_next);
    for (int k = 0; k < MOST_HALVINGS && T > c->min_step && !is_followed(sim, T); k++) T *= 0.5;
    sim->trouble = (carom_error){0};
    if (sim->now.t == 0) ledger->h_next = fmax(T, c->min_step);
    if (is_at_rest || !(largest(c->scale, nq) > 0)) widen_by(sim, T, is_at_rest);
    return CAROM_OK;
}

void carom_sim_widen_scale(carom_sim *sim)
{
    double *of_q = sim->control->scale, *of_u = of_q + sim->size.nq;
    for (int i = 0; i < sim->size.nu; i++) {
        of_q[i] = fmax(of_q[i], carom_model_size_along(sim->model, sim->now.q, i));
        of_u[i] = fmax(of_u[i], fabs(sim->now.u[i]));
    }
}
