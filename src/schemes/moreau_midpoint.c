// SPDX-License-Identifier: Apache-2.0
// Moreau's midpoint rule, the simplest scheme for contact: move half a step with the old velocity,
// change the velocity there by forces and contact together, move the other half with the new one.
// All impacts and contact forces of a step act as one impulse P.
//
//     q_m = q + h/2 u,   t_m = t + h/2
//     M(q_m) (u+ - u) = h f(t_m, q_m, u) + W(q_m)' P     law on W(q_m) u+ and W(q_m) u
//                                                        contacts with g(q_m) <= 0
//     q+ = q_m + h/2 u+
//
// One evaluation of the model and at most one contact problem: the unit of cost of the others. It
// is explicit, so that stiff springs limit the step, and of second order in free flight only where
// forces do not depend on the velocity, because f takes u of the start. The law is on velocity
// level: a body enters by up to h times its arrival speed, and gaps drift in lasting contact.
//
// J. J. Moreau, Unilateral contact and dry friction in finite freedom dynamics, 1988.
#include "dynamics/active.h"
#include "dynamics/law.h"
#include "math/vector.h"
#include "model/plan.h"
#include "schemes/schemes.h"

enum { MOTION = CAROM_MASS | CAROM_FORCES | CAROM_ACCELERATION | CAROM_GAPS };

static carom_status moreau_midpoint_step(carom_step *s, const carom_state *now, carom_state *next)
{
    // move to the midpoint with the old velocity
    carom_eval *mid = s->ev[0];
    carom_model_moved(s->model, now->q, now->u, 0.5 * s->h, next->q);
    const carom_point at = {.t = now->t + 0.5 * s->h, .q = next->q, .u = now->u, .holds = s->holds};
    CAROM_TRY(carom_plan_ask(s->plan, &at, MOTION, mid, s->error));

    // velocity without contact, then all impulses of the step at once
    carom_model_freed(s->model, now->u, mid->acceleration, s->h, next->u);
    bool is_touching = carom_active_closed(mid, 0, next->is_active);
    if (s->rests) is_touching |= carom_active_keep(s, mid, next->is_active);
    if (is_touching) {
        CAROM_TRY(carom_plan_ask(s->plan, &at, CAROM_ROWS, mid, s->error));
        if (s->rests) CAROM_TRY(carom_plan_ask(s->plan, &at, CAROM_CURVATURE, mid, s->error));
        carom_vector_copy(s->size.n_row, now->P, next->P);
        const carom_contact_terms terms = {.rate = mid,
                                           .u_minus = now->u,
                                           .is_active = next->is_active,
                                           .rests = s->rests,
                                           .lead = s->rests ? 0.5 * s->h : 0};
        CAROM_TRY(carom_dynamics_contact(s, &terms, next->P, next->u));
    } else {
        carom_vector_clear(s->size.n_row, next->P);
    }

    // finish the step with the new velocity
    carom_model_moved(s->model, next->q, next->u, 0.5 * s->h, next->q);
    next->t = now->t + s->h;
    return CAROM_OK;
}

static const unsigned masks[] = {MOTION, CAROM_ROWS, 0};

const carom_scheme carom_scheme_moreau_midpoint = {
    .name = "moreau_midpoint",
    .about = "Moreau's midpoint rule: explicit, one impulse for each step",
    .reference =
        "J. J. Moreau, Unilateral contact and dry friction in finite freedom dynamics, 1988",
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
    .can_vary_step = true,
    .mask = masks,
    .n_eval = 1,
    .step = moreau_midpoint_step,
};
