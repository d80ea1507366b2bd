// SPDX-License-Identifier: Apache-2.0
// Nodes below a root replaced by others: from the symbols upwards, each node is made again from
// what its children have become.
#include "expr/graph_nodes.h"

static carom_ref find_replacement(carom_ref ref, const carom_ref *from, const carom_ref *to, int n)
{
    for (int i = 0; i < n; i++)
        if (from[i] == ref) return to[i];
    return ref;
}

// a node whose children are done
static carom_ref make_again(carom_graph *graph, carom_ref ref)
{
    carom_node node = graph->node[ref];
    bool is_same = true;
    if (node.op == CAROM_OP_SYMBOL) return ref;
    for (int i = 0; i < carom_operation_arity(node.op); i++) {
        const carom_ref child = node.child[i];
        if (graph->node[child].kinds != 0) node.child[i] = graph->work[child];
        is_same &= node.child[i] == child;
    }
    if (is_same) return ref;
    return carom_graph_make(graph, node.op, node.child[0], node.child[1], node.child[2]);
}

carom_ref carom_graph_replace(carom_graph *graph, carom_ref root, const carom_ref *from,
                              const carom_ref *to, int n)
{
    if (root < 0 || graph->is_out_of_memory) return -1;
    const int n_node = carom_graph_walk(graph, root, (1u << CAROM_N_SYMBOL) - 1, false);
    for (int k = 0; k < n_node; k++) {
        const carom_ref ref = graph->order[k], other = find_replacement(ref, from, to, n);
        const carom_ref made = other == ref ? make_again(graph, ref) : other;
        graph->work[ref] = made;
    }
    if (graph->is_out_of_memory) return -1;
    return n_node > 0 ? graph->work[root] : root;
}

carom_ref carom_graph_put_in(carom_graph *graph, carom_ref root, carom_stand_in *find, void *self)
{
    if (root < 0 || graph->is_out_of_memory) return -1;
    const int n_node = carom_graph_walk(graph, root, (1u << CAROM_N_SYMBOL) - 1, false);
    for (int k = 0; k < n_node; k++) {
        const carom_ref ref = graph->order[k];
        const carom_node node = graph->node[ref];
        const carom_ref other = node.op == CAROM_OP_SYMBOL
                                    ? find(self, (carom_symbol)node.child[0], node.child[1])
                                    : -1;
        const carom_ref made = other < 0 ? make_again(graph, ref) : other;
        graph->work[ref] = made;
    }
    if (graph->is_out_of_memory) return -1;
    return n_node > 0 ? graph->work[root] : root;
}
