// SPDX-License-Identifier: Apache-2.0
// Points and directions between the axes of bodies and of space.
//
//     out     space = r + R body            in     body = R' (space - r)
//     across  of b = Rb' (Ra p + (ra - rb)): far from the origin of space no digit is lost
#ifndef CAROM_SHAPES_PLACING_H
#define CAROM_SHAPES_PLACING_H

#include "shapes/feature.h"

/// out = R v; out must not be v.
static inline void carom_placing_turn(const double *R, const double *v, double *out)
{
    for (int i = 0; i < 3; i++)
        out[i] = R[3 * i] * v[0] + R[3 * i + 1] * v[1] + R[3 * i + 2] * v[2];
}

/// out = R' v; out must not be v.
static inline void carom_placing_turn_back(const double *R, const double *v, double *out)
{
    for (int i = 0; i < 3; i++) out[i] = R[i] * v[0] + R[3 + i] * v[1] + R[6 + i] * v[2];
}

/// A point of a body, in space.
static inline void carom_placing_out(const carom_placement *at, const double *p, double *out)
{
    carom_placing_turn(at->R, p, out);
    for (int i = 0; i < 3; i++) out[i] += at->r[i];
}

/// A point of body a, in axes of body b.
static inline void carom_placing_across(const carom_placement *a, const carom_placement *b,
                                        const double *p, double *out)
{
    double d[3];
    carom_placing_turn(a->R, p, d);
    for (int i = 0; i < 3; i++) d[i] += a->r[i] - b->r[i];
    carom_placing_turn_back(b->R, d, out);
}

/// A direction of body a, in axes of body b.
static inline void carom_placing_direct(const carom_placement *a, const carom_placement *b,
                                        const double *v, double *out)
{
    double d[3];
    carom_placing_turn(a->R, v, d);
    carom_placing_turn_back(b->R, d, out);
}

#endif
