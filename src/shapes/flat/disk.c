// SPDX-License-Identifier: Apache-2.0
// Disk: a point grown by its radius.
//
//     mass  rho pi r^2       inertia  m r^2/2
#include "shapes/flat/flat.h"

#include <math.h>

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
    shape->core = CAROM_CORE_FLAT;
    shape->radius = r;
    shape->size = 2 * r;
    shape->n_corner = 1;
    shape->corner = carom_shape_placed(arena, given);
    if (!shape->corner) return carom_fail(error, CAROM_NO_MEMORY, "out of memory");
    shape->is_heavy = true;
    shape->mass_1.mass = acos(-1) * r * r;
    for (int k = 0; k < 3; k++) shape->mass_1.centre[k] = shape->corner[k];
    shape->mass_1.inertia[2] = 0.5 * shape->mass_1.mass * r * r;
    return CAROM_OK;
}

static bool show(const carom_shape *shape, double extent, double tolerance, carom_arena *arena,
                 carom_shape_look *look)
{
    (void)extent;
    return carom_flat_show(shape->corner, 1, shape->radius, tolerance, arena, look);
}

const carom_shape_kind carom_shape_kind_disk = {"disk", 2, make, NULL, show};
