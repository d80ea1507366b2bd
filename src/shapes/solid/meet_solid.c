// SPDX-License-Identifier: Apache-2.0
// Two convex cores, or a convex core and a plane, meet.
//
// Which of two cores is a does not depend on the caller but on where they are (the lower one, seen
// along a direction that no heap is aligned with), so that ties are decided alike for swapped
// arguments; pairs of equal features give body 1 to the caller's first shape.
#include "shapes/convex/contact.h"
#include "shapes/convex/nearest.h"
#include "shapes/placing.h"

#include "math/vec3.h"

#include <float.h>

static bool is_first_lower(const carom_meeting *meeting)
{
    static const double up[3] = {0.1234, 0.3456, 1};
    double p[2][3];
    for (int k = 0; k < 2; k++)
        carom_placing_out(meeting->posed[k].at, carom_solid_of(meeting->posed[k].shape)->centre,
                          p[k]);
    carom_vec3_subtract(p[0], p[1], p[0]);
    const double height = carom_vec3_dot(up, p[0]);
    if (height != 0) return height < 0;
    const carom_posed *a = &meeting->posed[0], *b = &meeting->posed[1]; // one inside of the other
    if (a->shape->reach != b->shape->reach) return a->shape->reach < b->shape->reach;
    for (int k = 0; k < 9; k++)
        if (a->at->R[k] != b->at->R[k]) return a->at->R[k] < b->at->R[k];
    return true;
}

/// b in axes of a.
static void set_relative(const carom_placement *a, const carom_placement *b, double *R, double *t)
{
    double d[3];
    carom_vec3_subtract(b->r, a->r, d);
    carom_placing_turn_back(a->R, d, t);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            R[3 * i + j] =
                a->R[i] * b->R[j] + a->R[3 + i] * b->R[3 + j] + a->R[6 + i] * b->R[6 + j];
}

void carom_solid_set_pair(const carom_posed *a, const carom_posed *b, carom_solid_pair *pair)
{
    pair->a = carom_solid_of(a->shape);
    pair->b = carom_solid_of(b->shape);
    set_relative(a->at, b->at, pair->R, pair->t);
    pair->size = a->shape->reach + b->shape->reach;
}

/// The way out of each other, or the shortest way between; false where it is longer than enough.
static bool find_way(const carom_solid_pair *pair, double enough, carom_way *way)
{
    if (pair->a->is_box && pair->b->is_box) {
        carom_cuboid_overlap(pair, enough, way);
        return way->s <= enough;
    }
    if (pair->a->n_face == 0 && pair->b->n_face == 0) { // points and segments: few features
        carom_closest_of_all(pair, way);
        return way->s <= enough;
    }
    if (carom_solid_apart(pair, enough, way)) return way->s <= enough;
    carom_solid_overlap(pair, NULL, NULL, way);
    return true;
}

/// gap = |(r1 - r2) + (R1 p1 - R2 p2)| - radius, which is the same to the last bit where swapped
static void meet_points(carom_meeting *meeting)
{
    const carom_shape *a = meeting->posed[0].shape, *b = meeting->posed[1].shape;
    const carom_placement *at = meeting->posed[0].at, *to = meeting->posed[1].at;
    double d[3], p[3], q[3];
    carom_placing_turn(at->R, a->corner, p);
    carom_placing_turn(to->R, b->corner, q);
    for (int k = 0; k < 3; k++) d[k] = (at->r[k] - to->r[k]) + (p[k] - q[k]);
    const double radius = a->radius + b->radius, gap = carom_vec3_length(d) - radius;
    if (!(gap < meeting->alert)) return;
    carom_feature f = {.primitive = CAROM_POINT_POINT,
                       .shape = {0, 1},
                       .radius = radius,
                       .side = 1,
                       .gap = gap,
                       .margin = INFINITY};
    carom_vec3_copy(a->corner, f.p1);
    carom_vec3_copy(b->corner, f.p2);
    carom_meeting_add(meeting, &f);
}

void carom_meet_solid_solid(carom_meeting *meeting)
{
    if (meeting->posed[0].shape->n_corner == 1 && meeting->posed[1].shape->n_corner == 1) {
        meet_points(meeting);
        return;
    }
    const int who_a = is_first_lower(meeting) ? 0 : 1;
    const carom_posed *a = &meeting->posed[who_a], *b = &meeting->posed[1 - who_a];
    carom_solid_pair pair;
    carom_way way;
    carom_solid_set_pair(a, b, &pair);
    carom_contact c = {.pair = &pair,
                       .meeting = meeting,
                       .who_a = who_a,
                       .radius = a->shape->radius + b->shape->radius,
                       .least = INFINITY};
    const double enough = meeting->alert + c.radius;
    if (!find_way(&pair, enough, &way)) return;
    const double rounding = 4 * DBL_EPSILON * pair.size;
    if (!pair.a->is_box || !pair.b->is_box || !(way.s > rounding)) {
        carom_contact_add(&c, &way);
        return;
    }
    // boxes that the axes separate: by as much as their distance, unless it goes past a border
    c.shortest = way.s;
    carom_contact_polygon(&c, &way);
    if (c.least <= way.s + rounding) return;
    // What is nearest is past a border, be it by rounding. Faces that rest on each other must not
    // lose their corners: those that are as far as the distance, or farther, stay.
    carom_way nearest = way;
    meeting->n = 0;
    c.least = INFINITY;
    const bool is_apart = carom_cuboid_apart(&pair, &nearest);
    if (is_apart && nearest.s > enough) return;
    if (is_apart) {
        c.shortest = nearest.s;
        carom_contact_polygon(&c, &way);
        c.least = INFINITY;
    }
    carom_contact_add(&c, is_apart ? &nearest : &way);
}

bool carom_always_solid_solid(const carom_shape *a, const carom_shape *b)
{
    return a->n_corner == 1 && b->n_corner == 1;
}

/// Vertices over the plane: gap = n.(x - p) - radius
void carom_meet_solid_plane(carom_meeting *meeting)
{
    const carom_shape *shape = meeting->posed[0].shape, *plane = meeting->posed[1].shape;
    const carom_solid *solid = carom_solid_of(shape);
    for (int i = 0; i < solid->n_vertex; i++) {
        double x[3], d[3];
        carom_placing_across(meeting->posed[0].at, meeting->posed[1].at, solid->vertex + 3 * i, x);
        carom_vec3_subtract(x, plane->corner, d);
        carom_feature f = {.primitive = CAROM_POINT_PLANE,
                           .shape = {0, 1},
                           .feature = {carom_solid_vertex(solid, i), 0},
                           .radius = shape->radius,
                           .side = 1,
                           .margin = INFINITY};
        f.gap = carom_vec3_dot(plane->normal, d) - shape->radius;
        if (!(f.gap < meeting->alert)) continue;
        carom_vec3_copy(solid->vertex + 3 * i, f.p1);
        carom_vec3_copy(plane->corner, f.p2);
        carom_vec3_copy(plane->normal, f.d2);
        carom_meeting_add(meeting, &f);
    }
}

bool carom_always_solid_plane(const carom_shape *a, const carom_shape *b)
{
    (void)a;
    (void)b;
    return true;
}
