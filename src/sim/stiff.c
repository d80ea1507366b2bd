// SPDX-License-Identifier: Apache-2.0
// Elastic parts and explicit schemes: a step that is too long for the stiffest vibration would make
// it grow without bound, so it is refused, with the step that will do.
#include "sim/sim.h"

static const double SLACK = 1e-3; // to which the highest frequency is known

carom_status carom_sim_check_stiffest(carom_sim *sim, bool is_allowed, carom_error *error)
{
    const double bound = sim->scheme->takes.wh, h = sim->choice.step;
    carom_stiffest stiffest;
    if (is_allowed || !(bound > 0) || sim->is.has_free_steps || !carom_model_is_elastic(sim->model))
        return CAROM_OK;
    CAROM_TRY(carom_model_stiffest(sim->model, &stiffest, error));
    const double longest = carom_stiffest_step(&stiffest, bound);
    if (h <= longest * (1 + SLACK)) return CAROM_OK;
    return carom_fail(error, CAROM_BAD_INPUT,
                      "a step of %g s is too long for %s: the stiffest vibration of the model has "
                      "%.4g rad/s, and the scheme needs steps up to %.3g s (write --step %.2g, "
                      "take an implicit scheme such as moreau_jean, or allow it with "
                      "--allow-unstable)",
                      h, sim->scheme->name, stiffest.frequency, longest, 0.9 * longest);
}
