// SPDX-License-Identifier: Apache-2.0
// Rotations as unit quaternions p = (w, x, y, z), R from body to space, and vectors of space.
//
//     product     (a, A) o (b, B) = (a b - A.B, a B + b A + A x B)
//     exp         exp(th/2) = (cos(a/2), th sin(a/2)/a),   a = |th|
//     log         2 log(p) = 2 atan2(|vec p|, w) vec p/|vec p|,  p with the sign that makes w >= 0
//     rate        p' = 1/2 p o (0, omega),  omega in axes of the body
//
// exp and log are series where a is small: no digit is lost, and there is no 0/0. p and -p are one
// orientation: R and log never tell them apart. Functions take a p that is not of unit length where
// that makes sense (stages of Runge-Kutta methods): R, rate and log do.
#ifndef CAROM_MATH_ROTATION_H
#define CAROM_MATH_ROTATION_H

#include <math.h>

static inline double carom_rotation_dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/// c = a x b; c must be neither.
static inline void carom_rotation_cross(const double *a, const double *b, double *c)
{
    c[0] = a[1] * b[2] - a[2] * b[1];
    c[1] = a[2] * b[0] - a[0] * b[2];
    c[2] = a[0] * b[1] - a[1] * b[0];
}

/// across: of unit length, perpendicular to a (of unit length), near the axis of space that is
/// least parallel to it.
static inline void carom_rotation_across(const double *a, double *across)
{
    int least = 0;
    for (int i = 1; i < 3; i++)
        if (fabs(a[i]) < fabs(a[least])) least = i;
    double square = 0;
    for (int i = 0; i < 3; i++) {
        across[i] = (i == least) - a[least] * a[i];
        square += across[i] * across[i];
    }
    for (int i = 0; i < 3; i++) across[i] /= sqrt(square);
}

/// c = a o b; c may be one of them.
static inline void carom_rotation_product(const double *a, const double *b, double *c)
{
    const double w = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3];
    const double x = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2];
    const double y = a[0] * b[2] + a[2] * b[0] + a[3] * b[1] - a[1] * b[3];
    const double z = a[0] * b[3] + a[3] * b[0] + a[1] * b[2] - a[2] * b[1];
    c[0] = w;
    c[1] = x;
    c[2] = y;
    c[3] = z;
}

/// p = exp(th/2): the turn by the vector th [rad].
static inline void carom_rotation_exp(const double *th, double *p)
{
    const double square = carom_rotation_dot(th, th);
    double w, s;
    if (square < 1e-8) { // the next terms are below 1e-18
        w = 1 - square / 8;
        s = 0.5 - square / 48;
    } else {
        const double a = sqrt(square);
        w = cos(0.5 * a);
        s = sin(0.5 * a) / a;
    }
    p[0] = w;
    for (int k = 0; k < 3; k++) p[1 + k] = s * th[k];
}

/// th = 2 log(p): the shortest turn that p is [rad].
static inline void carom_rotation_log(const double *p, double *th)
{
    const double sign = p[0] < 0 ? -1 : 1, w = sign * p[0];
    const double s = sqrt(carom_rotation_dot(p + 1, p + 1));
    const double r = s / w; // infinite at a half turn
    const double factor = r < 1e-4 ? 2 / w * (1 - r * r / 3) : 2 * atan2(s, w) / s;
    for (int k = 0; k < 3; k++) th[k] = sign * factor * p[1 + k];
}

/// p of unit length.
static inline void carom_rotation_normalise(double *p)
{
    const double length = sqrt(p[0] * p[0] + carom_rotation_dot(p + 1, p + 1));
    for (int k = 0; k < 4; k++) p[k] /= length;
}

/// p_out = p o exp(th/2), and half a step of Newton's method for unit length: p, of unit length
/// within rounding, stays so for ever. p_out may be p.
static inline void carom_rotation_turn(const double *p, const double *th, double *p_out)
{
    double e[4];
    carom_rotation_exp(th, e);
    carom_rotation_product(p, e, p_out);
    const double square = p_out[0] * p_out[0] + carom_rotation_dot(p_out + 1, p_out + 1);
    const double factor = 0.5 * (3 - square);
    for (int k = 0; k < 4; k++) p_out[k] *= factor;
}

/// th with a o exp(th/2) = b, up to the sign of b.
static inline void carom_rotation_between(const double *a, const double *b, double *th)
{
    const double back[4] = {a[0], -a[1], -a[2], -a[3]};
    double p[4];
    carom_rotation_product(back, b, p);
    carom_rotation_log(p, th);
}

/// p' = 1/2 p o (0, omega).
static inline void carom_rotation_rate(const double *p, const double *omega, double *p_dot)
{
    const double half[4] = {0, 0.5 * omega[0], 0.5 * omega[1], 0.5 * omega[2]};
    carom_rotation_product(p, half, p_dot);
}

/// R (9, by rows) of p, whatever its length.
static inline void carom_rotation_matrix(const double *p, double *R)
{
    const double w = p[0], x = p[1], y = p[2], z = p[3];
    const double s = 2 / (w * w + x * x + y * y + z * z);
    R[0] = 1 - s * (y * y + z * z);
    R[1] = s * (x * y - w * z);
    R[2] = s * (x * z + w * y);
    R[3] = s * (x * y + w * z);
    R[4] = 1 - s * (x * x + z * z);
    R[5] = s * (y * z - w * x);
    R[6] = s * (x * z - w * y);
    R[7] = s * (y * z + w * x);
    R[8] = 1 - s * (x * x + y * y);
}

/// p of R (9, by rows), from the largest of its four parts: no digit is lost.
static inline void carom_rotation_quaternion(const double *R, double *p)
{
    const double square[4] = {1 + R[0] + R[4] + R[8], 1 + R[0] - R[4] - R[8],
                              1 - R[0] + R[4] - R[8], 1 - R[0] - R[4] + R[8]};
    int k = 0;
    for (int i = 1; i < 4; i++)
        if (square[i] > square[k]) k = i;
    // 4 p_k p_i for every i
    const double w = R[7] - R[5], x = R[2] - R[6], y = R[3] - R[1];
    const double xy = R[1] + R[3], xz = R[2] + R[6], yz = R[5] + R[7];
    const double row[4][4] = {{square[0], w, x, y},
                              {w, square[1], xy, xz},
                              {x, xy, square[2], yz},
                              {y, xz, yz, square[3]}};
    for (int i = 0; i < 4; i++) p[i] = row[k][i];
    carom_rotation_normalise(p);
}

/// c(a) = (1 - a/2 cot(a/2))/a^2 of the square of a: the second coefficient of the inverse of the
/// derivative of exp, th' = omega + 1/2 th x omega + c th x (th x omega).
static inline double carom_rotation_c(double square)
{
    if (square < 1e-6) return 1.0 / 12 + square / 720;
    const double a = sqrt(square);
    return (1 - 0.5 * a / tan(0.5 * a)) / square;
}

#endif
