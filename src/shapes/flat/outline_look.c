// SPDX-License-Identifier: Apache-2.0
// The line around an outline that is grown by a radius: arcs around the corners, as chords.
#include "shapes/flat/outline.h"

#include <math.h>

/// How many chords a full circle takes.
static int count_chords(double radius, double tolerance)
{
    const double part = 1 - tolerance / radius; // cos of half the angle of a chord
    const double n = part < 0.5 ? 8 : ceil(acos(-1) / acos(part));
    return n < 8 ? 8 : n < 4096 ? (int)n : 4096;
}

static void put(carom_shape_look *look, const double *c, double x, double y)
{
    double *p = look->point + 3 * look->n_point++;
    p[0] = c[0] + x;
    p[1] = c[1] + y;
}

/// From normal m to normal n around corner i; a whole circle around a single corner.
static void put_corner(carom_shape_look *look, const carom_shape *shape, int i, int n_chord)
{
    const carom_outline *outline = carom_outline_of(shape);
    const int n_corner = shape->n_corner, before = (i + n_corner - 1) % n_corner;
    const double *c = shape->corner + 3 * i, r = shape->radius, full = 2 * acos(-1);
    if (n_corner == 1) {
        for (int k = 0; k < n_chord; k++)
            put(look, c, r * cos(full * k / n_chord), r * sin(full * k / n_chord));
        return;
    }
    if (r == 0) {
        put(look, c, 0, 0);
        return;
    }
    const double *m = outline->normal + 2 * before, *n = outline->normal + 2 * i;
    const double dot = m[0] * n[0] + m[1] * n[1], cross = m[0] * n[1] - m[1] * n[0];
    if (outline->is_inward[i]) {
        put(look, c, r * (m[0] + n[0]) / (1 + dot), r * (m[1] + n[1]) / (1 + dot));
        return;
    }
    const double angle = n_corner == 2 ? full / 2 : atan2(cross, dot);
    const int n_part = (int)ceil(n_chord * angle / full);
    for (int k = 0; k <= n_part; k++) {
        const double s = sin(angle * k / n_part), t = cos(angle * k / n_part);
        put(look, c, r * (t * m[0] - s * m[1]), r * (s * m[0] + t * m[1]));
    }
}

bool carom_outline_show(const carom_shape *shape, double extent, double tolerance,
                        carom_arena *arena, carom_shape_look *look)
{
    (void)extent;
    const int n_chord = shape->radius > 0 ? count_chords(shape->radius, tolerance) : 0;
    // the arcs around corners that turn outwards add up to more than a circle by those inwards
    int most = n_chord + 2 * shape->n_corner;
    for (int i = 0; i < shape->n_corner; i++)
        if (carom_outline_of(shape)->is_inward[i]) most += n_chord / 2 + 1;
    look->point = CAROM_TAKE(arena, double, 3 * (size_t)most);
    look->line = CAROM_TAKE(arena, int, 1);
    if (!look->point || !look->line) return false;
    for (int i = 0; i < shape->n_corner; i++) put_corner(look, shape, i, n_chord);
    look->n_line = 1;
    look->line[0] = look->n_point;
    return true;
}
