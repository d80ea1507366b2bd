// SPDX-License-Identifier: Apache-2.0
// Declarations: parameters, tables, coordinates with their start, definitions. Each name enters the
// scope once.
#include "base/files/csv_names.h"
#include "base/text.h"
#include "expr/rotation_nodes.h"
#include "expr/text/habits.h"
#include "model/elastic/elastic_making.h"
#include "model/making/making_rotation.h"
#include "model/matter/matter.h"

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

static bool is_asked_for(const carom_builder *builder, const char *name)
{
    int i = 0;
    while (i < builder->live.n && strcmp(builder->live.item[i].text, name) != 0) i++;
    return i < builder->live.n;
}

static bool is_live(const carom_making *making, int i)
{
    const carom_builder *builder = making->builder;
    if (making->live->is_off || making->live->fixed[i]) return false;
    return builder->wishes.is_live || is_asked_for(builder, builder->parameter.item[i].name.text);
}

// ref is the parameter's own expression and becomes its symbol
static carom_status make_live(carom_making *making, int i, carom_ref *ref)
{
    int *number = CAROM_LIST_ADD(making->arena, &making->live_number);
    if (!number || !carom_refs_add(making->arena, &making->own, *ref))
        return carom_making_no_memory(making);
    *number = i;
    *ref = carom_graph_symbol(making->graph, CAROM_PARAMETER, making->own.n - 1);
    return CAROM_OK;
}

carom_status carom_making_refuse_live(carom_making *making, carom_ref ref, carom_place place,
                                      const char *what)
{
    const carom_builder *builder = making->builder;
    const char *first = "";
    for (int k = making->own.n - 1; k >= 0; k--) {
        const int i = making->live_number.item[k];
        const char *name = builder->parameter.item[i].name.text;
        if (!carom_graph_has_symbol(making->graph, ref, CAROM_PARAMETER, k)) continue;
        if (is_asked_for(builder, name))
            return carom_fail_at(making->error, place, CAROM_BAD_INPUT,
                                 "the parameter '%s' cannot be live: here it decides %s, which "
                                 "must be known when equations are derived",
                                 name, what);
        making->live->fixed[i] = what;
        first = name;
    }
    making->live->tries_again = true;
    return carom_fail_at(making->error, place, CAROM_BAD_INPUT,
                         "the parameter '%s' decides %s and cannot be live", first, what);
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
        carom_entry entry = {.name = parameter->name.text,
                             .meaning = CAROM_MEANS_PARAMETER,
                             .place = parameter->name.place};
        CAROM_TRY(carom_making_firm(making, parameter_text(builder, parameter), "a parameter",
                                    &entry.ref));
        if (is_live(making, i)) CAROM_TRY(make_live(making, i, &entry.ref));
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

carom_status carom_making_start(carom_making *making, carom_text text, const char *what,
                                double absent, carom_ref *ref)
{
    if (text.text) return carom_making_firm(making, text, what, ref);
    *ref = carom_graph_number(making->graph, absent);
    return CAROM_OK;
}

// one more position in the plain part that ends here, or in a new one
static bool extend_plain_part(carom_making *making, int q, int u)
{
    carom_chart_part *last = making->part.n > 0 ? &making->part.item[making->part.n - 1] : NULL;
    if (last && last->kind == CAROM_CHART_PLAIN) {
        last->n++;
        return true;
    }
    carom_chart_part *part = CAROM_LIST_ADD(making->model->arena, &making->part);
    if (part) *part = (carom_chart_part){.kind = CAROM_CHART_PLAIN, .q = q, .u = u, .n = 1};
    return part != NULL;
}

carom_status carom_making_coordinate(carom_making *making, const carom_coordinate_given *given,
                                     carom_place place)
{
    const int q = making->coordinate.n, u = making->velocity.n;
    const carom_entry entry = {.name = given->name,
                               .meaning = CAROM_MEANS_COORDINATE,
                               .number = q,
                               .ref = carom_graph_symbol(making->graph, CAROM_Q, q),
                               .place = place};
    if (q != u && !carom_graph_moves_with(making->graph, q, u))
        return carom_making_no_memory(making);
    CAROM_TRY(carom_scope_add(making->scope, &entry, making->error));
    carom_coordinate_given *item = CAROM_LIST_ADD(making->arena, &making->coordinate);
    carom_velocity_given *velocity = CAROM_LIST_ADD(making->arena, &making->velocity);
    if (!item || !velocity || !extend_plain_part(making, q, u))
        return carom_making_no_memory(making);
    *item = *given;
    item->unit = carom_arena_string(making->model->arena, given->unit ? given->unit : "");
    velocity->u0 = given->u0;
    velocity->name = carom_arena_format(making->model->arena, "der(%s)", given->name);
    return item->unit && velocity->name ? CAROM_OK : carom_making_no_memory(making);
}

static carom_status declare_coordinate(carom_making *making, const void *item)
{
    const carom_named_text *text = item;
    carom_coordinate_given given = {.unit = text->unit.text};
    CAROM_TRY(carom_making_name(making, text->name, &given.name));
    CAROM_TRY(carom_making_start(making, text->value, "a start value", 0, &given.q0));
    CAROM_TRY(carom_making_start(making, text->rate, "a start rate", 0, &given.u0));
    return carom_making_coordinate(making, &given, text->name.place);
}

// the coordinate whose rate is called so in output: der_x
static const carom_entry *find_rate(const carom_making *making, const char *text)
{
    if (strncmp(text, "der_", 4) != 0) return NULL;
    for (int i = 0; i < making->model->size.nq; i++)
        if (carom_csv_names_match(making->model->names.coordinate[i], text + 4))
            return carom_scope_find(making->scope, making->model->names.coordinate[i]);
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

// a mark of a rate on a known name (ydot, y') is worth more than a name that looks alike
static carom_status refuse_start(carom_making *making, carom_place place, const char *name)
{
    char why[256], rate[160];
    const carom_names names = carom_scope_names(making->scope);
    if (carom_habit_rate(&names, name, NULL, 0, rate, sizeof rate)[0])
        return carom_fail_at(making->error, place, CAROM_BAD_INPUT, "unknown name '%s'%s", name,
                             rate);
    return carom_fail_at(making->error, place, CAROM_BAD_INPUT,
                         "%s; a start is given for a coordinate (x=1) or its rate (der(x)=1)",
                         carom_scope_explain(making->scope, name, why, sizeof why));
}

static carom_status override_start(carom_making *making, const carom_setting *start)
{
    char name[CAROM_LONGEST_NAME];
    bool is_rate;
    start_target(start->name.text, name, sizeof name, &is_rate);
    const carom_entry *entry = carom_scope_find(making->scope, name);
    if (!entry && (entry = find_rate(making, name))) is_rate = true;
    if (!entry) return refuse_start(making, start->name.place, name);
    if (entry->meaning == CAROM_MEANS_VELOCITY && !is_rate)
        return carom_making_firm(making, start->value, "a start value",
                                 &making->lagrange->u0.item[entry->number]);
    const bool is_position = entry->meaning == CAROM_MEANS_COORDINATE ||
                             (entry->meaning == CAROM_MEANS_QUATERNION && !is_rate);
    if (!is_position)
        return carom_fail_at(making->error, start->name.place, CAROM_BAD_INPUT,
                             "'%s' is not a coordinate; parameters are changed with --set %s=...",
                             name, name);
    const int u = is_rate ? carom_graph_velocity_of(making->graph, entry->number) : 0;
    carom_ref *value =
        is_rate ? &making->lagrange->u0.item[u] : &making->lagrange->q0.item[entry->number];
    return carom_making_firm(making, start->value, "a start value", value);
}

static carom_status declare_coordinates(carom_making *making)
{
    const carom_builder *builder = making->builder;
    for (int i = 0; i < builder->coordinate.n; i++) {
        const carom_named_text *text = &builder->coordinate.item[i];
        CAROM_TRY(carom_making_each(making, &text->family, text->name, declare_coordinate, text));
    }
    return CAROM_OK;
}

// the start of all positions and velocities, and their names
static carom_status take_starts(carom_making *making)
{
    carom_model *model = making->model;
    const int nq = making->coordinate.n, nu = making->velocity.n;
    model->size.nq = nq;
    model->size.nu = nu;
    carom_model_set_chart(model, NULL);
    model->names.coordinate = CAROM_TAKE(model->arena, const char *, nq);
    model->names.unit = CAROM_TAKE(model->arena, const char *, nq);
    model->names.velocity = CAROM_TAKE(model->arena, const char *, nu);
    model->q0 = CAROM_TAKE(model->arena, double, nq);
    model->u0 = CAROM_TAKE(model->arena, double, nu);
    if (!model->names.coordinate || !model->names.unit || !model->names.velocity || !model->q0 ||
        !model->u0)
        return carom_making_no_memory(making);
    for (int i = 0; i < nq; i++) {
        const carom_coordinate_given *given = &making->coordinate.item[i];
        model->names.coordinate[i] = given->name;
        model->names.unit[i] = given->unit;
        if (!carom_refs_add(model->arena, &making->lagrange->q0, given->q0))
            return carom_making_no_memory(making);
    }
    for (int i = 0; i < nu; i++) {
        model->names.velocity[i] = making->velocity.item[i].name;
        if (!carom_refs_add(model->arena, &making->lagrange->u0, making->velocity.item[i].u0))
            return carom_making_no_memory(making);
    }
    return CAROM_OK;
}

// the numbers among the starts; what is live comes later
static void read_starts(carom_making *making)
{
    carom_model *model = making->model;
    const carom_lagrange *lagrange = making->lagrange;
    for (int i = 0; i < model->size.nq; i++)
        carom_graph_is_number(making->graph, lagrange->q0.item[i], &model->q0[i]);
    for (int i = 0; i < model->size.nu; i++)
        carom_graph_is_number(making->graph, lagrange->u0.item[i], &model->u0[i]);
}

// all coordinates are known: what the model says of them, and what the caller says of the start
static carom_status close_coordinates(carom_making *making)
{
    const carom_builder *builder = making->builder;
    if (making->velocity.n == 0)
        return carom_fail_at(making->error,
                             builder->coordinate.n ? builder->coordinate.item[0].name.place
                                                   : (carom_place){0},
                             CAROM_BAD_INPUT, "the model has no coordinates: every range is empty");
    CAROM_TRY(take_starts(making));
    for (int i = 0; i < builder->start.n; i++)
        CAROM_TRY(override_start(making, &builder->start.item[i]));
    read_starts(making);
    return carom_rotations_start(making);
}

static carom_status declare_definition(carom_making *making, const void *item)
{
    const carom_named_text *text = item;
    carom_entry entry = {.meaning = CAROM_MEANS_DEFINE, .place = text->name.place};
    CAROM_TRY(carom_making_name(making, text->name, &entry.name));
    CAROM_TRY(carom_making_node(making, text->value, (carom_allowed){0}, &entry.ref));
    return carom_scope_add(making->scope, &entry, making->error);
}

static carom_status declare_definitions(carom_making *making)
{
    const carom_builder *builder = making->builder;
    for (int i = 0; i < builder->define.n; i++) {
        const carom_named_text *define = &builder->define.item[i];
        CAROM_TRY(
            carom_making_each(making, &define->family, define->name, declare_definition, define));
    }
    return CAROM_OK;
}

carom_status carom_making_declare(carom_making *making)
{
    const carom_builder *builder = making->builder;
    CAROM_TRY(carom_making_parameters(making));
    for (int i = 0; i < builder->table.n; i++)
        CAROM_TRY(declare_table(making, &builder->table.item[i]));
    CAROM_TRY(declare_coordinates(making));
    CAROM_TRY(carom_elastics_declare(making));
    CAROM_TRY(carom_rotations_declare(making));
    CAROM_TRY(carom_bodies_declare(making));
    CAROM_TRY(carom_bodies_join(making)); // may bring turns
    CAROM_TRY(close_coordinates(making));
    CAROM_TRY(carom_matter_settle(making));
    return declare_definitions(making);
}
