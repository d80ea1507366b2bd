// SPDX-License-Identifier: Apache-2.0
// A convex core meets a surface of triangles: each triangle near to it is a convex core of its own,
// with a front and a back, and what it is touched with counts if the surface as a whole sticks out
// along that direction (mesh.h).
//
//     apart, and the closest way counts      that way and its polygon
//     apart, else                            corners of the core over the triangle's front
//     overlapping                            the largest separation of the ways that count, unless
//                                            a shallower way out of another triangle clears it
//
// Contacts of other corners of a polygon may be off their cone by 1/50, as faces that lie on each
// other within that are.
#include "shapes/convex/contact.h"
#include "shapes/mesh/mesh.h"
#include "shapes/placing.h"
#include "shapes/solid/wheel.h"

#include "math/vec3.h"

#include <float.h>
#include <string.h>

static const double cone_rounding = 1e-9, cone_slack = 0.02;

/// A triangle as a convex core: faces front and back.
typedef struct plate {
    const carom_mesh *mesh;
    int triangle;
    carom_solid solid;
    double vertex[9], along[9], normal[6], offset[2];
    double size, nothing; // lengths: of both bodies, and what counts as 0
} plate;

enum { PLATE_EDGE = 2, PLATE_VERTEX = 5 };

static void set_plate(plate *p, int triangle)
{
    static const int end[6] = {0, 1, 1, 2, 2, 0}, side[6] = {0, 1, 0, 1, 0, 1};
    static const int start[3] = {0, 3, 6}, ring[6] = {0, 1, 2, 0, 2, 1};
    static const int ring_edge[6] = {0, 1, 2, 2, 1, 0};
    static const int fan_start[4] = {0, 2, 4, 6}, fan[6] = {0, 1, 0, 1, 0, 1};
    const carom_mesh *mesh = p->mesh;
    const int *v = mesh->triangle + 3 * triangle;
    p->triangle = triangle;
    for (int k = 0; k < 3; k++) carom_vec3_copy(mesh->vertex + 3 * v[k], p->vertex + 3 * k);
    for (int k = 0; k < 3; k++) {
        carom_vec3_subtract(p->vertex + 3 * ((k + 1) % 3), p->vertex + 3 * k, p->along + 3 * k);
        carom_vec3_unit(p->along + 3 * k, p->along + 3 * k);
        p->normal[k] = mesh->normal[3 * triangle + k];
        p->normal[3 + k] = -p->normal[k];
        p->solid.centre[k] = (p->vertex[k] + p->vertex[3 + k] + p->vertex[6 + k]) / 3;
    }
    p->offset[0] = carom_vec3_dot(p->normal, p->vertex);
    p->offset[1] = -p->offset[0];
    p->solid.n_vertex = p->solid.n_edge = 3;
    p->solid.n_face = 2;
    p->solid.is_box = false;
    p->solid.vertex = p->vertex;
    p->solid.end = end;
    p->solid.side = side;
    p->solid.along = p->along;
    p->solid.normal = p->normal;
    p->solid.offset = p->offset;
    p->solid.start = start;
    p->solid.ring = ring;
    p->solid.ring_edge = ring_edge;
    p->solid.fan_start = fan_start;
    p->solid.fan = fan;
}

static bool is_in_arc(const plate *p, int k, const double *n, double slack)
{
    const carom_mesh *mesh = p->mesh;
    const int place = 3 * p->triangle + k, other = mesh->beside[place];
    if (!mesh->is_sharp[mesh->edge[place]]) return false;
    if (carom_vec3_dot(n, mesh->into + 3 * place) > slack) return false;
    for (int l = 0; l < 3; l++)
        if (mesh->edge[3 * other + l] == mesh->edge[place])
            return carom_vec3_dot(n, mesh->into + 3 * (3 * other + l)) <= slack;
    return false;
}

static bool is_in_cone(const plate *p, int k, const double *n, double slack)
{
    const carom_mesh *mesh = p->mesh;
    const int *edge = mesh->edge + 3 * p->triangle;
    const int v = mesh->triangle[3 * p->triangle + k];
    if (!mesh->is_tip[v] && !mesh->is_sharp[edge[k]] && !mesh->is_sharp[edge[(k + 2) % 3]])
        return false;
    for (int i = mesh->fan_start[v]; i < mesh->fan_start[v + 1]; i++) {
        double e[3];
        carom_vec3_subtract(mesh->vertex + 3 * mesh->fan[i], mesh->vertex + 3 * v, e);
        if (carom_vec3_dot(n, e) > slack * carom_vec3_length(e)) return false;
    }
    return true;
}

/// Whether the part of the triangle that is furthest along n may be touched along n.
static bool is_touched_along(const plate *p, const double *n)
{
    double s[3], most = -INFINITY;
    for (int k = 0; k < 3; k++) {
        s[k] = carom_vec3_dot(n, p->vertex + 3 * k);
        most = fmax(most, s[k]);
    }
    int count = 0, first = 0, missing = 0;
    for (int k = 2; k >= 0; k--) {
        if (s[k] < most - p->nothing) {
            missing = k;
        } else {
            count++;
            first = k;
        }
    }
    if (count == 3) return carom_vec3_dot(n, p->normal) > 0;
    return count == 2 ? is_in_arc(p, (missing + 1) % 3, n, cone_rounding)
                      : is_in_cone(p, first, n, cone_rounding);
}

/// How far a direction may be off its cone: what is nearest is not told apart from what lies beside
/// it by less than rounding, s slack^2/2 = 4 ulp of the size.
static double find_slack(const plate *p, double s)
{
    if (!(s > 0)) return cone_rounding;
    return fmin(cone_rounding + sqrt(8 * DBL_EPSILON * p->size / s), cone_slack);
}

static bool does_count(const void *context, const carom_way *way)
{
    const plate *p = context;
    const double slack = find_slack(p, way->s);
    switch (way->kind) {
    case CAROM_WAY_FACE_A:
        return way->i == 0;
    case CAROM_WAY_FACE_B:
        return is_touched_along(p, way->n);
    case CAROM_WAY_EDGES:
    case CAROM_WAY_B_LINE:
        return is_in_arc(p, way->i, way->n, slack);
    default:
        return is_in_cone(p, way->i, way->n, slack);
    }
}

/// The direction of a contact from the surface to the core, in axes of the surface.
static void find_direction(const carom_solid_pair *pair, const carom_way *way,
                           const carom_feature *f, double *n)
{
    double d[3];
    carom_vec3_copy(way->n, n);
    if (f->primitive != CAROM_POINT_PLANE && f->primitive != CAROM_EDGE_EDGE) return;
    if (f->shape[1] == 0) { // a plane of the surface
        carom_vec3_copy(f->d2, n);
        return;
    }
    for (int k = 0; k < 3; k++) d[k] = carom_vec3_dot(pair->R + 3 * k, f->d2);
    if (f->primitive == CAROM_POINT_PLANE) {
        carom_vec3_negate(d, n);
    } else {
        carom_vec3_cross(f->d1, d, n);
        carom_vec3_unit(n, n);
        if (carom_vec3_dot(n, way->n) < 0) carom_vec3_negate(n, n);
    }
}

/// How far a point of a plane is from the nearest edge at which the plane ends.
static double find_margin(const plate *p, const double *x)
{
    const carom_mesh *mesh = p->mesh;
    double margin = INFINITY;
    for (int k = 0; k < 3; k++) {
        const int place = 3 * p->triangle + k, other = mesh->beside[place];
        if (other >= 0 && mesh->plane[other] == mesh->plane[p->triangle]) continue;
        double d[3];
        carom_vec3_subtract(x, p->vertex + 3 * k, d);
        margin = fmin(margin, carom_vec3_dot(mesh->into + 3 * place, d));
    }
    return margin;
}

/// Numbers of the surface for those of its triangle; false for a contact that does not count.
static bool translate(const plate *p, const carom_solid_pair *pair, const carom_way *way,
                      carom_feature *f)
{
    const carom_mesh *mesh = p->mesh;
    const int side = f->shape[0] == 0 ? 0 : 1, part = (int)f->feature[side];
    const int *v = mesh->triangle + 3 * p->triangle, *e = mesh->edge + 3 * p->triangle;
    double n[3];
    if (f->margin < -p->nothing) return false;
    find_direction(pair, way, f, n);
    if (part == 0) {
        f->feature[side] = (unsigned)mesh->plane[p->triangle];
        f->margin = find_margin(p, f->p2);
    } else if (part < PLATE_EDGE) {
        return false;
    } else if (part < PLATE_VERTEX) {
        if (!is_in_arc(p, part - PLATE_EDGE, n, cone_slack)) return false;
        f->feature[side] = (unsigned)(mesh->n_triangle + e[part - PLATE_EDGE]);
    } else {
        if (!is_in_cone(p, part - PLATE_VERTEX, n, cone_slack)) return false;
        f->feature[side] = (unsigned)(mesh->n_triangle + mesh->n_edge + v[part - PLATE_VERTEX]);
    }
    return true;
}

/// The shallowest depth at which the core is out of all triangles that it overlaps along n.
typedef struct push {
    double n[3], depth;
} push;

enum { MOST_PUSHES = 16, MOST_LATER = 128 };

typedef struct visit {
    carom_meeting *meeting; // of the core and the surface
    double alert;           // of the core, which may be a prism
    carom_solid_pair pair;  // of the triangle at hand and the core
    plate plate;
    double radius;
    double shortest; // of the ways to all triangles; below 0 where one is overlapped
    int n_push, n_later;
    push pushes[MOST_PUSHES];
    int later[MOST_LATER]; // triangles that overlap the core
    carom_way way[MOST_LATER];
} visit;

/// The front's plane and the corner of the core that is least far out.
static void take_front(const visit *v, carom_way *way)
{
    way->kind = CAROM_WAY_FACE_A;
    way->i = 0;
    way->j = -1;
    carom_vec3_copy(v->plate.normal, way->n);
    way->s = carom_solid_separation(&v->pair, way->n);
}

/// False where there is nothing to touch. is_whole: the way itself is a contact.
static bool find_way(visit *v, double enough, carom_way *way, bool *is_whole)
{
    *is_whole = true;
    const bool is_apart = carom_solid_apart(&v->pair, enough, way);
    v->shortest = fmin(v->shortest, is_apart ? way->s : -INFINITY);
    if (!is_apart) {
        carom_solid_overlap(&v->pair, does_count, &v->plate, way);
    } else if (!(way->s <= enough)) {
        return false;
    } else if (!does_count(&v->plate, way)) {
        *is_whole = false;
        if (!(carom_vec3_dot(way->n, v->plate.normal) > 0) && !(way->s <= v->radius)) return false;
        take_front(v, way);
    }
    return way->s <= enough;
}

/// Contacts with the triangle at hand.
static void add_contacts(visit *v, const carom_way *way, bool is_whole)
{
    enum { ROOM = CAROM_RING_ROOM + 16 };
    carom_feature found[ROOM];
    carom_meeting own = {.alert = v->alert, .feature = found, .room = ROOM};
    carom_contact c = {.pair = &v->pair,
                       .meeting = &own,
                       .who_a = 0,
                       .radius = v->radius,
                       .shortest = way->s,
                       .least = INFINITY};
    if (way->kind <= CAROM_WAY_EDGES) carom_contact_polygon(&c, way);
    if (is_whole && way->kind > CAROM_WAY_FACE_B && c.least > way->s + 1e-15 * v->pair.size)
        carom_contact_single(&c, way);
    const bool is_wheel = v->meeting->posed[0].shape->core == CAROM_CORE_WHEEL;
    const carom_posed swapped[2] = {v->meeting->posed[1], v->meeting->posed[0]};
    for (int i = 0; i < own.n && i < ROOM; i++) {
        if (!translate(&v->plate, &v->pair, way, found + i)) continue;
        if (is_wheel && !carom_wheel_smooth(swapped, 1, found + i)) continue;
        if (!(found[i].gap < v->meeting->alert)) continue;
        for (int k = 0; k < 2; k++) found[i].shape[k] = 1 - found[i].shape[k];
        carom_meeting_add(v->meeting, found + i);
    }
}

static void remember_push(visit *v, const carom_way *way)
{
    for (int i = 0; i < v->n_push; i++)
        if (carom_vec3_dot(v->pushes[i].n, way->n) > 1 - 1e-12) {
            v->pushes[i].depth = fmax(v->pushes[i].depth, -way->s);
            return;
        }
    if (v->n_push == MOST_PUSHES) return;
    carom_vec3_copy(way->n, v->pushes[v->n_push].n);
    v->pushes[v->n_push++].depth = -way->s;
}

static void visit_triangle(void *context, int triangle)
{
    visit *v = context;
    carom_way way;
    bool is_whole;
    set_plate(&v->plate, triangle);
    if (!find_way(v, v->alert + v->radius, &way, &is_whole)) return;
    if (is_whole && way.s <= v->plate.nothing) remember_push(v, &way);
    if (is_whole && way.s < -v->plate.nothing && v->n_later < MOST_LATER) {
        v->later[v->n_later] = triangle;
        v->way[v->n_later++] = way;
        return;
    }
    add_contacts(v, &way, is_whole);
}

/// Whether a shallower push takes the core out of the triangle at hand too: then the surface is
/// convex between the two, and the shallower way out is the one.
static bool is_cleared(visit *v, const carom_way *way)
{
    bool is_clear = false;
    for (int i = 0; i < v->n_push && !is_clear; i++) {
        const push *shallow = v->pushes + i;
        if (!(shallow->depth < -way->s - v->plate.nothing)) continue;
        carom_solid_pair moved = v->pair;
        carom_way after;
        carom_vec3_add(moved.t, shallow->depth, shallow->n, moved.t);
        carom_solid_overlap(&moved, NULL, NULL, &after);
        is_clear = after.s >= -v->plate.nothing;
    }
    return is_clear;
}

/// Nothing is nearer than the nearest triangle: what seems so is past the border of its feature.
static void drop_beyond(const visit *v)
{
    carom_meeting *meeting = v->meeting;
    const double least = v->shortest - v->radius - 4 * DBL_EPSILON * v->pair.size;
    int n = 0;
    if (meeting->n > meeting->room) return;
    for (int i = 0; i < meeting->n; i++)
        if (meeting->feature[i].gap >= least) meeting->feature[n++] = meeting->feature[i];
    meeting->n = n;
}

void carom_meet_solid_mesh(carom_meeting *meeting)
{
    const carom_posed *core = &meeting->posed[0], *surface = &meeting->posed[1];
    visit v;
    v.meeting = meeting;
    v.radius = core->shape->radius;
    v.n_push = v.n_later = 0;
    v.shortest = INFINITY;
    v.alert = meeting->alert;
    if (core->shape->core == CAROM_CORE_WHEEL) v.alert += carom_wheel_bulge(core->shape->more);
    v.plate.mesh = surface->shape->more;
    carom_solid_set_pair(surface, core, &v.pair);
    v.pair.a = &v.plate.solid;
    v.plate.size = v.pair.size;
    v.plate.nothing = 1e-10 * v.pair.size;
    carom_placement relative;
    memcpy(relative.r, v.pair.t, sizeof relative.r);
    memcpy(relative.R, v.pair.R, sizeof relative.R);
    carom_box box;
    carom_shape_box(core->shape, &relative, box.lower, box.upper);
    for (int k = 0; k < 3; k++) {
        box.lower[k] -= v.alert;
        box.upper[k] += v.alert;
    }
    carom_bvh_visit(v.plate.mesh->bvh, &box, visit_triangle, &v);
    for (int i = 0; i < v.n_later; i++) {
        set_plate(&v.plate, v.later[i]);
        if (!is_cleared(&v, v.way + i)) add_contacts(&v, v.way + i, true);
    }
    if (core->shape->core != CAROM_CORE_WHEEL) drop_beyond(&v);
}

/// Tips over the plane.
void carom_meet_mesh_plane(carom_meeting *meeting)
{
    const carom_mesh *mesh = meeting->posed[0].shape->more;
    const carom_shape *plane = meeting->posed[1].shape;
    const carom_placement *at = meeting->posed[0].at, *at_plane = meeting->posed[1].at;
    for (int i = 0; i < mesh->n_vertex; i++) {
        if (!mesh->is_tip[i]) continue;
        double x[3];
        carom_placing_across(at, at_plane, mesh->vertex + 3 * i, x);
        carom_vec3_subtract(x, plane->corner, x);
        carom_feature f = {.primitive = CAROM_POINT_PLANE, .shape = {0, 1}, .side = 1};
        f.gap = carom_vec3_dot(plane->normal, x);
        if (!(f.gap < meeting->alert)) continue;
        f.feature[0] = (unsigned)(mesh->n_triangle + mesh->n_edge + i);
        f.margin = INFINITY;
        carom_vec3_copy(mesh->vertex + 3 * i, f.p1);
        carom_vec3_copy(plane->corner, f.p2);
        carom_vec3_copy(plane->normal, f.d2);
        carom_meeting_add(meeting, &f);
    }
}
