// SPDX-License-Identifier: Apache-2.0
// The inside of modes: a rest, its matrices, and where its directions come from.
#ifndef CAROM_ANALYSIS_MODES_H
#define CAROM_ANALYSIS_MODES_H

#include "carom/analysis.h"
#include "carom/extend.h"

enum { CAROM_MODES_DENSE = 600, CAROM_MODES_GENERAL = 300, CAROM_MODES_USUAL = 12 };

typedef struct carom_modes_search {
    const carom_model *model;
    carom_sizes size;
    carom_plan *plan;
    carom_eval *ev;
    carom_modes *found;
} carom_modes_search;

/// y := block x.
void carom_modes_times(const carom_sparse *block, const double *x, double *y);
/// y := K x, K = -(df/dq + d(W'la)/dq); scratch (nu).
void carom_modes_stiffness(const carom_modes_search *s, const double *x, double *y,
                           double *scratch);
double carom_modes_dot(const double *x, const double *y, int n);

/// All free directions, mass-orthonormal, into found->basis.
carom_status carom_modes_all(carom_modes_search *s, carom_error *error);
/// The lowest modes without damping, mass-orthonormal, into found->basis.
carom_status carom_modes_lowest(carom_modes_search *s, int most, carom_error *error);

#endif
