// SPDX-License-Identifier: Apache-2.0
// A section's map with its derivative: from a state to the n-th point of the section behind it, and
// how that changes with the state and with parameters. States x are 2 nu numbers: changes of the
// positions along the velocities, then the velocities.
//
// What may change are the tangents B of what is held at the start (constraints, closed contacts,
// contacts that stick): B has d columns, and M = B' Z B is the derivative among them.
#ifndef CAROM_STUDIES_MAP_H
#define CAROM_STUDIES_MAP_H

#include "studies/study_scan.h"

typedef struct carom_map {
    carom_worker *w;
    int nq, nu, n_by, n;   ///< n = 2 nu: numbers of a state
    int d;                 ///< tangents
    int times;             ///< points of the section to the end
    carom_parameter along; ///< a live parameter and its value; name NULL = as it is
    double t0, t1;
    double *q0, *u0, *q1, *u1; ///< both ends
    double *B;                 ///< (n d) by columns, orthonormal
    double *Z;  ///< (n (n + n_by)) by columns: of the changes of the state, then of parameters
    double *C;  ///< (n n_by) what parameters change of the start itself
    double *dt; ///< (n + n_by) of the time of the point
    double *M;  ///< (d d) by columns
    double *unit, *change; ///< scratch
    long impacts, events;
    unsigned long long word;
} carom_map;

carom_status carom_map_new(carom_worker *worker, carom_map **map, carom_error *error);
void carom_map_free(carom_map *map);
/// Refuses a section by events of a model that depends on time.
carom_status carom_map_check(const carom_worker *worker, carom_error *error);
/// The state that the run is at becomes the start of the map.
void carom_map_take_start(carom_map *map);
/// Goes from the start to the last of the points of the section behind it.
carom_status carom_map_run(carom_map *map, carom_error *error);
/// x (n) = what the end is from the start.
void carom_map_difference(const carom_map *map, double *x);
/// The start moves by factor x.
void carom_map_move(carom_map *map, const double *x, double factor);
/// Columns of x (n each) that are independent become orthonormal, and stand first; returns how
/// many there are.
int carom_map_orthonormal(int n, int n_column, double *x, double share);

// shooting.c
/// A periodic orbit that was found, or what it failed with.
typedef struct carom_orbit {
    double period, residual;
    int passes;
    int d;
    double *real, *imaginary; ///< (n) multipliers, d of them
    double *x_by, *period_by; ///< (n n_by), (n_by)
    double *shift;            ///< (n_shift)
    int stable;               ///< 1, 0, or -1: a multiplier is 1 to 1e-6
} carom_orbit;
carom_orbit *carom_orbit_new(const carom_map *map, carom_error *error);
void carom_orbit_free(carom_orbit *orbit);
/// Newton's method from the start of the map.
carom_status carom_orbit_find(carom_map *map, carom_orbit *orbit, carom_error *error);
/// Multipliers of the map's last run.
carom_status carom_orbit_multiply(carom_map *map, carom_orbit *orbit, carom_error *error);

#endif
