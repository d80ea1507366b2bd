// SPDX-License-Identifier: Apache-2.0
// Contacts that come and go. A model has a fixed number of slots; at the start of each step it says
// which contacts are near, by keys of its own, and each gets a slot:
//
//     near now and near before     the slot that it had: impulses, modes, history stay with it
//     near now, not before         an empty slot, which forgets whatever it held
//     no longer near               none; its slot is empty: a gap of +infinity, and no row
//
// Which contact is in which slot belongs to the state of a run, not to the model.
#ifndef CAROM_SLOT_H
#define CAROM_SLOT_H

#include "carom/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What a slot holds.
typedef struct carom_slot {
    unsigned long long key; ///< which contact, in the model's own numbers; 0 = the slot is empty
    long generation;        ///< how many contacts it has held, with this one
} carom_slot;

/// The slots of one plan, in the hands of the model's refresh.
typedef struct carom_slots carom_slots;

/// Says which contacts are near: n keys, none of them 0, each once. at (n) receives their slots,
/// from 0. To be called once in each refresh. Not 0 where it cannot be; the run then stops and says
/// why, e.g. that there are too few slots.
CAROM_API int carom_slots_choose(carom_slots *slots, int n, const unsigned long long *key, int *at);
/// Restitution and friction of the contact in a slot, for this step; else they are those that the
/// model was made with. Not 0 where a number is not good.
CAROM_API int carom_slots_set(carom_slots *slots, int slot, double e, double e_t, double mu);
/// What a slot holds.
CAROM_API carom_slot carom_slots_get(const carom_slots *slots, int slot);

#ifdef __cplusplus
}
#endif
#endif
