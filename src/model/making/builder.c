// SPDX-License-Identifier: Apache-2.0
// The editable form of a model: lists of texts with their places, in the order they were given.
// Nothing is understood here; carom_builder_finish (finish.c) does that.
#include "model/making/builder.h"

#include "base/need.h"
#include "base/text.h"
#include "expr/text/habits.h"

#include <limits.h>
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
    if (builder) builder->limits = *carom_limits_or_default(limits);
}

void carom_builder_free(carom_builder *builder)
{
    if (!builder) return;
    carom_arena_free(builder->arena);
    free(builder);
}

carom_status carom_builder_no_memory(carom_error *error)
{
    return carom_fail(error, CAROM_NO_MEMORY, "not enough memory for the model's texts");
}

carom_text carom_builder_keep_text(carom_builder *builder, carom_text text)
{
    text.text = carom_arena_string(builder->arena, text.text);
    text.place.file = carom_arena_string(builder->arena, text.place.file);
    return text;
}

carom_family carom_builder_keep_family(carom_builder *builder, const carom_family *family)
{
    carom_family copy = {0};
    if (!family) return copy;
    copy.n = family->n;
    for (int i = 0; i < family->n && i < CAROM_MAX_INDEX; i++)
        copy.range[i] = (carom_range){carom_builder_keep_text(builder, family->range[i].name),
                                      carom_builder_keep_text(builder, family->range[i].first),
                                      carom_builder_keep_text(builder, family->range[i].last)};
    return copy;
}

// function: the public one that was given the family
carom_status carom_builder_check_family(const carom_family *family, const char *function,
                                        carom_error *error)
{
    const int n = family ? family->n : 0;
    if (n < 0 || n > CAROM_MAX_INDEX)
        return carom_misuse(error, function, "family has %d index variables, 0 to %d are possible",
                            n, CAROM_MAX_INDEX);
    for (int i = 0; i < n; i++)
        if (!family->range[i].name.text || !family->range[i].first.text ||
            !family->range[i].last.text)
            return carom_misuse(error, function, "family->range[%d] lacks a text", i);
    return CAROM_OK;
}

static carom_status check_contact(const carom_contact_text *contact, const char *function,
                                  carom_error *error)
{
    if (!contact->name.text || !contact->gap.text)
        return carom_misuse(error, function, "a contact needs name.text and gap.text, one is NULL");
    if (contact->n_slip < 0 || contact->n_slip > 2)
        return carom_misuse(error, function, "n_slip is %d", contact->n_slip);
    for (int i = 0; i < contact->n_slip; i++)
        if (!contact->slip[i].text)
            return carom_misuse(error, function, "slip[%d].text is NULL", i);
    return carom_builder_check_family(&contact->family, function, error);
}

#define ADD(builder, list) CAROM_LIST_ADD((builder)->arena, &(builder)->list)

carom_status carom_builder_describe(carom_builder *builder, const char *name, const char *about,
                                    const char *source, carom_error *error)
{
    CAROM_NEED(error, builder);
    builder->name = carom_arena_string(builder->arena, name);
    builder->about = carom_arena_string(builder->arena, about);
    builder->source = carom_arena_string(builder->arena, source);
    return name && !builder->name ? carom_builder_no_memory(error) : CAROM_OK;
}

static carom_status put_named(carom_builder *builder, carom_named_text *to,
                              const carom_named_text *from, carom_error *error)
{
    if (!to) return carom_builder_no_memory(error);
    *to = (carom_named_text){.name = carom_builder_keep_text(builder, from->name),
                             .family = carom_builder_keep_family(builder, &from->family),
                             .value = carom_builder_keep_text(builder, from->value),
                             .rate = carom_builder_keep_text(builder, from->rate)};
    return CAROM_OK;
}

static carom_named_text named_text(carom_text name, const carom_family *family, carom_text value)
{
    return (carom_named_text){
        .name = name, .family = family ? *family : (carom_family){0}, .value = value};
}

carom_status carom_builder_parameter(carom_builder *builder, carom_text name, carom_text value,
                                     carom_error *error)
{
    CAROM_NEED(error, builder);
    CAROM_NEED(error, name.text);
    CAROM_NEED(error, value.text);
    const carom_named_text item = named_text(name, NULL, value);
    return put_named(builder, ADD(builder, parameter), &item, error);
}

carom_status carom_builder_coordinate(carom_builder *builder, carom_text name,
                                      const carom_family *family, carom_text start, carom_text rate,
                                      carom_error *error)
{
    CAROM_NEED(error, builder);
    CAROM_NEED(error, name.text);
    CAROM_TRY(carom_builder_check_family(family, __func__, error));
    carom_named_text item = named_text(name, family, start);
    item.rate = rate;
    return put_named(builder, ADD(builder, coordinate), &item, error);
}

carom_status carom_builder_unit(carom_builder *builder, carom_text coordinate, carom_text unit,
                                carom_error *error)
{
    CAROM_NEED(error, builder);
    CAROM_NEED(error, coordinate.text);
    CAROM_NEED(error, unit.text);
    for (int i = 0; i < builder->coordinate.n; i++) {
        carom_named_text *item = &builder->coordinate.item[i];
        if (strcmp(item->name.text, coordinate.text) != 0) continue;
        item->unit = carom_builder_keep_text(builder, unit);
        return item->unit.text ? CAROM_OK : carom_builder_no_memory(error);
    }
    return carom_fail_at(error, coordinate.place, CAROM_BAD_INPUT, "there is no coordinate '%s'",
                         coordinate.text);
}

carom_status carom_builder_define(carom_builder *builder, carom_text name,
                                  const carom_family *family, carom_text value, carom_error *error)
{
    CAROM_NEED(error, builder);
    CAROM_NEED(error, name.text);
    CAROM_NEED(error, value.text);
    CAROM_TRY(carom_builder_check_family(family, __func__, error));
    const carom_named_text item = named_text(name, family, value);
    return put_named(builder, ADD(builder, define), &item, error);
}

carom_status carom_builder_energy(carom_builder *builder, carom_energy which,
                                  const carom_family *family, carom_text value, carom_error *error)
{
    CAROM_NEED(error, builder);
    CAROM_NEED(error, value.text);
    CAROM_NEED_THAT(error, which == CAROM_KINETIC || which == CAROM_POTENTIAL, "which is %d",
                    (int)which);
    CAROM_TRY(carom_builder_check_family(family, __func__, error));
    const carom_named_text item = named_text((carom_text){0}, family, value);
    return put_named(builder,
                     which == CAROM_KINETIC ? ADD(builder, kinetic) : ADD(builder, potential),
                     &item, error);
}

carom_status carom_builder_constraint(carom_builder *builder, carom_text name,
                                      const carom_family *family, carom_text equation,
                                      carom_error *error)
{
    CAROM_NEED(error, builder);
    CAROM_NEED(error, name.text);
    CAROM_NEED(error, equation.text);
    CAROM_TRY(carom_builder_check_family(family, __func__, error));
    const carom_named_text item = named_text(name, family, equation);
    return put_named(builder, ADD(builder, constraint), &item, error);
}

carom_status carom_builder_rate(carom_builder *builder, carom_text name, const carom_family *family,
                                carom_text rate, carom_error *error)
{
    CAROM_NEED(error, builder);
    CAROM_NEED(error, name.text);
    CAROM_NEED(error, rate.text);
    CAROM_TRY(carom_builder_check_family(family, __func__, error));
    carom_named_text item = named_text(name, family, (carom_text){0});
    item.rate = rate;
    return put_named(builder, ADD(builder, constraint), &item, error);
}

carom_status carom_builder_friction(carom_builder *builder, const carom_friction_text *friction,
                                    carom_error *error)
{
    CAROM_NEED(error, builder);
    CAROM_NEED(error, friction);
    CAROM_NEED(error, friction->name.text);
    CAROM_NEED(error, friction->limit.text);
    CAROM_NEED_THAT(error, friction->n_slip >= 1 && friction->n_slip <= 3, "n_slip is %d",
                    friction->n_slip);
    for (int i = 0; i < friction->n_slip; i++) CAROM_NEED(error, friction->slip[i].text);
    CAROM_TRY(carom_builder_check_family(&friction->family, __func__, error));
    carom_friction_text *item = ADD(builder, friction);
    if (!item) return carom_builder_no_memory(error);
    *item = *friction;
    item->place.file = carom_arena_string(builder->arena, friction->place.file);
    item->name = carom_builder_keep_text(builder, friction->name);
    item->family = carom_builder_keep_family(builder, &friction->family);
    for (int i = 0; i < friction->n_slip; i++)
        item->slip[i] = carom_builder_keep_text(builder, friction->slip[i]);
    item->limit = carom_builder_keep_text(builder, friction->limit);
    return item->limit.text ? CAROM_OK : carom_builder_no_memory(error);
}

carom_status carom_builder_record(carom_builder *builder, carom_text name,
                                  const carom_family *family, carom_text value, carom_error *error)
{
    CAROM_NEED(error, builder);
    CAROM_NEED(error, name.text);
    CAROM_NEED(error, value.text);
    CAROM_TRY(carom_builder_check_family(family, __func__, error));
    const carom_named_text item = named_text(name, family, value);
    return put_named(builder, ADD(builder, record), &item, error);
}

static double *keep_numbers(carom_builder *builder, const double *x, int n)
{
    double *copy = CAROM_TAKE(builder->arena, double, n);
    if (copy && n > 0) memcpy(copy, x, sizeof(double) * (size_t)n);
    return copy;
}

carom_status carom_builder_table(carom_builder *builder, carom_text name,
                                 const carom_table_points *points, carom_error *error)
{
    CAROM_NEED(error, builder);
    CAROM_NEED(error, name.text);
    CAROM_NEED(error, points);
    CAROM_NEED_ARRAY(error, points->x, points->n);
    CAROM_NEED_ARRAY(error, points->y, points->n);
    carom_table_text *item = ADD(builder, table);
    if (!item) return carom_builder_no_memory(error);
    *item = (carom_table_text){carom_builder_keep_text(builder, name), *points};
    item->points.x = keep_numbers(builder, points->x, points->n);
    item->points.y = keep_numbers(builder, points->y, points->n);
    return item->points.x && item->points.y ? CAROM_OK : carom_builder_no_memory(error);
}

carom_status carom_builder_force(carom_builder *builder, const carom_force_text *force,
                                 carom_error *error)
{
    CAROM_NEED(error, builder);
    CAROM_NEED(error, force);
    CAROM_NEED_THAT(error, force->n >= 1 && force->n <= 3, "force->n is %d", force->n);
    for (int i = 0; i < force->n; i++) CAROM_NEED(error, force->force[i].text);
    const bool is_vector = !force->at[1].text && !force->at[2].text;
    for (int i = 0; i < (is_vector ? 1 : force->n) && !force->coordinate.text; i++)
        CAROM_NEED(error, force->at[i].text);
    CAROM_TRY(carom_builder_check_family(&force->family, __func__, error));
    carom_force_text *item = ADD(builder, force);
    if (!item) return carom_builder_no_memory(error);
    *item = *force;
    item->place.file = carom_arena_string(builder->arena, force->place.file);
    item->family = carom_builder_keep_family(builder, &force->family);
    item->coordinate = carom_builder_keep_text(builder, force->coordinate);
    for (int i = 0; i < 3; i++) {
        item->at[i] = carom_builder_keep_text(builder, force->at[i]);
        item->force[i] = carom_builder_keep_text(builder, force->force[i]);
    }
    return CAROM_OK;
}

static carom_status add_contact(carom_builder *builder, const carom_contact_text *contact,
                                carom_error *error)
{
    carom_contact_text *item = ADD(builder, contact);
    if (!item) return carom_builder_no_memory(error);
    *item = *contact;
    item->place.file = carom_arena_string(builder->arena, contact->place.file);
    item->name = carom_builder_keep_text(builder, contact->name);
    item->family = carom_builder_keep_family(builder, &contact->family);
    item->gap = carom_builder_keep_text(builder, contact->gap);
    for (int i = 0; i < 2; i++) item->slip[i] = carom_builder_keep_text(builder, contact->slip[i]);
    item->restitution = carom_builder_keep_text(builder, contact->restitution);
    item->tangential_restitution =
        carom_builder_keep_text(builder, contact->tangential_restitution);
    item->friction = carom_builder_keep_text(builder, contact->friction);
    item->friction_static = carom_builder_keep_text(builder, contact->friction_static);
    item->friction_across = carom_builder_keep_text(builder, contact->friction_across);
    item->law = carom_builder_keep_text(builder, contact->law);
    item->where = carom_builder_keep_text(builder, contact->where);
    return CAROM_OK;
}

carom_status carom_builder_contact(carom_builder *builder, const carom_contact_text *contact,
                                   carom_error *error)
{
    CAROM_NEED(error, builder);
    CAROM_NEED(error, contact);
    CAROM_TRY(check_contact(contact, __func__, error));
    carom_contact_text one = *contact;
    one.patch = 0;
    if (one.where.text)
        return carom_fail_at(error, one.where.place, CAROM_BAD_INPUT,
                             "'where' belongs to the patches of a surface (carom_builder_surface)");
    return add_contact(builder, &one, error);
}

carom_status carom_builder_surface(carom_builder *builder, const carom_contact_text *patch,
                                   int n_patch, carom_error *error)
{
    CAROM_NEED(error, builder);
    CAROM_NEED_ARRAY(error, patch, n_patch);
    for (int k = 0; k < n_patch; k++) {
        carom_contact_text one = patch[k];
        one.name = patch[0].name;
        one.family = patch[0].family;
        CAROM_TRY(check_contact(&one, __func__, error));
        one.patch = k + 1;
        if (!one.where.text)
            return carom_fail_at(error, one.place, CAROM_BAD_INPUT,
                                 "patch %d of the surface '%s' needs 'where', the condition under "
                                 "which it is there",
                                 k + 1, one.name.text);
        CAROM_TRY(add_contact(builder, &one, error));
    }
    return CAROM_OK;
}

carom_status carom_builder_drawing(carom_builder *builder, const carom_drawing_text *drawing,
                                   carom_error *error)
{
    CAROM_NEED(error, builder);
    CAROM_NEED(error, drawing);
    CAROM_NEED(error, drawing->kind.text);
    CAROM_NEED_ARRAY(error, drawing->xy, drawing->n_point);
    CAROM_NEED_THAT(error, drawing->n_point <= INT_MAX / 2, "drawing->n_point is %d",
                    drawing->n_point);
    for (int i = 0; i < 2 * drawing->n_point; i++) CAROM_NEED(error, drawing->xy[i].text);
    CAROM_TRY(carom_builder_check_family(&drawing->family, __func__, error));
    carom_drawing_text *item = ADD(builder, drawing);
    carom_text *xy = CAROM_TAKE(builder->arena, carom_text, 2 * drawing->n_point);
    if (!item || !xy) return carom_builder_no_memory(error);
    *item = *drawing;
    item->place.file = carom_arena_string(builder->arena, drawing->place.file);
    item->kind = carom_builder_keep_text(builder, drawing->kind);
    item->family = carom_builder_keep_family(builder, &drawing->family);
    item->size = carom_builder_keep_text(builder, drawing->size);
    for (int i = 0; i < 2 * drawing->n_point; i++)
        xy[i] = carom_builder_keep_text(builder, drawing->xy[i]);
    item->xy = xy;
    return CAROM_OK;
}

carom_status carom_builder_rotation(carom_builder *builder, carom_text name,
                                    const carom_family *family, const carom_text *quaternion,
                                    const carom_text *spin, carom_error *error)
{
    CAROM_NEED(error, builder);
    CAROM_NEED(error, name.text);
    CAROM_TRY(carom_builder_check_family(family, __func__, error));
    carom_rotation_text *item = ADD(builder, rotation);
    if (!item) return carom_builder_no_memory(error);
    item->name = carom_builder_keep_text(builder, name);
    if (family) item->family = carom_builder_keep_family(builder, family);
    for (int i = 0; quaternion && i < 4; i++)
        item->quaternion[i] = carom_builder_keep_text(builder, quaternion[i]);
    for (int i = 0; spin && i < 3; i++) item->spin[i] = carom_builder_keep_text(builder, spin[i]);
    return CAROM_OK;
}

// whether x, x[3] or der(x) is a coordinate, or a member of a family of them
static bool is_coordinate(const carom_builder *builder, const char *name)
{
    if (strncmp(name, "der(", 4) == 0) name += 4;
    const size_t n = strcspn(name, "[)");
    for (int i = 0; i < builder->coordinate.n; i++) {
        const char *known = builder->coordinate.item[i].name.text;
        if (strcspn(known, " [") == n && memcmp(known, name, n) == 0) return true;
    }
    return false;
}

static bool find_coordinate(void *self, const char *name, const int *index, int n_index,
                            carom_ref *ref)
{
    (void)index, (void)n_index, (void)ref;
    return is_coordinate(self, name);
}

static carom_status refuse_parameter(carom_builder *builder, carom_text name, carom_error *error)
{
    carom_nearest nearest = carom_nearest_to(name.text);
    char hint[160];
    const carom_names coordinates = {.self = builder, .find = find_coordinate};
    if (carom_habit_rate(&coordinates, name.text, NULL, 0, hint, sizeof hint)[0])
        return carom_fail_at(error, name.place, CAROM_BAD_INPUT,
                             "unknown parameter '%s'%s, and its start is changed with --start",
                             name.text, hint);
    for (int i = 0; i < builder->parameter.n; i++)
        carom_nearest_try(&nearest, builder->parameter.item[i].name.text);
    return carom_fail_at(error, name.place, CAROM_BAD_INPUT, "unknown parameter '%s'%s", name.text,
                         carom_nearest_hint(&nearest, hint, sizeof hint));
}

static bool is_parameter(const carom_builder *builder, const char *name)
{
    int i = 0;
    while (i < builder->parameter.n && strcmp(builder->parameter.item[i].name.text, name) != 0) i++;
    return i < builder->parameter.n;
}

bool carom_builder_has_parameter(const carom_builder *builder, const char *name)
{
    return is_parameter(builder, name);
}

bool carom_builder_may_start(const carom_builder *builder, const char *name, carom_nearest *nearest)
{
    for (int i = 0; i < builder->parameter.n; i++)
        carom_nearest_try(nearest, builder->parameter.item[i].name.text);
    for (int i = 0; i < builder->coordinate.n; i++)
        carom_nearest_try(nearest, builder->coordinate.item[i].name.text);
    return builder->body.n > 0 || builder->rotation.n > 0 ||
           is_coordinate(builder, strncmp(name, "der_", 4) == 0 ? name + 4 : name);
}

carom_status carom_builder_live(carom_builder *builder, carom_text name, carom_error *error)
{
    CAROM_NEED(error, builder);
    if (!name.text) {
        builder->wishes.is_live = true;
        return CAROM_OK;
    }
    if (!is_parameter(builder, name.text)) return refuse_parameter(builder, name, error);
    carom_text *item = ADD(builder, live);
    if (!item) return carom_builder_no_memory(error);
    *item = carom_builder_keep_text(builder, name);
    return item->text ? CAROM_OK : carom_builder_no_memory(error);
}

carom_status carom_builder_differentiate(carom_builder *builder, carom_error *error)
{
    CAROM_NEED(error, builder);
    builder->wishes.is_differentiated = true;
    return CAROM_OK;
}

carom_status carom_builder_set(carom_builder *builder, carom_text name, carom_text value,
                               carom_error *error)
{
    CAROM_NEED(error, builder);
    CAROM_NEED(error, name.text);
    CAROM_NEED(error, value.text);
    if (!is_parameter(builder, name.text) && is_coordinate(builder, name.text))
        return carom_fail_at(error, name.place, CAROM_BAD_INPUT,
                             "'%s' is not a parameter but a coordinate; its start is changed with "
                             "--start %s=...",
                             name.text, name.text);
    if (!is_parameter(builder, name.text)) return refuse_parameter(builder, name, error);
    carom_setting *item = ADD(builder, set);
    if (!item) return carom_builder_no_memory(error);
    *item = (carom_setting){carom_builder_keep_text(builder, name),
                            carom_builder_keep_text(builder, value)};
    return CAROM_OK;
}

carom_status carom_builder_start(carom_builder *builder, carom_text name, carom_text value,
                                 carom_error *error)
{
    CAROM_NEED(error, builder);
    CAROM_NEED(error, name.text);
    CAROM_NEED(error, value.text);
    carom_setting *item = ADD(builder, start);
    if (!item) return carom_builder_no_memory(error);
    *item = (carom_setting){carom_builder_keep_text(builder, name),
                            carom_builder_keep_text(builder, value)};
    return CAROM_OK;
}

carom_status carom_builder_assemble(carom_builder *builder, unsigned what, carom_error *error)
{
    CAROM_NEED(error, builder);
    CAROM_NEED_THAT(error, what <= (CAROM_ASSEMBLE_POSITIONS | CAROM_ASSEMBLE_VELOCITIES),
                    "what is %u", what);
    builder->assembly.what |= what;
    return CAROM_OK;
}

carom_status carom_builder_keep(carom_builder *builder, carom_text name, carom_error *error)
{
    CAROM_NEED(error, builder);
    CAROM_NEED(error, name.text);
    carom_text *item = ADD(builder, assembly.kept);
    if (!item) return carom_builder_no_memory(error);
    *item = carom_builder_keep_text(builder, name);
    return item->text ? CAROM_OK : carom_builder_no_memory(error);
}
