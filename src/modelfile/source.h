// SPDX-License-Identifier: Apache-2.0
// Files as text: read whole, checked to be text before any parser sees them.
#ifndef CAROM_MODELFILE_SOURCE_H
#define CAROM_MODELFILE_SOURCE_H

#include "base/arena.h"
#include "base/limits.h"
#include "carom/base.h"

/// A text in memory; name stands in messages. text is ended by 0 and has no byte order mark.
typedef struct carom_source {
    const char *name;
    const char *text;
    size_t length;
} carom_source;

/// What is read, up to limits->model_bytes, or of a table up to limits->table_bytes. What a model
/// names, parts and tables, must be an ordinary file.
typedef enum carom_source_kind {
    CAROM_SOURCE_MODEL,
    CAROM_SOURCE_PART,
    CAROM_SOURCE_TABLE
} carom_source_kind;
carom_status carom_source_load(carom_arena *arena, const char *path, carom_source_kind kind,
                               const carom_limits *limits, carom_source *source,
                               carom_error *error);
/// Copies a text of up to limits->model_bytes, and the name that source has already (NULL: "text").
carom_status carom_source_copy(carom_arena *arena, const char *text, size_t length,
                               const carom_limits *limits, carom_source *source,
                               carom_error *error);
/// Refuses what is not UTF-8 text: NUL and other control characters, wrong bytes.
carom_status carom_source_check(const carom_source *source, carom_error *error);

#endif
