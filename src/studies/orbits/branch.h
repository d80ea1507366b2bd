// SPDX-License-Identifier: Apache-2.0
// Branches of periodic orbits: points (x0, p) of a curve, followed by its arclength, and the
// special points on it.
#ifndef CAROM_STUDIES_BRANCH_H
#define CAROM_STUDIES_BRANCH_H

#include "studies/orbits/map.h"

typedef enum carom_special {
    CAROM_ORDINARY,
    CAROM_FOLD,          ///< the branch turns back: multiplier 1
    CAROM_DOUBLING,      ///< multiplier -1
    CAROM_TORUS,         ///< a pair on the unit circle (Neimark and Sacker)
    CAROM_CROSSING,      ///< another branch crosses: multiplier 1 without a turn
    CAROM_GRAZING,       ///< an impact has no speed, or an open contact is touched: the branch ends
    CAROM_BROKEN_OFF,    ///< Newton's method or the motion's derivative fails behind it
    CAROM_STOP_TOUCH,    ///< a slip comes to a stop for the first time, or no longer does
    CAROM_SLIP_TOUCH,    ///< what sticks slips for a moment, or no longer does
    CAROM_RELEASE_TOUCH, ///< what is closed opens for a moment, or no longer does
    CAROM_CORNER,        ///< events change their order, or one passes the section
    CAROM_ON_SECTION,    ///< an impact comes upon the section, where the state jumps
    CAROM_SPECIALS
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
    double first_impact, last_impact; ///< after the start of the round
    unsigned long long word;          ///< the events of one round
    unsigned short mark[CAROM_MARKS]; ///< ... the first of them, see carom_worker
    int n_mark;
    carom_special special;
} carom_branch_point;

typedef struct carom_branch {
    carom_map *map;
    carom_orbit *orbit;
    double scale_x, scale_p;
    carom_branch_point now, next, found;
    carom_branch_point aside;   ///< the last point before a touch
    carom_branch_point doubled; ///< the doubling to go on from
    double *direction;          ///< (n + 1) of the orbit that begins there
    int n_doubling;             ///< so far
    double *A, *b, *x;          ///< (n + 1)^2, (n + 1), (n + 1)
    int *pivot;
    int passes; ///< of the last corrector
} carom_branch;

/// Called with each point, in order; way is 1 or -1, or 2 behind a doubling.
typedef carom_status carom_branch_told(void *self, const carom_branch_point *point, int way,
                                       carom_error *error);
/// Room for a point, and its copy.
bool carom_branch_take_point(carom_branch_point *point, const carom_map *map);
void carom_branch_free_point(carom_branch_point *point);
void carom_branch_copy_point(const carom_branch *branch, const carom_branch_point *from,
                             carom_branch_point *to);
/// a.b of two directions (n + 1) in units of the scales.
double carom_branch_metric(const carom_branch *branch, const double *a, const double *b);
/// The point at the distance ds along a direction from another.
carom_status carom_branch_find_point(carom_branch *branch, const carom_branch_point *from,
                                     const double *direction, double ds, carom_branch_point *to,
                                     carom_error *error);
/// The map's last run becomes a point; its tangent is on the side of a guide (n + 1).
carom_status carom_branch_take_map(carom_branch *branch, const double *guide,
                                   carom_branch_point *point, carom_error *error);
/// Sizes of states and parameters from the map's start.
void carom_branch_find_scales(carom_branch *branch);
carom_status carom_branch_new(carom_worker *worker, carom_branch **branch, carom_error *error);
void carom_branch_free(carom_branch *branch);

// follow_branch.c
/// From the orbit next to the start of branch->map: up along the parameter, then down from there;
/// then, where it is asked for, from a doubling on, with twice as many points.
carom_status carom_branch_follow(carom_branch *branch, carom_branch_told *told, void *self,
                                 carom_error *error);

// branch_picture.c
/// Solid where orbits are stable, dashed where they are not, special points as marks.
carom_status carom_branch_draw(const carom_scan *scan, const char *path, carom_error *error);

#endif
