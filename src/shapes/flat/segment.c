// SPDX-License-Identifier: Apache-2.0
// Segment: a line between two ends, without matter; it is touched from both sides.
#include "shapes/flat/outline.h"

#include <math.h>

static carom_status make(carom_arena *arena, const carom_shape_given *given, carom_shape *shape,
                         carom_error *error)
{
    if (given->n_point != 2)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "a segment has two ends (segment: [[0, 0], [1, 0]])");
    if (given->rounding != 0)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "a segment has no width for a 'rounding' (a capsule has: radius)");
    shape->n_corner = 2;
    shape->corner = carom_shape_placed(arena, given);
    if (!shape->corner) return carom_fail(error, CAROM_NO_MEMORY, "out of memory");
    const double *p = shape->corner;
    if (!(hypot(p[3] - p[0], p[4] - p[1]) > 0))
        return carom_fail(error, CAROM_BAD_INPUT,
                          "both ends of a segment are the same (a point is a disk)");
    return carom_outline_new(arena, shape, error);
}

const carom_shape_kind carom_shape_kind_segment = {"segment", 2, make, NULL, carom_outline_show};
