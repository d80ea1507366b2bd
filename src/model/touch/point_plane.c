// SPDX-License-Identifier: Apache-2.0
// Point-plane: a corner or the middle of a ball above a face.
//
//     gap = n.(x - y) - radius,   n = R2 d2,   foot x
#include "model/touch/primitive.h"

static void weave(carom_graph *g, const carom_touch *touch, carom_touch_rows *rows)
{
    const carom_vec x = carom_weave_point(g, &touch->body[0].frame, touch->p1);
    const carom_vec y = carom_weave_point(g, &touch->body[1].frame, touch->p2);
    rows->normal = carom_weave_direction(g, &touch->body[1].frame, touch->d2);
    const carom_ref height = carom_weave_dot(g, rows->normal, carom_weave_sub(g, x, y));
    rows->gap = carom_graph_sub(g, height, touch->radius);
    rows->point = carom_touch_point(g, touch, x, rows->normal, rows->gap);
}

const carom_primitive_kind carom_primitive_kind_point_plane = {
    .name = "point_plane", .weave = weave, .is_for_plane = true, .is_for_space = true};
