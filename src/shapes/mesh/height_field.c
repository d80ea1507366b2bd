// SPDX-License-Identifier: Apache-2.0
// Height field: ground with given heights on a grid, solid below. Rows run along x, one above the
// other along y, centred at the shape's place. Each cell is two triangles, cut from (x, y) to
// (x + 1, y + 1). There is nothing to touch below it or beyond its border.
#include "shapes/mesh/mesh.h"
#include "shapes/placing.h"

static carom_status check(const carom_shape_given *given, carom_error *error)
{
    enum { MOST = 8 * 1000 * 1000 };
    if (given->n_row < 2 || given->n_column < 2 || given->n_row > MOST / given->n_column ||
        given->n_point != given->n_row * given->n_column)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "a height field of %d rows and %d columns with %d heights (two rows and "
                          "columns at least, %d heights at most)",
                          given->n_row, given->n_column, given->n_point, MOST);
    if (!(given->size[0] > 0) || !(given->size[1] > 0))
        return carom_fail(error, CAROM_BAD_INPUT,
                          "the size of a height field is %g x %g (both above 0)", given->size[0],
                          given->size[1]);
    if (given->rounding != 0)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "a height field cannot be rounded (leave 'rounding' out)");
    return CAROM_OK;
}

static void place_points(const carom_shape_given *given, double *point)
{
    for (int row = 0; row < given->n_row; row++)
        for (int column = 0; column < given->n_column; column++) {
            const int i = row * given->n_column + column;
            const double own[3] = {given->size[0] * ((double)column / (given->n_column - 1) - 0.5),
                                   given->size[1] * ((double)row / (given->n_row - 1) - 0.5),
                                   given->point[i]};
            carom_placing_out(&given->place, own, point + 3 * i);
        }
}

static carom_status make(carom_arena *arena, const carom_shape_given *given, carom_shape *shape,
                         carom_error *error)
{
    CAROM_TRY(check(given, error));
    const int n_cell = (given->n_row - 1) * (given->n_column - 1);
    carom_triangles triangles = {given->n_point, 2 * n_cell, NULL, NULL};
    triangles.point = CAROM_TAKE(arena, double, 3 * given->n_point);
    int *face = triangles.face = CAROM_TAKE(arena, int, 6 * n_cell);
    if (!triangles.point || !face) return carom_fail(error, CAROM_NO_MEMORY, "out of memory");
    place_points(given, triangles.point);
    for (int row = 0; row + 1 < given->n_row; row++)
        for (int column = 0; column + 1 < given->n_column; column++) {
            const int i = row * given->n_column + column, above = i + given->n_column;
            const int cell[6] = {i, i + 1, above + 1, i, above + 1, above};
            for (int k = 0; k < 6; k++) *face++ = cell[k];
        }
    carom_mesh *mesh;
    CAROM_TRY(carom_mesh_build(arena, &triangles, false, &mesh, error));
    carom_mesh_give(mesh, shape);
    shape->core = CAROM_CORE_HEIGHT_FIELD;
    return CAROM_OK;
}

const carom_shape_kind carom_shape_kind_height_field = {"height_field", 3, make, NULL,
                                                        carom_mesh_show};
