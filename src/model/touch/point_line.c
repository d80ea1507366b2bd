// SPDX-License-Identifier: Apache-2.0
// Point-line: a ball or a corner beside an edge; side -1 = a ball inside a tube.
//
//     gap = side (|e| - radius),   e = d - (d.l) l,   d = x - y,   l = R2 d2,   n = side e/|e|
#include "model/touch/primitive.h"

static void weave(carom_graph *g, const carom_touch *touch, carom_touch_rows *rows)
{
    const carom_vec x = carom_weave_point(g, &touch->body[0].frame, touch->p1);
    const carom_vec y = carom_weave_point(g, &touch->body[1].frame, touch->p2);
    const carom_vec l = carom_weave_direction(g, &touch->body[1].frame, touch->d2);
    const carom_vec d = carom_weave_sub(g, x, y);
    const carom_vec e = carom_weave_sub(g, d, carom_weave_scale(g, carom_weave_dot(g, d, l), l));
    const carom_ref room = carom_graph_sub(g, carom_weave_norm(g, e), touch->radius);
    rows->gap = carom_graph_mul(g, touch->side, room);
    rows->normal = carom_weave_scale(g, touch->side, carom_weave_unit(g, e));
    rows->point = carom_touch_point(g, touch, x, rows->normal, rows->gap);
}

const carom_primitive_kind carom_primitive_kind_point_line = {
    .name = "point_line", .weave = weave, .is_for_space = true};
