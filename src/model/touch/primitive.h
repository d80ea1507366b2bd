// SPDX-License-Identifier: Apache-2.0
// Primitives: what two frozen features (shapes/feature.h) do as equations. A primitive writes its
// gap and its slips as nodes of a graph, once; rows, curvature and every derivative follow from
// them like those of any text. The same file serves contacts that are there for the whole run
// (woven into the model's own graph with the shapes' numbers) and contacts that come and go (woven
// once for two bodies and features that are symbols, and run for each slot).
//
//     gap       of the table in shapes/feature.h, at the poses of both bodies
//     foot      the point of body 1's feature that is nearest to body 2's; its surface is `first`
//               beyond it: a ball's radius
//     c         the contact point: the middle of the two surface points, foot - (first + gap/2) n
//     slip k    t_k . (v1(c) - v2(c)), v_i(c) the velocity of body i's matter at c
//     roll k    t_k . (w1 - w2), in space; w1 - w2 in the plane
//     spin      n . (w1 - w2), in space
//     t_1, t_2  perpendicular to the normal n, which points from body 2 to body 1. In space t_1 is
//               a direction t2 of body 2, projected, and t_2 = n x t_1; in the plane t_1 = n x ez
#ifndef CAROM_MODEL_PRIMITIVE_H
#define CAROM_MODEL_PRIMITIVE_H

#include "model/bodies/weave.h"
#include "shapes/feature.h"

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
    carom_vec t2; ///< a direction of body 2 that tangents start from (carom_touch_tangent)
    carom_ref rim, radius, side;
    carom_ref first; ///< how much of radius is that of body 1
    int dim;
} carom_touch;

/// What it gives.
typedef struct carom_touch_rows {
    carom_ref gap;
    int n_slip;        ///< 1 in the plane, 2 in space
    carom_ref slip[2]; ///< rates
    carom_ref roll[2]; ///< rates of rolling, as many as slips
    carom_ref spin;    ///< in space
    carom_vec point, normal;
} carom_touch_rows;

typedef struct carom_primitive_kind {
    const char *name;
    /// Gap, contact point and normal.
    void (*weave)(carom_graph *g, const carom_touch *touch, carom_touch_rows *rows);
    bool is_for_plane, is_for_space;
} carom_primitive_kind;

/// The kind of a number of feature.h.
const carom_primitive_kind *carom_primitive_at(int primitive);
/// All that a primitive gives: what its kind weaves, and the slips.
void carom_touch_weave(carom_graph *g, int primitive, const carom_touch *touch,
                       carom_touch_rows *rows);
/// The contact point below the foot.
carom_vec carom_touch_point(carom_graph *g, const carom_touch *touch, carom_vec foot, carom_vec n,
                            carom_ref gap);
/// Direction t2 for a feature: in axes of body 2, as far as possible from its normal at the poses
/// where it was found.
void carom_touch_tangent(const carom_feature *feature, const carom_placement *at_1,
                         const carom_placement *at_2, double t2[3]);

#define X(name) extern const carom_primitive_kind carom_primitive_kind_##name;
#include "model/touch/touch_table.h"
#undef X

#endif
