// SPDX-License-Identifier: Apache-2.0
// Mappings with known keys: one row for each, from which unknown keys, missing keys and wrong types
// are found and explained.
#ifndef CAROM_MODELFILE_FIELDS_H
#define CAROM_MODELFILE_FIELDS_H

#include "carom/model.h"
#include "modelfile/document.h"

typedef enum carom_field_kind {
    CAROM_FIELD_TEXT,     ///< an expression or a word
    CAROM_FIELD_TEXTS,    ///< one text or a list of texts
    CAROM_FIELD_LIST,     ///< a list
    CAROM_FIELD_MAPPING,  ///< a mapping
    CAROM_FIELD_ANY,      ///< the reader of the key looks for itself
    CAROM_FIELD_RESERVED, ///< known, but not yet supported
    CAROM_FIELD_END       ///< closes the rows
} carom_field_kind;

typedef struct carom_field {
    const char *key;
    carom_field_kind kind;
    bool is_required;
    const char *example; ///< "gap: y - r"
} carom_field;

enum { CAROM_MOST_FIELDS = 40 };

/// Sorts the entries of a mapping by row: value[i] is the node under row i's key, or NULL.
/// owner ("a contact") stands in messages, example shows a whole mapping.
carom_status carom_fields_read(const carom_node *node, const char *owner, const carom_field *field,
                               const carom_node **value, carom_error *error);

/// A node that must be a text and hold something; NULL gives an absent text.
carom_status carom_fields_text(const carom_node *node, const char *example, carom_text *text,
                               carom_error *error);
/// One text or a list of 1 to most texts.
carom_status carom_fields_texts(const carom_node *node, int most, carom_text *text, int *n,
                                carom_error *error);
/// Refuses a node that is not of the kind wanted, saying what is expected.
carom_status carom_fields_kind(const carom_node *node, carom_node_kind kind, const char *example,
                               carom_error *error);
/// The key of an entry as a text with its place.
carom_text carom_fields_key(const carom_node *node);
/// The value of a `for` key (NULL = no family).
carom_status carom_fields_family(carom_arena *arena, const carom_node *node, carom_family *family,
                                 carom_error *error);

#endif
