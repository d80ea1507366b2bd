// SPDX-License-Identifier: Apache-2.0
// Where a body is: by coordinates of its own, or by texts in those of others.
//
//     free, plane    q = (x, y, angle)       T = m/2 (x'^2 + y'^2) + J/2 angle'^2
//     free, space    q = (x, y, z, p), spin  T = m/2 (x'^2 + y'^2 + z'^2) + 1/2 w.J w
//     posed          r(q, t) and the angle about a fixed axis are texts,  the same T
//
// A free body has coordinates of its centre of mass, so that its mass is constant; the reference
// point that the file places is r = com - R centre.
#include "model/bodies/bodies.h"
#include "model/making/making_rotation.h"

#include "expr/rotation_nodes.h"
#include "math/rotation.h"

static const carom_allowed POSITIONS = {.no_rates = "a pose depends on positions and time only"};

// the start of a pose that is known for all q
static carom_frame frame_at_start(carom_making *making, const carom_frame *now)
{
    carom_frame start = *now;
    for (int i = 0; i < 3; i++) {
        start.r.c[i] = carom_bodies_at_start(making, now->r.c[i]);
        for (int k = 0; k < 3; k++)
            start.axis[k].c[i] = carom_bodies_at_start(making, now->axis[k].c[i]);
    }
    return start;
}

carom_status carom_body_posed(carom_making *making, carom_body *body, bool names_angle)
{
    const bool is_plane = carom_bodies_are_plane(making);
    body->start_angle = carom_bodies_at_start(making, body->angle);
    body->start = frame_at_start(making, &body->now);
    for (int i = 0; i < making->bodies->dim; i++) {
        const char suffix[] = {"xyz"[i], 0};
        CAROM_TRY(carom_bodies_name(making, body->name, suffix, body->now.r.c[i], body->place));
    }
    if (!is_plane || !names_angle) return CAROM_OK;
    return carom_bodies_name(making, body->name, "angle", body->angle, body->place);
}

// three coordinates of the centre of mass: x, or com.x where the reference point is another one
static carom_status add_centre(carom_making *making, carom_body *body, carom_vec at, carom_vec v,
                               carom_vec *x)
{
    const bool is_off =
        !carom_weave_is_zero(making->graph, body->centre) && !body->is_where_its_shapes_are;
    *x = carom_weave_numbers(making->graph, 0, 0, 0);
    for (int i = 0; i < making->bodies->dim; i++) {
        const char own[] = {"xyz"[i], 0}, com[] = {'c', 'o', 'm', '.', "xyz"[i], 0};
        CAROM_TRY(
            carom_bodies_coordinate(making, body, is_off ? com : own, at.c[i], v.c[i], &x->c[i]));
    }
    return CAROM_OK;
}

// the frame has its axes and the centre of mass: to the reference point
static carom_status name_reference(carom_making *making, carom_body *body)
{
    carom_graph *g = making->graph;
    if (carom_weave_is_zero(g, body->centre)) return CAROM_OK;
    body->now.r =
        carom_weave_sub(g, body->now.r, carom_weave_direction(g, &body->now, body->centre));
    for (int i = 0; i < making->bodies->dim && !body->is_where_its_shapes_are; i++) {
        const char suffix[] = {"xyz"[i], 0};
        CAROM_TRY(carom_bodies_name(making, body->name, suffix, body->now.r.c[i], body->place));
    }
    return CAROM_OK;
}

// place and velocity of the reference point at the start become those of the centre of mass
static carom_status start_of_centre(carom_making *making, carom_body *body,
                                    const carom_body_text *text, carom_vec W, carom_vec *at,
                                    carom_vec *v)
{
    carom_graph *g = making->graph;
    CAROM_TRY(carom_bodies_vector(making, text->velocity.part, text->velocity.n, "a velocity", v));
    const carom_vec arm = carom_weave_direction(g, &body->start, body->centre);
    if (!body->is_where_its_shapes_are) *v = carom_weave_add(g, *v, carom_weave_cross(g, W, arm));
    *at = carom_weave_add(g, body->start.r, arm);
    return CAROM_OK;
}

static carom_status free_in_plane(carom_making *making, carom_body *body,
                                  const carom_body_text *text)
{
    carom_graph *g = making->graph;
    carom_vec at, v, x, W = carom_weave_numbers(g, 0, 0, 0);
    if (text->spin.n > 1)
        return carom_fail_at(making->error, text->spin.part[0].place, CAROM_BAD_INPUT,
                             "the spin of a body of the plane is one number, not %d", text->spin.n);
    CAROM_TRY(carom_bodies_point(making, text->at.part, text->at.n, true, &at));
    CAROM_TRY(carom_bodies_constant(making, text->angle, "an angle", &body->start_angle));
    CAROM_TRY(carom_bodies_constant(making, text->spin.part[0], "a spin", &W.c[2]));
    body->start = carom_weave_turned(g, at, body->start_angle);
    CAROM_TRY(start_of_centre(making, body, text, W, &at, &v));
    CAROM_TRY(add_centre(making, body, at, v, &x));
    CAROM_TRY(
        carom_bodies_coordinate(making, body, "angle", body->start_angle, W.c[2], &body->angle));
    body->now = carom_weave_turned(g, x, body->angle);
    body->spin = carom_weave_plane(g, carom_graph_number(g, 0), carom_graph_number(g, 0));
    body->spin.c[2] = carom_graph_rate(g, body->angle);
    return name_reference(making, body);
}

// the spin at the start, given in axes of the body or of space
static carom_status read_spin(carom_making *making, carom_body *body, const carom_body_text *text,
                              carom_vec *spin)
{
    const carom_vector_text *own = &text->spin, *inertial = &text->spin_inertial;
    if (own->n && inertial->n)
        return carom_fail_at(making->error, inertial->part[0].place, CAROM_BAD_INPUT,
                             "the spin of '%.80s' is given twice, in axes of the body and of space",
                             body->name);
    CAROM_TRY(carom_bodies_vector(making, own->part, own->n, "a spin", spin));
    if (inertial->n == 0) return CAROM_OK;
    CAROM_TRY(carom_bodies_vector(making, inertial->part, inertial->n, "a spin", spin));
    *spin = carom_weave_inside(making->graph, &body->start, *spin);
    return CAROM_OK;
}

static carom_frame frame_of_numbers(carom_graph *g, carom_vec r, const double *p)
{
    double R[9];
    carom_frame frame = {.r = r};
    carom_rotation_matrix(p, R);
    for (int k = 0; k < 3; k++) frame.axis[k] = carom_weave_numbers(g, R[k], R[3 + k], R[6 + k]);
    return frame;
}

static carom_status free_in_space(carom_making *making, carom_body *body,
                                  const carom_body_text *text)
{
    carom_graph *g = making->graph;
    carom_vec at, v, x;
    double p[4];
    carom_rotation_given rotation = {.name = body->name, .place = body->place};
    CAROM_TRY(carom_bodies_point(making, text->at.part, text->at.n, true, &at));
    CAROM_TRY(carom_body_turned(making, &text->turned, p));
    body->start = frame_of_numbers(g, at, p);
    CAROM_TRY(read_spin(making, body, text, &body->spin));
    const carom_vec W = carom_weave_direction(g, &body->start, body->spin);
    CAROM_TRY(start_of_centre(making, body, text, W, &at, &v));
    CAROM_TRY(add_centre(making, body, at, v, &x));
    for (int i = 0; i < 4; i++) rotation.quaternion[i] = carom_graph_number(g, p[i]);
    for (int i = 0; i < 3; i++) rotation.spin[i] = body->spin.c[i];
    body->q = making->coordinate.n;
    body->u = making->velocity.n;
    CAROM_TRY(carom_making_rotation(making, &rotation, &body->rotation));
    body->now = carom_weave_rotated(g, x, body->rotation);
    for (int i = 0; i < 3; i++) body->spin.c[i] = carom_graph_symbol(g, CAROM_U, body->u + i);
    const carom_vec com = carom_weave_inside(g, &body->now, carom_weave_rate(g, x));
    body->velocity = carom_weave_sub(g, com, carom_weave_cross(g, body->spin, body->centre));
    return name_reference(making, body);
}

// turned about a fixed axis by an angle that depends on coordinates
static carom_status pose_in_space(carom_making *making, carom_body *body,
                                  const carom_body_text *text, carom_vec at, carom_ref angle)
{
    carom_graph *g = making->graph;
    const carom_frame ground = carom_weave_ground(g);
    double p[4], axis[3];
    body->now = ground;
    body->spin = carom_weave_numbers(g, 0, 0, 0);
    if (carom_graph_is_firm(g, angle)) {
        CAROM_TRY(carom_body_turned(making, &text->turned, p));
        body->now = frame_of_numbers(g, at, p);
    } else {
        const carom_vector_text *given = &text->turned.axis;
        if (given->n == 0)
            return carom_fail_at(
                making->error, text->turned.angle.place, CAROM_BAD_INPUT,
                "'%.60s' is turned by an angle about no axis (write turned: {axis: "
                "[0, 0, 1], angle: %.60s})",
                body->name, text->turned.angle.text);
        CAROM_TRY(carom_bodies_unit(making, given->part, given->n, "an axis", axis));
        const carom_vec a = carom_weave_numbers(g, axis[0], axis[1], axis[2]);
        for (int k = 0; k < 3; k++)
            body->now.axis[k] = carom_weave_about(g, a, angle, ground.axis[k]);
        body->spin = carom_weave_scale(g, carom_graph_rate(g, angle), a);
    }
    body->now.r = at;
    body->velocity = carom_weave_inside(g, &body->now, carom_weave_rate(g, at));
    return carom_body_posed(making, body, true);
}

carom_status carom_body_refuse_beside(carom_making *making, const carom_body_text *text,
                                      const char *owner)
{
    const carom_text *given = NULL;
    if (text->spin.n) given = &text->spin.part[0];
    if (text->spin_inertial.n) given = &text->spin_inertial.part[0];
    if (text->velocity.n) given = &text->velocity.part[0];
    if (text->on.kind.text && text->at.n) given = &text->at.part[0];
    if (text->on.kind.text && text->angle.text) given = &text->angle;
    if (text->on.kind.text && text->turned.angle.text) given = &text->turned.angle;
    if (text->on.kind.text && text->turned.n_quaternion) given = &text->turned.quaternion[0];
    for (int i = 0; i < 3; i++)
        if (text->on.kind.text && text->turned.direction[i].n)
            given = &text->turned.direction[i].part[0];
    if (!given) return CAROM_OK;
    return carom_fail_at(making->error, given->place, CAROM_BAD_INPUT,
                         "the body '%.60s' is carried by %s, which says where it is and how it "
                         "moves (leave this out)",
                         text->name.text, owner);
}

// words of the plane in space and the other way round
static carom_status refuse_words(carom_making *making, const carom_body_text *text)
{
    const carom_turned_text *turned = &text->turned;
    const bool is_turned = turned->axis.n || turned->angle.text || turned->n_quaternion ||
                           turned->direction[0].n || turned->direction[1].n ||
                           turned->direction[2].n;
    if (carom_bodies_are_plane(making) && (is_turned || text->spin_inertial.n))
        return carom_fail_at(making->error, text->place, CAROM_BAD_INPUT,
                             "'turned' and 'spin_inertial' are for bodies in space (write angle "
                             "and spin)");
    if (!carom_bodies_are_plane(making) && text->angle.text)
        return carom_fail_at(making->error, text->angle.place, CAROM_BAD_INPUT,
                             "a body in space is turned about an axis (write turned: {axis: [0, 0, "
                             "1], angle: %.60s})",
                             text->angle.text);
    return CAROM_OK;
}

carom_status carom_body_place(carom_making *making, carom_body *body, const carom_body_text *text)
{
    carom_graph *g = making->graph;
    const bool is_plane = carom_bodies_are_plane(making);
    const carom_text said = is_plane ? text->angle : text->turned.angle;
    carom_vec at;
    carom_ref angle = carom_graph_number(g, 0);
    CAROM_TRY(refuse_words(making, text));
    // a named point only says where the body starts, unless something else carries it
    CAROM_TRY(
        carom_bodies_point(making, text->at.part, text->at.n == 1 ? 0 : text->at.n, false, &at));
    if (said.text) CAROM_TRY(carom_making_node(making, said, POSITIONS, &angle));
    const bool is_free = carom_graph_is_firm(g, at.c[0]) && carom_graph_is_firm(g, at.c[1]) &&
                         carom_graph_is_firm(g, at.c[2]) && carom_graph_is_firm(g, angle);
    if (is_free)
        return is_plane ? free_in_plane(making, body, text) : free_in_space(making, body, text);
    CAROM_TRY(carom_bodies_point(making, text->at.part, text->at.n, false, &at));
    CAROM_TRY(carom_body_refuse_beside(making, text, "coordinates"));
    if (!is_plane) return pose_in_space(making, body, text, at, angle);
    body->angle = angle;
    body->now = carom_weave_turned(g, at, angle);
    body->spin = carom_weave_numbers(g, 0, 0, 0);
    body->spin.c[2] = carom_graph_rate(g, angle);
    return carom_body_posed(making, body, true);
}
