// SPDX-License-Identifier: Apache-2.0
// Whether a closed line crosses or touches itself: each edge against those whose boxes overlap.
#include "shapes/flat/outline.h"

#include <math.h>

typedef struct carom_crossing {
    const double *corner;
    int n, edge, other; ///< other: an edge that crosses edge, -1: none
} carom_crossing;

static int find_sign(const double *a, const double *b, const double *c)
{
    const double turn = carom_outline_turn(a, b, c);
    return (turn > 0) - (turn < 0);
}

static void look_at_edge(void *context, int i)
{
    carom_crossing *look = context;
    const int n = look->n, k = look->edge;
    if (i <= k || i == k + 1 || (k == 0 && i == n - 1)) return;
    const double *a = look->corner + 3 * k, *b = look->corner + 3 * ((k + 1) % n);
    const double *c = look->corner + 3 * i, *d = look->corner + 3 * ((i + 1) % n);
    if (find_sign(a, b, c) * find_sign(a, b, d) <= 0 &&
        find_sign(c, d, a) * find_sign(c, d, b) <= 0)
        look->other = i;
}

bool carom_outline_cross(carom_arena *arena, const double *corner, int n, int edge[2])
{
    carom_box *box = CAROM_TAKE(arena, carom_box, n);
    if (!box) return false;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 2; j++) {
            const double x = corner[3 * i + j], y = corner[3 * ((i + 1) % n) + j];
            box[i].lower[j] = fmin(x, y);
            box[i].upper[j] = fmax(x, y);
        }
    const carom_bvh *tree = carom_bvh_new(arena, box, n);
    if (!tree) return false;
    carom_crossing found = {corner, n, 0, -1};
    edge[0] = edge[1] = -1;
    for (int i = 0; i < n && found.other < 0; i++) {
        found.edge = i;
        carom_bvh_visit(tree, box + i, look_at_edge, &found);
    }
    if (found.other < 0) return true;
    edge[0] = found.edge;
    edge[1] = found.other;
    return true;
}
