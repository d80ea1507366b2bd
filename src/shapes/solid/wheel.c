// SPDX-License-Identifier: Apache-2.0
// What cylinders and cones consist of. The profile is a line between the rims, moved inwards by the
// rounding r: with half angle a of the cone, tan a = (R0 - R1)/L,
//
//     core:  ends at r from the stated ends,  radii  R(z) - r/cos a  there
//
// The mass is that of the stated body: volume and moments of the profile w(z) (arc, line, arc),
//
//     V = int pi w^2,   int z^2 = int pi w^2 z^2,   int x^2 = int pi w^4/4
//
// by Gauss's rule with five points, exact for the line, and in 16 parts for the arcs of a rounded
// body (to 1e-15).
#include "shapes/solid/wheel.h"

#include "shapes/placing.h"

#include "math/rotation.h"
#include "math/vec3.h"

#include <string.h>

typedef struct profile {
    double z[2], w[2], r; // rims of the core, rounding
    double angle;         // of the side's normal above the equator
} profile;

typedef struct sums {
    double volume, first, along, across;
} sums;

static void add_disc(double z, double w, double weight, sums *s)
{
    const double area = acos(-1) * w * w * weight;
    s->volume += area;
    s->first += area * z;
    s->along += area * z * z;
    s->across += area * w * w / 4;
}

/// One piece: the arc about rim k from angle p to q, or the line between both arcs (k = 2).
static void add_piece(const profile *f, int k, double p, double q, int n_part, sums *s)
{
    const double inner = sqrt(5 - 2 * sqrt(10.0 / 7)) / 3, outer = sqrt(5 + 2 * sqrt(10.0 / 7)) / 3;
    const double heavy = (322 + 13 * sqrt(70)) / 900, light = (322 - 13 * sqrt(70)) / 900;
    const double node[5] = {-outer, -inner, 0, inner, outer};
    const double weight[5] = {light, heavy, 128.0 / 225, heavy, light};
    const double half = 0.5 * (q - p) / n_part;
    for (int part = 0; part < n_part; part++)
        for (int i = 0; i < 5; i++) {
            const double t = p + half * (2 * part + 1 + node[i]);
            if (k < 2) {
                add_disc(f->z[k] + f->r * sin(t), f->w[k] + f->r * cos(t),
                         half * weight[i] * f->r * cos(t), s);
            } else {
                const double dz = f->r * sin(f->angle), dw = f->r * cos(f->angle);
                add_disc(f->z[0] + t * (f->z[1] - f->z[0]) + dz,
                         f->w[0] + t * (f->w[1] - f->w[0]) + dw,
                         half * weight[i] * (f->z[1] - f->z[0]), s);
            }
        }
}

static void weigh(const profile *f, const carom_wheel *wheel, const double *middle,
                  carom_shape *shape)
{
    const double right = 0.5 * acos(-1);
    sums s = {0};
    add_piece(f, 2, 0, 1, 1, &s);
    if (f->r > 0) {
        add_piece(f, 0, -right, f->angle, 16, &s);
        add_piece(f, 1, f->angle, right, 16, &s);
    }
    const double z = s.first / s.volume;
    const double moment[3] = {s.across, s.across, s.along - s.volume * z * z};
    double centre[3], R[9];
    carom_vec3_add(middle, z, wheel->axis, centre);
    for (int k = 0; k < 3; k++) {
        R[3 * k] = wheel->across[k];
        R[3 * k + 1] = wheel->third[k];
        R[3 * k + 2] = wheel->axis[k];
    }
    carom_solid_give_mass(s.volume, moment, centre, R, shape);
}

static void place_rim(const carom_wheel *wheel, int k, int i, double *p)
{
    const double angle = 2 * acos(-1) * i / CAROM_WHEEL_SIDES;
    carom_vec3_add(wheel->centre[k], wheel->rim[k] * cos(angle), wheel->across, p);
    carom_vec3_add(p, wheel->rim[k] * sin(angle), wheel->third, p);
}

/// Vertices and faces of the prism: caps first, then sides. A rim without radius is one vertex.
static carom_status build_prism(carom_arena *arena, carom_wheel *wheel, carom_error *error)
{
    enum { N = CAROM_WHEEL_SIDES };
    double vertex[6 * N];
    int start[N + 3] = {0}, ring[6 * N], n_face = 0, n_ring = 0, n[2];
    for (int k = 0, at = 0; k < 2; k++) {
        n[k] = wheel->rim[k] > 0 ? N : 1;
        for (int i = 0; i < n[k]; i++, at++) place_rim(wheel, k, i, vertex + 3 * at);
    }
    for (int k = 0; k < 2; k++) {
        if (n[k] == 1) continue;
        for (int i = 0; i < N; i++) ring[n_ring++] = k == 0 ? N - 1 - i : n[0] + i;
        start[++n_face] = n_ring;
    }
    for (int i = 0; i < N; i++) {
        const int next = (i + 1) % N;
        if (n[0] > 1) {
            ring[n_ring++] = i;
            ring[n_ring++] = next;
        } else {
            ring[n_ring++] = 0;
        }
        if (n[1] > 1) {
            ring[n_ring++] = n[0] + next;
            ring[n_ring++] = n[0] + i;
        } else {
            ring[n_ring++] = n[0];
        }
        start[++n_face] = n_ring;
    }
    const carom_solid_faces faces = {n[0] + n[1], n_face, vertex, start, ring};
    return carom_solid_fill(arena, &faces, &wheel->prism, error);
}

static carom_status find_profile(const carom_shape_given *given, const double radius[2], profile *f,
                                 carom_error *error)
{
    const double L = given->length, r = given->rounding, slope = (radius[1] - radius[0]) / L;
    const double side = hypot(1, slope); // 1/cos a
    f->r = r;
    f->angle = -atan(slope);
    f->z[0] = -0.5 * L + r;
    f->z[1] = 0.5 * L - r;
    for (int k = 0; k < 2; k++) {
        f->w[k] = r > 0 ? radius[0] + slope * (f->z[k] + 0.5 * L) - r * side : radius[k];
        // what is left of a tip by rounding is a tip
        if (f->w[k] < 0 && f->w[k] > -1e-12 * (radius[0] + radius[1])) f->w[k] = 0;
    }
    if (!(f->z[0] < f->z[1]) || f->w[0] < 0 || f->w[1] < 0 || !(f->w[0] + f->w[1] > 0))
        return carom_fail(error, CAROM_BAD_INPUT,
                          "a %s of length %g and radius %g cannot be rounded by %g (the rounding "
                          "lies inside)",
                          given->kind, L, fmin(radius[0], radius[1]), r);
    return CAROM_OK;
}

carom_status carom_wheel_make(carom_arena *arena, const carom_shape_given *given,
                              const double radius[2], carom_shape *shape, carom_error *error)
{
    static const double zero[3] = {0};
    double middle[3], turned[3];
    profile f = {0};
    carom_placing_turn(given->place.R, given->normal, turned);
    carom_placing_out(&given->place, given->n_point > 0 ? given->point : zero, middle);
    carom_wheel *wheel = CAROM_TAKE(arena, carom_wheel, 1);
    if (!wheel) return carom_fail(error, CAROM_NO_MEMORY, "out of memory");
    if (!(given->length > 0))
        return carom_fail(error, CAROM_BAD_INPUT, "the length of a %s is %g (it must be above 0)",
                          given->kind, given->length);
    if (!(carom_vec3_unit(turned, wheel->axis) > 0))
        return carom_fail(error, CAROM_BAD_INPUT,
                          "the axis of a %s is 0 (a direction: axis: [0, 0, 1])", given->kind);
    CAROM_TRY(find_profile(given, radius, &f, error));
    carom_rotation_across(wheel->axis, wheel->across);
    carom_vec3_cross(wheel->axis, wheel->across, wheel->third);
    wheel->length = f.z[1] - f.z[0];
    for (int k = 0; k < 2; k++) {
        carom_vec3_add(middle, f.z[k], wheel->axis, wheel->centre[k]);
        wheel->rim[k] = f.w[k];
    }
    CAROM_TRY(build_prism(arena, wheel, error));
    carom_solid_give(&wheel->prism, shape);
    shape->core = CAROM_CORE_WHEEL;
    shape->radius = given->rounding;
    shape->size = fmin(given->length, 2 * fmax(radius[0], radius[1]));
    for (int k = 0; k < 2; k++) // the furthest point of a rim, at most
        shape->reach = fmax(shape->reach,
                            carom_vec3_length(wheel->centre[k]) + wheel->rim[k] + given->rounding);
    weigh(&f, wheel, middle, shape);
    return CAROM_OK;
}

void carom_wheel_box(const carom_shape *shape, const carom_placement *at, double lower[3],
                     double upper[3])
{
    const carom_wheel *wheel = shape->more;
    double axis[3], centre[2][3];
    carom_placing_turn(at->R, wheel->axis, axis);
    for (int k = 0; k < 2; k++) carom_placing_out(at, wheel->centre[k], centre[k]);
    for (int i = 0; i < 3; i++) {
        const double sine = sqrt(fmax(0, 1 - axis[i] * axis[i]));
        const double p = wheel->rim[0] * sine, q = wheel->rim[1] * sine;
        lower[i] = fmin(centre[0][i] - p, centre[1][i] - q) - shape->radius;
        upper[i] = fmax(centre[0][i] + p, centre[1][i] + q) + shape->radius;
    }
}
