// SPDX-License-Identifier: Apache-2.0
// Forces and accelerations as records and carom_sim_reaction see them. The force of a row is what
// the scheme has left at the end of the step,
//
//     la               where the scheme separates impacts from forces (P is that of impacts)
//     la + P/h         else: the mean of the step, with what impacts in it have given
//     first_forces.c   at the start
//
// and accelerations are those of these forces at the state, with constraints and contacts closed:
//
//     M a = f + W' la
//
// so that the sum of recorded forces on a body is m a to rounding, in every scheme.
#include "base/need.h"
#include "carom/bodies.h"
#include "math/blockmass.h"
#include "math/vector.h"
#include "sim/sim.h"

#include <string.h>

static void find_forces(const carom_sim *sim, const carom_state *state, double h, double *force)
{
    const bool is_mean = !sim->scheme->separates_impact && h > 0;
    for (int r = 0; r < sim->size.n_row; r++)
        force[r] = state->la[r] + (is_mean ? state->P[r] / h : 0);
}

static carom_status find_accelerations(carom_sim *sim, const carom_state *state)
{
    const carom_point at = {.t = state->t, .q = state->q, .u = state->u};
    CAROM_TRY(carom_model_eval(sim->s.plan, &at, CAROM_FEEL_MASK, sim->eval, &sim->trouble));
    carom_vector_copy(sim->size.nu, sim->eval->f, sim->rows.a);
    carom_dynamics_push(sim->eval, sim->rows.force, sim->rows.a);
    carom_mass_solve(sim->eval->mass, sim->rows.a);
    return CAROM_OK;
}

carom_status carom_sim_feel(carom_sim *sim, const carom_state *state)
{
    if (!sim->model->felt.has_forces) return CAROM_OK;
    find_forces(sim, state, sim->rows.h, sim->rows.force);
    if (sim->rows.is_start && sim->rows.has_first_la)
        carom_vector_copy(sim->size.n_row, sim->rows.first_la, sim->rows.force);
    return sim->model->felt.has_accelerations ? find_accelerations(sim, state) : CAROM_OK;
}

void carom_sim_add_reactions(const carom_sim *sim, const double *P, double *wrench)
{
    const carom_sparse *C = &sim->eval->reaction;
    for (int i = 0; i < sim->size.n_reaction; i++)
        for (int k = C->start[i]; k < C->start[i + 1]; k++)
            wrench[i] += C->value[k] * P[C->index[k]];
}

// directions that never change are in every evaluation
static carom_status look_at_reactions(carom_sim *sim, const carom_state *state, carom_error *error)
{
    const carom_point at = {.t = state->t, .q = state->q, .u = state->u};
    if (!sim->model->felt.reaction_varies) return CAROM_OK;
    return carom_model_eval(sim->s.plan, &at, CAROM_REACTIONS, sim->eval, error);
}

void carom_sim_pend_reactions(carom_sim *sim)
{
    if (look_at_reactions(sim, &sim->next, NULL) == CAROM_OK)
        carom_sim_add_reactions(sim, sim->next.P, sim->rows.pending + sim->size.n_row);
}

carom_status carom_sim_reaction(carom_sim *sim, int joint, double *wrench, carom_error *error)
{
    CAROM_NEED(error, sim);
    CAROM_NEED(error, wrench);
    CAROM_NEED_THAT(error, joint >= 0 && joint < sim->size.n_joint, "joint is %d, and there are %d",
                    joint, sim->size.n_joint);
    const int n = sim->size.n_reaction / sim->size.n_joint;
    const carom_sparse *C = &sim->eval->reaction;
    CAROM_TRY(look_at_reactions(sim, &sim->now, error));
    find_forces(sim, &sim->now, sim->rows.last_h, sim->rows.force);
    memset(wrench, 0, 6 * sizeof *wrench);
    for (int i = 0; i < n; i++) {
        double *component = &wrench[n == 3 && i == 2 ? 5 : i];
        for (int k = C->start[joint * n + i]; k < C->start[joint * n + i + 1]; k++)
            *component += C->value[k] * sim->rows.force[C->index[k]];
    }
    return CAROM_OK;
}
