// SPDX-License-Identifier: Apache-2.0
// Materials: a table of pairs, and no rule that mixes two materials into a third number.
//
//     [a, b]   [a, default] or [default, b]   [default, default]   else there is none
#include "model/matter/matter.h"

#include <string.h>

enum { ANY = 0 }; // the name "default"

int carom_matter_name(carom_making *making, const char *name)
{
    carom_matter *matter = making->bodies->matter;
    for (int i = 0; i < matter->material.n; i++)
        if (strcmp(matter->material.item[i], name) == 0) return i;
    const char **kept = CAROM_LIST_ADD(making->model->arena, &matter->material);
    if (kept) *kept = carom_arena_string(making->model->arena, name);
    return kept && *kept ? matter->material.n - 1 : -1;
}

// in either order
static int find_exact(const carom_matter *matter, int a, int b)
{
    for (int i = 0; i < matter->pair.n; i++) {
        const int *between = matter->pair.item[i].between;
        if ((between[0] == a && between[1] == b) || (between[0] == b && between[1] == a)) return i;
    }
    return -1;
}

static carom_status add_pair(carom_making *making, const carom_material_text *text)
{
    carom_matter *matter = making->bodies->matter;
    carom_material_pair pair = {.place = text->place, .text = text};
    for (int i = 0; i < 2; i++) {
        pair.between[i] = carom_matter_name(making, text->between[i].text);
        if (pair.between[i] < 0) return carom_making_no_memory(making);
    }
    if (find_exact(matter, pair.between[0], pair.between[1]) >= 0)
        return carom_fail_at(making->error, text->place, CAROM_BAD_INPUT,
                             "the pair of materials %.60s-%.60s is there twice",
                             text->between[0].text, text->between[1].text);
    if (making->bodies->dim == 2 && text->spinning_friction.text)
        return carom_fail_at(making->error, text->spinning_friction.place, CAROM_BAD_INPUT,
                             "nothing spins about the normal in the plane (leave spinning_friction "
                             "out, or write rolling_friction)");
    pair.place.file = carom_arena_string(making->model->arena, text->place.file);
    carom_material_pair *kept = CAROM_LIST_ADD(making->model->arena, &matter->pair);
    if (!kept) return carom_making_no_memory(making);
    *kept = pair;
    return CAROM_OK;
}

carom_status carom_matter_pairs(carom_making *making)
{
    for (int i = 0; i < making->builder->scene.material.n; i++)
        CAROM_TRY(add_pair(making, &making->builder->scene.material.item[i]));
    return CAROM_OK;
}

int carom_matter_pair_of(const carom_matter *matter, int a, int b)
{
    int pair = find_exact(matter, a, b);
    if (pair < 0) pair = find_exact(matter, a, ANY);
    if (pair < 0) pair = find_exact(matter, ANY, b);
    return pair < 0 ? find_exact(matter, ANY, ANY) : pair;
}

carom_status carom_matter_find_pair(carom_making *making, int i, int j, int *pair)
{
    const carom_matter *matter = making->bodies->matter;
    const carom_body *body = making->bodies->body.item;
    const carom_solid *a = &matter->solid.item[i], *b = &matter->solid.item[j];
    *pair = carom_matter_pair_of(matter, a->material < 0 ? ANY : a->material,
                                 b->material < 0 ? ANY : b->material);
    if (*pair >= 0) return CAROM_OK;
    const carom_solid *without = a->material < 0 ? a : b;
    const carom_solid *other = a->material < 0 ? b : a;
    if (without->material < 0)
        return carom_fail_at(making->error, without->place, CAROM_BAD_INPUT,
                             "this %s of '%.60s' can touch '%.60s' and has no material (write "
                             "material: steel, and the pair under 'materials')",
                             without->kind, body[without->body].name, body[other->body].name);
    const char *const *name = matter->material.item;
    return carom_fail_at(making->error, a->place, CAROM_BAD_INPUT,
                         "no material pair %.60s-%.60s, and '%.60s' can touch '%.60s' (write "
                         "materials: [{between: [%.60s, %.60s], friction: 0.1}])",
                         name[a->material], name[b->material], body[a->body].name,
                         body[b->body].name, name[a->material], name[b->material]);
}

static carom_status read_factor(carom_making *making, carom_text text, const char *what,
                                double most, double *value)
{
    *value = 0;
    if (!text.text) return CAROM_OK;
    CAROM_TRY(carom_making_number(making, text, what, value));
    if (*value >= 0 && *value <= most) return CAROM_OK;
    if (most > 1)
        return carom_fail_at(making->error, text.place, CAROM_BAD_INPUT,
                             "%s must not be negative, it is %g", what, *value);
    return carom_fail_at(making->error, text.place, CAROM_BAD_INPUT,
                         "%s must be between 0 and 1, it is %g", what, *value);
}

// features that come and go have no expressions of their own
static carom_status refuse_static(carom_making *making, carom_text text)
{
    return carom_fail_at(making->error, text.place, CAROM_BAD_INPUT,
                         "contacts of shapes that come and go have one coefficient of friction: "
                         "leave friction_static out, or write the contact under 'contacts'");
}

carom_status carom_matter_numbers(carom_making *making, int pair)
{
    carom_material_pair *p = &making->bodies->matter->pair.item[pair];
    if (p->text->friction_static.text) return refuse_static(making, p->text->friction_static);
    CAROM_TRY(read_factor(making, p->text->restitution, "restitution", 1, &p->e));
    CAROM_TRY(
        read_factor(making, p->text->tangential_restitution, "tangential restitution", 1, &p->e_t));
    CAROM_TRY(read_factor(making, p->text->friction, "friction", INFINITY, &p->mu));
    CAROM_TRY(carom_making_law(making, p->text->law, p->text->tangential_restitution, &p->law));
    CAROM_TRY(read_factor(making, p->text->rolling_friction, "rolling_friction", INFINITY,
                          &p->length[0]));
    return read_factor(making, p->text->spinning_friction, "spinning_friction", INFINITY,
                       &p->length[1]);
}
