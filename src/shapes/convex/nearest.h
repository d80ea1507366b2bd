// SPDX-License-Identifier: Apache-2.0
// Distances of single features of two cores that are apart.
#ifndef CAROM_SHAPES_NEAREST_H
#define CAROM_SHAPES_NEAREST_H

#include "shapes/solid/solid.h"

/// A feature: n_point 1 is a vertex, 2 an edge, 3 a face.
typedef struct carom_part {
    int n_point, number;
} carom_part;

/// The way between two features that are the closest ones; s is INFINITY where they are not.
void carom_closest_parts(const carom_solid_pair *pair, carom_part a, carom_part b, carom_way *way);
/// The closest of all pairs of features.
void carom_closest_of_all(const carom_solid_pair *pair, carom_way *way);

#endif
