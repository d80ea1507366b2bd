// SPDX-License-Identifier: Apache-2.0
// Rules of simplification for powers, functions and logic: whole powers become products by repeated
// squaring (x^5 = x (x^2)^2), x^0.5 a square root; odd and even functions give up the sign of their
// argument.
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
    if (node->op != CAROM_OP_MUL && node->op != CAROM_OP_DIV) return false;
    if (carom_graph_is_number(graph, node->child[0], &k)) return k < 0;
    return carom_graph_is_firm(graph, node->child[0]) &&
           graph->node[node->child[0]].op == CAROM_OP_NEG;
}

carom_ref carom_simplify_even(carom_graph *graph, carom_op op, carom_ref a)
{
    if (prefers_opposite(graph, a))
        return carom_graph_call(graph, op, carom_graph_negate(graph, a));
    const carom_op inner = graph->node[a].op;
    const bool is_positive =
        inner == CAROM_OP_ABS || inner == CAROM_OP_SQRT || inner == CAROM_OP_HYPOT;
    return op == CAROM_OP_ABS && is_positive ? a : -1;
}

carom_ref carom_simplify_odd(carom_graph *graph, carom_op op, carom_ref a)
{
    if (!prefers_opposite(graph, a)) return -1;
    return carom_graph_negate(graph, carom_graph_call(graph, op, carom_graph_negate(graph, a)));
}

// the root of a square has a kink that the root does not show
carom_ref carom_simplify_root(carom_graph *graph, carom_ref a)
{
    const carom_node node = graph->node[a];
    if (node.op != CAROM_OP_MUL || node.child[0] != node.child[1]) return -1;
    return carom_graph_call(graph, CAROM_OP_ABS, node.child[0]);
}

carom_ref carom_simplify_hypot(carom_graph *graph, carom_ref a, carom_ref b)
{
    if (carom_graph_is_zero(graph, a)) return carom_graph_call(graph, CAROM_OP_ABS, b);
    if (carom_graph_is_zero(graph, b)) return carom_graph_call(graph, CAROM_OP_ABS, a);
    if (!prefers_opposite(graph, a) && !prefers_opposite(graph, b)) return -1;
    const carom_ref x = prefers_opposite(graph, a) ? carom_graph_negate(graph, a) : a;
    const carom_ref y = prefers_opposite(graph, b) ? carom_graph_negate(graph, b) : b;
    return carom_graph_make(graph, CAROM_OP_HYPOT, x, y, -1);
}

carom_ref carom_simplify_if(carom_graph *graph, carom_ref c, carom_ref yes, carom_ref no)
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

carom_ref carom_simplify_and_or(carom_graph *graph, carom_op op, carom_ref a, carom_ref b)
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
