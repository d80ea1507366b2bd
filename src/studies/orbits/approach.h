// SPDX-License-Identifier: Apache-2.0
// Where a branch grazes: the approach of a speed or a gap to 0.
#ifndef CAROM_STUDIES_APPROACH_H
#define CAROM_STUDIES_APPROACH_H

#include "studies/orbits/branch.h"

enum { CAROM_GRAZE_NEAR = 8 };

/// The last points of a walk, the newest first.
typedef struct carom_graze {
    double p[CAROM_GRAZE_NEAR], near[2][CAROM_GRAZE_NEAR]; ///< parameter; speed and gap
    int n;
    double begun[2], begun_p[2]; ///< speed and gap where an approach began; 0 = it has not
    double best[2], change[2];   ///< p at 0: the estimate that changed least, and by how much
    double last[2];              ///< the estimate before
    int which;                   ///< that was approached last: speed (0) or gap (1)
} carom_graze;

void carom_graze_remember(carom_graze *graze, const carom_branch_point *point);
/// How far it is, after a step ds, until a speed or a gap is 0, and which; +infinity where none
/// comes near.
double carom_graze_distance(const carom_graze *graze, double ds, int *which);
/// An approach of one of them begins or goes on; true where it has come close enough.
bool carom_graze_approach(carom_graze *graze, int which);
/// Whether one goes on, and leads to a parameter near by.
bool carom_graze_is_near(const carom_graze *graze);
/// The parameter at which it grazes.
double carom_graze_parameter(const carom_graze *graze);

#endif
