// SPDX-License-Identifier: Apache-2.0
// The lowest vibrations of a linear body.
#ifndef CAROM_MODEL_ELASTIC_MODES_H
#define CAROM_MODEL_ELASTIC_MODES_H

#include "base/arena.h"
#include "carom/linear.h"

/// K x = w^2 M x for the n lowest w^2, in increasing order.
typedef struct carom_elastic_modes {
    int n;
    double *value; ///< (n) w^2; about 0 where the body moves freely
    double *shape; ///< (n unknowns) one after the other, x'M x = 1
} carom_elastic_modes;

/// Finds up to `wanted` of them, in an arena. CAROM_NO_MEMORY, CAROM_NOT_CONVERGED, or
/// CAROM_BAD_INPUT where K is not positive semidefinite (*bad is then an unknown at fault).
carom_status carom_elastic_modes_find(const carom_sparse *M, const carom_sparse *K, int wanted,
                                      carom_arena *arena, carom_elastic_modes *modes, int *bad);

#endif
