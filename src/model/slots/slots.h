// SPDX-License-Identifier: Apache-2.0
// The contacts of a plan whose model lets them come and go (carom/slot.h). Slots are a function of
// the state that a step starts from: they are set to what the state says, the model's refresh
// chooses, and the state at the end of the step takes over what was chosen. So a step that is tried
// again, or goes on after a restart, gets the same slots.
#ifndef CAROM_MODEL_SLOTS_H
#define CAROM_MODEL_SLOTS_H

#include "carom/extend.h"

struct carom_slots {
    int n;            ///< all contacts of the model
    int first, end;   ///< those that come and go; the others have their number and one as key
    carom_slot *slot; ///< (n)
    const carom_contact_facts *given; ///< (n) of the model
    carom_contact_facts *facts;       ///< (n) the plan's
    unsigned char *is_taken;          ///< (n) in this choice
    int *held, n_held;                ///< (n) slots of contacts that come and go, as they came
    int *table, n_table;              ///< keys -> slot + 1, 0 = nothing; a power of 2
    int *filled, n_filled;            ///< (n) places of the table that are not 0
    bool is_entered;                  ///< all that is held is in the table
    int *changed, n_changed;          ///< (n) slots whose facts are not as given ...
    unsigned char *is_changed;        ///< (n) ... and which these are
    bool is_chosen;
    carom_error fault; ///< what was wrong in this refresh
};

/// Makes plan->slots, all empty, and the plan's own facts.
bool carom_slots_make(carom_plan *plan);
/// Chooses the contacts of a step of length h from a point; before (n_contact) is what the slots
/// hold there, NULL = what they held last. Nothing is done for a model whose contacts stay.
carom_status carom_plan_refresh(carom_plan *plan, const carom_point *from, double h,
                                const carom_slot *before, carom_error *error);
/// The slot that holds a key, -1 where none does.
int carom_slots_find(carom_slots *slots, unsigned long long key);
/// Whether contacts may change inside of a step.
bool carom_plan_has_features(const carom_plan *plan);
/// What has become of the contacts at a point of the step that they were chosen for. is_there
/// (n_contact): 0 where a contact is no longer one with the features that it was found with; of
/// others it is left as it is. is_missed: whether something overlaps that is in no slot.
carom_status carom_plan_check_slots(carom_plan *plan, const carom_point *at,
                                    unsigned char *is_there, bool *is_missed, carom_error *error);

#endif
