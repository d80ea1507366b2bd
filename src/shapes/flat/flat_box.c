// SPDX-License-Identifier: Apache-2.0
// Box of the plane: full sizes, centre in its place (or the point given); corners counter-clockwise
// from (-, -). Its core is smaller by the rounding on all sides: a line or a point where nothing is
// left of a side.
#include "shapes/flat/outline.h"
#include "shapes/placing.h"

#include <math.h>

static carom_status check(const carom_shape_given *given, carom_error *error)
{
    const double *size = given->size;
    if (given->n_point > 1)
        return carom_fail(error, CAROM_BAD_INPUT, "a box has its full sizes (box: [2, 1])");
    if (!(size[0] > 0 && size[1] > 0))
        return carom_fail(error, CAROM_BAD_INPUT,
                          "the sizes of a box are [%g, %g] (both must be above 0)", size[0],
                          size[1]);
    const double most = 0.5 * fmin(size[0], size[1]);
    if (given->rounding > most)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "a 'rounding' of %g in a box of [%g, %g] (at most half a side: %g)",
                          given->rounding, size[0], size[1], most);
    return CAROM_OK;
}

static carom_status make(carom_arena *arena, const carom_shape_given *given, carom_shape *shape,
                         carom_error *error)
{
    CAROM_TRY(check(given, error));
    const double *size = given->size, r = given->rounding;
    const double x = 0.5 * size[0] - r, y = 0.5 * size[1] - r;
    const double c[2] = {given->n_point ? given->point[0] : 0,
                         given->n_point ? given->point[1] : 0};
    const double all[4][2] = {{-x, -y}, {x, -y}, {x, y}, {-x, y}};
    double *corner = CAROM_TAKE(arena, double, 12);
    if (!corner) return carom_fail(error, CAROM_NO_MEMORY, "out of memory");
    for (int i = 0; i < 4; i++) {
        if ((x == 0 && (i == 1 || i == 2)) || (y == 0 && i >= 2)) continue; // as the one before
        const double p[3] = {c[0] + all[i][0], c[1] + all[i][1], 0};
        carom_placing_out(&given->place, p, corner + 3 * shape->n_corner++);
    }
    shape->corner = corner;
    shape->radius = r;
    return carom_outline_new(arena, shape, error);
}

const carom_shape_kind carom_shape_kind_flat_box = {"box", 2, make, NULL, carom_outline_show};
