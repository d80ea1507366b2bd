// SPDX-License-Identifier: Apache-2.0
// What plane shapes share: their pairs, and how they are drawn.
#ifndef CAROM_SHAPES_FLAT_H
#define CAROM_SHAPES_FLAT_H

#include "shapes/shape_kind.h"

carom_meet carom_meet_flat_flat, carom_meet_flat_half_plane;
carom_always carom_always_flat_flat, carom_always_flat_half_plane;

/// Unit length; false for a vector without a direction. n may be v.
bool carom_flat_unit(const double *v, double *n);

/// The closed line around one convex part with n corners, counter-clockwise (one: a disk; two: a
/// capsule), grown by radius.
bool carom_flat_show(const double *corner, int n, double radius, double tolerance,
                     carom_arena *arena, carom_shape_look *look);

#endif
