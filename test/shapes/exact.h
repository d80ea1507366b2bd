// SPDX-License-Identifier: Apache-2.0
// The signed distance of two convex bodies in long double, from nothing but points: their corners,
// segments that include all edges and triangles that include all faces.
//
//     overlapping   the largest separation over all axes (normals of triangles, cross products of
//                   segments), each with all corners; depth is minus that
//     apart         the smallest distance over all pairs (point, triangle) and (segment, segment)
//
// More segments and triangles than edges and faces do no harm: every axis is a bound from below,
// every distance one from above. Parallel ones are asked for once where a body lists which differ.
//
// Most distances are proven without all pairs: v, the point nearest to the origin of a simplex of
// differences b_j - a_i (Wolfe), is between two points of the bodies, and no point is nearer than
// the least b_j.n - a_i.n along n = v/|v|. Where both agree to 1e-17 of the size that is the
// answer. Nothing here knows the library.
#ifndef TEST_EXACT_H
#define TEST_EXACT_H

#include <float.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

enum { EXACT_POINTS = 64, EXACT_PARTS = 400 };

typedef long double real;

typedef struct exact_body {
    int n_point, n_segment, n_triangle;
    /// Triangles and segments that are not parallel to one listed before; none are listed: all.
    int n_normal, n_along;
    real radius;
    real point[EXACT_POINTS][3]; // what follows is filled as far as it is counted
    int normal[EXACT_POINTS], along[EXACT_POINTS];
    int segment[EXACT_PARTS][2], triangle[EXACT_PARTS][3];
} exact_body;

/// A body without parts. (They are large, and most of them are empty.)
static inline void exact_clear(exact_body *body)
{
    memset(body, 0, offsetof(exact_body, point));
}

static inline void exact_copy(const exact_body *from, exact_body *to)
{
    memcpy(to, from, offsetof(exact_body, point));
    memcpy(to->point, from->point, sizeof *to->point * (size_t)from->n_point);
    memcpy(to->normal, from->normal, sizeof *to->normal * (size_t)from->n_normal);
    memcpy(to->along, from->along, sizeof *to->along * (size_t)from->n_along);
    memcpy(to->segment, from->segment, sizeof *to->segment * (size_t)from->n_segment);
    memcpy(to->triangle, from->triangle, sizeof *to->triangle * (size_t)from->n_triangle);
}

/// Of numbers that are some: without the care that fminl takes of others.
static inline real exact_less(real a, real b)
{
    return a < b ? a : b;
}

static inline real exact_more(real a, real b)
{
    return a > b ? a : b;
}

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
        low[0] = exact_less(low[0], s);
        high[0] = exact_more(high[0], s);
    }
    for (int i = 0; i < b->n_point; i++) {
        const real s = exact_dot(n, b->point[i]);
        low[1] = exact_less(low[1], s);
        high[1] = exact_more(high[1], s);
    }
    return exact_more(low[1] - high[0], low[0] - high[1]) / length;
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

/// Of all normals of one body.
static inline real exact_best_normal(const exact_body *of, const exact_body *a, const exact_body *b)
{
    real best = -INFINITY, n[3];
    for (int i = 0; i < (of->n_normal ? of->n_normal : of->n_triangle); i++) {
        exact_normal(of, of->n_normal ? of->normal[i] : i, n);
        best = exact_more(best, exact_separation(a, b, n));
    }
    return best;
}

static inline real exact_best_axis(const exact_body *a, const exact_body *b)
{
    real best = exact_more(exact_best_normal(a, a, b), exact_best_normal(b, a, b)), n[3], d[3],
         e[3];
    for (int i = 0; i < (a->n_along ? a->n_along : a->n_segment); i++) {
        exact_along(a, a->n_along ? a->along[i] : i, d);
        for (int j = 0; j < (b->n_along ? b->n_along : b->n_segment); j++) {
            exact_along(b, b->n_along ? b->along[j] : j, e);
            exact_cross(d, e, n);
            const real sine = sqrtl(exact_dot(n, n));
            if (!(sine > 1e-15L)) continue;
            for (int k = 0; k < 3; k++) n[k] /= sine;
            const real part = exact_dot(n, d); // exactly across again
            for (int k = 0; k < 3; k++) n[k] -= part * d[k];
            best = exact_more(best, exact_separation(a, b, n));
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

/// Distances that are larger than enough need not be exact.
static inline real exact_point_triangle(const exact_body *b, int triangle, const real *x,
                                        real enough)
{
    const int *t = b->triangle[triangle];
    real n[3], side[3], d[3], across[3], nearest = INFINITY;
    int is_inside = 1;
    exact_normal(b, triangle, n);
    exact_minus(x, b->point[t[0]], d);
    const real square = exact_dot(n, n), height = fabsl(exact_dot(n, d));
    if (height * height > enough * enough * square) return INFINITY;
    for (int k = 0; k < 3; k++) {
        const real *p = b->point[t[k]], *q = b->point[t[(k + 1) % 3]];
        exact_minus(q, p, side);
        exact_minus(x, p, d);
        exact_cross(n, side, across);
        if (exact_dot(across, d) < 0) is_inside = 0;
        nearest = exact_less(nearest, exact_point_segment(x, p, q));
    }
    return is_inside && square > 0 ? height / sqrtl(square) : nearest;
}

/// Whether p and q are on different sides of the plane through x across n x along.
static inline int exact_is_between(const real *n, const real *along, const real *x, const real *p,
                                   const real *q)
{
    real across[3], d[3], e[3];
    exact_cross(n, along, across);
    exact_minus(p, x, d);
    exact_minus(q, x, e);
    return exact_dot(across, d) * exact_dot(across, e) < 0;
}

/// Two segments: across both where each crosses the plane of the other one and n, which can be told
/// however parallel they are; else from one of the ends.
static inline real exact_segments(const real *p, const real *q, const real *r, const real *s,
                                  real enough)
{
    real d[3], e[3], n[3], w[3];
    exact_minus(q, p, d);
    exact_minus(s, r, e);
    exact_cross(d, e, n);
    exact_minus(r, p, w);
    const real sine = sqrtl(exact_dot(n, n)), square = exact_dot(d, d);
    const int is_across = sine > 1e-15L * sqrtl(square * exact_dot(e, e));
    for (int k = 0; k < 3; k++) n[k] /= is_across ? sine : 1;
    const real part = exact_dot(n, d) / square; // exactly across again
    for (int k = 0; k < 3; k++) n[k] -= part * d[k];
    const real height = fabsl(exact_dot(n, w));
    if (is_across && height > enough) return INFINITY;
    const real nearest =
        exact_less(exact_less(exact_point_segment(p, r, s), exact_point_segment(q, r, s)),
                   exact_less(exact_point_segment(r, p, q), exact_point_segment(s, p, q)));
    if (!is_across || !exact_is_between(n, d, p, r, s) || !exact_is_between(n, e, r, p, q))
        return nearest;
    return exact_less(nearest, height);
}

static inline real exact_distance(const exact_body *a, const exact_body *b)
{
    real best = INFINITY;
    for (int i = 0; i < a->n_point; i++) {
        for (int j = 0; j < b->n_segment; j++)
            best = exact_less(best, exact_point_segment(a->point[i], b->point[b->segment[j][0]],
                                                        b->point[b->segment[j][1]]));
        for (int j = 0; j < b->n_point; j++) {
            real d[3];
            exact_minus(a->point[i], b->point[j], d);
            best = exact_less(best, sqrtl(exact_dot(d, d)));
        }
    }
    for (int j = 0; j < b->n_point; j++)
        for (int i = 0; i < a->n_segment; i++)
            best = exact_less(best, exact_point_segment(b->point[j], a->point[a->segment[i][0]],
                                                        a->point[a->segment[i][1]]));
    for (int i = 0; i < a->n_point; i++)
        for (int j = 0; j < b->n_triangle; j++)
            best = exact_less(best, exact_point_triangle(b, j, a->point[i], best));
    for (int j = 0; j < b->n_point; j++)
        for (int i = 0; i < a->n_triangle; i++)
            best = exact_less(best, exact_point_triangle(a, i, b->point[j], best));
    for (int i = 0; i < a->n_segment; i++)
        for (int j = 0; j < b->n_segment; j++)
            best = exact_less(
                best, exact_segments(a->point[a->segment[i][0]], a->point[a->segment[i][1]],
                                     b->point[b->segment[j][0]], b->point[b->segment[j][1]], best));
    return best;
}

/// Differences of points, and the one nearest to the origin of all between them.
typedef struct exact_simplex {
    int n;
    real w[4][3], v[3], square;
} exact_simplex;

/// The nearest point of the plane, line or point through some of them, if it is between them.
static inline void exact_try_face(const exact_simplex *s, unsigned mask, exact_simplex *best)
{
    real d[3][3], A[3][4], v[3], first[3] = {0, 0, 0}, rest = 1;
    int m = -1, which[4] = {0};
    for (int k = 0; k < s->n; k++)
        if (mask >> k & 1u) which[++m] = k;
    for (int k = 0; k < 3; k++) first[k] = s->w[which[0]][k];
    for (int i = 0; i < m; i++) exact_minus(s->w[which[i + 1]], first, d[i]);
    for (int i = 0; i < m; i++) {
        for (int j = 0; j < m; j++) A[i][j] = exact_dot(d[i], d[j]);
        A[i][3] = -exact_dot(d[i], first);
    }
    for (int k = 0; k < m; k++) { // Gauss and Jordan; A is positive definite
        if (!(A[k][k] > 0)) return;
        for (int i = 0; i < m; i++) {
            const real factor = A[i][k] / A[k][k];
            for (int j = 0; j < 4 && i != k; j++) A[i][j] -= factor * A[k][j];
        }
    }
    for (int k = 0; k < 3; k++) v[k] = first[k];
    for (int i = 0; i < m; i++) {
        const real t = A[i][3] / A[i][i];
        if (!(t > 0)) return;
        rest -= t;
        for (int k = 0; k < 3; k++) v[k] += t * d[i][k];
    }
    if (!(rest > 0) || !(exact_dot(v, v) < best->square)) return;
    best->n = 0;
    best->square = exact_dot(v, v);
    for (int k = 0; k < 3; k++) best->v[k] = v[k];
    for (int i = 0; i <= m; i++, best->n++)
        for (int k = 0; k < 3; k++) best->w[best->n][k] = s->w[which[i]][k];
}

/// The distance with its proof, or -1 where the bodies overlap or there is none.
static inline real exact_proven_distance(const exact_body *a, const exact_body *b)
{
    exact_simplex s = {.n = 1};
    real size = 0;
    for (int i = 0; i < a->n_point; i++)
        for (int k = 0; k < 3; k++) size = exact_more(size, fabsl(a->point[i][k] - a->point[0][k]));
    for (int j = 0; j < b->n_point; j++)
        for (int k = 0; k < 3; k++) size = exact_more(size, fabsl(b->point[j][k] - b->point[0][k]));
    exact_minus(b->point[0], a->point[0], s.w[0]);
    for (int k = 0; k < 3; k++) s.v[k] = s.w[0][k];
    s.square = exact_dot(s.v, s.v);
    for (int pass = 0; pass < 100 && s.n < 4; pass++) {
        int i = 0, j = 0;
        for (int k = 1; k < a->n_point; k++)
            if (exact_dot(s.v, a->point[k]) > exact_dot(s.v, a->point[i])) i = k;
        for (int k = 1; k < b->n_point; k++)
            if (exact_dot(s.v, b->point[k]) < exact_dot(s.v, b->point[j])) j = k;
        exact_minus(b->point[j], a->point[i], s.w[s.n]);
        const real upper = sqrtl(s.square), lower = exact_dot(s.v, s.w[s.n]) / upper;
        if (!(upper > 1e-15L * size)) return -1;
        if (upper - lower <= 1e-17L * size) return lower;
        s.n++;
        exact_simplex best = {.square = s.square};
        for (unsigned mask = 1; mask < 1u << s.n; mask++)
            if (mask != 15) exact_try_face(&s, mask, &best);
        if (best.n == 0) return -1;
        s = best;
    }
    return -1;
}

/// What a gap must be. Bodies of points and segments never overlap.
static inline real exact_gap(const exact_body *a, const exact_body *b)
{
    const real proven = exact_proven_distance(a, b);
    if (proven > 0) return proven - a->radius - b->radius;
    const real axis = a->n_triangle || b->n_triangle ? exact_best_axis(a, b) : INFINITY;
    return (axis <= 0 ? axis : exact_distance(a, b)) - a->radius - b->radius;
}

#endif
