// SPDX-License-Identifier: Apache-2.0
// Sweeps from the symbols up to a root: the total time derivative (q -> u, t -> 1, u constant),
// remembered for every node; the derivative with respect to one symbol; and replacing symbols by 0.
#include "expr/graph_nodes.h"

// what is being derived: the rate (index < 0) or one symbol
typedef struct direction {
    unsigned kinds;
    int index;
} direction;

static const unsigned MOVING = 1u << CAROM_TIME | 1u << CAROM_Q;

static carom_ref child_derivative(carom_graph *graph, carom_ref child, direction d)
{
    if (!(graph->node[child].kinds & d.kinds)) return carom_graph_number(graph, 0);
    return d.index < 0 ? graph->rate[child] : graph->work[child];
}

static carom_ref symbol_derivative(carom_graph *graph, carom_ref ref, direction d)
{
    const carom_node node = graph->node[ref];
    if (node.child[0] == CAROM_R)
        return d.index >= 0 ? carom_rotation_along(graph, ref, d.index)
                            : carom_rotation_rate(graph, ref);
    const int index =
        node.child[0] == CAROM_Q ? carom_graph_direction(graph, node.child[1]) : node.child[1];
    if (node.child[0] == CAROM_Q && index <= CAROM_FIRST_TURN)
        return d.index >= 0 ? carom_turn_along(graph, index, d.index)
                            : carom_turn_rate_of(graph, index);
    if (d.index >= 0) return carom_graph_number(graph, index == d.index);
    if (node.child[0] == CAROM_TIME) return carom_graph_number(graph, 1);
    return carom_graph_symbol(graph, CAROM_U, index);
}

// derivative of a node whose children are derived
static carom_ref derive_node(carom_graph *graph, carom_ref ref, direction d)
{
    const carom_node node = graph->node[ref];
    if (node.op == CAROM_OP_SYMBOL) return symbol_derivative(graph, ref, d);
    const int first = node.op == CAROM_OP_IF ? 1 : 0;
    const int arity = carom_operation_arity(node.op);
    carom_ref part[3] = {-1, -1, -1};
    for (int i = first; i < 3 && i < arity; i++)
        part[i] = child_derivative(graph, node.child[i], d);
    const carom_ref choice = carom_graph_choice(graph, ref);
    if (choice >= 0)
        return carom_graph_make(graph, CAROM_OP_IF, choice, part[first], part[first + 1]);
    carom_ref sum = carom_graph_number(graph, 0);
    for (int i = 0; i < 3 && i < arity; i++) {
        if (carom_graph_is_zero(graph, part[i])) continue;
        const carom_ref partial = carom_graph_partial(graph, ref, i);
        sum = carom_graph_add(graph, sum, carom_graph_weigh(graph, part[i], partial));
    }
    return sum;
}

carom_ref carom_graph_rate(carom_graph *graph, carom_ref root)
{
    if (root < 0 || graph->is_out_of_memory) return -1;
    if (!(graph->node[root].kinds & MOVING)) return carom_graph_number(graph, 0);
    const int n = carom_graph_walk(graph, root, MOVING, true);
    for (int k = 0; k < n; k++) {
        const carom_ref ref = graph->order[k];
        const carom_ref rate = derive_node(graph, ref, (direction){MOVING, -1});
        graph->rate[ref] = rate;
    }
    return graph->is_out_of_memory ? -1 : graph->rate[root];
}

carom_ref carom_graph_derivative(carom_graph *graph, carom_ref root, carom_symbol kind, int index)
{
    if (root < 0 || graph->is_out_of_memory) return -1;
    const direction d = {1u << kind, index};
    if (!(graph->node[root].kinds & d.kinds)) return carom_graph_number(graph, 0);
    const int n = carom_graph_walk(graph, root, d.kinds, false);
    for (int k = 0; k < n; k++) {
        const carom_ref ref = graph->order[k];
        const carom_ref derivative = derive_node(graph, ref, d);
        graph->work[ref] = derivative;
    }
    return graph->is_out_of_memory ? -1 : graph->work[root];
}

carom_ref carom_graph_without(carom_graph *graph, carom_ref root, carom_symbol kind)
{
    if (root < 0 || graph->is_out_of_memory) return -1;
    const unsigned kinds = 1u << kind;
    if (!(graph->node[root].kinds & kinds)) return root;
    const int n = carom_graph_walk(graph, root, kinds, false);
    for (int k = 0; k < n; k++) {
        const carom_ref ref = graph->order[k];
        carom_node node = graph->node[ref];
        for (int i = 0; i < carom_operation_arity(node.op); i++) {
            const carom_ref child = node.child[i];
            if (child >= 0 && graph->node[child].kinds & kinds) node.child[i] = graph->work[child];
        }
        const carom_ref made =
            node.op == CAROM_OP_SYMBOL
                ? carom_graph_number(graph, 0)
                : carom_graph_make(graph, node.op, node.child[0], node.child[1], node.child[2]);
        graph->work[ref] = made;
    }
    return graph->is_out_of_memory ? -1 : graph->work[root];
}
