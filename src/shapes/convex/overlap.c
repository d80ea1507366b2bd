// SPDX-License-Identifier: Apache-2.0
// The axis of largest separation of two convex cores that touch or overlap: all face normals, and
// n = e x f of those edges e of a and f of b whose arcs on the sphere of normals cross. The arc of
// an edge runs from the normal of the face on its left to that on its right; b's are taken
// negative. A segment has no faces: the arc of its edge is the whole circle across it.
//
//     arcs (p, q) of e and (-r, -t) of f cross:   (r.e)(t.e) < 0,  (p.f)(q.f) < 0,  same half
//     s = n.(point of f - point of e)
//
// n is made perpendicular to e again after it was scaled: then s is exact to rounding also for
// edges that are nearly parallel, where n itself is not. There all vertices are asked too.
#include "shapes/solid/solid.h"

#include "math/vec3.h"

#include <float.h>

typedef struct search {
    const carom_solid_pair *pair;
    carom_way_filter *filter;
    const void *context;
    double bias; // by which a way must be better than what was tried before
    carom_way *best;
} search;

static void take(search *s, const carom_way *way)
{
    if (!s->filter || s->filter(s->context, way)) *s->best = *way;
}

/// b's direction v in axes of a.
static void turn(const carom_solid_pair *pair, const double *v, double *out)
{
    for (int i = 0; i < 3; i++) out[i] = carom_vec3_dot(pair->R + 3 * i, v);
}

static void try_faces_a(search *s)
{
    const carom_solid_pair *pair = s->pair;
    for (int i = 0; i < pair->a->n_face; i++) {
        carom_way way = {.kind = CAROM_WAY_FACE_A, .i = i, .j = -1};
        double x[3];
        carom_vec3_negate(pair->a->normal + 3 * i, way.n);
        carom_solid_across(pair, carom_solid_support_b(pair, way.n), x);
        carom_vec3_copy(pair->a->normal + 3 * i, way.n);
        way.s = carom_vec3_dot(way.n, x) - pair->a->offset[i];
        if (way.s > s->best->s) take(s, &way);
    }
}

static void try_faces_b(search *s)
{
    const carom_solid_pair *pair = s->pair;
    for (int j = 0; j < pair->b->n_face; j++) {
        carom_way way = {.kind = CAROM_WAY_FACE_B, .i = -1, .j = j};
        double n[3], x[3];
        turn(pair, pair->b->normal + 3 * j, n);
        carom_vec3_negate(n, way.n);
        const int i = carom_solid_support_a(pair, way.n);
        carom_solid_across(pair, pair->b->ring[pair->b->start[j]], x);
        carom_vec3_subtract(pair->a->vertex + 3 * i, x, x);
        way.s = carom_vec3_dot(n, x);
        if (way.s > s->best->s + s->bias) take(s, &way);
    }
}

/// Whether the arcs of two edges cross, and into which half (a direction that n looks along).
static bool do_arcs_cross(const carom_solid *a, int i, const double *e, const double r[2][3],
                          const double *f, double *half)
{
    double p_f = -1, q_f = 1;
    for (int k = 0; k < 3; k++) half[k] = 0;
    if (r[0][0] != INFINITY) {
        if (!(carom_vec3_dot(r[0], e) * carom_vec3_dot(r[1], e) < 0)) return false;
        for (int k = 0; k < 3; k++) half[k] = -(r[0][k] + r[1][k]);
    }
    if (a->n_face == 0) return true;
    const double *p = a->normal + 3 * a->side[2 * i], *q = a->normal + 3 * a->side[2 * i + 1];
    p_f = carom_vec3_dot(p, f);
    q_f = carom_vec3_dot(q, f);
    if (!(p_f * q_f < 0)) return false;
    double own[3] = {p[0] + q[0], p[1] + q[1], p[2] + q[2]};
    if (carom_vec3_dot(own, own) < 1e-20) carom_vec3_cross(e, p, own); // front and back of a plate
    if (r[0][0] == INFINITY) {
        carom_vec3_copy(own, half);
        return true;
    }
    // the crossing of the circles that is on a's arc is on b's too
    double n[3];
    carom_vec3_cross(e, f, n);
    const bool is_same = (carom_vec3_dot(n, own) > 0) == (carom_vec3_dot(n, half) > 0);
    carom_vec3_copy(own, half);
    return is_same;
}

static void try_pair(search *s, int i, int j, const double *e, const double *f, const double *half)
{
    const carom_solid_pair *pair = s->pair;
    carom_way way = {.kind = CAROM_WAY_EDGES, .i = i, .j = j};
    double x[3];
    carom_vec3_cross(e, f, way.n);
    const double sine = carom_vec3_unit(way.n, way.n);
    if (!(sine > 0)) return;
    if (carom_vec3_dot(way.n, half) < 0) carom_vec3_negate(way.n, way.n);
    carom_vec3_add(way.n, -carom_vec3_dot(way.n, e), e, way.n);
    carom_vec3_unit(way.n, way.n);
    carom_solid_across(pair, pair->b->end[2 * j], x);
    carom_vec3_subtract(x, pair->a->vertex + 3 * pair->a->end[2 * i], x);
    way.s = carom_vec3_dot(way.n, x);
    if (!(way.s > s->best->s + s->bias)) return;
    if (sine < 1e-3) {
        way.s = fmin(way.s, carom_solid_separation(pair, way.n));
        if (!(way.s > s->best->s + s->bias)) return;
    }
    take(s, &way);
}

static void try_edges(search *s)
{
    const carom_solid *a = s->pair->a, *b = s->pair->b;
    for (int j = 0; j < b->n_edge; j++) {
        double f[3], r[2][3] = {{INFINITY}, {INFINITY}};
        turn(s->pair, b->along + 3 * j, f);
        for (int k = 0; k < 2 && b->n_face > 0; k++)
            turn(s->pair, b->normal + 3 * b->side[2 * j + k], r[k]);
        for (int i = 0; i < a->n_edge; i++) {
            double half[3];
            const double *e = a->along + 3 * i;
            if (do_arcs_cross(a, i, e, (const double(*)[3])r, f, half))
                try_pair(s, i, j, e, f, half);
        }
    }
}

void carom_solid_overlap(const carom_solid_pair *pair, carom_way_filter *filter,
                         const void *context, carom_way *way)
{
    search s = {pair, filter, context, 2 * DBL_EPSILON * pair->size, way};
    way->s = -INFINITY;
    try_faces_a(&s);
    try_faces_b(&s);
    try_edges(&s);
}
