// SPDX-License-Identifier: Apache-2.0
// A YAML document as a tree of nodes, each with its exact place. Only what model files need: one
// document, no aliases, anchors, tags or merge keys, keys are texts and occur once.
#ifndef CAROM_MODELFILE_DOCUMENT_H
#define CAROM_MODELFILE_DOCUMENT_H

#include "modelfile/source.h"

typedef enum carom_node_kind {
    CAROM_NODE_TEXT,
    CAROM_NODE_LIST,
    CAROM_NODE_MAPPING
} carom_node_kind;

typedef struct carom_node carom_node;
struct carom_node {
    carom_node_kind kind;
    carom_place place;     ///< of the first character, after an opening quote
    const char *text;      ///< of a text, lines folded as YAML has it
    const char *written;   ///< of a text, as it stands in the file, for exact places in equations
    const carom_node *key; ///< under which it stands in a mapping, NULL in a list
    bool is_missing;       ///< nothing was written
    bool is_flow;          ///< inside { } or [ ]
    int n;                 ///< children
    carom_node *first, *next;
};

/// Parses; the tree lives in the arena. *root is NULL where the text holds nothing.
carom_status carom_document_parse(carom_arena *arena, const carom_source *source,
                                  const carom_node **root, carom_error *error);

#endif
