// SPDX-License-Identifier: Apache-2.0
// Start values in a file of their own: one mapping of names to values.
#include "base/limits.h"
#include "base/need.h"
#include "modelfile/fields.h"
#include "modelfile/reader.h"

static const char example[] = "th1: 0.5";

static carom_status read_values(const carom_node *root, const char *path, carom_builder *builder,
                                carom_error *error)
{
    if (!root || root->is_missing || root->kind != CAROM_NODE_MAPPING)
        return carom_fail_at(error, root ? root->place : (carom_place){path, 1, 1}, CAROM_BAD_INPUT,
                             "a file of start values has a name and a value in each line (%s)",
                             example);
    for (const carom_node *entry = root->first; entry; entry = entry->next) {
        carom_text value;
        CAROM_TRY(carom_fields_text(entry, example, &value, error));
        CAROM_TRY(carom_builder_start(builder, carom_fields_key(entry), value, error));
    }
    return CAROM_OK;
}

carom_status carom_start_file_read(const char *path, const carom_limits *limits,
                                   carom_builder *builder, carom_error *error)
{
    CAROM_NEED(error, path);
    CAROM_NEED(error, builder);
    carom_source source = {0};
    const carom_node *root = NULL;
    carom_arena *arena = carom_arena_new();
    if (!arena) return carom_fail(error, CAROM_NO_MEMORY, "memory ran out while reading a start");
    carom_status status = carom_source_load(arena, path, CAROM_SOURCE_MODEL,
                                            carom_limits_or_default(limits), &source, error);
    if (status == CAROM_OK) status = carom_document_parse(arena, &source, &root, error);
    if (status == CAROM_OK) status = read_values(root, path, builder, error);
    carom_arena_free(arena);
    return status;
}
