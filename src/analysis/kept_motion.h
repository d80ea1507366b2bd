// SPDX-License-Identifier: Apache-2.0
// A motion kept in memory: rows t, q (nq), u (nu), and what is measured on it.
#ifndef CAROM_ANALYSIS_KEPT_MOTION_H
#define CAROM_ANALYSIS_KEPT_MOTION_H

#include "carom/analysis.h"

typedef struct carom_motion {
    int nq, nu;
    double *value; ///< (n x (1 + nq + nu))
    size_t n, room;
} carom_motion;

carom_motion carom_motion_make(int nq, int nu);
void carom_motion_free(carom_motion *motion);
/// false: no memory.
bool carom_motion_add(carom_motion *motion, double t, const double *q, const double *u);
const double *carom_motion_row(const carom_motion *motion, size_t k);

/// Hausdorff distance of two curves through the rows, every column over its largest value in b.
double carom_motion_distance(const carom_motion *a, const carom_motion *b);

/// Square root of the largest eigenvalue of a positive semidefinite matrix given by its lower
/// triangle (n x n), which is overwritten; work (4 n).
double carom_motion_spectral(double *gram, int n, double *work);

#endif
