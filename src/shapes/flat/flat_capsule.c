// SPDX-License-Identifier: Apache-2.0
// Capsule of the plane: all points within radius of the line between two ends, which are the
// centres of its half disks.
#include "shapes/flat/outline.h"

#include <math.h>

static carom_status make(carom_arena *arena, const carom_shape_given *given, carom_shape *shape,
                         carom_error *error)
{
    const double r = given->radius[0];
    if (given->n_point != 2)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "a capsule has two ends (capsule: [[0, 0], [1, 0]], radius: 0.1)");
    if (!(r > 0))
        return carom_fail(error, CAROM_BAD_INPUT,
                          "the radius of a capsule is %g (it must be above 0)", r);
    if (given->rounding != 0)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "a capsule has no corners to round (leave 'rounding' out)");
    shape->radius = r;
    shape->n_corner = 2;
    shape->corner = carom_shape_placed(arena, given);
    if (!shape->corner) return carom_fail(error, CAROM_NO_MEMORY, "out of memory");
    const double *p = shape->corner;
    if (!(hypot(p[3] - p[0], p[4] - p[1]) > 0))
        return carom_fail(error, CAROM_BAD_INPUT,
                          "both ends of a capsule are the same (that is a disk)");
    return carom_outline_new(arena, shape, error);
}

const carom_shape_kind carom_shape_kind_flat_capsule = {"capsule", 2, make, NULL,
                                                        carom_outline_show};
