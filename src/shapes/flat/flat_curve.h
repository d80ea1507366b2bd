// SPDX-License-Identifier: Apache-2.0
// A smooth line through nodes, matter on its left: what a curve's pairs need to know of it.
#ifndef CAROM_SHAPES_FLAT_CURVE_H
#define CAROM_SHAPES_FLAT_CURVE_H

#include "shapes/shape_kind.h"

/// A cubic between two nodes: x = c[0] + c[1] s + c[2] s^2 + c[3] s^3, s from 0 to length.
typedef struct carom_flat_curve_span {
    double c[4][2], length;
} carom_flat_curve_span;

/// A piece of a span that turns by little; its begin.
typedef struct carom_flat_curve_piece {
    int span;
    double from, to;
    double point[2], rate[2]; ///< x and dx/ds at from
} carom_flat_curve_piece;

typedef struct carom_flat_curve {
    bool is_closed;
    int n_span, n_piece;
    const carom_flat_curve_span *span;
    const carom_flat_curve_piece *piece; ///< (n_piece + 1) the last is the end
} carom_flat_curve;

static inline const carom_flat_curve *carom_flat_curve_of(const carom_shape *shape)
{
    return shape->more;
}

/// A point of the curve, its first and second derivative by s.
typedef struct carom_flat_curve_point {
    double x[2], d[2], dd[2];
} carom_flat_curve_point;

static inline carom_flat_curve_point carom_flat_curve_at(const carom_flat_curve_span *span,
                                                         double s)
{
    carom_flat_curve_point p;
    for (int k = 0; k < 2; k++) {
        const double c1 = span->c[1][k], c2 = span->c[2][k], c3 = span->c[3][k];
        p.x[k] = span->c[0][k] + s * (c1 + s * (c2 + s * c3));
        p.d[k] = c1 + s * (2 * c2 + 3 * c3 * s);
        p.dd[k] = 2 * c2 + 6 * c3 * s;
    }
    return p;
}

#endif
