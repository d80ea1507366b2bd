// SPDX-License-Identifier: Apache-2.0
// Names and what they stand for, in an arena: found in the same time however many there are.
#ifndef CAROM_BASE_DICTIONARY_H
#define CAROM_BASE_DICTIONARY_H

#include "base/arena.h"

#include <stdbool.h>

/// One name: the caller's text, which need not end where the name ends.
typedef struct carom_word {
    const char *text;
    size_t length;
    const void *meaning;
} carom_word;

/// Zeroed = empty.
typedef struct carom_dictionary {
    carom_word *word; // hashed: a name stands at its hash or in one of the next places
    size_t n, room;
} carom_dictionary;

/// The meaning of a name; NULL where it is not known.
const void *carom_dictionary_find(const carom_dictionary *dictionary, const char *text,
                                  size_t length);
/// Gives a name its meaning, in place of the one it had; false where memory runs out.
bool carom_dictionary_put(carom_dictionary *dictionary, carom_arena *arena, const char *text,
                          size_t length, const void *meaning);

#endif
