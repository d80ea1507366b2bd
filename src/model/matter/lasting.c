// SPDX-License-Identifier: Apache-2.0
// Contacts that last: where all features that two shapes can ever touch with are few (the corners
// of a box and a plane), each is a contact of the model's own equations, "a.b.1", "a.b.2", ..., for
// two bodies in the order of the file with the ground last, by shape and feature numbers. So every
// scheme takes them like gaps that were written.
#include "model/matter/matter.h"

#include "model/touch/primitive.h"

#include <stdlib.h>

// all of two solids; they are sorted by their feature numbers
enum { MOST_OF_TWO = 64 };

static int compare_features(const void *a, const void *b)
{
    const carom_feature *p = a, *q = b;
    for (int k = 0; k < 2; k++) {
        const unsigned x = p->feature[p->shape[0] == k ? 0 : 1];
        const unsigned y = q->feature[q->shape[0] == k ? 0 : 1];
        if (x != y) return x < y ? -1 : 1;
    }
    return 0;
}

static int find_features(const carom_matter *matter, int i, int j, carom_feature *feature)
{
    const carom_solid *a = &matter->solid.item[i], *b = &matter->solid.item[j];
    const int n = carom_shapes_always(a->shape, b->shape, feature, MOST_OF_TWO);
    return n > MOST_OF_TWO ? -1 : n;
}

static carom_status refuse_two(carom_making *making, int i, int j, const char *why)
{
    const carom_solid *a = &making->bodies->matter->solid.item[i];
    const carom_solid *b = &making->bodies->matter->solid.item[j];
    const char *name[2] = {making->bodies->body.item[a->body].name,
                           making->bodies->body.item[b->body].name};
    return carom_fail_at(making->error, a->place, CAROM_BAD_INPUT,
                         "'%.60s' and '%.60s' can touch, but %s; or write detection: {ignore: "
                         "[[%.60s, %.60s]]}",
                         name[0], name[1], why, name[0], name[1]);
}

// Two solids that look alike (kind of shape and material) are refused alike, so that in large
// models each pair of looks is asked about once.
typedef struct choosing {
    int *look; // (solids)
    int n_look;
    unsigned char *is_known; // (n_look x n_look)
    int total;               // contacts that last
} choosing;

static carom_status begin_choosing(carom_making *making, choosing *c)
{
    const carom_matter *matter = making->bodies->matter;
    const int n = matter->solid.n;
    int *first = CAROM_TAKE(making->arena, int, n); // the first solid of each look
    *c = (choosing){.look = CAROM_TAKE(making->arena, int, n)};
    if (!first || !c->look) return carom_making_no_memory(making);
    for (int i = 0; i < n; i++) {
        const carom_solid *solid = &matter->solid.item[i];
        int k = 0;
        for (; k < c->n_look; k++) {
            const carom_solid *known = &matter->solid.item[first[k]];
            if (known->kind == solid->kind && known->material == solid->material) break;
        }
        if (k == c->n_look) first[c->n_look++] = i;
        c->look[i] = k;
    }
    c->is_known = CAROM_TAKE(making->arena, unsigned char, (size_t)c->n_look *(size_t)c->n_look);
    return c->is_known ? CAROM_OK : carom_making_no_memory(making);
}

static carom_status check_two(carom_making *making, choosing *c, int i, int j)
{
    const carom_matter *matter = making->bodies->matter;
    unsigned char *is_known = &c->is_known[c->look[i] * c->n_look + c->look[j]];
    int pair;
    if (*is_known) return CAROM_OK;
    *is_known = 1;
    const char *why = carom_shapes_refuse(matter->solid.item[i].shape, matter->solid.item[j].shape);
    return why ? refuse_two(making, i, j, why) : carom_matter_find_pair(making, i, j, &pair);
}

static carom_status choose_two(carom_making *making, choosing *c, int i, int j)
{
    carom_matter *matter = making->bodies->matter;
    carom_feature feature[MOST_OF_TWO];
    if (!carom_matter_can_meet(matter, i, j)) return CAROM_OK;
    CAROM_TRY(check_two(making, c, i, j));
    const int n = c->total > matter->most_lasting ? -1 : find_features(matter, i, j, feature);
    c->total += n > 0 ? n : 0;
    if (n < 0 || c->total > matter->most_lasting) {
        matter->comes_and_goes = true;
        return CAROM_OK;
    }
    carom_two *two = CAROM_LIST_ADD(making->model->arena, &matter->lasting);
    if (!two) return carom_making_no_memory(making);
    *two = (carom_two){i, j};
    return CAROM_OK;
}

// which pairs last, if they are not too many together
static carom_status choose_lasting(carom_making *making)
{
    carom_matter *matter = making->bodies->matter;
    choosing c;
    CAROM_TRY(begin_choosing(making, &c));
    for (int i = 0; i < matter->solid.n; i++)
        for (int j = i + 1; j < matter->solid.n; j++) CAROM_TRY(choose_two(making, &c, i, j));
    if (c.total > matter->most_lasting) matter->lasting.n = 0;
    return CAROM_OK;
}

static carom_touch_body touch_body(carom_making *making, const carom_body *body)
{
    return (carom_touch_body){.frame = body->now,
                              .velocity = carom_weave_rate(making->graph, body->now.r),
                              .spin = carom_bodies_spin(making->graph, body)};
}

static carom_vec numbers(carom_graph *g, const double *x)
{
    return carom_weave_numbers(g, x[0], x[1], x[2]);
}

static carom_status add_disc(carom_making *making, carom_text length, const char *name,
                             const char *suffix, const carom_ref *rate, int n)
{
    carom_joint_disc *disc = CAROM_LIST_ADD(making->arena, &making->bodies->disc);
    const char *full = carom_arena_format(making->model->arena, "%s.%s", name, suffix);
    if (!disc || !full) return carom_making_no_memory(making);
    *disc = (carom_joint_disc){
        .name = full, .place = length.place, .n_slip = n, .of = making->bodies->contact.n};
    for (int k = 0; k < n; k++) disc->rate[k] = rate[k];
    return carom_making_limit(making, length, &disc->limit);
}

// rolling and spinning friction of the contact that was added last
static carom_status add_discs(carom_making *making, const carom_material_text *material,
                              const char *name, const carom_touch_rows *rows)
{
    if (material->rolling_friction.text)
        CAROM_TRY(add_disc(making, material->rolling_friction, name, "rolling", rows->roll,
                           rows->n_slip));
    if (!material->spinning_friction.text) return CAROM_OK;
    return add_disc(making, material->spinning_friction, name, "spinning", &rows->spin, 1);
}

// gap and slips; for pages and tables whose shapes touch, where, and which way it pushes
static carom_status take_rows(carom_making *making, const carom_touch_rows *rows,
                              const carom_solid *first, const carom_solid *second,
                              carom_joint_contact *contact)
{
    carom_refs *place = &making->lagrange->place;
    bool is_made = true;
    for (int k = 0; k < 3; k++) is_made &= carom_refs_add(making->arena, place, rows->point.c[k]);
    for (int k = 0; k < 3; k++) is_made &= carom_refs_add(making->arena, place, rows->normal.c[k]);
    contact->is_of_shapes = true;
    contact->body[0] = first->body;
    contact->body[1] = second->body;
    contact->place = place->n / 6;
    contact->root[0] = rows->gap;
    for (int k = 0; k < rows->n_slip; k++) contact->root[1 + k] = rows->slip[k];
    return is_made ? CAROM_OK : carom_making_no_memory(making);
}

// gap and rates of a feature of two solids
static void weave_feature(carom_making *making, const carom_feature *f, const carom_solid *first,
                          const carom_solid *second, carom_touch_rows *rows)
{
    carom_graph *g = making->graph;
    const carom_body *body = making->bodies->body.item;
    const carom_placement at_1 = carom_matter_start(making, first->body),
                          at_2 = carom_matter_start(making, second->body);
    double t2[3];
    carom_touch_tangent(f, &at_1, &at_2, t2);
    const carom_touch touch = {
        .body = {touch_body(making, &body[first->body]), touch_body(making, &body[second->body])},
        .p1 = numbers(g, f->p1),
        .d1 = numbers(g, f->d1),
        .p2 = numbers(g, f->p2),
        .d2 = numbers(g, f->d2),
        .t2 = numbers(g, t2),
        .rim = carom_graph_number(g, f->rim),
        .radius = carom_graph_number(g, f->radius),
        .side = carom_graph_number(g, f->side),
        .first = carom_graph_number(g, carom_matter_first(f, first->shape)),
        .dim = making->bodies->matter->dim};
    carom_touch_weave(g, (int)f->primitive, &touch, rows);
}

// of two solids; number: of the contact among those of their bodies
static carom_status add_contact(carom_making *making, const carom_feature *f, carom_two two,
                                int number)
{
    carom_graph *g = making->graph;
    carom_matter *matter = making->bodies->matter;
    const carom_solid *of[2] = {&matter->solid.item[two.a], &matter->solid.item[two.b]};
    const carom_body *body = making->bodies->body.item;
    carom_touch_rows rows;
    weave_feature(making, f, of[f->shape[0]], of[f->shape[1]], &rows);
    int pair;
    CAROM_TRY(carom_matter_find_pair(making, two.a, two.b, &pair));
    const carom_material_text *material = matter->pair.item[pair].text;
    const char *name = carom_arena_format(making->model->arena, "%s.%s.%d", body[of[0]->body].name,
                                          body[of[1]->body].name, number);
    carom_joint_contact *contact = CAROM_LIST_ADD(making->arena, &making->bodies->contact);
    if (!name || !contact) return carom_making_no_memory(making);
    contact->text = (carom_contact_text){.place = of[0]->place,
                                         .name = {name, of[0]->place},
                                         .n_slip = rows.n_slip,
                                         .slip_is_rate = true,
                                         .restitution = material->restitution,
                                         .tangential_restitution = material->tangential_restitution,
                                         .friction = material->friction,
                                         .friction_static = material->friction_static,
                                         .law = material->law};
    if (!material->friction.text && !material->friction_static.text &&
        !material->tangential_restitution.text)
        contact->text.n_slip = 0;
    CAROM_TRY(take_rows(making, &rows, of[f->shape[0]], of[f->shape[1]], contact));
    CAROM_TRY(add_discs(making, material, name, &rows));
    return carom_graph_status(g) == CAROM_OK ? CAROM_OK : carom_making_no_memory(making);
}

// how many contacts the bodies of these two have before
static int count_before(const carom_matter *matter, const int *n_of, int which)
{
    const carom_two *two = matter->lasting.item;
    const int a = matter->solid.item[two[which].a].body, b = matter->solid.item[two[which].b].body;
    int n = 0;
    for (int k = 0; k < which; k++)
        if (matter->solid.item[two[k].a].body == a && matter->solid.item[two[k].b].body == b)
            n += n_of[k];
    return n;
}

carom_status carom_matter_touch(carom_making *making)
{
    carom_feature feature[MOST_OF_TWO];
    if (!making->bodies) return CAROM_OK;
    carom_matter *matter = making->bodies->matter;
    CAROM_TRY(choose_lasting(making));
    int *n_of = CAROM_TAKE(making->arena, int, matter->lasting.n);
    if (!n_of) return carom_making_no_memory(making);
    for (int k = 0; k < matter->lasting.n; k++) {
        const carom_two two = matter->lasting.item[k];
        n_of[k] = find_features(matter, two.a, two.b, feature);
        qsort(feature, (size_t)n_of[k], sizeof *feature, compare_features);
        const int before = count_before(matter, n_of, k);
        for (int i = 0; i < n_of[k]; i++)
            CAROM_TRY(add_contact(making, &feature[i], two, before + i + 1));
    }
    return CAROM_OK;
}
