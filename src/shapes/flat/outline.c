// SPDX-License-Identifier: Apache-2.0
// Makes outlines: normals, inward corners, parts, size.
#include "shapes/flat/outline.h"

#include <math.h>

static carom_status refuse_memory(carom_error *error)
{
    return carom_fail(error, CAROM_NO_MEMORY, "out of memory");
}

void carom_outline_normal(const double *p, const double *q, double *normal)
{
    const double x = q[0] - p[0], y = q[1] - p[1], length = hypot(x, y);
    normal[0] = length > 0 ? y / length : 0;
    normal[1] = length > 0 ? -x / length : 0;
}

/// The smallest extent along a normal that is not 0.
static double measure_size(const carom_shape *shape, const carom_outline *outline)
{
    double least = INFINITY;
    const int n = shape->n_corner;
    for (int i = 0; i < (n > 1 ? n : 0); i++) {
        const double *normal = outline->normal + 2 * i;
        double low = INFINITY, high = -INFINITY;
        for (int k = 0; k < n; k++) {
            const double *p = shape->corner + 3 * k;
            const double at = normal[0] * p[0] + normal[1] * p[1];
            low = fmin(low, at);
            high = fmax(high, at);
        }
        least = fmin(least, high - low);
    }
    if (n == 1) least = 0;
    const double *p = shape->corner;
    if (n == 2) least = shape->radius > 0 ? 0 : hypot(p[3] - p[0], p[4] - p[1]);
    return least + 2 * shape->radius;
}

static bool make_one_part(carom_arena *arena, const carom_shape *shape, carom_outline *outline)
{
    const int n = shape->n_corner;
    int *number = CAROM_TAKE(arena, int, n);
    outline->part = CAROM_TAKE(arena, carom_flat_part, 1);
    if (!number || !outline->part) return false;
    for (int i = 0; i < n; i++) number[i] = i;
    outline->n_part = 1;
    outline->part[0] = (carom_flat_part){n, number, number, outline->normal};
    return true;
}

static bool plant_tree(carom_arena *arena, const carom_shape *shape, carom_outline *outline)
{
    carom_box *box = CAROM_TAKE(arena, carom_box, outline->n_part);
    if (!box) return false;
    for (int i = 0; i < outline->n_part; i++) {
        const carom_flat_part *part = outline->part + i;
        box[i] = (carom_box){{INFINITY, INFINITY}, {-INFINITY, -INFINITY}};
        for (int k = 0; k < part->n; k++)
            for (int j = 0; j < 2; j++) {
                const double x = shape->corner[3 * part->corner[k] + j];
                box[i].lower[j] = fmin(box[i].lower[j], x);
                box[i].upper[j] = fmax(box[i].upper[j], x);
            }
    }
    outline->tree = carom_bvh_new(arena, box, outline->n_part);
    return outline->tree != NULL;
}

carom_status carom_outline_new(carom_arena *arena, carom_shape *shape, carom_error *error)
{
    const int n = shape->n_corner;
    carom_outline *outline = CAROM_TAKE(arena, carom_outline, 1);
    double *normal = CAROM_TAKE(arena, double, 2 * n);
    bool *is_inward = CAROM_TAKE(arena, bool, n);
    if (!outline || !normal || !is_inward) return refuse_memory(error);
    bool is_convex = true;
    for (int i = 0; i < n; i++) {
        const double *p = shape->corner + 3 * i, *q = shape->corner + 3 * ((i + 1) % n);
        const double *o = shape->corner + 3 * ((i + n - 1) % n);
        carom_outline_normal(p, q, normal + 2 * i);
        is_inward[i] = carom_outline_turn(o, p, q) < 0;
        is_convex = is_convex && !is_inward[i];
    }
    outline->normal = normal;
    outline->is_inward = is_inward;
    if (!is_convex) {
        CAROM_TRY(carom_outline_split(arena, shape, outline, error));
        if (!plant_tree(arena, shape, outline)) return refuse_memory(error);
    } else if (!make_one_part(arena, shape, outline)) {
        return refuse_memory(error);
    }
    shape->core = CAROM_CORE_FLAT;
    shape->more = outline;
    shape->size = measure_size(shape, outline);
    shape->is_heavy = n > 2 || shape->radius > 0;
    if (shape->is_heavy) carom_outline_weigh(shape, &shape->mass_1);
    return CAROM_OK;
}
