// SPDX-License-Identifier: Apache-2.0
// The signed distance of two convex bodies in long double, from nothing but points: their corners,
// segments that include all edges and triangles that include all faces.
//
//     overlapping   the largest separation over all axes (normals of triangles, cross products of
//                   segments), each with all corners; depth is minus that
//     apart         the smallest distance over all pairs (point, triangle) and (segment, segment)
//
// More segments and triangles than edges and faces do no harm: every axis is a bound from below,
// every distance one from above. Nothing here knows the library.
#ifndef TEST_EXACT_H
#define TEST_EXACT_H

#include <float.h>
#include <math.h>

enum { EXACT_POINTS = 64, EXACT_PARTS = 400 };

typedef long double real;

typedef struct exact_body {
    int n_point, n_segment, n_triangle;
    real point[EXACT_POINTS][3];
    int segment[EXACT_PARTS][2], triangle[EXACT_PARTS][3];
    real radius;
} exact_body;

static inline real exact_dot(const real *a, const real *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline void exact_cross(const real *a, const real *b, real *c)
{
    c[0] = a[1] * b[2] - a[2] * b[1];
    c[1] = a[2] * b[0] - a[0] * b[2];
    c[2] = a[0] * b[1] - a[1] * b[0];
}

static inline void exact_minus(const real *a, const real *b, real *c)
{
    for (int k = 0; k < 3; k++) c[k] = a[k] - b[k];
}

/// The largest of s(n) and s(-n); n of any length.
static inline real exact_separation(const exact_body *a, const exact_body *b, const real *n)
{
    const real length = sqrtl(exact_dot(n, n));
    if (!(length > 0)) return -INFINITY;
    real low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    for (int i = 0; i < a->n_point; i++) {
        const real s = exact_dot(n, a->point[i]);
        low[0] = fminl(low[0], s);
        high[0] = fmaxl(high[0], s);
    }
    for (int i = 0; i < b->n_point; i++) {
        const real s = exact_dot(n, b->point[i]);
        low[1] = fminl(low[1], s);
        high[1] = fmaxl(high[1], s);
    }
    return fmaxl(low[1] - high[0], low[0] - high[1]) / length;
}

static inline void exact_normal(const exact_body *a, int triangle, real *n)
{
    real d[3], e[3];
    const int *t = a->triangle[triangle];
    exact_minus(a->point[t[1]], a->point[t[0]], d);
    exact_minus(a->point[t[2]], a->point[t[0]], e);
    exact_cross(d, e, n);
}

static inline void exact_along(const exact_body *a, int segment, real *d)
{
    exact_minus(a->point[a->segment[segment][1]], a->point[a->segment[segment][0]], d);
    const real length = sqrtl(exact_dot(d, d));
    for (int k = 0; k < 3; k++) d[k] /= length;
}

static inline real exact_best_axis(const exact_body *a, const exact_body *b)
{
    real best = -INFINITY, n[3], d[3], e[3];
    for (int i = 0; i < a->n_triangle; i++) {
        exact_normal(a, i, n);
        best = fmaxl(best, exact_separation(a, b, n));
    }
    for (int i = 0; i < b->n_triangle; i++) {
        exact_normal(b, i, n);
        best = fmaxl(best, exact_separation(a, b, n));
    }
    for (int i = 0; i < a->n_segment; i++) {
        exact_along(a, i, d);
        for (int j = 0; j < b->n_segment; j++) {
            exact_along(b, j, e);
            exact_cross(d, e, n);
            const real sine = sqrtl(exact_dot(n, n));
            if (!(sine > 1e-15L)) continue;
            for (int k = 0; k < 3; k++) n[k] /= sine;
            const real part = exact_dot(n, d); // exactly across again
            for (int k = 0; k < 3; k++) n[k] -= part * d[k];
            best = fmaxl(best, exact_separation(a, b, n));
        }
    }
    return best;
}

static inline real exact_point_segment(const real *x, const real *p, const real *q)
{
    real d[3], e[3];
    exact_minus(q, p, d);
    exact_minus(x, p, e);
    const real square = exact_dot(d, d);
    real t = square > 0 ? exact_dot(d, e) / square : 0;
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    for (int k = 0; k < 3; k++) e[k] -= t * d[k];
    return sqrtl(exact_dot(e, e));
}

static inline real exact_point_triangle(const exact_body *b, int triangle, const real *x)
{
    const int *t = b->triangle[triangle];
    real n[3], side[3], d[3], across[3], nearest = INFINITY;
    int is_inside = 1;
    exact_normal(b, triangle, n);
    for (int k = 0; k < 3; k++) {
        const real *p = b->point[t[k]], *q = b->point[t[(k + 1) % 3]];
        exact_minus(q, p, side);
        exact_minus(x, p, d);
        exact_cross(n, side, across);
        if (exact_dot(across, d) < 0) is_inside = 0;
        nearest = fminl(nearest, exact_point_segment(x, p, q));
    }
    if (!is_inside) return nearest;
    exact_minus(x, b->point[t[0]], d);
    const real length = sqrtl(exact_dot(n, n));
    return length > 0 ? fabsl(exact_dot(n, d)) / length : nearest;
}

static inline real exact_segments(const real *p, const real *q, const real *r, const real *s)
{
    real nearest = fminl(fminl(exact_point_segment(p, r, s), exact_point_segment(q, r, s)),
                         fminl(exact_point_segment(r, p, q), exact_point_segment(s, p, q)));
    real d[3], e[3], n[3], w[3], c[3];
    exact_minus(q, p, d);
    exact_minus(s, r, e);
    exact_cross(d, e, n);
    const real square = exact_dot(n, n);
    if (!(square > 1e-30L * exact_dot(d, d) * exact_dot(e, e))) return nearest;
    exact_minus(r, p, w);
    exact_cross(w, e, c);
    const real t = exact_dot(c, n) / square;
    exact_cross(w, d, c);
    const real u = exact_dot(c, n) / square;
    if (t <= 0 || t >= 1 || u <= 0 || u >= 1) return nearest;
    return fminl(nearest, fabsl(exact_dot(n, w)) / sqrtl(square));
}

static inline real exact_distance(const exact_body *a, const exact_body *b)
{
    real best = INFINITY;
    for (int i = 0; i < a->n_point; i++)
        for (int j = 0; j < b->n_triangle; j++)
            best = fminl(best, exact_point_triangle(b, j, a->point[i]));
    for (int j = 0; j < b->n_point; j++)
        for (int i = 0; i < a->n_triangle; i++)
            best = fminl(best, exact_point_triangle(a, i, b->point[j]));
    for (int i = 0; i < a->n_segment; i++)
        for (int j = 0; j < b->n_segment; j++)
            best =
                fminl(best, exact_segments(a->point[a->segment[i][0]], a->point[a->segment[i][1]],
                                           b->point[b->segment[j][0]], b->point[b->segment[j][1]]));
    for (int i = 0; i < a->n_point; i++) {
        for (int j = 0; j < b->n_segment; j++)
            best = fminl(best, exact_point_segment(a->point[i], b->point[b->segment[j][0]],
                                                   b->point[b->segment[j][1]]));
        for (int j = 0; j < b->n_point; j++) {
            real d[3];
            exact_minus(a->point[i], b->point[j], d);
            best = fminl(best, sqrtl(exact_dot(d, d)));
        }
    }
    for (int j = 0; j < b->n_point; j++)
        for (int i = 0; i < a->n_segment; i++)
            best = fminl(best, exact_point_segment(b->point[j], a->point[a->segment[i][0]],
                                                   a->point[a->segment[i][1]]));
    return best;
}

/// What a gap must be. Bodies of points and segments never overlap.
static inline real exact_gap(const exact_body *a, const exact_body *b)
{
    const real axis = a->n_triangle || b->n_triangle ? exact_best_axis(a, b) : INFINITY;
    return (axis <= 0 ? axis : exact_distance(a, b)) - a->radius - b->radius;
}

#endif
