// SPDX-License-Identifier: Apache-2.0
// Derivatives of the motion of a simulation: src/tangent follows the steps of event_driven.
#include "base/need.h"
#include "model/model.h"
#include "sim/sim.h"
#include "tangent/tangent.h"

#include <string.h>

carom_status carom_sim_make_tangent(carom_sim *sim, bool is_varied, carom_error *error)
{
    if (!is_varied) return CAROM_OK;
    if (!sim->scheme->finds_events)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "derivatives of the motion need scheme event_driven, not %s",
                          sim->scheme->name);
    const int room = 2 * sim->size.nu + carom_model_n_live(sim->model);
    carom_hybrid *hybrid = sim->s.self;
    sim->s.error = error;
    CAROM_TRY(carom_tangent_new(hybrid, room, &sim->until.tangent));
    sim->s.witness = &sim->until.tangent->witness;
    return CAROM_OK;
}

static carom_status check_changes(const carom_sim *sim, const carom_change *change, int n,
                                  carom_error *error)
{
    if (!sim->until.tangent)
        return carom_misuse(error, "carom_sim_vary", "the simulation was made without is_varied");
    if (n < 0 || n > sim->until.tangent->v->room)
        return carom_misuse(error, "carom_sim_vary", "n is %d, and may be 0 to %d", n,
                            sim->until.tangent->v->room);
    for (int i = 0; i < n; i++) {
        const int p = change[i].parameter;
        if (p < -1 || p >= carom_model_n_live(sim->model))
            return carom_misuse(error, "carom_sim_vary", "change[%d].parameter is %d, of %d", i, p,
                                carom_model_n_live(sim->model));
        if (p < 0 && (!change[i].q || !change[i].u))
            return carom_misuse(error, "carom_sim_vary", "change[%d] lacks q or u", i);
    }
    return CAROM_OK;
}

carom_status carom_sim_vary(carom_sim *sim, const carom_change *change, int n, carom_error *error)
{
    CAROM_NEED(error, sim);
    CAROM_NEED_ARRAY(error, change, n);
    CAROM_TRY(check_changes(sim, change, n, error));
    carom_tangent *tangent = sim->until.tangent;
    const size_t nu = (size_t)sim->size.nu;
    sim->s.error = error;
    for (int i = 0; i < n; i++) {
        double *q = tangent->start_q + (size_t)i * nu, *u = tangent->start_u + (size_t)i * nu;
        const int p = change[i].parameter;
        if (p >= 0 && !sim->start.from.q) {
            CAROM_TRY(carom_tangent_given(tangent, p, q, u));
        } else if (p >= 0) {
            memset(q, 0, sizeof *q * nu);
            memset(u, 0, sizeof *u * nu);
        } else {
            memcpy(q, change[i].q, sizeof *q * nu);
            memcpy(u, change[i].u, sizeof *u * nu);
        }
        tangent->v->parameter[i] = p;
    }
    carom_tangent_start(tangent, n, tangent->start_q, tangent->start_u, tangent->v->parameter);
    return CAROM_OK;
}

carom_status carom_sim_varied(const carom_sim *sim, int i, double *q, double *u, carom_error *error)
{
    CAROM_NEED(error, sim);
    CAROM_NEED(error, q);
    CAROM_NEED(error, u);
    const carom_tangent *tangent = sim->until.tangent;
    if (!tangent || i < 0 || i >= tangent->v->n)
        return carom_misuse(error, "carom_sim_varied", "there is no change %d", i);
    if (tangent->refusal[0]) return carom_fail(error, CAROM_BAD_INPUT, "%s", tangent->refusal);
    const size_t nu = (size_t)sim->size.nu;
    memcpy(q, tangent->v->q + (size_t)i * nu, sizeof *q * nu);
    memcpy(u, tangent->v->u + (size_t)i * nu, sizeof *u * nu);
    return CAROM_OK;
}
