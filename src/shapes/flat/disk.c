// SPDX-License-Identifier: Apache-2.0
// Disk: a point grown by its radius.
#include "shapes/flat/outline.h"

static carom_status make(carom_arena *arena, const carom_shape_given *given, carom_shape *shape,
                         carom_error *error)
{
    const double r = given->radius[0];
    if (given->n_point != 1)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "a disk has one centre (disk: [0, 0], radius: 1)");
    if (!(r > 0))
        return carom_fail(error, CAROM_BAD_INPUT, "the radius of a disk is %g (it must be above 0)",
                          r);
    if (given->rounding != 0)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "a disk has no corners to round (leave 'rounding' out)");
    shape->radius = r;
    shape->n_corner = 1;
    shape->corner = carom_shape_placed(arena, given);
    if (!shape->corner) return carom_fail(error, CAROM_NO_MEMORY, "out of memory");
    return carom_outline_new(arena, shape, error);
}

const carom_shape_kind carom_shape_kind_disk = {"disk", 2, make, NULL, carom_outline_show};
