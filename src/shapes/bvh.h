// SPDX-License-Identifier: Apache-2.0
// Which of many fixed boxes overlap one that asks: a binary tree of boxes around boxes, for parts
// of a shape (triangles of a mesh, parts of a polygon). The answer's order depends on the boxes
// alone.
#ifndef CAROM_SHAPES_BVH_H
#define CAROM_SHAPES_BVH_H

#include "base/arena.h"

#include <stdbool.h>

/// Ends included: boxes that touch overlap. In the plane lower[2] = upper[2] = 0.
typedef struct carom_box {
    double lower[3], upper[3];
} carom_box;

static inline bool carom_box_overlaps(const carom_box *a, const carom_box *b)
{
    return a->lower[0] <= b->upper[0] && b->lower[0] <= a->upper[0] && a->lower[1] <= b->upper[1] &&
           b->lower[1] <= a->upper[1] && a->lower[2] <= b->upper[2] && b->lower[2] <= a->upper[2];
}

typedef struct carom_bvh carom_bvh;

/// A tree over n boxes (copied) in an arena; NULL where memory runs out.
carom_bvh *carom_bvh_new(carom_arena *arena, const carom_box *box, int n);
/// Calls visit for every box that overlaps this one, by its number.
void carom_bvh_visit(const carom_bvh *bvh, const carom_box *box,
                     void (*visit)(void *context, int number), void *context);
/// The box around all.
carom_box carom_bvh_all(const carom_bvh *bvh);

#endif
