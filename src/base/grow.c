// SPDX-License-Identifier: Apache-2.0
// Arrays from the heap that grow: realloc that keeps the old array where memory runs out.
#include "base/grow.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

bool carom_grow(void *array, size_t size, size_t n)
{
    void *old;
    if (n > SIZE_MAX / size) return false;
    memcpy(&old, array, sizeof old);
    void *bigger = realloc(old, size * (n > 0 ? n : 1));
    if (bigger) memcpy(array, &bigger, sizeof bigger);
    return bigger != NULL;
}
