// SPDX-License-Identifier: Apache-2.0
// What switching nodes are while the function that decides stays in one interval between its
// places.
#include "expr/pieces/pieces_cut.h"

#include <math.h>

// how far a part of a periodic table is defined, in its neighbour's length: its own period ends
// behind that
static const double defined_share = 0.45;

// s as interval j sees it: in a period of its own around its middle
carom_ref carom_cut_local(carom_cut *c, int j, carom_part *p)
{
    const carom_switch *it = c->it;
    if (!(it->period > 0)) return it->value;
    const double middle = 0.5 * (it->place[j] + it->place[j + 1]);
    const carom_ref turns = carom_graph_call(
        c->graph, CAROM_OP_FLOOR,
        carom_graph_scale(
            c->graph, 1 / it->period,
            carom_graph_sub(c->graph, it->value, carom_cut_number(c, middle - 0.5 * it->period))));
    if (!carom_cut_settle_node(c, p, turns)) return -1;
    return carom_graph_sub(c->graph, it->value, carom_graph_scale(c->graph, it->period, turns));
}

// line where its interval is near, undefined beyond, lest it jumps where its own period ends
static carom_ref near_interval(carom_cut *c, carom_ref line, carom_ref s, int j, carom_part *p)
{
    carom_graph *g = c->graph;
    const double *x = c->it->place;
    const int n = c->n_part, before = (j + n - 1) % n, after = (j + 1) % n;
    const double low = x[j] - defined_share * (x[before + 1] - x[before]),
                 high = x[j + 1] + defined_share * (x[after + 1] - x[after]);
    const carom_ref room = carom_graph_mul(g, carom_graph_sub(g, s, carom_cut_number(c, low)),
                                           carom_graph_sub(g, carom_cut_number(c, high), s));
    const carom_ref is_near = carom_cut_join(c, CAROM_OP_LE, carom_cut_number(c, 0), room);
    const carom_ref nothing =
        carom_graph_call(g, CAROM_OP_FLOOR, carom_graph_call(g, CAROM_OP_SQRT, room));
    if (!carom_cut_settle_node(c, p, is_near) || !carom_cut_settle_node(c, p, nothing)) return -1;
    return carom_graph_make(g, CAROM_OP_IF, is_near, line, nothing);
}

// line within the range of the table, beyond its ends the table itself, which is undefined there
static carom_ref in_range(carom_cut *c, carom_ref line, carom_ref table, int j, carom_part *p)
{
    const double *x = c->it->place;
    for (int end = 0; end < 2; end++) {
        if (j != (end ? c->n_part - 1 : 0)) continue;
        const carom_ref s = c->it->value;
        const carom_ref outside =
            end ? carom_cut_join(c, CAROM_OP_LT, carom_cut_number(c, x[j + 1]), s)
                : carom_cut_join(c, CAROM_OP_LT, s, carom_cut_number(c, x[0]));
        if (!carom_cut_settle_node(c, p, outside) || !carom_cut_settle_node(c, p, table)) return -1;
        line = carom_graph_make(c->graph, CAROM_OP_IF, outside, table, line);
    }
    return line;
}

// a table between two of its points
static carom_ref line(carom_cut *c, carom_ref ref, int j, carom_part *p)
{
    carom_graph *g = c->graph;
    const carom_node node = g->node[ref];
    const carom_spline *spline = g->table[node.child[2]].spline;
    const double *x = spline->x, *a = spline->coefficient + 4 * j;
    const carom_ref s = carom_cut_local(c, j, p);
    carom_ref value = carom_cut_number(c, a[1]); // of the slope
    if (node.child[1] == 0) { // through the point nearer to 0, where numbers are finer
        const bool is_end = fabs(x[j + 1]) < fabs(x[j]);
        const carom_ref way = carom_graph_sub(g, s, carom_cut_number(c, x[j + is_end]));
        const double start = is_end ? carom_spline_at(spline, x[j + 1], 0) : a[0];
        value = carom_graph_add(g, carom_cut_number(c, start), carom_graph_scale(g, a[1], way));
    }
    return spline->period > 0 ? near_interval(c, value, s, j, p) : in_range(c, value, ref, j, p);
}

// what a node is for s in interval j
carom_ref carom_cut_alternative(carom_cut *c, int i, int j, carom_part *p)
{
    const carom_ref ref = c->node[i];
    const carom_node node = c->graph->node[ref];
    const bool is_above = (j == 1) != c->is_negative[i];
    // clang-format off
    switch (node.op) {
    case CAROM_OP_LT: case CAROM_OP_LE: case CAROM_OP_STEP: return carom_cut_number(c, is_above);
    case CAROM_OP_SIGN: return carom_cut_number(c, is_above ? 1 : -1);
    case CAROM_OP_ABS: return is_above ? node.child[0] : carom_graph_negate(c->graph, node.child[0]);
    case CAROM_OP_MIN: case CAROM_OP_MAX: return node.child[is_above ? 0 : 1];
    case CAROM_OP_TABLE: return line(c, ref, j, p);
    case CAROM_OP_NUMBER: case CAROM_OP_SYMBOL: case CAROM_OP_ADD: case CAROM_OP_SUB:
    case CAROM_OP_MUL: case CAROM_OP_DIV: case CAROM_OP_NEG: case CAROM_OP_POW: case CAROM_OP_SIN:
    case CAROM_OP_COS: case CAROM_OP_TAN: case CAROM_OP_ASIN: case CAROM_OP_ACOS:
    case CAROM_OP_ATAN: case CAROM_OP_ATAN2: case CAROM_OP_SINH: case CAROM_OP_COSH:
    case CAROM_OP_TANH: case CAROM_OP_EXP: case CAROM_OP_LOG: case CAROM_OP_SQRT: case CAROM_OP_EQ:
    case CAROM_OP_NE: case CAROM_OP_AND: case CAROM_OP_OR: case CAROM_OP_NOT: case CAROM_OP_IF:
    case CAROM_OP_HYPOT: case CAROM_OP_FLOOR: case CAROM_OP_MOD: break; // no switches, or endless
    }
    // clang-format on
    return ref;
}

// slope below place j (between intervals j and j + 1) minus slope above, with respect to s
double carom_cut_slope_jump(const carom_cut *c, int i, int j)
{
    const carom_node node = c->graph->node[c->node[i]];
    if (node.op == CAROM_OP_ABS) return -2;
    if (node.op == CAROM_OP_MAX) return -1;
    if (node.op == CAROM_OP_MIN) return 1;
    const double *a = c->graph->table[node.child[2]].spline->coefficient;
    return a[4 * j + 1] - a[4 * ((j + 1) % c->n_part) + 1];
}

bool carom_cut_is_continuous(const carom_graph *graph, carom_ref ref)
{
    const carom_node *node = &graph->node[ref];
    return node->op == CAROM_OP_ABS || node->op == CAROM_OP_MIN || node->op == CAROM_OP_MAX ||
           (node->op == CAROM_OP_TABLE && node->child[1] == 0);
}
