// SPDX-License-Identifier: Apache-2.0
// Cylinders and truncated cones: two rims about an axis. Against planes and balls they are what
// they are. Against other bodies they are first prisms of 32 sides with their corners on the rims;
// then each contact is smoothed into what the round body would touch with, where a primitive says
// it exactly:
//
//     corner of the prism over a plane      the rim over that plane
//     corner of the other over a side       point and axis, radius added       (cylinders)
//     edge of the other over a side         edge and axis, radius added        (cylinders)
//
// Rims over edges and corners, and sides of cones, stay those of the prism.
#ifndef CAROM_SHAPES_WHEEL_H
#define CAROM_SHAPES_WHEEL_H

#include "shapes/solid/solid.h"

enum { CAROM_WHEEL_SIDES = 32 };

/// Numbers of a wheel's own features, after those of its prism: caps, rims, the side, points of
/// rims.
enum {
    CAROM_WHEEL_CAP = 1000,
    CAROM_WHEEL_RIM = 1002,
    CAROM_WHEEL_SIDE = 1004,
    CAROM_WHEEL_FEET = 1005
};

/// Sine of axis and normal below which a wheel stands: rims over planes have a kink there.
#define CAROM_WHEEL_UPRIGHT 1e-3

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

/// Smooths a contact of the wheel (shape number who) and another body; false where it is not
/// needed: of corners over a plane the lowest and every fourth will do.
bool carom_wheel_smooth(const carom_posed *posed, int who, carom_feature *feature);
/// How far the body may be outside of its prism.
double carom_wheel_bulge(const carom_wheel *wheel);

carom_meet carom_meet_wheel_plane, carom_meet_solid_wheel;
carom_always carom_always_wheel_plane;

#endif
