// SPDX-License-Identifier: Apache-2.0
// Point-point: balls and corners; side -1 = a ball inside another one.
//
//     gap = side (|d| - radius),   d = x - y,   n = side d/|d|,   foot x
#include "model/touch/primitive.h"

static void weave(carom_graph *g, const carom_touch *touch, carom_touch_rows *rows)
{
    const carom_vec x = carom_weave_point(g, &touch->body[0].frame, touch->p1);
    const carom_vec y = carom_weave_point(g, &touch->body[1].frame, touch->p2);
    const carom_vec d = carom_weave_sub(g, x, y);
    const carom_ref room = carom_graph_sub(g, carom_weave_norm(g, d), touch->radius);
    rows->gap = carom_graph_mul(g, touch->side, room);
    rows->normal = carom_weave_scale(g, touch->side, carom_weave_unit(g, d));
    rows->point = carom_touch_point(g, touch, x, rows->normal, rows->gap);
}

const carom_primitive_kind carom_primitive_kind_point_point = {
    .name = "point_point", .weave = weave, .is_for_plane = true, .is_for_space = true};
