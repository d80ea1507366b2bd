// SPDX-License-Identifier: Apache-2.0
// Whether a contact problem has more than one answer. See unique.c.
#ifndef CAROM_CONTACT_UNIQUE_H
#define CAROM_CONTACT_UNIQUE_H

#include "carom/contact.h"

/// Whether an answer with other rates than those of the answer P was found. Looked for in dense
/// problems of up to CAROM_UNIQUE_ROWS rows, among the modes of up to four contacts whose friction
/// reaches their own normals or those of others; elsewhere false.
enum { CAROM_UNIQUE_ROWS = 32 };
bool carom_contact_has_other(const carom_problem *problem, const double *P);

#endif
