// SPDX-License-Identifier: Apache-2.0
// What all primitives share: the contact point, tangents, and how fast matter slides there.
#include "model/touch/primitive.h"

#include <math.h>

static const carom_primitive_kind *const kind[CAROM_N_PRIMITIVE] = {
#define X(name) &carom_primitive_kind_##name,
#include "model/touch/touch_table.h"
#undef X
};

const carom_primitive_kind *carom_primitive_at(int primitive)
{
    return primitive >= 0 && primitive < CAROM_N_PRIMITIVE ? kind[primitive] : NULL;
}

carom_vec carom_touch_point(carom_graph *g, const carom_touch *touch, carom_vec foot, carom_vec n,
                            carom_ref gap)
{
    const carom_ref half = carom_graph_mul(g, carom_graph_number(g, 0.5), gap);
    const carom_ref depth = carom_graph_add(g, touch->first, half);
    return carom_weave_sub(g, foot, carom_weave_scale(g, depth, n));
}

// v + w x (c - r)
static carom_vec velocity_at(carom_graph *g, const carom_touch_body *body, carom_vec c)
{
    const carom_vec arm = carom_weave_sub(g, c, body->frame.r);
    return carom_weave_add(g, body->velocity, carom_weave_cross(g, body->spin, arm));
}

// In axes of body 2, where the normal of a face and t2 are numbers: then so are the tangents.
static void weave_tangents(carom_graph *g, const carom_touch *touch, bool is_face, carom_vec n,
                           carom_vec t[2])
{
    const carom_frame *frame = &touch->body[1].frame;
    const carom_vec own = is_face ? touch->d2 : carom_weave_inside(g, frame, n);
    const carom_ref along = carom_weave_dot(g, own, touch->t2);
    const carom_vec first =
        carom_weave_unit(g, carom_weave_sub(g, touch->t2, carom_weave_scale(g, along, own)));
    t[0] = carom_weave_direction(g, frame, first);
    t[1] = carom_weave_direction(g, frame, carom_weave_cross(g, own, first));
}

void carom_touch_weave(carom_graph *g, int primitive, const carom_touch *touch,
                       carom_touch_rows *rows)
{
    const bool is_face = primitive == CAROM_POINT_PLANE || primitive == CAROM_RIM_PLANE;
    kind[primitive]->weave(g, touch, rows);
    const carom_vec v = carom_weave_sub(g, velocity_at(g, &touch->body[0], rows->point),
                                        velocity_at(g, &touch->body[1], rows->point));
    const carom_vec n = rows->normal;
    carom_vec t[2];
    rows->n_slip = touch->dim - 1;
    if (touch->dim == 2) {
        const carom_ref back = carom_graph_make(g, CAROM_OP_NEG, n.c[0], -1, -1);
        t[0] = carom_weave_plane(g, n.c[1], back);
    } else {
        weave_tangents(g, touch, is_face, n, t);
    }
    for (int k = 0; k < rows->n_slip; k++) rows->slip[k] = carom_weave_dot(g, t[k], v);
    const carom_vec turn = carom_weave_sub(g, touch->body[0].spin, touch->body[1].spin);
    rows->roll[0] = rows->spin = turn.c[2];
    if (touch->dim == 2) return;
    for (int k = 0; k < 2; k++) rows->roll[k] = carom_weave_dot(g, t[k], turn);
    rows->spin = carom_weave_dot(g, n, turn);
}

static void turn(const double R[9], const double a[3], double b[3])
{
    for (int i = 0; i < 3; i++) b[i] = R[3 * i] * a[0] + R[3 * i + 1] * a[1] + R[3 * i + 2] * a[2];
}

static void turn_back(const double R[9], const double a[3], double b[3])
{
    for (int i = 0; i < 3; i++) b[i] = R[i] * a[0] + R[3 + i] * a[1] + R[6 + i] * a[2];
}

// the normal, of any length, in axes of body 2
static void normal_of(const carom_feature *f, const carom_placement *at_1,
                      const carom_placement *at_2, double n[3])
{
    double x[3], y[3], a[3], in_space[3];
    turn(at_1->R, f->p1, x);
    turn(at_2->R, f->p2, y);
    for (int i = 0; i < 3; i++) in_space[i] = x[i] + at_1->r[i] - y[i] - at_2->r[i];
    turn_back(at_2->R, in_space, n);
    if (f->primitive == CAROM_POINT_PLANE || f->primitive == CAROM_RIM_PLANE)
        for (int i = 0; i < 3; i++) n[i] = f->d2[i];
    if (f->primitive == CAROM_POINT_LINE) {
        const double along = n[0] * f->d2[0] + n[1] * f->d2[1] + n[2] * f->d2[2];
        for (int i = 0; i < 3; i++) n[i] -= along * f->d2[i];
    }
    if (f->primitive != CAROM_EDGE_EDGE) return;
    turn(at_1->R, f->d1, in_space);
    turn_back(at_2->R, in_space, a);
    for (int i = 0; i < 3; i++)
        n[i] = a[(i + 1) % 3] * f->d2[(i + 2) % 3] - a[(i + 2) % 3] * f->d2[(i + 1) % 3];
}

void carom_touch_tangent(const carom_feature *feature, const carom_placement *at_1,
                         const carom_placement *at_2, double t2[3])
{
    double n[3];
    int least = 0;
    normal_of(feature, at_1, at_2, n);
    for (int i = 1; i < 3; i++)
        if (fabs(n[i]) < fabs(n[least])) least = i;
    for (int i = 0; i < 3; i++) t2[i] = i == least;
}
