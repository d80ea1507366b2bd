// SPDX-License-Identifier: Apache-2.0
// Lists that grow in an arena: a full list moves to twice the room.
#include "base/list.h"

#include <string.h>

void *carom_list_add(carom_arena *arena, void *item, int *n, int *room, size_t size)
{
    char *first; // copied in and out, because item may be the address of a pointer to any type
    memcpy(&first, item, sizeof first);
    if (*n == *room) {
        const int more = *room ? 2 * *room : 8;
        char *larger = carom_arena_take(arena, (size_t)more * size);
        if (!larger) return NULL;
        if (*n) memcpy(larger, first, (size_t)*n * size);
        memcpy(item, &larger, sizeof larger);
        first = larger;
        *room = more;
    }
    return memset(first + (size_t)(*n)++ * size, 0, size);
}
