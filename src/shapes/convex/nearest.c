// SPDX-License-Identifier: Apache-2.0
// The closest features of two convex cores that are apart, by the algorithm of Gilbert, Johnson and
// Keerthi: v is the point nearest to the origin of a simplex of differences w = b_j - a_i; the
// difference that is least along v joins the simplex until none comes nearer.
//
//     |v|  >=  distance  >=  min over w of v.w/|v|
//
// What v is made of names two features (corners, edges, faces); distance and n are then worked out
// anew from them, and believed only if both bounds agree. Where they do not (rounding, distances of
// 1e-12, faces that are nearly parallel), all pairs of features are looked at (closest.c).
// E. G. Gilbert, D. W. Johnson, S. S. Keerthi, IEEE J. Robotics Automation 4 (1988) 193-203.
#include "shapes/convex/nearest.h"

#include "math/vec3.h"

#include <float.h>

enum { MOST_PASSES = 100 };

typedef struct difference {
    double w[3];
    int i, j;
} difference;

typedef struct simplex {
    int n;
    difference point[4];
    double v[3], square; // nearest to the origin
} simplex;

static void keep(simplex *s, int n, const int *which)
{
    difference kept[3];
    for (int k = 0; k < n; k++) kept[k] = s->point[which[k]];
    for (int k = 0; k < n; k++) s->point[k] = kept[k];
    s->n = n;
}

static void try_point(const simplex *s, int i, simplex *best)
{
    const double square = carom_vec3_dot(s->point[i].w, s->point[i].w);
    if (!(square < best->square)) return;
    *best = *s;
    keep(best, 1, &i);
    best->square = square;
    carom_vec3_copy(best->point[0].w, best->v);
}

static void try_segment(const simplex *s, int i, int j, simplex *best)
{
    const double *p = s->point[i].w;
    double d[3], v[3];
    carom_vec3_subtract(s->point[j].w, p, d);
    const double square = carom_vec3_dot(d, d), t = -carom_vec3_dot(p, d) / square;
    if (!(t > 0 && t < 1)) return;
    carom_vec3_add(p, t, d, v);
    const double length = carom_vec3_dot(v, v);
    if (!(length < best->square)) return;
    *best = *s;
    keep(best, 2, (const int[2]){i, j});
    best->square = length;
    carom_vec3_copy(v, best->v);
}

static void try_triangle(const simplex *s, const int *which, simplex *best)
{
    const double *p = s->point[which[0]].w, *q = s->point[which[1]].w, *r = s->point[which[2]].w;
    double d[3], e[3], n[3], inward[3];
    carom_vec3_subtract(q, p, d);
    carom_vec3_subtract(r, p, e);
    carom_vec3_cross(d, e, n);
    const double square = carom_vec3_dot(n, n);
    if (!(square > 0)) return;
    const double *corner[3] = {p, q, r};
    for (int k = 0; k < 3; k++) {
        double side[3];
        carom_vec3_subtract(corner[(k + 1) % 3], corner[k], side);
        carom_vec3_cross(n, side, inward);
        if (!(carom_vec3_dot(inward, corner[k]) < 0)) return; // the origin is beyond this side
    }
    const double along = carom_vec3_dot(n, p), length = along * along / square;
    if (!(length < best->square)) return;
    *best = *s;
    keep(best, 3, which);
    best->square = length;
    for (int k = 0; k < 3; k++) best->v[k] = n[k] * along / square;
}

/// Whether the origin is inside of a simplex of four.
static bool is_around(const simplex *s)
{
    for (int k = 0; k < 4; k++) {
        const double *p = s->point[k].w;
        double d[3], e[3], f[3], n[3];
        carom_vec3_subtract(s->point[(k + 1) % 4].w, p, d);
        carom_vec3_subtract(s->point[(k + 2) % 4].w, p, e);
        carom_vec3_subtract(s->point[(k + 3) % 4].w, p, f);
        carom_vec3_cross(d, e, n);
        if (!(carom_vec3_dot(n, p) * carom_vec3_dot(n, f) < 0)) return false;
    }
    return true;
}

/// Leaves those points that the nearest one is made of; false where the origin is inside.
static bool reduce(simplex *s)
{
    static const int triangle[4][3] = {{0, 1, 2}, {0, 1, 3}, {0, 2, 3}, {1, 2, 3}};
    if (s->n == 4 && is_around(s)) return false;
    simplex best = {.square = INFINITY};
    for (int i = 0; i < s->n; i++) {
        try_point(s, i, &best);
        for (int j = i + 1; j < s->n; j++) try_segment(s, i, j, &best);
    }
    if (s->n == 3) try_triangle(s, triangle[0], &best);
    for (int k = 0; k < 4 && s->n == 4; k++) try_triangle(s, triangle[k], &best);
    *s = best;
    return true;
}

static void find_difference(const carom_solid_pair *pair, const double *v, difference *d)
{
    d->i = carom_solid_support_a(pair, v);
    d->j = carom_solid_support_b(pair, (const double[3]){-v[0], -v[1], -v[2]});
    carom_solid_across(pair, d->j, d->w);
    carom_vec3_subtract(d->w, pair->a->vertex + 3 * d->i, d->w);
}

static bool has_point(const simplex *s, const difference *d)
{
    for (int k = 0; k < s->n; k++)
        if (s->point[k].i == d->i && s->point[k].j == d->j) return true;
    return false;
}

typedef enum outcome { TOGETHER, FAR, NEAR } outcome;

static outcome approach(const carom_solid_pair *pair, double enough, simplex *s)
{
    const double nothing = 4 * DBL_EPSILON * pair->size;
    double v[3];
    for (int k = 0; k < 3; k++)
        v[k] = carom_vec3_dot(pair->R + 3 * k, pair->b->centre) + pair->t[k] - pair->a->centre[k];
    find_difference(pair, v, &s->point[0]);
    s->n = 1;
    reduce(s);
    for (int pass = 0; pass < MOST_PASSES; pass++) {
        const double upper = sqrt(s->square), before = s->square;
        if (upper <= nothing) return TOGETHER;
        difference next;
        find_difference(pair, s->v, &next);
        const double lower = carom_vec3_dot(s->v, next.w) / upper;
        if (lower > enough) return FAR;
        if (upper - lower <= 0.25 * nothing || has_point(s, &next)) return NEAR;
        const simplex last = *s;
        s->point[s->n++] = next;
        if (!reduce(s)) return TOGETHER;
        if (!(s->square < before)) {
            *s = last;
            return NEAR;
        }
    }
    return NEAR;
}

/// The feature that some vertices (at most 3) of a core belong to; false where there is none.
static bool find_feature(const carom_solid *solid, int n, const int *vertex, carom_part *part)
{
    *part = (carom_part){1, vertex[0]};
    int other[2], n_other = 0;
    for (int k = 1; k < n; k++)
        if (vertex[k] != vertex[0] && (n_other == 0 || vertex[k] != other[0]))
            other[n_other++] = vertex[k];
    if (n_other == 0) return true;
    for (int e = 0; e < solid->n_edge && n_other == 1; e++) {
        const int i = solid->end[2 * e], j = solid->end[2 * e + 1];
        if ((i == vertex[0] && j == other[0]) || (j == vertex[0] && i == other[0])) {
            *part = (carom_part){2, e};
            return true;
        }
    }
    if (solid->n_face == 0) return false;
    for (int k = solid->fan_start[vertex[0]]; k < solid->fan_start[vertex[0] + 1]; k++) {
        const int face = solid->fan[k];
        int n_found = 0;
        for (int m = solid->start[face]; m < solid->start[face + 1]; m++)
            for (int l = 0; l < n_other; l++) n_found += solid->ring[m] == other[l];
        if (n_found == n_other) {
            *part = (carom_part){3, face};
            return true;
        }
    }
    return false;
}

/// All vertices agree that they separate by as much, and v is not longer: a plane's distance from a
/// corner that is beside the face would be too short.
static bool is_distance(const carom_solid_pair *pair, const carom_way *way, double length)
{
    const double rounding = 2 * DBL_EPSILON * pair->size;
    return way->s >= length - rounding &&
           carom_solid_separation(pair, way->n) >= way->s - 2 * rounding;
}

bool carom_solid_apart(const carom_solid_pair *pair, double enough, carom_way *way)
{
    simplex s;
    way->s = INFINITY;
    switch (approach(pair, enough, &s)) {
    case TOGETHER:
        return false;
    case FAR:
        return true;
    case NEAR:
        break;
    }
    int i[3] = {s.point[0].i}, j[3] = {s.point[0].j}; // of the 1 to 4 points
    for (int k = 1; k < s.n && k < 3; k++) {
        i[k] = s.point[k].i;
        j[k] = s.point[k].j;
    }
    carom_part a = {0}, b = {0};
    if (s.n < 4 && find_feature(pair->a, s.n, i, &a) && find_feature(pair->b, s.n, j, &b)) {
        carom_closest_parts(pair, a, b, way);
        if (way->s < INFINITY && is_distance(pair, way, sqrt(s.square))) return true;
    }
    carom_way deepest;
    carom_solid_overlap(pair, NULL, NULL, &deepest);
    carom_closest_of_all(pair, way);
    return deepest.s > 0 && way->s > 4 * DBL_EPSILON * pair->size;
}
