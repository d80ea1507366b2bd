// SPDX-License-Identifier: Apache-2.0
// Collecting what is firm, and working it out.
#include "expr/program/firm.h"

#include "expr/operation.h"

#include <stdlib.h>

// children have smaller numbers: one sweep down
static void mark_used(const carom_graph *graph, unsigned char *is_used)
{
    for (int i = carom_graph_size(graph) - 1; i >= 0; i--) {
        const int arity = carom_operation_arity(carom_graph_op(graph, i));
        for (int k = 0; is_used[i] && k < arity; k++) is_used[carom_graph_child(graph, i, k)] = 1;
    }
}

static carom_firm_node make_node(const carom_graph *graph, carom_ref ref, const int *number)
{
    carom_firm_node made = {.op = carom_graph_op(graph, ref)};
    const int arity = carom_operation_arity(made.op);
    for (int k = 0; k < arity; k++) made.child[k] = number[carom_graph_child(graph, ref, k)];
    if (made.op == CAROM_OP_NUMBER) carom_graph_is_number(graph, ref, &made.value);
    if (made.op == CAROM_OP_SYMBOL) made.child[0] = carom_graph_child(graph, ref, 1);
    if (made.op == CAROM_OP_TABLE) {
        made.order = carom_graph_child(graph, ref, 1);
        made.spline = carom_graph_table(graph, carom_graph_child(graph, ref, 2));
    }
    return made;
}

static bool list_nodes(const carom_graph *graph, const unsigned char *is_used, const carom_ref *own,
                       int *number, carom_arena *arena, carom_firm *firm)
{
    int n = 0;
    for (int i = 0; i < carom_graph_size(graph); i++)
        n += is_used[i] && carom_graph_is_firm(graph, i);
    firm->node = CAROM_TAKE(arena, carom_firm_node, n);
    firm->ref = CAROM_TAKE(arena, carom_ref, n);
    firm->own = CAROM_TAKE(arena, int, firm->n_parameter);
    if (!firm->node || !firm->ref || !firm->own) return false;
    for (int i = 0; i < carom_graph_size(graph); i++) {
        if (!is_used[i] || !carom_graph_is_firm(graph, i)) continue;
        firm->node[firm->n] = make_node(graph, i, number);
        firm->ref[firm->n] = i;
        number[i] = firm->n++;
    }
    for (int p = 0; p < firm->n_parameter; p++) firm->own[p] = number[own[p]];
    return true;
}

carom_status carom_firm_make(const carom_graph *graph, const carom_firm_wanted *wanted,
                             carom_arena *arena, carom_firm *firm)
{
    const size_t n = (size_t)carom_graph_size(graph) + 1;
    unsigned char *is_used = calloc(n, 1);
    int *number = calloc(n, sizeof *number);
    *firm = (carom_firm){.n_parameter = wanted->n_parameter};
    bool is_made = is_used && number;
    if (is_made) {
        for (int i = 0; i < wanted->n_root; i++)
            if (wanted->root[i] >= 0) is_used[wanted->root[i]] = 1;
        for (int p = 0; p < wanted->n_parameter; p++) is_used[wanted->own[p]] = 1;
        mark_used(graph, is_used);
        is_made = list_nodes(graph, is_used, wanted->own, number, arena, firm);
    }
    free(is_used);
    free(number);
    return is_made ? CAROM_OK : CAROM_NO_MEMORY;
}

int carom_firm_find(const carom_firm *firm, carom_ref ref)
{
    int low = 0, high = firm->n;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (firm->ref[middle] < ref)
            low = middle + 1;
        else
            high = middle;
    }
    return low < firm->n && firm->ref[low] == ref ? low : -1;
}

void carom_firm_run(const carom_firm *firm, const unsigned char *is_given, double *parameter,
                    double *value)
{
    for (int i = 0; i < firm->n; i++) {
        const carom_firm_node *node = &firm->node[i];
        const int *child = node->child;
        if (node->op == CAROM_OP_NUMBER)
            value[i] = node->value;
        else if (node->op == CAROM_OP_SYMBOL)
            value[i] = parameter[child[0]] =
                is_given[child[0]] ? parameter[child[0]] : value[firm->own[child[0]]];
        else if (node->op == CAROM_OP_TABLE)
            value[i] = carom_spline_at(node->spline, value[child[0]], node->order);
        else
            value[i] =
                carom_operation_value(node->op, value[child[0]], value[child[1]], value[child[2]]);
    }
    // those that no expression contains
    for (int p = 0; p < firm->n_parameter; p++)
        if (!is_given[p]) parameter[p] = value[firm->own[p]];
}
