// SPDX-License-Identifier: Apache-2.0
// Primitives: what two frozen features (shapes/feature.h) do as equations. A primitive writes its
// gap and its slips as nodes of a graph, once; rows, curvature and every derivative follow from
// them like those of any text. The same file serves contacts that are there for the whole run
// (woven into the model's own graph with the shapes' numbers) and contacts that come and go (woven
// once for two bodies and features that are symbols, and run for each slot).
//
//     gap       of the table in shapes/feature.h, at the poses of both bodies
//     c         the contact point: the middle of the two surface points
//     slip k    t_k . (v1(c) - v2(c)), v_i(c) the velocity of body i's matter at c
//     t_1, t_2  perpendicular to the normal n, which points from body 2 to body 1; t_1 is the axis
//               of body 2's feature frame that is least parallel to n, projected; t_2 = n x t_1
#ifndef CAROM_MODEL_PRIMITIVE_H
#define CAROM_MODEL_PRIMITIVE_H

#include "model/bodies/weave.h"

/// One of the two bodies.
typedef struct carom_touch_body {
    carom_frame frame;  ///< where it is
    carom_vec velocity; ///< of the frame's point, in space
    carom_vec spin;     ///< in axes of space
} carom_touch_body;

/// What a primitive is made from.
typedef struct carom_touch {
    carom_touch_body body[2];
    carom_vec p1, d1, p2, d2; ///< in axes of body 1 and body 2
    carom_vec t2;             ///< a direction of body 2 that tangents start from
    carom_ref rim, radius, side;
    int dim;
} carom_touch;

/// What it gives.
typedef struct carom_touch_rows {
    carom_ref gap;
    int n_slip;        ///< 1 in the plane, 2 in space
    carom_ref slip[2]; ///< rates
    carom_vec point, normal;
} carom_touch_rows;

typedef struct carom_primitive_kind {
    const char *name;
    void (*weave)(carom_graph *g, const carom_touch *touch, carom_touch_rows *rows);
    bool is_for_plane, is_for_space;
} carom_primitive_kind;

/// The kind of a number of feature.h.
const carom_primitive_kind *carom_primitive_at(int primitive);

#endif
