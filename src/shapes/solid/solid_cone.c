// SPDX-License-Identifier: Apache-2.0
// Truncated cone: middle of its axis, axis, both radii (one may be 0), full length.
#include "shapes/solid/wheel.h"

static carom_status make(carom_arena *arena, const carom_shape_given *given, carom_shape *shape,
                         carom_error *error)
{
    const double *r = given->radius;
    if (!(r[0] >= 0) || !(r[1] >= 0) || !(r[0] + r[1] > 0))
        return carom_fail(error, CAROM_BAD_INPUT,
                          "the radii of a cone are %g and %g (0 or more, and not both 0)", r[0],
                          r[1]);
    return carom_wheel_make(arena, given, r, shape, error);
}

const carom_shape_kind carom_shape_kind_solid_cone = {"cone", 3, make, carom_wheel_box,
                                                      carom_solid_show};
