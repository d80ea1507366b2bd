// SPDX-License-Identifier: Apache-2.0
// Surfaces made of patches in time stepping. Which patches count is chosen once at the start of
// each step, by the point there, and kept through the step: Newton's method and restarts of a step
// see smooth gaps, and an edge costs what a change of the active set costs. Schemes that find
// events meet edges themselves; the audit and the output look at the point they are given.
#include "sim/sim.h"

bool carom_sim_make_patches(carom_sim *sim)
{
    sim->contacts.holds = CAROM_TAKE(sim->arena, unsigned char, sim->size.n_contact);
    sim->s.holds = sim->contacts.holds;
    return sim->contacts.holds != NULL;
}

carom_status carom_sim_choose_patches(carom_sim *sim, const carom_state *from, carom_error *error)
{
    if (!sim->contacts.holds) return CAROM_OK;
    const carom_point at = {.t = from->t, .q = from->q, .u = from->u};
    CAROM_TRY(carom_model_eval(sim->s.plan, &at, CAROM_GAPS, sim->eval, error));
    for (int c = 0; c < sim->size.n_contact; c++)
        sim->contacts.holds[c] = sim->eval->gaps.inside[c] != 0;
    return CAROM_OK;
}
