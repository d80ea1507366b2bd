// SPDX-License-Identifier: Apache-2.0
// Friction and restitution that are expressions, in time stepping. They are those of the start of
// each step, and kept through it: schemes and contact problems see numbers.
//
//     e     at the arrival speed max(0, -gamma_N)      mu     at the slip rate |gamma_T|
//
// With friction_static a contact that sticks has it in place of mu. It sticks where it has no slip
// rate, or where the step before has left its push inside the cone. Where a slip turns round within
// a step (gamma_T- . gamma_T+ < 0) it has been at rest: the step is taken once more with
// friction_static. Which contacts stick is kept behind the memory of the scheme.
#include "sim/contacts/start_coefficients.h"

#include "dynamics/law.h"
#include "model/laws/coefficients.h"
#include "model/slots/slots.h"

#include <math.h>
#include <string.h>

static const double rounding = 1e-9; // of the terms of a slip rate, and of a push

static bool takes_part(const carom_sim *sim)
{
    return carom_coefficients_vary(sim->model) && !sim->scheme->finds_events;
}

int carom_sim_n_stuck(const carom_sim *sim)
{
    bool has_grip = false;
    for (int c = 0; c < sim->size.n_contact; c++)
        has_grip |= (carom_model_contact(sim->model, c)->varies & CAROM_VARIES_GRIP) != 0;
    return has_grip && takes_part(sim) ? sim->size.n_contact : 0;
}

// (n_contact) 1 where a contact sticks at the end of the step that a state is of
static double *stuck_of(const carom_sim *sim, const carom_state *state)
{
    return state->memory + sim->n_memory - carom_sim_n_stuck(sim);
}

bool carom_sim_make_coefficients(carom_sim *sim)
{
    if (!takes_part(sim)) return true;
    sim->contacts.slip = CAROM_TAKE(sim->arena, double, sim->size.n_row);
    return sim->contacts.slip != NULL;
}

static carom_status find_rates(carom_sim *sim, const carom_state *at, double *gamma,
                               carom_error *error)
{
    const carom_point point = {.t = at->t, .q = at->q, .u = at->u, .holds = sim->s.holds};
    CAROM_TRY(carom_model_eval(sim->s.plan, &point, CAROM_ROWS, sim->eval, error));
    carom_dynamics_rates(sim->eval, at->u, gamma);
    return CAROM_OK;
}

// whether the slip rates of a contact are what rounding leaves of their terms
static bool is_still(const carom_sim *sim, const carom_contact_facts *facts, const double *u)
{
    const carom_sparse *W = &sim->eval->rows.W;
    for (int r = facts->row + 1; r <= facts->row + facts->n_slip; r++) {
        double size = fabs(sim->eval->rows.w0[r]);
        for (int k = W->start[r]; k < W->start[r + 1]; k++)
            size += fabs(W->value[k] * u[W->index[k]]);
        if (fabs(sim->contacts.slip[r]) > rounding * size) return false;
    }
    return true;
}

carom_status carom_sim_choose_coefficients(carom_sim *sim, const carom_state *from,
                                           carom_error *error)
{
    carom_plan *plan = sim->s.plan;
    if (!sim->contacts.slip) return CAROM_OK;
    CAROM_TRY(find_rates(sim, from, sim->contacts.slip, error));
    carom_plan_take_law_rates(plan, sim->contacts.slip);
    CAROM_TRY(carom_plan_find_coefficients(plan, from->t, from->q, error));
    for (int c = 0; c < carom_sim_n_stuck(sim); c++) {
        const carom_contact_facts *facts = carom_plan_contact(plan, c);
        if (!(facts->varies & CAROM_VARIES_GRIP)) continue;
        if (stuck_of(sim, from)[c] != 0 || is_still(sim, facts, from->u)) carom_plan_grip(plan, c);
    }
    return CAROM_OK;
}

static const double *push_of(const carom_state *state, const carom_contact_facts *facts)
{
    return (state->P[facts->row] > 0 ? state->P : state->la) + facts->row;
}

// gives friction_static to contacts whose slip has turned round; returns whether there are any
static bool stop_slips(carom_sim *sim, const carom_state *to, const double *gamma)
{
    bool is_any = false;
    for (int c = 0; c < sim->size.n_contact; c++) {
        const carom_contact_facts *facts = carom_plan_contact(sim->s.plan, c);
        double along = 0;
        if (!(facts->varies & CAROM_VARIES_GRIP) ||
            !(carom_law_grip(facts) > carom_law_friction(facts)) || !(push_of(to, facts)[0] > 0))
            continue;
        for (int r = facts->row + 1; r <= facts->row + facts->n_slip; r++)
            along += gamma[r] * sim->contacts.slip[r];
        if (!(along < 0)) continue;
        carom_plan_grip(sim->s.plan, c);
        is_any = true;
    }
    return is_any;
}

static void note_stuck(const carom_sim *sim, carom_state *to)
{
    for (int c = 0; c < sim->size.n_contact; c++) {
        const carom_contact_facts *facts = carom_plan_contact(sim->s.plan, c);
        const double *push = push_of(to, facts);
        const double length = facts->n_slip == 0   ? 0
                              : facts->n_slip == 1 ? fabs(push[1])
                                                   : hypot(push[1], push[2]);
        stuck_of(sim, to)[c] = facts->varies & CAROM_VARIES_GRIP && push[0] > 0 &&
                               length < carom_law_limit(facts, push[0]) * (1 - rounding);
    }
}

carom_status carom_sim_step_with_coefficients(carom_sim *sim, const carom_state *from,
                                              carom_state *to)
{
    const int n_contact = sim->size.n_contact;
    const double t = to->t;
    CAROM_TRY(sim->scheme->step(&sim->s, from, to));
    if (carom_sim_n_stuck(sim) == 0) return CAROM_OK;
    double *gamma = carom_plan_law_rates(sim->s.plan);
    CAROM_TRY(find_rates(sim, to, gamma, &sim->trouble));
    if (stop_slips(sim, to, gamma)) {
        memcpy(to->q, from->q, sim->bytes.state);
        to->t = t;
        if (to->slot)
            memcpy(to->slot, sim->s.plan->slots->slot, sizeof *to->slot * (size_t)n_contact);
        carom_sim_clear_report(sim);
        CAROM_TRY(sim->scheme->step(&sim->s, from, to));
    }
    note_stuck(sim, to);
    return CAROM_OK;
}
