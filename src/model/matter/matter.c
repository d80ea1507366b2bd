// SPDX-License-Identifier: Apache-2.0
// Shapes of bodies and who can touch whom.
#include "model/matter/matter.h"

#include "shapes/shape_kind.h"

#include <stdlib.h>
#include <string.h>

carom_status carom_matter_begin(carom_making *making)
{
    carom_model *model = making->model;
    carom_matter *matter = CAROM_TAKE(model->arena, carom_matter, 1);
    if (!matter) return carom_making_no_memory(making);
    making->bodies->matter = matter;
    matter->dim = making->bodies->dim;
    return carom_matter_name(making, "default") == 0 ? CAROM_OK : carom_making_no_memory(making);
}

// the number of a kin, -1 = of none
static carom_status find_kin(carom_making *making, const char *name, int *kin)
{
    carom_matter *matter = making->bodies->matter;
    *kin = -1;
    if (!name) return CAROM_OK;
    for (int i = matter->kin.n - 1; i >= 0 && *kin < 0; i--)
        if (strcmp(matter->kin.item[i], name) == 0) *kin = i;
    if (*kin >= 0) return CAROM_OK;
    const char **kept = CAROM_LIST_ADD(making->model->arena, &matter->kin);
    if (!kept || !(*kept = carom_arena_string(making->model->arena, name)))
        return carom_making_no_memory(making);
    *kin = matter->kin.n - 1;
    return CAROM_OK;
}

carom_status carom_matter_add(carom_making *making, const carom_body_text *text, int body)
{
    carom_matter *matter = making->bodies->matter;
    carom_arena *arena = making->model->arena;
    const char *colour = carom_arena_string(arena, text->colour.text);
    int material = -1, kin = -1;
    if (text->n_shape > 0) CAROM_TRY(find_kin(making, text->kin.text, &kin));
    if (text->material.text) {
        material = carom_matter_name(making, text->material.text);
        if (material < 0) return carom_making_no_memory(making);
    }
    for (int i = 0; i < text->n_shape; i++) {
        carom_solid solid = {.place = text->shape[i].place,
                             .body = body,
                             .material = material,
                             .kin = kin,
                             .colour = colour};
        solid.place.file = carom_arena_string(arena, solid.place.file);
        CAROM_TRY(carom_matter_shape(making, &text->shape[i], &solid, &solid.shape));
        carom_solid *kept = CAROM_LIST_ADD(arena, &matter->solid);
        if (!kept) return carom_making_no_memory(making);
        *kept = solid;
    }
    return CAROM_OK;
}

// those of the ground last, the others in their order
static carom_status sort_solids(carom_making *making)
{
    carom_matter *matter = making->bodies->matter;
    const int n = matter->solid.n;
    carom_solid *sorted = CAROM_TAKE(making->model->arena, carom_solid, n);
    if (!sorted) return carom_making_no_memory(making);
    int m = 0;
    for (int last = 0; last < 2; last++)
        for (int i = 0; i < n; i++)
            if ((matter->solid.item[i].body == 0) == (last == 1))
                sorted[m++] = matter->solid.item[i];
    matter->solid.item = sorted;
    matter->solid.room = n;
    return CAROM_OK;
}

static bool keep_apart(carom_making *making, int a, int b)
{
    carom_two *two = CAROM_LIST_ADD(making->model->arena, &making->bodies->matter->apart);
    if (two) *two = (carom_two){a < b ? a : b, a < b ? b : a};
    return two != NULL;
}

static carom_status read_ignored(carom_making *making)
{
    const carom_detection_text *text = &making->builder->scene.detection;
    for (int i = 0; i < text->n_ignored; i++) {
        int body[2];
        for (int k = 0; k < 2; k++)
            CAROM_TRY(carom_bodies_find(making, text->ignored[2 * i + k], &body[k]));
        if (body[0] == body[1])
            return carom_fail_at(making->error, text->ignored[2 * i].place, CAROM_BAD_INPUT,
                                 "shapes of one body never touch each other (leave '%.60s' and "
                                 "itself out)",
                                 text->ignored[2 * i].text);
        if (!keep_apart(making, body[0], body[1])) return carom_making_no_memory(making);
    }
    return CAROM_OK;
}

static carom_status read_lasting(carom_making *making)
{
    const carom_text text = making->builder->scene.detection.lasting;
    double n = CAROM_MOST_LASTING;
    if (text.text) CAROM_TRY(carom_making_number(making, text, "'lasting'", &n));
    making->bodies->matter->most_lasting = (int)n;
    if (n >= 0 && n <= 1e6 && n == floor(n)) return CAROM_OK;
    return carom_fail_at(
        making->error, text.place, CAROM_BAD_INPUT,
        "'lasting' is how many contacts are there for the whole run at most (write "
        "lasting: 256), not '%.40s'",
        text.text);
}

static carom_status read_room(carom_making *making)
{
    const carom_text text = making->builder->scene.detection.room;
    double n = 0;
    if (!text.text || strcmp(text.text, "auto") == 0) return CAROM_OK;
    CAROM_TRY(carom_making_number(making, text, "'room'", &n));
    making->bodies->matter->room = (int)n;
    if (n >= 1 && n <= 1e7 && n == floor(n)) return CAROM_OK;
    return carom_fail_at(making->error, text.place, CAROM_BAD_INPUT,
                         "'room' is how many contacts come and go at one time at most (write room: "
                         "auto, or room: 5000), not '%.40s'",
                         text.text);
}

static carom_status read_detection(carom_making *making)
{
    const carom_detection_text *text = &making->builder->scene.detection;
    carom_matter *matter = making->bodies->matter;
    matter->is_off = text->is_off;
    CAROM_TRY(read_ignored(making));
    CAROM_TRY(read_lasting(making));
    CAROM_TRY(read_room(making));
    if (text->points.text && strcmp(text->points.text, "all") != 0)
        return carom_fail_at(making->error, text->points.place, CAROM_BAD_INPUT,
                             "'points' is all, not '%.40s': fewer points of a contact would be a "
                             "smaller base of support, and are not known yet",
                             text->points.text);
    if (!text->alert.text || strcmp(text->alert.text, "auto") == 0) return CAROM_OK;
    CAROM_TRY(carom_making_number(making, text->alert, "'alert'", &matter->alert));
    if (matter->alert > 0) return CAROM_OK;
    return carom_fail_at(making->error, text->alert.place, CAROM_BAD_INPUT,
                         "'alert' is a distance above 0 (or auto), not '%.40s'", text->alert.text);
}

static bool body_moves(const carom_making *making, const carom_body *body)
{
    unsigned kinds = 0;
    for (int i = 0; i < 3; i++) {
        kinds |= carom_graph_kinds(making->graph, body->now.r.c[i]);
        for (int k = 0; k < 3; k++)
            kinds |= carom_graph_kinds(making->graph, body->now.axis[k].c[i]);
    }
    return (kinds & (1u << CAROM_Q)) != 0;
}

static carom_status note_motion(carom_making *making)
{
    const int n = making->bodies->body.n;
    bool *moves = CAROM_TAKE(making->model->arena, bool, n);
    if (!moves) return carom_making_no_memory(making);
    for (int b = 0; b < n; b++) moves[b] = body_moves(making, &making->bodies->body.item[b]);
    making->bodies->matter->moves = moves;
    return CAROM_OK;
}

static int compare_twos(const void *p, const void *q)
{
    const carom_two *x = p, *y = q;
    return x->a != y->a ? (x->a > y->a) - (x->a < y->a) : (x->b > y->b) - (x->b < y->b);
}

carom_status carom_matter_settle(carom_making *making)
{
    const carom_bodies *bodies = making->bodies;
    if (!bodies) return CAROM_OK;
    CAROM_TRY(sort_solids(making));
    CAROM_TRY(note_motion(making));
    CAROM_TRY(read_detection(making));
    for (int i = 0; i < bodies->joined.n && !making->builder->scene.detection.finds_joined; i++)
        if (!keep_apart(making, bodies->joined.item[i].a, bodies->joined.item[i].b))
            return carom_making_no_memory(making);
    carom_matter *matter = bodies->matter;
    if (matter->apart.n > 0)
        qsort(matter->apart.item, (size_t)matter->apart.n, sizeof *matter->apart.item,
              compare_twos);
    return carom_matter_pairs(making);
}

// whether a sorted list has a pair
static bool has_two(const carom_two *two, int n, int a, int b)
{
    int low = 0, high = n;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (two[middle].a == a && two[middle].b == b) return true;
        if (two[middle].a < a || (two[middle].a == a && two[middle].b < b))
            low = middle + 1;
        else
            high = middle;
    }
    return false;
}

bool carom_matter_can_meet(const carom_matter *matter, int i, int j)
{
    const int a = matter->solid.item[i].body, b = matter->solid.item[j].body;
    const int kin = matter->solid.item[i].kin;
    if (kin >= 0 && kin == matter->solid.item[j].kin) return false;
    if (matter->is_off || a == b || (!matter->moves[a] && !matter->moves[b])) return false;
    return !has_two(matter->apart.item, matter->apart.n, a < b ? a : b, a < b ? b : a);
}

bool carom_matter_is_lasting(const carom_matter *matter, int i, int j)
{
    return has_two(matter->lasting.item, matter->lasting.n, i < j ? i : j, i < j ? j : i);
}

double carom_matter_first(const carom_feature *feature, const carom_shape *of_body_1)
{
    return of_body_1->radius < feature->radius ? of_body_1->radius : feature->radius;
}

carom_placement carom_matter_start(const carom_making *making, int body)
{
    const carom_frame *start = &making->bodies->body.item[body].start;
    carom_placement at = {.r = {0}, .R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    for (int i = 0; i < 3; i++) {
        carom_graph_is_number(making->graph, start->r.c[i], &at.r[i]);
        for (int k = 0; k < 3; k++)
            carom_graph_is_number(making->graph, start->axis[k].c[i], &at.R[3 * i + k]);
    }
    return at;
}
