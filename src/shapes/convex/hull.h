// SPDX-License-Identifier: Apache-2.0
// The convex hull of points.
#ifndef CAROM_SHAPES_HULL_H
#define CAROM_SHAPES_HULL_H

#include "shapes/solid/solid.h"

/// Most points that a hull is made from: each is compared with all faces.
enum { CAROM_MOST_POINTS = 4096 };

/// The hull as a core; points inside, twice there or in the middle of a side are left out.
carom_status carom_convex_hull(carom_arena *arena, int n, const double *point, carom_solid *solid,
                               carom_error *error);
/// The part of a core that is at least `radius` inside of each face.
carom_status carom_convex_shrink(carom_arena *arena, const carom_solid *solid, double radius,
                                 carom_solid *smaller, carom_error *error);

#endif
