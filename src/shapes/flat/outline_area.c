// SPDX-License-Identifier: Apache-2.0
// The area inside an outline that is grown by a radius: a polygon that goes through the centres of
// its round corners, and a sector at each of them (the parts of a Minkowski sum).
//
//     polygon    ... c + r m, c, c + r n, ...              where corner c turns outwards
//                ... c + r (m + n)/(1 + m.n), ...          where it turns inwards
//                m, n: normals of the edges before and after it
//     triangle   (0, p, q): area (p x q)/2, centre (p + q)/3, polar (p x q)(p.p + p.q + q.q)/12
//     sector     of angle a: area r^2 a/2, centre 4 r sin(a/2)/(3 a) along the middle,
//                polar r^4 a/4 about its corner
//
// All is summed about the first corner, so that nothing is lost far from the origin.
#include "shapes/flat/outline.h"

#include <math.h>

typedef struct carom_area_sum {
    const double *about;
    double area, first[2], polar;
    double begin[2], last[2]; ///< of the polygon, from about
    int n;
} carom_area_sum;

static void add_triangle(carom_area_sum *sum, const double *p, const double *q)
{
    const double twice = p[0] * q[1] - p[1] * q[0];
    sum->area += 0.5 * twice;
    for (int k = 0; k < 2; k++) sum->first[k] += twice * (p[k] + q[k]) / 6;
    const double square = p[0] * p[0] + p[1] * p[1] + q[0] * q[0] + q[1] * q[1];
    sum->polar += twice * (square + p[0] * q[0] + p[1] * q[1]) / 12;
}

/// The polygon goes on to c + r (x, y).
static void go_to(carom_area_sum *sum, const double *c, double x, double y)
{
    const double p[2] = {c[0] - sum->about[0] + x, c[1] - sum->about[1] + y};
    if (sum->n++ > 0) add_triangle(sum, sum->last, p);
    for (int k = 0; k < 2; k++) {
        sum->last[k] = p[k];
        if (sum->n == 1) sum->begin[k] = p[k];
    }
}

/// angle from the normal n on, counter-clockwise.
static void add_sector(carom_area_sum *sum, const double *c, double r, const double *n,
                       double angle)
{
    const double area = 0.5 * r * r * angle, half = 0.5 * angle;
    const double far = angle > 0 ? 4 * r * sin(half) / (3 * angle) : 0;
    const double x = c[0] - sum->about[0], y = c[1] - sum->about[1];
    const double dx = far * (cos(half) * n[0] - sin(half) * n[1]);
    const double dy = far * (sin(half) * n[0] + cos(half) * n[1]);
    sum->area += area;
    sum->first[0] += area * (x + dx);
    sum->first[1] += area * (y + dy);
    sum->polar += 0.5 * area * r * r + area * (x * x + y * y + 2 * (x * dx + y * dy));
}

static void add_corner(carom_area_sum *sum, const carom_shape *shape, int i)
{
    const carom_outline *outline = carom_outline_of(shape);
    const int before = (i + shape->n_corner - 1) % shape->n_corner;
    const double *c = shape->corner + 3 * i, r = shape->radius;
    const double *m = outline->normal + 2 * before, *n = outline->normal + 2 * i;
    const double dot = m[0] * n[0] + m[1] * n[1], cross = m[0] * n[1] - m[1] * n[0];
    if (r == 0) {
        go_to(sum, c, 0, 0);
    } else if (outline->is_inward[i]) {
        go_to(sum, c, r * (m[0] + n[0]) / (1 + dot), r * (m[1] + n[1]) / (1 + dot));
    } else {
        go_to(sum, c, r * m[0], r * m[1]);
        go_to(sum, c, 0, 0);
        go_to(sum, c, r * n[0], r * n[1]);
        add_sector(sum, c, r, m, shape->n_corner == 2 ? acos(-1) : atan2(cross, dot));
    }
}

void carom_outline_weigh(const carom_shape *shape, carom_shape_mass *mass)
{
    carom_area_sum sum = {.about = shape->corner};
    if (shape->n_corner == 1) {
        add_sector(&sum, shape->corner, shape->radius, (double[]){1, 0}, 2 * acos(-1));
    } else {
        for (int i = 0; i < shape->n_corner; i++) add_corner(&sum, shape, i);
        add_triangle(&sum, sum.last, sum.begin);
    }
    const double x = sum.first[0] / sum.area, y = sum.first[1] / sum.area;
    *mass = (carom_shape_mass){.mass = sum.area,
                               .centre = {sum.about[0] + x, sum.about[1] + y},
                               .inertia = {[2] = sum.polar - sum.area * (x * x + y * y)}};
}
