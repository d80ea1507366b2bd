// SPDX-License-Identifier: Apache-2.0
// Names in expressions: time, index variables, whatever the caller knows, and tables.
#include "expr/text/elaborate.h"
#include "expr/text/habits.h"

#include <string.h>

static bool find_index_variable(const carom_elaboration *e, const char *name, int *value)
{
    // the innermost wins
    for (int i = e->n_index - 1; i >= 0; i--) {
        if (strcmp(e->index[i].name, name) != 0) continue;
        *value = e->index[i].value;
        return true;
    }
    return false;
}

// rates and time are refused where they are not allowed, also when they come in
// through a definition
static carom_status check_allowed(const carom_elaboration *e, const carom_syntax *syntax,
                                  carom_ref ref)
{
    if (ref < 0) return carom_graph_fail(e->graph, syntax->place, e->error);
    const unsigned kinds = carom_graph_kinds(e->graph, ref);
    if (e->names->no_rates && kinds & (1u << CAROM_U))
        return carom_fail_at(e->error, syntax->place, CAROM_BAD_INPUT,
                             "'%.60s' contains rates, which are not allowed here: %s", syntax->name,
                             e->names->no_rates);
    if (e->names->no_time && kinds & (1u << CAROM_TIME))
        return carom_fail_at(e->error, syntax->place, CAROM_BAD_INPUT,
                             "'%.60s' depends on t, which is not allowed here: %s", syntax->name,
                             e->names->no_time);
    return CAROM_OK;
}

static carom_status elaborate_time(carom_elaboration *e, const carom_syntax *syntax, carom_ref *ref)
{
    if (e->names->no_time)
        return carom_fail_at(e->error, syntax->place, CAROM_BAD_INPUT, "t is not allowed here: %s",
                             e->names->no_time);
    *ref = carom_graph_symbol(e->graph, CAROM_TIME, 0);
    return *ref < 0 ? carom_graph_fail(e->graph, syntax->place, e->error) : CAROM_OK;
}

static carom_status refuse_function(const carom_elaboration *e, const carom_syntax *syntax)
{
    carom_ref ref;
    if (e->names->find && e->names->find(e->names->self, syntax->name, NULL, 0, &ref))
        return carom_fail_at(e->error, syntax->place, CAROM_BAD_INPUT,
                             "'%.60s' is not a function; write %.60s*(...)", syntax->name,
                             syntax->name);
    const char *way_out = carom_habit_function(syntax->name);
    if (way_out)
        return carom_fail_at(e->error, syntax->place, CAROM_BAD_INPUT, "unknown function '%.60s'%s",
                             syntax->name, way_out);
    carom_nearest nearest = carom_nearest_to(syntax->name);
    char hint[128];
    carom_function_try_all(&nearest);
    return carom_fail_at(e->error, syntax->place, CAROM_BAD_INPUT, "unknown function '%.60s'%s",
                         syntax->name, carom_nearest_hint(&nearest, hint, sizeof hint));
}

bool carom_elaborate_is_table(const carom_elaboration *e, const carom_syntax *call)
{
    return e->names->find_table && e->names->find_table(e->names->self, call->name) >= 0;
}

static carom_status elaborate_table(carom_elaboration *e, const carom_syntax *syntax,
                                    carom_ref *ref)
{
    if (!carom_elaborate_is_table(e, syntax)) return refuse_function(e, syntax);
    const int table = e->names->find_table(e->names->self, syntax->name);
    if (syntax->n_child != 1 || carom_syntax_is_condition(syntax->child))
        return carom_fail_at(e->error, syntax->place, CAROM_BAD_INPUT,
                             "the table '%.60s' needs 1 argument, a number", syntax->name);
    carom_ref argument;
    double value;
    CAROM_TRY(carom_elaborate(e, syntax->child, &argument));
    *ref = carom_graph_make(e->graph, CAROM_OP_TABLE, argument, 0, table);
    CAROM_TRY(check_allowed(e, syntax, *ref));
    if (carom_graph_is_number(e->graph, *ref, &value) && value != value)
        return carom_fail_at(e->error, syntax->child->place, CAROM_BAD_INPUT,
                             "the argument lies outside the range of the table '%.60s'",
                             syntax->name);
    return CAROM_OK;
}

static carom_status refuse_name(const carom_elaboration *e, const carom_syntax *syntax,
                                const int *index, int n)
{
    char message[512] = "", hint[160];
    const char *known = carom_habit_name(syntax->name);
    if (!known) known = carom_habit_rate(e->names, syntax->name, index, n, hint, sizeof hint);
    if (*known || !e->names->explain)
        return carom_fail_at(e->error, syntax->place, CAROM_BAD_INPUT, "unknown name '%.60s'%s",
                             syntax->name, known);
    e->names->explain(e->names->self, syntax->name, index, n, message, sizeof message);
    return carom_fail_at(e->error, syntax->place, CAROM_BAD_INPUT, "%.500s",
                         message[0] ? message : "unknown name");
}

static carom_status find_indices(carom_elaboration *e, const carom_syntax *syntax, int *index,
                                 int *n)
{
    *n = 0;
    for (const carom_syntax *child = syntax->child; child; child = child->next)
        CAROM_TRY(carom_elaborate_whole(e, child, "an index", &index[(*n)++]));
    return CAROM_OK;
}

static bool is_vector(const carom_elaboration *e, const char *name, const int *index, int n,
                      carom_ref *ref)
{
    return e->names->find_vector && e->names->find_vector(e->names->self, name, index, n, ref);
}

// a name of a number; the text's own counts where nothing else has it
static bool find_number(const carom_elaboration *e, const char *name, const int *index, int n,
                        carom_ref *ref)
{
    const carom_names *names = e->names;
    if (names->find && names->find(names->self, name, index, n, ref)) return true;
    if (!names->own_name || n > 0 || strcmp(name, names->own_name) != 0) return false;
    *ref = names->own;
    return true;
}

carom_status carom_elaborate_point(carom_elaboration *e, const carom_syntax *syntax, bool *is_there,
                                   bool *is_number, carom_ref *ref)
{
    int index[CAROM_MOST_INDICES] = {0}, n;
    CAROM_TRY(find_indices(e, syntax, index, &n));
    *is_number = (n == 0 && find_index_variable(e, syntax->name, &index[0])) ||
                 find_number(e, syntax->name, index, n, ref);
    *is_there = !*is_number && is_vector(e, syntax->name, index, n, ref);
    if (!*is_there) return *is_number ? CAROM_OK : refuse_name(e, syntax, index, n);
    for (int i = 0; i < 3; i++) {
        if (ref[i] < 0) ref[i] = carom_graph_number(e->graph, 0);
        CAROM_TRY(check_allowed(e, syntax, ref[i]));
    }
    return CAROM_OK;
}

carom_status carom_elaborate_name(carom_elaboration *e, const carom_syntax *syntax, carom_ref *ref)
{
    if (syntax->kind == CAROM_SYNTAX_TIME) return elaborate_time(e, syntax, ref);
    if (syntax->kind == CAROM_SYNTAX_TABLE || syntax->kind == CAROM_SYNTAX_FUNCTION)
        return elaborate_table(e, syntax, ref);
    int index[CAROM_MOST_INDICES] = {0}, n, value;
    carom_ref component[3];
    if (syntax->n_child == 0 && find_index_variable(e, syntax->name, &value)) {
        *ref = carom_graph_number(e->graph, value);
        return check_allowed(e, syntax, *ref);
    }
    CAROM_TRY(find_indices(e, syntax, index, &n));
    if (find_number(e, syntax->name, index, n, ref)) return check_allowed(e, syntax, *ref);
    if (is_vector(e, syntax->name, index, n, component))
        return carom_elaborate_refuse_vector(e, syntax);
    return refuse_name(e, syntax, index, n);
}
