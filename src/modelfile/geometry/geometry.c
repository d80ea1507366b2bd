// SPDX-License-Identifier: Apache-2.0
// Shapes from files: which format, and what it may be used for.
#include "modelfile/geometry/geometry.h"

#include "base/text.h"

#include <string.h>

static carom_status no_memory(carom_error *error)
{
    return carom_fail(error, CAROM_NO_MEMORY, "memory ran out while reading a shape");
}

carom_status carom_geometry_refuse(const carom_geometry *geometry, const char *what,
                                   carom_error *error)
{
    return carom_fail_at(error, (carom_place){geometry->source->name, geometry->line, 1},
                         CAROM_BAD_INPUT, "%s", what);
}

bool carom_geometry_add_point(carom_geometry *geometry, const double *p)
{
    for (int i = 0; i < 3; i++) {
        double *number = CAROM_LIST_ADD(geometry->arena, &geometry->number);
        if (!number) return false;
        *number = p[i];
    }
    return true;
}

bool carom_geometry_add_face(carom_geometry *geometry, int a, int b, int c)
{
    const int corner[3] = {a, b, c};
    for (int i = 0; i < 3; i++) {
        int *face = CAROM_LIST_ADD(geometry->arena, &geometry->face);
        if (!face) return false;
        *face = corner[i];
    }
    return true;
}

typedef carom_status format_reader(carom_geometry *geometry, carom_error *error);

// what a kind of shape reads
static format_reader *find_format(const char *kind, const char *path, const char **formats)
{
    const bool takes_faces = strcmp(kind, "mesh") == 0 || strcmp(kind, "hull") == 0;
    const bool takes_rows = strcmp(kind, "height_field") == 0 || strcmp(kind, "hull") == 0 ||
                            strcmp(kind, "curve") == 0 || strcmp(kind, "polygon") == 0;
    *formats = takes_faces && takes_rows ? "OBJ, STL or CSV"
               : takes_faces             ? "OBJ or STL"
               : takes_rows              ? "CSV"
                                         : "no";
    if (takes_faces && (carom_text_ends(path, ".obj") || carom_text_ends(path, ".OBJ")))
        return carom_geometry_obj;
    if (takes_faces && (carom_text_ends(path, ".stl") || carom_text_ends(path, ".STL")))
        return carom_geometry_stl;
    if (takes_rows && (carom_text_ends(path, ".csv") || carom_text_ends(path, ".CSV")))
        return carom_geometry_rows;
    return NULL;
}

// rows of points: two or three numbers each
static carom_status take_rows_as_points(const carom_geometry *geometry, carom_shape_points *points,
                                        carom_error *error)
{
    const int n = geometry->n_column;
    if (n != 2 && n != 3)
        return carom_fail_at(error, (carom_place){geometry->source->name, 1, 1}, CAROM_BAD_INPUT,
                             "a point has two or three numbers, not %d", n);
    double *point = CAROM_TAKE(geometry->arena, double, 3 * geometry->n_row);
    if (!point) return no_memory(error);
    for (int i = 0; i < geometry->n_row; i++)
        for (int k = 0; k < n; k++) point[3 * i + k] = geometry->number.item[n * i + k];
    points->n_point = geometry->n_row;
    points->point = point;
    return CAROM_OK;
}

carom_status carom_geometry_read(carom_modelfile *file, carom_text kind, carom_text path,
                                 const carom_shape_points **points, carom_error *error)
{
    const char *formats;
    carom_found found;
    carom_source source;
    format_reader *read = find_format(kind.text, path.text, &formats);
    if (!read)
        return carom_fail_at(error, path.place, CAROM_BAD_INPUT,
                             "a %.40s reads %s files, not '%.100s'", kind.text, formats, path.text);
    CAROM_TRY(carom_allowed_find(file->arena, &file->access, file->origin, path, &found, error));
    CAROM_TRY(carom_allowed_load(file->arena, &found, CAROM_SOURCE_TABLE, file->access.limits,
                                 &source, error));
    source.name = found.origin.name;
    carom_geometry geometry = {.arena = file->arena, .source = &source};
    carom_shape_points *made = CAROM_TAKE(file->arena, carom_shape_points, 1);
    if (!made) return no_memory(error);
    CAROM_TRY(read(&geometry, error));
    *points = made;
    if (read == carom_geometry_rows && strcmp(kind.text, "height_field") != 0)
        return take_rows_as_points(&geometry, made, error);
    const bool is_field = read == carom_geometry_rows;
    *made = (carom_shape_points){.n_point = geometry.number.n / (is_field ? 1 : 3),
                                 .point = geometry.number.item,
                                 .n_face = geometry.face.n / 3,
                                 .face = geometry.face.item,
                                 .n_row = geometry.n_row,
                                 .n_column = geometry.n_column};
    return CAROM_OK;
}
