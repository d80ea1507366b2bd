// SPDX-License-Identifier: Apache-2.0
// Texts to nodes: expressions, numbers, full names and the members of families.
#include "model/making/making.h"

#include <limits.h>
#include <math.h>
#include <string.h>

carom_status carom_making_no_memory(carom_making *making)
{
    carom_place place = {0};
    if (making->builder->coordinate.n)
        place.file = making->builder->coordinate.item[0].name.place.file;
    if (making->graph && carom_graph_status(making->graph) != CAROM_OK)
        return carom_graph_fail(making->graph, place, making->error);
    return carom_fail_at(making->error, place, CAROM_NO_MEMORY,
                         "not enough memory for the model's equations");
}

static carom_status refuse_live(void *making, carom_ref ref, carom_place place, const char *what)
{
    return carom_making_refuse_live(making, ref, place, what);
}

static carom_names names_of(carom_making *making)
{
    carom_names names = carom_scope_names(making->scope);
    names.refuse_live = refuse_live;
    names.keeper = making;
    return names;
}

typedef carom_status elaborator(carom_graph *graph, const carom_syntax *syntax,
                                const carom_names *names, carom_ref *ref, carom_error *error);

// n nodes: a number, a condition, or the components of a vector
static carom_status read_expression(carom_making *making, carom_text text, carom_allowed allowed,
                                    elaborator *elaborate, carom_ref *ref, int n)
{
    const carom_syntax *syntax;
    carom_arena_clear(making->scratch);
    carom_graph_spend(making->graph, (int)(strlen(text.text) % INT_MAX));
    CAROM_TRY(carom_syntax_parse(making->scratch, text, &syntax, making->error));
    carom_names names = names_of(making);
    names.index = making->index;
    names.n_index = making->n_index;
    names.no_rates = allowed.no_rates;
    names.no_time = allowed.no_time;
    names.no_condition = allowed.no_condition;
    names.own_name = allowed.own_name;
    names.own = allowed.own;
    CAROM_TRY(elaborate(making->graph, syntax, &names, ref, making->error));
    unsigned kinds = 0;
    for (int i = 0; i < n; i++) kinds |= ref[i] < 0 ? 0 : carom_graph_kinds(making->graph, ref[i]);
    if (!allowed.has_forces && kinds & (1u << CAROM_A | 1u << CAROM_P))
        return carom_fail_at(making->error, text.place, CAROM_BAD_INPUT,
                             "forces and accelerations are known after a step, in 'record' only");
    return carom_graph_status(making->graph) == CAROM_OK ? CAROM_OK
                                                         : carom_making_no_memory(making);
}

carom_status carom_making_node(carom_making *making, carom_text text, carom_allowed allowed,
                               carom_ref *ref)
{
    return read_expression(making, text, allowed, carom_syntax_elaborate, ref, 1);
}

carom_status carom_making_vector(carom_making *making, carom_text text, carom_allowed allowed,
                                 carom_ref *ref)
{
    return read_expression(making, text, allowed, carom_syntax_elaborate_vector, ref, 3);
}

carom_status carom_making_condition(carom_making *making, carom_text text, carom_allowed allowed,
                                    carom_ref *ref)
{
    return read_expression(making, text, allowed, carom_syntax_elaborate_condition, ref, 1);
}

carom_status carom_making_firm(carom_making *making, carom_text text, const char *what,
                               carom_ref *ref)
{
    double value;
    const carom_allowed allowed = {.no_rates = "only parameters can be used here",
                                   .no_time = "only parameters can be used here"};
    CAROM_TRY(carom_making_node(making, text, allowed, ref));
    if (!carom_graph_is_firm(making->graph, *ref))
        return carom_fail_at(making->error, text.place, CAROM_BAD_INPUT,
                             "%s must be a number or an expression of parameters, not '%s'", what,
                             text.text);
    if (carom_graph_is_number(making->graph, *ref, &value) && !isfinite(value))
        return carom_fail_at(making->error, text.place, CAROM_BAD_INPUT,
                             "%s: '%s' is not a finite number", what, text.text);
    return CAROM_OK;
}

carom_status carom_making_number(carom_making *making, carom_text text, const char *what,
                                 double *value)
{
    carom_ref ref;
    CAROM_TRY(carom_making_firm(making, text, what, &ref));
    if (carom_graph_is_number(making->graph, ref, value)) return CAROM_OK;
    return carom_making_refuse_live(making, ref, text.place, what);
}

static carom_status whole_number(carom_making *making, const carom_syntax *syntax, carom_text text,
                                 int *value)
{
    carom_names names = names_of(making);
    names.index = making->index;
    names.n_index = making->n_index;
    names.no_rates = names.no_time = "an index is a whole number";
    carom_ref ref;
    double x;
    CAROM_TRY(carom_syntax_elaborate(making->graph, syntax, &names, &ref, making->error));
    if (carom_graph_is_firm(making->graph, ref) && carom_graph_kinds(making->graph, ref))
        return carom_making_refuse_live(making, ref, text.place, "an index or the end of a range");
    if (!carom_graph_is_number(making->graph, ref, &x) || !(fabs(x) <= 1e9) || x != floor(x))
        return carom_fail_at(
            making->error, text.place, CAROM_BAD_INPUT,
            "'%s' must be a whole number or an expression of parameters that gives one", text.text);
    *value = (int)x;
    return CAROM_OK;
}

carom_status carom_making_name(carom_making *making, carom_text text, const char **name)
{
    carom_declared declared;
    carom_arena_clear(making->scratch);
    CAROM_TRY(carom_syntax_declared(making->scratch, text, &declared, making->error));
    int index[CAROM_MAX_INDEX];
    for (int i = 0; i < declared.n_index; i++)
        CAROM_TRY(whole_number(making, declared.index[i], text, &index[i]));
    char full[CAROM_LONGEST_NAME];
    if (!carom_scope_full_name(declared.name, index, declared.n_index, full, sizeof full))
        return carom_fail_at(making->error, text.place, CAROM_BAD_INPUT,
                             "a name may have at most %d letters", CAROM_LONGEST_NAME - 1);
    *name = carom_arena_string(making->model->arena, full);
    return *name ? CAROM_OK : carom_making_no_memory(making);
}

typedef struct each_call {
    const carom_family *family;
    carom_member *member;
    const void *item;                            // of every member
    const carom_syntax *end[CAROM_MAX_INDEX][2]; // first and last value of each index
    bool only_counts;
} each_call;

static carom_status read_ends(carom_making *making, each_call *call)
{
    for (int i = 0; i < call->family->n; i++) {
        const carom_range *range = &call->family->range[i];
        CAROM_TRY(carom_syntax_parse(making->arena, range->first, &call->end[i][0], making->error));
        CAROM_TRY(carom_syntax_parse(making->arena, range->last, &call->end[i][1], making->error));
    }
    return CAROM_OK;
}

// the members of an innermost range, and rounds that lead to none, so that these end too
static carom_status count_members(carom_making *making, const carom_range *range, double n,
                                  bool is_last)
{
    const double most = making->builder->limits.members;
    making->n_member += n <= 0 ? 1 : is_last ? n : 0;
    if (making->n_member <= most) return CAROM_OK;
    return carom_limit_fail(making->error, range->last.place, "the families of the model have",
                            "members", most);
}

static carom_status each_index(carom_making *making, each_call *call, int level)
{
    if (level >= call->family->n || level >= CAROM_MAX_INDEX)
        return call->member(making, call->item);
    const bool is_last = level + 1 >= call->family->n || level + 1 >= CAROM_MAX_INDEX;
    const carom_range *range = &call->family->range[level];
    int first = 0, last = 0;
    CAROM_TRY(whole_number(making, call->end[level][0], range->first, &first));
    CAROM_TRY(whole_number(making, call->end[level][1], range->last, &last));
    if (call->only_counts)
        CAROM_TRY(count_members(making, range, (double)last - first + 1, is_last));
    if (call->only_counts && is_last) last = first - 1;
    for (int i = first; i <= last; i++) {
        making->index[level] = (carom_index){range->name.text, i};
        making->n_index = level + 1;
        CAROM_TRY(each_index(making, call, level + 1));
    }
    making->n_index = level;
    return CAROM_OK;
}

// an index variable must be a plain name that means nothing else
static carom_status check_index_names(carom_making *making, const carom_family *family)
{
    for (int i = 0; i < family->n; i++) {
        carom_declared declared;
        const carom_text name = family->range[i].name;
        CAROM_TRY(carom_syntax_declared(making->arena, name, &declared, making->error));
        if (declared.n_index || strchr(declared.name, '.'))
            return carom_fail_at(making->error, name.place, CAROM_BAD_INPUT,
                                 "'%s' cannot be an index variable: use a plain name such as i",
                                 name.text);
        if (carom_scope_find(making->scope, name.text))
            return carom_fail_at(
                making->error, name.place, CAROM_BAD_INPUT,
                "the index variable '%s' has the name of something else; choose another",
                name.text);
    }
    return CAROM_OK;
}

carom_status carom_making_each(carom_making *making, const carom_family *family, carom_text name,
                               carom_member *member, const void *item)
{
    making->n_index = 0;
    if (family->n == 0) return member(making, item);
    if (family->n < 0 || family->n > CAROM_MAX_INDEX)
        return carom_fail_at(making->error, name.place, CAROM_BUG,
                             "a family has 0 to %d index variables, not %d", CAROM_MAX_INDEX,
                             family->n);
    CAROM_TRY(check_index_names(making, family));
    if (name.text && !strchr(name.text, '['))
        return carom_fail_at(making->error, name.place, CAROM_BAD_INPUT,
                             "'%s' has a 'for': its name needs the index, %s[%s]", name.text,
                             name.text, family->range[0].name.text);
    // all are counted before the first is made
    each_call call = {.family = family, .member = member, .item = item, .only_counts = true};
    CAROM_TRY(read_ends(making, &call));
    carom_status status = each_index(making, &call, 0);
    call.only_counts = false;
    if (status == CAROM_OK) status = each_index(making, &call, 0);
    making->n_index = 0;
    return status;
}
