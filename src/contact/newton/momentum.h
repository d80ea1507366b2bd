// SPDX-License-Identifier: Apache-2.0
// How far sweeps go on beyond where the last ones ended.
#ifndef CAROM_CONTACT_MOMENTUM_H
#define CAROM_CONTACT_MOMENTUM_H

#include <stdbool.h>

/// Begin by carom_momentum_new.
typedef struct carom_momentum {
    double theta; ///< of Nesterov's sequence; 1 = no momentum yet
    double most;  ///< largest factor; 0 = plain sweeps
    double mark;  ///< residual when it last fell clearly
    int n_flat;   ///< sweeps since then
    int patience; ///< how many are waited for
} carom_momentum;

carom_momentum carom_momentum_new(double residual);
/// The factor beta of the next step; uphill: the last sweeps turned back.
double carom_momentum_next(carom_momentum *m, bool is_uphill);
/// After n sweeps more, with the best residual so far: true where the caller is to begin anew at
/// the best, for momentum has gained nothing; it is less from now on.
bool carom_momentum_is_astray(carom_momentum *m, int n_sweep, double best);

#endif
