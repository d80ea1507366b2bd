// SPDX-License-Identifier: Apache-2.0
// The outline of a plane shape: its corners counter-clockwise, the edges between them, and the
// convex parts it consists of. A point has one corner, a segment two corners and two edges, there
// and back.
//
//     edge i      from corner i to corner i + 1, normal out of the matter
//     numbers     of features: corner i is 2 i, edge i is 2 i + 1
//     parts       strictly convex, of the same corners; an edge between two parts is a seam
//
// A corner turns inwards where the matter around it spans more than a half turn: nothing touches
// there. Corners in line with their neighbours are left out before (polygon.c).
#ifndef CAROM_SHAPES_OUTLINE_H
#define CAROM_SHAPES_OUTLINE_H

#include "shapes/bvh.h"
#include "shapes/shape_kind.h"

typedef struct carom_flat_part {
    int n;
    const int *corner;    ///< (n) numbers of the shape's corners
    const int *edge;      ///< (n) numbers of its edges, -1: a seam
    const double *normal; ///< (2 n) of the edge from corner i of the part to the next
} carom_flat_part;

typedef struct carom_outline {
    const double *normal;  ///< (2 n_corner) of each edge
    const bool *is_inward; ///< (n_corner)
    int n_part;
    carom_flat_part *part;
    const carom_bvh *tree; ///< over the parts' corners; NULL where there is one
} carom_outline;

static inline const carom_outline *carom_outline_of(const carom_shape *shape)
{
    return shape->more;
}

/// Makes the outline, size and mass of a shape whose corners and radius are set.
carom_status carom_outline_new(carom_arena *arena, carom_shape *shape, carom_error *error);
/// Cuts an outline with corners that turn inwards into convex parts.
carom_status carom_outline_split(carom_arena *arena, const carom_shape *shape,
                                 carom_outline *outline, carom_error *error);
/// The edges p to q of a part: normals out of it.
void carom_outline_normal(const double *p, const double *q, double *normal);

/// Two edges of a closed line that cross or touch without a common end, or -1. False where memory
/// runs out.
bool carom_outline_cross(carom_arena *arena, const double *corner, int n, int edge[2]);

/// The area grown by the radius, as a slice of density 1.
void carom_outline_weigh(const carom_shape *shape, carom_shape_mass *mass);
/// The line around it, arcs as chords.
bool carom_outline_show(const carom_shape *shape, double extent, double tolerance,
                        carom_arena *arena, carom_shape_look *look);

/// Twice the area of a triangle, above 0 counter-clockwise; the sign is right beyond rounding of
/// the sides.
static inline double carom_outline_turn(const double *a, const double *b, const double *c)
{
    return (b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0]);
}

#endif
