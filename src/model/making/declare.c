// SPDX-License-Identifier: Apache-2.0
// Declarations: parameters, tables, coordinates with their start, definitions. Each name enters the
// scope once.
#include "base/files/csv_names.h"
#include "base/text.h"
#include "model/making/making.h"

#include <stdio.h>
#include <string.h>

// the last override of a parameter, or its own text
static carom_text parameter_text(const carom_builder *builder, const carom_named_text *parameter)
{
    carom_text text = parameter->value;
    for (int i = 0; i < builder->set.n; i++)
        if (strcmp(builder->set.item[i].name.text, parameter->name.text) == 0)
            text = builder->set.item[i].value;
    return text;
}

carom_status carom_making_parameters(carom_making *making)
{
    const carom_builder *builder = making->builder;
    for (int i = 0; i < builder->parameter.n; i++) {
        const carom_named_text *parameter = &builder->parameter.item[i];
        carom_declared declared;
        CAROM_TRY(carom_syntax_declared(making->arena, parameter->name, &declared, making->error));
        if (declared.n_index)
            return carom_fail_at(making->error, parameter->name.place, CAROM_BAD_INPUT,
                                 "a parameter cannot have an index; use a plain name");
        double value;
        CAROM_TRY(
            carom_making_number(making, parameter_text(builder, parameter), "a parameter", &value));
        const carom_entry entry = {.name = parameter->name.text,
                                   .meaning = CAROM_MEANS_PARAMETER,
                                   .ref = carom_graph_number(making->graph, value),
                                   .place = parameter->name.place};
        CAROM_TRY(carom_scope_add(making->scope, &entry, making->error));
    }
    return CAROM_OK;
}

static carom_status declare_table(carom_making *making, const carom_table_text *table)
{
    carom_declared declared;
    CAROM_TRY(carom_syntax_declared(making->arena, table->name, &declared, making->error));
    const carom_table_points *points = &table->points;
    carom_spline *spline;
    carom_error why = {0};
    const carom_status status = carom_spline_new(points, &spline, &why);
    if (status != CAROM_OK)
        return carom_fail_at(making->error, table->name.place, status, "table '%s': %s",
                             table->name.text, why.message);
    const int number = carom_graph_add_table(making->graph, table->name.text, spline);
    carom_spline_free(spline);
    if (number < 0) return carom_making_no_memory(making);
    const carom_entry entry = {.name = table->name.text,
                               .meaning = CAROM_MEANS_TABLE,
                               .ref = -1,
                               .number = number,
                               .place = table->name.place};
    return carom_scope_add(making->scope, &entry, making->error);
}

static carom_status start_value(carom_making *making, carom_text text, const char *what,
                                carom_refs *values)
{
    double value = 0;
    if (text.text) CAROM_TRY(carom_making_number(making, text, what, &value));
    return carom_refs_add(making->arena, values, carom_graph_number(making->graph, value))
               ? CAROM_OK
               : carom_making_no_memory(making);
}

// start values are collected as constant nodes until the number of coordinates is known
typedef struct coordinates {
    carom_refs q0, u0;
    CAROM_LIST(const char *) name, unit;
    const carom_named_text *text;
} coordinates;

static carom_status declare_coordinate(carom_making *making, const void *item)
{
    coordinates *all = *(coordinates *const *)item;
    const carom_named_text *text = all->text;
    carom_entry entry = {
        .meaning = CAROM_MEANS_COORDINATE, .number = all->name.n, .place = text->name.place};
    CAROM_TRY(carom_making_name(making, text->name, &entry.name));
    entry.ref = carom_graph_symbol(making->graph, CAROM_Q, entry.number);
    CAROM_TRY(carom_scope_add(making->scope, &entry, making->error));
    CAROM_TRY(start_value(making, text->value, "a start value", &all->q0));
    CAROM_TRY(start_value(making, text->rate, "a start rate", &all->u0));
    const char **name = CAROM_LIST_ADD(making->arena, &all->name);
    const char **unit = CAROM_LIST_ADD(making->arena, &all->unit);
    if (!name || !unit) return carom_making_no_memory(making);
    *name = entry.name;
    *unit = carom_arena_string(making->model->arena, text->unit.text ? text->unit.text : "");
    if (!*unit) return carom_making_no_memory(making);
    return CAROM_OK;
}

// the coordinate whose rate is called so in output: der_x
static const carom_entry *find_rate(const carom_making *making, const char *text)
{
    if (strncmp(text, "der_", 4) != 0) return NULL;
    for (int i = 0; i < making->model->size.nq; i++)
        if (carom_csv_names_match(making->model->coordinate_name[i], text + 4))
            return carom_scope_find(making->scope, making->model->coordinate_name[i]);
    return NULL;
}

// "der(x)" -> "x" and is_rate; spaces are left out
static void start_target(const char *text, char *name, size_t room, bool *is_rate)
{
    size_t n = 0;
    for (; *text && n + 1 < room; text++)
        if (*text != ' ' && *text != '\t') name[n++] = *text;
    name[n] = 0;
    *is_rate = n > 5 && strncmp(name, "der(", 4) == 0 && name[n - 1] == ')';
    if (*is_rate) {
        memmove(name, name + 4, n - 5);
        name[n - 5] = 0;
    }
}

static carom_status override_start(carom_making *making, const carom_setting *start)
{
    char name[CAROM_LONGEST_NAME], why[256];
    bool is_rate;
    start_target(start->name.text, name, sizeof name, &is_rate);
    const carom_entry *entry = carom_scope_find(making->scope, name);
    if (!entry && (entry = find_rate(making, name))) is_rate = true;
    if (!entry)
        return carom_fail_at(making->error, start->name.place, CAROM_BAD_INPUT,
                             "%s; a start is given for a coordinate (x=1) or its rate (der(x)=1)",
                             carom_scope_explain(making->scope, name, why, sizeof why));
    if (entry->meaning != CAROM_MEANS_COORDINATE)
        return carom_fail_at(making->error, start->name.place, CAROM_BAD_INPUT,
                             "'%s' is not a coordinate; parameters are changed with --set %s=...",
                             name, name);
    double *values = is_rate ? making->model->u0 : making->model->q0;
    return carom_making_number(making, start->value, "a start value", &values[entry->number]);
}

static carom_status declare_coordinates(carom_making *making)
{
    coordinates all = {0}, *address = &all;
    const carom_builder *builder = making->builder;
    for (int i = 0; i < builder->coordinate.n; i++) {
        all.text = &builder->coordinate.item[i];
        CAROM_TRY(carom_making_each(making, &all.text->family, all.text->name, declare_coordinate,
                                    &address));
    }
    carom_model *model = making->model;
    const int n = all.name.n;
    if (n == 0)
        return carom_fail_at(making->error,
                             builder->coordinate.n ? builder->coordinate.item[0].name.place
                                                   : (carom_place){0},
                             CAROM_BAD_INPUT, "the model has no coordinates: every range is empty");
    model->size.nq = model->size.nu = n;
    model->coordinate_name = CAROM_TAKE(model->arena, const char *, n);
    model->coordinate_unit = CAROM_TAKE(model->arena, const char *, n);
    model->q0 = CAROM_TAKE(model->arena, double, n);
    model->u0 = CAROM_TAKE(model->arena, double, n);
    if (!model->coordinate_name || !model->coordinate_unit || !model->q0 || !model->u0)
        return carom_making_no_memory(making);
    for (int i = 0; i < n; i++) {
        model->coordinate_name[i] = all.name.item[i];
        model->coordinate_unit[i] = all.unit.item[i];
        carom_graph_is_number(making->graph, all.q0.item[i], &model->q0[i]);
        carom_graph_is_number(making->graph, all.u0.item[i], &model->u0[i]);
    }
    for (int i = 0; i < builder->start.n; i++)
        CAROM_TRY(override_start(making, &builder->start.item[i]));
    return CAROM_OK;
}

static carom_status declare_definition(carom_making *making, const void *item)
{
    const carom_named_text *text = item;
    carom_entry entry = {.meaning = CAROM_MEANS_DEFINE, .place = text->name.place};
    CAROM_TRY(carom_making_name(making, text->name, &entry.name));
    CAROM_TRY(carom_making_node(making, text->value, (carom_allowed){0}, &entry.ref));
    return carom_scope_add(making->scope, &entry, making->error);
}

carom_status carom_making_declare(carom_making *making)
{
    const carom_builder *builder = making->builder;
    CAROM_TRY(carom_making_parameters(making));
    for (int i = 0; i < builder->table.n; i++)
        CAROM_TRY(declare_table(making, &builder->table.item[i]));
    CAROM_TRY(declare_coordinates(making));
    for (int i = 0; i < builder->define.n; i++) {
        const carom_named_text *define = &builder->define.item[i];
        CAROM_TRY(
            carom_making_each(making, &define->family, define->name, declare_definition, define));
    }
    return CAROM_OK;
}
