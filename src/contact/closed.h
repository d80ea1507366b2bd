// SPDX-License-Identifier: Apache-2.0
// Problems with an answer on one line.
#ifndef CAROM_CONTACT_CLOSED_H
#define CAROM_CONTACT_CLOSED_H

#include "carom/contact.h"

/// Sets P where the problem is of a kind with a closed form: nothing closes, one contact, two
/// frictionless ones, one bilateral row, up to four contacts in the plane. False, with P as it was,
/// otherwise. The caller checks the answer.
bool carom_contact_closed(const carom_problem *problem, double *P);

#endif
