// SPDX-License-Identifier: Apache-2.0
// Sphere: a point grown by its radius.
//
//     mass  rho 4/3 pi r^3       inertia  2/5 m r^2
#include "shapes/solid/solid.h"

static carom_status make(carom_arena *arena, const carom_shape_given *given, carom_shape *shape,
                         carom_error *error)
{
    const double r = given->radius[0];
    if (given->n_point != 1)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "a sphere has one centre (sphere: [0, 0, 0], radius: 1)");
    if (!(r > 0))
        return carom_fail(error, CAROM_BAD_INPUT,
                          "the radius of a sphere is %g (it must be above 0)", r);
    if (given->rounding != 0)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "a sphere has no corners to round (leave 'rounding' out)");
    carom_solid *solid = CAROM_TAKE(arena, carom_solid, 1);
    const double *centre = carom_shape_placed(arena, given);
    if (!solid || !centre) return carom_fail(error, CAROM_NO_MEMORY, "out of memory");
    solid->n_vertex = 1;
    solid->vertex = centre;
    for (int k = 0; k < 3; k++) solid->centre[k] = centre[k];
    carom_solid_give(solid, shape);
    shape->radius = r;
    shape->size = 2 * r;
    carom_solid_weigh_box((const double[3]){0}, r, centre, given->place.R, shape);
    return CAROM_OK;
}

const carom_shape_kind carom_shape_kind_sphere = {"sphere", 3, make, NULL, carom_solid_show};
