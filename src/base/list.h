// SPDX-License-Identifier: Apache-2.0
// Lists that grow in an arena.
#ifndef CAROM_BASE_LIST_H
#define CAROM_BASE_LIST_H

#include "base/arena.h"

#define CAROM_LIST(type)                                                                           \
    struct {                                                                                       \
        type *item;                                                                                \
        int n, room;                                                                               \
    }

/// Room for one more item (set to zero) at the end of a list, counted; NULL where memory runs out.
#define CAROM_LIST_ADD(arena, list)                                                                \
    carom_list_add((arena), &(list)->item, &(list)->n, &(list)->room, sizeof *(list)->item)

/// item is the address of the pointer to the first item.
void *carom_list_add(carom_arena *arena, void *item, int *n, int *room, size_t size);

#endif
