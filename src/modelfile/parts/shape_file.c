// SPDX-License-Identifier: Apache-2.0
// Shapes from files: which format, and what it may be used for.
#include "modelfile/parts/shape_file.h"

#include "base/text.h"
#include "shapes/mesh/mesh.h"

#include <string.h>

// one file
typedef struct shape_file {
    carom_arena *arena;
    carom_source source;
    bool is_field; // its numbers are heights
    carom_shape_points *points;
} shape_file;

typedef carom_status file_reader(shape_file *file, carom_error *error);

static carom_status no_memory(carom_error *error)
{
    return carom_fail(error, CAROM_NO_MEMORY, "memory ran out while reading a shape");
}

static carom_status take_triangles(shape_file *file, const carom_triangles *triangles)
{
    *file->points = (carom_shape_points){.n_point = triangles->n_point,
                                         .point = triangles->point,
                                         .n_face = triangles->n_face,
                                         .face = triangles->face};
    return CAROM_OK;
}

static carom_status read_obj(shape_file *file, carom_error *error)
{
    carom_triangles triangles = {0};
    CAROM_TRY(carom_obj_read(file->arena, file->source.name, file->source.text, file->source.length,
                             &triangles, error));
    return take_triangles(file, &triangles);
}

static carom_status read_stl(shape_file *file, carom_error *error)
{
    carom_triangles triangles = {0};
    CAROM_TRY(carom_stl_read(file->arena, file->source.name, file->source.text, file->source.length,
                             &triangles, error));
    return take_triangles(file, &triangles);
}

// heights, or points of two or three numbers
static carom_status read_rows(shape_file *file, carom_error *error)
{
    carom_heights rows = {0};
    CAROM_TRY(carom_heights_read(file->arena, file->source.name, file->source.text,
                                 file->source.length, &rows, error));
    const int n = rows.n_column;
    if (file->is_field) {
        *file->points = (carom_shape_points){
            .n_point = rows.n_row * n, .point = rows.height, .n_row = rows.n_row, .n_column = n};
        return CAROM_OK;
    }
    if (n != 2 && n != 3)
        return carom_fail_at(error, (carom_place){file->source.name, 1, 1}, CAROM_BAD_INPUT,
                             "a point has two or three numbers, not %d", n);
    double *point = CAROM_TAKE(file->arena, double, 3 * rows.n_row);
    if (!point) return no_memory(error);
    for (int i = 0; i < rows.n_row; i++)
        for (int k = 0; k < n; k++) point[3 * i + k] = rows.height[n * i + k];
    *file->points = (carom_shape_points){.n_point = rows.n_row, .point = point};
    return CAROM_OK;
}

static bool is_one_of(const char *kind, const char *const *known)
{
    while (*known && strcmp(*known, kind) != 0) known++;
    return *known != NULL;
}

static bool ends(const char *path, const char *lower, const char *upper)
{
    return carom_text_ends(path, lower) || carom_text_ends(path, upper);
}

// what a kind of shape reads
static file_reader *find_reader(const char *kind, const char *path, const char **formats)
{
    static const char *const of_faces[] = {"mesh", "hull", NULL};
    static const char *const of_rows[] = {"height_field", "hull", "curve", "polygon", NULL};
    const bool faces = is_one_of(kind, of_faces), rows = is_one_of(kind, of_rows);
    *formats = faces && rows ? "OBJ, STL or CSV" : faces ? "OBJ or STL" : rows ? "CSV" : "no";
    if (faces && ends(path, ".obj", ".OBJ")) return read_obj;
    if (faces && ends(path, ".stl", ".STL")) return read_stl;
    return rows && ends(path, ".csv", ".CSV") ? read_rows : NULL;
}

carom_status carom_shape_file_read(carom_modelfile *file, carom_text kind, carom_text path,
                                   const carom_shape_points **points, carom_error *error)
{
    const char *formats;
    carom_found found;
    shape_file one = {.arena = file->arena, .is_field = strcmp(kind.text, "height_field") == 0};
    file_reader *read = find_reader(kind.text, path.text, &formats);
    if (!read)
        return carom_fail_at(error, path.place, CAROM_BAD_INPUT,
                             "a %.40s reads %s files, not '%.100s'", kind.text, formats, path.text);
    CAROM_TRY(carom_allowed_find(file->arena, &file->access, file->origin, path, &found, error));
    CAROM_TRY(carom_allowed_load(file->arena, &found, CAROM_SOURCE_TABLE, file->access.limits,
                                 &one.source, error));
    one.source.name = found.origin.name;
    one.points = CAROM_TAKE(file->arena, carom_shape_points, 1);
    if (!one.points) return no_memory(error);
    CAROM_TRY(read(&one, error));
    *points = one.points;
    return CAROM_OK;
}
