// SPDX-License-Identifier: Apache-2.0
// Joints: each kind weaves its rows; what it leaves free gets a name, limits and damping. Elements
// and motors push.
#include "model/bodies/fitting.h"

#include "base/text.h"

#include <stdio.h>
#include <string.h>

static const carom_joint_kind *const joint_kind[] = {
#define X(name) &carom_joint_kind_##name,
#include "model/joints/joints_table.h"
#undef X
};
static const carom_element_kind *const element_kind[] = {
#define X(name) &carom_element_kind_##name,
#include "model/elements/elements_table.h"
#undef X
};
enum {
    N_JOINT = sizeof joint_kind / sizeof joint_kind[0],
    N_ELEMENT = sizeof element_kind / sizeof element_kind[0]
};

const carom_fitting_facts *carom_joint_at(int i)
{
    return i >= 0 && i < N_JOINT ? &joint_kind[i]->facts : NULL;
}

const carom_fitting_facts *carom_element_at(int i)
{
    return i >= 0 && i < N_ELEMENT ? &element_kind[i]->facts : NULL;
}

static carom_status refuse_kind(carom_making *making, carom_text kind, const char *what,
                                carom_nearest *nearest)
{
    char hint[160];
    return carom_fail_at(making->error, kind.place, CAROM_BAD_INPUT,
                         "there is no %s '%.60s'%s; see 'carom list %ss'", what, kind.text,
                         carom_nearest_hint(nearest, hint, sizeof hint), what);
}

// limits of what is free, as contacts
static carom_status add_limits(carom_fitting *fitting, carom_ref free, bool is_angle)
{
    carom_graph *g = fitting->g;
    carom_ref end[2], radius;
    const carom_word_text *limits = carom_fitting_word(fitting, "limits");
    if (!limits) return CAROM_OK;
    if (limits->n != 2)
        return carom_fail_at(fitting->making->error, limits->key.place, CAROM_BAD_INPUT,
                             "'limits' are two values (write limits: [-1, 1])");
    for (int i = 0; i < 2; i++)
        CAROM_TRY(carom_bodies_constant(fitting->making, limits->value[i], "a limit", &end[i]));
    double low = 0, high = 0;
    if (carom_graph_is_number(g, end[0], &low) && carom_graph_is_number(g, end[1], &high) &&
        !(low < high))
        return carom_fail_at(fitting->making->error, limits->key.place, CAROM_BAD_INPUT,
                             "the limits of '%.60s' leave no room: %g to %g",
                             fitting->text->name.text, low, high);
    CAROM_TRY(carom_fitting_constant(fitting, "radius", "1", &radius));
    if (!is_angle) radius = carom_graph_number(g, 1);
    const carom_ref lower = carom_graph_mul(g, radius, carom_graph_sub(g, free, end[0]));
    const carom_ref upper = carom_graph_mul(g, radius, carom_graph_sub(g, end[1], free));
    const carom_ref none[2] = {-1, -1};
    CAROM_TRY(carom_fitting_contact(fitting, "lower", lower, none));
    return carom_fitting_contact(fitting, "upper", upper, none);
}

// a body has an angle too: what is found by this name must be this joint
static carom_status refuse_same_name(carom_fitting *fitting)
{
    static const char *const suffix[] = {"angle", "displacement"};
    char full[CAROM_LONGEST_NAME];
    for (int i = 0; i < 2; i++) {
        const int used = snprintf(full, sizeof full, "%s.%s", fitting->name, suffix[i]);
        if (used > 0 && (size_t)used < sizeof full &&
            carom_scope_find(fitting->making->scope, full))
            return carom_fail_at(fitting->making->error, fitting->text->place, CAROM_BAD_INPUT,
                                 "there is a body or a joint called '%.60s' already; rename one",
                                 fitting->name);
    }
    return CAROM_OK;
}

static carom_status add_freedom(carom_fitting *fitting)
{
    carom_graph *g = fitting->g;
    carom_making *making = fitting->making;
    carom_joint *free = &fitting->freedom;
    carom_ref zero;
    CAROM_TRY(refuse_same_name(fitting));
    CAROM_TRY(carom_fitting_constant(fitting, "zero", "0", &zero));
    const bool is_angle = free->displacement < 0;
    carom_ref *first = is_angle ? &free->angle : &free->displacement;
    *first = carom_graph_add(g, *first, zero);
    if (free->angle >= 0)
        CAROM_TRY(
            carom_bodies_name(making, fitting->name, "angle", free->angle, fitting->text->place));
    if (free->displacement >= 0)
        CAROM_TRY(carom_bodies_name(making, fitting->name, "displacement", free->displacement,
                                    fitting->text->place));
    CAROM_TRY(add_limits(fitting, *first, is_angle));
    carom_fitting_word(fitting, "damping"); // push_joint reads it when all names are known
    carom_joint joint = *free;
    joint.name = fitting->name;
    joint.place = fitting->text->place;
    return carom_bodies_add_joint(making, &joint);
}

// what a kind does in the plane or in space
static carom_status choose_weaver(const carom_fitting *fitting, carom_weaver *plane,
                                  carom_weaver *space, carom_weaver **weave)
{
    const bool is_plane = carom_bodies_are_plane(fitting->making);
    *weave = is_plane ? plane : space;
    if (*weave) return CAROM_OK;
    return carom_fail_at(fitting->making->error, fitting->text->kind.place, CAROM_BAD_INPUT,
                         "'%.60s' is only known %s", fitting->text->kind.text,
                         is_plane ? "in space" : "in the plane");
}

static carom_status add_joint(carom_making *making, const void *item)
{
    carom_fitting fitting = {.making = making, .text = item};
    carom_nearest nearest = carom_nearest_to(fitting.text->kind.text);
    for (int i = 0; i < N_JOINT; i++) {
        const carom_joint_kind *kind = joint_kind[i];
        carom_nearest_try(&nearest, kind->facts.name);
        if (strcmp(kind->facts.name, fitting.text->kind.text) != 0) continue;
        CAROM_TRY(carom_fitting_begin(&fitting, &kind->facts, kind->n_to, kind->fits,
                                      kind->needs_points, kind->needs_axis));
        if (fitting.body[0] && fitting.body[1])
            CAROM_TRY(carom_bodies_connect(making, fitting.body[0], fitting.body[1]));
        carom_weaver *weave;
        CAROM_TRY(choose_weaver(&fitting, kind->weave, kind->space, &weave));
        const int first = making->bodies->row.n;
        CAROM_TRY(weave(&fitting));
        CAROM_TRY(carom_fitting_react(&fitting, kind, first));
        CAROM_TRY(carom_fitting_sketch(&fitting, kind->sketch));
        if (fitting.freedom.angle >= 0 || fitting.freedom.displacement >= 0)
            CAROM_TRY(add_freedom(&fitting));
        return carom_fitting_end(&fitting);
    }
    return refuse_kind(making, fitting.text->kind, "joint", &nearest);
}

carom_status carom_bodies_join(carom_making *making)
{
    const carom_builder *b = making->builder;
    if (!making->bodies) return CAROM_OK;
    for (int i = 0; i < b->joint.n; i++)
        CAROM_TRY(carom_making_each(making, &b->joint.item[i].family, b->joint.item[i].name,
                                    add_joint, &b->joint.item[i]));
    for (int i = 0; i < b->motor.n; i++)
        CAROM_TRY(carom_making_each(making, &b->motor.item[i].family, b->motor.item[i].name,
                                    carom_motor_add, &b->motor.item[i]));
    return CAROM_OK;
}

// force times the derivatives of what it drives, by positions or by velocities
static carom_status push_along(carom_making *making, carom_ref force, carom_ref driven,
                               carom_symbol by)
{
    carom_gradient gradient;
    if (carom_graph_gradient(making->graph, driven, by, &gradient) != CAROM_OK)
        return carom_making_no_memory(making);
    for (int j = 0; j < gradient.n; j++) {
        carom_ref *applied = &making->lagrange->applied[gradient.index[j]];
        *applied = carom_graph_add(making->graph, *applied,
                                   carom_graph_mul(making->graph, force, gradient.ref[j]));
    }
    return CAROM_OK;
}

carom_status carom_bodies_push(carom_making *making, carom_ref force, carom_ref moved)
{
    return push_along(making, force, moved, CAROM_Q);
}

carom_status carom_bodies_push_rate(carom_making *making, carom_ref force, carom_ref rate)
{
    return push_along(making, force, rate, CAROM_U);
}

// damping of what a joint leaves free
static carom_status push_joint(carom_making *making, const void *item)
{
    carom_fitting fitting = {.making = making, .text = item, .g = making->graph};
    carom_ref damping;
    carom_joint joint;
    if (!carom_fitting_word(&fitting, "damping")) return CAROM_OK;
    CAROM_TRY(carom_fitting_constant(&fitting, "damping", "0", &damping));
    CAROM_TRY(carom_bodies_joint(making, fitting.text->name, &joint));
    const carom_ref free = joint.displacement >= 0 ? joint.displacement : joint.angle;
    const carom_ref rate = carom_graph_rate(fitting.g, free);
    const carom_ref push = carom_graph_mul(fitting.g, damping, rate);
    return carom_bodies_push(making, carom_graph_make(fitting.g, CAROM_OP_NEG, push, -1, -1), free);
}

static carom_status add_element(carom_making *making, const void *item)
{
    carom_fitting fitting = {.making = making, .text = item};
    carom_nearest nearest = carom_nearest_to(fitting.text->kind.text);
    for (int i = 0; i < N_ELEMENT; i++) {
        const carom_element_kind *kind = element_kind[i];
        carom_nearest_try(&nearest, kind->facts.name);
        if (strcmp(kind->facts.name, fitting.text->kind.text) != 0) continue;
        CAROM_TRY(carom_fitting_begin(&fitting, &kind->facts, kind->n_to, kind->fits,
                                      kind->needs_points, kind->needs_axis));
        carom_weaver *weave;
        CAROM_TRY(choose_weaver(&fitting, kind->weave, kind->space, &weave));
        CAROM_TRY(weave(&fitting));
        CAROM_TRY(carom_fitting_sketch(&fitting, kind->sketch));
        return carom_fitting_end(&fitting);
    }
    return refuse_kind(making, fitting.text->kind, "element", &nearest);
}

// 1/2 w.J w
static carom_ref turning_energy(carom_graph *g, const carom_body *body)
{
    const carom_vec w = body->spin;
    carom_ref T = carom_graph_number(g, 0);
    for (int i = 0; i < 3; i++) {
        const carom_ref half = carom_graph_mul(g, carom_graph_number(g, 0.5), body->inertia[i]);
        T = carom_graph_add(g, T, carom_graph_mul(g, half, carom_graph_mul(g, w.c[i], w.c[i])));
    }
    for (int i = 0; i < 3; i++) { // xy, xz, yz
        const carom_ref both = carom_graph_mul(g, w.c[i == 2], w.c[i == 0 ? 1 : 2]);
        T = carom_graph_add(g, T, carom_graph_mul(g, body->inertia[3 + i], both));
    }
    return T;
}

// the velocity of the centre of mass, in axes that make it short
static carom_vec velocity_of_centre(const carom_making *making, const carom_body *body,
                                    carom_vec com)
{
    carom_graph *g = making->graph;
    if (carom_bodies_are_plane(making) || body->rotation >= 0) return carom_weave_rate(g, com);
    return carom_weave_add(g, body->velocity, carom_weave_cross(g, body->spin, body->centre));
}

// T and V of the bodies themselves
static carom_status add_energy(carom_making *making, const carom_body *body)
{
    carom_graph *g = making->graph;
    const carom_ref half = carom_graph_mul(g, carom_graph_number(g, 0.5), body->mass);
    carom_vec com = carom_weave_point(g, &body->now, body->centre);
    if (body->rotation >= 0) // its coordinates
        for (int i = 0; i < 3; i++) com.c[i] = carom_graph_symbol(g, CAROM_Q, body->q - 3 + i);
    const carom_vec v = velocity_of_centre(making, body, com);
    const carom_ref T = carom_graph_add(g, carom_graph_mul(g, half, carom_weave_dot(g, v, v)),
                                        turning_energy(g, body));
    carom_ref V = carom_graph_mul(g, body->mass, carom_weave_dot(g, making->bodies->gravity, com));
    V = carom_graph_make(g, CAROM_OP_NEG, V, -1, -1);
    if (!carom_refs_add(making->arena, &making->lagrange->kinetic, T) ||
        (!body->is_weightless && !carom_refs_add(making->arena, &making->lagrange->potential, V)))
        return carom_making_no_memory(making);
    return CAROM_OK;
}

carom_status carom_bodies_load(carom_making *making)
{
    const carom_builder *b = making->builder;
    if (!making->bodies) return CAROM_OK;
    for (int i = 1; i < making->bodies->body.n; i++)
        CAROM_TRY(add_energy(making, &making->bodies->body.item[i]));
    for (int i = 0; i < b->joint.n; i++)
        CAROM_TRY(carom_making_each(making, &b->joint.item[i].family, b->joint.item[i].name,
                                    push_joint, &b->joint.item[i]));
    for (int i = 0; i < b->motor.n; i++)
        CAROM_TRY(carom_making_each(making, &b->motor.item[i].family, b->motor.item[i].name,
                                    carom_motor_push, &b->motor.item[i]));
    for (int i = 0; i < b->element.n; i++)
        CAROM_TRY(carom_making_each(making, &b->element.item[i].family, b->element.item[i].name,
                                    add_element, &b->element.item[i]));
    return CAROM_OK;
}
