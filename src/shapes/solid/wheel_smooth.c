// SPDX-License-Identifier: Apache-2.0
// From contacts of a prism to those of the cylinder or cone it stands for (wheel.h). Whatever a
// primitive cannot say of the round body is left as it is.
#include "shapes/placing.h"
#include "shapes/solid/wheel.h"

#include "math/vec3.h"

/// Sine of axis and normal above which a wheel rolls: its other corners will not touch soon.
static const double nearly_upright = 0.3;

double carom_wheel_bulge(const carom_wheel *wheel)
{
    const double rim = wheel->rim[0] > wheel->rim[1] ? wheel->rim[0] : wheel->rim[1];
    return rim * (1 - cos(acos(-1) / CAROM_WHEEL_SIDES));
}

/// Corner number on its rim, 0 ... 31, and which rim; a rim without radius has no corners.
static bool find_corner(const carom_wheel *wheel, int vertex, int *rim, int *number)
{
    const int first = wheel->rim[0] > 0 ? CAROM_WHEEL_SIDES : 1;
    *rim = vertex >= first;
    *number = *rim ? vertex - first : vertex;
    return wheel->rim[*rim] > 0;
}

/// The corner of a rim that is lowest over a plane; n: the plane's normal in axes of the wheel.
static int find_lowest(const carom_wheel *wheel, const double *n)
{
    const double x = carom_vec3_dot(n, wheel->across), y = carom_vec3_dot(n, wheel->third);
    if (x == 0 && y == 0) return 0;
    const double part = atan2(-y, -x) / (2 * acos(-1)) * CAROM_WHEEL_SIDES;
    return ((int)lround(part) + CAROM_WHEEL_SIDES) % CAROM_WHEEL_SIDES;
}

/// A corner of the prism over a plane of the other: the lowest one becomes the rim, if the rim's
/// lowest point is still over that plane; of the others every fourth is kept while the wheel nearly
/// stands.
static bool smooth_corner(const carom_posed *wheel_at, const carom_posed *other, int vertex,
                          carom_feature *f)
{
    const carom_wheel *wheel = wheel_at->shape->more;
    int rim, number;
    double n[3], across[3], x[3];
    if (!find_corner(wheel, vertex, &rim, &number)) return true;
    carom_placing_direct(other->at, wheel_at->at, f->d2, n);
    carom_vec3_cross(n, wheel->axis, across);
    const double sine = carom_vec3_length(across);
    if (number != find_lowest(wheel, n)) return number % 4 == 0 && sine < nearly_upright;
    if (sine < CAROM_WHEEL_UPRIGHT) return true;
    carom_vec3_add(n, -carom_vec3_dot(n, wheel->axis), wheel->axis, x);
    carom_vec3_add(wheel->centre[rim], -wheel->rim[rim] / sine, x, x);
    carom_vec3_subtract(x, f->p1, x);
    if (!(f->margin >= carom_vec3_length(x))) return true;
    f->margin -= carom_vec3_length(x);
    carom_placing_across(wheel_at->at, other->at, wheel->centre[rim], x);
    carom_vec3_subtract(x, f->p2, x);
    f->primitive = CAROM_RIM_PLANE;
    f->feature[0] = (unsigned)(CAROM_WHEEL_RIM + rim);
    f->rim = wheel->rim[rim];
    carom_vec3_copy(wheel->centre[rim], f->p1);
    carom_vec3_copy(wheel->axis, f->d1);
    f->gap = carom_vec3_dot(f->d2, x) - f->rim * sine - f->radius;
    return true;
}

/// How far a point (axes of the wheel) is inside of both ends.
static double find_margin(const carom_wheel *wheel, const double *x, double *along)
{
    double d[3];
    carom_vec3_subtract(x, wheel->centre[0], d);
    *along = carom_vec3_dot(d, wheel->axis);
    return *along < wheel->length - *along ? *along : wheel->length - *along;
}

/// A corner of the other over a side of the prism: over the axis, if it is beside it.
static void smooth_point(const carom_posed *wheel_at, const carom_posed *other, carom_feature *f)
{
    const carom_wheel *wheel = wheel_at->shape->more;
    double x[3], along;
    carom_placing_across(other->at, wheel_at->at, f->p1, x);
    const double margin = find_margin(wheel, x, &along);
    if (!(margin >= 0)) return;
    f->primitive = CAROM_POINT_LINE;
    f->feature[1] = CAROM_WHEEL_SIDE;
    f->margin = margin;
    carom_vec3_add(wheel->centre[0], along, wheel->axis, f->p2);
    carom_vec3_copy(wheel->axis, f->d2);
    f->radius += wheel->rim[0];
    carom_vec3_subtract(x, f->p2, x);
    f->gap = carom_vec3_length(x) - f->radius;
}

/// An edge of the other over an edge along the side: over the axis, if its foot is on both. k:
/// which of the two bodies is the wheel.
static void smooth_edges(const carom_posed *wheel_at, const carom_posed *other, int k,
                         carom_feature *f)
{
    const carom_wheel *wheel = wheel_at->shape->more;
    double p[3], d[3], n[3], from[3], foot[3], along;
    carom_placing_across(other->at, wheel_at->at, k ? f->p1 : f->p2, p);
    carom_placing_direct(other->at, wheel_at->at, k ? f->d1 : f->d2, d);
    const double sign = carom_vec3_dot(k ? f->d2 : f->d1, wheel->axis) < 0 ? -1 : 1;
    carom_vec3_cross(wheel->axis, d, n);
    const double sine = carom_vec3_unit(n, n);
    if (sine < 0.1) return;
    // the foot on the axis, and how far the other's foot moves for it
    const double cosine = carom_vec3_dot(wheel->axis, d);
    carom_vec3_subtract(p, wheel->centre[0], from);
    const double on_axis = carom_vec3_dot(from, wheel->axis), on_edge = carom_vec3_dot(from, d);
    const double s = (on_axis - cosine * on_edge) / (sine * sine);
    const double t = (cosine * on_axis - on_edge) / (sine * sine);
    carom_vec3_add(wheel->centre[0], s, wheel->axis, foot);
    const double margin = find_margin(wheel, foot, &along);
    if (!(margin >= 0) || !(f->margin >= fabs(t))) return;
    carom_vec3_copy(foot, k ? f->p2 : f->p1);
    for (int i = 0; i < 3; i++) {
        (k ? f->d2 : f->d1)[i] = sign * wheel->axis[i];
        (k ? f->p1 : f->p2)[i] += t * (k ? f->d1 : f->d2)[i];
    }
    f->feature[k] = CAROM_WHEEL_SIDE;
    const double on_other = f->margin - fabs(t);
    f->margin = margin < on_other ? margin : on_other;
    f->radius += wheel->rim[0];
    carom_vec3_add(p, t, d, p);
    carom_vec3_subtract(foot, p, from);
    // (d1 x d2).(p1 - p2) is the same whichever is first
    f->gap = sign * carom_vec3_dot(n, from) - f->radius;
}

bool carom_wheel_smooth(const carom_posed *posed, int who, carom_feature *f)
{
    const carom_posed *wheel_at = posed + who, *other = posed + 1 - who;
    const carom_wheel *wheel = wheel_at->shape->more;
    const carom_solid *prism = &wheel->prism;
    const int k = f->shape[0] == who ? 0 : 1, part = (int)f->feature[k];
    const int n_cap = (wheel->rim[0] > 0) + (wheel->rim[1] > 0);
    const bool is_vertex = part >= prism->n_face + prism->n_edge;
    const bool is_cylinder = wheel->rim[0] == wheel->rim[1];
    const bool is_edge = !is_vertex && part >= prism->n_face;
    if (f->primitive == CAROM_POINT_PLANE && k == 0 && is_vertex)
        return smooth_corner(wheel_at, other, part - prism->n_face - prism->n_edge, f);
    if (!is_cylinder) return true;
    if (f->primitive == CAROM_POINT_PLANE && k == 1 && part >= n_cap && !is_edge)
        smooth_point(wheel_at, other, f);
    if (!is_edge) return true;
    const int *end = prism->end + 2 * (part - prism->n_face);
    const bool is_along = (end[0] < CAROM_WHEEL_SIDES) != (end[1] < CAROM_WHEEL_SIDES);
    if (is_along && f->primitive == CAROM_POINT_LINE && k == 1) smooth_point(wheel_at, other, f);
    if (is_along && f->primitive == CAROM_EDGE_EDGE) smooth_edges(wheel_at, other, k, f);
    return true;
}
