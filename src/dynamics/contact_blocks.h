// SPDX-License-Identifier: Apache-2.0
// The place where model and contact meet: which rows are in a problem, its matrix, and the velocity
// after it.
#ifndef CAROM_DYNAMICS_CONTACT_BLOCKS_H
#define CAROM_DYNAMICS_CONTACT_BLOCKS_H

#include "carom/extend.h"

/// Makes the memory for the contact problems of a model and its solver (name NULL = auto).
carom_status carom_contacts_new(const carom_model *model, const char *solver,
                                const carom_setting *setting, int n_setting,
                                carom_contacts **contacts, carom_error *error);
/// From now on restitution and friction are those of the plan's values, of which the next problem
/// may see new ones.
void carom_contacts_follow(carom_contacts *contacts, const carom_plan *plan);
/// Problems of more than these bytes are refused.
void carom_contacts_limit(carom_contacts *contacts, double bytes);
void carom_contacts_free(carom_contacts *contacts);
/// The solver of its problems.
carom_contact_solver *carom_contacts_solver(carom_contacts *contacts);

#endif
