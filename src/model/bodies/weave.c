// SPDX-License-Identifier: Apache-2.0
// Vectors of graph nodes. The graph simplifies while it is built (0*x, 1*x, x + 0), so that the
// formulas of space cost in the plane what those of the plane would.
#include "model/bodies/weave.h"

#include "expr/rotation_nodes.h"
#include "expr/vectors.h"

carom_vec carom_weave_numbers(carom_graph *g, double x, double y, double z)
{
    return (carom_vec){
        {carom_graph_number(g, x), carom_graph_number(g, y), carom_graph_number(g, z)}};
}

bool carom_weave_is_zero(const carom_graph *g, carom_vec a)
{
    return carom_graph_is_zero(g, a.c[0]) && carom_graph_is_zero(g, a.c[1]) &&
           carom_graph_is_zero(g, a.c[2]);
}

carom_vec carom_weave_plane(carom_graph *g, carom_ref x, carom_ref y)
{
    return (carom_vec){{x, y, carom_graph_number(g, 0)}};
}

carom_vec carom_weave_add(carom_graph *g, carom_vec a, carom_vec b)
{
    carom_vec sum;
    for (int i = 0; i < 3; i++) sum.c[i] = carom_graph_add(g, a.c[i], b.c[i]);
    return sum;
}

carom_vec carom_weave_sub(carom_graph *g, carom_vec a, carom_vec b)
{
    carom_vec difference;
    for (int i = 0; i < 3; i++) difference.c[i] = carom_graph_sub(g, a.c[i], b.c[i]);
    return difference;
}

carom_vec carom_weave_scale(carom_graph *g, carom_ref factor, carom_vec a)
{
    carom_vec scaled;
    for (int i = 0; i < 3; i++) scaled.c[i] = carom_graph_mul(g, factor, a.c[i]);
    return scaled;
}

carom_ref carom_weave_dot(carom_graph *g, carom_vec a, carom_vec b)
{
    return carom_graph_dot(g, a.c, b.c);
}

carom_vec carom_weave_cross(carom_graph *g, carom_vec a, carom_vec b)
{
    carom_vec product;
    carom_graph_cross(g, a.c, b.c, product.c);
    return product;
}

carom_ref carom_weave_norm(carom_graph *g, carom_vec a)
{
    return carom_graph_norm(g, a.c);
}

carom_vec carom_weave_unit(carom_graph *g, carom_vec a)
{
    carom_vec unit;
    carom_graph_unit(g, a.c, unit.c);
    return unit;
}

carom_vec carom_weave_rate(carom_graph *g, carom_vec a)
{
    carom_vec rate;
    for (int i = 0; i < 3; i++) rate.c[i] = carom_graph_rate(g, a.c[i]);
    return rate;
}

carom_frame carom_weave_ground(carom_graph *g)
{
    carom_frame frame = {.r = carom_weave_numbers(g, 0, 0, 0)};
    for (int i = 0; i < 3; i++) frame.axis[i] = carom_weave_numbers(g, i == 0, i == 1, i == 2);
    return frame;
}

carom_frame carom_weave_turned(carom_graph *g, carom_vec r, carom_ref angle)
{
    const carom_ref c = carom_graph_make(g, CAROM_OP_COS, angle, -1, -1);
    const carom_ref s = carom_graph_make(g, CAROM_OP_SIN, angle, -1, -1);
    carom_frame frame = carom_weave_ground(g);
    frame.r = r;
    frame.axis[0] = carom_weave_plane(g, c, s);
    frame.axis[1] = carom_weave_plane(g, carom_graph_make(g, CAROM_OP_NEG, s, -1, -1), c);
    return frame;
}

// what lies along the axis stays, so that nothing is left of cos + (1 - cos)
carom_vec carom_weave_about(carom_graph *g, carom_vec axis, carom_ref angle, carom_vec a)
{
    const carom_ref c = carom_graph_make(g, CAROM_OP_COS, angle, -1, -1);
    const carom_ref s = carom_graph_make(g, CAROM_OP_SIN, angle, -1, -1);
    const carom_vec along = carom_weave_scale(g, carom_weave_dot(g, axis, a), axis);
    const carom_vec across = carom_weave_scale(g, c, carom_weave_sub(g, a, along));
    const carom_vec turned = carom_weave_scale(g, s, carom_weave_cross(g, axis, a));
    return carom_weave_add(g, along, carom_weave_add(g, across, turned));
}

carom_frame carom_weave_rotated(carom_graph *g, carom_vec r, int rotation)
{
    carom_frame frame = {.r = r};
    for (int i = 0; i < 9; i++)
        frame.axis[i % 3].c[i / 3] = carom_graph_entry(g, rotation, i / 3, i % 3);
    return frame;
}

carom_vec carom_weave_direction(carom_graph *g, const carom_frame *frame, carom_vec s)
{
    carom_vec sum = carom_weave_scale(g, s.c[0], frame->axis[0]);
    for (int i = 1; i < 3; i++)
        sum = carom_weave_add(g, sum, carom_weave_scale(g, s.c[i], frame->axis[i]));
    return sum;
}

carom_vec carom_weave_point(carom_graph *g, const carom_frame *frame, carom_vec s)
{
    return carom_weave_add(g, frame->r, carom_weave_direction(g, frame, s));
}

carom_vec carom_weave_inside(carom_graph *g, const carom_frame *frame, carom_vec a)
{
    carom_vec inside;
    for (int i = 0; i < 3; i++) inside.c[i] = carom_weave_dot(g, frame->axis[i], a);
    return inside;
}

carom_vec carom_weave_local(carom_graph *g, const carom_frame *frame, carom_vec p)
{
    return carom_weave_inside(g, frame, carom_weave_sub(g, p, frame->r));
}
