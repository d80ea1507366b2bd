// SPDX-License-Identifier: Apache-2.0
// The functions that equation text knows, and the words that are taken. Names of functions that
// came after the first models were written are free for other things: they are functions only where
// a parenthesis follows, and a table of that name comes first.
#include "expr/text/functions.h"
#include "expr/text/syntax.h"
#include "expr/vectors.h"

#include <math.h>
#include <string.h>

static carom_ref degrees(carom_graph *graph, const carom_ref *x, const char **wrong)
{
    (void)wrong;
    const carom_ref turned = carom_graph_mul(graph, carom_graph_number(graph, acos(-1)), x[0]);
    return carom_graph_make(graph, CAROM_OP_DIV, turned, carom_graph_number(graph, 180), -1);
}

// x between low and high
static carom_ref clamp(carom_graph *graph, const carom_ref *x, const char **wrong)
{
    double low, high;
    if (carom_graph_is_number(graph, x[1], &low) && carom_graph_is_number(graph, x[2], &high) &&
        low > high)
        *wrong = "the lower bound of clamp(x, low, high) lies above the upper one";
    const carom_ref above = carom_graph_make(graph, CAROM_OP_MAX, x[0], x[1], -1);
    return carom_graph_make(graph, CAROM_OP_MIN, above, x[2], -1);
}

// the acceleration: d/dt of the rate v at constant u, and dv/du times that of u
static carom_ref accelerate(carom_graph *graph, const carom_ref *x, const char **wrong)
{
    carom_gradient w;
    const carom_ref v = carom_graph_rate(graph, x[0]);
    if (v < 0 || carom_graph_kinds(graph, x[0]) & (1u << CAROM_U)) {
        if (v >= 0) *wrong = "acc() of an expression that contains rates; write acc() of positions";
        return -1;
    }
    carom_ref sum = carom_graph_rate(graph, v);
    if (carom_graph_gradient(graph, v, CAROM_U, &w) != CAROM_OK) return -1;
    for (int k = 0; k < w.n; k++) {
        const carom_ref a = carom_graph_symbol(graph, CAROM_A, w.index[k]);
        sum = carom_graph_add(graph, sum, carom_graph_mul(graph, w.ref[k], a));
    }
    return sum;
}

static carom_ref norm(carom_graph *graph, const carom_ref *a, const carom_ref *b)
{
    (void)b;
    return carom_graph_norm(graph, a);
}

static void unit(carom_graph *graph, const carom_ref *a, const carom_ref *b, carom_ref *c)
{
    (void)b;
    carom_graph_unit(graph, a, c);
}

static const carom_function table[] = {
    {"sin", 1, 1, .op = CAROM_OP_SIN},
    {"cos", 1, 1, .op = CAROM_OP_COS},
    {"tan", 1, 1, .op = CAROM_OP_TAN},
    {"asin", 1, 1, .op = CAROM_OP_ASIN},
    {"acos", 1, 1, .op = CAROM_OP_ACOS},
    {"atan", 1, 1, .op = CAROM_OP_ATAN},
    {"atan2", 2, 2, .op = CAROM_OP_ATAN2},
    {"sinh", 1, 1, .op = CAROM_OP_SINH},
    {"cosh", 1, 1, .op = CAROM_OP_COSH},
    {"tanh", 1, 1, .op = CAROM_OP_TANH},
    {"exp", 1, 1, .op = CAROM_OP_EXP},
    {"log", 1, 1, .op = CAROM_OP_LOG},
    {"sqrt", 1, 1, .op = CAROM_OP_SQRT},
    {"abs", 1, 1, .op = CAROM_OP_ABS},
    {"sign", 1, 1, .op = CAROM_OP_SIGN},
    {"min", 2, -1, .op = CAROM_OP_MIN},
    {"max", 2, -1, .op = CAROM_OP_MAX},
    {"step", 1, 1, .op = CAROM_OP_STEP},
    {"deg", 1, 1, .compose = degrees},
    {"hypot", 2, 2, true, .op = CAROM_OP_HYPOT},
    {"floor", 1, 1, true, .op = CAROM_OP_FLOOR},
    {"mod", 2, 2, true, .op = CAROM_OP_MOD},
    {"clamp", 3, 3, true, .compose = clamp},
    {"dot", 2, 2, true, .measure = carom_graph_dot},
    {"norm", 1, 1, true, .measure = norm},
    {"cross", 2, 2, true, .join = carom_graph_cross},
    {"unit", 1, 1, true, .join = unit},
    {"acc", 1, 1, true, .compose = accelerate, .is_by_component = true},
};
static const char *const word[] = {"t", "pi", "der", "if", "sum", "and", "or", "not"};
enum { N_FUNCTION = sizeof table / sizeof *table, N_WORD = sizeof word / sizeof *word };

const carom_function *carom_function_at(int i)
{
    return i < N_FUNCTION ? &table[i] : NULL;
}

const carom_function *carom_function_find(const char *name)
{
    for (int i = 0; i < N_FUNCTION; i++)
        if (strcmp(table[i].name, name) == 0) return &table[i];
    return NULL;
}

void carom_function_try_all(carom_nearest *nearest)
{
    for (int i = 0; i < N_FUNCTION; i++) carom_nearest_try(nearest, table[i].name);
    carom_nearest_try(nearest, "der");
    carom_nearest_try(nearest, "if");
    carom_nearest_try(nearest, "sum");
}

bool carom_syntax_is_reserved(const char *name)
{
    for (int i = 0; i < N_WORD; i++)
        if (strcmp(word[i], name) == 0) return true;
    const carom_function *function = carom_function_find(name);
    return function && !function->is_free;
}
