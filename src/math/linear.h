// SPDX-License-Identifier: Apache-2.0
// What the library asks of carom_linear beyond carom/extend.h.
#ifndef CAROM_MATH_LINEAR_H
#define CAROM_MATH_LINEAR_H

#include "carom/extend.h"

/// Solves A x = b for a b with few entries: unknowns that these do not reach are not touched. The
/// ones touched are listed in touched (room n) and their number is returned. x must be 0 on entry.
int carom_linear_solve_sparse(const carom_linear *linear, int n_entry, const int *index,
                              const double *value, double *x, int *touched);

#endif
