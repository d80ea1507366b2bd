// SPDX-License-Identifier: Apache-2.0
// What joints, motors and elements share: words checked against those that the kind knows, bodies
// or joints found, points stored on both bodies where they are at the start.
#include "model/bodies/fitting.h"

#include "model/bodies/body_drawing.h"

#include "base/text.h"
#include "math/rotation.h"
#include "model/making/making_rotation.h"

#include <stdio.h>
#include <string.h>

const carom_word_text *carom_fitting_word(carom_fitting *fitting, const char *key)
{
    for (int i = 0; i < fitting->text->n_word; i++) {
        if (strcmp(fitting->text->word[i].key.text, key) != 0) continue;
        fitting->asked |= 1u << i;
        return &fitting->text->word[i];
    }
    return NULL;
}

// the limits' restitution where there are none, `from` beside `at`, a word that comes twice
carom_status carom_fitting_end(const carom_fitting *fitting)
{
    for (int i = 0; i < fitting->text->n_word; i++)
        if (!(fitting->asked & 1u << i))
            return carom_fail_at(fitting->making->error, fitting->text->word[i].key.place,
                                 CAROM_BAD_INPUT,
                                 "'%.60s' means nothing for '%.60s' as it is (leave it out, or add "
                                 "what it belongs to)",
                                 fitting->text->word[i].key.text, fitting->text->name.text);
    return CAROM_OK;
}

static carom_status lack_word(carom_fitting *fitting, const char *key)
{
    const carom_word_facts *known = fitting->facts ? fitting->facts->word : NULL;
    while (known && known->key && strcmp(known->key, key) != 0) known++;
    return carom_fail_at(fitting->making->error, fitting->text->place, CAROM_BAD_INPUT,
                         "'%.60s' (%.60s) needs '%s' (write %s)", fitting->text->name.text,
                         fitting->text->kind.text, key, known && known->key ? known->example : key);
}

// the one text of a word
static carom_status word_text(carom_fitting *fitting, const char *key, const char *fallback,
                              carom_text *text)
{
    const carom_word_text *word = carom_fitting_word(fitting, key);
    if (!word && !fallback) return lack_word(fitting, key);
    if (word && word->n != 1)
        return carom_fail_at(fitting->making->error, word->key.place, CAROM_BAD_INPUT,
                             "'%.60s' is one expression, not %d", key, word->n);
    *text = word ? word->value[0] : (carom_text){fallback, fitting->text->place};
    return CAROM_OK;
}

carom_status carom_fitting_constant(carom_fitting *fitting, const char *key, const char *fallback,
                                    carom_ref *ref)
{
    carom_text text = {0};
    CAROM_TRY(word_text(fitting, key, fallback, &text));
    return carom_bodies_constant(fitting->making, text, key, ref);
}

carom_status carom_fitting_size(carom_fitting *fitting, const char *key, bool above_zero,
                                carom_ref *ref)
{
    double value = 1;
    CAROM_TRY(carom_fitting_constant(fitting, key, NULL, ref));
    if (!carom_graph_is_number(fitting->g, *ref, &value)) return CAROM_OK;
    if (above_zero ? value > 0 : value >= 0) return CAROM_OK;
    return carom_fail_at(fitting->making->error, carom_fitting_word(fitting, key)->key.place,
                         CAROM_BAD_INPUT, "'%s' of '%.60s' must be %s, it is %g", key,
                         fitting->text->name.text, above_zero ? "above 0" : "0 or more", value);
}

carom_status carom_fitting_acts(carom_fitting *fitting, const char *const *key, int n)
{
    for (int i = 0; i < n; i++)
        if (carom_fitting_word(fitting, key[i])) return CAROM_OK;
    return lack_word(fitting, key[0]);
}

carom_status carom_fitting_expression(carom_fitting *fitting, const char *key, const char *fallback,
                                      carom_ref *ref)
{
    carom_text text = {0};
    CAROM_TRY(word_text(fitting, key, fallback, &text));
    return carom_making_node(fitting->making, text, (carom_allowed){0}, ref);
}

carom_status carom_fitting_frame(carom_fitting *fitting, bool *is_body)
{
    carom_text text = {0};
    CAROM_TRY(word_text(fitting, "frame", "inertial", &text));
    *is_body = strcmp(text.text, "body") == 0;
    if (*is_body || strcmp(text.text, "inertial") == 0) return CAROM_OK;
    return carom_fail_at(fitting->making->error, text.place, CAROM_BAD_INPUT,
                         "'frame' is inertial or body, not '%.40s'", text.text);
}

carom_status carom_fitting_row(carom_fitting *fitting, const char *suffix, carom_ref value)
{
    carom_making *making = fitting->making;
    if (fitting->displaced)
        return carom_refs_add(making->arena, &fitting->found, value)
                   ? CAROM_OK
                   : carom_making_no_memory(making);
    carom_joint_row *row = CAROM_LIST_ADD(making->arena, &making->bodies->row);
    if (!row) return carom_making_no_memory(making);
    *row =
        (carom_joint_row){carom_arena_format(making->model->arena, "%s.%s", fitting->name, suffix),
                          fitting->text->place, value, false};
    if (!row->name) return carom_making_no_memory(making);
    if (value < 0) return carom_making_no_memory(making);
    if (carom_graph_kinds(making->graph, value) & (1u << CAROM_Q)) return CAROM_OK;
    return carom_fail_at(making->error, fitting->text->place, CAROM_BAD_INPUT,
                         "'%.80s' holds nothing that moves", row->name);
}

carom_status carom_fitting_rows(carom_fitting *fitting, carom_vec value)
{
    for (int i = 0; i < fitting->making->bodies->dim; i++) {
        const char suffix[] = {"xyz"[i], 0};
        CAROM_TRY(carom_fitting_row(fitting, suffix, value.c[i]));
    }
    return CAROM_OK;
}

carom_status carom_fitting_keep_axis(carom_fitting *fitting)
{
    carom_graph *g = fitting->g;
    CAROM_TRY(
        carom_fitting_row(fitting, "tilt1", carom_weave_dot(g, fitting->x[0], fitting->z[1])));
    return carom_fitting_row(fitting, "tilt2", carom_weave_dot(g, fitting->y[0], fitting->z[1]));
}

static bool is_free_or_ground(const carom_body *body)
{
    return body->is_ground || body->rotation >= 0;
}

// a direction in axes of a body, as numbers: it is turned by numbers at the start
static void numbers_inside(const carom_fitting *fitting, const carom_body *body, carom_vec start,
                           double *number)
{
    const carom_vec inside = carom_weave_inside(fitting->g, &body->start, start);
    for (int i = 0; i < 3; i++) carom_graph_is_number(fitting->g, inside.c[i], &number[i]);
}

// bodies that others carry have angles of their own, which count
carom_status carom_fitting_turn(carom_fitting *fitting, carom_ref *angle)
{
    carom_graph *g = fitting->g;
    carom_making *making = fitting->making;
    if (fitting->displaced || !is_free_or_ground(fitting->body[0]) ||
        !is_free_or_ground(fitting->body[1])) {
        *angle =
            carom_graph_make(g, CAROM_OP_ATAN2, carom_weave_dot(g, fitting->y[0], fitting->x[1]),
                             carom_weave_dot(g, fitting->x[0], fitting->x[1]), -1);
        return CAROM_OK;
    }
    carom_turn turn;
    for (int k = 0; k < 2; k++) {
        turn.q[k] = fitting->body[k]->q;
        turn.u[k] = fitting->body[k]->u;
        numbers_inside(fitting, fitting->body[k], fitting->start[0], turn.x[k]);
        numbers_inside(fitting, fitting->body[k], fitting->start[1], turn.y[k]);
    }
    const char *name = carom_arena_format(making->model->arena, "%s.turned", fitting->name);
    if (!name) return carom_making_no_memory(making);
    return carom_making_turn(making, &turn, name, fitting->text->place, angle);
}

carom_status carom_fitting_contact(carom_fitting *fitting, const char *suffix, carom_ref gap,
                                   const carom_ref slip[2])
{
    carom_making *making = fitting->making;
    if (fitting->displaced) return CAROM_OK;
    carom_joint_contact *contact = CAROM_LIST_ADD(making->arena, &making->bodies->contact);
    const char *name = carom_arena_format(making->arena, "%s.%s", fitting->name, suffix);
    if (!contact || !name) return carom_making_no_memory(making);
    carom_text e = {0}, mu = {0};
    if (carom_fitting_word(fitting, "restitution"))
        CAROM_TRY(word_text(fitting, "restitution", NULL, &e));
    if (slip[0] >= 0 && carom_fitting_word(fitting, "friction"))
        CAROM_TRY(word_text(fitting, "friction", NULL, &mu));
    *contact = (carom_joint_contact){.text = {.place = fitting->text->place,
                                              .name = {name, fitting->text->place},
                                              .restitution = e,
                                              .friction = mu},
                                     .root = {gap, slip[0], slip[1]}};
    contact->text.n_slip = (slip[0] >= 0) + (slip[1] >= 0);
    contact->text.slip_is_rate = fitting->slip_is_rate;
    return CAROM_OK;
}

carom_ref carom_fitting_length(const carom_fitting *fitting)
{
    carom_graph *g = fitting->g;
    const carom_ref length = carom_weave_norm(g, fitting->d);
    double start;
    if (!carom_graph_is_number(g, carom_bodies_at_start(fitting->making, length), &start) ||
        start > 1e-9)
        return length;
    const carom_ref square = carom_graph_add(g, carom_weave_dot(g, fitting->d, fitting->d),
                                             carom_graph_number(g, 1e-24));
    return carom_graph_make(g, CAROM_OP_SQRT, square, -1, -1);
}

carom_status carom_fitting_potential(carom_fitting *fitting, carom_ref stiffness, carom_ref stretch)
{
    carom_graph *g = fitting->g;
    carom_making *making = fitting->making;
    const carom_ref half = carom_graph_mul(g, carom_graph_number(g, 0.5), stiffness);
    const carom_ref V = carom_graph_mul(g, half, carom_graph_mul(g, stretch, stretch));
    return carom_refs_add(making->arena, &making->lagrange->potential, V)
               ? CAROM_OK
               : carom_making_no_memory(making);
}

static carom_status check_words(carom_fitting *fitting, const carom_fitting_facts *facts)
{
    const int most = (int)(8 * sizeof fitting->asked);
    if (fitting->text->n_word > most)
        return carom_fail_at(fitting->making->error, fitting->text->place, CAROM_BAD_INPUT,
                             "'%.60s' has more than %d words", fitting->text->name.text, most);
    for (int i = 0; i < fitting->text->n_word; i++) {
        const carom_text key = fitting->text->word[i].key;
        carom_nearest nearest = carom_nearest_to(key.text);
        const carom_word_facts *known = facts->word;
        char hint[160];
        for (; known->key && strcmp(known->key, key.text) != 0; known++)
            carom_nearest_try(&nearest, known->key);
        if (!known->key)
            return carom_fail_at(fitting->making->error, key.place, CAROM_BAD_INPUT,
                                 "unknown key '%.60s' in '%.60s' (%s)%s", key.text,
                                 fitting->text->name.text, facts->name,
                                 carom_nearest_hint(&nearest, hint, sizeof hint));
    }
    return CAROM_OK;
}

// the point of one body: given for both by `at`, else for each by from and to
static carom_status find_point(carom_fitting *fitting, int which)
{
    carom_making *making = fitting->making;
    const carom_body *body = fitting->body[which];
    const carom_word_text *word = carom_fitting_word(fitting, "at");
    const carom_word_text *const own[] = {carom_fitting_word(fitting, "from"),
                                          carom_fitting_word(fitting, "to")};
    if (word && (own[0] || own[1]))
        return carom_fail_at(making->error, (own[0] ? own[0] : own[1])->key.place, CAROM_BAD_INPUT,
                             "the points of '%.60s' are given twice (write either at, or from and "
                             "to)",
                             fitting->text->name.text);
    if (!word) word = own[which];
    if (!word) return lack_word(fitting, !own[0] && !own[1] ? "at" : which == 0 ? "from" : "to");
    if (word->n != 1 && word->n != making->bodies->dim)
        return carom_fail_at(making->error, word->key.place, CAROM_BAD_INPUT,
                             "'%.60s' is a point, %s or the name of one", word->key.text,
                             carom_bodies_are_plane(making) ? "[x, y]" : "[x, y, z]");
    carom_vec start;
    CAROM_TRY(carom_bodies_point(making, word->value, word->n, true, &start));
    const carom_vec s = carom_weave_local(fitting->g, &body->start, start);
    fitting->point[which] = carom_weave_point(fitting->g, &body->now, s);
    if (fitting->displaced && which == 1) fitting->point[1] = fitting->held;
    if (fitting->displaced) return CAROM_OK;
    return carom_bodies_mark(making, fitting->body[which], fitting->point[which]);
}

// the axes of the joint are stored on both bodies where they are at the start
static void fit_axes(carom_fitting *fitting, const carom_vec axis[3])
{
    carom_graph *g = fitting->g;
    carom_vec *const to[] = {fitting->x, fitting->y, fitting->z};
    for (int i = 0; i < 3; i++) fitting->start[i] = axis[i];
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < 3; i++) {
            const carom_vec inside = carom_weave_inside(g, &fitting->body[k]->start, axis[i]);
            to[i][k] = carom_weave_direction(g, &fitting->body[k]->now, inside);
        }
}

// in the plane the axis is x, along which things slide
static carom_status find_plane_axes(carom_fitting *fitting)
{
    carom_graph *g = fitting->g;
    const carom_word_text *word = carom_fitting_word(fitting, "axis");
    carom_vec axis[3] = {carom_weave_numbers(g, 1, 0, 0), {{0}}, carom_weave_numbers(g, 0, 0, 1)};
    if (word) {
        double x, y;
        CAROM_TRY(carom_bodies_vector(fitting->making, word->value, word->n, "an axis", &axis[0]));
        if (carom_graph_is_number(g, axis[0].c[0], &x) &&
            carom_graph_is_number(g, axis[0].c[1], &y) && x == 0 && y == 0)
            return carom_fail_at(fitting->making->error, word->key.place, CAROM_BAD_INPUT,
                                 "the axis of '%.60s' is zero", fitting->text->name.text);
        axis[0] = carom_weave_unit(g, axis[0]);
    }
    axis[1] = carom_weave_cross(g, axis[2], axis[0]);
    fit_axes(fitting, axis);
    return CAROM_OK;
}

// x and y of a universal joint, or of a bushing: two perpendicular directions
static carom_status find_two_axes(carom_fitting *fitting, const carom_word_text *word, double x[3],
                                  double z[3])
{
    double y[3];
    if (word->n != 6)
        return carom_fail_at(fitting->making->error, word->key.place, CAROM_BAD_INPUT,
                             "'axes' are two directions (write axes: [[1, 0, 0], [0, 1, 0]])");
    CAROM_TRY(carom_bodies_unit(fitting->making, word->value, 3, "an axis", x));
    CAROM_TRY(carom_bodies_unit(fitting->making, word->value + 3, 3, "an axis", y));
    if (fabs(carom_rotation_dot(x, y)) > 1e-9)
        return carom_fail_at(fitting->making->error, word->key.place, CAROM_BAD_INPUT,
                             "the axes of '%.60s' must be perpendicular", fitting->text->name.text);
    carom_rotation_cross(x, y, z);
    return CAROM_OK;
}

// in space the axis is z, about which things turn and along which they slide
static carom_status find_space_axes(carom_fitting *fitting, bool is_needed)
{
    carom_graph *g = fitting->g;
    const carom_word_text *word = carom_fitting_word(fitting, "axis");
    const carom_word_text *both = carom_fitting_word(fitting, "axes");
    double x[3], y[3], z[3] = {0, 0, 1};
    if (word) CAROM_TRY(carom_bodies_unit(fitting->making, word->value, word->n, "an axis", z));
    carom_rotation_across(z, x);
    if (both) CAROM_TRY(find_two_axes(fitting, both, x, z));
    if (is_needed && !word && !both)
        return carom_fail_at(fitting->making->error, fitting->text->place, CAROM_BAD_INPUT,
                             "'%.60s' (%.60s) needs an axis (write axis: [0, 0, 1])",
                             fitting->text->name.text, fitting->text->kind.text);
    carom_rotation_cross(z, x, y);
    const carom_vec axis[3] = {carom_weave_numbers(g, x[0], x[1], x[2]),
                               carom_weave_numbers(g, y[0], y[1], y[2]),
                               carom_weave_numbers(g, z[0], z[1], z[2])};
    fit_axes(fitting, axis);
    return CAROM_OK;
}

// angle of the second body against the first since the start
static carom_ref turned_in_plane(const carom_fitting *fitting)
{
    carom_graph *g = fitting->g;
    const carom_ref now = carom_graph_sub(g, fitting->body[1]->angle, fitting->body[0]->angle);
    const carom_ref then =
        carom_graph_sub(g, fitting->body[1]->start_angle, fitting->body[0]->start_angle);
    return carom_graph_sub(g, now, then);
}

static carom_status find_bodies(carom_fitting *fitting, bool needs_points, bool needs_axis)
{
    carom_making *making = fitting->making;
    carom_graph *g = fitting->g;
    const int n = fitting->text->n_to;
    for (int i = 0; i < n; i++) {
        int body;
        CAROM_TRY(carom_bodies_find(making, fitting->text->to[i], &body));
        fitting->body[i] = &making->bodies->body.item[body];
    }
    if (fitting->displaced) fitting->body[1] = fitting->displaced;
    if (n == 2 && fitting->body[0] == fitting->body[1])
        return carom_fail_at(making->error, fitting->text->to[1].place, CAROM_BAD_INPUT,
                             "'%.60s' is between '%.60s' and itself", fitting->text->name.text,
                             fitting->body[0]->name);
    if (n == 1) fitting->body[1] = fitting->body[0];
    if (n == 1 && needs_points) return find_point(fitting, 1);
    if (n == 1) return CAROM_OK;
    for (int i = 0; needs_points && i < 2; i++) CAROM_TRY(find_point(fitting, i));
    fitting->d = needs_points ? carom_weave_sub(g, fitting->point[1], fitting->point[0])
                              : carom_weave_numbers(g, 0, 0, 0);
    if (!carom_bodies_are_plane(making)) return find_space_axes(fitting, needs_axis);
    fitting->turned = turned_in_plane(fitting);
    return find_plane_axes(fitting);
}

carom_status carom_bodies_joint(carom_making *making, carom_text text, carom_joint *joint)
{
    const char *name;
    char hint[160];
    CAROM_TRY(carom_making_name(making, text, &name));
    const carom_joint *known = making->bodies->joint.item;
    const carom_entry *entry = carom_scope_find(making->bodies->joint_names, name);
    if (entry) {
        *joint = known[entry->number];
        return CAROM_OK;
    }
    for (int i = 0; i < making->builder->joint.n; i++)
        if (strcmp(making->builder->joint.item[i].name.text, name) == 0)
            return carom_fail_at(making->error, text.place, CAROM_BAD_INPUT,
                                 "the joint '%.80s' (%.60s) has no angle or displacement of its "
                                 "own, or stands further down",
                                 name, making->builder->joint.item[i].kind.text);
    carom_nearest nearest = carom_nearest_to(name);
    for (int i = 0; i < making->bodies->joint.n; i++) carom_nearest_try(&nearest, known[i].name);
    return carom_fail_at(making->error, text.place, CAROM_BAD_INPUT, "there is no joint '%.80s'%s",
                         name, carom_nearest_hint(&nearest, hint, sizeof hint));
}

carom_status carom_fitting_begin(carom_fitting *fitting, const carom_fitting_facts *facts, int n_to,
                                 carom_fits fits, bool needs_points, bool needs_axis)
{
    carom_making *making = fitting->making;
    fitting->g = making->graph;
    fitting->facts = facts;
    fitting->turned = -1;
    fitting->freedom = (carom_joint){.angle = -1, .displacement = -1};
    CAROM_TRY(carom_making_name(making, fitting->text->name, &fitting->name));
    CAROM_TRY(check_words(fitting, facts));
    if (fits == CAROM_FITS_EITHER) {
        fits = fitting->text->n_to == 1 ? CAROM_FITS_JOINTS : CAROM_FITS_BODIES;
        n_to = fitting->text->n_to == 1 ? 1 : 2;
    }
    if (fitting->text->n_to != n_to)
        return carom_fail_at(making->error, fitting->text->kind.place, CAROM_BAD_INPUT,
                             "'%.60s' is fitted to %d %s, not to %d (write %s)", facts->name, n_to,
                             fits == CAROM_FITS_BODIES ? "bodies" : "joints", fitting->text->n_to,
                             facts->example);
    if (fits == CAROM_FITS_BODIES) return find_bodies(fitting, needs_points, needs_axis);
    for (int i = 0; i < n_to; i++)
        CAROM_TRY(carom_bodies_joint(making, fitting->text->to[i], &fitting->of[i]));
    return CAROM_OK;
}

carom_status carom_fitting_sketch(const carom_fitting *fitting, carom_sketched how)
{
    carom_making *making = fitting->making;
    const carom_vec *p = fitting->point;
    const carom_vec axis = carom_bodies_are_plane(making) ? fitting->x[0] : fitting->z[0];
    switch (how) {
    case CAROM_SKETCH_NONE:
        return CAROM_OK;
    case CAROM_SKETCH_PIVOT:
        return carom_sketch_pivot(making, fitting->body[0], fitting->body[1], p[1]);
    case CAROM_SKETCH_RAIL:
        return carom_sketch_rail(making, fitting->body[0], p[0], p[1], axis);
    case CAROM_SKETCH_LINE:
        return carom_sketch_add(making, "line", NULL, p, 2);
    case CAROM_SKETCH_SPRING:
        return carom_sketch_add(making, "spring", NULL, p, 2);
    }
    return CAROM_OK;
}
