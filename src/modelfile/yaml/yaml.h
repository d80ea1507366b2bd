// SPDX-License-Identifier: Apache-2.0
// What a YAML parser tells, one thing after the other. document.c makes the tree from it and has
// all rules, so that they are the same with any parser: libfyaml (yaml_fyaml.c), or the one of the
// page that the library runs in (yaml_browser.c).
#ifndef CAROM_MODELFILE_YAML_H
#define CAROM_MODELFILE_YAML_H

#include "modelfile/source.h"

typedef enum carom_yaml_kind {
    CAROM_YAML_OTHER, ///< starts and ends of stream and document, but for
    CAROM_YAML_STREAM_END,
    CAROM_YAML_TEXT,
    CAROM_YAML_LIST,
    CAROM_YAML_MAPPING,
    CAROM_YAML_LIST_END,
    CAROM_YAML_MAPPING_END,
    CAROM_YAML_MARK, ///< an alias, or the anchor or tag of what would come
    CAROM_YAML_WRONG ///< not valid; the last one
} carom_yaml_kind;

typedef enum carom_yaml_style {
    CAROM_YAML_PLAIN,
    CAROM_YAML_QUOTED,
    CAROM_YAML_BLOCK
} carom_yaml_style;

typedef struct carom_yaml_event {
    carom_yaml_kind kind;
    bool has_place;   ///< start, line and column are known
    size_t start;     ///< byte of its first character, in quotes behind the opening one
    size_t end;       ///< of a text: the byte behind it, in front of a closing quote; 0 = not known
    int line, column; ///< of its start, from 1; columns count characters
    carom_yaml_style style; ///< of a text
    bool is_flow;           ///< a list in [ ], a mapping in { }
    const char *text; ///< of a text, lines folded, in the arena, or NULL where nothing was written;
                      ///< of what is wrong the parser's words or NULL
    size_t length;    ///< of text
} carom_yaml_event;

typedef struct carom_yaml carom_yaml;
/// Texts of events go to the arena, which lives longer. NULL without memory.
carom_yaml *carom_yaml_new(carom_arena *arena, const carom_source *source);
/// The next event; false where memory runs out.
bool carom_yaml_next(carom_yaml *yaml, carom_yaml_event *event);
void carom_yaml_free(carom_yaml *yaml);

#endif
