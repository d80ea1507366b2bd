// SPDX-License-Identifier: Apache-2.0
// Sections that give names to things: parameters, coordinates, define, record.
#include "modelfile/reader.h"

#include <stdio.h>

carom_status carom_read_parameters(carom_modelfile *file, const carom_node *node,
                                   carom_error *error)
{
    CAROM_TRY(carom_fields_kind(node, CAROM_NODE_MAPPING, "parameters: {m: 1, k: 100}", error));
    for (const carom_node *entry = node->first; entry; entry = entry->next) {
        carom_text value;
        CAROM_TRY(carom_fields_text(entry, "name: number or expression of earlier parameters",
                                    &value, error));
        CAROM_TRY(carom_builder_parameter(file->builder, carom_fields_key(entry), value, error));
    }
    return CAROM_OK;
}

static carom_status read_coordinate(carom_modelfile *file, const carom_node *node,
                                    carom_error *error)
{
    static const carom_field field[] = {
        {"start", CAROM_FIELD_TEXT, false, "start: 1.1"},
        {"rate", CAROM_FIELD_TEXT, false, "rate: 0"},
        {"for", CAROM_FIELD_MAPPING, false, "for: {i: 1..n}"},
        {"unit", CAROM_FIELD_TEXT, false, "unit: rad"},
        {.kind = CAROM_FIELD_END},
    };
    const carom_node *value[CAROM_MOST_FIELDS];
    carom_text start, rate, unit;
    carom_family family;
    CAROM_TRY(carom_fields_kind(node, CAROM_NODE_MAPPING, "name: {start: 1.1, rate: 0}", error));
    CAROM_TRY(carom_fields_read(node, "a coordinate", field, value, error));
    CAROM_TRY(carom_fields_text(value[0], "start: 1.1", &start, error));
    CAROM_TRY(carom_fields_text(value[1], "rate: 0", &rate, error));
    CAROM_TRY(carom_fields_family(file->arena, value[2], &family, error));
    CAROM_TRY(carom_fields_text(value[3], "unit: rad", &unit, error));
    CAROM_TRY(carom_builder_coordinate(file->builder, carom_fields_key(node), &family, start, rate,
                                       error));
    return unit.text ? carom_builder_unit(file->builder, carom_fields_key(node), unit, error)
                     : CAROM_OK;
}

carom_status carom_read_coordinates(carom_modelfile *file, const carom_node *node,
                                    carom_error *error)
{
    CAROM_TRY(carom_fields_kind(node, CAROM_NODE_MAPPING, "coordinates: {x: {start: 1}}", error));
    if (node->n == 0)
        return carom_fail_at(error, node->place, CAROM_BAD_INPUT,
                             "'coordinates' is empty (write coordinates: {x: {start: 1}})");
    for (const carom_node *entry = node->first; entry; entry = entry->next)
        CAROM_TRY(read_coordinate(file, entry, error));
    return CAROM_OK;
}

typedef carom_status naming(carom_builder *builder, carom_text name, const carom_family *family,
                            carom_text value, carom_error *error);

// name: expression, or name[i]: {for: {i: 1..n}, value: expression}
static carom_status read_named(carom_modelfile *file, const carom_node *node, naming *give,
                               carom_error *error)
{
    static const carom_field field[] = {
        {"value", CAROM_FIELD_TEXT, true, "value: expression"},
        {"for", CAROM_FIELD_MAPPING, false, "for: {i: 1..n}"},
        {.kind = CAROM_FIELD_END},
    };
    const carom_node *value[CAROM_MOST_FIELDS] = {node, NULL};
    const char *example = "name: expression, or 'name[i]: {for: {i: 1..n}, value: expression}'";
    char owner[100];
    snprintf(owner, sizeof owner, "'%.80s'", node->key->text);
    carom_text text;
    carom_family family;
    if (node->kind == CAROM_NODE_MAPPING)
        CAROM_TRY(carom_fields_read(node, owner, field, value, error));
    CAROM_TRY(carom_fields_text(value[0], example, &text, error));
    CAROM_TRY(carom_fields_family(file->arena, value[1], &family, error));
    return give(file->builder, carom_fields_key(node), &family, text, error);
}

carom_status carom_read_define(carom_modelfile *file, const carom_node *node, carom_error *error)
{
    CAROM_TRY(carom_fields_kind(node, CAROM_NODE_MAPPING, "define: {y: -l*cos(phi)}", error));
    for (const carom_node *entry = node->first; entry; entry = entry->next)
        CAROM_TRY(read_named(file, entry, carom_builder_define, error));
    return CAROM_OK;
}

carom_status carom_read_record(carom_modelfile *file, const carom_node *node, carom_error *error)
{
    CAROM_TRY(carom_fields_kind(node, CAROM_NODE_MAPPING, "record: {speed: der(x)}", error));
    for (const carom_node *entry = node->first; entry; entry = entry->next)
        CAROM_TRY(read_named(file, entry, carom_builder_record, error));
    return CAROM_OK;
}
