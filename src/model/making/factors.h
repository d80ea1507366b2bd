// SPDX-License-Identifier: Apache-2.0
// The factors of small mass blocks, and accelerations, as expressions.
#ifndef CAROM_MODEL_FACTORS_H
#define CAROM_MODEL_FACTORS_H

#include "expr/graph.h"
#include "math/blockmass.h"

/// The entries of a mass matrix: its pattern, and an expression for each entry.
typedef struct carom_mass_given {
    const carom_mass *mass; ///< the pattern analysed
    const int *start, *index;
    const carom_ref *entry;
} carom_mass_given;

/// Writes the factors of blocks of up to three rows (carom_mass_n_small of them). That of a pivot
/// which is not positive beyond rounding is infinite.
void carom_factors_derive(carom_graph *graph, const carom_mass_given *given, carom_ref *factor);
/// a = M^-1 f from these factors; false where some block has more than three rows.
bool carom_factors_solve(carom_graph *graph, const carom_mass_given *given, const carom_ref *factor,
                         const carom_ref *f, carom_ref *a);

#endif
