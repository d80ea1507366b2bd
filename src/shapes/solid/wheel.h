// SPDX-License-Identifier: Apache-2.0
// Cylinders and truncated cones: two rims about an axis. Against planes and balls they are what
// they are; against other bodies they are prisms of 32 sides with their corners on the rims.
#ifndef CAROM_SHAPES_WHEEL_H
#define CAROM_SHAPES_WHEEL_H

#include "shapes/solid/solid.h"

enum { CAROM_WHEEL_SIDES = 32 };

typedef struct carom_wheel {
    carom_solid prism;            ///< first: a wheel may stand for its prism
    double centre[2][3], axis[3]; ///< of the core; the axis is of unit length, from rim 0 to rim 1
    double rim[2], length;        ///< radii of the core's rims, and how far they are apart
    double across[3], third[3];   ///< unit vectors perpendicular to the axis
} carom_wheel;

/// The core of a wheel of stated radii and length, and its mass.
carom_status carom_wheel_make(carom_arena *arena, const carom_shape_given *given,
                              const double radius[2], carom_shape *shape, carom_error *error);
/// The box around both rims, grown by the radius.
void carom_wheel_box(const carom_shape *shape, const carom_placement *at, double lower[3],
                     double upper[3]);

carom_meet carom_meet_wheel_plane, carom_meet_solid_wheel;
carom_always carom_always_wheel_plane;

#endif
