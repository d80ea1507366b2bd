// SPDX-License-Identifier: Apache-2.0
// Vectors of space, inlined: three numbers each.
#ifndef CAROM_MATH_VEC3_H
#define CAROM_MATH_VEC3_H

#include <math.h>

static inline double carom_vec3_dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/// c = a x b; c must be neither.
static inline void carom_vec3_cross(const double *a, const double *b, double *c)
{
    c[0] = a[1] * b[2] - a[2] * b[1];
    c[1] = a[2] * b[0] - a[0] * b[2];
    c[2] = a[0] * b[1] - a[1] * b[0];
}

/// c = a - b; c may be one of them.
static inline void carom_vec3_subtract(const double *a, const double *b, double *c)
{
    for (int k = 0; k < 3; k++) c[k] = a[k] - b[k];
}

/// c = a + s b; c may be one of them.
static inline void carom_vec3_add(const double *a, double s, const double *b, double *c)
{
    for (int k = 0; k < 3; k++) c[k] = a[k] + s * b[k];
}

static inline void carom_vec3_copy(const double *a, double *b)
{
    for (int k = 0; k < 3; k++) b[k] = a[k];
}

static inline void carom_vec3_negate(const double *a, double *b)
{
    for (int k = 0; k < 3; k++) b[k] = -a[k];
}

static inline double carom_vec3_length(const double *a)
{
    return sqrt(carom_vec3_dot(a, a));
}

/// b = a/|a|; returns |a|. b may be a; where |a| is 0 it is 0.
static inline double carom_vec3_unit(const double *a, double *b)
{
    const double length = carom_vec3_length(a);
    const double factor = length > 0 ? 1 / length : 0;
    for (int k = 0; k < 3; k++) b[k] = factor * a[k];
    return length;
}

/// a.(b x c).
static inline double carom_vec3_triple(const double *a, const double *b, const double *c)
{
    double d[3];
    carom_vec3_cross(b, c, d);
    return carom_vec3_dot(a, d);
}

#endif
