// SPDX-License-Identifier: Apache-2.0
// The editable form of a model: lists of texts with their places, in the order they were given.
// Nothing is understood here; carom_builder_finish (finish.c) does that.
#include "model/builder.h"

#include "base/text.h"

#include <stdlib.h>
#include <string.h>

carom_builder *carom_builder_new(void)
{
    carom_builder *builder = calloc(1, sizeof *builder);
    if (!builder) return NULL;
    builder->limits = carom_limits_default();
    builder->arena = carom_arena_new();
    if (builder->arena) return builder;
    free(builder);
    return NULL;
}

void carom_builder_limit(carom_builder *builder, const carom_limits *limits)
{
    builder->limits = *carom_limits_or_default(limits);
}

void carom_builder_free(carom_builder *builder)
{
    if (!builder) return;
    carom_arena_free(builder->arena);
    free(builder);
}

static carom_status no_memory(carom_error *error)
{
    return carom_fail(error, CAROM_NO_MEMORY, "not enough memory for the model's texts");
}

static carom_text keep(carom_builder *b, carom_text text)
{
    text.text = carom_arena_string(b->arena, text.text);
    text.place.file = carom_arena_string(b->arena, text.place.file);
    return text;
}

static carom_family keep_family(carom_builder *b, const carom_family *family)
{
    carom_family copy = {0};
    if (!family) return copy;
    copy.n = family->n;
    for (int i = 0; i < family->n && i < CAROM_MAX_INDEX; i++)
        copy.range[i] =
            (carom_range){keep(b, family->range[i].name), keep(b, family->range[i].first),
                          keep(b, family->range[i].last)};
    return copy;
}

#define ADD(b, list) CAROM_LIST_ADD((b)->arena, &(b)->list)

carom_status carom_builder_describe(carom_builder *b, const char *name, const char *about,
                                    const char *source, carom_error *error)
{
    b->name = carom_arena_string(b->arena, name);
    b->about = carom_arena_string(b->arena, about);
    b->source = carom_arena_string(b->arena, source);
    return name && !b->name ? no_memory(error) : CAROM_OK;
}

static carom_status put(carom_builder *b, carom_named_text *to, const carom_named_text *from,
                        carom_error *error)
{
    if (!to) return no_memory(error);
    *to = (carom_named_text){.name = keep(b, from->name),
                             .family = keep_family(b, &from->family),
                             .value = keep(b, from->value),
                             .rate = keep(b, from->rate)};
    return CAROM_OK;
}

static carom_named_text named(carom_text name, const carom_family *family, carom_text value)
{
    return (carom_named_text){
        .name = name, .family = family ? *family : (carom_family){0}, .value = value};
}

carom_status carom_builder_parameter(carom_builder *b, carom_text name, carom_text value,
                                     carom_error *error)
{
    const carom_named_text item = named(name, NULL, value);
    return put(b, ADD(b, parameter), &item, error);
}

carom_status carom_builder_coordinate(carom_builder *b, carom_text name, const carom_family *family,
                                      carom_text start, carom_text rate, carom_error *error)
{
    carom_named_text item = named(name, family, start);
    item.rate = rate;
    return put(b, ADD(b, coordinate), &item, error);
}

carom_status carom_builder_unit(carom_builder *b, carom_text coordinate, carom_text unit,
                                carom_error *error)
{
    for (int i = 0; i < b->coordinate.n; i++) {
        carom_named_text *item = &b->coordinate.item[i];
        if (strcmp(item->name.text, coordinate.text) != 0) continue;
        item->unit = keep(b, unit);
        return item->unit.text ? CAROM_OK : no_memory(error);
    }
    return carom_fail_at(error, coordinate.place, CAROM_BAD_INPUT, "there is no coordinate '%s'",
                         coordinate.text);
}

carom_status carom_builder_define(carom_builder *b, carom_text name, const carom_family *family,
                                  carom_text value, carom_error *error)
{
    const carom_named_text item = named(name, family, value);
    return put(b, ADD(b, define), &item, error);
}

carom_status carom_builder_energy(carom_builder *b, carom_energy which, const carom_family *family,
                                  carom_text value, carom_error *error)
{
    const carom_named_text item = named((carom_text){0}, family, value);
    return put(b, which == CAROM_KINETIC ? ADD(b, kinetic) : ADD(b, potential), &item, error);
}

carom_status carom_builder_constraint(carom_builder *b, carom_text name, const carom_family *family,
                                      carom_text equation, carom_error *error)
{
    const carom_named_text item = named(name, family, equation);
    return put(b, ADD(b, constraint), &item, error);
}

carom_status carom_builder_record(carom_builder *b, carom_text name, const carom_family *family,
                                  carom_text value, carom_error *error)
{
    const carom_named_text item = named(name, family, value);
    return put(b, ADD(b, record), &item, error);
}

static double *keep_numbers(carom_builder *b, const double *x, int n)
{
    double *copy = CAROM_TAKE(b->arena, double, n);
    if (copy && n > 0) memcpy(copy, x, sizeof(double) * (size_t)n);
    return copy;
}

carom_status carom_builder_table(carom_builder *b, carom_text name,
                                 const carom_table_points *points, carom_error *error)
{
    carom_table_text *item = ADD(b, table);
    if (!item) return no_memory(error);
    *item = (carom_table_text){keep(b, name), *points};
    item->points.x = keep_numbers(b, points->x, points->n);
    item->points.y = keep_numbers(b, points->y, points->n);
    return item->points.x && item->points.y ? CAROM_OK : no_memory(error);
}

carom_status carom_builder_force(carom_builder *b, const carom_force_text *force,
                                 carom_error *error)
{
    carom_force_text *item = ADD(b, force);
    if (!item) return no_memory(error);
    *item = *force;
    item->place.file = carom_arena_string(b->arena, force->place.file);
    item->family = keep_family(b, &force->family);
    item->coordinate = keep(b, force->coordinate);
    for (int i = 0; i < 3; i++) {
        item->at[i] = keep(b, force->at[i]);
        item->force[i] = keep(b, force->force[i]);
    }
    return CAROM_OK;
}

static carom_status add_contact(carom_builder *b, const carom_contact_text *contact,
                                carom_error *error)
{
    carom_contact_text *item = ADD(b, contact);
    if (!item) return no_memory(error);
    *item = *contact;
    item->place.file = carom_arena_string(b->arena, contact->place.file);
    item->name = keep(b, contact->name);
    item->family = keep_family(b, &contact->family);
    item->gap = keep(b, contact->gap);
    for (int i = 0; i < 2; i++) item->slip[i] = keep(b, contact->slip[i]);
    item->restitution = keep(b, contact->restitution);
    item->tangential_restitution = keep(b, contact->tangential_restitution);
    item->friction = keep(b, contact->friction);
    item->where = keep(b, contact->where);
    return CAROM_OK;
}

carom_status carom_builder_contact(carom_builder *b, const carom_contact_text *contact,
                                   carom_error *error)
{
    carom_contact_text one = *contact;
    one.patch = 0;
    if (one.where.text)
        return carom_fail_at(error, one.where.place, CAROM_BAD_INPUT,
                             "'where' belongs to the patches of a surface (carom_builder_surface)");
    return add_contact(b, &one, error);
}

carom_status carom_builder_surface(carom_builder *b, const carom_contact_text *patch, int n_patch,
                                   carom_error *error)
{
    for (int k = 0; k < n_patch; k++) {
        carom_contact_text one = patch[k];
        one.name = patch[0].name;
        one.family = patch[0].family;
        one.patch = k + 1;
        if (!one.where.text)
            return carom_fail_at(error, one.place, CAROM_BAD_INPUT,
                                 "patch %d of the surface '%s' needs 'where', the condition under "
                                 "which it is there",
                                 k + 1, one.name.text);
        CAROM_TRY(add_contact(b, &one, error));
    }
    return CAROM_OK;
}

carom_status carom_builder_drawing(carom_builder *b, const carom_drawing_text *drawing,
                                   carom_error *error)
{
    carom_drawing_text *item = ADD(b, drawing);
    carom_text *xy = CAROM_TAKE(b->arena, carom_text, 2 * drawing->n_point);
    if (!item || !xy) return no_memory(error);
    *item = *drawing;
    item->place.file = carom_arena_string(b->arena, drawing->place.file);
    item->kind = keep(b, drawing->kind);
    item->family = keep_family(b, &drawing->family);
    item->size = keep(b, drawing->size);
    for (int i = 0; i < 2 * drawing->n_point; i++) xy[i] = keep(b, drawing->xy[i]);
    item->xy = xy;
    return CAROM_OK;
}

// whether x, x[3] or der(x) is a coordinate, or a member of a family of them
static bool is_coordinate(const carom_builder *b, const char *name)
{
    if (strncmp(name, "der(", 4) == 0) name += 4;
    const size_t n = strcspn(name, "[)");
    for (int i = 0; i < b->coordinate.n; i++) {
        const char *known = b->coordinate.item[i].name.text;
        if (strcspn(known, " [") == n && memcmp(known, name, n) == 0) return true;
    }
    return false;
}

carom_status carom_builder_set(carom_builder *b, carom_text name, carom_text value,
                               carom_error *error)
{
    carom_nearest nearest = carom_nearest_to(name.text);
    char hint[128];
    int i = 0;
    while (i < b->parameter.n && strcmp(b->parameter.item[i].name.text, name.text) != 0)
        carom_nearest_try(&nearest, b->parameter.item[i++].name.text);
    if (i == b->parameter.n && is_coordinate(b, name.text))
        return carom_fail_at(error, name.place, CAROM_BAD_INPUT,
                             "'%s' is not a parameter but a coordinate; its start is changed with "
                             "--start %s=...",
                             name.text, name.text);
    if (i == b->parameter.n)
        return carom_fail_at(error, name.place, CAROM_BAD_INPUT, "unknown parameter '%s'%s",
                             name.text, carom_nearest_hint(&nearest, hint, sizeof hint));
    carom_setting *item = ADD(b, set);
    if (!item) return no_memory(error);
    *item = (carom_setting){keep(b, name), keep(b, value)};
    return CAROM_OK;
}

carom_status carom_builder_start(carom_builder *b, carom_text name, carom_text value,
                                 carom_error *error)
{
    carom_setting *item = ADD(b, start);
    if (!item) return no_memory(error);
    *item = (carom_setting){keep(b, name), keep(b, value)};
    return CAROM_OK;
}
