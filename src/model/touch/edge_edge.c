// SPDX-License-Identifier: Apache-2.0
// Edge-edge: two lines that cross at a distance.
//
//     gap = n.(x - y) - radius,   n = side N/|N|,   N = a x b,   a = R1 d1,   b = R2 d2
//     foot x + s a,               s = ((y - x) x b).N/N.N
//
// Moving x along a changes nothing: the rows are those at the feet. Parallel edges have no such
// contact; geometry gives their ends against the other's face or line instead.
#include "model/touch/primitive.h"

static void weave(carom_graph *g, const carom_touch *touch, carom_touch_rows *rows)
{
    const carom_vec x = carom_weave_point(g, &touch->body[0].frame, touch->p1);
    const carom_vec y = carom_weave_point(g, &touch->body[1].frame, touch->p2);
    const carom_vec a = carom_weave_direction(g, &touch->body[0].frame, touch->d1);
    const carom_vec b = carom_weave_direction(g, &touch->body[1].frame, touch->d2);
    const carom_vec N = carom_weave_cross(g, a, b), d = carom_weave_sub(g, x, y);
    rows->normal = carom_weave_scale(g, touch->side, carom_weave_unit(g, N));
    rows->gap = carom_graph_sub(g, carom_weave_dot(g, rows->normal, d), touch->radius);
    const carom_vec back = carom_weave_cross(g, carom_weave_sub(g, y, x), b);
    const carom_ref s = carom_graph_make(g, CAROM_OP_DIV, carom_weave_dot(g, back, N),
                                         carom_weave_dot(g, N, N), -1);
    const carom_vec foot = carom_weave_add(g, x, carom_weave_scale(g, s, a));
    rows->point = carom_touch_point(g, touch, foot, rows->normal, rows->gap);
}

const carom_primitive_kind carom_primitive_kind_edge_edge = {
    .name = "edge_edge", .weave = weave, .is_for_space = true};
