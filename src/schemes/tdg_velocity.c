// SPDX-License-Identifier: Apache-2.0
// Half-explicit time-discontinuous Galerkin scheme on velocity level, the proposal of Schindler et
// al.: the forecasting trapezoidal rule (integrators/trapezoid.h), with contact forces found so
// that the velocity at the end of each stage obeys the law with e = 0.
//
//     la+ on {g(q) <= 0}:     law on W(q + h u) u1,   u1 = u + h M(q)^-1 [f(q, u) + W(q)' la+]
//     la- on {g(q1) <= 0}:    law on W(q1) u+,        u+ = (u + u1)/2
//                                                          + h/2 M(q1)^-1 [f(q1, u1) + W(q1)' la-]
//
// Forces and impulses are kept apart: order 2 between impacts, lasting contacts included. la+
// is sought with the rows of q + h u but pushes along W(q), so that the matrix of its problem,
// W(q + h u) M(q)^-1 W(q)', is not symmetric.
//
// T. Schindler et al., Half-explicit timestepping schemes on velocity level,
// 2015, Sect. 5 (Fig. 9).
#include "dynamics/law.h"
#include "integrators/trapezoid.h"
#include "model/plan.h"
#include "schemes/schemes.h"

static int n_work(const carom_model *model)
{
    return carom_trapezoid_n_work(model) + carom_model_sizes(model).nq;
}

static carom_status at_start(carom_step *s, const carom_stage *stage, double *h_la, double *du)
{
    double *q_ahead = s->work + carom_trapezoid_n_work(s->model);
    carom_model_moved(s->model, stage->q, stage->u, s->h, q_ahead);
    const carom_point ahead = {
        .t = stage->t + s->h, .q = q_ahead, .u = stage->u, .holds = s->holds};
    CAROM_TRY(carom_plan_ask(s->plan, &ahead, CAROM_ROWS, s->ev[2], s->error));
    return carom_trapezoid_velocity_law(s, stage, s->ev[2], 1, h_la, du);
}

static carom_status at_end(carom_step *s, const carom_stage *stage, double *h_la, double *du)
{
    return carom_trapezoid_velocity_law(s, stage, stage->at, 1, h_la, du);
}

static carom_status tdg_velocity_step(carom_step *s, const carom_state *now, carom_state *next)
{
    static const carom_trapezoid how = {at_start, at_end, NULL};
    return carom_trapezoid_step(s, &how, now, next);
}

static const unsigned masks[] = {CAROM_TRAPEZOID_MASK, CAROM_ROWS, 0};

const carom_scheme carom_scheme_tdg_velocity = {
    .name = "tdg_velocity",
    .about = "time-discontinuous Galerkin on velocity level: second order between impacts, forces "
             "and impulses apart",
    .reference =
        "T. Schindler et al., Half-explicit timestepping schemes on velocity level, 2015, Sect. 5",
    .order_free = 2,
    .order_contact = 1,
    .level = "velocity",
    .cost = 1.1,
    .has_friction = true,
    .has_bilateral = true,
    .takes.laws = CAROM_LAWS_WITH_DISCS,
    .takes.varies = CAROM_VARIES_ALL,
    .takes.rates = true,
    .takes.wh = 2,
    .has_contact = true,
    .can_vary_step = true,
    .separates_impact = true,
    .mask = masks,
    .n_eval = 3,
    .n_work = n_work,
    .step = tdg_velocity_step,
};
