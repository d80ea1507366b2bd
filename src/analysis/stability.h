// SPDX-License-Identifier: Apache-2.0
// Whether a model at rest stays there: its stiffness in the directions that nothing holds.
#ifndef CAROM_ANALYSIS_STABILITY_H
#define CAROM_ANALYSIS_STABILITY_H

#include "carom/analysis.h"

/// What a rest is judged from.
typedef struct carom_at_rest {
    const carom_eval *ev;         ///< mass, rows, derivatives of forces and of W'la there
    const unsigned char *is_held; ///< (n_row)
} carom_at_rest;

/// The smallest eigenvalue of K x = w M x, K = -(df/dq + d(W'la)/dq), symmetric part, among x with
/// W x = 0 on the rows that are held; n_free directions are left. Infinite where none is, NAN (and
/// n_free -1) where there are more velocities than it looks at (200) or memory is short.
double carom_stability_softest(const carom_at_rest *rest, int *n_free);

#endif
