// SPDX-License-Identifier: Apache-2.0
// One contact alone, solved exactly.
#ifndef CAROM_CONTACT_LOCAL_H
#define CAROM_CONTACT_LOCAL_H

#include <stdbool.h>

/// Solves xi = G P + q with the laws of one contact of dim 1, 2 or 3 (G column-major). P holds a
/// guess on entry (its direction is tried first in space). False where no answer was found; P is
/// then as before.
bool carom_local_solve(int dim, const double *G, const double *q, double mu, double *P);

#endif
