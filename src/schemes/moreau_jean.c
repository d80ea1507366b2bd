// SPDX-License-Identifier: Apache-2.0
// The Moreau-Jean theta scheme: one impulse for each step as in Moreau's midpoint rule, but
// the forces are implicit, so that stiff springs and dampers do not limit the step. With
// x_th = (1 - theta) x + theta x+:
//
//     q+ = q + h u_th
//     M(q_th) (u+ - u) = h f(t + theta h, q_th, u_th) + W(q_th)' P
//                         law on W(q_th) u+ and W(q_th) u
//                         contacts with g(q) + prediction h W(q) u <= 0
//
// The contacts are chosen once, from gaps and rates at the start. Then Newton's method finds
// u+ with the law kept exact in every pass: integrators/theta.c, which the schemes with projection
// share. theta = 1/2 is of second order in free flight and adds no energy to linear forces;
// theta > 1/2 damps, theta = 1 is fully implicit. Gaps drift, as in all schemes on velocity level.
//
// M. Jean, The non-smooth contact dynamics method, 1999; V. Acary and O. Bonnefon, Time integration
// of nonsmooth mechanical systems with unilateral contact, 2011, eq 2 (weights of x_th corrected).
#include "dynamics/active.h"
#include "dynamics/assembly.h"
#include "dynamics/law.h"
#include "integrators/theta.h"
#include "math/vector.h"
#include "model/plan.h"
#include "schemes/schemes.h"

enum { START = CAROM_GAPS | CAROM_ROWS | CAROM_GAP_RATES | CAROM_KEEP };
enum { THETA, PREDICTION };

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

// the end of this step is the start of the next
static void look_at_end(carom_step *s, const carom_state *next)
{
    const carom_point there = {.t = next->t, .q = next->q, .u = next->u, .holds = s->holds};
    carom_plan_ask(s->plan, &there, START, s->ev[0], NULL);
}

// From the last impulses solvers of large problems find what is closed; few contacts need no guess,
// and Newton's matrix is better without it.
static void guess_impulses(const carom_step *s, const carom_state *now, carom_state *next)
{
    carom_vector_clear(s->size.n_row, next->P);
    for (int c = 0; s->size.n_row > CAROM_PROBLEM_DENSE && c < s->size.n_contact; c++) {
        const carom_contact_facts *contact = carom_plan_contact(s->plan, c);
        if (!next->is_active[c]) continue;
        for (int r = contact->row, end = r + contact->n_slip; r <= end; r++) next->P[r] = now->P[r];
    }
}

static carom_status moreau_jean_step(carom_step *s, const carom_state *now, carom_state *next)
{
    // contacts that close within the prediction
    CAROM_TRY(carom_plan_ask_again(s->plan, now, s->holds, START, s->ev[0], s->error));
    const double lead = s->option[PREDICTION] * s->h;
    carom_active_ahead(s->ev[0], lead, next->is_active);
    if (s->rests) carom_active_keep(s, s->ev[0], next->is_active);

    guess_impulses(s, now, next);
    CAROM_TRY(carom_theta_step(s, s->self, now, next));
    look_at_end(s, next);
    return CAROM_OK;
}

static const carom_option options[] = {
    CAROM_THETA_ROW,
    {"prediction", CAROM_REAL, 0.5, 0, 1, NULL, "share of the step over which gaps are predicted"},
    {0}};

static const unsigned masks[] = {START, CAROM_THETA_MASKS, 0};

const carom_scheme carom_scheme_moreau_jean = {
    .name = "moreau_jean",
    .about = "Moreau-Jean theta scheme, implicit in the forces",
    .reference = "M. Jean, The non-smooth contact dynamics method, 1999",
    .order_free = 2,
    .order_contact = 1,
    .level = "velocity",
    .cost = 3.4,
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
    .n_work = carom_theta_n_work,
    .prepare = prepare,
    .release = release,
    .renew = carom_theta_renew,
    .step = moreau_jean_step,
};
