// SPDX-License-Identifier: Apache-2.0
// Bodies of the plane: each becomes coordinates with a start, names in the scope, and terms of the
// kinetic energy.
//
//     free:     q = (x, y, angle) of the centre of mass,  T = m/2 (x'^2 + y'^2) + J/2 angle'^2
//     carried:  r(q, t), angle(q, t) are texts, or those of a joint on the parent,  the same T
//
// A free body has coordinates of its centre of mass, so that its mass is constant and diagonal; the
// reference point that the file places is r = com - R centre.
#include "model/bodies/bodies.h"

#include "base/text.h"
#include "expr/rotation.h"

#include <stdio.h>
#include <string.h>

static const carom_allowed POSITIONS = {.no_rates = "a pose depends on positions and time only"};

carom_status carom_bodies_constant(carom_making *making, carom_text text, const char *what,
                                   carom_ref *ref)
{
    return carom_making_start(making, text, what, 0, ref);
}

carom_status carom_bodies_name(carom_making *making, const char *name, const char *suffix,
                               carom_ref ref, carom_place place)
{
    char full[CAROM_LONGEST_NAME];
    const int used = snprintf(full, sizeof full, "%s.%s", name, suffix);
    if (used < 0 || (size_t)used >= sizeof full)
        return carom_fail_at(making->error, place, CAROM_BAD_INPUT,
                             "a name may have at most %d letters", CAROM_LONGEST_NAME - 1);
    const carom_entry entry = {
        .name = full, .meaning = CAROM_MEANS_DEFINE, .ref = ref, .place = place};
    return carom_scope_add(making->scope, &entry, making->error);
}

carom_ref carom_bodies_at_start(carom_making *making, carom_ref root)
{
    carom_graph *g = making->graph;
    carom_ref *const all[] = {&root};
    if (carom_graph_kinds(g, root) == 0) return root;
    root = carom_bodies_undisplaced(g, root);
    if (!carom_graph_spell_out(g, all, 1)) return -1;
    const int n = making->coordinate.n;
    carom_ref *from = CAROM_TAKE(making->arena, carom_ref, n + 1);
    carom_ref *to = CAROM_TAKE(making->arena, carom_ref, n + 1);
    if (!from || !to) return -1;
    for (int i = 0; i < n; i++) {
        from[i] = carom_graph_symbol(g, CAROM_Q, i);
        to[i] = making->coordinate.item[i].q0;
    }
    from[n] = carom_graph_symbol(g, CAROM_TIME, 0);
    to[n] = carom_graph_number(g, 0);
    return carom_graph_replace(g, root, from, to, n + 1);
}

carom_status carom_bodies_vector(carom_making *making, const carom_text *part, int n,
                                 const char *what, carom_vec *vector)
{
    *vector = carom_weave_numbers(making->graph, 0, 0, 0);
    if (n == 0) return CAROM_OK;
    if (n != 2)
        return carom_fail_at(making->error, part[0].place, CAROM_BAD_INPUT,
                             "%s has two components in the plane, not %d (write [x, y])", what, n);
    for (int i = 0; i < 2; i++)
        CAROM_TRY(carom_bodies_constant(making, part[i], what, &vector->c[i]));
    return CAROM_OK;
}

// "crank.tip" as the nodes of crank.tip.x and crank.tip.y
static carom_status named_point(carom_making *making, carom_text text, carom_vec *point)
{
    char full[CAROM_LONGEST_NAME];
    const char *name;
    CAROM_TRY(carom_making_name(making, text, &name));
    *point = carom_weave_numbers(making->graph, 0, 0, 0);
    for (int i = 0; i < 2; i++) {
        snprintf(full, sizeof full, "%.120s.%c", name, "xy"[i]);
        const carom_entry *entry = carom_scope_find(making->scope, full);
        if (!entry)
            return carom_fail_at(making->error, text.place, CAROM_BAD_INPUT,
                                 "there is no point '%.80s' (write the name of a body's point, "
                                 "crank.tip, or [x, y])",
                                 name);
        point->c[i] = entry->ref;
    }
    return CAROM_OK;
}

carom_status carom_bodies_point(carom_making *making, const carom_text *part, int n, bool at_start,
                                carom_vec *point)
{
    *point = carom_weave_numbers(making->graph, 0, 0, 0);
    const bool is_name = n == 1 && !strpbrk(part[0].text, "+-*/(");
    if (is_name) CAROM_TRY(named_point(making, part[0], point));
    if (n == 1 && !is_name) CAROM_TRY(carom_making_vector(making, part[0], POSITIONS, point->c));
    if (n == 3)
        return carom_fail_at(making->error, part[2].place, CAROM_BAD_INPUT,
                             "a point of the plane has two components");
    for (int i = 0; n == 2 && i < 2; i++)
        CAROM_TRY(carom_making_node(making, part[i], POSITIONS, &point->c[i]));
    for (int i = 0; at_start && i < 2; i++)
        point->c[i] = carom_bodies_at_start(making, point->c[i]);
    return carom_graph_status(making->graph) == CAROM_OK ? CAROM_OK
                                                         : carom_making_no_memory(making);
}

carom_status carom_bodies_find(carom_making *making, carom_text text, int *body)
{
    const carom_bodies *bodies = making->bodies;
    const char *name;
    char hint[160];
    CAROM_TRY(carom_making_name(making, text, &name));
    carom_nearest nearest = carom_nearest_to(name);
    for (*body = 0; *body < bodies->body.n; (*body)++) {
        if (strcmp(bodies->body.item[*body].name, name) == 0) return CAROM_OK;
        carom_nearest_try(&nearest, bodies->body.item[*body].name);
    }
    return carom_fail_at(making->error, text.place, CAROM_BAD_INPUT, "there is no body '%.80s'%s",
                         name, carom_nearest_hint(&nearest, hint, sizeof hint));
}

// x, y under a name
static carom_status name_vector(carom_making *making, const carom_body *body, const char *what,
                                carom_vec v)
{
    char suffix[CAROM_LONGEST_NAME];
    for (int i = 0; i < 2; i++) {
        snprintf(suffix, sizeof suffix, "%.100s.%c", what, "xy"[i]);
        CAROM_TRY(carom_bodies_name(making, body->name, suffix, v.c[i], body->place));
    }
    return CAROM_OK;
}

// crank.vx, crank.w, crank.R11, crank.momentum.x, crank.L
static carom_status name_motion(carom_making *making, const carom_body *body)
{
    carom_graph *g = making->graph;
    const carom_vec v = carom_weave_rate(g, body->now.r);
    const carom_vec com = carom_weave_point(g, &body->now, body->centre);
    const carom_ref w = carom_graph_rate(g, body->angle);
    const carom_vec momentum = carom_weave_scale(g, body->mass, carom_weave_rate(g, com));
    CAROM_TRY(carom_bodies_name(making, body->name, "vx", v.c[0], body->place));
    CAROM_TRY(carom_bodies_name(making, body->name, "vy", v.c[1], body->place));
    CAROM_TRY(carom_bodies_name(making, body->name, "w", w, body->place));
    for (int i = 0; i < 4; i++) {
        const char suffix[] = {'R', (char)('1' + i / 2), (char)('1' + i % 2), 0};
        CAROM_TRY(carom_bodies_name(making, body->name, suffix, body->now.axis[i % 2].c[i / 2],
                                    body->place));
    }
    CAROM_TRY(name_vector(making, body, "momentum", momentum));
    return carom_bodies_name(making, body->name, "L", carom_graph_mul(g, body->inertia, w),
                             body->place);
}

static carom_status name_points(carom_making *making, carom_body *body, const carom_body_text *text)
{
    for (int i = 0; i < text->n_point; i++) {
        const carom_point_text *point = &text->point[i];
        carom_declared declared;
        carom_vec s;
        CAROM_TRY(carom_syntax_declared(making->arena, point->name, &declared, making->error));
        if (point->at.n != 2)
            return carom_fail_at(making->error, point->name.place, CAROM_BAD_INPUT,
                                 "the point '%.60s' needs two body coordinates (write [x, y])",
                                 point->name.text);
        CAROM_TRY(carom_bodies_vector(making, point->at.part, 2, "a point of a body", &s));
        const carom_vec p = carom_weave_point(making->graph, &body->now, s);
        CAROM_TRY(name_vector(making, body, point->name.text, p));
        for (int k = 0; k < 2; k++)
            if (!carom_refs_add(making->arena, &body->marks, p.c[k]))
                return carom_making_no_memory(making);
    }
    return CAROM_OK;
}

static carom_status refuse_amount(carom_making *making, const carom_body *body, carom_text text,
                                  const char *what)
{
    if (!text.text)
        return carom_fail_at(making->error, body->place, CAROM_BAD_INPUT,
                             "the body '%.80s' needs '%s' (write %s: 1)", body->name, what, what);
    return carom_fail_at(making->error, text.place, CAROM_BAD_INPUT,
                         "the %s of the body '%.80s' must be positive, not '%.60s'", what,
                         body->name, text.text);
}

static carom_status read_inertia(carom_making *making, carom_body *body,
                                 const carom_body_text *text)
{
    double amount;
    const carom_text inertia = text->n_inertia ? text->inertia[0] : (carom_text){0};
    if (text->n_inertia > 1)
        return carom_fail_at(making->error, inertia.place, CAROM_BAD_INPUT,
                             "a body of the plane has one moment of inertia, not %d",
                             text->n_inertia);
    CAROM_TRY(carom_bodies_constant(making, text->mass, "a mass", &body->mass));
    CAROM_TRY(carom_bodies_constant(making, inertia, "an inertia", &body->inertia));
    CAROM_TRY(carom_bodies_vector(making, text->centre.part, text->centre.n, "the centre of mass",
                                  &body->centre));
    if (carom_graph_is_number(making->graph, body->mass, &amount) && !(amount > 0))
        return refuse_amount(making, body, text->mass, "mass");
    if (carom_graph_is_number(making->graph, body->inertia, &amount) && !(amount > 0))
        return refuse_amount(making, body, inertia, "inertia");
    body->is_weightless = text->is_weightless;
    return CAROM_OK;
}

static carom_status add_coordinate(carom_making *making, const carom_body *body, const char *suffix,
                                   carom_ref q0, carom_ref u0, carom_ref *ref)
{
    const bool is_angle = strcmp(suffix, "angle") == 0;
    const char *name = carom_arena_format(making->model->arena, "%s.%s", body->name, suffix);
    const carom_coordinate_given given = {name, is_angle ? "rad" : "m", q0, u0};
    if (!name) return carom_making_no_memory(making);
    *ref = carom_graph_symbol(making->graph, CAROM_Q, making->coordinate.n);
    return carom_making_coordinate(making, &given, body->place);
}

// its own coordinates: those of the centre of mass, and the angle
static carom_status free_body(carom_making *making, carom_body *body, const carom_body_text *text)
{
    carom_graph *g = making->graph;
    carom_vec at, v, x = carom_weave_numbers(g, 0, 0, 0);
    carom_ref spin;
    const bool is_off =
        !carom_graph_is_zero(g, body->centre.c[0]) || !carom_graph_is_zero(g, body->centre.c[1]);
    CAROM_TRY(carom_bodies_point(making, text->at.part, text->at.n, true, &at));
    CAROM_TRY(carom_bodies_constant(making, text->angle, "an angle", &body->start_angle));
    CAROM_TRY(carom_bodies_vector(making, text->velocity.part, text->velocity.n, "a velocity", &v));
    CAROM_TRY(carom_bodies_constant(making, text->spin, "a spin", &spin));
    body->start = carom_weave_turned(g, at, body->start_angle);
    const carom_vec arm = carom_weave_direction(g, &body->start, body->centre);
    v.c[0] = carom_graph_sub(g, v.c[0], carom_graph_mul(g, spin, arm.c[1]));
    v.c[1] = carom_graph_add(g, v.c[1], carom_graph_mul(g, spin, arm.c[0]));
    at = carom_weave_add(g, at, arm);
    CAROM_TRY(add_coordinate(making, body, is_off ? "com.x" : "x", at.c[0], v.c[0], &x.c[0]));
    CAROM_TRY(add_coordinate(making, body, is_off ? "com.y" : "y", at.c[1], v.c[1], &x.c[1]));
    CAROM_TRY(add_coordinate(making, body, "angle", body->start_angle, spin, &body->angle));
    body->now = carom_weave_turned(g, x, body->angle);
    if (!is_off) return CAROM_OK;
    body->now.r = carom_weave_sub(g, x, carom_weave_direction(g, &body->now, body->centre));
    CAROM_TRY(carom_bodies_name(making, body->name, "x", body->now.r.c[0], body->place));
    return carom_bodies_name(making, body->name, "y", body->now.r.c[1], body->place);
}

// the pose stands in the file, in coordinates of others
static carom_status posed_body(carom_making *making, carom_body *body, const carom_vec *at,
                               carom_ref angle, bool names_angle)
{
    carom_graph *g = making->graph;
    body->angle = angle;
    body->start_angle = carom_bodies_at_start(making, angle);
    body->now = carom_weave_turned(g, *at, angle);
    carom_vec start = *at;
    for (int i = 0; i < 2; i++) start.c[i] = carom_bodies_at_start(making, at->c[i]);
    body->start = carom_weave_turned(g, start, body->start_angle);
    CAROM_TRY(carom_bodies_name(making, body->name, "x", at->c[0], body->place));
    CAROM_TRY(carom_bodies_name(making, body->name, "y", at->c[1], body->place));
    return names_angle ? carom_bodies_name(making, body->name, "angle", angle, body->place)
                       : CAROM_OK;
}

static carom_status refuse_beside(carom_making *making, const carom_body_text *text,
                                  const char *owner)
{
    const carom_text *given = text->velocity.n ? &text->velocity.part[0] : &text->spin;
    if (!text->on.kind.text && !given->text) return CAROM_OK;
    if (text->on.kind.text && text->at.n) given = &text->at.part[0];
    if (text->on.kind.text && text->angle.text) given = &text->angle;
    if (!given->text) return CAROM_OK;
    return carom_fail_at(making->error, given->place, CAROM_BAD_INPUT,
                         "the body '%.60s' is carried by %s, which says where it is and how it "
                         "moves (leave this out)",
                         text->name.text, owner);
}

// q of the joint, and with it the pose on the parent
static carom_status carried_body(carom_making *making, carom_body *body,
                                 const carom_body_text *text)
{
    const carom_carrier_text *on = &text->on;
    carom_graph *g = making->graph;
    int parent;
    carom_vec at, origin, axis;
    carom_ref q = carom_graph_number(g, 0), start, rate, angle;
    CAROM_TRY(refuse_beside(making, text, "a joint"));
    CAROM_TRY(carom_bodies_find(making, on->parent, &parent));
    const bool turns = strcmp(on->kind.text, "revolute") == 0;
    const bool slides = strcmp(on->kind.text, "prismatic") == 0;
    if (!turns && !slides && strcmp(on->kind.text, "fixed") != 0)
        return carom_fail_at(making->error, on->kind.place, CAROM_BAD_INPUT,
                             "a body of the plane is carried by revolute, prismatic or fixed, not "
                             "by '%.60s'",
                             on->kind.text);
    const carom_body *base = &making->bodies->body.item[parent];
    CAROM_TRY(carom_bodies_point(making, on->at.part, on->at.n, true, &at));
    at = carom_weave_local(g, &base->start, at);
    CAROM_TRY(carom_bodies_vector(making, on->origin.part, on->origin.n, "origin", &origin));
    CAROM_TRY(carom_bodies_vector(making, on->axis.part, on->axis.n, "axis", &axis));
    if (on->axis.n == 0) axis = carom_weave_numbers(g, 1, 0, 0);
    CAROM_TRY(carom_bodies_constant(making, on->start, "a start value", &start));
    CAROM_TRY(carom_bodies_constant(making, on->rate, "a start rate", &rate));
    CAROM_TRY(carom_bodies_constant(making, on->angle, "an angle", &angle));
    if (turns) CAROM_TRY(add_coordinate(making, body, "angle", start, rate, &q));
    if (slides) CAROM_TRY(add_coordinate(making, body, "displacement", start, rate, &q));
    angle = carom_graph_add(g, carom_graph_add(g, base->angle, angle),
                            turns ? q : carom_graph_number(g, 0));
    if (slides) at = carom_weave_add(g, at, carom_weave_scale(g, q, carom_weave_unit(g, axis)));
    const carom_frame frame = carom_weave_turned(g, at, angle);
    const carom_vec r = carom_weave_sub(g, carom_weave_point(g, &base->now, at),
                                        carom_weave_direction(g, &frame, origin));
    CAROM_TRY(posed_body(making, body, &r, angle, !turns));
    carom_joint *joint = CAROM_LIST_ADD(making->arena, &making->bodies->joint);
    if (!joint) return carom_making_no_memory(making);
    *joint = (carom_joint){body->name, body->place, turns ? q : -1, slides ? q : -1};
    return CAROM_OK;
}

static bool is_constant(carom_making *making, carom_ref ref)
{
    return carom_graph_is_firm(making->graph, ref);
}

static carom_status place_body(carom_making *making, carom_body *body, const carom_body_text *text)
{
    carom_vec at;
    carom_ref angle = carom_graph_number(making->graph, 0);
    if (text->on.kind.text) return carried_body(making, body, text);
    CAROM_TRY(
        carom_bodies_point(making, text->at.part, text->at.n == 1 ? 0 : text->at.n, false, &at));
    if (text->angle.text) CAROM_TRY(carom_making_node(making, text->angle, POSITIONS, &angle));
    if (is_constant(making, at.c[0]) && is_constant(making, at.c[1]) && is_constant(making, angle))
        return free_body(making, body, text);
    CAROM_TRY(carom_bodies_point(making, text->at.part, text->at.n, false, &at));
    CAROM_TRY(refuse_beside(making, text, "coordinates"));
    return posed_body(making, body, &at, angle, true);
}

static carom_status add_body(carom_making *making, const void *item)
{
    const carom_body_text *text = item;
    const char *name;
    CAROM_TRY(carom_making_name(making, text->name, &name));
    if (strcmp(name, "ground") == 0) {
        if (text->mass.text || text->at.n || text->angle.text)
            return carom_fail_at(making->error, text->place, CAROM_BAD_INPUT,
                                 "'ground' is there already and does not move; it can only be "
                                 "given points");
        return name_points(making, &making->bodies->body.item[0], text);
    }
    for (int i = 0; i < making->bodies->body.n; i++)
        if (strcmp(making->bodies->body.item[i].name, name) == 0)
            return carom_fail_at(making->error, text->name.place, CAROM_BAD_INPUT,
                                 "there are two bodies called '%.80s'; rename one", name);
    carom_body body = {.name = name, .place = text->name.place};
    CAROM_TRY(read_inertia(making, &body, text));
    CAROM_TRY(place_body(making, &body, text));
    CAROM_TRY(name_motion(making, &body));
    CAROM_TRY(name_points(making, &body, text));
    carom_body *kept = CAROM_LIST_ADD(making->arena, &making->bodies->body);
    if (!kept) return carom_making_no_memory(making);
    *kept = body;
    return CAROM_OK;
}

static carom_status read_gravity(carom_making *making)
{
    const carom_vector_text *text = &making->builder->gravity;
    carom_vec *gravity = &making->bodies->gravity;
    *gravity = carom_weave_numbers(making->graph, 0, 0, 0);
    if (text->n == 0) return CAROM_OK;
    if (text->n != 2)
        return carom_fail_at(making->error, text->part[0].place, CAROM_BAD_INPUT,
                             "gravity has two components in the plane (write [0, -9.81])");
    for (int i = 0; i < 2; i++)
        CAROM_TRY(carom_making_node(making, text->part[i],
                                    (carom_allowed){.no_rates = "gravity depends on t only"},
                                    &gravity->c[i]));
    return CAROM_OK;
}

carom_status carom_bodies_declare(carom_making *making)
{
    const carom_builder *b = making->builder;
    if (!b->body.n && !b->joint.n && !b->motor.n && !b->element.n) return CAROM_OK;
    making->bodies = CAROM_TAKE(making->arena, carom_bodies, 1);
    carom_body *ground =
        making->bodies ? CAROM_LIST_ADD(making->arena, &making->bodies->body) : NULL;
    if (!ground) return carom_making_no_memory(making);
    if (b->space == CAROM_SPACE)
        return carom_fail_at(making->error, b->body.n ? b->body.item[0].place : (carom_place){0},
                             CAROM_BAD_INPUT,
                             "bodies in space are not yet supported (write space: plane)");
    const carom_frame frame = carom_weave_ground(making->graph);
    const carom_ref zero = carom_graph_number(making->graph, 0);
    *ground = (carom_body){.name = "ground",
                           .now = frame,
                           .start = frame,
                           .angle = zero,
                           .start_angle = zero,
                           .centre = frame.r,
                           .mass = zero,
                           .inertia = zero,
                           .is_weightless = true};
    CAROM_TRY(read_gravity(making));
    for (int i = 0; i < b->body.n; i++)
        CAROM_TRY(carom_making_each(making, &b->body.item[i].family, b->body.item[i].name, add_body,
                                    &b->body.item[i]));
    return CAROM_OK;
}
