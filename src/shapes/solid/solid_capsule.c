// SPDX-License-Identifier: Apache-2.0
// Capsule in space: a segment grown by its radius. Given by the centres of both ends, or by centre,
// axis and full length.
#include "shapes/placing.h"
#include "shapes/solid/solid.h"

#include "math/rotation.h"
#include "math/vec3.h"

/// Both ends in the shape's own axes; false where they are one point.
static bool find_ends(const carom_shape_given *given, double *end)
{
    if (given->n_point == 2) {
        for (int k = 0; k < 6; k++) end[k] = given->point[k];
    } else {
        double axis[3];
        carom_vec3_unit(given->normal, axis);
        const double half = 0.5 * given->length - given->radius[0];
        if (half < 0) return false;
        static const double zero[3] = {0};
        const double *centre = given->n_point == 1 ? given->point : zero;
        carom_vec3_add(centre, -half, axis, end);
        carom_vec3_add(centre, half, axis, end + 3);
    }
    return end[0] != end[3] || end[1] != end[4] || end[2] != end[5];
}

static carom_status check(const carom_shape_given *given, double *end, carom_error *error)
{
    if (!(given->radius[0] > 0))
        return carom_fail(error, CAROM_BAD_INPUT,
                          "the radius of a capsule is %g (it must be above 0)", given->radius[0]);
    if (given->rounding != 0)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "a capsule has no corners to round (leave 'rounding' out)");
    if (!find_ends(given, end))
        return carom_fail(error, CAROM_BAD_INPUT,
                          "a capsule has two ends that differ (capsule: [[0, 0, 0], [1, 0, 0]], or "
                          "centre, axis and a length above twice its radius; else a sphere)");
    return CAROM_OK;
}

static carom_status make(carom_arena *arena, const carom_shape_given *given, carom_shape *shape,
                         carom_error *error)
{
    static const int ends[2] = {0, 1}, no_side[2] = {-1, -1};
    double own[6], centre[3], R[9], across[3], third[3];
    CAROM_TRY(check(given, own, error));
    carom_solid *solid = CAROM_TAKE(arena, carom_solid, 1);
    double *vertex = CAROM_TAKE(arena, double, 6), *along = CAROM_TAKE(arena, double, 3);
    if (!solid || !vertex || !along) return carom_fail(error, CAROM_NO_MEMORY, "out of memory");
    carom_placing_out(&given->place, own, vertex);
    carom_placing_out(&given->place, own + 3, vertex + 3);
    carom_vec3_subtract(vertex + 3, vertex, along);
    const double length = carom_vec3_unit(along, along);
    carom_rotation_across(along, across);
    carom_vec3_cross(along, across, third);
    for (int k = 0; k < 3; k++) {
        centre[k] = solid->centre[k] = 0.5 * (vertex[k] + vertex[3 + k]);
        R[3 * k] = along[k];
        R[3 * k + 1] = across[k];
        R[3 * k + 2] = third[k];
    }
    solid->n_vertex = 2;
    solid->n_edge = 1;
    solid->vertex = vertex;
    solid->along = along;
    solid->end = ends;
    solid->side = no_side;
    carom_solid_give(solid, shape);
    shape->radius = given->radius[0];
    shape->size = 2 * shape->radius;
    carom_solid_weigh_box((const double[3]){length}, shape->radius, centre, R, shape);
    return CAROM_OK;
}

const carom_shape_kind carom_shape_kind_solid_capsule = {"capsule", 3, make, NULL,
                                                         carom_solid_show};
