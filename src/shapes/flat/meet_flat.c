// SPDX-License-Identifier: Apache-2.0
// Two plane shapes with ends meet.   Two points: gap = |x - p2| - radius
#include "shapes/flat/flat.h"
#include "shapes/placing.h"

#include <math.h>

void carom_meet_flat_flat(carom_meeting *meeting)
{
    const carom_shape *a = meeting->posed[0].shape, *b = meeting->posed[1].shape;
    double x[3];
    carom_placing_across(meeting->posed[0].at, meeting->posed[1].at, a->corner, x);
    const double radius = a->radius + b->radius;
    const double gap = hypot(x[0] - b->corner[0], x[1] - b->corner[1]) - radius;
    if (!(gap < meeting->alert)) return;
    carom_meeting_add(meeting, &(carom_feature){.primitive = CAROM_POINT_POINT,
                                                .shape = {0, 1},
                                                .p1 = {a->corner[0], a->corner[1]},
                                                .p2 = {b->corner[0], b->corner[1]},
                                                .radius = radius,
                                                .side = 1,
                                                .gap = gap,
                                                .margin = INFINITY});
}

bool carom_always_flat_flat(const carom_shape *a, const carom_shape *b)
{
    return a->n_corner == 1 && b->n_corner == 1;
}
