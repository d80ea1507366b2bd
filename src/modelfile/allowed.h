// SPDX-License-Identifier: Apache-2.0
// Which files a model may name, and what they are called in messages.
#ifndef CAROM_MODELFILE_ALLOWED_H
#define CAROM_MODELFILE_ALLOWED_H

#include "carom/limits.h"
#include "modelfile/source.h"

/// A file that names others: a model, or one that it includes.
typedef struct carom_origin {
    const char *top;  ///< the model's own file, below whose folder everything may be read
    const char *name; ///< as messages show it: "models/cart.yaml", "carom:wheel.yaml"
    bool is_part;     ///< installed: what it names is installed too
} carom_origin;

/// A file that was found.
typedef struct carom_found {
    carom_origin origin;
    const char *path; ///< the real one, links followed
    carom_text named; ///< how it was asked for
} carom_found;

/// Finds a file that `from` names, seen from its folder: below the folder of the model, below a
/// folder that was allowed, or by "carom:NAME" a part that is installed. What lies elsewhere is
/// refused, with the way out.
carom_status carom_allowed_find(carom_arena *arena, const carom_access *access,
                                const carom_origin *from, carom_text named, carom_found *found,
                                carom_error *error);
/// Reads it; errors are said where it is named.
carom_status carom_allowed_load(carom_arena *arena, const carom_found *found,
                                carom_source_kind kind, const carom_limits *limits,
                                carom_source *source, carom_error *error);

#endif
