// SPDX-License-Identifier: Apache-2.0
// Branches of periodic orbits: points (x0, p) of a curve, followed by its arclength, and the
// special points on it.
#ifndef CAROM_STUDIES_BRANCH_H
#define CAROM_STUDIES_BRANCH_H

#include "studies/orbits/map.h"

typedef enum carom_special {
    CAROM_ORDINARY,
    CAROM_FOLD,      ///< the branch turns back: multiplier 1
    CAROM_DOUBLING,  ///< multiplier -1
    CAROM_TORUS,     ///< a pair on the unit circle (Neimark and Sacker)
    CAROM_CROSSING,  ///< another branch crosses: multiplier 1 without a turn
    CAROM_GRAZING,   ///< an impact has no speed, or an open contact is touched: the branch ends
    CAROM_BROKEN_OFF ///< Newton's method or the motion's derivative fails behind it
} carom_special;
const char *carom_special_word(carom_special special);

/// A point of a branch.
typedef struct carom_branch_point {
    double *q, *u, p; ///< the orbit's point on the section
    double *tangent;  ///< (n + 1) of x and p, of length 1 in units of their scales
    double s;         ///< arclength
    double period;
    double speed, gap;                      ///< slowest impact, smallest gap of open contacts
    double fold, doubling, torus, crossing; ///< change their signs at such points
    int d, stable;
    double *real, *imaginary;
    long impacts;
    unsigned long long word; ///< the events of one round
    carom_special special;
} carom_branch_point;

typedef struct carom_branch {
    carom_map *map;
    carom_orbit *orbit;
    double scale_x, scale_p;
    carom_branch_point now, next, found;
    double *A, *b, *x; ///< (n + 1)^2, (n + 1), (n + 1)
    int *pivot;
    int passes; ///< of the last corrector
} carom_branch;

/// Called with each point, in order; way is 1 or -1.
typedef carom_status carom_branch_told(void *self, const carom_branch_point *point, int way,
                                       carom_error *error);
carom_status carom_branch_new(carom_worker *worker, carom_branch **branch, carom_error *error);
void carom_branch_free(carom_branch *branch);
/// From the orbit next to the start of branch->map: up along the parameter, then down from there.
carom_status carom_branch_follow(carom_branch *branch, carom_branch_told *told, void *self,
                                 carom_error *error);

#endif
