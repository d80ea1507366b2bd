// SPDX-License-Identifier: Apache-2.0
// Expressions on one side of their switches: within a step a solver sees smooth functions.
#ifndef CAROM_EXPR_HOLD_SWITCHES_H
#define CAROM_EXPR_HOLD_SWITCHES_H

#include "expr/switches.h"

/// The roots with their switching nodes decided from outside, into held (n_root). The side
/// of switch i is the symbol CAROM_P number side[i]: 1 above its place and 0 below, or for a
/// table, floor and mod any argument inside the piece that counts, which then counts everywhere.
/// side[i] < 0: left as it is.
carom_status carom_switches_hold(carom_graph *graph, const carom_switches *switches,
                                 const int *side, const carom_ref *root, int n_root,
                                 carom_ref *held);

#endif
