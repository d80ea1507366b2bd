// SPDX-License-Identifier: Apache-2.0
// Drawings: each entry has one kind with its points, and a radius or width.
#include "modelfile/reader.h"

// one row for each kind: its name, the least and most points (0 = any number), how it is written
// clang-format off
#define SHAPES(row)                                                                                \
    row("line", 2, 2, "line: [[0, 0], [x, y]]")                                                    \
    row("polyline", 2, 0, "polyline: [[0, 0], [x, y], [1, 0]]")                                    \
    row("disc", 1, 1, "disc: [x, y]")                                                              \
    row("polygon", 3, 0, "polygon: [[0, 0], [x, y], [1, 0]]")                                      \
    row("spring", 2, 2, "spring: [[0, 0], [x, y]]")                                                \
    row("arrow", 2, 2, "arrow: [[0, 0], [x, y]]")
// clang-format on

typedef struct shape {
    const char *kind;
    int least, most;
    const char *example;
} shape;

#define SHAPE(kind, least, most, example) {kind, least, most, example},
#define FIELD(kind, least, most, example) {kind, CAROM_FIELD_LIST, false, example},
static const shape shapes[] = {SHAPES(SHAPE)};
enum { N_SHAPE = sizeof shapes / sizeof shapes[0], RADIUS = N_SHAPE, WIDTH, FOR };

// the kinds, in the order of `shapes`, then what goes with them
static const carom_field field[] = {
    SHAPES(FIELD){"radius", CAROM_FIELD_TEXT, false, "radius: 0.05"},
    {"width", CAROM_FIELD_TEXT, false, "width: 0.05"},
    {"for", CAROM_FIELD_MAPPING, false, "for: {i: 1..n}"},
    {.kind = CAROM_FIELD_END},
};

static carom_status read_point(const carom_node *node, carom_text *xy, carom_error *error)
{
    int n = 0;
    if (node->kind != CAROM_NODE_LIST || node->n != 2)
        return carom_fail_at(error, node->place, CAROM_BAD_INPUT,
                             "a point must be a pair of expressions (write [x, y])");
    return carom_fields_texts(node, 2, xy, &n, error);
}

static carom_status read_points(carom_modelfile *file, const carom_node *node, const shape *as,
                                carom_drawing_text *drawing, carom_error *error)
{
    // a single point may stand without its outer brackets
    const bool is_point = node->n == 2 && node->first->kind == CAROM_NODE_TEXT;
    const int n = is_point ? 1 : node->n;
    if (n < as->least || (as->most && n > as->most))
        return carom_fail_at(
            error, node->place, CAROM_BAD_INPUT, "'%s' has %d point%s, but needs %s%d (write %s)",
            as->kind, n, n == 1 ? "" : "s", as->most ? "" : "at least ", as->least, as->example);
    carom_text *xy = CAROM_TAKE(file->arena, carom_text, 2 * n);
    if (!xy) return carom_fail(error, CAROM_NO_MEMORY, "memory ran out while reading a drawing");
    drawing->xy = xy;
    drawing->n_point = n;
    if (is_point) return read_point(node, xy, error);
    for (const carom_node *point = node->first; point; point = point->next, xy += 2)
        CAROM_TRY(read_point(point, xy, error));
    return CAROM_OK;
}

static carom_status find_shape(const carom_node *node, const carom_node *const *value, int *which,
                               carom_error *error)
{
    *which = -1;
    for (int i = 0; i < N_SHAPE; i++) {
        if (!value[i]) continue;
        if (*which >= 0)
            return carom_fail_at(error, value[i]->key->place, CAROM_BAD_INPUT,
                                 "a drawing has one kind, not both '%s' and '%s' (use two entries)",
                                 shapes[*which].kind, shapes[i].kind);
        *which = i;
    }
    if (*which >= 0) return CAROM_OK;
    return carom_fail_at(error, node->place, CAROM_BAD_INPUT,
                         "a drawing needs one of line, polyline, disc, polygon, spring, arrow "
                         "(write {line: [[0, 0], [x, y]]})");
}

static carom_status read_drawing(carom_modelfile *file, const carom_node *node, carom_error *error)
{
    const carom_node *value[CAROM_MOST_FIELDS];
    int which;
    CAROM_TRY(carom_fields_read(node, "a drawing", field, value, error));
    CAROM_TRY(find_shape(node, value, &which, error));
    if (value[RADIUS] && value[WIDTH])
        return carom_fail_at(error, value[WIDTH]->key->place, CAROM_BAD_INPUT,
                             "a drawing has either 'radius' or 'width', not both");
    const carom_node *size = value[RADIUS] ? value[RADIUS] : value[WIDTH];
    carom_drawing_text drawing = {.place = node->place, .kind = carom_fields_key(value[which])};
    const bool is_disc = shapes[which].most == 1;
    if (is_disc && !value[RADIUS])
        return carom_fail_at(error, node->place, CAROM_BAD_INPUT,
                             "a disc needs 'radius' (write {disc: [x, y], radius: 0.05})");
    if (!is_disc && value[RADIUS])
        return carom_fail_at(error, value[RADIUS]->key->place, CAROM_BAD_INPUT,
                             "'radius' belongs to a disc; use 'width'");
    CAROM_TRY(carom_fields_text(size, "an expression", &drawing.size, error));
    CAROM_TRY(read_points(file, value[which], &shapes[which], &drawing, error));
    CAROM_TRY(carom_fields_family(file->arena, value[FOR], &drawing.family, error));
    return carom_builder_drawing(file->builder, &drawing, error);
}

carom_status carom_read_draw(carom_modelfile *file, const carom_node *node, carom_error *error)
{
    return carom_read_each(file, node, "draw: [{line: [[0, 0], [x, y]]}]", read_drawing, error);
}
