// SPDX-License-Identifier: Apache-2.0
// Syntax tree to graph nodes: names are looked up, index expressions become whole numbers, sums are
// written out, der() is derived. Where the condition of an if is known already (if(i == 1, 0,
// x[i-1])), the other branch is not looked at.
#include "expr/text/elaborate.h"
#include "expr/text/habits.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

carom_status carom_elaborate_check(carom_elaboration *e, const carom_syntax *syntax, carom_ref ref)
{
    double value;
    if (ref < 0) return carom_graph_fail(e->graph, syntax->place, e->error);
    if (!carom_graph_is_number(e->graph, ref, &value) || isfinite(value)) return CAROM_OK;
    return carom_fail_at(e->error, syntax->place, CAROM_BAD_INPUT,
                         "this is not a finite number (%s); check the arguments",
                         isnan(value) ? "undefined" : "infinite");
}

// a*b/c, a + b - c; a division by 0 is told apart because it is the usual mistake
static carom_status elaborate_chain(carom_elaboration *e, const carom_syntax *syntax,
                                    carom_ref *ref)
{
    for (const carom_syntax *child = syntax->child; child; child = child->next) {
        carom_ref operand;
        CAROM_TRY(carom_elaborate(e, child, &operand));
        if (child == syntax->child) {
            *ref = operand;
            continue;
        }
        if (child->op == CAROM_OP_DIV && carom_graph_is_zero(e->graph, operand))
            return carom_fail_at(e->error, child->place, CAROM_BAD_INPUT, "division by zero");
        *ref = carom_graph_make(e->graph, child->op, *ref, operand, -1);
        CAROM_TRY(carom_elaborate_check(e, child, *ref));
    }
    return CAROM_OK;
}

static carom_status elaborate_logic(carom_elaboration *e, const carom_syntax *syntax,
                                    carom_ref *ref)
{
    for (const carom_syntax *child = syntax->child; child; child = child->next) {
        carom_ref operand;
        CAROM_TRY(carom_elaborate(e, child, &operand));
        *ref = child == syntax->child ? operand
                                      : carom_graph_make(e->graph, child->op, *ref, operand, -1);
        double value;
        const carom_op op = syntax->child->next->op;
        // what is decided is not asked further, so that indices may go out of range there
        if (carom_graph_is_number(e->graph, *ref, &value) && (value != 0) == (op == CAROM_OP_OR))
            break;
    }
    return carom_elaborate_check(e, syntax, *ref);
}

// what must be known as a number and is made of live parameters
static carom_status refuse_live(const carom_elaboration *e, const carom_syntax *syntax,
                                carom_ref ref, const char *what)
{
    double value;
    if (!e->names->refuse_live || carom_graph_is_number(e->graph, ref, &value) ||
        !carom_graph_is_firm(e->graph, ref))
        return CAROM_OK;
    return e->names->refuse_live(e->names->keeper, ref, syntax->place, what);
}

static carom_status elaborate_pair(carom_elaboration *e, const carom_syntax *syntax, carom_op op,
                                   carom_ref *ref)
{
    carom_ref a, b;
    CAROM_TRY(carom_elaborate(e, syntax->child, &a));
    CAROM_TRY(carom_elaborate(e, syntax->child->next, &b));
    // whole powers are products
    if (op == CAROM_OP_POW && !carom_graph_is_firm(e->graph, a))
        CAROM_TRY(refuse_live(e, syntax->child->next, b, "an exponent"));
    *ref = syntax->is_swapped ? carom_graph_make(e->graph, op, b, a, -1)
                              : carom_graph_make(e->graph, op, a, b, -1);
    return carom_elaborate_check(e, syntax, *ref);
}

// whether sin(9,81) stands where sin(9.81) was meant
static bool has_decimal_comma(const carom_syntax *call)
{
    for (const carom_syntax *child = call->child; child && child->next; child = child->next)
        if (child->kind == CAROM_SYNTAX_NUMBER && child->next->kind == CAROM_SYNTAX_NUMBER)
            return true;
    return false;
}

carom_status carom_elaborate_count(carom_elaboration *e, const carom_syntax *syntax)
{
    const carom_function *f = syntax->function;
    const int n = syntax->n_child;
    const char *way_out = carom_habit_function(f->name);
    if (n >= f->least && (f->most < 0 || n <= f->most)) return CAROM_OK;
    return carom_fail_at(
        e->error, syntax->place, CAROM_BAD_INPUT, "%s needs %s%d argument%s, not %d%s%s", f->name,
        f->most < 0 ? "at least " : "", f->least, f->least == 1 ? "" : "s", n,
        n > f->least && has_decimal_comma(syntax) ? "; decimals are written with a point, 0.5" : "",
        way_out ? way_out : "");
}

// a function made of several operations
static carom_status elaborate_composed(carom_elaboration *e, const carom_syntax *syntax,
                                       carom_ref *ref)
{
    carom_ref argument[CAROM_MOST_COMPOSED];
    const char *wrong = NULL;
    int n = 0;
    for (const carom_syntax *child = syntax->child; child; child = child->next)
        CAROM_TRY(carom_elaborate(e, child, &argument[n++]));
    *ref = syntax->function->compose(e->graph, argument, &wrong);
    if (wrong) return carom_fail_at(e->error, syntax->place, CAROM_BAD_INPUT, "%s", wrong);
    return carom_elaborate_check(e, syntax, *ref);
}

static carom_status elaborate_function(carom_elaboration *e, const carom_syntax *syntax,
                                       carom_ref *ref)
{
    const carom_function *function = syntax->function;
    if (carom_elaborate_is_table(e, syntax)) return carom_elaborate_name(e, syntax, ref);
    CAROM_TRY(carom_elaborate_count(e, syntax));
    if (function->join) return carom_elaborate_refuse_vector(e, syntax);
    if (function->measure) return carom_elaborate_measure(e, syntax, ref);
    if (function->compose) return elaborate_composed(e, syntax, ref);
    CAROM_TRY(carom_elaborate(e, syntax->child, ref));
    if (syntax->n_child == 1) *ref = carom_graph_make(e->graph, function->op, *ref, -1, -1);
    for (const carom_syntax *child = syntax->child->next; child; child = child->next) {
        carom_ref operand;
        CAROM_TRY(carom_elaborate(e, child, &operand));
        if (function->op == CAROM_OP_MOD && carom_graph_is_zero(e->graph, operand))
            return carom_fail_at(e->error, child->place, CAROM_BAD_INPUT, "division by zero");
        *ref = carom_graph_make(e->graph, function->op, *ref, operand, -1);
    }
    return carom_elaborate_check(e, syntax, *ref);
}

static carom_status elaborate_if(carom_elaboration *e, const carom_syntax *syntax, carom_ref *ref)
{
    const carom_syntax *yes = syntax->child->next, *no = yes->next;
    carom_ref condition, a, b;
    double value;
    CAROM_TRY(carom_elaborate(e, syntax->child, &condition));
    if (carom_graph_is_number(e->graph, condition, &value))
        return carom_elaborate(e, value != 0 ? yes : no, ref);
    CAROM_TRY(carom_elaborate(e, yes, &a));
    CAROM_TRY(carom_elaborate(e, no, &b));
    *ref = carom_graph_make(e->graph, CAROM_OP_IF, condition, a, b);
    return carom_elaborate_check(e, syntax, *ref);
}

static carom_status elaborate_rate(carom_elaboration *e, const carom_syntax *syntax, carom_ref *ref)
{
    if (e->names->no_rates)
        return carom_fail_at(e->error, syntax->place, CAROM_BAD_INPUT,
                             "der() is not allowed here: %s", e->names->no_rates);
    CAROM_TRY(carom_elaborate(e, syntax->child, ref));
    return carom_elaborate_derive(e, syntax, ref);
}

carom_status carom_elaborate_derive(carom_elaboration *e, const carom_syntax *syntax,
                                    carom_ref *ref)
{
    if (carom_graph_kinds(e->graph, *ref) & (1u << CAROM_U))
        return carom_fail_at(
            e->error, syntax->place, CAROM_BAD_INPUT,
            "der() of an expression that already contains rates; only coordinates, t and "
            "parameters can be derived");
    *ref = carom_graph_rate(e->graph, *ref);
    return carom_elaborate_check(e, syntax, *ref);
}

carom_status carom_elaborate_whole(carom_elaboration *e, const carom_syntax *syntax,
                                   const char *what, int *value)
{
    carom_ref ref;
    double x;
    CAROM_TRY(carom_elaborate(e, syntax, &ref));
    CAROM_TRY(refuse_live(e, syntax, ref, what));
    if (!carom_graph_is_number(e->graph, ref, &x))
        return carom_fail_at(e->error, syntax->place, CAROM_BAD_INPUT,
                             "%s must be a whole number made of parameters and index variables",
                             what);
    // n/2 and the like may be off by rounding
    const double whole = round(x);
    if (!(fabs(x - whole) <= 1e-9) || fabs(whole) > INT_MAX)
        return carom_fail_at(e->error, syntax->place, CAROM_BAD_INPUT,
                             "%s must be a whole number, not %g", what, x);
    *value = (int)whole;
    return CAROM_OK;
}

static carom_status add_terms(carom_elaboration *e, const carom_syntax *body, int low,
                              carom_ref *term, int n)
{
    for (int i = 0; i < n; i++) {
        e->index[e->n_index - 1].value = low + i;
        CAROM_TRY(carom_elaborate(e, body, &term[i]));
    }
    return CAROM_OK;
}

static carom_status check_index_name(carom_elaboration *e, const carom_syntax *sum)
{
    carom_ref ref;
    bool is_taken = e->names->find && e->names->find(e->names->self, sum->name, NULL, 0, &ref);
    for (int i = 0; i < e->n_index; i++)
        is_taken = is_taken || strcmp(e->index[i].name, sum->name) == 0;
    if (is_taken)
        return carom_fail_at(e->error, sum->place, CAROM_BAD_INPUT,
                             "the index '%.60s' of the sum is the name of something else already",
                             sum->name);
    if (e->n_index == CAROM_MOST_INDEX_VARIABLES)
        return carom_fail_at(e->error, sum->place, CAROM_BAD_INPUT, "more than %d index variables",
                             CAROM_MOST_INDEX_VARIABLES);
    return CAROM_OK;
}

static carom_status elaborate_sum(carom_elaboration *e, const carom_syntax *syntax, carom_ref *ref)
{
    const carom_syntax *body = syntax->child->next->next;
    int low, high;
    CAROM_TRY(carom_elaborate_whole(e, syntax->child, "the lower bound of a sum", &low));
    CAROM_TRY(carom_elaborate_whole(e, syntax->child->next, "the upper bound of a sum", &high));
    const double count = high < low ? 0 : (double)high - low + 1;
    if (!carom_graph_take_terms(e->graph, count))
        return carom_graph_fail(e->graph, syntax->place, e->error);
    CAROM_TRY(check_index_name(e, syntax));
    carom_ref *term = malloc(sizeof *term * ((size_t)count + 1));
    if (!term) return carom_fail(e->error, CAROM_NO_MEMORY, "no memory for a sum");
    e->index[e->n_index++] = (carom_index){syntax->name, low};
    const carom_status status = add_terms(e, body, low, term, (int)count);
    e->n_index--;
    if (status == CAROM_OK) *ref = carom_graph_sum(e->graph, term, (int)count);
    free(term);
    return status == CAROM_OK ? carom_elaborate_check(e, syntax, *ref) : status;
}

carom_status carom_elaborate(carom_elaboration *e, const carom_syntax *syntax, carom_ref *ref)
{
    *ref = -1; // no node, wherever it fails
    switch (syntax->kind) {
    case CAROM_SYNTAX_NUMBER:
        *ref = carom_graph_number(e->graph, syntax->number);
        return carom_elaborate_check(e, syntax, *ref);
    case CAROM_SYNTAX_TIME:
    case CAROM_SYNTAX_NAME:
    case CAROM_SYNTAX_TABLE:
        return carom_elaborate_name(e, syntax, ref);
    case CAROM_SYNTAX_CHAIN:
        return elaborate_chain(e, syntax, ref);
    case CAROM_SYNTAX_POWER:
        return elaborate_pair(e, syntax, CAROM_OP_POW, ref);
    case CAROM_SYNTAX_COMPARE:
        return elaborate_pair(e, syntax, syntax->child->next->op, ref);
    case CAROM_SYNTAX_FUNCTION:
        return elaborate_function(e, syntax, ref);
    case CAROM_SYNTAX_IF:
        return elaborate_if(e, syntax, ref);
    case CAROM_SYNTAX_RATE:
        return elaborate_rate(e, syntax, ref);
    case CAROM_SYNTAX_LIST:
        return carom_elaborate_refuse_vector(e, syntax);
    case CAROM_SYNTAX_SUM:
        return elaborate_sum(e, syntax, ref);
    case CAROM_SYNTAX_LOGIC:
        return elaborate_logic(e, syntax, ref);
    case CAROM_SYNTAX_NEGATIVE:
    case CAROM_SYNTAX_NOT:
        break;
    }
    CAROM_TRY(carom_elaborate(e, syntax->child, ref));
    *ref = carom_graph_make(
        e->graph, syntax->kind == CAROM_SYNTAX_NOT ? CAROM_OP_NOT : CAROM_OP_NEG, *ref, -1, -1);
    return carom_elaborate_check(e, syntax, *ref);
}

static carom_status open_elaboration(carom_elaboration *e, carom_graph *graph,
                                     const carom_syntax *syntax, const carom_names *names,
                                     carom_error *error)
{
    *e = (carom_elaboration){.graph = graph, .names = names, .error = error};
    if (names->n_index > CAROM_MOST_INDEX_VARIABLES)
        return carom_fail_at(error, syntax->place, CAROM_BAD_INPUT, "more than %d index variables",
                             CAROM_MOST_INDEX_VARIABLES);
    for (; e->n_index < names->n_index; e->n_index++)
        e->index[e->n_index] = names->index[e->n_index];
    return CAROM_OK;
}

static carom_status start(carom_graph *graph, const carom_syntax *syntax, const carom_names *names,
                          carom_ref *ref, carom_error *error)
{
    carom_elaboration e;
    *ref = -1;
    CAROM_TRY(open_elaboration(&e, graph, syntax, names, error));
    return carom_elaborate(&e, syntax, ref);
}

carom_status carom_syntax_elaborate(carom_graph *graph, const carom_syntax *syntax,
                                    const carom_names *names, carom_ref *ref, carom_error *error)
{
    if (carom_syntax_is_condition(syntax))
        return carom_fail_at(error, syntax->place, CAROM_BAD_INPUT, "%s",
                             names->no_condition ? names->no_condition
                                                 : "a condition cannot be used as a number; write "
                                                   "if(condition, 1, 0)");
    return start(graph, syntax, names, ref, error);
}

carom_status carom_syntax_elaborate_vector(carom_graph *graph, const carom_syntax *syntax,
                                           const carom_names *names, carom_ref *ref,
                                           carom_error *error)
{
    carom_elaboration e;
    ref[0] = ref[1] = ref[2] = -1;
    CAROM_TRY(open_elaboration(&e, graph, syntax, names, error));
    return carom_elaborate_vector(&e, syntax, ref);
}

carom_status carom_syntax_elaborate_condition(carom_graph *graph, const carom_syntax *syntax,
                                              const carom_names *names, carom_ref *ref,
                                              carom_error *error)
{
    if (!carom_syntax_is_condition(syntax))
        return carom_fail_at(
            error, syntax->place, CAROM_BAD_INPUT,
            "a number cannot be used as a condition; compare it, for example x > 0");
    return start(graph, syntax, names, ref, error);
}
