// SPDX-License-Identifier: Apache-2.0
// Friction and restitution that are expressions, in time stepping.
#ifndef CAROM_SIM_START_COEFFICIENTS_H
#define CAROM_SIM_START_COEFFICIENTS_H

#include "sim/sim.h"

/// How many numbers of a state's memory, behind the scheme's own, say which contacts stick.
int carom_sim_n_stuck(const carom_sim *sim);
bool carom_sim_make_coefficients(carom_sim *sim);
/// Sets them as they are at the start of a step.
carom_status carom_sim_choose_coefficients(carom_sim *sim, const carom_state *from,
                                           carom_error *error);
/// The scheme's step, with static friction where a slip comes to rest in it.
carom_status carom_sim_step_with_coefficients(carom_sim *sim, const carom_state *from,
                                              carom_state *to);

#endif
