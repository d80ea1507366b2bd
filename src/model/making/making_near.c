// SPDX-License-Identifier: Apache-2.0
// Shapes whose contacts come and go: which bodies they move with, and how many slots there are.
//
// Slots are room for contacts that are near at one time. Each moving shape is near to at most 8
// others of its size in the plane and 16 in space, and a pair is counted once; shapes without end,
// and pairs in small models, are counted as they are.
#include "model/making/making_near.h"

#include "expr/rotation_nodes.h"
#include "model/bodies/bodies.h"
#include "shapes/shape_kind.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NEIGHBOURS_PLANE = 4, NEIGHBOURS_SPACE = 8 }; // of each shape, pairs counted once

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

static carom_status take_body(carom_making *making, const carom_body *body, bool has_shape,
                              carom_near_body *to)
{
    int velocity[6];
    const int dim = making->bodies->dim;
    to->name = body->name;
    if (body->is_ground || !has_shape) return CAROM_OK;
    if (!carom_bodies_own_velocities(making, body, velocity))
        return refuse_body(making, body,
                           "it has no coordinates of its own (leave out what carries it, hold it "
                           "by joints, or write its contacts as gaps)");
    for (int i = 0; i < 6; i++)
        if (velocity[i] >= 0) to->u[to->n++] = velocity[i];
    for (int i = 0; i < dim; i++)
        to->q[i] = carom_graph_position_of(making->graph, velocity[i]);
    to->turn = dim == 3 ? body->q : carom_graph_position_of(making->graph, velocity[5]);
    return take_centre(making, body, to);
}

static carom_status take_bodies(carom_making *making, const carom_near_given *given,
                                carom_near *near)
{
    const carom_bodies *bodies = making->bodies;
    near->n_body = bodies->body.n;
    near->body = CAROM_TAKE(making->model->arena, carom_near_body, near->n_body);
    if (!near->body) return carom_making_no_memory(making);
    for (int b = 0; b < near->n_body; b++) {
        carom_near_body *to = &near->body[b];
        bool has_shape = false;
        double reach = 0, off = 0;
        for (int s = 0; s < given->shape.n; s++) {
            if (given->shape.item[s].body != b) continue;
            has_shape = true;
            reach = fmax(reach, carom_shape_reach(given->shape.item[s].shape));
        }
        CAROM_TRY(take_body(making, &bodies->body.item[b], has_shape, to));
        for (int i = 0; i < 3; i++) off += to->centre[i] * to->centre[i];
        to->reach = fmin(reach + sqrt(off), sqrt(DBL_MAX));
    }
    return CAROM_OK;
}

static carom_status take_shapes(carom_making *making, const carom_near_given *given,
                                carom_near *near)
{
    carom_arena *arena = making->model->arena;
    const size_t n_law = (size_t)given->n_material * (size_t)given->n_material;
    near->n_shape = given->shape.n;
    near->shape = CAROM_TAKE(arena, carom_near_shape, near->n_shape);
    near->law = CAROM_TAKE(arena, carom_near_law, n_law);
    if (!near->shape || !near->law) return carom_making_no_memory(making);
    for (int s = 0; s < near->n_shape; s++) {
        const carom_near_shape_given *from = &given->shape.item[s];
        near->shape[s] = (carom_near_shape){.shape = from->shape,
                                            .name = from->name,
                                            .body = from->body,
                                            .material = from->material,
                                            .size = carom_shape_size(from->shape),
                                            .radius = from->shape->radius};
    }
    near->n_material = given->n_material;
    memcpy(near->law, given->law, sizeof *near->law * n_law);
    return CAROM_OK;
}

static int by_number(const void *a, const void *b)
{
    const long long x = *(const long long *)a, y = *(const long long *)b;
    return (x > y) - (x < y);
}

static carom_status take_apart(carom_making *making, const carom_near_given *given,
                               carom_near *near)
{
    long long *apart = CAROM_TAKE(making->model->arena, long long, given->apart.n);
    if (!apart) return carom_making_no_memory(making);
    if (given->apart.n > 0)
        memcpy(apart, given->apart.item, sizeof *apart * (size_t)given->apart.n);
    qsort(apart, (size_t)given->apart.n, sizeof *apart, by_number);
    near->apart = apart;
    near->n_apart = given->apart.n;
    return CAROM_OK;
}

// how many contacts a pair has at most at one time
static int most_of(const carom_near *near, const carom_near_shape *shape)
{
    const bool is_ball = shape->shape->n_corner == 1 && isfinite(carom_shape_reach(shape->shape));
    return is_ball ? 1 : near->dim == 2 ? 4 : 16;
}

static int count_slots(const carom_near *near)
{
    const int neighbours = near->dim == 2 ? NEIGHBOURS_PLANE : NEIGHBOURS_SPACE;
    double room = 0, all = 0;
    for (int i = 0; i < near->n_shape; i++) {
        const carom_near_shape *one = &near->shape[i];
        if (isfinite(carom_shape_reach(one->shape))) room += neighbours * most_of(near, one);
        for (int j = i + 1; j < near->n_shape; j++) {
            const carom_near_shape *other = &near->shape[j];
            if (!carom_near_may_meet(near, i, j)) continue;
            const int first = most_of(near, one), second = most_of(near, other);
            const int most = first < second ? first : second;
            const bool has_end = isfinite(carom_shape_reach(one->shape)) &&
                                 isfinite(carom_shape_reach(other->shape));
            all += most;
            if (!has_end) room += most;
        }
    }
    return (int)fmin(fmin(room, all), 1e8);
}

static carom_status check_laws(carom_making *making, const carom_near *near)
{
    for (int i = 0; i < near->n_shape; i++)
        for (int j = i + 1; j < near->n_shape; j++) {
            const char *why = carom_near_may_meet(near, i, j)
                                  ? carom_shapes_refuse(near->shape[i].shape, near->shape[j].shape)
                                  : NULL;
            if (why)
                return carom_fail_at(making->error,
                                     making->bodies->body.item[near->shape[j].body].place,
                                     CAROM_BAD_INPUT, "'%.60s' and '%.60s' cannot meet: %s",
                                     near->shape[i].name, near->shape[j].name, why);
        }
    return CAROM_OK;
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

// lagrange->near, where any two shapes are left that may meet
static carom_status make_near(carom_making *making, const carom_near_given *given)
{
    carom_near *near = CAROM_TAKE(making->model->arena, carom_near, 1);
    if (!near) return carom_making_no_memory(making);
    near->dim = making->bodies->dim;
    CAROM_TRY(take_bodies(making, given, near));
    CAROM_TRY(take_shapes(making, given, near));
    CAROM_TRY(take_apart(making, given, near));
    near->n_slot = count_slots(near);
    if (near->n_slot == 0) return CAROM_OK;
    CAROM_TRY(check_laws(making, near));
    near->gravity = find_gravity(making);
    near->n_row = near->dim;
    near->code = carom_slot_code_new(near->dim);
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

carom_status carom_making_slots(carom_making *making, carom_disc_list *list)
{
    if (!making->near) return CAROM_OK;
    CAROM_TRY(make_near(making, making->near));
    carom_near *near = making->lagrange->near;
    carom_near_law most = {0};
    if (!near) return CAROM_OK;
    near->n_before = making->model->n_lasting = list->all->n;
    for (int i = 0; i < near->n_material * near->n_material; i++) {
        most.e = fmax(most.e, near->law[i].e);
        most.e_t = fmax(most.e_t, near->law[i].e_t);
        most.mu = fmax(most.mu, near->law[i].mu);
    }
    for (int i = 0; i < near->n_slot; i++) CAROM_TRY(add_slot(making, list, &most));
    return CAROM_OK;
}
