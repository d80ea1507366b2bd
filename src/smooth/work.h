// SPDX-License-Identifier: Apache-2.0
// Where the energy goes in a step of smooth motion, for the report of a scheme:
//
//     obstacle_work = -int la.w0 dt    on all held rows
//     applied_work  =  int power dt    of applied forces and explicit time
#ifndef CAROM_SMOOTH_WORK_H
#define CAROM_SMOOTH_WORK_H

#include "smooth/smooth.h"

/// A point inside a step.
typedef struct carom_work_room {
    double *q, *u, *a; ///< (nq), (nu), (nu)
    double *la;        ///< (n_row)
} carom_work_room;

/// Takes the memory from the flow's arena; false where it runs out. Only while preparing.
bool carom_work_take_room(carom_flow *flow, carom_work_room *room);
/// Power of the held rows on the system; the flow's first answers are those at the point of la.
double carom_work_power(const carom_flow *flow, const double *la);
/// Both for the last step of the flow, whose end is what was looked at last; before, after: the
/// power of the held rows at its ends. What this costs is the audit's, not the method's.
carom_status carom_work_of_rows(carom_flow *flow, const carom_work_room *room, double before,
                                double after);
carom_status carom_work_of_forces(carom_flow *flow, const carom_work_room *room);

#endif
