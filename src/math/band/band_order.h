// SPDX-License-Identifier: Apache-2.0
// An order of unknowns in which a sparse pattern is a narrow band.
#ifndef CAROM_MATH_BAND_ORDER_H
#define CAROM_MATH_BAND_ORDER_H

#include "base/arena.h"

#include <stdbool.h>

/// What each unknown has an entry with, in its row or its column, without itself: list[first[i]] ..
/// list[first[i + 1] - 1], some of them twice. From the arena; false without memory.
bool carom_band_neighbours(carom_arena *arena, int n, const int *start, const int *index,
                           int **first, int **list);
/// Finds the place of each unknown (n) for the pattern by columns and its transpose. Returns how
/// far entries are from the diagonal then, or -1 where that is more than most, or without memory.
int carom_band_order(int n, const int *start, const int *index, int most, int *place);

#endif
