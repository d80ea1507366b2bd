// SPDX-License-Identifier: Apache-2.0
// Gaps and rows between two positions, each contact with its own e:
//
//     y = (q_after + e q_before)/(1 + e)       at the time t + h (1 - e)/(1 + e)
//
// computed from displacements, y = q + (d_after - e d_before)/(1 + e). The model is evaluated once
// for each different restitution.
#ifndef CAROM_INTEGRATORS_MIXED_H
#define CAROM_INTEGRATORS_MIXED_H

#include "carom/extend.h"

#define CAROM_MIXED_MASK (CAROM_GAPS | CAROM_ROWS)

typedef struct carom_mixed carom_mixed; ///< the different restitutions of a model

carom_status carom_mixed_new(const carom_plan *plan, carom_mixed **mixed, carom_error *error);
/// The same again, with the plan's values.
void carom_mixed_renew(const carom_plan *plan, carom_mixed *mixed);
void carom_mixed_free(carom_mixed *mixed);
/// Refuses several restitutions where rows change their pattern.
carom_status carom_mixed_accepts(const carom_plan *plan, const carom_mixed *mixed,
                                 carom_error *error);

/// A position q + lost, the displacements that led there and lead on, both in a time h, and room
/// for y (nq).
typedef struct carom_mixed_points {
    double t, h;
    const double *q, *lost, *u;
    const double *d_before, *d_after;
    double *y;   ///< (nq)
    double *way; ///< (nu) scratch where positions are not plain
} carom_mixed_points;
/// Fills gap, W and w0 of all (here is scratch).
carom_status carom_mixed_eval(carom_step *s, const carom_mixed *mixed,
                              const carom_mixed_points *points, carom_eval *here, carom_eval *all);

/// Contacts join the active set when their gap at y is not positive (with_all: whenever their row
/// is defined), and stay for the rest of the step. Returns how many joined.
int carom_mixed_activate(const carom_eval *all, bool with_all, unsigned char *is_active);

#endif
