// SPDX-License-Identifier: Apache-2.0
// The way from one feature to another, and the shortest of all such ways.
//
//     vertex, vertex    d = y - x
//     vertex, edge      d less its part along the edge, if the foot lies on it
//     vertex, face      the plane's distance, if the foot lies on the face
//     edge, edge        n = e x f / |e x f|, if both feet lie on the edges: if each edge crosses
//                       the plane through the other one and n, however parallel they are
#include "shapes/convex/nearest.h"

#include "math/vec3.h"

#include <float.h>

static void take(carom_way *way, carom_way_kind kind, int i, int j, const double *d, double s)
{
    if (!(s < way->s)) return;
    way->kind = kind;
    way->i = i;
    way->j = j;
    way->s = s;
    for (int k = 0; k < 3; k++) way->n[k] = s > 0 ? d[k] / s : k == 2;
}

static void try_points(const carom_solid_pair *pair, int i, int j, carom_way *way)
{
    double d[3];
    carom_solid_across(pair, j, d);
    carom_vec3_subtract(d, pair->a->vertex + 3 * i, d);
    take(way, CAROM_WAY_POINTS, i, j, d, carom_vec3_length(d));
}

/// From the foot on a line through p to x, which does not reach beyond the edge's length.
static bool drop(const double *x, const double *p, const double *q, const double *along, double *d)
{
    double from_q[3];
    carom_vec3_subtract(x, p, d);
    carom_vec3_subtract(x, q, from_q);
    const double s = carom_vec3_dot(d, along);
    if (!(s >= 0) || !(carom_vec3_dot(from_q, along) <= 0)) return false;
    carom_vec3_add(d, -s, along, d);
    return true;
}

static void place_edge(const carom_solid_pair *pair, int j, double *p, double *q, double *along)
{
    carom_solid_across(pair, pair->b->end[2 * j], p);
    carom_solid_across(pair, pair->b->end[2 * j + 1], q);
    for (int k = 0; k < 3; k++) along[k] = carom_vec3_dot(pair->R + 3 * k, pair->b->along + 3 * j);
}

static void try_a_line(const carom_solid_pair *pair, int i, int j, carom_way *way)
{
    double p[3], q[3], f[3], d[3];
    place_edge(pair, j, p, q, f);
    if (!drop(pair->a->vertex + 3 * i, p, q, f, d)) return;
    carom_vec3_negate(d, d);
    take(way, CAROM_WAY_A_LINE, i, j, d, carom_vec3_length(d));
}

static void try_b_line(const carom_solid_pair *pair, int i, int j, carom_way *way)
{
    const carom_solid *a = pair->a;
    double x[3], d[3];
    carom_solid_across(pair, j, x);
    if (drop(x, a->vertex + 3 * a->end[2 * i], a->vertex + 3 * a->end[2 * i + 1], a->along + 3 * i,
             d))
        take(way, CAROM_WAY_B_LINE, i, j, d, carom_vec3_length(d));
}

static void try_edges(const carom_solid_pair *pair, int i, int j, carom_way *way)
{
    const carom_solid *a = pair->a;
    const double *e = a->along + 3 * i, *x = a->vertex + 3 * a->end[2 * i],
                 *y = a->vertex + 3 * a->end[2 * i + 1];
    double p[3], q[3], f[3], n[3], across[3], d[3];
    place_edge(pair, j, p, q, f);
    carom_vec3_cross(e, f, n);
    if (!(carom_vec3_unit(n, n) > 0)) return;
    carom_vec3_add(n, -carom_vec3_dot(n, e), e, n);
    carom_vec3_unit(n, n);
    // b's ends are on both sides of the plane of e and n, a's of the plane of f and n
    carom_vec3_cross(n, e, across);
    carom_vec3_subtract(p, x, d);
    const double s = carom_vec3_dot(n, d), b_begin = carom_vec3_dot(across, d);
    carom_vec3_subtract(q, x, d);
    if (!(b_begin * carom_vec3_dot(across, d) <= 0)) return;
    carom_vec3_cross(n, f, across);
    carom_vec3_subtract(x, p, d);
    const double a_begin = carom_vec3_dot(across, d);
    carom_vec3_subtract(y, p, d);
    if (!(a_begin * carom_vec3_dot(across, d) <= 0)) return;
    if (!(fabs(s) < way->s - 2 * DBL_EPSILON * pair->size)) return; // nor is a corner as near
    for (int k = 0; k < 3; k++) d[k] = s * n[k];
    take(way, CAROM_WAY_EDGES, i, j, d, fabs(s));
}

/// The plane's distance from x; false where the foot is outside of the face. x in axes of the
/// face's body.
static bool find_height(const carom_solid *solid, int face, const double *x, double *height)
{
    const double *n = solid->normal + 3 * face;
    const int first = solid->start[face], m = solid->start[face + 1] - first;
    for (int k = 0; k < m; k++) {
        const double *p = solid->vertex + 3 * solid->ring[first + k];
        const double *q = solid->vertex + 3 * solid->ring[first + (k + 1) % m];
        double d[3], side[3];
        carom_vec3_subtract(q, p, side);
        carom_vec3_subtract(x, p, d);
        if (!(carom_vec3_triple(n, side, d) >= 0)) return false;
    }
    *height = carom_vec3_dot(n, x) - solid->offset[face];
    return *height > 0;
}

static void try_face_a(const carom_solid_pair *pair, int i, int j, carom_way *way)
{
    double x[3], height;
    carom_solid_across(pair, j, x);
    if (!find_height(pair->a, i, x, &height) || !(height < way->s)) return;
    way->kind = CAROM_WAY_FACE_A;
    way->i = i;
    way->j = j;
    way->s = height;
    carom_vec3_copy(pair->a->normal + 3 * i, way->n);
}

static void try_face_b(const carom_solid_pair *pair, int i, int j, carom_way *way)
{
    double d[3], x[3], height;
    carom_vec3_subtract(pair->a->vertex + 3 * i, pair->t, d);
    for (int k = 0; k < 3; k++)
        x[k] = pair->R[k] * d[0] + pair->R[3 + k] * d[1] + pair->R[6 + k] * d[2];
    if (!find_height(pair->b, j, x, &height) || !(height < way->s)) return;
    way->kind = CAROM_WAY_FACE_B;
    way->i = i;
    way->j = j;
    way->s = height;
    for (int k = 0; k < 3; k++)
        way->n[k] = -carom_vec3_dot(pair->R + 3 * k, pair->b->normal + 3 * j);
}

/// A face's plane and the vertex of the other core that is least far out.
static void take_plane_a(const carom_solid_pair *pair, int i, carom_way *way)
{
    const double *n = pair->a->normal + 3 * i;
    way->kind = CAROM_WAY_FACE_A;
    way->i = i;
    way->j = -1;
    way->s = carom_solid_separation(pair, n);
    carom_vec3_copy(n, way->n);
}

static void take_plane_b(const carom_solid_pair *pair, int j, carom_way *way)
{
    for (int k = 0; k < 3; k++)
        way->n[k] = -carom_vec3_dot(pair->R + 3 * k, pair->b->normal + 3 * j);
    way->kind = CAROM_WAY_FACE_B;
    way->i = -1;
    way->j = j;
    way->s = carom_solid_separation(pair, way->n);
}

void carom_closest_parts(const carom_solid_pair *pair, carom_part a, carom_part b, carom_way *way)
{
    way->s = INFINITY;
    if (a.n_point == 3) {
        take_plane_a(pair, a.number, way);
    } else if (b.n_point == 3) {
        take_plane_b(pair, b.number, way);
    } else if (a.n_point == 1 && b.n_point == 1) {
        try_points(pair, a.number, b.number, way);
    } else if (a.n_point == 1) {
        try_a_line(pair, a.number, b.number, way);
    } else if (b.n_point == 1) {
        try_b_line(pair, a.number, b.number, way);
    } else {
        const int *i = pair->a->end + 2 * a.number, *j = pair->b->end + 2 * b.number;
        for (int k = 0; k < 2; k++) try_a_line(pair, i[k], b.number, way);
        for (int k = 0; k < 2; k++) try_b_line(pair, a.number, j[k], way);
        try_edges(pair, a.number, b.number, way);
    }
    if (!(way->s > 0)) way->s = INFINITY;
}

void carom_closest_of_all(const carom_solid_pair *pair, carom_way *way)
{
    const carom_solid *a = pair->a, *b = pair->b;
    way->s = INFINITY;
    for (int i = 0; i < a->n_vertex; i++) {
        for (int j = 0; j < b->n_face; j++) try_face_b(pair, i, j, way);
        for (int j = 0; j < b->n_vertex; j++) try_points(pair, i, j, way);
        for (int j = 0; j < b->n_edge; j++) try_a_line(pair, i, j, way);
    }
    for (int j = 0; j < b->n_vertex; j++) {
        for (int i = 0; i < a->n_face; i++) try_face_a(pair, i, j, way);
        for (int i = 0; i < a->n_edge; i++) try_b_line(pair, i, j, way);
    }
    for (int i = 0; i < a->n_edge; i++)
        for (int j = 0; j < b->n_edge; j++) try_edges(pair, i, j, way);
}
