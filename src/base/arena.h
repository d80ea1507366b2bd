// SPDX-License-Identifier: Apache-2.0
// Memory that is taken piece by piece and given back all at once.
#ifndef CAROM_BASE_ARENA_H
#define CAROM_BASE_ARENA_H

#include <stddef.h>

typedef struct carom_arena carom_arena;

/// An empty arena, or NULL.
carom_arena *carom_arena_new(void);
void carom_arena_free(carom_arena *arena);
/// Gives all pieces back, for others to be taken.
void carom_arena_clear(carom_arena *arena);
/// size bytes set to zero, aligned for any type; NULL where memory runs out
/// (the arena stays usable).
void *carom_arena_take(carom_arena *arena, size_t size);
/// n things of one type, set to zero; n <= 0 gives a valid pointer to nothing.
#define CAROM_TAKE(arena, type, n)                                                                 \
    ((type *)carom_arena_take((arena), sizeof(type) * (size_t)((n) > 0 ? (n) : 1)))
/// A copy of the first length bytes of text, ended by 0. NULL text gives NULL.
char *carom_arena_copy(carom_arena *arena, const char *text, size_t length);
/// A copy of the whole text.
char *carom_arena_string(carom_arena *arena, const char *text);
/// A formatted text.
char *carom_arena_format(carom_arena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
