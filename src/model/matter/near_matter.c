// SPDX-License-Identifier: Apache-2.0
// Shapes whose contacts come and go: which bodies they move with, and how many slots there are.
//
// Slots are room for contacts that touch at one time. However large they are, n disks that touch
// without overlap have less than 3 n contacts, n balls less than (4 + 2 sqrt(3)) n = 7.47 n (G.
// Kuperberg, O. Schramm, Average kissing numbers for non-congruent sphere packings, Mathematical
// Research Letters 1, 1994): 4 and 8 pairs for each shape. Shapes without end and surfaces of
// many faces are counted with each shape, and pairs in small models as they are. Of features that
// are near but do not touch those are left out that would be reached last (near_find.c).
#include "model/matter/matter.h"

#include "expr/rotation_nodes.h"
#include "model/touch/near.h"
#include "shapes/flat/outline.h"
#include "shapes/shape_kind.h"

#include <float.h>
#include <math.h>

enum {
    NEIGHBOURS_PLANE = 4,
    NEIGHBOURS_SPACE = 8, // of each shape, pairs counted once
    POINTS_PLANE = 3,
    POINTS_SPACE = 6, // of a pair of shapes with corners, on the average
    MOST_PLACES = 8
};

static carom_status refuse_body(carom_making *making, const carom_body *body, const char *why)
{
    return carom_fail_at(making->error, body->place, CAROM_BAD_INPUT,
                         "the shapes of '%.80s' cannot have contacts that come and go, because %s",
                         body->name, why);
}

static carom_status take_centre(carom_making *making, const carom_body *body, carom_near_body *to)
{
    for (int i = 0; i < 3; i++)
        if (!carom_graph_is_number(making->graph, body->centre.c[i], &to->centre[i]))
            return refuse_body(making, body, "its centre of mass depends on live parameters");
    return CAROM_OK;
}

static carom_status take_body(carom_making *making, const carom_body *body, carom_near_body *to)
{
    int velocity[6];
    const int dim = making->bodies->dim;
    if (!carom_bodies_own_velocities(making, body, velocity))
        return refuse_body(making, body,
                           "it has no coordinates of its own (leave out what carries it, hold it "
                           "by joints, or write its contacts as gaps)");
    for (int i = 0; i < 6; i++)
        if (velocity[i] >= 0) to->u[to->n++] = velocity[i];
    for (int i = 0; i < dim; i++) to->q[i] = carom_graph_position_of(making->graph, velocity[i]);
    to->turn = dim == 3 ? body->q : carom_graph_position_of(making->graph, velocity[5]);
    return take_centre(making, body, to);
}

static carom_status take_bodies(carom_making *making, carom_near *near)
{
    const carom_bodies *bodies = making->bodies;
    const carom_matter *matter = bodies->matter;
    near->n_body = bodies->body.n;
    near->body = CAROM_TAKE(making->model->arena, carom_near_body, near->n_body);
    if (!near->body) return carom_making_no_memory(making);
    for (int b = 0; b < near->n_body; b++) {
        carom_near_body *to = &near->body[b];
        bool is_seen = false;
        double reach = 0, off = 0;
        for (int i = 0; i < near->n_shape; i++) {
            if (near->shape[i].body != b) continue;
            is_seen |= near->shape[i].comes_and_goes;
            reach = fmax(reach, carom_shape_reach(near->shape[i].shape));
        }
        if (is_seen && matter->moves[b]) CAROM_TRY(take_body(making, &bodies->body.item[b], to));
        to->name = bodies->body.item[b].name;
        to->still = carom_matter_start(making, b);
        for (int i = 0; i < 3; i++) off += to->centre[i] * to->centre[i];
        to->reach = fmin(reach + sqrt(off), sqrt(DBL_MAX));
    }
    return CAROM_OK;
}

// an ellipsoid's features are grown by its smaller radius of curvature where it touches
static double grown_of(const carom_shape *shape)
{
    return shape->core == CAROM_CORE_ELLIPSOID ? INFINITY : shape->radius;
}

// the shapes of the matter by their numbers
static carom_status take_shapes(carom_making *making, carom_near *near)
{
    const carom_matter *matter = making->bodies->matter;
    near->n_shape = matter->solid.n;
    near->shape = CAROM_TAKE(making->model->arena, carom_near_shape, near->n_shape);
    if (!near->shape) return carom_making_no_memory(making);
    for (int i = 0; i < near->n_shape; i++) {
        const carom_solid *solid = &matter->solid.item[i];
        near->shape[i] = (carom_near_shape){
            .shape = solid->shape,
            .name = solid->name ? solid->name : making->bodies->body.item[solid->body].name,
            .body = solid->body,
            .material = solid->material < 0 ? 0 : solid->material,
            .size = carom_shape_size(solid->shape),
            .radius = grown_of(solid->shape)};
    }
    return CAROM_OK;
}

// what two materials do, looked up where the first two shapes of them may meet
static carom_status take_law(carom_making *making, carom_near *near, int i, int j)
{
    const int n = near->n_material, a = near->shape[i].material, b = near->shape[j].material;
    int pair;
    if (near->law[a * n + b].e >= 0) return CAROM_OK;
    CAROM_TRY(carom_matter_find_pair(making, i, j, &pair));
    CAROM_TRY(carom_matter_numbers(making, pair));
    const carom_material_pair *found = &making->bodies->matter->pair.item[pair];
    near->law[a * n + b] = (carom_near_law){
        found->e, found->e_t, found->mu, {found->length[0], found->length[1]}, found->law};
    if (found->length[0] > 0 || found->length[1] > 0) near->n_disc = near->dim == 2 ? 1 : 2;
    near->law[b * n + a] = near->law[a * n + b];
    return CAROM_OK;
}

// which pairs are looked for, and what their materials do
static carom_status take_pairs(carom_making *making, carom_near *near)
{
    const carom_matter *matter = making->bodies->matter;
    carom_arena *arena = making->model->arena;
    CAROM_LIST(long long) apart = {0};
    const int n = near->n_material = matter->material.n;
    near->law = CAROM_TAKE(arena, carom_near_law, (size_t)n * (size_t)n);
    if (!near->law) return carom_making_no_memory(making);
    for (int k = 0; k < n * n; k++) near->law[k].e = -1;
    for (int i = 0; i < near->n_shape; i++)
        for (int j = i + 1; j < near->n_shape; j++) {
            if (near->shape[i].body == near->shape[j].body) continue;
            if (carom_matter_can_meet(matter, i, j) && !carom_matter_is_lasting(matter, i, j)) {
                near->shape[i].comes_and_goes = near->shape[j].comes_and_goes = true;
                CAROM_TRY(take_law(making, near, i, j));
                continue;
            }
            long long *pair = CAROM_LIST_ADD(arena, &apart);
            if (!pair) return carom_making_no_memory(making);
            *pair = (long long)i * near->n_shape + j;
        }
    near->apart = apart.item;
    near->n_apart = apart.n;
    return CAROM_OK;
}

// how many contacts a convex shape has with another one at most at one time
static int most_of(const carom_near *near, const carom_near_shape *shape)
{
    const bool is_ball = shape->shape->n_corner == 1 && isfinite(carom_shape_reach(shape->shape));
    return is_ball ? 1 : near->dim == 2 ? 4 : 16;
}

// at how many places one touches another shape that is convex and not larger
static int places_of(const carom_near_shape *shape)
{
    switch (shape->shape->core) {
    case CAROM_CORE_MESH:
    case CAROM_CORE_HEIGHT_FIELD:
    case CAROM_CORE_CURVE:
        return MOST_PLACES;
    case CAROM_CORE_FLAT: {
        const int n = carom_outline_of(shape->shape)->n_part;
        return n < MOST_PLACES ? n : MOST_PLACES;
    }
    default:
        return 1;
    }
}

// meets more of the others than its neighbours of its own size: counted with each of them
static bool is_ground(const carom_near_shape *shape)
{
    return !isfinite(carom_shape_reach(shape->shape)) || places_of(shape) == MOST_PLACES;
}

// how many it may have on the average of all that are near
static double usual_of(const carom_near *near, const carom_near_shape *shape)
{
    const int points = near->dim == 2 ? POINTS_PLANE : POINTS_SPACE;
    return fmin(most_of(near, shape), points);
}

static int count_slots(const carom_near *near)
{
    const int neighbours = near->dim == 2 ? NEIGHBOURS_PLANE : NEIGHBOURS_SPACE;
    double room = 0, all = 0;
    for (int i = 0; i < near->n_shape; i++) {
        const carom_near_shape *one = &near->shape[i];
        if (isfinite(carom_shape_reach(one->shape)))
            room += neighbours * usual_of(near, one) * places_of(one);
        for (int j = i + 1; j < near->n_shape; j++) {
            const carom_near_shape *other = &near->shape[j];
            if (!carom_near_may_meet(near, i, j)) continue;
            const int places = places_of(one) * places_of(other);
            all += fmin(most_of(near, one), most_of(near, other)) * places;
            if (is_ground(one) || is_ground(other))
                room += fmin(usual_of(near, one), usual_of(near, other)) * places;
        }
    }
    return (int)fmin(fmin(room, all), 1e7);
}

static double find_gravity(carom_making *making)
{
    double sum = 0, value;
    for (int i = 0; i < making->bodies->dim; i++) {
        const carom_ref ref = carom_bodies_at_start(making, making->bodies->gravity.c[i]);
        if (carom_graph_is_number(making->graph, ref, &value)) sum += value * value;
    }
    return sqrt(sum);
}

// lagrange->near, where contacts come and go
static carom_status make_near(carom_making *making)
{
    const carom_matter *matter = making->bodies->matter;
    carom_near *near = CAROM_TAKE(making->model->arena, carom_near, 1);
    if (!near) return carom_making_no_memory(making);
    near->dim = near->n_row = matter->dim;
    near->alert = matter->alert;
    CAROM_TRY(take_shapes(making, near));
    CAROM_TRY(take_pairs(making, near));
    CAROM_TRY(take_bodies(making, near));
    near->n_slot = matter->room > 0 ? matter->room : count_slots(near);
    if (near->n_slot == 0) return CAROM_OK;
    near->gravity = find_gravity(making);
    near->code = carom_slot_code_new(near->dim, near->n_disc > 0);
    making->lagrange->near = near;
    return near->code ? CAROM_OK : carom_making_no_memory(making);
}

// Rows of zeros. The factors are the largest that a contact may have, so that what a scheme cannot
// do is said at once.
static carom_status add_slot(carom_making *making, carom_disc_list *list,
                             const carom_near_law *most)
{
    carom_arena *arena = making->model->arena;
    carom_lagrange *l = making->lagrange;
    const double factor[] = {most->e, most->e_t, most->mu};
    const carom_text name = {
        carom_arena_format(arena, "near%d", list->all->n - l->near->n_before + 1), {0}};
    carom_contact_facts *facts = CAROM_LIST_ADD(arena, list->all);
    carom_domain_given *domain = CAROM_LIST_ADD(arena, &l->domain);
    if (!facts || !domain || !name.text) return carom_making_no_memory(making);
    CAROM_TRY(carom_making_put_name(making, list->names, name, name.text));
    *domain = (carom_domain_given){-1, -1};
    *facts = (carom_contact_facts){.name = name.text,
                                   .row = l->row.n,
                                   .n_slip = l->near->n_row - 1,
                                   .e = most->e,
                                   .e_t = most->e_t,
                                   .mu = most->mu,
                                   .law = most->law,
                                   .is_of_shapes = true,
                                   .is_near = true};
    for (int k = 0; k < 3; k++)
        if (!carom_refs_add(arena, &l->factor, carom_graph_number(making->graph, factor[k])))
            return carom_making_no_memory(making);
    for (int k = 0; k < l->near->n_row; k++) {
        carom_row_given *row = CAROM_LIST_ADD(arena, &l->row);
        if (!row) return carom_making_no_memory(making);
        *row = (carom_row_given){.value = carom_graph_number(making->graph, 0)};
    }
    return CAROM_OK;
}

// rolling and spinning friction of a slot
static carom_status add_discs(carom_making *making, carom_disc_list *list, int slot)
{
    static const char *const suffix[] = {"rolling", "spinning"};
    const carom_near *near = making->lagrange->near;
    for (int d = 0; d < near->n_disc; d++) {
        const carom_text name = {
            carom_arena_format(making->model->arena, "near%d.%s", slot + 1, suffix[d]), {0}};
        if (!name.text) return carom_making_no_memory(making);
        CAROM_TRY(carom_making_empty_disc(making, list, name, d ? 1 : near->dim - 1,
                                          near->n_before + slot));
    }
    return CAROM_OK;
}

carom_status carom_matter_make_slots(carom_making *making, carom_disc_list *list)
{
    if (!making->bodies || !making->bodies->matter->comes_and_goes) return CAROM_OK;
    CAROM_TRY(make_near(making));
    carom_near *near = making->lagrange->near;
    carom_near_law most = {0};
    if (!near) return CAROM_OK;
    near->n_before = list->all->n;
    for (int i = 0; i < near->n_material * near->n_material; i++) {
        most.e = fmax(most.e, near->law[i].e);
        most.e_t = fmax(most.e_t, near->law[i].e_t);
        if (near->law[i].e >= 0 && near->law[i].law != CAROM_LAW_NEWTON)
            most.law = near->law[i].law;
        most.mu = fmax(most.mu, near->law[i].mu);
    }
    for (int i = 0; i < near->n_slot; i++) CAROM_TRY(add_slot(making, list, &most));
    for (int i = 0; i < near->n_slot; i++) CAROM_TRY(add_discs(making, list, i));
    return CAROM_OK;
}
