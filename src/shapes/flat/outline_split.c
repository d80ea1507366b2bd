// SPDX-License-Identifier: Apache-2.0
// Cuts an outline into strictly convex parts: triangles by cutting off ears, then seams that are
// not needed are taken out again.
//
//     ear       a corner that turns outwards, with no other corner in its triangle, border included
//     seam out  where the two parts on its sides together are strictly convex at both its ends
//
// That leaves few parts: Hertel and Mehlhorn, Fast triangulation of simple polygons, 1983.
// Strictly: no part has corners in line, so that no two of its edges look the same way. Parts are
// loops of half edges; the two of a seam are twins.
#include "shapes/flat/outline.h"

#include <math.h>

typedef struct carom_half_edge {
    int corner; ///< where it begins
    int next, before;
    int twin; ///< -1: an edge of the outline
    bool is_out;
} carom_half_edge;

typedef struct carom_splitting {
    const carom_shape *shape;
    int n;              ///< corners left in the ring
    int *next, *before; ///< (n_corner) the ring
    int *twin;          ///< (n_corner) half edge behind the ring's edge from this corner, or -1
    int n_edge;
    carom_half_edge *edge;
} carom_splitting;

static const double *find_corner(const carom_splitting *s, int i)
{
    return s->shape->corner + 3 * i;
}

/// Twice the area of a triangle of corners; 0 where they are in line within rounding.
static double find_turn(const carom_splitting *s, int i, int j, int k)
{
    const double *a = find_corner(s, i), *b = find_corner(s, j), *c = find_corner(s, k);
    const double turn = carom_outline_turn(a, b, c);
    const double size = hypot(b[0] - a[0], b[1] - a[1]) * hypot(c[0] - b[0], c[1] - b[1]);
    return fabs(turn) <= 1e-12 * size ? 0 : turn;
}

static bool is_ear(const carom_splitting *s, int b)
{
    const int a = s->before[b], c = s->next[b];
    if (find_turn(s, a, b, c) <= 0) return false;
    for (int i = s->next[c]; i != a; i = s->next[i])
        if (carom_outline_turn(find_corner(s, a), find_corner(s, b), find_corner(s, i)) >= 0 &&
            carom_outline_turn(find_corner(s, b), find_corner(s, c), find_corner(s, i)) >= 0 &&
            carom_outline_turn(find_corner(s, c), find_corner(s, a), find_corner(s, i)) >= 0)
            return false;
    return true;
}

/// Half edges of the triangle (a, b, c) in the place of two edges of the ring; the third is behind
/// the ring's new edge.
static void put_triangle(carom_splitting *s, int a, int b, int c)
{
    const int first = s->n_edge, corner[3] = {a, b, c};
    const int twin[3] = {s->twin[a], s->twin[b], s->n == 3 ? s->twin[c] : -1};
    s->n_edge += 3;
    for (int k = 0; k < 3; k++) {
        s->edge[first + k] =
            (carom_half_edge){corner[k], first + (k + 1) % 3, first + (k + 2) % 3, twin[k], false};
        if (twin[k] >= 0) s->edge[twin[k]].twin = first + k;
    }
    s->twin[a] = first + 2;
}

static bool cut_ears(carom_splitting *s)
{
    int corner = 0, n_passed = 0;
    while (s->n > 3) {
        if (n_passed > s->n) return false;
        const int a = s->before[corner], c = s->next[corner];
        if (!is_ear(s, corner)) {
            corner = c;
            n_passed++;
            continue;
        }
        put_triangle(s, a, corner, c);
        s->next[a] = c;
        s->before[c] = a;
        s->n--;
        n_passed = 0;
        corner = s->next[c]; // not the next one: fans of thin triangles make long seams
    }
    put_triangle(s, s->before[corner], corner, s->next[corner]);
    return true;
}

static void take_seam_out(carom_splitting *s, int h)
{
    carom_half_edge *e = s->edge;
    const int g = e[h].twin;
    if (g < 0 || e[h].is_out) return;
    const int u = e[h].corner, v = e[g].corner;
    if (find_turn(s, e[e[h].before].corner, u, e[e[e[g].next].next].corner) <= 0) return;
    if (find_turn(s, e[e[g].before].corner, v, e[e[e[h].next].next].corner) <= 0) return;
    e[h].is_out = e[g].is_out = true;
    e[e[h].before].next = e[g].next;
    e[e[g].next].before = e[h].before;
    e[e[g].before].next = e[h].next;
    e[e[h].next].before = e[g].before;
}

/// Writes the loop of half edges that h belongs to, which are then out.
static bool write_part(carom_splitting *s, int h, carom_arena *arena, carom_flat_part *part)
{
    int n = 1;
    for (int i = s->edge[h].next; i != h; i = s->edge[i].next) n++;
    int *corner = CAROM_TAKE(arena, int, n), *number = CAROM_TAKE(arena, int, n);
    double *normal = CAROM_TAKE(arena, double, 2 * n);
    if (!corner || !number || !normal) return false;
    for (int k = 0; k < n; k++, h = s->edge[h].next) {
        const carom_half_edge *e = s->edge + h;
        corner[k] = e->corner;
        number[k] = e->twin < 0 ? e->corner : -1;
        carom_outline_normal(find_corner(s, e->corner), find_corner(s, s->edge[e->next].corner),
                             normal + 2 * k);
        s->edge[h].is_out = true;
    }
    *part = (carom_flat_part){n, corner, number, normal};
    return true;
}

static bool begin_splitting(carom_splitting *s, carom_arena *arena, int n)
{
    s->n = n;
    s->next = CAROM_TAKE(arena, int, n);
    s->before = CAROM_TAKE(arena, int, n);
    s->twin = CAROM_TAKE(arena, int, n);
    s->edge = CAROM_TAKE(arena, carom_half_edge, 3 * (size_t)n);
    if (!s->next || !s->before || !s->twin || !s->edge) return false;
    for (int i = 0; i < n; i++) {
        s->next[i] = (i + 1) % n;
        s->before[i] = (i + n - 1) % n;
        s->twin[i] = -1;
    }
    return true;
}

carom_status carom_outline_split(carom_arena *arena, const carom_shape *shape,
                                 carom_outline *outline, carom_error *error)
{
    carom_splitting s = {.shape = shape};
    if (!begin_splitting(&s, arena, shape->n_corner)) goto no_memory;
    if (!cut_ears(&s))
        return carom_fail(
            error, CAROM_BAD_INPUT,
            "the polygon could not be cut into convex parts: it is too thin somewhere "
            "(leave out corners that are nearly in line)");
    for (int h = 0; h < s.n_edge; h++) take_seam_out(&s, h);
    outline->part = CAROM_TAKE(arena, carom_flat_part, shape->n_corner);
    if (!outline->part) goto no_memory;
    for (int h = 0; h < s.n_edge; h++) {
        if (s.edge[h].is_out) continue;
        if (!write_part(&s, h, arena, outline->part + outline->n_part)) goto no_memory;
        outline->n_part++;
    }
    return CAROM_OK;
no_memory:
    return carom_fail(error, CAROM_NO_MEMORY, "out of memory");
}
