// SPDX-License-Identifier: Apache-2.0
// The contact polygon: a face of a and a face of b seen along n. Its corners are corners of one
// face inside of the other, and crossings of their sides:
//
//     s_ij, t_ji   how far corner i of a's face is inside of side j of b's, and the other way round
//     corner i     counts where all s_ij >= 0;   corner j of b where all t_ji >= 0, unless it
//                  lies on a corner of a that counts
//     crossing     of side i and side j: s changes its sign along i, and t along j
//
// Distances below 1e-10 of the size count as 0, which crosses nothing: faces that coincide have
// each corner once. Vertices become points over planes, crossings edges over edges, if their own
// normal is near to n; a crossing of sides that are nearly parallel, whose normal may point
// anywhere, is a point of a's side over b's face. No room runs out: all pairs are looked at.
#include "shapes/convex/contact.h"

#include "math/rotation.h"
#include "math/vec3.h"

/// Cosine of how far a contact's own normal may be from n.
static const double near_enough = 0.9;

typedef struct outline {
    int n, face; // corners; the face or -1
    int n_side;
    const int *vertex, *edge;
    int own[2], own_edge; // of a point or an edge that stands in for a face
    double p[CAROM_RING_ROOM][3];
    double x[CAROM_RING_ROOM], y[CAROM_RING_ROOM];               // seen along n
    double across_x[CAROM_RING_ROOM], across_y[CAROM_RING_ROOM]; // into the outline, unit
    bool is_inside[CAROM_RING_ROOM];
    double margin[CAROM_RING_ROOM];
} outline;

static void take_face(const carom_solid *solid, int face, outline *o)
{
    o->face = face;
    o->n = o->n_side = solid->start[face + 1] - solid->start[face];
    o->vertex = solid->ring + solid->start[face];
    o->edge = solid->ring_edge + solid->start[face];
}

static void take_edge(const carom_solid *solid, int edge, outline *o)
{
    o->face = -1;
    o->n = 2;
    o->n_side = 1;
    o->own[0] = solid->end[2 * edge];
    o->own[1] = solid->end[2 * edge + 1];
    o->own_edge = edge;
    o->vertex = o->own;
    o->edge = &o->own_edge;
}

static void take_vertex(int vertex, outline *o)
{
    o->face = -1;
    o->n = 1;
    o->n_side = 0;
    o->own[0] = vertex;
    o->vertex = o->own;
}

/// The face at a supporting vertex that holds most of what is equally far along n (axes of the
/// core), then the one that faces most along n.
static int find_face(const carom_solid *solid, int vertex, const double *n, double equal)
{
    const double most = carom_vec3_dot(solid->vertex + 3 * vertex, n);
    int best = -1, best_count = 0;
    double best_cosine = -2;
    for (int k = solid->fan_start[vertex]; k < solid->fan_start[vertex + 1]; k++) {
        const int face = solid->fan[k];
        int count = 0;
        for (int m = solid->start[face]; m < solid->start[face + 1]; m++)
            count += carom_vec3_dot(solid->vertex + 3 * solid->ring[m], n) >= most - equal;
        const double cosine = carom_vec3_dot(solid->normal + 3 * face, n);
        if (count < best_count || (count == best_count && cosine <= best_cosine)) continue;
        best = face;
        best_count = count;
        best_cosine = cosine;
    }
    return best;
}

/// The face beside an edge that faces most along n.
static int find_side(const carom_solid *solid, int edge, const double *n)
{
    const int *side = solid->side + 2 * edge;
    return carom_vec3_dot(solid->normal + 3 * side[1], n) >
                   carom_vec3_dot(solid->normal + 3 * side[0], n)
               ? side[1]
               : side[0];
}

/// n in axes of the core, out of it. face or edge: what the way names of it, or -1.
static void take_outline(const carom_solid *solid, const double *n, int face, int edge,
                         double equal, outline *o)
{
    if (solid->n_edge == 0) {
        take_vertex(0, o);
    } else if (solid->n_face == 0) {
        take_edge(solid, 0, o);
    } else if (face >= 0) {
        take_face(solid, face, o);
    } else if (edge >= 0) {
        take_face(solid, find_side(solid, edge, n), o);
    } else if (solid->is_box) { // the furthest corner is on the face that looks most along n
        double most = 0;
        int best = 0;
        for (int k = 0; k < 3; k++) {
            const double cosine = carom_vec3_dot(solid->axis + 3 * k, n);
            if (!(fabs(cosine) > most)) continue;
            most = fabs(cosine);
            best = 2 * k + (cosine < 0);
        }
        take_face(solid, best, o);
    } else {
        int vertex = 0;
        double most = -INFINITY;
        for (int i = 0; i < solid->n_vertex; i++) {
            const double s = carom_vec3_dot(solid->vertex + 3 * i, n);
            if (!(s > most)) continue;
            most = s;
            vertex = i;
        }
        take_face(solid, find_face(solid, vertex, n, equal), o);
    }
}

/// Corners seen along n, and which side is in; sign 1 where the face looks along n.
static void look_along(const double *t1, const double *t2, double sign, outline *o)
{
    for (int i = 0; i < o->n; i++) {
        o->x[i] = carom_vec3_dot(t1, o->p[i]);
        o->y[i] = carom_vec3_dot(t2, o->p[i]);
    }
    for (int i = 0; i < o->n && o->n > 2; i++) {
        const int j = i + 1 < o->n ? i + 1 : 0;
        const double x = o->x[j] - o->x[i], y = o->y[j] - o->y[i];
        const double length = sqrt(x * x + y * y), factor = length > 0 ? sign / length : 0;
        o->across_x[i] = -y * factor;
        o->across_y[i] = x * factor;
    }
}

/// How far point i of o is inside of side j of other.
static double find_depth(const outline *o, int i, const outline *other, int j)
{
    return (o->x[i] - other->x[j]) * other->across_x[j] +
           (o->y[i] - other->y[j]) * other->across_y[j];
}

typedef signed char signs[CAROM_RING_ROOM][CAROM_RING_ROOM];

/// sign[i][j]: of how far corner i of o is inside of side j of other.
static void find_inside(outline *o, const outline *other, double nothing, signs sign)
{
    for (int i = 0; i < o->n; i++) {
        double margin = other->n > 2 ? INFINITY : -INFINITY;
        for (int j = 0; j < other->n && other->n > 2; j++) {
            const double depth = find_depth(o, i, other, j);
            if (depth < margin) margin = depth;
            sign[i][j] = depth > nothing ? 1 : depth < -nothing ? -1 : 0;
        }
        o->margin[i] = margin;
        o->is_inside[i] = margin >= -nothing;
    }
}

static bool is_taken(const outline *a, const outline *b, int j, double nothing)
{
    for (int i = 0; i < a->n; i++)
        if (a->is_inside[i] && fabs(a->x[i] - b->x[j]) <= nothing &&
            fabs(a->y[i] - b->y[j]) <= nothing)
            return true;
    return false;
}

/// The crossing of side i of a and side k of b.
static void add_crossing(carom_contact *c, const carom_way *way, const outline *a, const outline *b,
                         int i, int k)
{
    const int next = i + 1 < a->n ? i + 1 : 0;
    double e[3], f[3], n[3], x[3];
    carom_vec3_copy(c->pair->a->along + 3 * a->edge[i], e);
    for (int m = 0; m < 3; m++)
        f[m] = carom_vec3_dot(c->pair->R + 3 * m, c->pair->b->along + 3 * b->edge[k]);
    carom_vec3_cross(e, f, n);
    const double sine = carom_vec3_unit(n, n);
    if (sine > 1e-6 && fabs(carom_vec3_dot(n, way->n)) >= near_enough) {
        carom_contact_edges(c, a->edge[i], b->edge[k], way->n);
        return;
    }
    if (b->face < 0 || a->face < 0) return;
    double normal[3];
    for (int m = 0; m < 3; m++)
        normal[m] = carom_vec3_dot(c->pair->R + 3 * m, c->pair->b->normal + 3 * b->face);
    if (-carom_vec3_dot(normal, way->n) < near_enough ||
        carom_vec3_dot(c->pair->a->normal + 3 * a->face, way->n) < near_enough)
        return;
    const double from = find_depth(a, i, b, k), to = find_depth(a, next, b, k);
    for (int m = 0; m < 3; m++)
        x[m] = a->p[i][m] + from / (from - to) * (a->p[next][m] - a->p[i][m]);
    carom_contact_cut(c, x, a->edge[i], b->face, b->edge[k], 0);
}

/// Whether a side of a face runs from one side to the other of an edge that has no face.
static bool is_across(const outline *edge, const outline *face, int i, int next)
{
    const double x = edge->x[1] - edge->x[0], y = edge->y[1] - edge->y[0];
    const double one = x * (face->y[i] - edge->y[0]) - y * (face->x[i] - edge->x[0]);
    const double two = x * (face->y[next] - edge->y[0]) - y * (face->x[next] - edge->x[0]);
    return one * two < 0;
}

static void add_crossings(carom_contact *c, const carom_way *way, const outline *a,
                          const outline *b, signs of_a, signs of_b)
{
    for (int i = 0; i < a->n_side; i++) {
        const int next_i = i + 1 < a->n ? i + 1 : 0;
        for (int k = 0; k < b->n_side; k++) {
            const int next_k = k + 1 < b->n ? k + 1 : 0;
            if (b->n > 2 && of_a[i][k] * of_a[next_i][k] >= 0) continue;
            if (a->n > 2 && of_b[k][i] * of_b[next_k][i] >= 0) continue;
            if (a->n == 2 && !is_across(a, b, k, next_k)) continue;
            if (b->n == 2 && !is_across(b, a, i, next_i)) continue;
            add_crossing(c, way, a, b, i, k);
        }
    }
}

/// Both outlines laid out in axes of a.
static void place(const carom_solid_pair *pair, outline *a, outline *b)
{
    for (int i = 0; i < a->n; i++) carom_vec3_copy(pair->a->vertex + 3 * a->vertex[i], a->p[i]);
    for (int j = 0; j < b->n; j++) carom_solid_across(pair, b->vertex[j], b->p[j]);
}

void carom_contact_polygon(carom_contact *c, const carom_way *way)
{
    const carom_solid_pair *pair = c->pair;
    const double nothing = 1e-10 * pair->size;
    const bool is_edges = way->kind == CAROM_WAY_EDGES;
    outline a, b; // filled as far as they reach
    signs of_a, of_b;
    double n_b[3], t1[3], t2[3], to_a = 1, to_b = 1;
    for (int k = 0; k < 3; k++)
        n_b[k] =
            -(pair->R[k] * way->n[0] + pair->R[3 + k] * way->n[1] + pair->R[6 + k] * way->n[2]);
    take_outline(pair->a, way->n, way->kind == CAROM_WAY_FACE_A ? way->i : -1,
                 is_edges ? way->i : -1, nothing, &a);
    take_outline(pair->b, n_b, way->kind == CAROM_WAY_FACE_B ? way->j : -1, is_edges ? way->j : -1,
                 nothing, &b);
    if (a.face >= 0) to_a = carom_vec3_dot(pair->a->normal + 3 * a.face, way->n);
    if (b.face >= 0) to_b = carom_vec3_dot(pair->b->normal + 3 * b.face, n_b);
    if (a.face < 0 && b.face < 0) return;
    if (is_edges && (to_a < near_enough || to_b < near_enough)) return;
    place(pair, &a, &b);
    carom_rotation_across(way->n, t1);
    carom_vec3_cross(way->n, t1, t2);
    look_along(t1, t2, 1, &a);
    look_along(t1, t2, -1, &b);
    find_inside(&a, &b, nothing, of_a);
    find_inside(&b, &a, nothing, of_b);
    const bool is_a_over = b.face >= 0 && to_b >= near_enough,
               is_b_over = a.face >= 0 && to_a >= near_enough;
    for (int i = 0; i < a.n && is_a_over; i++)
        if (a.is_inside[i]) carom_contact_a_face(c, a.vertex[i], b.face, a.margin[i]);
    for (int j = 0; j < b.n && is_b_over; j++)
        if (b.is_inside[j] && !(is_a_over && is_taken(&a, &b, j, nothing)))
            carom_contact_b_face(c, a.face, b.vertex[j], b.margin[j]);
    add_crossings(c, way, &a, &b, of_a, of_b);
}
