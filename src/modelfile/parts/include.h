// SPDX-License-Identifier: Apache-2.0
// The files that make up a model: its own and those that it includes, in the order in which they
// are merged.
#ifndef CAROM_MODELFILE_INCLUDE_H
#define CAROM_MODELFILE_INCLUDE_H

#include "modelfile/allowed.h"
#include "modelfile/fields.h"

/// One file of a model, with its sections.
typedef struct carom_part carom_part;
struct carom_part {
    carom_origin origin;
    const char *path; ///< the real one; NULL where there is none
    const carom_node *section[CAROM_MOST_FIELDS];
    const carom_node *wanted; ///< the next file that it includes
    carom_part *includer;     ///< NULL for the model's own file
    carom_part *next;         ///< merged after it
    int level;                ///< of includes above it
};

/// Sorts what stands in a file (NULL: nothing) into part->section and finds its first include.
typedef carom_status carom_part_reader(carom_part *part, const carom_node *root,
                                       carom_error *error);

typedef struct carom_include {
    carom_arena *arena;
    const carom_access *access; ///< with limits
    carom_part_reader *read;
} carom_include;

/// Reads the files that the model `top` includes; *first is the first to be merged, the model's own
/// file the last.
carom_status carom_include_all(const carom_include *include, const carom_source *source,
                               carom_part *top, carom_part **first, carom_error *error);

#endif
