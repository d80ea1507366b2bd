// SPDX-License-Identifier: Apache-2.0
// An order that fills little, with or without SuiteSparse.
#include "math/sparse/order.h"

#ifdef CAROM_HAS_SPARSE
#include <amd.h>

bool carom_order(int n, const int *start, const int *index, int *order)
{
    return amd_order(n, start, index, order, NULL, NULL) >= AMD_OK;
}

#else
#include "math/band/band_order.h"

#include <stdlib.h>

bool carom_order(int n, const int *start, const int *index, int *order)
{
    int *place = malloc(sizeof *place * ((size_t)n + 1));
    const bool is_found = place && carom_band_order(n, start, index, n, place) >= 0;
    for (int i = 0; is_found && i < n; i++) order[place[i]] = i;
    free(place);
    return is_found;
}

#endif
