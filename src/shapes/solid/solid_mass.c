// SPDX-License-Identifier: Apache-2.0
// Mass and inertia of a box of core sizes A, B, C (halves a, b, c) grown by r. A slice at x has the
// area of a rectangle grown by q(x) = r for |x| <= a, sqrt(r^2 - (|x| - a)^2) beyond:
//
//     S(q) = BC + 2 q (B + C) + pi q^2
//     V    = ABC + 2 r (AB + BC + CA) + pi r^2 (A + B + C) + 4/3 pi r^3
//     integral of x^2 = S(r) A^3/12 + 2 ( BC ((a + r)^3 - a^3)/3
//                       + 2 (B + C) (pi a^2 r^2/4 + 2 a r^3/3 + pi r^4/16)
//                       + pi (2 a^2 r^3/3 + a r^4/2 + 2 r^5/15) )
//
// With B = C = 0 it is a capsule, with A = 0 too a ball.
#include "shapes/solid/solid.h"

#include <math.h>

static double find_moment(double A, double B, double C, double r)
{
    const double pi = acos(-1), a = 0.5 * A, r2 = r * r, r3 = r2 * r;
    const double slice = B * C + 2 * r * (B + C) + pi * r2;
    const double end = B * C * r * (3 * a * a + 3 * a * r + r2) / 3 +
                       2 * (B + C) * (pi * a * a * r2 / 4 + 2 * a * r3 / 3 + pi * r2 * r2 / 16) +
                       pi * (2 * a * a * r3 / 3 + a * r2 * r2 / 2 + 2 * r2 * r3 / 15);
    return slice * A * A * A / 12 + 2 * end;
}

void carom_solid_give_mass(double volume, const double moment[3], const double centre[3],
                           const double R[9], carom_shape *shape)
{
    static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
    const double principal[3] = {moment[1] + moment[2], moment[0] + moment[2],
                                 moment[0] + moment[1]};
    shape->is_heavy = true;
    shape->mass_1.mass = volume;
    for (int k = 0; k < 3; k++) shape->mass_1.centre[k] = centre[k];
    for (int i = 0; i < 6; i++) {
        const double *p = R + 3 * row[i], *q = R + 3 * column[i];
        double sum = 0;
        for (int k = 0; k < 3; k++) sum += p[k] * principal[k] * q[k];
        shape->mass_1.inertia[i] = sum;
    }
}

void carom_solid_weigh_box(const double size[3], double radius, const double centre[3],
                           const double R[9], carom_shape *shape)
{
    const double A = size[0], B = size[1], C = size[2], r = radius, pi = acos(-1);
    const double volume = A * B * C + 2 * r * (A * B + B * C + C * A) + pi * r * r * (A + B + C) +
                          4 * pi / 3 * r * r * r;
    const double moment[3] = {find_moment(A, B, C, r), find_moment(B, C, A, r),
                              find_moment(C, A, B, r)};
    carom_solid_give_mass(volume, moment, centre, R, shape);
}
