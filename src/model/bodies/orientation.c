// SPDX-License-Identifier: Apache-2.0
// How a body is turned, in numbers: an axis and an angle, a quaternion, or one or two of its axes
// as directions of space. The first direction counts as it is, the second is made perpendicular;
// with one alone the body is turned by the least angle that brings its axis there.
#include "model/bodies/bodies.h"

#include "math/rotation.h"

static carom_place place_of(const carom_turned_text *turned)
{
    if (turned->axis.n) return turned->axis.part[0].place;
    if (turned->n_quaternion) return turned->quaternion[0].place;
    if (turned->angle.text) return turned->angle.place;
    for (int i = 0; i < 3; i++)
        if (turned->direction[i].n) return turned->direction[i].part[0].place;
    return (carom_place){0};
}

static carom_status refuse_turned(carom_making *making, const carom_turned_text *turned)
{
    return carom_fail_at(
        making->error, place_of(turned), CAROM_BAD_INPUT,
        "an orientation is an axis and an angle, a quaternion, or one or two "
        "directions (write {axis: [0, 0, 1], angle: pi/2}, {quaternion: [1, 0, 0, 0]} or {x: "
        "[1, 0, 0], z: [0, 0, 1]})");
}

static carom_status from_axis(carom_making *making, const carom_turned_text *turned, double p[4])
{
    double axis[3], angle, th[3];
    if (!turned->angle.text || !turned->axis.n) return refuse_turned(making, turned);
    CAROM_TRY(carom_bodies_unit(making, turned->axis.part, turned->axis.n, "an axis", axis));
    CAROM_TRY(carom_making_number(making, turned->angle, "the angle of an orientation", &angle));
    for (int i = 0; i < 3; i++) th[i] = angle * axis[i];
    carom_rotation_exp(th, p);
    return CAROM_OK;
}

static carom_status from_quaternion(carom_making *making, const carom_turned_text *turned,
                                    double p[4])
{
    double square = 0;
    for (int i = 0; i < 4; i++) {
        CAROM_TRY(carom_making_number(making, turned->quaternion[i], "a quaternion", &p[i]));
        square += p[i] * p[i];
    }
    if (!(square > 0))
        return carom_fail_at(making->error, turned->quaternion[0].place, CAROM_BAD_INPUT,
                             "a quaternion cannot be 0 (not turned is [1, 0, 0, 0])");
    carom_rotation_normalise(p);
    return CAROM_OK;
}

// columns of R from directions of the axes first and second
static carom_status from_directions(carom_making *making, const carom_turned_text *turned,
                                    int first, int second, double p[4])
{
    const carom_vector_text *a = &turned->direction[first], *b = &turned->direction[second];
    const int third = 3 - first - second;
    double axis[3][3], R[9];
    CAROM_TRY(carom_bodies_unit(making, a->part, a->n, "a direction", axis[first]));
    CAROM_TRY(carom_bodies_unit(making, b->part, b->n, "a direction", axis[second]));
    const double along = carom_rotation_dot(axis[first], axis[second]);
    for (int i = 0; i < 3; i++) axis[second][i] -= along * axis[first][i];
    const double length = sqrt(carom_rotation_dot(axis[second], axis[second]));
    if (length < 1e-6)
        return carom_fail_at(making->error, b->part[0].place, CAROM_BAD_INPUT,
                             "the two directions of an orientation are parallel");
    for (int i = 0; i < 3; i++) axis[second][i] /= length;
    const bool is_even = (first + 1) % 3 == second;
    carom_rotation_cross(axis[is_even ? first : second], axis[is_even ? second : first],
                         axis[third]);
    for (int i = 0; i < 9; i++) R[i] = axis[i % 3][i / 3];
    carom_rotation_quaternion(R, p);
    return CAROM_OK;
}

// e to d: p = (1 + e.d, e x d), made of unit length; half a turn about any axis across where d = -e
static carom_status from_direction(carom_making *making, const carom_turned_text *turned, int which,
                                   double p[4])
{
    const carom_vector_text *text = &turned->direction[which];
    double e[3] = {0}, d[3];
    CAROM_TRY(carom_bodies_unit(making, text->part, text->n, "a direction", d));
    e[which] = 1;
    p[0] = 1 + carom_rotation_dot(e, d);
    carom_rotation_cross(e, d, p + 1);
    if (p[0] < 1e-12) {
        p[0] = 0;
        carom_rotation_across(e, p + 1);
    }
    carom_rotation_normalise(p);
    return CAROM_OK;
}

carom_status carom_body_turned(carom_making *making, const carom_turned_text *turned, double p[4])
{
    const bool has_axis = turned->axis.n > 0 || turned->angle.text;
    int given[3], n = 0;
    for (int i = 0; i < 3; i++)
        if (turned->direction[i].n) given[n++] = i;
    p[0] = 1;
    p[1] = p[2] = p[3] = 0;
    if (has_axis + (turned->n_quaternion > 0) + (n > 0) > 1) return refuse_turned(making, turned);
    if (has_axis) return from_axis(making, turned, p);
    if (turned->n_quaternion) return from_quaternion(making, turned, p);
    if (n == 0) return CAROM_OK;
    if (n == 1) return from_direction(making, turned, given[0], p);
    if (n != 2) return refuse_turned(making, turned);
    return from_directions(making, turned, given[0], given[1], p);
}
