// SPDX-License-Identifier: Apache-2.0
// Bodies: what they are called and where their points are. How one text becomes coordinates stands
// in mass.c, orientation.c, place.c and carry.c beside this file.
//
// Everything has three components. In the plane the third is the number 0 and vanishes from all
// expressions while they are made (weave.h).
#include "model/matter/matter.h"

#include "base/text.h"
#include "expr/rotation_nodes.h"

#include <math.h>
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

static carom_ref symbol_at_start(void *user, carom_ref ref, carom_symbol kind, int index)
{
    carom_making *making = user;
    const carom_coordinate_given *given = making->coordinate.item;
    if (kind == CAROM_TIME) return carom_graph_number(making->graph, 0);
    if (kind == CAROM_Q) // what reactions are found by is not displaced at the start
        return index < making->coordinate.n ? given[index].q0
                                            : carom_graph_number(making->graph, 0);
    if (kind != CAROM_R) return ref;
    carom_ref p[4], R[9];
    const int q = carom_graph_quaternion_of(making->graph, index / 9);
    for (int i = 0; i < 4; i++) p[i] = given[q + i].q0;
    carom_graph_matrix_of(making->graph, p, R);
    return R[index % 9];
}

carom_ref carom_bodies_at_start(carom_making *making, carom_ref root)
{
    return carom_graph_replace_symbols(making->graph, root, symbol_at_start, making);
}

static carom_status refuse_components(carom_making *making, const carom_text *part, int n,
                                      const char *what)
{
    const bool is_plane = carom_bodies_are_plane(making);
    return carom_fail_at(making->error, part[0].place, CAROM_BAD_INPUT,
                         "%s has %s, not %d (write %s)", what,
                         is_plane ? "two components in the plane" : "three components in space", n,
                         is_plane ? "[x, y]" : "[x, y, z]");
}

carom_status carom_bodies_vector(carom_making *making, const carom_text *part, int n,
                                 const char *what, carom_vec *vector)
{
    *vector = carom_weave_numbers(making->graph, 0, 0, 0);
    if (n == 0) return CAROM_OK;
    if (n != making->bodies->dim) return refuse_components(making, part, n, what);
    for (int i = 0; i < n; i++)
        CAROM_TRY(carom_bodies_constant(making, part[i], what, &vector->c[i]));
    return CAROM_OK;
}

carom_status carom_bodies_unit(carom_making *making, const carom_text *part, int n,
                               const char *what, double unit[3])
{
    if (n != making->bodies->dim) return refuse_components(making, part, n, what);
    unit[2] = 0;
    for (int i = 0; i < n; i++) CAROM_TRY(carom_making_number(making, part[i], what, &unit[i]));
    const double length = hypot(hypot(unit[0], unit[1]), unit[2]);
    if (!(length > 0) || !isfinite(length))
        return carom_fail_at(making->error, part[0].place, CAROM_BAD_INPUT,
                             "%s is zero: it has no direction", what);
    for (int i = 0; i < 3; i++) unit[i] /= length;
    return CAROM_OK;
}

// whether a name can be where something is: crank.momentum and tables are known names too
static bool is_position(const carom_making *making, const carom_entry *entry)
{
    const bool has_value = entry->meaning != CAROM_MEANS_TABLE && entry->ref >= 0;
    return has_value && !carom_graph_moves(making->graph, entry->ref);
}

// "crank.tip" as the nodes of crank.tip.x, crank.tip.y (and z)
static carom_status named_point(carom_making *making, carom_text text, carom_vec *point)
{
    char full[CAROM_LONGEST_NAME];
    const char *name;
    CAROM_TRY(carom_making_name(making, text, &name));
    *point = carom_weave_numbers(making->graph, 0, 0, 0);
    for (int i = 0; i < making->bodies->dim; i++) {
        snprintf(full, sizeof full, "%.120s.%c", name, "xyz"[i]);
        const carom_entry *entry = carom_scope_find(making->scope, full);
        if (!entry)
            return carom_fail_at(making->error, text.place, CAROM_BAD_INPUT,
                                 "there is no point '%.80s' (write the name of a body's point, "
                                 "crank.tip, or %s)",
                                 name, carom_bodies_are_plane(making) ? "[x, y]" : "[x, y, z]");
        if (!is_position(making, entry))
            return carom_fail_at(making->error, text.place, CAROM_BAD_INPUT,
                                 "'%.80s' is no point (write the name of a body's point, "
                                 "crank.tip, or %s)",
                                 name, carom_bodies_are_plane(making) ? "[x, y]" : "[x, y, z]");
        point->c[i] = entry->ref;
    }
    return CAROM_OK;
}

carom_status carom_bodies_point(carom_making *making, const carom_text *part, int n, bool at_start,
                                carom_vec *point)
{
    const int dim = making->bodies->dim;
    *point = carom_weave_numbers(making->graph, 0, 0, 0);
    const bool is_name = n == 1 && !strpbrk(part[0].text, "+-*/(");
    if (is_name) CAROM_TRY(named_point(making, part[0], point));
    if (n == 1 && !is_name) CAROM_TRY(carom_making_vector(making, part[0], POSITIONS, point->c));
    if (n > 1 && n != dim) return refuse_components(making, part, n, "a point");
    for (int i = 0; n == dim && i < dim; i++)
        CAROM_TRY(carom_making_node(making, part[i], POSITIONS, &point->c[i]));
    for (int i = 0; at_start && i < dim; i++)
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
    const carom_entry *entry = carom_scope_find(bodies->body_names, name);
    if (entry) {
        *body = entry->number;
        return CAROM_OK;
    }
    for (int i = 0; i < making->builder->body.n; i++)
        if (strcmp(making->builder->body.item[i].name.text, name) == 0)
            return carom_fail_at(making->error, text.place, CAROM_BAD_INPUT,
                                 "the body '%.80s' is not known here yet (write it before the "
                                 "bodies that it carries)",
                                 name);
    carom_nearest nearest = carom_nearest_to(name);
    for (int i = 0; i < bodies->body.n; i++) carom_nearest_try(&nearest, bodies->body.item[i].name);
    return carom_fail_at(making->error, text.place, CAROM_BAD_INPUT, "there is no body '%.80s'%s",
                         name, carom_nearest_hint(&nearest, hint, sizeof hint));
}

carom_status carom_bodies_name_vector(carom_making *making, const carom_body *body,
                                      const char *suffix, carom_vec v)
{
    char full[CAROM_LONGEST_NAME];
    for (int i = 0; i < making->bodies->dim; i++) {
        snprintf(full, sizeof full, "%.100s.%c", suffix, "xyz"[i]);
        CAROM_TRY(carom_bodies_name(making, body->name, full, v.c[i], body->place));
    }
    return CAROM_OK;
}

carom_vec carom_bodies_spin(carom_graph *g, const carom_body *body)
{
    return carom_weave_direction(g, &body->now, body->spin);
}

// J w, in axes of the body
static carom_vec angular_momentum(carom_graph *g, const carom_body *body)
{
    static const int entry[3][3] = {{0, 3, 4}, {3, 1, 5}, {4, 5, 2}};
    carom_vec L;
    for (int i = 0; i < 3; i++) {
        carom_vec row;
        for (int k = 0; k < 3; k++) row.c[k] = body->inertia[entry[i][k]];
        L.c[i] = carom_weave_dot(g, row, body->spin);
    }
    return L;
}

// crank.R11, unless a rotation has brought it
static carom_status name_matrix(carom_making *making, const carom_body *body)
{
    const int dim = making->bodies->dim;
    for (int i = 0; body->rotation < 0 && i < dim * dim; i++) {
        const int row = i / dim, column = i % dim;
        const char suffix[] = {'R', (char)('1' + row), (char)('1' + column), 0};
        CAROM_TRY(carom_bodies_name(making, body->name, suffix, body->now.axis[column].c[row],
                                    body->place));
    }
    return CAROM_OK;
}

// crank.vx, crank.w, crank.momentum.x, crank.L; in space crank.wx, crank.Wx, crank.L.x
static carom_status name_motion(carom_making *making, const carom_body *body)
{
    carom_graph *g = making->graph;
    const int dim = making->bodies->dim;
    const carom_vec com = carom_weave_point(g, &body->now, body->centre);
    const carom_vec v = carom_weave_rate(g, body->is_where_its_shapes_are ? com : body->now.r);
    const carom_vec momentum = carom_weave_scale(g, body->mass, carom_weave_rate(g, com));
    const carom_vec L = angular_momentum(g, body), W = carom_bodies_spin(g, body);
    for (int i = 0; i < dim; i++) {
        const char suffix[] = {'v', "xyz"[i], 0};
        CAROM_TRY(carom_bodies_name(making, body->name, suffix, v.c[i], body->place));
    }
    CAROM_TRY(name_matrix(making, body));
    CAROM_TRY(carom_bodies_name_vector(making, body, "momentum", momentum));
    if (dim == 2) {
        CAROM_TRY(carom_bodies_name(making, body->name, "w", body->spin.c[2], body->place));
        return carom_bodies_name(making, body->name, "L", L.c[2], body->place);
    }
    for (int i = 0; i < 3; i++) {
        const char own[] = {'w', "xyz"[i], 0}, inertial[] = {'W', "xyz"[i], 0};
        if (body->rotation < 0)
            CAROM_TRY(carom_bodies_name(making, body->name, own, body->spin.c[i], body->place));
        CAROM_TRY(carom_bodies_name(making, body->name, inertial, W.c[i], body->place));
    }
    return carom_bodies_name_vector(making, body, "L", carom_weave_direction(g, &body->now, L));
}

carom_status carom_bodies_connect(carom_making *making, const carom_body *a, const carom_body *b)
{
    const carom_body *first = making->bodies->body.item;
    carom_two *two = CAROM_LIST_ADD(making->arena, &making->bodies->joined);
    if (!two) return carom_making_no_memory(making);
    *two = (carom_two){(int)(a - first), (int)(b - first)};
    return CAROM_OK;
}

carom_status carom_bodies_mark(carom_making *making, carom_body *body, carom_vec p)
{
    for (int k = 0; k < making->bodies->dim; k++)
        if (!carom_refs_add(making->arena, &body->marks, p.c[k]))
            return carom_making_no_memory(making);
    return CAROM_OK;
}

// crank.angle cannot be a point as well
static carom_status refuse_number(carom_making *making, const carom_body *body, carom_text name)
{
    char full[CAROM_LONGEST_NAME];
    const int used = snprintf(full, sizeof full, "%s.%s", body->name, name.text);
    if (used < 0 || (size_t)used >= sizeof full || !carom_scope_find(making->scope, full))
        return CAROM_OK;
    return carom_fail_at(making->error, name.place, CAROM_BAD_INPUT,
                         "'%.80s' is a number of the body already; call the point otherwise", full);
}

static carom_status name_points(carom_making *making, carom_body *body, const carom_body_text *text)
{
    for (int i = 0; i < text->n_point; i++) {
        const carom_point_text *point = &text->point[i];
        carom_declared declared;
        carom_vec s;
        CAROM_TRY(carom_syntax_declared(making->arena, point->name, &declared, making->error));
        if (point->at.n != making->bodies->dim)
            return carom_fail_at(making->error, point->name.place, CAROM_BAD_INPUT,
                                 "the point '%.60s' needs %s", point->name.text,
                                 carom_bodies_are_plane(making)
                                     ? "two body coordinates (write [x, y])"
                                     : "three body coordinates (write [x, y, z])");
        CAROM_TRY(
            carom_bodies_vector(making, point->at.part, point->at.n, "a point of a body", &s));
        const carom_vec p = carom_weave_point(making->graph, &body->now, s);
        CAROM_TRY(refuse_number(making, body, point->name));
        CAROM_TRY(carom_bodies_name_vector(making, body, point->name.text, p));
        CAROM_TRY(carom_bodies_mark(making, body, p));
    }
    return CAROM_OK;
}

carom_status carom_bodies_coordinate(carom_making *making, const carom_body *body,
                                     const char *suffix, carom_ref q0, carom_ref u0, carom_ref *ref)
{
    const bool is_angle = strncmp(suffix, "angle", 5) == 0;
    const char *name = carom_arena_format(making->model->arena, "%s.%s", body->name, suffix);
    const carom_coordinate_given given = {name, is_angle ? "rad" : "m", q0, u0};
    if (!name) return carom_making_no_memory(making);
    *ref = carom_graph_symbol(making->graph, CAROM_Q, making->coordinate.n);
    return carom_making_coordinate(making, &given, body->place);
}

static carom_status keep_body(carom_making *making, const carom_body *body)
{
    carom_bodies *bodies = making->bodies;
    const carom_entry entry = {.name = body->name, .number = bodies->body.n, .place = body->place};
    carom_body *kept = CAROM_LIST_ADD(making->arena, &bodies->body);
    if (!kept) return carom_making_no_memory(making);
    *kept = *body;
    return carom_scope_add(bodies->body_names, &entry, making->error);
}

carom_status carom_bodies_add_joint(carom_making *making, const carom_joint *joint)
{
    carom_bodies *bodies = making->bodies;
    const carom_entry entry = {
        .name = joint->name, .number = bodies->joint.n, .place = joint->place};
    carom_joint *kept = CAROM_LIST_ADD(making->arena, &bodies->joint);
    if (!kept) return carom_making_no_memory(making);
    *kept = *joint;
    return carom_scope_add(bodies->joint_names, &entry, making->error);
}

static carom_status add_body(carom_making *making, const void *item)
{
    const carom_body_text *text = item;
    const char *name;
    CAROM_TRY(carom_making_name(making, text->name, &name));
    if (strcmp(name, "ground") == 0) {
        if (text->mass.text || text->density.text || text->at.n || text->angle.text)
            return carom_fail_at(making->error, text->place, CAROM_BAD_INPUT,
                                 "'ground' is there already and does not move; it can only be "
                                 "given points, shapes and a material");
        CAROM_TRY(carom_matter_add(making, text, 0));
        return name_points(making, &making->bodies->body.item[0], text);
    }
    if (carom_scope_find(making->bodies->body_names, name))
        return carom_fail_at(making->error, text->name.place, CAROM_BAD_INPUT,
                             "there are two bodies called '%.80s'; rename one", name);
    carom_body body = {.name = name, .place = text->name.place, .rotation = -1, .q = -1, .u = -1};
    body.angle = body.start_angle = carom_graph_number(making->graph, 0);
    const int first = making->bodies->matter->solid.n;
    CAROM_TRY(carom_matter_add(making, text, making->bodies->body.n));
    CAROM_TRY(carom_body_mass(making, &body, text, first));
    CAROM_TRY(text->on.kind.text ? carom_body_carry(making, &body, text)
                                 : carom_body_place(making, &body, text));
    CAROM_TRY(name_motion(making, &body));
    CAROM_TRY(name_points(making, &body, text));
    return keep_body(making, &body);
}

static carom_status read_gravity(carom_making *making)
{
    const carom_vector_text *text = &making->builder->scene.gravity;
    carom_vec *gravity = &making->bodies->gravity;
    *gravity = carom_weave_numbers(making->graph, 0, 0, 0);
    if (text->n == 0) return CAROM_OK;
    if (text->n != making->bodies->dim)
        return carom_fail_at(making->error, text->part[0].place, CAROM_BAD_INPUT, "gravity has %s",
                             carom_bodies_are_plane(making)
                                 ? "two components in the plane (write [0, -9.81])"
                                 : "three components in space (write [0, 0, -9.81])");
    for (int i = 0; i < text->n; i++)
        CAROM_TRY(carom_making_node(making, text->part[i],
                                    (carom_allowed){.no_rates = "gravity depends on t only"},
                                    &gravity->c[i]));
    return CAROM_OK;
}

static bool is_of_space(const carom_shape_text *shape)
{
    bool is = shape->points && (shape->points->n_face > 0 || shape->points->n_row > 0);
    for (int i = 0; i < shape->n_value; i++) is |= shape->value[i].n == 3;
    return is;
}

// where the file does not say it: space if any vector has three components
static int find_dimension(const carom_builder *b)
{
    if (b->scene.space) return b->scene.space == CAROM_SPACE ? 3 : 2;
    bool is_space = b->scene.gravity.n == 3;
    for (int i = 0; i < b->body.n; i++) {
        const carom_body_text *body = &b->body.item[i];
        is_space |= body->at.n == 3 || body->centre.n == 3 || body->velocity.n == 3 ||
                    body->spin.n == 3 || body->n_inertia > 1 || body->on.axis.n == 3;
        for (int k = 0; k < body->n_shape; k++) is_space |= is_of_space(&body->shape[k]);
    }
    return is_space ? 3 : 2;
}

carom_status carom_bodies_declare(carom_making *making)
{
    const carom_builder *b = making->builder;
    if (!b->body.n && !b->joint.n && !b->motor.n && !b->element.n) return CAROM_OK;
    making->bodies = CAROM_TAKE(making->arena, carom_bodies, 1);
    if (!making->bodies) return carom_making_no_memory(making);
    making->bodies->dim = find_dimension(b);
    making->bodies->body_names = carom_scope_new(making->arena);
    making->bodies->joint_names = carom_scope_new(making->arena);
    if (!making->bodies->body_names || !making->bodies->joint_names)
        return carom_making_no_memory(making);
    const carom_frame frame = carom_weave_ground(making->graph);
    const carom_ref zero = carom_graph_number(making->graph, 0);
    const carom_body ground = {.name = "ground",
                               .now = frame,
                               .start = frame,
                               .angle = zero,
                               .start_angle = zero,
                               .spin = frame.r,
                               .velocity = frame.r,
                               .rotation = -1,
                               .q = -1,
                               .u = -1,
                               .is_ground = true,
                               .centre = frame.r,
                               .mass = zero,
                               .inertia = {zero, zero, zero, zero, zero, zero},
                               .is_weightless = true};
    CAROM_TRY(keep_body(making, &ground));
    CAROM_TRY(carom_matter_begin(making));
    CAROM_TRY(read_gravity(making));
    for (int i = 0; i < b->body.n; i++)
        CAROM_TRY(carom_making_each(making, &b->body.item[i].family, b->body.item[i].name, add_body,
                                    &b->body.item[i]));
    return CAROM_OK;
}
