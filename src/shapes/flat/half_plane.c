// SPDX-License-Identifier: Apache-2.0
// Half plane: all points x with n.(x - p) <= 0.
#include "shapes/placing.h"
#include "shapes/shape_kind.h"

#include <math.h>

/// Unit length; false for a vector without a direction.
static bool find_direction(const double *v, double *n)
{
    const double most = fmax(fabs(v[0]), fabs(v[1]));
    if (!(most > 0)) return false;
    const double x = v[0] / most, y = v[1] / most, length = sqrt(x * x + y * y);
    n[0] = x / length;
    n[1] = y / length;
    return true;
}

static carom_status make(carom_arena *arena, const carom_shape_given *given, carom_shape *shape,
                         carom_error *error)
{
    if (given->n_point != 1)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "a half_plane has one point (half_plane: [0, 0], normal: [0, 1])");
    if (given->rounding != 0)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "a half_plane has no corners to round (leave 'rounding' out)");
    double normal[3];
    carom_placing_turn(given->place.R, given->normal, normal);
    if (!find_direction(normal, shape->normal))
        return carom_fail(error, CAROM_BAD_INPUT,
                          "the normal of a half_plane is 0 (it points out of the matter: [0, 1])");
    shape->core = CAROM_CORE_HALF_PLANE;
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
    lower[2] = upper[2] = 0;
    for (int k = 0; k < 2; k++) { // it has an end only along an axis
        const bool is_along = n[1 - k] == 0;
        lower[k] = is_along && n[k] < 0 ? p[k] : -INFINITY;
        upper[k] = is_along && n[k] > 0 ? p[k] : INFINITY;
    }
}

static bool show(const carom_shape *shape, double extent, double tolerance, carom_arena *arena,
                 carom_shape_look *look)
{
    (void)tolerance;
    const double *n = shape->normal, *p = shape->corner, t[2] = {-n[1], n[0]};
    const double depth = n[0] * p[0] + n[1] * p[1];
    look->n_point = 4;
    look->point = CAROM_TAKE(arena, double, 12);
    look->n_line = 1;
    look->line = CAROM_TAKE(arena, int, 1);
    if (!look->point || !look->line) return false;
    look->line[0] = 4;
    static const double along[4] = {1, -1, -1, 1}, inside[4] = {0, 0, 1, 1};
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 2; k++)
            look->point[3 * i + k] = depth * n[k] + extent * (along[i] * t[k] - inside[i] * n[k]);
    return true;
}

const carom_shape_kind carom_shape_kind_half_plane = {"half_plane", 2, make, box, show};
