// SPDX-License-Identifier: Apache-2.0
// Rules of simplification for powers, functions and logic: whole powers become products by repeated
// squaring (x^5 = x (x^2)^2), x^0.5 a square root; odd and even functions give up
// the sign of their argument.
#include "expr/graph_nodes.h"

#include <math.h>
#include <stdlib.h>

enum { LARGEST_POWER = 16 };

static carom_ref whole_power(carom_graph *graph, carom_ref x, int n)
{
    carom_ref result = carom_graph_number(graph, 1), square = x;
    for (; n > 0; n /= 2) {
        if (n % 2) result = carom_graph_mul(graph, result, square);
        if (n > 1) square = carom_graph_mul(graph, square, square);
    }
    return result;
}

carom_ref carom_simplify_power(carom_graph *graph, carom_ref a, carom_ref b)
{
    double p, base;
    if (carom_graph_is_number(graph, a, &base) && base == 1) return a;
    if (!carom_graph_is_number(graph, b, &p) || fabs(p) > LARGEST_POWER) return -1;
    // 1.5 and the like stay powers: the derivative of x*sqrt(x) is undefined at 0
    if (fabs(p) != 0.5 && p != floor(p)) return -1;
    const carom_ref power = fabs(p) == 0.5 ? carom_graph_call(graph, CAROM_OP_SQRT, a)
                                           : whole_power(graph, a, abs((int)p));
    return p < 0 ? carom_graph_divide(graph, carom_graph_number(graph, 1), power) : power;
}

// whether -x is the form that sine and its like should rather see
static bool prefers_opposite(const carom_graph *graph, carom_ref x)
{
    const carom_node *node = &graph->node[x];
    double k;
    if (node->op == CAROM_OP_NEG) return true;
    if (node->op == CAROM_OP_SUB) return node->child[0] > node->child[1];
    return (node->op == CAROM_OP_MUL || node->op == CAROM_OP_DIV) &&
           carom_graph_is_number(graph, node->child[0], &k) && k < 0;
}

carom_ref carom_simplify_function(carom_graph *graph, carom_op op, carom_ref a, carom_ref b)
{
    switch (op) {
    case CAROM_OP_COS:
    case CAROM_OP_COSH:
        if (prefers_opposite(graph, a))
            return carom_graph_call(graph, op, carom_graph_negate(graph, a));
        return -1;
    case CAROM_OP_ABS:
        if (prefers_opposite(graph, a))
            return carom_graph_call(graph, op, carom_graph_negate(graph, a));
        return graph->node[a].op == CAROM_OP_ABS || graph->node[a].op == CAROM_OP_SQRT ? a : -1;
    case CAROM_OP_SIN:
    case CAROM_OP_TAN:
    case CAROM_OP_ASIN:
    case CAROM_OP_ATAN:
    case CAROM_OP_SINH:
    case CAROM_OP_TANH:
    case CAROM_OP_SIGN:
        if (!prefers_opposite(graph, a)) return -1;
        return carom_graph_negate(graph, carom_graph_call(graph, op, carom_graph_negate(graph, a)));
    case CAROM_OP_MIN:
    case CAROM_OP_MAX:
        return a == b ? a : -1;
    default:
        return -1;
    }
}

static carom_ref simplify_if(carom_graph *graph, carom_ref c, carom_ref yes, carom_ref no)
{
    double value;
    if (carom_graph_is_number(graph, c, &value)) return value != 0 ? yes : no;
    if (yes == no) return yes;
    const carom_node condition = graph->node[c], y = graph->node[yes], n = graph->node[no];
    if (condition.op == CAROM_OP_NOT)
        return carom_graph_make(graph, CAROM_OP_IF, condition.child[0], no, yes);
    // the same question asked again
    if (y.op == CAROM_OP_IF && y.child[0] == c)
        return carom_graph_make(graph, CAROM_OP_IF, c, y.child[1], no);
    if (n.op == CAROM_OP_IF && n.child[0] == c)
        return carom_graph_make(graph, CAROM_OP_IF, c, yes, n.child[2]);
    return -1;
}

static carom_ref simplify_and_or(carom_graph *graph, carom_op op, carom_ref a, carom_ref b)
{
    if (a == b) return a;
    const carom_ref pair[2] = {a, b};
    for (int i = 0; i < 2; i++) {
        double value;
        if (!carom_graph_is_number(graph, pair[i], &value)) continue;
        const bool decides = op == CAROM_OP_AND ? value == 0 : value != 0;
        return decides ? carom_graph_number(graph, op == CAROM_OP_OR) : pair[1 - i];
    }
    return -1;
}

carom_ref carom_simplify_logic(carom_graph *graph, carom_op op, const int child[3])
{
    const carom_ref a = child[0], b = child[1];
    switch (op) {
    case CAROM_OP_IF:
        return simplify_if(graph, a, b, child[2]);
    case CAROM_OP_AND:
    case CAROM_OP_OR:
        return simplify_and_or(graph, op, a, b);
    case CAROM_OP_NOT:
        return graph->node[a].op == CAROM_OP_NOT ? graph->node[a].child[0] : -1;
    case CAROM_OP_LT:
    case CAROM_OP_NE:
        return a == b ? carom_graph_number(graph, 0) : -1;
    case CAROM_OP_LE:
    case CAROM_OP_EQ:
        return a == b ? carom_graph_number(graph, 1) : -1;
    default:
        return -1;
    }
}
