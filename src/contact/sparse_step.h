// SPDX-License-Identifier: Apache-2.0
// One Newton step of a large sparse contact problem.
#ifndef CAROM_CONTACT_SPARSE_STEP_H
#define CAROM_CONTACT_SPARSE_STEP_H

#include "contact/natural.h"

/// step (n_row) = -F'^-1 F at the point natural was last evaluated at, by UMFPACK; a small multiple
/// of the unit matrix is added where F' is singular. Takes memory from the heap. False where it
/// fails.
bool carom_sparse_step(const carom_natural *natural, double *step);

#endif
