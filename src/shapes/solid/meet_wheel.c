// SPDX-License-Identifier: Apache-2.0
// Cylinders and cones on planes, and with balls.
//
//     plane      each rim: n.(c - p) - R sqrt(1 - (n.a)^2) - r. Where the axis is within 1e-3 of
//                the normal the root has a kink: then eight points of the rim, the lowest first
//     ball       its centre at (z, rho) beside the axis, nearest to the profile: a cap (plane),
//                the side (a cylinder: line of the axis; a cone: tangent plane), a rim (tangent)
#include "shapes/placing.h"
#include "shapes/solid/wheel.h"

#include "math/rotation.h"
#include "math/vec3.h"

#include <float.h>
#include <string.h>

enum { N_FOOT = 8 };

static void add_rim(carom_meeting *meeting, int k, double height, double sine)
{
    const carom_shape *shape = meeting->posed[0].shape, *plane = meeting->posed[1].shape;
    const carom_wheel *wheel = shape->more;
    carom_feature f = {.primitive = wheel->rim[k] > 0 ? CAROM_RIM_PLANE : CAROM_POINT_PLANE,
                       .shape = {0, 1},
                       .feature = {(unsigned)(CAROM_WHEEL_RIM + k), 0},
                       .rim = wheel->rim[k],
                       .radius = shape->radius,
                       .side = 1,
                       .margin = INFINITY};
    f.gap = height - wheel->rim[k] * sine - shape->radius;
    if (!(f.gap < meeting->alert)) return;
    carom_vec3_copy(wheel->centre[k], f.p1);
    if (wheel->rim[k] > 0) carom_vec3_copy(wheel->axis, f.d1);
    carom_vec3_copy(plane->corner, f.p2);
    carom_vec3_copy(plane->normal, f.d2);
    carom_meeting_add(meeting, &f);
}

/// Points of rim k over the plane: n is its normal in axes of the wheel's body.
static void add_feet(carom_meeting *meeting, int k, double height, const double *n)
{
    const carom_shape *shape = meeting->posed[0].shape, *plane = meeting->posed[1].shape;
    const carom_wheel *wheel = shape->more;
    const double x = carom_vec3_dot(n, wheel->across), y = carom_vec3_dot(n, wheel->third);
    const double lowest = x == 0 && y == 0 ? 0 : atan2(-y, -x);
    for (int i = 0; i < N_FOOT; i++) {
        const double angle = lowest + 2 * acos(-1) * i / N_FOOT;
        const double c = wheel->rim[k] * cos(angle), s = wheel->rim[k] * sin(angle);
        carom_feature f = {.primitive = CAROM_POINT_PLANE,
                           .shape = {0, 1},
                           .feature = {(unsigned)(CAROM_WHEEL_FEET + N_FOOT * k + i), 0},
                           .radius = shape->radius,
                           .side = 1,
                           .margin = INFINITY};
        f.gap = height + c * x + s * y - shape->radius;
        if (!(f.gap < meeting->alert)) continue;
        carom_vec3_add(wheel->centre[k], c, wheel->across, f.p1);
        carom_vec3_add(f.p1, s, wheel->third, f.p1);
        carom_vec3_copy(plane->corner, f.p2);
        carom_vec3_copy(plane->normal, f.d2);
        carom_meeting_add(meeting, &f);
    }
}

void carom_meet_wheel_plane(carom_meeting *meeting)
{
    const carom_wheel *wheel = meeting->posed[0].shape->more;
    const carom_shape *plane = meeting->posed[1].shape;
    double n[3], across[3];
    carom_placing_direct(meeting->posed[1].at, meeting->posed[0].at, plane->normal, n);
    carom_vec3_cross(n, wheel->axis, across);
    const double sine = carom_vec3_length(across);
    for (int k = 0; k < 2; k++) {
        double x[3];
        carom_placing_across(meeting->posed[0].at, meeting->posed[1].at, wheel->centre[k], x);
        carom_vec3_subtract(x, plane->corner, x);
        const double height = carom_vec3_dot(plane->normal, x);
        if (sine >= CAROM_WHEEL_UPRIGHT || wheel->rim[k] == 0 || meeting->alert == INFINITY)
            add_rim(meeting, k, height, sine);
        else
            add_feet(meeting, k, height, n);
    }
}

bool carom_always_wheel_plane(const carom_shape *a, const carom_shape *b)
{
    (void)a;
    (void)b;
    return true;
}

/// A ball's centre beside a wheel.
typedef struct beside {
    double z, rho, out[3]; // along the axis from rim 0, from the axis, unit vector from the axis
} beside;

static void look_beside(const carom_wheel *wheel, const double *x, beside *at)
{
    double d[3];
    carom_vec3_subtract(x, wheel->centre[0], d);
    at->z = carom_vec3_dot(d, wheel->axis);
    carom_vec3_add(d, -at->z, wheel->axis, d);
    at->rho = carom_vec3_unit(d, at->out);
    if (!(at->rho > 0)) carom_vec3_copy(wheel->across, at->out);
}

/// Fills plane, line or tangent of what the ball is nearest to; distance from the core.
static double find_nearest(const carom_wheel *wheel, const beside *at, carom_feature *f)
{
    const double L = wheel->length, fall = wheel->rim[0] - wheel->rim[1], side = hypot(L, fall);
    const double sine = fall / side, cosine = L / side; // of the side's normal: along, out
    const double beyond[2] = {-at->z, at->z - L};       // of the caps
    const double out = cosine * (at->rho - wheel->rim[0]) + sine * at->z;
    const double down = cosine * at->z - sine * (at->rho - wheel->rim[0]); // along the side
    const int end = at->z < 0.5 * L ? 0 : 1;
    double cap = beyond[end];
    const bool is_over_side = down >= 0 && down <= side;
    f->primitive = CAROM_POINT_PLANE;
    if ((out <= 0 && beyond[0] <= 0 && beyond[1] <= 0) ? cap >= out
                                                       : cap > 0 && at->rho <= wheel->rim[end]) {
        f->feature[1] = (unsigned)(CAROM_WHEEL_CAP + end);
        f->margin = wheel->rim[end] - at->rho;
        for (int k = 0; k < 3; k++) f->d2[k] = end ? wheel->axis[k] : -wheel->axis[k];
        carom_vec3_copy(wheel->centre[end], f->p2);
        return cap;
    }
    if (is_over_side) {
        f->feature[1] = CAROM_WHEEL_SIDE;
        f->margin = fmin(down, side - down);
        carom_vec3_copy(wheel->centre[0], f->p2);
        if (fall == 0) {
            f->primitive = CAROM_POINT_LINE;
            carom_vec3_copy(wheel->axis, f->d2);
            f->radius += wheel->rim[0];
        } else {
            carom_vec3_add(f->p2, wheel->rim[0], at->out, f->p2);
            for (int k = 0; k < 3; k++) f->d2[k] = cosine * at->out[k] + sine * wheel->axis[k];
        }
        return out;
    }
    const int rim = down < 0 ? 0 : 1;
    f->primitive = wheel->rim[rim] > 0 ? CAROM_POINT_LINE : CAROM_POINT_POINT;
    f->feature[1] = (unsigned)(CAROM_WHEEL_RIM + rim);
    f->margin = INFINITY;
    carom_vec3_add(wheel->centre[rim], wheel->rim[rim], at->out, f->p2);
    if (wheel->rim[rim] > 0) carom_vec3_cross(wheel->axis, at->out, f->d2);
    return hypot(at->rho - wheel->rim[rim], at->z - (rim ? L : 0));
}

/// How deep a solid (body a of the pair) and a round body at least are in each other.
typedef struct depth {
    const carom_solid_pair *pair;
    const carom_wheel *wheel;
    double s; // the largest separation of any direction so far
} depth;

/// s(n) with the round body in the place of its prism; remembers the largest, and takes no way.
static bool separate_round(const void *context, const carom_way *way)
{
    depth *d = *(depth *const *)context;
    const carom_solid_pair *pair = d->pair;
    double n[3], across[3], least = INFINITY;
    for (int k = 0; k < 3; k++)
        n[k] = pair->R[k] * way->n[0] + pair->R[3 + k] * way->n[1] + pair->R[6 + k] * way->n[2];
    carom_vec3_cross(n, d->wheel->axis, across);
    const double sine = carom_vec3_length(across);
    for (int k = 0; k < 2; k++)
        least = fmin(least, carom_vec3_dot(n, d->wheel->centre[k]) - d->wheel->rim[k] * sine);
    const double *far = pair->a->vertex + 3 * carom_solid_support_a(pair, way->n);
    double x[3];
    carom_vec3_subtract(pair->t, far, x);
    d->s = fmax(d->s, least + carom_vec3_dot(way->n, x));
    return false;
}

/// The gap below which no contact of the round body is: it is the largest separation of all
/// directions, and those of the prism's ways out are some of them.
static double find_floor(const carom_meeting *meeting)
{
    const carom_posed *posed = meeting->posed;
    carom_solid_pair pair;
    carom_way none;
    carom_solid_set_pair(&posed[0], &posed[1], &pair);
    depth d = {&pair, posed[1].shape->more, -INFINITY}, *address = &d;
    carom_solid_overlap(&pair, separate_round, &address, &none);
    return d.s - posed[0].shape->radius - posed[1].shape->radius - 4 * DBL_EPSILON * pair.size;
}

static double least_gap(const carom_feature *f, int n)
{
    double least = INFINITY;
    for (int i = 0; i < n; i++) least = fmin(least, f[i].gap);
    return least;
}

enum { ROOM = CAROM_RING_ROOM + 64 };

/// Smooths what a prism touches with, in place; returns how many are left. A contact that would be
/// deeper than the round body is, or less deep than the prism, which is inside of it, stays that of
/// the prism: its point is past the border of its feature on the round body.
static int smooth_all(const carom_meeting *meeting, int n, carom_feature *found)
{
    carom_feature prism[ROOM];
    const double least = least_gap(found, n);
    const carom_shape *a = meeting->posed[0].shape, *b = meeting->posed[1].shape;
    const double radius = a->radius + b->radius, tiny = 2 * DBL_EPSILON * (a->reach + b->reach);
    double floor = -INFINITY;
    int kept = 0;
    memcpy(prism, found, sizeof *found * (size_t)n);
    for (int i = 0; i < n; i++) {
        carom_feature f = prism[i];
        if (!carom_wheel_smooth(meeting->posed, 1, &f)) continue;
        if (f.gap + radius < 0 && floor == -INFINITY) floor = find_floor(meeting);
        found[kept++] = f.gap >= floor && f.gap <= prism[i].gap + tiny ? f : prism[i];
    }
    if (least_gap(found, kept) <= least + tiny) return kept;
    for (int i = 0; i < n; i++) // a corner that was not needed was the nearest of all
        if (prism[i].gap <= least) found[kept++] = prism[i];
    return kept;
}

/// As prisms, then smoothed.
static void meet_smoothly(carom_meeting *meeting)
{
    carom_feature found[ROOM];
    carom_meeting own = *meeting;
    own.alert += carom_wheel_bulge(meeting->posed[1].shape->more);
    own.is_swapped = false;
    own.feature = found;
    own.room = ROOM;
    own.n = 0;
    carom_meet_solid_solid(&own);
    const int n = smooth_all(meeting, own.n < ROOM ? own.n : ROOM, found);
    for (int i = 0; i < n; i++)
        if (found[i].gap < meeting->alert) carom_meeting_add(meeting, found + i);
}

void carom_meet_solid_wheel(carom_meeting *meeting)
{
    const carom_shape *ball = meeting->posed[0].shape, *shape = meeting->posed[1].shape;
    if (ball->n_corner > 1) {
        meet_smoothly(meeting);
        return;
    }
    double x[3];
    beside at;
    carom_placing_across(meeting->posed[0].at, meeting->posed[1].at, ball->corner, x);
    look_beside(shape->more, x, &at);
    carom_feature f = {.shape = {0, 1}, .radius = ball->radius + shape->radius, .side = 1};
    f.feature[0] = carom_solid_vertex(carom_solid_of(ball), 0);
    carom_vec3_copy(ball->corner, f.p1);
    const double radius = f.radius;
    f.gap = find_nearest(shape->more, &at, &f) - radius;
    if (f.gap < meeting->alert) carom_meeting_add(meeting, &f);
}
