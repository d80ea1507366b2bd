// SPDX-License-Identifier: Apache-2.0
// JSON, read front to back: a callback sees every text, number, true, false and null.
#ifndef CAROM_BASE_JSON_TEXT_H
#define CAROM_BASE_JSON_TEXT_H

#include "carom/base.h"

enum { CAROM_JSON_LEVELS = 8 };

/// Where a value stands. keys[0] is that of the outermost object; "" inside an array.
typedef struct carom_json_value {
    const char *text; ///< a text without its quotes and escapes, or the word as it stands
    bool is_text;
    int depth; ///< brackets around it
    const char *key[CAROM_JSON_LEVELS];
    long index[CAROM_JSON_LEVELS]; ///< in an array, from 0; in an object 0
} carom_json_value;

typedef struct carom_json_visitor {
    void *self;
    /// false: enough seen, or memory ran out.
    bool (*value)(void *self, const carom_json_value *value);
} carom_json_visitor;

/// Reads text, which is written over. False where it is no JSON, is nested more deeply than
/// CAROM_JSON_LEVELS, or the visitor stopped.
bool carom_json_walk(char *text, carom_json_visitor visitor);

#endif
