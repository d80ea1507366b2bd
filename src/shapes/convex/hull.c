// SPDX-License-Identifier: Apache-2.0
// The convex hull of points: one by one, each takes away the triangles that it is above and is
// joined to the border of what is left. Whether it is above is decided exactly (predicate.c), so
// that points in one plane, on one line or twice there are no trouble; then triangles in one plane,
// within rounding, become one face.
//
// Shrinking: the planes n.x = d become points n/(d - r) of the dual (from the centre); the faces
// of their hull are the corners of what is left.
#include "shapes/convex/hull.h"

#include "shapes/convex/predicate.h"

#include "base/list.h"
#include "math/vec3.h"

#include <float.h>
#include <string.h>

typedef struct triangle {
    int v[3];
    bool is_seen;
    int face; // after merging
} triangle;

typedef struct hull {
    carom_arena *arena;
    const double *point;
    int n;
    CAROM_LIST(triangle) triangles;
    double size;
} hull;

static int orient(const hull *h, const int *v, int i)
{
    return carom_orient(h->point + 3 * v[0], h->point + 3 * v[1], h->point + 3 * v[2],
                        h->point + 3 * i);
}

static bool add_triangle(hull *h, int i, int j, int k)
{
    triangle *t = CAROM_LIST_ADD(h->arena, &h->triangles);
    if (!t) return false;
    *t = (triangle){.v = {i, j, k}, .face = -1};
    return true;
}

/// The point that is furthest from those chosen: from a point, a line, a plane.
static double find_furthest(const hull *h, int n, const int *chosen, int *furthest)
{
    const double *o = h->point + 3 * chosen[0];
    double e[3] = {0}, f[3], normal[3] = {0}, most = -1;
    if (n > 1) {
        carom_vec3_subtract(h->point + 3 * chosen[1], o, e);
        carom_vec3_unit(e, e);
    }
    if (n > 2) {
        carom_vec3_subtract(h->point + 3 * chosen[2], o, f);
        carom_vec3_cross(e, f, normal);
        carom_vec3_unit(normal, normal);
    }
    for (int i = 0; i < h->n; i++) {
        double d[3], distance;
        carom_vec3_subtract(h->point + 3 * i, o, d);
        if (n > 2) {
            distance = fabs(carom_vec3_dot(d, normal));
        } else {
            carom_vec3_add(d, -carom_vec3_dot(d, e), e, d);
            distance = carom_vec3_length(d);
        }
        if (!(distance > most)) continue;
        most = distance;
        *furthest = i;
    }
    return most;
}

static carom_status begin(hull *h, carom_error *error)
{
    static const char *const lies[3] = {"are one point", "lie on a line", "lie in a plane"};
    int c[4] = {0};
    find_furthest(h, 1, c, &c[0]);
    for (int n = 1; n < 4; n++) {
        const double distance = find_furthest(h, n, c, &c[n]);
        if (n == 1) h->size = distance;
        if (!(distance > 1e-9 * h->size))
            return carom_fail(error, CAROM_BAD_INPUT,
                              "the points of a hull %s (a hull has at least four that do not)",
                              lies[n - 1]);
    }
    if (orient(h, c, c[3]) > 0) { // the fourth is below the first three
        const int first = c[0];
        c[0] = c[1];
        c[1] = first;
    }
    return add_triangle(h, c[0], c[1], c[2]) && add_triangle(h, c[0], c[3], c[1]) &&
                   add_triangle(h, c[1], c[3], c[2]) && add_triangle(h, c[2], c[3], c[0])
               ? CAROM_OK
               : carom_fail(error, CAROM_NO_MEMORY, "out of memory");
}

/// Whether a triangle that is seen has a side from j to i.
static bool is_seen_too(const hull *h, int i, int j)
{
    for (int k = 0; k < h->triangles.n; k++) {
        const triangle *t = h->triangles.item + k;
        for (int m = 0; m < 3 && t->is_seen; m++)
            if (t->v[m] == j && t->v[(m + 1) % 3] == i) return true;
    }
    return false;
}

static bool add_point(hull *h, int i)
{
    const int before = h->triangles.n;
    bool is_outside = false;
    for (int k = 0; k < before; k++) {
        triangle *t = h->triangles.item + k;
        t->is_seen = orient(h, t->v, i) > 0;
        is_outside = is_outside || t->is_seen;
    }
    if (!is_outside) return true;
    for (int k = 0; k < before; k++) {
        const triangle t = h->triangles.item[k];
        for (int m = 0; m < 3 && t.is_seen; m++) {
            const int from = t.v[m], to = t.v[(m + 1) % 3];
            if (!is_seen_too(h, from, to) && !add_triangle(h, from, to, i)) return false;
        }
    }
    int n = 0;
    for (int k = 0; k < h->triangles.n; k++)
        if (!h->triangles.item[k].is_seen) h->triangles.item[n++] = h->triangles.item[k];
    h->triangles.n = n;
    return true;
}

static void find_normal(const hull *h, const triangle *t, double *normal)
{
    double d[3], e[3];
    carom_vec3_subtract(h->point + 3 * t->v[1], h->point + 3 * t->v[0], d);
    carom_vec3_subtract(h->point + 3 * t->v[2], h->point + 3 * t->v[0], e);
    carom_vec3_cross(d, e, normal);
}

static bool is_in_plane(const hull *h, const triangle *t, const double *origin,
                        const double *normal)
{
    double d[3], own[3];
    find_normal(h, t, own);
    for (int k = 0; k < 3; k++) {
        carom_vec3_subtract(h->point + 3 * t->v[k], origin, d);
        if (fabs(carom_vec3_dot(d, normal)) > 16 * DBL_EPSILON * h->size) return false;
    }
    return carom_vec3_dot(own, normal) > 0;
}

static bool are_neighbours(const triangle *s, const triangle *t)
{
    int n = 0;
    for (int k = 0; k < 3; k++)
        for (int m = 0; m < 3; m++) n += s->v[k] == t->v[m];
    return n >= 2;
}

/// Gives triangles in one plane one face number, from the largest of those left outwards.
static int merge(hull *h)
{
    int n_face = 0;
    for (;;) {
        int seed = -1;
        double most = -1, normal[3];
        for (int k = 0; k < h->triangles.n; k++) {
            if (h->triangles.item[k].face >= 0) continue;
            find_normal(h, h->triangles.item + k, normal);
            const double area = carom_vec3_dot(normal, normal);
            if (!(area > most)) continue;
            most = area;
            seed = k;
        }
        if (seed < 0) return n_face;
        find_normal(h, h->triangles.item + seed, normal);
        carom_vec3_unit(normal, normal);
        const double *origin = h->point + 3 * h->triangles.item[seed].v[0];
        h->triangles.item[seed].face = n_face;
        for (bool grows = true; grows;) {
            grows = false;
            for (int k = 0; k < h->triangles.n; k++) {
                triangle *t = h->triangles.item + k;
                if (t->face >= 0 || !is_in_plane(h, t, origin, normal)) continue;
                for (int m = 0; m < h->triangles.n && t->face < 0; m++)
                    if (h->triangles.item[m].face == n_face &&
                        are_neighbours(t, h->triangles.item + m))
                        t->face = n_face;
                grows = grows || t->face == n_face;
            }
        }
        n_face++;
    }
}

/// The corner after `from` along the border of a face, or -1.
static int find_next(const hull *h, int face, int from)
{
    for (int k = 0; k < h->triangles.n; k++) {
        const triangle *t = h->triangles.item + k;
        for (int m = 0; m < 3 && t->face == face; m++) {
            if (t->v[m] != from) continue;
            const int to = t->v[(m + 1) % 3];
            bool is_border = true;
            for (int l = 0; l < h->triangles.n; l++) {
                const triangle *s = h->triangles.item + l;
                for (int o = 0; o < 3 && s->face == face; o++)
                    if (s->v[o] == to && s->v[(o + 1) % 3] == from) is_border = false;
            }
            if (is_border) return to;
        }
    }
    return -1;
}

/// Whether three faces meet at a point; else it is inside of one, or in the middle of a side.
static bool is_corner(const hull *h, int i)
{
    int found[2] = {-1, -1};
    for (int k = 0; k < h->triangles.n; k++) {
        const triangle *t = h->triangles.item + k;
        if (t->v[0] != i && t->v[1] != i && t->v[2] != i) continue;
        if (found[0] < 0)
            found[0] = t->face;
        else if (t->face != found[0] && found[1] < 0)
            found[1] = t->face;
        else if (t->face != found[0] && t->face != found[1])
            return true;
    }
    return false;
}

/// The border of a face into ring, corners only; returns how many there are.
static int trace(const hull *h, int face, const int *number, int *ring)
{
    int first = -1, n = 0;
    for (int k = 0; k < h->triangles.n && first < 0; k++)
        for (int m = 0; m < 3 && h->triangles.item[k].face == face && first < 0; m++)
            if (number[h->triangles.item[k].v[m]] >= 0 &&
                find_next(h, face, h->triangles.item[k].v[m]) >= 0)
                first = h->triangles.item[k].v[m];
    for (int at = first, pass = 0; at >= 0 && pass <= 3 * h->triangles.n; pass++) {
        if (number[at] >= 0) ring[n++] = number[at];
        at = find_next(h, face, at);
        if (at == first) break;
    }
    return n;
}

static carom_status finish(hull *h, carom_solid *solid, carom_error *error)
{
    const int n_face = merge(h);
    int *number = CAROM_TAKE(h->arena, int, h->n), n_vertex = 0;
    int *start = CAROM_TAKE(h->arena, int, n_face + 1);
    int *ring = CAROM_TAKE(h->arena, int, 6 * h->triangles.n);
    double *vertex = CAROM_TAKE(h->arena, double, 3 * h->n);
    if (!number || !start || !ring || !vertex)
        return carom_fail(error, CAROM_NO_MEMORY, "out of memory");
    for (int i = 0; i < h->n; i++) {
        number[i] = is_corner(h, i) ? n_vertex : -1;
        if (number[i] < 0) continue;
        carom_vec3_copy(h->point + 3 * i, vertex + 3 * n_vertex++);
    }
    for (int face = 0; face < n_face; face++)
        start[face + 1] = start[face] + trace(h, face, number, ring + start[face]);
    const carom_solid_faces faces = {n_vertex, n_face, vertex, start, ring};
    return carom_solid_fill(h->arena, &faces, solid, error);
}

carom_status carom_convex_hull(carom_arena *arena, int n, const double *point, carom_solid *solid,
                               carom_error *error)
{
    if (n < 4 || n > CAROM_MOST_POINTS)
        return carom_fail(error, CAROM_BAD_INPUT, "a hull of %d points (at least 4, at most %d)", n,
                          CAROM_MOST_POINTS);
    hull h = {.arena = arena, .point = point, .n = n};
    CAROM_TRY(begin(&h, error));
    for (int i = 0; i < n; i++)
        if (!add_point(&h, i)) return carom_fail(error, CAROM_NO_MEMORY, "out of memory");
    return finish(&h, solid, error);
}

carom_status carom_convex_shrink(carom_arena *arena, const carom_solid *solid, double radius,
                                 carom_solid *smaller, carom_error *error)
{
    double *dual = CAROM_TAKE(arena, double, 3 * solid->n_face);
    if (!dual) return carom_fail(error, CAROM_NO_MEMORY, "out of memory");
    for (int i = 0; i < solid->n_face; i++) {
        const double *n = solid->normal + 3 * i;
        const double depth = solid->offset[i] - carom_vec3_dot(n, solid->centre) - radius;
        if (!(depth > 0))
            return carom_fail(error, CAROM_BAD_INPUT,
                              "a hull cannot be rounded by %g: its centre is only %g inside of a "
                              "face (the rounding lies inside)",
                              radius, depth + radius);
        for (int k = 0; k < 3; k++) dual[3 * i + k] = n[k] / depth;
    }
    carom_solid corners = {0};
    CAROM_TRY(carom_convex_hull(arena, solid->n_face, dual, &corners, error));
    double *point = CAROM_TAKE(arena, double, 3 * corners.n_face);
    if (!point) return carom_fail(error, CAROM_NO_MEMORY, "out of memory");
    for (int i = 0; i < corners.n_face; i++)
        carom_vec3_add(solid->centre, 1 / corners.offset[i], corners.normal + 3 * i, point + 3 * i);
    return carom_convex_hull(arena, corners.n_face, point, smaller, error);
}
