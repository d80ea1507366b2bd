// SPDX-License-Identifier: Apache-2.0
// On which side of a plane a point is, without an error.
#ifndef CAROM_SHAPES_PREDICATE_H
#define CAROM_SHAPES_PREDICATE_H

/// The sign of det(b - a, c - a, d - a): 1 where d is above the plane of a, b, c seen
/// counter-clockwise, -1 below, 0 in it, exactly.
int carom_orient(const double *a, const double *b, const double *c, const double *d);

#endif
