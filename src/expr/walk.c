// SPDX-License-Identifier: Apache-2.0
// Depth-first walk of the nodes below a root without recursion: the stack holds each open node
// together with the number of its next child (4 node + child). Visited nodes carry the stamp of the
// walk, so nothing is cleared.
#include "expr/graph_nodes.h"

#include <string.h>

static bool is_wanted(const carom_graph *graph, carom_ref ref, unsigned kinds, bool is_rate)
{
    return (graph->node[ref].kinds & kinds) != 0 && graph->stamp[ref] != graph->stamp_now &&
           !(is_rate && graph->rate[ref] >= 0);
}

int carom_graph_walk(carom_graph *graph, carom_ref root, unsigned kinds, bool is_rate)
{
    if (++graph->stamp_now == 0) {
        memset(graph->stamp, 0, sizeof *graph->stamp * (size_t)graph->room);
        graph->stamp_now = 1;
    }
    if (root < 0 || !is_wanted(graph, root, kinds, is_rate)) return 0;
    int n = 0, depth = 0;
    graph->stamp[root] = graph->stamp_now;
    graph->stack[depth++] = 4 * root;
    while (depth > 0) {
        const int top = graph->stack[depth - 1], ref = top / 4, which = top % 4;
        if (which == carom_operation_arity(graph->node[ref].op)) {
            graph->order[n++] = ref;
            depth--;
            continue;
        }
        graph->stack[depth - 1]++;
        const carom_ref child = graph->node[ref].child[which];
        if (!is_wanted(graph, child, kinds, is_rate)) continue;
        graph->stamp[child] = graph->stamp_now;
        graph->stack[depth++] = 4 * child;
    }
    carom_graph_spend(graph, n);
    return n;
}

bool carom_graph_has_symbol(carom_graph *graph, carom_ref ref, carom_symbol kind, int index)
{
    const int n = carom_graph_walk(graph, ref, 1u << kind, false);
    for (int k = 0; k < n; k++) {
        const carom_node *node = &graph->node[graph->order[k]];
        if (node->op == CAROM_OP_SYMBOL && node->child[0] == (int)kind && node->child[1] == index)
            return true;
    }
    return false;
}
