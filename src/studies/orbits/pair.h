// SPDX-License-Identifier: Apache-2.0
// The largest Lyapunov exponent of time stepping, from runs side by side.
#ifndef CAROM_STUDIES_PAIR_H
#define CAROM_STUDIES_PAIR_H

#include "studies/study_scan.h"

typedef struct carom_pair carom_pair;

/// Refuses schemes and sections that it does not go with, and adds its columns.
carom_status carom_pair_prepare(carom_scan *scan, const carom_sim *sim, carom_error *error);
carom_status carom_pair_new(carom_worker *worker, carom_pair **pair, carom_error *error);
void carom_pair_free(carom_pair *pair);
/// The numbers of a unit.
carom_status carom_pair_work(carom_pair *pair, carom_error *error);

#endif
