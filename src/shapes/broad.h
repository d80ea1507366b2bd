// SPDX-License-Identifier: Apache-2.0
// Which of many moving boxes overlap: pairs of numbers, sorted. Nothing but the boxes decides what
// the answer is and in which order.
#ifndef CAROM_SHAPES_BROAD_H
#define CAROM_SHAPES_BROAD_H

#include "shapes/bvh.h"

typedef struct carom_near_pair {
    int i, j; ///< i < j
} carom_near_pair;

typedef struct carom_broad carom_broad;

/// Holds the memory, which grows to the largest scene met; NULL without memory.
carom_broad *carom_broad_new(void);
void carom_broad_free(carom_broad *broad);
/// Finds all pairs of n boxes that overlap (ends included), sorted by i, then j; borrowed until
/// the next call. Boxes without an end on some side are looked at one by one. group (n, may be
/// NULL): those of one group make no pairs, as shapes of one body. Returns how many pairs there
/// are, -1 where memory runs out.
int carom_broad_find(carom_broad *broad, const carom_box *box, const int *group, int n,
                     const carom_near_pair **pair);

#endif
