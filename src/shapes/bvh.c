// SPDX-License-Identifier: Apache-2.0
// Binary tree of boxes: cut at the median of the centres along the longest side of what they span,
// until a few are left. Nodes stand in the order of a walk, each with the number of the node that
// follows where its boxes are skipped: to ask is one loop without a stack.
#include "shapes/bvh.h"

#include <math.h>

enum { N_LEAF = 4 };

typedef struct carom_bvh_node {
    carom_box box;
    int skip;     ///< the next node that is not below this one
    int first, n; ///< of a leaf: its places in item; n = 0 of others
} carom_bvh_node;

struct carom_bvh {
    int n_node;
    carom_bvh_node *node;
    carom_box *box; ///< in the order of item
    int *item;      ///< numbers of the boxes
};

static double find_centre(const carom_box *box, int axis)
{
    return 0.5 * box->lower[axis] + 0.5 * box->upper[axis];
}

static void add_box(carom_box *all, const carom_box *box)
{
    for (int k = 0; k < 3; k++) {
        all->lower[k] = fmin(all->lower[k], box->lower[k]);
        all->upper[k] = fmax(all->upper[k], box->upper[k]);
    }
}

static carom_box surround(const carom_box *box, const int *item, int n)
{
    carom_box all = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    for (int i = 0; i < n; i++) add_box(&all, box + item[i]);
    return all;
}

/// The axis along which the centres lie farthest apart.
static int choose_axis(const carom_box *box, const int *item, int n)
{
    double most = -1;
    int axis = 0;
    for (int k = 0; k < 3; k++) {
        double low = INFINITY, high = -INFINITY;
        for (int i = 0; i < n; i++) {
            low = fmin(low, find_centre(box + item[i], k));
            high = fmax(high, find_centre(box + item[i], k));
        }
        if (high - low > most) {
            most = high - low;
            axis = k;
        }
    }
    return axis;
}

static bool is_before(const carom_box *box, int axis, int i, int j)
{
    const double x = find_centre(box + i, axis), y = find_centre(box + j, axis);
    return x < y || (x == y && i < j);
}

/// Partly sorts n items: those before place `half` are before it, the others are not.
static void halve(const carom_box *box, int axis, int *item, int n, int half)
{
    int low = 0, high = n - 1;
    while (low < high) {
        const int pivot = item[low + (high - low) / 2];
        int i = low, j = high;
        while (i <= j) {
            while (is_before(box, axis, item[i], pivot)) i++;
            while (is_before(box, axis, pivot, item[j])) j--;
            if (i > j) break;
            const int keep = item[i];
            item[i++] = item[j];
            item[j--] = keep;
        }
        if (half <= j)
            high = j;
        else if (half >= i)
            low = i;
        else
            return;
    }
}

static void build(carom_bvh *bvh, const carom_box *box, int first, int n)
{
    const int here = bvh->n_node++;
    int *item = bvh->item + first;
    carom_bvh_node *node = bvh->node + here;
    node->box = surround(box, item, n);
    if (n <= N_LEAF) {
        node->first = first;
        node->n = n;
    } else {
        halve(box, choose_axis(box, item, n), item, n, n / 2);
        build(bvh, box, first, n / 2);
        build(bvh, box, first + n / 2, n - n / 2);
    }
    node->skip = bvh->n_node;
}

carom_bvh *carom_bvh_new(carom_arena *arena, const carom_box *box, int n)
{
    carom_bvh *bvh = CAROM_TAKE(arena, carom_bvh, 1);
    if (!bvh) return NULL;
    bvh->node = CAROM_TAKE(arena, carom_bvh_node, n > 0 ? 2 * (size_t)n : 1);
    bvh->box = CAROM_TAKE(arena, carom_box, n);
    bvh->item = CAROM_TAKE(arena, int, n);
    if (!bvh->node || !bvh->box || !bvh->item) return NULL;
    for (int i = 0; i < n; i++) bvh->item[i] = i;
    build(bvh, box, 0, n);
    for (int i = 0; i < n; i++) bvh->box[i] = box[bvh->item[i]];
    return bvh;
}

void carom_bvh_visit(const carom_bvh *bvh, const carom_box *box,
                     void (*visit)(void *context, int number), void *context)
{
    for (int i = 0; i < bvh->n_node;) {
        const carom_bvh_node *node = bvh->node + i;
        if (!carom_box_overlaps(&node->box, box)) {
            i = node->skip;
            continue;
        }
        for (int k = node->first; k < node->first + node->n; k++)
            if (carom_box_overlaps(bvh->box + k, box)) visit(context, bvh->item[k]);
        i++;
    }
}

carom_box carom_bvh_all(const carom_bvh *bvh)
{
    return bvh->node[0].box;
}
