// SPDX-License-Identifier: Apache-2.0
// Box in space, of full sizes; its rounding makes the core smaller.
#include "shapes/placing.h"
#include "shapes/solid/solid.h"

#include "math/vec3.h"

static carom_status check(const carom_shape_given *given, carom_error *error)
{
    static const char *const axis[3] = {"x", "y", "z"};
    for (int k = 0; k < 3; k++) {
        if (!(given->size[k] > 0))
            return carom_fail(error, CAROM_BAD_INPUT,
                              "the size of a box along %s is %g (full sizes, above 0)", axis[k],
                              given->size[k]);
        if (2 * given->rounding >= given->size[k])
            return carom_fail(error, CAROM_BAD_INPUT,
                              "a box of size %g along %s cannot be rounded by %g (less than half "
                              "its size: the rounding lies inside)",
                              given->size[k], axis[k], given->rounding);
    }
    return CAROM_OK;
}

/// Normals and edges exactly along the axes, not what rounding of the corners leaves of them.
static bool straighten(carom_arena *arena, carom_solid *solid)
{
    double *normal = CAROM_TAKE(arena, double, 18), *along = CAROM_TAKE(arena, double, 36);
    double *offset = CAROM_TAKE(arena, double, 6);
    if (!normal || !along || !offset) return false;
    for (int face = 0; face < 6; face++) {
        const double *axis = solid->axis + 3 * (face / 2), sign = face % 2 ? -1 : 1;
        for (int k = 0; k < 3; k++) normal[3 * face + k] = sign * axis[k];
        offset[face] = carom_vec3_dot(normal + 3 * face, solid->centre) + solid->half[face / 2];
    }
    for (int e = 0; e < 12; e++) {
        const int i = solid->end[2 * e], j = solid->end[2 * e + 1], bit = i ^ j;
        const double *axis = solid->axis + 3 * (bit / 2), sign = j & bit ? 1 : -1;
        for (int k = 0; k < 3; k++) along[3 * e + k] = sign * axis[k];
    }
    solid->normal = normal;
    solid->along = along;
    solid->offset = offset;
    return true;
}

static carom_status make(carom_arena *arena, const carom_shape_given *given, carom_shape *shape,
                         carom_error *error)
{
    static const int start[7] = {0, 4, 8, 12, 16, 20, 24};
    static const int ring[24] = {1, 3, 7, 5, 0, 4, 6, 2, 2, 6, 7, 3,
                                 0, 1, 5, 4, 4, 5, 7, 6, 0, 2, 3, 1};
    static const double zero[3] = {0};
    CAROM_TRY(check(given, error));
    carom_solid *solid = CAROM_TAKE(arena, carom_solid, 1);
    if (!solid) return carom_fail(error, CAROM_NO_MEMORY, "out of memory");
    double vertex[24], size[3], centre[3];
    carom_placing_out(&given->place, given->n_point > 0 ? given->point : zero, centre);
    solid->is_box = true;
    for (int k = 0; k < 3; k++) {
        size[k] = given->size[k] - 2 * given->rounding;
        solid->half[k] = 0.5 * given->size[k] - given->rounding;
        for (int i = 0; i < 3; i++) solid->axis[3 * k + i] = given->place.R[3 * i + k];
    }
    for (int i = 0; i < 8; i++) {
        carom_vec3_copy(centre, vertex + 3 * i);
        for (int k = 0; k < 3; k++)
            carom_vec3_add(vertex + 3 * i, i >> k & 1 ? solid->half[k] : -solid->half[k],
                           solid->axis + 3 * k, vertex + 3 * i);
    }
    const carom_solid_faces faces = {8, 6, vertex, start, ring};
    CAROM_TRY(carom_solid_fill(arena, &faces, solid, error));
    carom_vec3_copy(centre, solid->centre);
    if (!straighten(arena, solid)) return carom_fail(error, CAROM_NO_MEMORY, "out of memory");
    carom_solid_give(solid, shape);
    shape->radius = given->rounding;
    shape->size = fmin(given->size[0], fmin(given->size[1], given->size[2]));
    carom_solid_weigh_box(size, given->rounding, centre, given->place.R, shape);
    return CAROM_OK;
}

const carom_shape_kind carom_shape_kind_solid_box = {"box", 3, make, NULL, carom_solid_show};
