// SPDX-License-Identifier: Apache-2.0
// Any bytes as OBJ, STL or a table of heights (the first byte chooses): read, made a shape,
// weighed, shown, and met by a box, without a crash or a hang. For libFuzzer.
#include "shapes/mesh/mesh.h"

#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const carom_placement origin = {.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};

static carom_status read_bytes(carom_arena *arena, const char *text, size_t size, char kind,
                               carom_shape_given *given, carom_error *error)
{
    if (kind == 'h') {
        carom_heights heights;
        CAROM_TRY(carom_heights_read(arena, "x", text, size, &heights, error));
        given->kind = "height_field";
        given->size[0] = given->size[1] = 2;
        given->n_row = heights.n_row;
        given->n_column = heights.n_column;
        given->n_point = heights.n_row * heights.n_column;
        given->point = heights.height;
        return CAROM_OK;
    }
    carom_triangles t;
    CAROM_TRY(kind == 's' ? carom_stl_read(arena, "x", text, size, &t, error)
                          : carom_obj_read(arena, "x", text, size, &t, error));
    given->kind = "mesh";
    given->n_point = t.n_point;
    given->point = t.point;
    given->n_face = t.n_face;
    given->face = t.face;
    return CAROM_OK;
}

static void use(carom_arena *arena, const carom_shape *shape)
{
    carom_shape *box;
    carom_shape_mass mass;
    carom_shape_look look;
    carom_feature feature[8];
    carom_error error = {0};
    const carom_shape_given given = {.kind = "box", .dim = 3, .place = origin, .size = {1, 1, 1}};
    if (carom_shape_new(arena, &given, &box, &error) != CAROM_OK) abort();
    carom_shape_weigh(shape, 1, &mass);
    if (carom_shape_show(shape, 1, 0.1, arena, &look) && look.n_triangle < 1) abort();
    carom_shapes_meet((carom_posed){box, &origin}, (carom_posed){shape, &origin}, 0.1, feature, 8);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 1) return 0;
    carom_arena *arena = carom_arena_new();
    if (!arena) return 0;
    carom_shape_given given = {.dim = 3, .place = origin};
    carom_shape *shape = NULL;
    carom_error error = {0};
    carom_status status =
        read_bytes(arena, (const char *)data + 1, size - 1, (char)data[0], &given, &error);
    if (status == CAROM_OK) status = carom_shape_new(arena, &given, &shape, &error);
    if (status == CAROM_OK)
        use(arena, shape);
    else if (error.status != status || !error.message[0])
        abort();
    carom_arena_free(arena);
    return 0;
}
