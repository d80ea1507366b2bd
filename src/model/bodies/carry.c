// SPDX-License-Identifier: Apache-2.0
// Bodies that a joint carries: the joint's own coordinates take the place of constraints. On the
// parent P, with the joint's point s and its axis a (in coordinates of the parent), and the body's
// orientation C where all coordinates are 0,
//
//     R_rel = turn(a, q) C,   R = R_P R_rel,      w = R_rel' w_P + C' a q'
//     r = r_P + R_P (s + a d) - R origin
//     v = R_rel' (v_P + w_P x (s + a d) + a d') - w x origin
//
// with w and v in axes of each body: no matrix of space is in the kinetic energy of a chain.
// revolute has q, prismatic d, cylindrical both, planar two displacements across a and q about it,
// universal two turns about a and b: R_rel = turn(a, q1) turn(b, q2) C, spherical a quaternion for
// R_rel, fixed nothing.
#include "model/bodies/body_drawing.h"
#include "model/making/making_rotation.h"

#include "expr/rotation_nodes.h"
#include "math/rotation.h"

#include <string.h>

// what a kind of joint lets move
typedef struct carrier {
    const char *name;
    int n_turn;  // about its axis, about the second axis
    int n_slide; // 1 along the axis, 2 across it
    bool is_ball;
    bool is_in_plane; // known there too
} carrier;

static const carrier kind_of_carrier[] = {
    {"revolute", .n_turn = 1, .is_in_plane = true},
    {"prismatic", .n_slide = 1, .is_in_plane = true},
    {"fixed", .is_in_plane = true},
    {"cylindrical", .n_turn = 1, .n_slide = 1},
    {"universal", .n_turn = 2},
    {"spherical", .is_ball = true},
    {"planar", .n_turn = 1, .n_slide = 2},
};

// one body while it is put on its parent
typedef struct carrying {
    carom_making *making;
    carom_graph *g;
    carom_body *body;
    const carom_carrier_text *on;
    const carrier *kind;
    carom_body *parent;
    carom_frame own;      // C: axes of the body in those of the parent at 0
    carom_vec axis, next; // a, and b or the first direction across a
    carom_ref angle[2], slide[2];
    int n_used; // values of start and rate so far
} carrying;

static carom_status find_carrier(carrying *c)
{
    const bool is_plane = carom_bodies_are_plane(c->making);
    for (size_t i = 0; i < sizeof kind_of_carrier / sizeof kind_of_carrier[0]; i++)
        if (strcmp(kind_of_carrier[i].name, c->on->kind.text) == 0 &&
            (kind_of_carrier[i].is_in_plane || !is_plane))
            c->kind = &kind_of_carrier[i];
    if (c->kind) return CAROM_OK;
    return carom_fail_at(c->making->error, c->on->kind.place, CAROM_BAD_INPUT,
                         "a body of the plane is carried by revolute, prismatic or fixed, not by "
                         "'%.60s'",
                         c->on->kind.text);
}

// words that would say nothing
static carom_status refuse_unused(const carrying *c, bool needs_axis)
{
    const carom_carrier_text *on = c->on;
    const bool is_plane = carom_bodies_are_plane(c->making);
    const bool needs_second = c->kind->n_turn == 2 || c->kind->n_slide == 2;
    if (on->axis.n && !needs_axis)
        return carom_fail_at(c->making->error, on->axis.part[0].place, CAROM_BAD_INPUT,
                             "a joint '%.60s' that carries a body has no axis%s (leave it out)",
                             c->kind->name, is_plane ? " in the plane" : "");
    if (on->second.n && !needs_second)
        return carom_fail_at(c->making->error, on->second.part[0].place, CAROM_BAD_INPUT,
                             "a joint '%.60s' that carries a body has no second axis (leave it "
                             "out)",
                             c->kind->name);
    if (on->angle.text && !is_plane)
        return carom_fail_at(c->making->error, on->angle.place, CAROM_BAD_INPUT,
                             "a body in space is turned on its parent about an axis (write turned: "
                             "{axis: [0, 0, 1], angle: %.60s})",
                             on->angle.text);
    return CAROM_OK;
}

// axes of the joint: in the plane its direction of sliding, turning is about z
static carom_status find_axes(carrying *c)
{
    const carom_carrier_text *on = c->on;
    const bool is_plane = carom_bodies_are_plane(c->making);
    const bool needs_axis = c->kind->n_slide > 0 || (!is_plane && c->kind->n_turn > 0);
    double a[3] = {is_plane, 0, !is_plane}, b[3];
    CAROM_TRY(refuse_unused(c, needs_axis));
    if (on->axis.n)
        CAROM_TRY(carom_bodies_unit(c->making, on->axis.part, on->axis.n, "an axis", a));
    else if (needs_axis && !is_plane)
        return carom_fail_at(c->making->error, on->kind.place, CAROM_BAD_INPUT,
                             "the joint that carries '%.60s' needs an axis (write axis: [0, 0, 1])",
                             c->body->name);
    c->axis = carom_weave_numbers(c->g, a[0], a[1], a[2]);
    if (on->second.n) {
        CAROM_TRY(carom_bodies_unit(c->making, on->second.part, on->second.n, "an axis", b));
        if (fabs(carom_rotation_dot(a, b)) > 1e-9)
            return carom_fail_at(c->making->error, on->second.part[0].place, CAROM_BAD_INPUT,
                                 "the two axes of '%.60s' must be perpendicular", c->body->name);
    } else {
        carom_rotation_across(a, b);
    }
    c->next = carom_weave_numbers(c->g, b[0], b[1], b[2]);
    if (c->kind->n_turn < 2 || on->second.n) return CAROM_OK;
    return carom_fail_at(c->making->error, on->kind.place, CAROM_BAD_INPUT,
                         "the universal joint that carries '%.60s' needs a second axis (write "
                         "second: [0, 1, 0])",
                         c->body->name);
}

// the body's axes on its parent where all coordinates are 0
static carom_status find_own_axes(carrying *c)
{
    const carom_vec nothing = carom_weave_numbers(c->g, 0, 0, 0);
    double p[4], R[9];
    if (carom_bodies_are_plane(c->making)) {
        carom_ref angle;
        CAROM_TRY(carom_bodies_constant(c->making, c->on->angle, "an angle", &angle));
        c->own = carom_weave_turned(c->g, nothing, angle);
        c->body->angle = carom_graph_add(c->g, c->parent->angle, angle);
        return CAROM_OK;
    }
    CAROM_TRY(carom_body_turned(c->making, &c->on->turned, p));
    carom_rotation_matrix(p, R);
    for (int k = 0; k < 3; k++)
        c->own.axis[k] = carom_weave_numbers(c->g, R[k], R[3 + k], R[6 + k]);
    c->own.r = nothing;
    return CAROM_OK;
}

static carom_status add_freedom(carrying *c, const char *suffix, carom_ref *ref)
{
    const carom_values_text *start = &c->on->start, *rate = &c->on->rate;
    const int i = c->n_used++;
    carom_ref q0, u0;
    CAROM_TRY(carom_bodies_constant(c->making, i < start->n ? start->value[i] : (carom_text){0},
                                    "a start value", &q0));
    CAROM_TRY(carom_bodies_constant(c->making, i < rate->n ? rate->value[i] : (carom_text){0},
                                    "a start rate", &u0));
    return carom_bodies_coordinate(c->making, c->body, suffix, q0, u0, ref);
}

static carom_status add_freedoms(carrying *c)
{
    const carrier *kind = c->kind;
    static const char *const slide[] = {"displacement1", "displacement2"};
    static const char *const turn[] = {"angle1", "angle2"};
    for (int i = 0; i < kind->n_slide && i < 2; i++)
        CAROM_TRY(add_freedom(c, kind->n_slide == 1 ? "displacement" : slide[i], &c->slide[i]));
    for (int i = 0; i < kind->n_turn && i < 2; i++)
        CAROM_TRY(add_freedom(c, kind->n_turn == 1 ? "angle" : turn[i], &c->angle[i]));
    const carom_values_text *more = c->on->start.n > c->n_used ? &c->on->start : &c->on->rate;
    if (kind->is_ball || more->n <= c->n_used) return CAROM_OK;
    return carom_fail_at(
        c->making->error, more->value[c->n_used].place, CAROM_BAD_INPUT,
        "the joint that carries '%.60s' (%s) has %d coordinate%s, not %d (leave the rest "
        "out)",
        c->body->name, kind->name, c->n_used, c->n_used == 1 ? "" : "s", more->n);
}

// a ball joint: R_rel is a rotation of its own, which starts as C
static carom_status turn_by_ball(carrying *c, carom_frame *rel, carom_vec *spin)
{
    carom_making *making = c->making;
    carom_rotation_given given = {.name = c->body->name, .place = c->body->place};
    double p[4];
    int rotation;
    const carom_values_text *rate = &c->on->rate;
    CAROM_TRY(carom_body_turned(making, &c->on->turned, p));
    if (c->on->start.n || (rate->n != 0 && rate->n != 3))
        return carom_fail_at(making->error, c->on->kind.place, CAROM_BAD_INPUT,
                             "the start of a spherical joint is its 'turned', its rate the spin of "
                             "the body against its parent (write rate: [0, 0, 1])");
    for (int i = 0; i < 4; i++) given.quaternion[i] = carom_graph_number(c->g, p[i]);
    for (int i = 0; i < 3; i++)
        CAROM_TRY(carom_bodies_constant(making, i < rate->n ? rate->value[i] : (carom_text){0},
                                        "a start rate", &given.spin[i]));
    given.name = carom_arena_format(making->model->arena, "%s.joint", c->body->name);
    if (!given.name) return carom_making_no_memory(making);
    const int u = making->velocity.n;
    CAROM_TRY(carom_making_rotation(making, &given, &rotation));
    *rel = carom_weave_rotated(c->g, carom_weave_numbers(c->g, 0, 0, 0), rotation);
    for (int i = 0; i < 3; i++) spin->c[i] = carom_graph_symbol(c->g, CAROM_U, u + i);
    return CAROM_OK;
}

// R_rel, and the spin that the joint adds, in axes of the body
static carom_status turn_body(carrying *c, carom_frame *rel, carom_vec *spin)
{
    carom_graph *g = c->g;
    *rel = c->own;
    *spin = carom_weave_numbers(g, 0, 0, 0);
    if (c->kind->is_ball) return turn_by_ball(c, rel, spin);
    const carom_vec about[] = {c->axis, c->next};
    for (int i = c->kind->n_turn - 1; i >= 0; i--) {
        for (int k = 0; k < 3; k++)
            rel->axis[k] = carom_weave_about(g, about[i], c->angle[i], rel->axis[k]);
        // the axis stays where it is while the body turns about it
        const carom_vec inside = carom_weave_inside(g, rel, about[i]);
        *spin = carom_weave_add(g, *spin,
                                carom_weave_scale(g, carom_graph_rate(g, c->angle[i]), inside));
    }
    return CAROM_OK;
}

// in the plane the angles add up: simpler than products of their sines
static void turn_in_plane(carrying *c, carom_frame *now)
{
    carom_graph *g = c->g;
    if (c->kind->n_turn) c->body->angle = carom_graph_add(g, c->body->angle, c->angle[0]);
    *now = carom_weave_turned(g, carom_weave_numbers(g, 0, 0, 0), c->body->angle);
    c->body->spin = carom_weave_numbers(g, 0, 0, 0);
    c->body->spin.c[2] = carom_graph_rate(g, c->body->angle);
}

// at: the joint's point in coordinates of the parent, with what it slides
static carom_status turn_in_space(carrying *c, carom_vec at, carom_vec origin, carom_frame *now)
{
    carom_graph *g = c->g;
    const carom_body *parent = c->parent;
    carom_frame rel;
    carom_vec spin;
    CAROM_TRY(turn_body(c, &rel, &spin));
    for (int k = 0; k < 3; k++) now->axis[k] = carom_weave_direction(g, &parent->now, rel.axis[k]);
    c->body->spin = carom_weave_add(g, carom_weave_inside(g, &rel, parent->spin), spin);
    carom_vec v = carom_weave_add(g, parent->velocity, carom_weave_cross(g, parent->spin, at));
    v = carom_weave_inside(g, &rel, carom_weave_add(g, v, carom_weave_rate(g, at)));
    c->body->velocity = carom_weave_sub(g, v, carom_weave_cross(g, c->body->spin, origin));
    return CAROM_OK;
}

// the joint's point on the parent and on the body, and how they go together
static carom_status sketch_joint(carrying *c, carom_vec base, carom_vec own)
{
    const carom_vec axis = carom_weave_direction(c->g, &c->parent->now, c->axis);
    CAROM_TRY(carom_bodies_mark(c->making, c->parent, base));
    CAROM_TRY(carom_bodies_mark(c->making, c->body, own));
    if (c->kind->n_slide == 1) return carom_sketch_rail(c->making, c->parent, base, own, axis);
    if (c->kind->n_turn == 0 && !c->kind->is_ball) return CAROM_OK;
    return carom_sketch_pivot(c->making, c->parent, c->body, own);
}

static carom_status place_on_parent(carrying *c)
{
    carom_graph *g = c->g;
    carom_making *making = c->making;
    carom_vec at, origin;
    carom_frame *now = &c->body->now;
    CAROM_TRY(carom_bodies_point(making, c->on->at.part, c->on->at.n, true, &at));
    CAROM_TRY(carom_bodies_vector(making, c->on->origin.part, c->on->origin.n, "origin", &origin));
    at = carom_weave_local(g, &c->parent->start, at);
    const carom_vec base = carom_weave_point(g, &c->parent->now, at);
    const carom_vec across[] = {c->next, carom_weave_cross(g, c->axis, c->next)};
    for (int i = 0; i < c->kind->n_slide; i++)
        at = carom_weave_add(
            g, at, carom_weave_scale(g, c->slide[i], c->kind->n_slide == 1 ? c->axis : across[i]));
    if (carom_bodies_are_plane(making))
        turn_in_plane(c, now);
    else
        CAROM_TRY(turn_in_space(c, at, origin, now));
    now->r = carom_weave_sub(g, carom_weave_point(g, &c->parent->now, at),
                             carom_weave_direction(g, now, origin));
    CAROM_TRY(sketch_joint(c, base, carom_weave_point(g, now, origin)));
    return carom_body_posed(making, c->body, c->kind->n_turn == 0);
}

carom_status carom_body_carry(carom_making *making, carom_body *body, const carom_body_text *text)
{
    int parent;
    carrying c = {.making = making,
                  .g = making->graph,
                  .body = body,
                  .on = &text->on,
                  .angle = {-1, -1},
                  .slide = {-1, -1}};
    CAROM_TRY(carom_body_refuse_beside(making, text, "a joint"));
    if (strcmp(text->on.parent.text, body->name) == 0)
        return carom_fail_at(making->error, text->on.parent.place, CAROM_BAD_INPUT,
                             "the body '%.80s' cannot carry itself", body->name);
    CAROM_TRY(carom_bodies_find(making, text->on.parent, &parent));
    c.parent = &making->bodies->body.item[parent];
    carom_two *joined = CAROM_LIST_ADD(making->arena, &making->bodies->joined);
    if (!joined) return carom_making_no_memory(making);
    *joined = (carom_two){parent, making->bodies->body.n};
    CAROM_TRY(find_carrier(&c));
    CAROM_TRY(find_axes(&c));
    CAROM_TRY(find_own_axes(&c));
    CAROM_TRY(add_freedoms(&c));
    CAROM_TRY(place_on_parent(&c));
    const carom_joint joint = {body->name, body->place, c.kind->n_turn == 1 ? c.angle[0] : -1,
                               c.kind->n_slide == 1 ? c.slide[0] : -1};
    return carom_bodies_add_joint(making, &joint);
}
