// SPDX-License-Identifier: Apache-2.0
// Collecting what depends on t alone, and reading it.
#include "expr/clock.h"

#include "expr/graph_nodes.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

static const unsigned timely = 1u << CAROM_TIME, live = 1u << CAROM_PARAMETER;

typedef struct collecting {
    carom_graph *graph;
    carom_arena *arena;
    carom_clock *clock;
    int n;                   // nodes of the graph
    unsigned char *is_used;  // (n) at or below a root, or the function of a switch
    unsigned char *is_input; // (n)
    int *number;             // (n) in the list
} collecting;

static bool is_timely(const collecting *c, carom_ref ref)
{
    return (c->graph->node[ref].kinds & ~(timely | live)) == 0;
}

// depends on t, and but for parameters on nothing else
static bool is_of_time(const collecting *c, carom_ref ref)
{
    return (c->graph->node[ref].kinds & ~live) == timely;
}

// the terms of sums of what depends on t alone, from the top down
static void find_inputs(const collecting *c)
{
    for (int i = c->n - 1; i >= 0; i--) {
        const carom_node *node = &c->graph->node[i];
        if (!c->is_used[i]) continue;
        const bool is_sum =
            node->op == CAROM_OP_ADD || node->op == CAROM_OP_SUB || node->op == CAROM_OP_NEG ||
            (node->op == CAROM_OP_MUL && (carom_graph_is_firm(c->graph, node->child[0]) ||
                                          carom_graph_is_firm(c->graph, node->child[1])));
        const bool is_top = !is_timely(c, i);
        for (int k = 0; k < carom_operation_arity(node->op); k++) {
            const carom_ref child = node->child[k];
            const bool hands_on = is_top || (is_sum && c->is_input[i]);
            if (hands_on && is_of_time(c, child)) c->is_input[child] = 1;
        }
        if (is_sum || node->op == CAROM_OP_SYMBOL) c->is_input[i] = 0;
    }
}

enum { USED = 1, USED_BY_TIME = 2 };

// whether a node is one of the list: of what parameters decide, that which functions of t use
static bool is_listed(const collecting *c, carom_ref ref)
{
    const bool is_live = c->graph->node[ref].kinds == live;
    return is_live ? c->is_used[ref] == USED_BY_TIME : c->is_used[ref] && is_timely(c, ref);
}

static void find_live(const collecting *c)
{
    for (int i = 0; i < c->n; i++) {
        const carom_node *node = &c->graph->node[i];
        for (int k = 0; c->is_used[i] && is_of_time(c, i) && k < carom_operation_arity(node->op);
             k++)
            if (c->graph->node[node->child[k]].kinds == live)
                c->is_used[node->child[k]] = USED_BY_TIME;
    }
}

static bool add_nodes(const collecting *c)
{
    int n = 0, n_input = 0;
    for (int i = 0; i < c->n; i++) {
        n += is_listed(c, i);
        n_input += c->is_input[i];
    }
    c->clock->node = CAROM_TAKE(c->arena, carom_clock_node, n);
    c->clock->input = CAROM_TAKE(c->arena, int, n_input);
    if (!c->clock->node || !c->clock->input) return false;
    for (int i = 0; i < c->n; i++) {
        const carom_node *node = &c->graph->node[i];
        if (!is_listed(c, i)) continue;
        carom_clock_node *made = &c->clock->node[c->clock->n_node];
        const bool is_live = node->kinds == live;
        *made = (carom_clock_node){.op = is_live ? CAROM_OP_NUMBER : node->op,
                                   .value = node->value,
                                   .firm = is_live ? i : -1};
        c->clock->is_live |= is_live;
        for (int k = 0; k < carom_operation_arity(made->op); k++)
            made->child[k] = c->number[node->child[k]];
        if (made->op == CAROM_OP_TABLE) {
            made->order = node->child[1];
            made->spline = c->graph->table[node->child[2]].spline;
        }
        if (c->is_input[i]) c->clock->input[c->clock->n_input++] = c->clock->n_node;
        c->number[i] = c->clock->n_node++;
    }
    return true;
}

static bool add_switches(const collecting *c, const carom_switches *found)
{
    carom_clock *clock = c->clock;
    clock->affine = CAROM_TAKE(c->arena, carom_switch, found->n);
    clock->other = CAROM_TAKE(c->arena, carom_clock_switch, found->n);
    if (!clock->affine || !clock->other) return false;
    for (int i = 0; i < found->n; i++) {
        const carom_switch *it = &found->item[i];
        if (it->reach == CAROM_SWITCH_AFFINE) clock->affine[clock->n_affine++] = *it;
        if (it->reach == CAROM_SWITCH_AFFINE) clock->is_live |= it->slope_node >= 0;
        if (it->reach == CAROM_SWITCH_CLOCK)
            clock->other[clock->n_other++] = (carom_clock_switch){c->number[it->value], *it};
    }
    return true;
}

static void mark_nodes(const collecting *c, const carom_ref *root, int n_root,
                       const carom_switches *found)
{
    for (int i = 0; i < n_root; i++)
        if (root[i] >= 0) {
            c->is_used[root[i]] = 1;
            c->is_input[root[i]] = is_of_time(c, root[i]);
        }
    for (int i = 0; i < found->n; i++)
        if (found->item[i].reach == CAROM_SWITCH_CLOCK) c->is_used[found->item[i].value] = 1;
    for (int i = c->n - 1; i >= 0; i--) {
        const carom_node *node = &c->graph->node[i];
        const bool is_above = c->is_used[i] && !carom_graph_is_firm(c->graph, i);
        for (int k = 0; is_above && k < carom_operation_arity(node->op); k++)
            c->is_used[node->child[k]] = 1;
    }
}

carom_status carom_clock_make(carom_graph *graph, const carom_ref *root, int n_root,
                              carom_arena *arena, carom_clock *clock)
{
    carom_switches found;
    *clock = (carom_clock){0};
    CAROM_TRY(carom_switches_find(graph, root, n_root, arena, &found));
    const size_t n = (size_t)graph->n;
    collecting c = {.graph = graph, .arena = arena, .clock = clock, .n = graph->n};
    c.is_used = calloc(n + 1, 1);
    c.is_input = calloc(n + 1, 1);
    c.number = calloc(n + 1, sizeof *c.number);
    bool is_made = c.is_used && c.is_input && c.number;
    if (is_made) {
        mark_nodes(&c, root, n_root, &found);
        find_inputs(&c);
        find_live(&c);
        is_made = add_nodes(&c) && add_switches(&c, &found);
    }
    free(c.is_used);
    free(c.is_input);
    free(c.number);
    return is_made ? CAROM_OK : CAROM_NO_MEMORY;
}

bool carom_clock_copy(const carom_clock *clock, carom_arena *arena, carom_clock *copy)
{
    *copy = *clock;
    copy->affine = CAROM_TAKE(arena, carom_switch, clock->n_affine);
    copy->node = CAROM_TAKE(arena, carom_clock_node, clock->n_node);
    if (!copy->affine || !copy->node) return false;
    for (int i = 0; i < clock->n_affine; i++) copy->affine[i] = clock->affine[i];
    for (int i = 0; i < clock->n_node; i++) copy->node[i] = clock->node[i];
    return true;
}

void carom_clock_number_firm(carom_clock *clock, const carom_firm *firm)
{
    for (int i = 0; i < clock->n_node; i++)
        clock->node[i].firm = carom_firm_find(firm, clock->node[i].firm);
    for (int i = 0; i < clock->n_affine; i++) {
        carom_switch *it = &clock->affine[i];
        it->slope_node = carom_firm_find(firm, it->slope_node);
        it->offset_node = carom_firm_find(firm, it->offset_node);
    }
}

static bool take_value(double *number, double value)
{
    const bool is_new = *number != value;
    *number = value;
    return is_new;
}

bool carom_clock_settle(carom_clock *clock, const double *firm)
{
    bool is_new = false;
    for (int i = 0; i < clock->n_node; i++)
        if (clock->node[i].firm >= 0)
            is_new |= take_value(&clock->node[i].value, firm[clock->node[i].firm]);
    for (int i = 0; i < clock->n_affine; i++) {
        carom_switch *it = &clock->affine[i];
        if (it->slope_node >= 0) is_new |= take_value(&it->slope, firm[it->slope_node]);
        if (it->offset_node >= 0) is_new |= take_value(&it->offset, firm[it->offset_node]);
    }
    return is_new;
}

void carom_clock_read(const carom_clock *clock, double t, double *value)
{
    for (int i = 0; i < clock->n_node; i++) {
        const carom_clock_node *node = &clock->node[i];
        const double a = value[node->child[0]];
        if (node->op == CAROM_OP_NUMBER)
            value[i] = node->value;
        else if (node->op == CAROM_OP_SYMBOL)
            value[i] = t;
        else if (node->op == CAROM_OP_TABLE)
            value[i] = carom_spline_at(node->spline, a, node->order);
        else
            value[i] =
                carom_operation_value(node->op, a, value[node->child[1]], value[node->child[2]]);
    }
}

carom_break carom_clock_next(const carom_clock *clock, double t)
{
    carom_break first = {INFINITY, 0, 0};
    for (int i = 0; i < clock->n_affine; i++) {
        const carom_switch *it = &clock->affine[i];
        const double at = carom_switch_next(it, t);
        if (!(at < first.t)) continue;
        const double rounding =
            8 * DBL_EPSILON * (fabs(at) + fabs(it->offset / it->slope)) + DBL_MIN;
        first = (carom_break){at, rounding, it->order};
    }
    return first;
}
