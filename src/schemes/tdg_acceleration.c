// SPDX-License-Identifier: Apache-2.0
// Half-explicit time-discontinuous Galerkin scheme on acceleration level: the forecasting
// trapezoidal rule (integrators/trapezoid.h), with the contact forces that keep the accelerations
// of closed gaps from becoming negative.
//
//     0 <= W M^-1 (f + W' la) + d/dt(W u + w0)|_u  _|_  la >= 0     on {g <= 0 and gamma <= 0}
//
// first at (q, u) for la+, then at (q1, u1) for la-; d/dt(..)|_u is taken at constant u
// (the model's curvature). In the code the row is multiplied by h, so that its unknown
// is the impulse h la.
//
// Contacts and constraints are held on acceleration level only: an error of the velocity stays, and
// gaps drift parabolically. No friction.
//
// T. Schindler et al., Half-explicit timestepping schemes on velocity level, 2015, Sect. 3
// (Fig. 4); the quadratic term as in eq 68, also where eqs 61-62 leave it out.
#include "integrators/trapezoid.h"
#include "model/plan.h"
#include "schemes/schemes.h"

#include <string.h>

static int n_work(const carom_model *model)
{
    return carom_trapezoid_n_work(model) + carom_model_sizes(model).n_row;
}

// of the closed contacts those that do not open
static bool narrow(const carom_step *s, const carom_stage *stage)
{
    double *gamma = s->work + carom_trapezoid_n_work(s->model);
    carom_dynamics_rates(stage->at, stage->u, gamma);
    bool is_any = s->size.n_constraint > 0;
    for (int c = 0; c < s->size.n_contact; c++) {
        stage->is_active[c] &= gamma[carom_plan_contact(s->plan, c)->row] <= 0;
        is_any |= stage->is_active[c];
    }
    return is_any;
}

static carom_status forces(carom_step *s, const carom_stage *stage, double *h_la, double *du)
{
    double *offset = s->work + carom_trapezoid_n_work(s->model);
    memset(du, 0, sizeof(double) * (size_t)s->size.nu);
    const carom_point at = {.t = stage->t, .q = stage->q, .u = stage->u, .holds = s->holds};
    CAROM_TRY(carom_plan_ask(s->plan, &at, CAROM_CURVATURE, s->ev[2], s->error));
    // over the step: 0 <= h (W a + curvature) + G (h la)
    carom_dynamics_rates(stage->at, stage->a_free, offset);
    for (int r = 0; r < s->size.n_row; r++)
        offset[r] = s->h * (offset[r] - stage->at->rows.w0[r] + s->ev[2]->rows.curvature[r]);
    const carom_contact_terms terms = {.rate = stage->at, .is_active = stage->is_active};
    CAROM_TRY(carom_dynamics_correct(s, &terms, offset, h_la, du));
    for (int r = 0; r < s->size.n_row; r++)
        if (h_la[r] != 0) s->report.obstacle_work -= 0.5 * h_la[r] * stage->at->rows.w0[r];
    carom_trapezoid_note_contact(s, h_la);
    return CAROM_OK;
}

static carom_status tdg_acceleration_step(carom_step *s, const carom_state *now, carom_state *next)
{
    static const carom_trapezoid how = {forces, forces, narrow};
    return carom_trapezoid_step(s, &how, now, next);
}

static const unsigned masks[] = {CAROM_TRAPEZOID_MASK, CAROM_CURVATURE, 0};

const carom_scheme carom_scheme_tdg_acceleration = {
    .name = "tdg_acceleration",
    .about = "time-discontinuous Galerkin on acceleration level, without friction",
    .reference =
        "T. Schindler et al., Half-explicit timestepping schemes on velocity level, 2015, Sect. 3",
    .order_free = 2,
    .order_contact = 1,
    .level = "acceleration",
    .cost = 1.4,
    .has_bilateral = true,
    .takes.rates = true,
    .takes.wh = 2,
    .takes.varies = CAROM_VARIES_RESTITUTION,
    .has_contact = true,
    .can_vary_step = true,
    .separates_impact = true,
    .mask = masks,
    .n_eval = 3,
    .n_work = n_work,
    .step = tdg_acceleration_step,
};
