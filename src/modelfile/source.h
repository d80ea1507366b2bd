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

/// Reads a file, up to limits->table_bytes of a table (which must be an ordinary file), else
/// up to limits->model_bytes.
carom_status carom_source_load(carom_arena *arena, const char *path, bool is_table,
                               const carom_limits *limits, carom_source *source,
                               carom_error *error);
/// Copies a text of up to limits->model_bytes, and the name that source has already (NULL: "text").
carom_status carom_source_copy(carom_arena *arena, const char *text, size_t length,
                               const carom_limits *limits, carom_source *source,
                               carom_error *error);
/// Refuses what is not UTF-8 text: NUL and other control characters, wrong bytes.
carom_status carom_source_check(const carom_source *source, carom_error *error);

#endif
