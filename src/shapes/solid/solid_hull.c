// SPDX-License-Identifier: Apache-2.0
// Convex hull of points; its rounding makes the core smaller. Its mass is that of the core and of
// what growing adds (grown.c).
#include "shapes/convex/hull.h"
#include "shapes/solid/polyhedron.h"

#include "math/vec3.h"

static void weigh(const carom_solid *solid, carom_shape *shape)
{
    carom_polyhedron body = {0};
    carom_vec3_copy(solid->centre, body.origin);
    for (int face = 0; face < solid->n_face; face++) {
        const int *ring = solid->ring + solid->start[face];
        for (int k = 1; k + 1 < solid->start[face + 1] - solid->start[face]; k++)
            carom_polyhedron_add(&body, solid->vertex + 3 * ring[0], solid->vertex + 3 * ring[k],
                                 solid->vertex + 3 * ring[k + 1]);
    }
    if (shape->radius > 0) carom_polyhedron_grow(solid, shape->radius, &body);
    carom_polyhedron_weigh(&body, shape);
}

/// The smallest distance between two planes around the core that a face lies in.
static double find_width(const carom_solid *solid)
{
    double least = INFINITY;
    for (int face = 0; face < solid->n_face; face++) {
        double low = INFINITY;
        for (int i = 0; i < solid->n_vertex; i++)
            low = fmin(low, carom_vec3_dot(solid->normal + 3 * face, solid->vertex + 3 * i));
        least = fmin(least, solid->offset[face] - low);
    }
    return least;
}

static carom_status make(carom_arena *arena, const carom_shape_given *given, carom_shape *shape,
                         carom_error *error)
{
    const double *point = carom_shape_placed(arena, given);
    carom_solid *solid = CAROM_TAKE(arena, carom_solid, 1);
    carom_solid *smaller = CAROM_TAKE(arena, carom_solid, 1);
    if (!point || !solid || !smaller) return carom_fail(error, CAROM_NO_MEMORY, "out of memory");
    CAROM_TRY(carom_convex_hull(arena, given->n_point, point, solid, error));
    shape->size = find_width(solid);
    if (given->rounding > 0) {
        CAROM_TRY(carom_convex_shrink(arena, solid, given->rounding, smaller, error));
        carom_solid_give(smaller, shape);
        shape->radius = given->rounding;
        weigh(smaller, shape);
        return CAROM_OK;
    }
    carom_solid_give(solid, shape);
    weigh(solid, shape);
    return CAROM_OK;
}

const carom_shape_kind carom_shape_kind_solid_hull = {"hull", 3, make, NULL, carom_solid_show};
