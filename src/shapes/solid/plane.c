// SPDX-License-Identifier: Apache-2.0
// Plane: the half space of all points x with n.(x - p) <= 0.
#include "shapes/placing.h"
#include "shapes/solid/solid.h"

#include "math/rotation.h"
#include "math/vec3.h"

static carom_status make(carom_arena *arena, const carom_shape_given *given, carom_shape *shape,
                         carom_error *error)
{
    if (given->n_point != 1)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "a plane has one point (plane: [0, 0, 0], normal: [0, 0, 1])");
    if (given->rounding != 0)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "a plane has no corners to round (leave 'rounding' out)");
    double normal[3];
    carom_placing_turn(given->place.R, given->normal, normal);
    const double most = fmax(fabs(normal[0]), fmax(fabs(normal[1]), fabs(normal[2])));
    if (!(most > 0))
        return carom_fail(error, CAROM_BAD_INPUT,
                          "the normal of a plane is 0 (it points out of the matter: [0, 0, 1])");
    for (int k = 0; k < 3; k++) normal[k] /= most;
    carom_vec3_unit(normal, shape->normal);
    shape->core = CAROM_CORE_PLANE;
    shape->size = shape->reach = INFINITY;
    shape->n_corner = 1;
    shape->corner = carom_shape_placed(arena, given);
    return shape->corner ? CAROM_OK : carom_fail(error, CAROM_NO_MEMORY, "out of memory");
}

static void box(const carom_shape *shape, const carom_placement *at, double lower[3],
                double upper[3])
{
    double n[3], p[3];
    carom_placing_turn(at->R, shape->normal, n);
    carom_placing_out(at, shape->corner, p);
    for (int k = 0; k < 3; k++) { // it has an end only along an axis
        const bool is_along = n[(k + 1) % 3] == 0 && n[(k + 2) % 3] == 0;
        lower[k] = is_along && n[k] < 0 ? p[k] : -INFINITY;
        upper[k] = is_along && n[k] > 0 ? p[k] : INFINITY;
    }
}

static bool show(const carom_shape *shape, double extent, double tolerance, carom_arena *arena,
                 carom_shape_look *look)
{
    (void)tolerance;
    static const int triangle[6] = {0, 1, 2, 0, 2, 3};
    double t1[3], t2[3];
    const double depth = carom_vec3_dot(shape->normal, shape->corner);
    carom_rotation_across(shape->normal, t1);
    carom_vec3_cross(shape->normal, t1, t2);
    look->point = CAROM_TAKE(arena, double, 12);
    look->triangle = CAROM_TAKE(arena, int, 6);
    if (!look->point || !look->triangle) return false;
    look->n_point = 4;
    look->n_triangle = 2;
    for (int i = 0; i < 6; i++) look->triangle[i] = triangle[i];
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 3; k++)
            look->point[3 * i + k] =
                depth * shape->normal[k] +
                extent * ((i == 1 || i == 2 ? 1 : -1) * t1[k] + (i >= 2 ? 1 : -1) * t2[k]);
    return true;
}

const carom_shape_kind carom_shape_kind_plane = {"plane", 3, make, box, show};
