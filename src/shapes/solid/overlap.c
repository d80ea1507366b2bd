// SPDX-License-Identifier: Apache-2.0
// The axis of largest separation of two convex cores that touch or overlap: all face normals, and
// n = e x f of those edges e of a and f of b whose arcs on the sphere of normals cross. The arc of
// an edge runs from the normal of the face on its left to that on its right; b's are taken
// negative. A segment has no faces: the arc of its edge is the whole circle across it.
//
//     arcs (p, q) of e and (-r, -t) of f cross:   (r.e)(t.e) < 0,  (p.f)(q.f) < 0,  same half
//     s = n.(point of f - point of e)
//
// n is made perpendicular to e again after it was scaled: then s is exact to rounding also for edges
// that are nearly parallel, where n itself is not. There it is also compared with all vertices.
#include "shapes/solid/solid.h"

#include "math/vec3.h"

#include <float.h>

/// b's direction v in axes of a.
static void turn(const carom_solid_pair *pair, const double *v, double *out)
{
    for (int i = 0; i < 3; i++) out[i] = carom_vec3_dot(pair->R + 3 * i, v);
}

static void try_faces_a(const carom_solid_pair *pair, carom_way *way)
{
    for (int i = 0; i < pair->a->n_face; i++) {
        const double *n = pair->a->normal + 3 * i;
        const double back[3] = {-n[0], -n[1], -n[2]};
        double x[3];
        carom_solid_across(pair, carom_solid_support_b(pair, back), x);
        const double s = carom_vec3_dot(n, x) - pair->a->offset[i];
        if (!(s > way->s)) continue;
        way->kind = CAROM_WAY_FACE_A;
        way->i = i;
        way->s = s;
        carom_vec3_copy(n, way->n);
    }
}

static void try_faces_b(const carom_solid_pair *pair, double bias, carom_way *way)
{
    for (int j = 0; j < pair->b->n_face; j++) {
        double n[3], x[3];
        turn(pair, pair->b->normal + 3 * j, n);
        const int i = carom_solid_support_a(pair, (const double[3]){-n[0], -n[1], -n[2]});
        carom_solid_across(pair, pair->b->ring[pair->b->start[j]], x);
        carom_vec3_subtract(pair->a->vertex + 3 * i, x, x);
        const double s = carom_vec3_dot(n, x);
        if (!(s > way->s + bias)) continue;
        way->kind = CAROM_WAY_FACE_B;
        way->j = j;
        way->s = s;
        carom_vec3_negate(n, way->n);
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
    const double own[3] = {p[0] + q[0], p[1] + q[1], p[2] + q[2]};
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

static void try_pair(const carom_solid_pair *pair, int i, int j, const double *e, const double *f,
                     const double *half, double bias, carom_way *way)
{
    double n[3], x[3];
    carom_vec3_cross(e, f, n);
    const double sine = carom_vec3_unit(n, n);
    if (!(sine > 0)) return;
    if (carom_vec3_dot(n, half) < 0) carom_vec3_negate(n, n);
    carom_vec3_add(n, -carom_vec3_dot(n, e), e, n);
    carom_vec3_unit(n, n);
    carom_solid_across(pair, pair->b->end[2 * j], x);
    carom_vec3_subtract(x, pair->a->vertex + 3 * pair->a->end[2 * i], x);
    double s = carom_vec3_dot(n, x);
    if (!(s > way->s + bias)) return;
    if (sine < 1e-3) {
        s = fmin(s, carom_solid_separation(pair, n));
        if (!(s > way->s + bias)) return;
    }
    way->kind = CAROM_WAY_EDGES;
    way->i = i;
    way->j = j;
    way->s = s;
    carom_vec3_copy(n, way->n);
}

static void try_edges(const carom_solid_pair *pair, double bias, carom_way *way)
{
    const carom_solid *a = pair->a, *b = pair->b;
    for (int j = 0; j < b->n_edge; j++) {
        double f[3], r[2][3] = {{INFINITY}, {INFINITY}};
        turn(pair, b->along + 3 * j, f);
        for (int k = 0; k < 2 && b->n_face > 0; k++)
            turn(pair, b->normal + 3 * b->side[2 * j + k], r[k]);
        for (int i = 0; i < a->n_edge; i++) {
            double half[3];
            const double *e = a->along + 3 * i;
            if (do_arcs_cross(a, i, e, (const double(*)[3])r, f, half))
                try_pair(pair, i, j, e, f, half, bias, way);
        }
    }
}

void carom_solid_overlap(const carom_solid_pair *pair, carom_way *way)
{
    const double bias = 4 * DBL_EPSILON * pair->size;
    way->s = -INFINITY;
    try_faces_a(pair, way);
    try_faces_b(pair, bias, way);
    try_edges(pair, bias, way);
}
