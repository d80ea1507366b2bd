// SPDX-License-Identifier: Apache-2.0
// How far a condition is from changing: a function that is positive where the condition holds and
// negative where it does not, made of its comparisons,
//
//     a < b, a <= b:  b - a      a == b:  -|a - b|      a != b:  |a - b|
//     x and y:  min      x or y:  max      not x:  -x
//
// so that the place where the condition changes is a root that can be searched for.
#include "expr/graph_nodes.h"

#include <stdlib.h>

static bool is_logic(carom_op op)
{
    return op == CAROM_OP_AND || op == CAROM_OP_OR || op == CAROM_OP_NOT;
}

// the margin of one node; those of its children are known where it joins conditions
static carom_ref margin_of(carom_graph *graph, carom_ref ref, const carom_ref *known)
{
    const carom_node node = graph->node[ref];
    const int a = node.child[0], b = node.child[1];
    const carom_op op = node.op;
    if (op == CAROM_OP_AND) return carom_graph_make(graph, CAROM_OP_MIN, known[a], known[b], -1);
    if (op == CAROM_OP_OR) return carom_graph_make(graph, CAROM_OP_MAX, known[a], known[b], -1);
    if (op == CAROM_OP_NOT) return carom_graph_negate(graph, known[a]);
    if (op == CAROM_OP_LT || op == CAROM_OP_LE) return carom_graph_sub(graph, b, a);
    if (op == CAROM_OP_EQ || op == CAROM_OP_NE) {
        const carom_ref apart = carom_graph_call(graph, CAROM_OP_ABS, carom_graph_sub(graph, a, b));
        return op == CAROM_OP_NE ? apart : carom_graph_negate(graph, apart);
    }
    // a condition that parameters decide: 1 or 0
    return carom_graph_sub(graph, ref, carom_graph_number(graph, 0.5));
}

carom_ref carom_graph_margin(carom_graph *graph, carom_ref condition)
{
    if (condition < 0) return -1;
    const size_t n = (size_t)condition + 1;
    carom_ref *known = malloc(n * sizeof *known);
    unsigned char *is_needed = calloc(n, 1);
    carom_ref result = -1;
    if (known && is_needed) {
        // children have smaller numbers: down to find them, up to use them
        is_needed[condition] = 1;
        for (int i = condition; i >= 0; i--)
            for (int k = 0; is_needed[i] && is_logic(graph->node[i].op) && k < 2; k++)
                if (graph->node[i].child[k] >= 0) is_needed[graph->node[i].child[k]] = 1;
        for (int i = 0; i <= condition; i++)
            if (is_needed[i]) known[i] = margin_of(graph, i, known);
        result = known[condition];
    } else {
        graph->is_out_of_memory = true;
    }
    free(known);
    free(is_needed);
    return result;
}
