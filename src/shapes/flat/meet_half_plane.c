// SPDX-License-Identifier: Apache-2.0
// What a half plane touches with: corners, each on its own.   gap = n.(x - p) - radius
#include "shapes/flat/flat.h"
#include "shapes/flat/outline.h"
#include "shapes/placing.h"

#include <math.h>

/// Corners that turn inwards touch nothing flat.
static bool is_inside(const carom_shape *flat, int corner)
{
    return carom_outline_of(flat)->is_inward[corner];
}

void carom_meet_flat_half_plane(carom_meeting *meeting)
{
    const carom_shape *flat = meeting->posed[0].shape, *half = meeting->posed[1].shape;
    const double *n = half->normal, *p = half->corner;
    for (int i = 0; i < flat->n_corner; i++) {
        const double *c = flat->corner + 3 * i;
        double x[3];
        if (is_inside(flat, i)) continue;
        carom_placing_across(meeting->posed[0].at, meeting->posed[1].at, c, x);
        const double gap = n[0] * (x[0] - p[0]) + n[1] * (x[1] - p[1]) - flat->radius;
        if (gap < meeting->alert)
            carom_meeting_add(meeting, &(carom_feature){.primitive = CAROM_POINT_PLANE,
                                                        .shape = {0, 1},
                                                        .feature = {2 * (unsigned)i, 0},
                                                        .p1 = {c[0], c[1]},
                                                        .p2 = {p[0], p[1]},
                                                        .d2 = {n[0], n[1]},
                                                        .radius = flat->radius,
                                                        .side = 1,
                                                        .gap = gap,
                                                        .margin = INFINITY});
    }
}

bool carom_always_flat_half_plane(const carom_shape *flat, const carom_shape *half)
{
    (void)flat;
    (void)half;
    return true;
}
