// SPDX-License-Identifier: Apache-2.0
// A contact matrix that is not multiplied out: the chosen rows and the inverse mass.
#ifndef CAROM_DYNAMICS_FACTORED_H
#define CAROM_DYNAMICS_FACTORED_H

#include "dynamics/assembly.h"

/// Fills contacts->factors from the rate rows and the mass of the terms. False where masses couple
/// more velocities than bodies have, or velocities that are not neighbours, or without memory.
bool carom_factors_take(carom_contacts *contacts, const carom_contact_terms *terms);
void carom_factors_free(carom_factors *factors);

#endif
