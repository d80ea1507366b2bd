// SPDX-License-Identifier: Apache-2.0
// Rim-plane: the circle around a disk or cylinder above a face.
//
//     gap  = n.(x - y) - rim s - radius,   n = R2 d2,   a = R1 d1
//     foot = x - rim (n - (n.a) a)/s,      s = sqrt(|n x a|^2 + tiny^2) = sine of the tilt
//
// A rim that lies flat on the plane has no lowest point; tiny = 1e-9 makes it the middle. Such a
// rest is carried by the other features of the shape, not by this one.
#include "model/touch/primitive.h"

static void weave(carom_graph *g, const carom_touch *touch, carom_touch_rows *rows)
{
    const carom_vec x = carom_weave_point(g, &touch->body[0].frame, touch->p1);
    const carom_vec y = carom_weave_point(g, &touch->body[1].frame, touch->p2);
    const carom_vec a = carom_weave_direction(g, &touch->body[0].frame, touch->d1);
    const carom_vec n = carom_weave_direction(g, &touch->body[1].frame, touch->d2);
    const carom_vec across = carom_weave_cross(g, n, a);
    const carom_ref square =
        carom_graph_add(g, carom_weave_dot(g, across, across), carom_graph_number(g, 1e-18));
    const carom_ref s = carom_graph_make(g, CAROM_OP_SQRT, square, -1, -1);
    const carom_ref height = carom_weave_dot(g, n, carom_weave_sub(g, x, y));
    rows->normal = n;
    rows->gap = carom_graph_sub(g, carom_graph_sub(g, height, carom_graph_mul(g, touch->rim, s)),
                                touch->radius);
    const carom_vec up = carom_weave_sub(g, n, carom_weave_scale(g, carom_weave_dot(g, n, a), a));
    const carom_ref reach = carom_graph_make(g, CAROM_OP_DIV, touch->rim, s, -1);
    const carom_vec foot = carom_weave_sub(g, x, carom_weave_scale(g, reach, up));
    rows->point = carom_touch_point(g, touch, foot, n, rows->gap);
}

const carom_primitive_kind carom_primitive_kind_rim_plane = {
    .name = "rim_plane", .weave = weave, .is_for_space = true};
