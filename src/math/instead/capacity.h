// SPDX-License-Identifier: Apache-2.0
// Which linear systems this build has factors for: with SuiteSparse all that memory holds, without
// it (CAROM_SPARSE=OFF: the page of playground/) narrow bands and systems of few unknowns.
#ifndef CAROM_MATH_CAPACITY_H
#define CAROM_MATH_CAPACITY_H

#include "carom/base.h"

enum { CAROM_MOST_DENSE = 128 }; ///< unknowns, without SuiteSparse

/// Whether this build has factors of n unknowns that stand in no band.
bool carom_factors_exist(int n);
/// Says why a system of n unknowns has no factors: this build has none of this size, or memory ran
/// out.
carom_status carom_factors_fail(int n, carom_error *error);

#endif
