// SPDX-License-Identifier: Apache-2.0
// Single contacts of two convex cores, each in axes of its own body. Gaps are worked out from
// points that are near to each other (feet), so that a direction's rounding is not multiplied by a
// length.
#include "shapes/convex/contact.h"

#include "math/rotation.h"
#include "math/vec3.h"

#include <float.h>

/// A point or direction (axes of a) in axes of b.
static void turn_to_b(const carom_solid_pair *pair, const double *d, double *out)
{
    for (int k = 0; k < 3; k++)
        out[k] = pair->R[k] * d[0] + pair->R[3 + k] * d[1] + pair->R[6 + k] * d[2];
}

static void shift_to_b(const carom_solid_pair *pair, const double *x, double *out)
{
    double d[3];
    carom_vec3_subtract(x, pair->t, d);
    turn_to_b(pair, d, out);
}

/// Body 1 becomes body 2. (d1 x d2).(p1 - p2) stays what it is.
static void exchange(carom_feature *f)
{
    const carom_feature old = *f;
    carom_vec3_copy(old.p2, f->p1);
    carom_vec3_copy(old.d2, f->d1);
    carom_vec3_copy(old.p1, f->p2);
    carom_vec3_copy(old.d1, f->d2);
    f->feature[0] = old.feature[1];
    f->feature[1] = old.feature[0];
}

/// is_a_first: body 1 is that of a. distance: of the cores.
static void add(carom_contact *c, bool is_a_first, double distance, carom_feature *feature)
{
    const double rounding = 4 * DBL_EPSILON * c->pair->size;
    if (distance < c->shortest - rounding) return;
    if (feature->margin >= -rounding && distance < c->least) c->least = distance;
    feature->gap = distance - c->radius;
    if (!(feature->gap < c->meeting->alert)) return;
    if (feature->primitive == CAROM_EDGE_EDGE || feature->primitive == CAROM_POINT_POINT) {
        if (c->who_a != 0) exchange(feature);
        is_a_first = c->who_a == 0;
    }
    feature->shape[0] = is_a_first ? c->who_a : 1 - c->who_a;
    feature->shape[1] = 1 - feature->shape[0];
    feature->radius = c->radius;
    feature->side = 1;
    carom_meeting_add(c->meeting, feature);
}

/// The foot of x on a plane.
static void set_plane(const double *x, const double *normal, double height, carom_feature *f)
{
    carom_vec3_copy(normal, f->d2);
    carom_vec3_add(x, -height, normal, f->p2);
}

void carom_contact_a_face(carom_contact *c, int i, int j, double margin)
{
    const carom_solid *a = c->pair->a, *b = c->pair->b;
    double x[3];
    shift_to_b(c->pair, a->vertex + 3 * i, x);
    carom_feature f = {.primitive = CAROM_POINT_PLANE, .margin = margin};
    f.feature[0] = carom_solid_vertex(a, i);
    f.feature[1] = (unsigned)j;
    carom_vec3_copy(a->vertex + 3 * i, f.p1);
    const double height = carom_vec3_dot(b->normal + 3 * j, x) - b->offset[j];
    set_plane(x, b->normal + 3 * j, height, &f);
    add(c, true, height, &f);
}

void carom_contact_b_face(carom_contact *c, int i, int j, double margin)
{
    const carom_solid *a = c->pair->a, *b = c->pair->b;
    double x[3];
    carom_solid_across(c->pair, j, x);
    carom_feature f = {.primitive = CAROM_POINT_PLANE, .margin = margin};
    f.feature[0] = carom_solid_vertex(b, j);
    f.feature[1] = (unsigned)i;
    carom_vec3_copy(b->vertex + 3 * j, f.p1);
    const double height = carom_vec3_dot(a->normal + 3 * i, x) - a->offset[i];
    set_plane(x, a->normal + 3 * i, height, &f);
    add(c, false, height, &f);
}

void carom_contact_cut(carom_contact *c, const double *x, int i, int j, int k, double margin)
{
    const carom_solid *a = c->pair->a, *b = c->pair->b;
    double y[3];
    shift_to_b(c->pair, x, y);
    carom_feature f = {.primitive = CAROM_POINT_PLANE, .margin = margin};
    f.feature[0] = carom_solid_edge(a, i);
    f.feature[1] = carom_solid_edge(b, k);
    carom_vec3_copy(x, f.p1);
    const double height = carom_vec3_dot(b->normal + 3 * j, y) - b->offset[j];
    set_plane(y, b->normal + 3 * j, height, &f);
    add(c, true, height, &f);
}

/// How far x is inside of an edge's ends.
static double find_margin(const double *x, const double *p, const double *q, const double *along)
{
    double from_p[3], from_q[3];
    carom_vec3_subtract(x, p, from_p);
    carom_vec3_subtract(q, x, from_q);
    const double s = carom_vec3_dot(from_p, along), t = carom_vec3_dot(from_q, along);
    return s < t ? s : t;
}

typedef struct line {
    double p[3], q[3], along[3]; // both ends, in axes of a
} line;

static void place_a(const carom_solid_pair *pair, int i, line *l)
{
    carom_vec3_copy(pair->a->vertex + 3 * pair->a->end[2 * i], l->p);
    carom_vec3_copy(pair->a->vertex + 3 * pair->a->end[2 * i + 1], l->q);
    carom_vec3_copy(pair->a->along + 3 * i, l->along);
}

static void place_b(const carom_solid_pair *pair, int j, line *l)
{
    carom_solid_across(pair, pair->b->end[2 * j], l->p);
    carom_solid_across(pair, pair->b->end[2 * j + 1], l->q);
    for (int k = 0; k < 3; k++)
        l->along[k] = carom_vec3_dot(pair->R + 3 * k, pair->b->along + 3 * j);
}

/// Feet of the common perpendicular n of two lines. s and t along them solve
/// s - t e.f = d.e,  s e.f - t = d.f;  where that is ill-conditioned, by planes through n.
static void find_feet(const line *e, const line *f, const double *n, double sine, double *x,
                      double *y)
{
    double d[3], s, t;
    carom_vec3_subtract(f->p, e->p, d);
    if (sine > 0.1) {
        const double cosine = carom_vec3_dot(e->along, f->along), factor = 1 / (sine * sine);
        const double on_e = carom_vec3_dot(d, e->along), on_f = carom_vec3_dot(d, f->along);
        s = (on_e - cosine * on_f) * factor;
        t = (cosine * on_e - on_f) * factor;
    } else {
        double across[3];
        carom_vec3_cross(n, f->along, across);
        s = carom_vec3_dot(across, d) / carom_vec3_dot(across, e->along);
        carom_vec3_cross(n, e->along, across);
        t = -carom_vec3_dot(across, d) / carom_vec3_dot(across, f->along);
    }
    carom_vec3_add(e->p, s, e->along, x);
    carom_vec3_add(f->p, t, f->along, y);
}

void carom_contact_edges(carom_contact *c, int i, int j, const double *n)
{
    line e, f;
    double own[3], x[3], y[3], d[3];
    place_a(c->pair, i, &e);
    place_b(c->pair, j, &f);
    carom_vec3_cross(e.along, f.along, own);
    const double sign = carom_vec3_dot(own, n) > 0 ? -1 : 1; // gap grows with body 1 against n
    const double sine = carom_vec3_unit(own, own);
    if (!(sine > 0)) return;
    if (sine < 0.1) { // exactly across again
        carom_vec3_add(own, -carom_vec3_dot(own, e.along), e.along, own);
        carom_vec3_unit(own, own);
    }
    find_feet(&e, &f, own, sine, x, y);
    carom_feature g = {.primitive = CAROM_EDGE_EDGE};
    g.feature[0] = carom_solid_edge(c->pair->a, i);
    g.feature[1] = carom_solid_edge(c->pair->b, j);
    const double on_a = find_margin(x, e.p, e.q, e.along), on_b = find_margin(y, f.p, f.q, f.along);
    g.margin = on_a < on_b ? on_a : on_b;
    carom_vec3_copy(x, g.p1);
    for (int k = 0; k < 3; k++) g.d1[k] = sign * e.along[k];
    shift_to_b(c->pair, y, g.p2);
    carom_vec3_copy(c->pair->b->along + 3 * j, g.d2);
    carom_vec3_subtract(x, y, d);
    add(c, true, sign * carom_vec3_dot(own, d), &g);
}

void carom_contact_points(carom_contact *c, int i, int j)
{
    double d[3];
    carom_feature f = {.primitive = CAROM_POINT_POINT, .margin = INFINITY};
    f.feature[0] = carom_solid_vertex(c->pair->a, i);
    f.feature[1] = carom_solid_vertex(c->pair->b, j);
    carom_vec3_copy(c->pair->a->vertex + 3 * i, f.p1);
    carom_vec3_copy(c->pair->b->vertex + 3 * j, f.p2);
    carom_solid_across(c->pair, j, d);
    carom_vec3_subtract(d, f.p1, d);
    add(c, true, carom_vec3_length(d), &f);
}

/// d from the foot of x on the line.
static bool drop(const line *l, const double *x, bool has_to_be, carom_feature *f, double *d,
                 double *foot)
{
    f->primitive = CAROM_POINT_LINE;
    f->margin = find_margin(x, l->p, l->q, l->along);
    if (!(f->margin >= 0) && !has_to_be) return false;
    carom_vec3_subtract(x, l->p, d);
    const double t = carom_vec3_dot(d, l->along);
    carom_vec3_add(l->p, t, l->along, foot);
    carom_vec3_add(d, -t, l->along, d);
    return true;
}

void carom_contact_a_line(carom_contact *c, int i, int j, bool has_to_be)
{
    line l;
    double d[3], foot[3];
    carom_feature f = {0};
    place_b(c->pair, j, &l);
    if (!drop(&l, c->pair->a->vertex + 3 * i, has_to_be, &f, d, foot)) return;
    f.feature[0] = carom_solid_vertex(c->pair->a, i);
    f.feature[1] = carom_solid_edge(c->pair->b, j);
    carom_vec3_copy(c->pair->a->vertex + 3 * i, f.p1);
    shift_to_b(c->pair, foot, f.p2);
    carom_vec3_copy(c->pair->b->along + 3 * j, f.d2);
    add(c, true, carom_vec3_length(d), &f);
}

void carom_contact_b_line(carom_contact *c, int i, int j, bool has_to_be)
{
    line l;
    double x[3], d[3];
    carom_feature f = {0};
    place_a(c->pair, i, &l);
    carom_solid_across(c->pair, j, x);
    if (!drop(&l, x, has_to_be, &f, d, f.p2)) return;
    f.feature[0] = carom_solid_vertex(c->pair->b, j);
    f.feature[1] = carom_solid_edge(c->pair->a, i);
    carom_vec3_copy(c->pair->b->vertex + 3 * j, f.p1);
    carom_vec3_copy(c->pair->a->along + 3 * i, f.d2);
    add(c, false, carom_vec3_length(d), &f);
}

/// Two edges side by side: also the ends of each that are beside the other.
static void add_ends(carom_contact *c, int i, int j)
{
    const int *on_a = c->pair->a->end + 2 * i, *on_b = c->pair->b->end + 2 * j;
    line e, f;
    place_a(c->pair, i, &e);
    place_b(c->pair, j, &f);
    for (int k = 0; k < 2; k++) carom_contact_a_line(c, on_a[k], j, false);
    for (int k = 0; k < 2; k++) { // unless that end is where one of a's is
        const double *y = k ? f.q : f.p;
        double near[2];
        for (int l = 0; l < 2; l++) {
            double d[3];
            carom_vec3_subtract(y, l ? e.q : e.p, d);
            near[l] = fabs(carom_vec3_dot(d, f.along));
        }
        if (fmin(near[0], near[1]) > 1e-10 * c->pair->size)
            carom_contact_b_line(c, i, on_b[k], false);
    }
}

/// The edge at a vertex that is most nearly parallel to a direction; false where none is.
static bool find_beside(const carom_solid *solid, int vertex, const double *along, int *edge)
{
    double most = 0.98;
    for (int e = 0; e < solid->n_edge; e++) {
        if (solid->end[2 * e] != vertex && solid->end[2 * e + 1] != vertex) continue;
        const double cosine = fabs(carom_vec3_dot(solid->along + 3 * e, along));
        if (!(cosine > most)) continue;
        most = cosine;
        *edge = e;
    }
    return most > 0.98;
}

void carom_contact_single(carom_contact *c, const carom_way *way)
{
    const carom_solid_pair *pair = c->pair;
    line l;
    int beside = 0, vertex;
    const double back[3] = {-way->n[0], -way->n[1], -way->n[2]};
    double along[3];
    switch (way->kind) {
    case CAROM_WAY_FACE_A:
        vertex = way->j < 0 ? carom_solid_support_b(pair, back) : way->j;
        carom_contact_b_face(c, way->i, vertex, 0);
        break;
    case CAROM_WAY_FACE_B:
        vertex = way->i < 0 ? carom_solid_support_a(pair, way->n) : way->i;
        carom_contact_a_face(c, vertex, way->j, 0);
        break;
    case CAROM_WAY_EDGES:
        carom_contact_edges(c, way->i, way->j, way->n);
        place_b(pair, way->j, &l);
        if (way->s > 0 && fabs(carom_vec3_dot(l.along, pair->a->along + 3 * way->i)) > 0.98)
            add_ends(c, way->i, way->j);
        break;
    case CAROM_WAY_POINTS:
        carom_contact_points(c, way->i, way->j);
        break;
    case CAROM_WAY_A_LINE:
        carom_contact_a_line(c, way->i, way->j, true);
        place_b(pair, way->j, &l);
        if (find_beside(pair->a, way->i, l.along, &beside)) add_ends(c, beside, way->j);
        break;
    case CAROM_WAY_B_LINE:
        carom_contact_b_line(c, way->i, way->j, true);
        turn_to_b(pair, pair->a->along + 3 * way->i, along);
        if (find_beside(pair->b, way->j, along, &beside)) add_ends(c, way->i, beside);
        break;
    }
}

/// What is nearest is past the border of faces that lie on each other, be it by rounding: their
/// polygon stays, as far as its corners are not nearer.
static void add_polygon_beside(carom_contact *c, const carom_way *way)
{
    const carom_solid *a = c->pair->a, *b = c->pair->b;
    carom_way face = *way;
    double most = 0.99, n_b[3];
    turn_to_b(c->pair, way->n, n_b);
    for (int i = 0; i < a->n_face; i++) {
        const double cosine = carom_vec3_dot(a->normal + 3 * i, way->n);
        if (!(cosine > most)) continue;
        most = cosine;
        face.kind = CAROM_WAY_FACE_A;
        face.i = i;
        carom_vec3_copy(a->normal + 3 * i, face.n);
    }
    for (int j = 0; j < b->n_face; j++) {
        const double cosine = -carom_vec3_dot(b->normal + 3 * j, n_b);
        if (!(cosine > most + 1e-9)) continue;
        most = cosine;
        face.kind = CAROM_WAY_FACE_B;
        face.j = j;
        for (int k = 0; k < 3; k++)
            face.n[k] = -carom_vec3_dot(c->pair->R + 3 * k, b->normal + 3 * j);
    }
    if (face.kind <= CAROM_WAY_FACE_B) carom_contact_polygon(c, &face);
}

void carom_contact_add(carom_contact *c, const carom_way *way)
{
    c->shortest = way->s;
    if (way->kind <= CAROM_WAY_EDGES)
        carom_contact_polygon(c, way);
    else
        add_polygon_beside(c, way);
    if (!(c->least > way->s + 4 * DBL_EPSILON * c->pair->size)) return;
    c->shortest = -INFINITY; // what is nearest counts, whatever its own rounding
    carom_contact_single(c, way);
}
