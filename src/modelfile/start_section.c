// SPDX-License-Identifier: Apache-2.0
// What is found of the start: start: {positions: assemble, velocities: assemble, keep: [crank]}.
#include "modelfile/fields.h"
#include "modelfile/reader.h"

#include <string.h>

enum { POSITIONS, VELOCITIES, KEEP, MOST_KEPT = 256 };
static const carom_field field[] = {
    {"positions", CAROM_FIELD_TEXT, false, "positions: assemble"},
    {"velocities", CAROM_FIELD_TEXT, false, "velocities: assemble"},
    {"keep", CAROM_FIELD_TEXTS, false, "keep: [crank, th1]"},
    {NULL, CAROM_FIELD_END, false, NULL},
};

static carom_status read_wish(carom_modelfile *file, const carom_node *node, int i, unsigned what,
                              carom_error *error)
{
    carom_text text;
    if (!node) return CAROM_OK;
    CAROM_TRY(carom_fields_text(node, field[i].example, &text, error));
    if (strcmp(text.text, "assemble") == 0)
        return carom_builder_assemble(file->builder, what, error);
    return carom_fail_at(error, text.place, CAROM_BAD_INPUT,
                         "'%s' of the start is 'assemble' or left out, not '%.60s' (values stand "
                         "with the coordinates and bodies)",
                         field[i].key, text.text);
}

carom_status carom_read_start(carom_modelfile *file, const carom_node *node, carom_error *error)
{
    const carom_node *value[CAROM_MOST_FIELDS];
    carom_text kept[MOST_KEPT];
    int n = 0;
    CAROM_TRY(carom_fields_kind(node, CAROM_NODE_MAPPING,
                                "start: {positions: assemble, keep: [crank]}", error));
    CAROM_TRY(carom_fields_read(node, "start", field, value, error));
    CAROM_TRY(read_wish(file, value[POSITIONS], POSITIONS, CAROM_ASSEMBLE_POSITIONS, error));
    CAROM_TRY(read_wish(file, value[VELOCITIES], VELOCITIES, CAROM_ASSEMBLE_VELOCITIES, error));
    if (value[KEEP]) CAROM_TRY(carom_fields_texts(value[KEEP], MOST_KEPT, kept, &n, error));
    for (int i = 0; i < n; i++) CAROM_TRY(carom_builder_keep(file->builder, kept[i], error));
    return CAROM_OK;
}
