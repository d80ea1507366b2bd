// SPDX-License-Identifier: Apache-2.0
// What a checkpoint holds besides the identity of its run, and whether it can be true.
#ifndef CAROM_SIM_CONTENT_H
#define CAROM_SIM_CONTENT_H

#include "sim/sim.h"

/// The arrays belong to the simulation.
typedef struct carom_content {
    carom_state *state;
    carom_ledger ledger;
    carom_track *track;
    double *pending;
    double *control; ///< memory of step control, else NULL
    double energy_start, rheonomic_start;
    long every;
    double output_step;
    long seen, saved; ///< contact problems
} carom_content;

/// Whether a run of sim can have written this. From here on these numbers are trusted as indices,
/// counts and lengths of loops.
bool carom_content_can_be(const carom_sim *sim, const carom_content *is);

#endif
