// SPDX-License-Identifier: Apache-2.0
// A hash table (FNV-1a) that is at most half full; its size is a power of two.
#include "base/dictionary.h"

#include <stdint.h>
#include <string.h>

static size_t hash_name(const char *text, size_t length)
{
    uint64_t h = 1469598103934665603u;
    for (size_t i = 0; i < length; i++) h = (h ^ (unsigned char)text[i]) * 1099511628211u;
    return (size_t)(h ^ h >> 32);
}

// the place where a name stands or would stand
static carom_word *place_of(const carom_dictionary *d, const char *text, size_t length)
{
    size_t i = hash_name(text, length) & (d->room - 1);
    while (d->word[i].text &&
           (d->word[i].length != length || memcmp(d->word[i].text, text, length) != 0))
        i = (i + 1) & (d->room - 1);
    return &d->word[i];
}

static bool make_room(carom_dictionary *d, carom_arena *arena)
{
    if (2 * (d->n + 1) <= d->room) return true;
    carom_dictionary larger = {.n = d->n, .room = d->room ? 2 * d->room : 16};
    larger.word = carom_arena_take(arena, larger.room * sizeof *larger.word);
    if (!larger.word) return false;
    for (size_t i = 0; i < d->room; i++)
        if (d->word[i].text) *place_of(&larger, d->word[i].text, d->word[i].length) = d->word[i];
    *d = larger;
    return true;
}

const void *carom_dictionary_find(const carom_dictionary *dictionary, const char *text,
                                  size_t length)
{
    return dictionary->room ? place_of(dictionary, text, length)->meaning : NULL;
}

bool carom_dictionary_put(carom_dictionary *dictionary, carom_arena *arena, const char *text,
                          size_t length, const void *meaning)
{
    if (!make_room(dictionary, arena)) return false;
    carom_word *place = place_of(dictionary, text, length);
    if (!place->text) dictionary->n++;
    *place = (carom_word){text, length, meaning};
    return true;
}
