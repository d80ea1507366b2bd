// SPDX-License-Identifier: Apache-2.0
// A Moreau-type variational integrator for models given by energies: the motion makes a discrete
// action stationary, so that without friction and damping the energy error stays bounded over long
// times. Contacts are impulses at the grid points, on velocity level. With p = dT/du, T_q = dT/dq,
// the interval velocities w_k = (q_k+1 - q_k)/h, and f without inertia terms:
//
//     p_L  = 1/2 [p(q_k-1, w_k-1) + p(q_k, w_k-1)] + h/2 [T_q + f](q_k, w_k-1)
//     R(w) = -p_L + 1/2 [p(q_k, w) + p(q_k + h w, w)] - h/2 [T_q + f](q_k, w)
//     R(w_k) = W(q_k)' P            law on W(q_k) w_k and W(q_k) w_k-1, contacts with g(q_k) <= 0
//     g_B(q_k + h w_k) = 0          constraints, on position level
//     p_L  = p(q, u),  w = u        at the start of the run
//
// Josephy-Newton: only R is linearised, with the matrix J = dR/dw (integrators/interval.h),
// which takes the place of M in the contact problem and is not symmetric; the law stays exact.
// Constraints are aimed at the end of the interval in every pass, so that they do not drift.
//
// Orientations have T_q = dT/dq - w x p (Hamel). Those with an inertia get the momenta of their
// exact discrete Lagrangian at both ends, with the turn y = h w, mu = J w, c(|y|) of
// math/rotation.h, and x for the cross product:
//
//     begin  mu + 1/2 y x mu + c y x (y x mu)      end  mu - 1/2 y x mu + c y x (y x mu)
//
// where T_q has brought the terms with 1/2; they keep the spatial angular momentum to rounding, and
// J leaves the derivatives of the last ones out.
//
// The state is (q_k+1, w_k): its velocity lags by h/2, and its energy is meant at the middle of the
// interval, ((q_k + q_k+1)/2, w_k). Its memory holds p_L, q_k and h.
//
// G. Capobianco and S. R. Eugster, A Moreau-type variational integrator, 2016 (the law, printed
// with k + 1 and k, corrected to k and k - 1).
#include "dynamics/active.h"
#include "dynamics/law.h"
#include "integrators/interval.h"
#include "math/vector.h"
#include "model/plan.h"
#include "schemes/schemes.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { START = CAROM_GAPS | CAROM_ROWS, MOST_PASSES = 50 };
static const double CONVERGED = 1e-14, STAGNANT = 1e-11; // of the largest velocity

// scratch, cut from s->work
typedef struct scratch {
    double *residual, *w_old; // (nu)
    double *q_mid;            // (nq)
} scratch;

static int n_memory(const carom_model *model)
{
    // p_L, q at the start of the last interval, its length
    const carom_sizes size = carom_model_sizes(model);
    return size.nu + size.nq + 1;
}

static int n_work(const carom_model *model)
{
    const carom_sizes size = carom_model_sizes(model);
    return 2 * size.nu + size.nq;
}

static scratch cut(const carom_step *s)
{
    const int n = s->size.nu;
    return (scratch){s->work, s->work + n, s->work + 2 * n};
}

static carom_status prepare(carom_step *s)
{
    carom_linear *J;
    CAROM_TRY(carom_interval_matrix(s, s->ev[1], &J));
    s->self = J;
    return CAROM_OK;
}

static void release(carom_step *s)
{
    carom_linear_free(s->self);
}

static carom_status start(carom_step *s, carom_state *state)
{
    const size_t size = sizeof(double) * (size_t)s->size.nu;
    const carom_point at = {.t = state->t, .q = state->q, .u = state->u, .holds = s->holds};
    CAROM_TRY(carom_plan_ask(s->plan, &at, CAROM_INTERVAL_MASK, s->ev[1], s->error));
    memcpy(state->memory, s->ev[1]->momentum.p, size);
    memcpy(state->memory + s->size.nu, state->q, sizeof(double) * (size_t)s->size.nq);
    return CAROM_OK;
}

static carom_status evaluate_interval(carom_step *s, const carom_state *now, carom_state *next)
{
    const carom_point begin = {.t = now->t, .q = now->q, .u = next->u, .holds = s->holds};
    return carom_interval_eval(s, &begin, next->q, s->ev[1], s->ev[2]);
}

static carom_status variational_pass(carom_step *s, const scratch *w, const carom_state *now,
                                     carom_state *next, bool is_touching)
{
    const int n = s->size.nu;
    CAROM_TRY(evaluate_interval(s, now, next));
    CAROM_TRY(carom_interval_factor(s, s->ev[1], s->ev[2], s->self));
    memcpy(w->w_old, next->u, sizeof(double) * (size_t)n);
    carom_interval_residual(s, s->ev[1], s->ev[2], now->memory, w->residual);
    if (s->model->n_inert < 0) carom_chart_momenta(&s->model->chart, next->u, s->h, w->residual);
    carom_linear_solve(s->self, w->residual);
    for (int i = 0; i < n; i++) next->u[i] -= w->residual[i];
    carom_dynamics_clear_report(s);
    if (!is_touching) return CAROM_OK;
    carom_interval_aim_constraints(s, s->ev[2], w->w_old, s->ev[3]);
    const carom_contact_terms terms = {.rate = s->ev[3],
                                       .push = s->ev[0],
                                       .metric = s->self,
                                       .u_minus = now->u,
                                       .is_active = next->is_active};
    return carom_dynamics_contact(s, &terms, next->P, next->u);
}

// contacts at the start of the interval; ev[0] pushes, ev[3] has the same rows until constraints
// are aimed at the end
static carom_status look_at_contacts(carom_step *s, const carom_state *now, carom_state *next,
                                     bool *is_touching)
{
    const carom_point at = {.t = now->t, .q = now->q, .u = now->u, .holds = s->holds};
    CAROM_TRY(carom_plan_ask(s->plan, &at, START, s->ev[0], s->error));
    *is_touching = carom_active_closed(s->ev[0], 0, next->is_active);
    return *is_touching ? carom_plan_ask(s->plan, &at, START, s->ev[3], s->error) : CAROM_OK;
}

static carom_status solve_interval(carom_step *s, const scratch *w, const carom_state *now,
                                   carom_state *next)
{
    const int n = s->size.nu;
    bool is_touching, is_converged = false;
    CAROM_TRY(look_at_contacts(s, now, next, &is_touching));
    memcpy(next->u, now->u, sizeof(double) * (size_t)n);
    memset(next->P, 0, sizeof(double) * (size_t)s->size.n_row);
    double change = INFINITY;
    for (int k = 0; k < MOST_PASSES && !is_converged; k++) {
        CAROM_TRY(variational_pass(s, w, now, next, is_touching));
        s->report.iterations++;
        for (int i = 0; i < n; i++) w->w_old[i] -= next->u[i];
        const double before = change, scale = fmax(carom_vector_largest(next->u, n),
                                                   carom_vector_largest(now->u, n));
        change = carom_vector_largest(w->w_old, n);
        if (!isfinite(change))
            return carom_fail(s->error, CAROM_NOT_FINITE,
                              "Newton's method diverged; use a smaller step");
        // positions are known to rounding, velocities to that over h
        const double noise = 64 * DBL_EPSILON * carom_vector_largest(now->q, s->size.nq) / s->h;
        is_converged = change <= CONVERGED * scale ||
                       (change >= before && change <= fmax(STAGNANT * scale, noise));
    }
    s->report.is_converged &= is_converged;
    return CAROM_OK;
}

static carom_status variational_step(carom_step *s, const carom_state *now, carom_state *next)
{
    const scratch w = cut(s);
    const int n = s->size.nu;
    CAROM_TRY(solve_interval(s, &w, now, next));

    // the momentum that the next interval starts from
    CAROM_TRY(evaluate_interval(s, now, next));
    carom_interval_momentum(s, s->ev[1], s->ev[2], next->memory);
    if (s->model->n_inert < 0) carom_chart_momenta(&s->model->chart, next->u, s->h, next->memory);
    memcpy(next->memory + n, now->q, sizeof(double) * (size_t)s->size.nq);
    next->memory[n + s->size.nq] = s->h;
    next->t = now->t + s->h;
    return CAROM_OK;
}

static carom_status energy(carom_step *s, const carom_state *state, double *kinetic,
                           double *potential)
{
    const scratch w = cut(s);
    const int n = s->size.nu;
    const double *q_before = state->memory + n;
    const double h = state->memory[n + s->size.nq];
    if (s->model->n_plain < 0) carom_model_moved(s->model, q_before, state->u, 0.5 * h, w.q_mid);
    for (int i = 0; i < s->model->n_plain; i++) w.q_mid[i] = 0.5 * (state->q[i] + q_before[i]);
    const carom_point at = {
        .t = state->t - 0.5 * h, .q = w.q_mid, .u = state->u, .holds = s->holds};
    CAROM_TRY(carom_plan_ask(s->plan, &at, CAROM_ENERGY, s->ev[1], s->error));
    *kinetic = s->ev[1]->energy.kinetic;
    *potential = s->ev[1]->energy.potential;
    return CAROM_OK;
}

static const unsigned masks[] = {START, CAROM_INTERVAL_MASK, CAROM_INTERVAL_END_MASK, CAROM_ENERGY,
                                 0};

const carom_scheme carom_scheme_variational = {
    .name = "variational",
    .about = "Moreau-type variational integrator: energy stays bounded over long times, explicit "
             "in springs",
    .reference = "G. Capobianco and S. R. Eugster, A Moreau-type variational integrator, 2016",
    .order_free = 2,
    .order_contact = 1,
    .level = "velocity",
    .cost = 7.3,
    .has_friction = true,
    .has_bilateral = true,
    .takes.laws = CAROM_LAWS_WITH_DISCS,
    .takes.varies = CAROM_VARIES_ALL,
    .takes.rates = true,
    .takes.wh = 2,
    .has_contact = true,
    .is_implicit = true,
    .mask = masks,
    .n_eval = 4,
    .memory = {.n = n_memory},
    .n_work = n_work,
    .prepare = prepare,
    .release = release,
    .start = start,
    .step = variational_step,
    .energy = energy,
};
