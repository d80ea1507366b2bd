// SPDX-License-Identifier: Apache-2.0
// Ellipsoid of semi-axes a, b, c, against planes. Its support function h, lowest point x and radii
// of curvature along m (out of it, against the plane's normal n), with A = diag(a, b, c):
//
//     h = |A m|,   x = A^2 m/h,   radii: eigenvalues r1 >= r2 of (A^2 - x x')/h across m
//
// A plane touches it as it touches the torus that osculates there: a rim of radius r1 - r2 about
// the axis e2 (along which the radius is r2), grown by r2, with its centre at x - r1 m. Gap, rows
// and curvature are those of the ellipsoid; what differs is of third order in a step.
#include "shapes/placing.h"
#include "shapes/solid/solid.h"

#include "math/rotation.h"
#include "math/vec3.h"

typedef struct ellipsoid {
    double centre[3], R[9], axes[3]; // columns of R: its own axes in those of the body
} ellipsoid;

static carom_status make(carom_arena *arena, const carom_shape_given *given, carom_shape *shape,
                         carom_error *error)
{
    static const double zero[3] = {0};
    ellipsoid *own = CAROM_TAKE(arena, ellipsoid, 1);
    if (!own) return carom_fail(error, CAROM_NO_MEMORY, "out of memory");
    const double *a = given->size;
    if (!(a[0] > 0) || !(a[1] > 0) || !(a[2] > 0))
        return carom_fail(error, CAROM_BAD_INPUT,
                          "the semi-axes of an ellipsoid are %g, %g and %g (all above 0)", a[0],
                          a[1], a[2]);
    if (given->rounding != 0)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "an ellipsoid has no corners to round (leave 'rounding' out)");
    carom_placing_out(&given->place, given->n_point > 0 ? given->point : zero, own->centre);
    for (int k = 0; k < 9; k++) own->R[k] = given->place.R[k];
    carom_vec3_copy(a, own->axes);
    shape->core = CAROM_CORE_ELLIPSOID;
    shape->n_corner = 1;
    shape->corner = own->centre;
    shape->more = own;
    shape->size = 2 * fmin(a[0], fmin(a[1], a[2]));
    shape->reach = carom_vec3_length(own->centre) + fmax(a[0], fmax(a[1], a[2]));
    const double volume = 4.0 / 3 * acos(-1) * a[0] * a[1] * a[2];
    const double moment[3] = {volume * a[0] * a[0] / 5, volume * a[1] * a[1] / 5,
                              volume * a[2] * a[2] / 5};
    carom_solid_give_mass(volume, moment, own->centre, own->R, shape);
    return CAROM_OK;
}

static void box(const carom_shape *shape, const carom_placement *at, double lower[3],
                double upper[3])
{
    const ellipsoid *own = shape->more;
    double centre[3];
    carom_placing_out(at, own->centre, centre);
    for (int i = 0; i < 3; i++) {
        double axis[3], m[3];
        carom_vec3_copy(at->R + 3 * i, axis); // a row: the direction i of space in the body
        carom_placing_turn_back(own->R, axis, m);
        for (int k = 0; k < 3; k++) m[k] *= own->axes[k];
        const double h = carom_vec3_length(m);
        lower[i] = centre[i] - h;
        upper[i] = centre[i] + h;
    }
}

/// Both radii of curvature across m (own axes) and the direction of the smaller one.
static void find_radii(const ellipsoid *own, const double *m, const double *x, double h,
                       double radius[2], double *e2)
{
    double t[2][3], M[2][2];
    carom_rotation_across(m, t[0]);
    carom_vec3_cross(m, t[0], t[1]);
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++) {
            M[i][j] = -carom_vec3_dot(t[i], x) * carom_vec3_dot(t[j], x) / h;
            for (int k = 0; k < 3; k++)
                M[i][j] += own->axes[k] * own->axes[k] * t[i][k] * t[j][k] / h;
        }
    const double middle = 0.5 * (M[0][0] + M[1][1]), half = 0.5 * (M[0][0] - M[1][1]);
    const double away = hypot(half, M[0][1]);
    const double angle = 0.5 * atan2(M[0][1], half); // of the larger
    radius[0] = middle + away;
    radius[1] = middle - away;
    for (int k = 0; k < 3; k++) e2[k] = cos(angle) * t[1][k] - sin(angle) * t[0][k];
}

void carom_meet_ellipsoid_plane(carom_meeting *meeting)
{
    const carom_posed *posed = meeting->posed;
    const ellipsoid *own = posed[0].shape->more;
    const carom_shape *plane = posed[1].shape;
    double n[3], m[3], x[3], e2[3], radius[2], d[3], out[3];
    carom_placing_direct(posed[1].at, posed[0].at, plane->normal, n);
    carom_placing_turn_back(own->R, n, m);
    carom_vec3_negate(m, m);
    for (int k = 0; k < 3; k++) x[k] = own->axes[k] * m[k];
    const double h = carom_vec3_length(x);
    for (int k = 0; k < 3; k++) x[k] *= own->axes[k] / h;
    find_radii(own, m, x, h, radius, e2);
    carom_feature f = {.primitive = CAROM_RIM_PLANE,
                       .shape = {0, 1},
                       .rim = radius[0] - radius[1],
                       .radius = radius[1],
                       .side = 1,
                       .margin = INFINITY};
    carom_placing_across(posed[0].at, posed[1].at, own->centre, d);
    carom_vec3_subtract(d, plane->corner, d);
    f.gap = carom_vec3_dot(plane->normal, d) - h;
    if (!(f.gap < meeting->alert)) return;
    carom_vec3_add(x, -radius[0], m, x);
    carom_placing_turn(own->R, x, out);
    for (int k = 0; k < 3; k++) f.p1[k] = own->centre[k] + out[k];
    carom_placing_turn(own->R, e2, f.d1);
    carom_vec3_copy(plane->corner, f.p2);
    carom_vec3_copy(plane->normal, f.d2);
    carom_meeting_add(meeting, &f);
}

static bool show(const carom_shape *shape, double extent, double tolerance, carom_arena *arena,
                 carom_shape_look *look)
{
    // a ball of radius 1, stretched
    const ellipsoid *own = shape->more;
    static const double zero[3] = {0};
    const carom_solid point = {.n_vertex = 1, .vertex = zero};
    const carom_shape ball = {.radius = 1, .more = &point};
    const double most = fmax(own->axes[0], fmax(own->axes[1], own->axes[2]));
    if (!carom_solid_show(&ball, extent, tolerance / most, arena, look)) return false;
    for (int i = 0; i < look->n_point; i++) {
        double *p = look->point + 3 * i, x[3], out[3];
        for (int k = 0; k < 3; k++) x[k] = own->axes[k] * p[k];
        carom_placing_turn(own->R, x, out);
        for (int k = 0; k < 3; k++) p[k] = own->centre[k] + out[k];
    }
    return true;
}

const carom_shape_kind carom_shape_kind_ellipsoid = {"ellipsoid", 3, make, box, show};
