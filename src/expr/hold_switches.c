// SPDX-License-Identifier: Apache-2.0
// Replacing switching nodes by choices of a symbol, in one sweep from the symbols up. A piece of a
// table is its Taylor polynomial about the argument m given for it,
//
//     table(x) = table(m) + table'(m) (x - m)
//
// and so are floor(x) = floor(m) and mod(a, b) = a - b floor(m).
#include "expr/hold_switches.h"

#include "expr/graph_nodes.h"

#include <stdlib.h>

typedef struct holding {
    carom_graph *graph;
    const int *side;
    const carom_switching_node **switching; // (n) by node, NULL = does not switch
    carom_ref *held;                        // (n)
    int n;
} holding;

static carom_ref choose_side(carom_graph *graph, carom_ref side, bool is_negative, carom_ref yes,
                             carom_ref no)
{
    return carom_graph_make(graph, CAROM_OP_IF, side, is_negative ? no : yes,
                            is_negative ? yes : no);
}

static carom_ref piece_of_table(carom_graph *graph, const carom_node *node, carom_ref x,
                                carom_ref m)
{
    const int order = node->child[1], table = node->child[2];
    const carom_ref value = carom_graph_make(graph, CAROM_OP_TABLE, m, order, table),
                    slope = carom_graph_make(graph, CAROM_OP_TABLE, m, order + 1, table);
    return carom_graph_add(graph, value,
                           carom_graph_mul(graph, slope, carom_graph_sub(graph, x, m)));
}

// a switching node whose children are held
static carom_ref decide_node(const holding *h, carom_ref ref, carom_ref a, carom_ref b)
{
    carom_graph *g = h->graph;
    const carom_switching_node *it = h->switching[ref];
    const carom_node node = g->node[ref];
    const carom_ref side = carom_graph_symbol(g, CAROM_P, h->side[it->which]);
    const carom_ref one = carom_graph_number(g, 1), zero = carom_graph_number(g, 0);
    const carom_op op = node.op;
    if (op == CAROM_OP_ABS)
        return choose_side(g, side, it->is_negative, a, carom_graph_negate(g, a));
    if (op == CAROM_OP_SIGN)
        return choose_side(g, side, it->is_negative, one, carom_graph_number(g, -1));
    if (op == CAROM_OP_MIN || op == CAROM_OP_MAX)
        return choose_side(g, side, it->is_negative, a, b);
    if (op == CAROM_OP_TABLE) return piece_of_table(g, &node, a, side);
    const carom_ref whole = carom_graph_call(g, CAROM_OP_FLOOR, side);
    if (op == CAROM_OP_FLOOR) return whole;
    if (op == CAROM_OP_MOD) return carom_graph_sub(g, a, carom_graph_mul(g, b, whole));
    return choose_side(g, side, it->is_negative, one, zero); // comparisons and step
}

static carom_ref hold_node(const holding *h, carom_ref ref)
{
    const carom_node node = h->graph->node[ref];
    const int arity = carom_operation_arity(node.op);
    int child[3] = {node.child[0], node.child[1], node.child[2]};
    bool is_same = true;
    for (int k = 0; k < arity; k++) {
        child[k] = h->held[node.child[k]];
        is_same &= child[k] == node.child[k];
    }
    const carom_switching_node *it = h->switching[ref];
    if (it && h->side[it->which] >= 0) return decide_node(h, ref, child[0], child[1]);
    return is_same ? ref : carom_graph_make(h->graph, node.op, child[0], child[1], child[2]);
}

static void hold_all(holding *h, unsigned char *is_used, const carom_ref *root, int n_root)
{
    for (int i = 0; i < n_root; i++)
        if (root[i] >= 0) is_used[root[i]] = 1;
    for (int i = h->n - 1; i >= 0; i--) {
        const carom_node *node = &h->graph->node[i];
        for (int k = 0; is_used[i] && k < carom_operation_arity(node->op); k++)
            is_used[node->child[k]] = 1;
    }
    for (int i = 0; i < h->n && !h->graph->is_out_of_memory; i++)
        if (is_used[i]) h->held[i] = hold_node(h, i);
}

carom_status carom_switches_hold(carom_graph *graph, const carom_switches *switches,
                                 const int *side, const carom_ref *root, int n_root,
                                 carom_ref *held)
{
    holding h = {.graph = graph, .side = side, .n = graph->n};
    const size_t n = (size_t)graph->n + 1;
    unsigned char *is_used = calloc(n, 1);
    h.switching = calloc(n, sizeof *h.switching);
    h.held = calloc(n, sizeof *h.held);
    if (is_used && h.switching && h.held) {
        for (int i = 0; i < switches->n_node; i++)
            h.switching[switches->node[i].ref] = &switches->node[i];
        hold_all(&h, is_used, root, n_root);
        for (int i = 0; i < n_root; i++) held[i] = root[i] < 0 ? -1 : h.held[root[i]];
    } else {
        graph->is_out_of_memory = true;
    }
    free(is_used);
    free(h.switching);
    free(h.held);
    return carom_graph_status(graph);
}
