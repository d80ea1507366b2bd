// SPDX-License-Identifier: Apache-2.0
// The Moreau-Jean theta scheme with direct projection: a velocity step as in moreau_jean, then the
// position alone is moved out of the contacts and onto the constraints.
//
//     1. active contacts, with a hysteresis against chattering
//            enter   where g(q) + prediction h W(q) u <= hysteresis
//            stay    as long as that holds, or W(q) u < 0
//        (none with step control, which knows what rests and is held to less than 1e-7 m)
//     2. the theta step on them (integrators/theta)          ->  u+, P, q~ = q + h u_th
//     3. Newton's method from q~ (integrators/projection)    ->  q+ with constraints = 0 and g >= 0
//            on the active contacts (level = 1) or on all (level = 0)
//
// The velocity is left as it is: lifting a body out of the floor adds energy, which the audit shows
// as energy_error. With level = 1 a contact that closes unforeseen is projected a step later.
//
// V. Acary and O. Bonnefon, Time integration of nonsmooth mechanical systems with unilateral
// contact, 2011; V. Acary, Projected event-capturing time-stepping schemes, 2013.
#include "dynamics/active.h"
#include "dynamics/law.h"
#include "integrators/projection.h"
#include "integrators/theta.h"
#include "model/plan.h"
#include "schemes/schemes.h"

#include <string.h>

enum { THETA, PREDICTION, LEVEL, METRIC, HYSTERESIS, PROJECTION_TOL };

static int n_work(const carom_model *model)
{
    return carom_theta_n_work(model) + carom_projection_n_work(model) +
           carom_model_sizes(model).n_row;
}

static carom_status prepare(carom_step *s)
{
    carom_theta *theta;
    const carom_status status = carom_theta_new(s, s->option[THETA], s->ev[1], &theta);
    s->self = theta;
    return status;
}

static void release(carom_step *s)
{
    carom_theta_free(s->self);
}

// the active set of the last step is the memory of the hysteresis
static void activate_contacts(const carom_step *s, const double *gamma, const carom_state *now,
                              carom_state *next)
{
    const double lead = s->option[PREDICTION] * s->h;
    const double hysteresis = s->rests ? 0 : s->option[HYSTERESIS];
    for (int c = 0; c < s->size.n_contact; c++) {
        const double rate = gamma[carom_plan_contact(s->plan, c)->row];
        const bool is_near = s->ev[0]->gaps.value[c] + lead * rate <= hysteresis;
        const bool was_active = now->is_active[c] && carom_active_is_there(s, c);
        next->is_active[c] = is_near || (was_active && rate < 0);
    }
}

static carom_status moreau_direct_projection_step(carom_step *s, const carom_state *now,
                                                  carom_state *next)
{
    double *const work = s->work + carom_theta_n_work(s->model);
    double *const gamma = work + carom_projection_n_work(s->model); // (n_row)
    const carom_point at = {.t = now->t, .q = now->q, .u = now->u, .holds = s->holds};
    CAROM_TRY(carom_plan_ask(s->plan, &at, CAROM_PROJECTION_MASK, s->ev[0], s->error));
    carom_dynamics_rates(s->ev[0], now->u, gamma);
    activate_contacts(s, gamma, now, next);
    carom_active_keep(s, s->ev[0], next->is_active);
    memset(next->P, 0, sizeof(double) * (size_t)s->size.n_row);
    CAROM_TRY(carom_theta_step(s, s->self, now, next));

    // positions only
    const carom_projection how = {.tolerance = s->option[PROJECTION_TOL],
                                  .has_mass_metric = s->option[METRIC] == 1,
                                  .is_chosen = s->option[LEVEL] == 1 ? next->is_active : NULL,
                                  .work = work};
    return carom_projection_apply(s, &how, next);
}

static const carom_option options[] = {
    CAROM_THETA_ROW,
    {"prediction", CAROM_REAL, 0.5, 0, 1, NULL, "share of the step over which gaps are predicted"},
    {"level", CAROM_INTEGER, 1, 0, 1, NULL,
     "contacts that are projected: 1 the active ones, 0 all"},
    CAROM_METRIC_ROW,
    {"hysteresis", CAROM_REAL, 1e-7, 0, 1, NULL,
     "predicted gap up to which a contact is active [m]"},
    CAROM_PROJECTION_TOL_ROW,
    {0}};

static const unsigned masks[] = {CAROM_PROJECTION_MASK, CAROM_PROJECTION_MASS_MASK,
                                 CAROM_THETA_MASKS, 0};

const carom_scheme carom_scheme_moreau_direct_projection = {
    .name = "moreau_direct_projection",
    .about = "Moreau-Jean theta scheme, then positions projected onto the constraints",
    .reference = "V. Acary, Projected event-capturing time-stepping schemes, 2013",
    .order_free = 2,
    .order_contact = 1,
    .level = "velocity",
    .cost = 4.8,
    .has_friction = true,
    .has_bilateral = true,
    .takes.laws = CAROM_LAWS_WITH_DISCS,
    .takes.varies = CAROM_VARIES_ALL,
    .takes.rates = true,
    .has_contact = true,
    .is_implicit = true,
    .can_vary_step = true,
    .option = options,
    .mask = masks,
    .n_eval = 2,
    .n_work = n_work,
    .prepare = prepare,
    .release = release,
    .renew = carom_theta_renew,
    .step = moreau_direct_projection_step,
};
