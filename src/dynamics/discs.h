// SPDX-License-Identifier: Apache-2.0
// Discs in contact problems: forces of limited strength.
//
//     radius = span limit(t, q)              the load is given
//     radius = limit |P_load|                joint friction: what the joint's rows press with
//     radius = limit P_N                     rolling, spinning: a length, times the contact's push
//
// The last are in the contact problem as what they are: discs of a contact, which follow it and are
// there while it is active.
//
// The load of joint friction is an answer of the same problem: solve, take the new radii, and once
// more until they no longer change. The factor by which a change comes back is of the size of
// friction times radius of the pin over the lever; where it is above 1 the joint sticks, or locks
// itself: then there may be no end, and the step is not converged.
#ifndef CAROM_DYNAMICS_DISCS_H
#define CAROM_DYNAMICS_DISCS_H

#include "dynamics/assembly.h"

/// Adds the blocks of the discs of an active contact, whose block was the last.
void carom_discs_follow(carom_contacts *contacts, const carom_contact_facts *contact);
/// Adds the blocks of all other discs to the rows chosen.
void carom_discs_choose(carom_contacts *contacts);
/// Sets the radii before a solve; P (n_row) is the guess. Fails where a limit is negative.
carom_status carom_discs_begin(carom_step *s, const carom_contact_terms *terms, const double *P);
/// Solves again until radii of joint friction fit their loads; P holds the answer so far.
carom_status carom_discs_settle(carom_step *s, const carom_contact_terms *terms, double *P);
/// Writes what each disc may bear to the P of its normal row.
void carom_discs_tell(const carom_contacts *contacts, double *P);
/// What disc c may bear in this problem, from the limits at rate and the impulses P.
double carom_disc_radius(const carom_contact_facts *facts, double limit, double span,
                         const double *P);

#endif
