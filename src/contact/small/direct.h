// SPDX-License-Identifier: Apache-2.0
// A few contacts in the plane or without friction, without scaling and without memory.
#ifndef CAROM_CONTACT_DIRECT_H
#define CAROM_CONTACT_DIRECT_H

#include "carom/contact.h"

enum { CAROM_DIRECT_CONTACTS = 4 };

/// Sets P, and xi to the rates there, where one combination of open, stick and slip obeys all
/// laws clearly: first the one that the guess in P shows, then (up to 2 contacts with friction,
/// 4 without) all others. False, with P as it was, for other problems, for those on the edge
/// between two combinations, and where the equations of a combination are singular. The
/// caller checks the answer.
bool carom_direct_solve(const carom_problem *problem, double *P, double *xi);

#endif
