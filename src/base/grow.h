// SPDX-License-Identifier: Apache-2.0
// Arrays from the heap that grow.
#ifndef CAROM_BASE_GROW_H
#define CAROM_BASE_GROW_H

#include <stdbool.h>
#include <stddef.h>

/// array is the address of a pointer of any type: grows what it points to to n members of this
/// size. False without memory; the array is then as before.
bool carom_grow(void *array, size_t size, size_t n);

#endif
