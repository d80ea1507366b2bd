// SPDX-License-Identifier: Apache-2.0
// What plane shapes share.
#include "shapes/flat/flat.h"

#include <math.h>

bool carom_flat_unit(const double *v, double *n)
{
    const double most = fmax(fabs(v[0]), fabs(v[1]));
    if (!(most > 0)) return false;
    const double x = v[0] / most, y = v[1] / most, length = sqrt(x * x + y * y);
    n[0] = x / length;
    n[1] = y / length;
    n[2] = 0;
    return true;
}

/// How many chords a full circle takes.
static int count_chords(double radius, double tolerance)
{
    const double part = 1 - tolerance / radius; // cos of half the angle of a chord
    const double n = part < 0.5 ? 6 : ceil(acos(-1) / acos(part));
    return n < 8 ? 8 : n > 512 ? 512 : (int)n;
}

bool carom_flat_show(const double *corner, int n, double radius, double tolerance,
                     carom_arena *arena, carom_shape_look *look)
{
    const int n_chord = radius > 0 ? count_chords(radius, tolerance) : 0;
    look->point = CAROM_TAKE(arena, double, 3 * (n_chord + 2 * n));
    look->line = CAROM_TAKE(arena, int, 1);
    if (!look->point || !look->line) return false;
    const double full = 2 * acos(-1);
    look->n_line = 1;
    for (int i = 0; i < n; i++) { // an arc around each corner, from one side's normal to the next
        const double *p = corner + 3 * i, *q = corner + 3 * ((i + 1) % n);
        const double *o = corner + 3 * ((i + n - 1) % n);
        const double from = n > 1 ? atan2(-(p[0] - o[0]), p[1] - o[1]) : 0;
        double turn = n > 1 ? atan2(-(q[0] - p[0]), q[1] - p[1]) - from : full;
        if (turn < 0) turn += full;
        const int m = n == 1 ? n_chord - 1 : radius > 0 ? (int)ceil(n_chord * turn / full) : 0;
        for (int k = 0; k <= m; k++) {
            const double angle = from + turn * k / (n == 1 ? m + 1 : m > 0 ? m : 1);
            look->point[3 * look->n_point] = p[0] + radius * cos(angle);
            look->point[3 * look->n_point++ + 1] = p[1] + radius * sin(angle);
        }
    }
    look->line[0] = look->n_point;
    return true;
}
