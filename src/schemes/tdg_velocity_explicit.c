// SPDX-License-Identifier: Apache-2.0
// Half-explicit time-discontinuous Galerkin scheme on velocity level, explicit variant: the
// forecasting trapezoidal rule (integrators/trapezoid.h), with contact forces from rows and mass of
// one and the same point, over the full step.
//
//     la on {g <= 0}:   law (e = 0) on W (u + [h M^-1 f] + h M^-1 W' la)
//
// first at (q, u) for la+, then at (q1, u1) for la-. The bracket is there with forecast = full,
// which chatters, and left out with forecast = zero, with which a body at rest sinks. The paper
// shows both to argue for tdg_velocity.
//
// T. Schindler et al., Half-explicit timestepping schemes on velocity level,
// 2015, Sect. 4 (Fig. 7).
#include "dynamics/law.h"
#include "integrators/trapezoid.h"
#include "schemes/schemes.h"

enum { FORECAST };

static carom_status forces(carom_step *s, const carom_stage *stage, double *h_la, double *du)
{
    carom_stage whole = *stage;
    whole.u_base = stage->u;
    whole.share = 1;
    return carom_trapezoid_velocity_law(s, &whole, stage->at, s->option[FORECAST], h_la, du);
}

static carom_status tdg_velocity_explicit_step(carom_step *s, const carom_state *now,
                                               carom_state *next)
{
    static const carom_trapezoid how = {forces, forces, NULL};
    return carom_trapezoid_step(s, &how, now, next);
}

static const carom_option options[] = {
    {"forecast", CAROM_CHOICE, 0, 0, 1, "zero|full",
     "whether the free acceleration counts when forces are sought"},
    {0}};
static const unsigned masks[] = {CAROM_TRAPEZOID_MASK, 0};

const carom_scheme carom_scheme_tdg_velocity_explicit = {
    .name = "tdg_velocity_explicit",
    .about = "time-discontinuous Galerkin on velocity level, explicit variant",
    .reference =
        "T. Schindler et al., Half-explicit timestepping schemes on velocity level, 2015, Sect. 4",
    .order_free = 2,
    .order_contact = 1,
    .level = "velocity",
    .cost = 1,
    .has_friction = true,
    .has_bilateral = true,
    .takes.laws = CAROM_LAWS_WITH_DISCS,
    .takes.varies = CAROM_VARIES_ALL,
    .takes.rates = true,
    .takes.wh = 2,
    .has_contact = true,
    .separates_impact = true,
    .option = options,
    .mask = masks,
    .n_eval = 2,
    .n_work = carom_trapezoid_n_work,
    .step = tdg_velocity_explicit_step,
};
