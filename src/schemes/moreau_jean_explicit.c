// SPDX-License-Identifier: Apache-2.0
// The explicit Moreau-Jean scheme: an explicit Euler step, whose end velocity is then corrected by
// the impulses. Contacts are foreseen at the start of the step, and pushed where it ends.
//
//     q+ = q + h u
//     u+ = u + h M(q)^-1 f(t, q, u) + M(q+)^-1 W(q+)' P     law on W(q+) u+ and W(q) u
//                                                           contacts with g(q) + h/2 W(q) u <= 0
//
// The rates before the impact are those with the rows of the start, W(q) u, not W(q+) u; where rows
// turn the two differ. All that the next step asks at its start is known once u+ is: the evaluation
// of the end is handed on, so that a step costs one evaluation. Order 1 everywhere.
//
// T. Schindler et al., Half-explicit timestepping schemes on velocity level based on
// time-discontinuous Galerkin methods, 2015, eqs 43-49; M. Jean, The non-smooth contact
// dynamics method, 1999.
#include "dynamics/active.h"
#include "dynamics/law.h"
#include "math/vector.h"
#include "model/plan.h"
#include "schemes/schemes.h"

enum {
    START = CAROM_MASS | CAROM_FORCES | CAROM_ACCELERATION | CAROM_GAPS | CAROM_ROWS |
            CAROM_GAP_RATES | CAROM_KEEP,
    END = CAROM_MASS | CAROM_ROWS
};

// the end of this step is the start of the next
static void hand_on_end(carom_step *s)
{
    carom_eval *end = s->ev[1];
    s->ev[1] = s->ev[0];
    s->ev[0] = end;
}

// nothing touches: the velocity is known, and with it all that the next step asks at its start
static void look_at_end(carom_step *s, carom_state *next)
{
    const carom_point there = {.t = next->t, .q = next->q, .u = next->u, .holds = s->holds};
    carom_vector_clear(s->size.n_row, next->P);
    carom_eval_drop(s->ev[1]); // what it holds is of two steps ago: not worth comparing
    if (carom_plan_ask(s->plan, &there, START, s->ev[1], NULL) == CAROM_OK) hand_on_end(s);
}

// the impulses act at the end of the step; apart, so that steps without them set up nothing for it
static __attribute__((noinline)) carom_status push_at_end(carom_step *s, const carom_state *now,
                                                          carom_state *next)
{
    carom_eval *start = s->ev[0], *end = s->ev[1];
    const carom_point there = {.t = next->t, .q = next->q, .holds = s->holds};
    carom_eval_drop(end); // as in look_at_end
    if (carom_plan_ask(s->plan, &there, START, end, NULL) == CAROM_OK)
        hand_on_end(s);
    else
        CAROM_TRY(carom_plan_ask(s->plan, &there, END, end, s->error));
    carom_vector_copy(s->size.n_row, now->P, next->P);
    const carom_contact_terms terms = {.rate = end,
                                       .before = start,
                                       .u_minus = now->u,
                                       .is_active = next->is_active,
                                       .rests = s->rests};
    CAROM_TRY(carom_dynamics_contact(s, &terms, next->P, next->u));
    return CAROM_OK;
}

static carom_status moreau_jean_explicit_step(carom_step *s, const carom_state *now,
                                              carom_state *next)
{
    // forces and the prediction of contact at the start of the step
    CAROM_TRY(carom_plan_ask_again(s->plan, now, s->holds, START, s->ev[0], s->error));
    bool is_touching = carom_active_ahead(s->ev[0], 0.5 * s->h, next->is_active);
    if (s->rests) is_touching |= carom_active_keep(s, s->ev[0], next->is_active);

    next->t = now->t + s->h;
    carom_model_drifted(s->model, now, s->ev[0]->acceleration, s->h, next);
    if (is_touching) return push_at_end(s, now, next);
    look_at_end(s, next);
    return CAROM_OK;
}

static const unsigned masks[] = {START, END, 0};

const carom_scheme carom_scheme_moreau_jean_explicit = {
    .name = "moreau_jean_explicit",
    .about = "explicit Moreau-Jean: impulses at the end of the step",
    .reference = "T. Schindler et al., Half-explicit timestepping schemes on velocity level, 2015, "
                 "eqs 43-49",
    .order_free = 1,
    .order_contact = 1,
    .level = "velocity",
    .cost = 0.8,
    .has_friction = true,
    .has_bilateral = true,
    .takes.laws = CAROM_LAWS_WITH_DISCS,
    .takes.varies = CAROM_VARIES_ALL,
    .takes.rates = true,
    .takes.wh = 2,
    .has_contact = true,
    .can_vary_step = true,
    .mask = masks,
    .n_eval = 2,
    .step = moreau_jean_explicit_step,
};
