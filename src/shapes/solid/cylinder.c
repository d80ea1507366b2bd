// SPDX-License-Identifier: Apache-2.0
// Cylinder: centre, axis, radius, full length.
//
//     mass  rho pi R^2 L        inertia  m R^2/2 along the axis,  m (3 R^2 + L^2)/12 across
#include "shapes/solid/wheel.h"

static carom_status make(carom_arena *arena, const carom_shape_given *given, carom_shape *shape,
                         carom_error *error)
{
    if (!(given->radius[0] > 0))
        return carom_fail(error, CAROM_BAD_INPUT,
                          "the radius of a cylinder is %g (it must be above 0)", given->radius[0]);
    const double radius[2] = {given->radius[0], given->radius[0]};
    return carom_wheel_make(arena, given, radius, shape, error);
}

const carom_shape_kind carom_shape_kind_cylinder = {"cylinder", 3, make, carom_wheel_box,
                                                    carom_solid_show};
