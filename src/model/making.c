// SPDX-License-Identifier: Apache-2.0
// Texts to nodes: expressions, numbers, full names and the members of families.
#include "model/making.h"

#include <math.h>
#include <string.h>

enum { MOST_MEMBERS = 1000000 };

carom_status carom_making_no_memory(carom_making *making)
{
    return carom_fail(making->error, CAROM_NO_MEMORY,
                      "not enough memory for the model's equations");
}

typedef carom_status elaborator(carom_graph *graph, const carom_syntax *syntax,
                                const carom_names *names, carom_ref *ref, carom_error *error);

static carom_status read(carom_making *making, carom_text text, carom_allowed allowed,
                         elaborator *elaborate, carom_ref *ref)
{
    const carom_syntax *syntax;
    CAROM_TRY(carom_syntax_parse(making->arena, text, &syntax, making->error));
    carom_names names = carom_scope_names(making->scope);
    names.index = making->index;
    names.n_index = making->n_index;
    names.no_rates = allowed.no_rates;
    names.no_time = allowed.no_time;
    names.no_condition = allowed.no_condition;
    CAROM_TRY(elaborate(making->graph, syntax, &names, ref, making->error));
    return carom_graph_status(making->graph) == CAROM_OK ? CAROM_OK
                                                         : carom_making_no_memory(making);
}

carom_status carom_making_node(carom_making *making, carom_text text, carom_allowed allowed,
                               carom_ref *ref)
{
    return read(making, text, allowed, carom_syntax_elaborate, ref);
}

carom_status carom_making_condition(carom_making *making, carom_text text, carom_allowed allowed,
                                    carom_ref *ref)
{
    return read(making, text, allowed, carom_syntax_elaborate_condition, ref);
}

carom_status carom_making_number(carom_making *making, carom_text text, const char *what,
                                 double *value)
{
    carom_ref ref;
    const carom_allowed allowed = {"only parameters can be used here",
                                   "only parameters can be used here", NULL};
    CAROM_TRY(carom_making_node(making, text, allowed, &ref));
    if (!carom_graph_is_number(making->graph, ref, value))
        return carom_fail_at(making->error, text.place, CAROM_BAD_INPUT,
                             "%s must be a number or an expression of parameters, not '%s'", what,
                             text.text);
    if (!isfinite(*value))
        return carom_fail_at(making->error, text.place, CAROM_BAD_INPUT,
                             "%s: '%s' is not a finite number", what, text.text);
    return CAROM_OK;
}

static carom_status whole_number(carom_making *making, const carom_syntax *syntax, carom_text text,
                                 int *value)
{
    carom_names names = carom_scope_names(making->scope);
    names.index = making->index;
    names.n_index = making->n_index;
    names.no_rates = names.no_time = "an index is a whole number";
    carom_ref ref;
    double x;
    CAROM_TRY(carom_syntax_elaborate(making->graph, syntax, &names, &ref, making->error));
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
    CAROM_TRY(carom_syntax_declared(making->arena, text, &declared, making->error));
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

// first and last value of an index variable
static carom_status range_ends(carom_making *making, const carom_range *range, int *first,
                               int *last)
{
    const carom_syntax *syntax;
    CAROM_TRY(carom_syntax_parse(making->arena, range->first, &syntax, making->error));
    CAROM_TRY(whole_number(making, syntax, range->first, first));
    CAROM_TRY(carom_syntax_parse(making->arena, range->last, &syntax, making->error));
    CAROM_TRY(whole_number(making, syntax, range->last, last));
    if ((double)*last - *first >= MOST_MEMBERS)
        return carom_fail_at(making->error, range->last.place, CAROM_BAD_INPUT,
                             "%d..%d is more than %d members", *first, *last, MOST_MEMBERS);
    return CAROM_OK;
}

typedef struct each_call {
    const carom_family *family;
    carom_member *member;
    const void *item;
    long n_member;
} each_call;

static carom_status each_index(carom_making *making, each_call *call, int level)
{
    if (level >= call->family->n || level >= CAROM_MAX_INDEX) {
        if (++call->n_member > MOST_MEMBERS)
            return carom_fail_at(making->error, call->family->range[0].name.place, CAROM_BAD_INPUT,
                                 "a family may have at most %d members", MOST_MEMBERS);
        return call->member(making, call->item);
    }
    const carom_range *range = &call->family->range[level];
    int first, last;
    CAROM_TRY(range_ends(making, range, &first, &last));
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
        if (declared.n_index)
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
    each_call call = {family, member, item, 0};
    const carom_status status = each_index(making, &call, 0);
    making->n_index = 0;
    return status;
}
