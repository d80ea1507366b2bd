// SPDX-License-Identifier: Apache-2.0
// Memory that is taken piece by piece and given back all at once: a chain of chunks, each twice the
// one before. Where addresses are watched (ASan) a poisoned gap follows each piece: a step past the
// end of one array does not silently read the next.
#include "base/arena.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#include <sanitizer/asan_interface.h>
#define IS_WATCHED 1
#endif
#endif
#ifndef IS_WATCHED
#define IS_WATCHED 0
#define ASAN_POISON_MEMORY_REGION(bytes, n) ((void)(bytes), (void)(n))
#define ASAN_UNPOISON_MEMORY_REGION(bytes, n) ((void)(bytes), (void)(n))
#endif

typedef struct chunk {
    struct chunk *before;
    size_t size, used;
    max_align_t bytes[];
} chunk;

struct carom_arena {
    chunk *last;
};

enum { FIRST_CHUNK = 4096, ALIGNMENT = _Alignof(max_align_t), LARGEST_GROWTH = 1 << 24 };
enum { GAP = IS_WATCHED ? 2 * ALIGNMENT : 0 };

carom_arena *carom_arena_new(void)
{
    return calloc(1, sizeof(carom_arena));
}

void carom_arena_free(carom_arena *arena)
{
    if (!arena) return;
    for (chunk *c = arena->last; c;) {
        chunk *before = c->before;
        free(c);
        c = before;
    }
    free(arena);
}

void carom_arena_clear(carom_arena *arena)
{
    chunk *last = arena->last;
    if (!last) return;
    for (chunk *c = last->before; c;) {
        chunk *before = c->before;
        free(c);
        c = before;
    }
    last->before = NULL;
    ASAN_UNPOISON_MEMORY_REGION(last->bytes, last->used);
    memset(last->bytes, 0, last->used);
    last->used = 0;
}

static chunk *add_chunk(carom_arena *arena, size_t size)
{
    size_t room = arena->last ? 2 * arena->last->size : FIRST_CHUNK;
    if (room > LARGEST_GROWTH) room = LARGEST_GROWTH;
    if (room < size) room = size;
    chunk *c = calloc(1, sizeof(chunk) + room);
    if (!c) return NULL;
    c->before = arena->last;
    c->size = room;
    arena->last = c;
    return c;
}

void *carom_arena_take(carom_arena *arena, size_t size)
{
    if (size > SIZE_MAX / 4) return NULL;
    const size_t whole = (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT + GAP;
    chunk *c = arena->last;
    if (!c || c->size - c->used < whole) c = add_chunk(arena, whole);
    if (!c) return NULL;
    char *piece = (char *)c->bytes + c->used;
    c->used += whole;
    if (GAP > 0) ASAN_POISON_MEMORY_REGION(piece + size, whole - size);
    return piece;
}

char *carom_arena_copy(carom_arena *arena, const char *text, size_t length)
{
    if (!text) return NULL;
    char *copy = carom_arena_take(arena, length + 1);
    if (copy) memcpy(copy, text, length);
    return copy;
}

char *carom_arena_string(carom_arena *arena, const char *text)
{
    return text ? carom_arena_copy(arena, text, strlen(text)) : NULL;
}

char *carom_arena_format(carom_arena *arena, const char *format, ...)
{
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    const int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    char *text = length < 0 ? NULL : carom_arena_take(arena, (size_t)length + 1);
    if (text) vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    return text;
}
