// SPDX-License-Identifier: Apache-2.0
// Polygon: corners counter-clockwise, as many as one likes; where it turns inwards it is cut into
// convex parts. With rounding r its core is the polygon whose edges lie r further inside:
//
//     corner of the core  c = p - r (n_before + n_after)/(1 + n_before.n_after)
//
// grown by r again, corners that turn outwards are round and those that turn inwards are sharp.
#include "shapes/flat/outline.h"

#include <math.h>
#include <string.h>

enum { MOST_CORNERS = 10000 };

static double find_area(const double *corner, int n)
{
    double twice = 0;
    for (int i = 1; i + 1 < n; i++)
        twice += carom_outline_turn(corner, corner + 3 * i, corner + 3 * (i + 1));
    return 0.5 * twice;
}

static carom_status check_corners(carom_arena *arena, const double *corner, int n,
                                  carom_error *error)
{
    double size = 0;
    for (int i = 0; i < n; i++)
        size = fmax(size, hypot(corner[3 * i] - corner[0], corner[3 * i + 1] - corner[1]));
    for (int i = 0; i < n; i++) {
        const double *p = corner + 3 * i, *q = corner + 3 * ((i + 1) % n);
        if (!(hypot(q[0] - p[0], q[1] - p[1]) > 1e-12 * size))
            return carom_fail(error, CAROM_BAD_INPUT,
                              "corners %d and %d of the polygon are the same (leave one out)",
                              i + 1, (i + 1) % n + 1);
    }
    int crossing[2];
    if (!carom_outline_cross(arena, corner, n, crossing))
        return carom_fail(error, CAROM_NO_MEMORY, "out of memory");
    if (crossing[0] >= 0)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "the edges after corners %d and %d of the polygon cross or touch (its "
                          "corners go around it once, counter-clockwise)",
                          crossing[0] + 1, crossing[1] + 1);
    const double area = find_area(corner, n);
    if (area < -1e-12 * size * size)
        return carom_fail(
            error, CAROM_BAD_INPUT,
            "the corners of the polygon go clockwise (write them in the other order)");
    if (!(area > 1e-12 * size * size))
        return carom_fail(
            error, CAROM_BAD_INPUT,
            "the corners of the polygon lie in line (a line is a segment or capsule)");
    return CAROM_OK;
}

/// Leaves out corners in line with their neighbours; returns how many are left, 0 where the line
/// turns back on itself.
static int keep_bends(double *corner, int n)
{
    int kept = 0;
    for (int i = 0; i < n; i++) {
        const double *before = corner + 3 * (kept > 0 ? kept - 1 : n - 1), *p = corner + 3 * i;
        const double *q = i + 1 < n ? p + 3 : corner;
        const double u[2] = {p[0] - before[0], p[1] - before[1]}, v[2] = {q[0] - p[0], q[1] - p[1]};
        const double cross = u[0] * v[1] - u[1] * v[0], dot = u[0] * v[0] + u[1] * v[1];
        const bool is_straight = fabs(cross) <= 1e-12 * fabs(dot);
        if (is_straight && dot < 0) return 0;
        if (!is_straight) memmove(corner + 3 * kept++, p, 3 * sizeof *p);
    }
    return kept;
}

static void find_normal(const double *p, const double *q, long double *normal)
{
    const long double x = (long double)q[0] - p[0], y = (long double)q[1] - p[1];
    const long double length = sqrtl(x * x + y * y);
    normal[0] = y / length;
    normal[1] = -x / length;
}

/// Moves all edges inwards by r; whether the core is still a polygon like the one given. Sharp
/// corners lie far inside, so that this is done with some digits more.
static bool shrink(const double *corner, int n, double r, double *core)
{
    for (int i = 0; i < n; i++) {
        const double *p = corner + 3 * i;
        long double m[2], k[2];
        find_normal(corner + 3 * ((i + n - 1) % n), p, m);
        find_normal(p, corner + 3 * ((i + 1) % n), k);
        const long double far = r / (1 + m[0] * k[0] + m[1] * k[1]);
        for (int j = 0; j < 2; j++) core[3 * i + j] = (double)(p[j] - far * (m[j] + k[j]));
    }
    for (int i = 0; i < n; i++) {
        const double *p = corner + 3 * i, *q = corner + 3 * ((i + 1) % n);
        const double *c = core + 3 * i, *d = core + 3 * ((i + 1) % n);
        const double x = q[0] - p[0], y = q[1] - p[1];
        if (!((d[0] - c[0]) * x + (d[1] - c[1]) * y > 1e-12 * (x * x + y * y))) return false;
    }
    return true;
}

static carom_status round_corners(carom_arena *arena, carom_shape *shape, double r,
                                  carom_error *error)
{
    double *core = CAROM_TAKE(arena, double, 3 * shape->n_corner);
    if (!core) return carom_fail(error, CAROM_NO_MEMORY, "out of memory");
    int crossing[2] = {-1, -1};
    const bool is_left = shrink(shape->corner, shape->n_corner, r, core);
    if (is_left && !carom_outline_cross(arena, core, shape->n_corner, crossing))
        return carom_fail(error, CAROM_NO_MEMORY, "out of memory");
    if (!is_left || crossing[0] >= 0)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "the polygon has no room for a 'rounding' of %g (make it smaller)", r);
    shape->corner = core;
    shape->radius = r;
    return CAROM_OK;
}

static carom_status make(carom_arena *arena, const carom_shape_given *given, carom_shape *shape,
                         carom_error *error)
{
    if (given->n_point < 3 || given->n_point > MOST_CORNERS)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "a polygon of %d corners (3 to %d: polygon: [[0, 0], [1, 0], [0, 1]])",
                          given->n_point, MOST_CORNERS);
    double *corner = carom_shape_placed(arena, given);
    if (!corner) return carom_fail(error, CAROM_NO_MEMORY, "out of memory");
    CAROM_TRY(check_corners(arena, corner, given->n_point, error));
    shape->n_corner = keep_bends(corner, given->n_point);
    shape->corner = corner;
    if (shape->n_corner < 3)
        return carom_fail(
            error, CAROM_BAD_INPUT,
            "the line around the polygon turns back on itself (leave that corner out)");
    if (given->rounding > 0) CAROM_TRY(round_corners(arena, shape, given->rounding, error));
    return carom_outline_new(arena, shape, error);
}

const carom_shape_kind carom_shape_kind_polygon = {"polygon", 2, make, NULL, carom_outline_show};
