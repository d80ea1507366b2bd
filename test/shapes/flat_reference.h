// SPDX-License-Identifier: Apache-2.0
// What plane geometry must find, from the numbers that shapes are made of, in long double and by
// brute force: all corners against all edges, all edges against all edges.
#ifndef CAROM_TEST_FLAT_REFERENCE_H
#define CAROM_TEST_FLAT_REFERENCE_H

#include "shapes/shape.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { MOST_POINTS = 24 };
typedef long double real;

/// A core in space: corners counter-clockwise, and the radius around it; or a half plane.
typedef struct flat_body {
    int n;
    real p[MOST_POINTS][2], radius;
    bool is_half, is_convex;
    real normal[2];
} flat_body;

static inline real cross3(const real *a, const real *b, const real *c)
{
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

static inline void unit_normal(const real *p, const real *q, real *n)
{
    const real length = hypotl(q[0] - p[0], q[1] - p[1]);
    n[0] = (q[1] - p[1]) / length;
    n[1] = -(q[0] - p[0]) / length;
}

static inline void place_point(const carom_placement *at, const real *p, real *out)
{
    for (int i = 0; i < 2; i++)
        out[i] = at->r[i] + (real)at->R[3 * i] * p[0] + (real)at->R[3 * i + 1] * p[1];
}

/// The corners of a polygon moved inwards by r.
static inline void inset(flat_body *body, real r)
{
    real moved[MOST_POINTS][2];
    const int n = body->n;
    for (int i = 0; i < n; i++) {
        real m[2], k[2];
        unit_normal(body->p[(i + n - 1) % n], body->p[i], m);
        unit_normal(body->p[i], body->p[(i + 1) % n], k);
        const real far = r / (1 + m[0] * k[0] + m[1] * k[1]);
        for (int j = 0; j < 2; j++) moved[i][j] = body->p[i][j] - far * (m[j] + k[j]);
    }
    memcpy(body->p, moved, sizeof moved);
    body->radius = r;
}

/// From what a shape is made of to its core at a pose.
static inline flat_body make_body(const carom_shape_given *g, const carom_placement *at)
{
    flat_body body = {.n = g->n_point, .radius = g->radius[0], .is_convex = true};
    const bool is_box = strcmp(g->kind, "box") == 0;
    if (is_box) {
        const real x = g->size[0] / 2.0L - g->rounding, y = g->size[1] / 2.0L - g->rounding;
        const real all[4][2] = {{-x, -y}, {x, -y}, {x, y}, {-x, y}};
        memcpy(body.p, all, sizeof all);
        body.n = 4;
        body.radius = g->rounding;
    }
    for (int i = 0; i < g->n_point; i++)
        for (int k = 0; k < 2; k++) body.p[i][k] = g->point[3 * i + k];
    if (!is_box && g->rounding > 0) inset(&body, g->rounding);
    body.is_half = strcmp(g->kind, "half_plane") == 0;
    const real length = hypotl(g->normal[0], g->normal[1]);
    real n[2];
    for (int k = 0; k < 2; k++)
        n[k] = length > 0 ? (g->place.R[3 * k] * (real)g->normal[0] +
                             g->place.R[3 * k + 1] * (real)g->normal[1]) /
                                length
                          : 0;
    for (int k = 0; k < 2; k++) body.normal[k] = at->R[3 * k] * n[0] + at->R[3 * k + 1] * n[1];
    for (int i = 0; i < body.n; i++) {
        real inside[2];
        place_point(&g->place, body.p[i], inside);
        place_point(at, inside, body.p[i]);
    }
    for (int i = 0; i < body.n && body.n > 2; i++)
        if (cross3(body.p[i], body.p[(i + 1) % body.n], body.p[(i + 2) % body.n]) < 0)
            body.is_convex = false;
    return body;
}

static inline real point_to_edge(const real *x, const real *p, const real *q)
{
    const real t[2] = {q[0] - p[0], q[1] - p[1]}, d[2] = {x[0] - p[0], x[1] - p[1]};
    const real square = t[0] * t[0] + t[1] * t[1];
    real s = square > 0 ? (d[0] * t[0] + d[1] * t[1]) / square : 0;
    s = s < 0 ? 0 : s > 1 ? 1 : s;
    return hypotl(d[0] - s * t[0], d[1] - s * t[1]);
}

static inline bool is_inside(const flat_body *b, const real *x)
{
    bool is_in = false;
    for (int i = 0, k = b->n - 1; i < b->n && b->n > 2; k = i++) {
        const real *p = b->p[i], *q = b->p[k];
        if ((p[1] > x[1]) != (q[1] > x[1]) &&
            x[0] < (q[0] - p[0]) * (x[1] - p[1]) / (q[1] - p[1]) + p[0])
            is_in = !is_in;
    }
    return is_in;
}

/// Whether the lines around two bodies cross, or one is in the other; none is quite in line.
static inline bool do_overlap(const flat_body *a, const flat_body *b)
{
    if (is_inside(a, b->p[0]) || is_inside(b, a->p[0])) return true;
    for (int i = 0; i < a->n && a->n > 1; i++)
        for (int k = 0; k < b->n && b->n > 1; k++) {
            const real *p = a->p[i], *q = a->p[(i + 1) % a->n];
            const real *u = b->p[k], *v = b->p[(k + 1) % b->n];
            if (cross3(p, q, u) * cross3(p, q, v) < 0 && cross3(u, v, p) * cross3(u, v, q) < 0)
                return true;
        }
    return false;
}

static inline real least_distance(const flat_body *a, const flat_body *b)
{
    real least = INFINITY;
    for (int turn = 0; turn < 2; turn++) {
        const flat_body *x = turn ? b : a, *y = turn ? a : b;
        for (int i = 0; i < x->n; i++)
            for (int k = 0; k < y->n; k++)
                least = fminl(least, point_to_edge(x->p[i], y->p[k], y->p[(k + 1) % y->n]));
    }
    return least;
}

/// The largest of all least heights above an edge of a convex body: minus the depth of an overlap.
static inline real largest_separation(const flat_body *a, const flat_body *b)
{
    real most = -INFINITY;
    for (int turn = 0; turn < 2; turn++) {
        const flat_body *x = turn ? b : a, *y = turn ? a : b;
        for (int i = 0; i < x->n && x->n > 1; i++) {
            real n[2], least = INFINITY;
            unit_normal(x->p[i], x->p[(i + 1) % x->n], n);
            for (int k = 0; k < y->n; k++)
                least = fminl(least,
                              n[0] * (y->p[k][0] - x->p[i][0]) + n[1] * (y->p[k][1] - x->p[i][1]));
            most = fmaxl(most, least);
        }
    }
    return most;
}

/// The gap of two bodies; false where they overlap and one is not convex: it has no closed form.
static inline bool reference_gap(const flat_body *a, const flat_body *b, real *gap)
{
    const flat_body *half = a->is_half ? a : b, *other = a->is_half ? b : a;
    const real radius = a->radius + b->radius;
    if (half->is_half) {
        *gap = INFINITY;
        for (int i = 0; i < other->n; i++)
            *gap = fminl(*gap, half->normal[0] * (other->p[i][0] - half->p[0][0]) +
                                   half->normal[1] * (other->p[i][1] - half->p[0][1]));
    } else if (a->is_convex && b->is_convex) {
        const real separation = largest_separation(a, b);
        *gap = separation < 0 && !isinf(separation) ? separation : least_distance(a, b);
    } else {
        if (do_overlap(a, b)) return false;
        *gap = least_distance(a, b);
    }
    *gap -= radius;
    return true;
}

/// The gap of a feature by its own numbers, bodies at the poses given.
static inline real feature_gap(const carom_feature *f, const carom_placement *at1,
                               const carom_placement *at2)
{
    real x[2], y[2];
    place_point(at1, (real[]){f->p1[0], f->p1[1]}, x);
    place_point(at2, (real[]){f->p2[0], f->p2[1]}, y);
    const real d[2] = {x[0] - y[0], x[1] - y[1]};
    if (f->primitive == CAROM_POINT_POINT) return f->side * (hypotl(d[0], d[1]) - f->radius);
    real n[2];
    for (int k = 0; k < 2; k++)
        n[k] = (real)at2->R[3 * k] * f->d2[0] + (real)at2->R[3 * k + 1] * f->d2[1];
    return n[0] * d[0] + n[1] * d[1] - f->radius;
}

static inline bool turns_inward(const flat_body *b, int i)
{
    return b->n > 2 && cross3(b->p[(i + b->n - 1) % b->n], b->p[i], b->p[(i + 1) % b->n]) < 0;
}

/// How far x is from the ends of edge i, on its inner side; an end that turns inwards is none.
static inline real edge_margin(const flat_body *b, int i, const real *x)
{
    const int next = (i + 1) % b->n;
    const real *p = b->p[i], *q = b->p[next], length = hypotl(q[0] - p[0], q[1] - p[1]);
    const real along = ((x[0] - p[0]) * (q[0] - p[0]) + (x[1] - p[1]) * (q[1] - p[1])) / length;
    return fminl(turns_inward(b, i) ? INFINITY : along,
                 turns_inward(b, next) ? INFINITY : length - along);
}

static inline double shortest_edge(const flat_body *b)
{
    real least = INFINITY;
    for (int i = 0; i < b->n && b->n > 1; i++) {
        const real *p = b->p[i], *q = b->p[(i + 1) % b->n];
        least = fminl(least, hypotl(q[0] - p[0], q[1] - p[1]));
    }
    return (double)least;
}

/// How far x is beyond the ends of both edges at corner i.
static inline real corner_margin(const flat_body *b, int i, const real *x)
{
    if (b->n == 1) return INFINITY;
    real margin = INFINITY;
    for (int side = -1; side < 2; side += 2) {
        const real *p = b->p[i], *q = b->p[(i + b->n + side) % b->n];
        const real length = hypotl(p[0] - q[0], p[1] - q[1]);
        const real beyond =
            ((x[0] - p[0]) * (p[0] - q[0]) + (x[1] - p[1]) * (p[1] - q[1])) / length;
        margin = fminl(margin, beyond);
    }
    return margin;
}

/// The margin of a feature by the numbers of its corners and edges.
static inline real feature_margin(const carom_feature *f, const flat_body *b1, const flat_body *b2)
{
    if (b2->is_half) return INFINITY;
    const int i = (int)f->feature[0] / 2, k = (int)f->feature[1] / 2;
    if (f->primitive == CAROM_POINT_PLANE) return edge_margin(b2, k, b1->p[i]);
    return fminl(corner_margin(b1, i, b2->p[k]), corner_margin(b2, k, b1->p[i]));
}

static uint64_t draw_seed = 1;

/// From 0 up to 1.
static inline double draw(void)
{
    draw_seed = draw_seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(draw_seed >> 11) / 9007199254740992.0;
}

static inline double draw_between(double low, double high)
{
    return low + (high - low) * draw();
}

static inline carom_placement make_pose(double x, double y, double angle)
{
    const double c = cos(angle), s = sin(angle);
    return (carom_placement){.r = {x, y}, .R = {c, -s, 0, s, c, 0, 0, 0, 1}};
}

/// A quarter turn k times, without rounding.
static inline carom_placement make_quarter(double x, double y, int k)
{
    static const double c[4] = {1, 0, -1, 0}, s[4] = {0, 1, 0, -1};
    return (carom_placement){.r = {x, y},
                             .R = {c[k & 3], -s[k & 3], 0, s[k & 3], c[k & 3], 0, 0, 0, 1}};
}

#endif
