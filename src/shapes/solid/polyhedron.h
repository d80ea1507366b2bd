// SPDX-License-Identifier: Apache-2.0
// Volume and its moments of a body between triangles.
#ifndef CAROM_SHAPES_POLYHEDRON_H
#define CAROM_SHAPES_POLYHEDRON_H

#include "shapes/solid/solid.h"

/// Sums over tetrahedra from one point to all triangles.
typedef struct carom_polyhedron {
    double origin[3]; ///< the point; best near the middle
    double volume, first[3], second[6];
} carom_polyhedron;

/// Adds a triangle that is counter-clockwise from outside.
void carom_polyhedron_add(carom_polyhedron *body, const double *p, const double *q,
                          const double *r);
/// Adds what a convex body gains when it is grown by a radius: grown.c.
void carom_polyhedron_grow(const carom_solid *core, double radius, carom_polyhedron *body);
/// Mass, centre and inertia at density 1.
void carom_polyhedron_weigh(const carom_polyhedron *body, carom_shape *shape);

#endif
