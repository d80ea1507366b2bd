// SPDX-License-Identifier: Apache-2.0
// One cut of a gap at one switch, shared by the files that cut (pieces.c), tell what nodes become
// (pieces_nodes.c) and where the parts count (pieces_corner.c).
#ifndef CAROM_EXPR_PIECES_CUT_H
#define CAROM_EXPR_PIECES_CUT_H

#include "expr/graph_nodes.h"
#include "expr/pieces/pieces.h"
#include "expr/switches.h"

/// Nodes that a cut has made and that do not switch where their part counts.
typedef struct carom_settled {
    carom_ref ref;
    const struct carom_settled *next;
} carom_settled;

typedef struct carom_part {
    carom_piece piece;
    const carom_settled *settled;
} carom_part;

typedef struct carom_cut {
    carom_graph *graph;
    carom_arena *arena;
    const carom_switch *it;
    carom_ref *node;   ///< (n_node) those that it decides
    bool *is_negative; ///< (n_node) with its sign turned round
    carom_ref *to;     ///< (n_node) what they become
    int n_node, n_root;
    int n_part;        ///< intervals between places
    carom_part *part;  ///< (n_part)
    carom_part *whole; ///< what is cut
    bool jumps;        ///< one of the nodes in the gap does
    carom_pieces *pieces;
} carom_cut;

/// s as interval j sees it: that of a periodic table in a period of its own around its middle.
carom_ref carom_cut_local(carom_cut *c, int j, carom_part *p);
/// What node i is for s in interval j.
carom_ref carom_cut_alternative(carom_cut *c, int i, int j, carom_part *p);
/// Whether the slope of a node jumps and not its value.
bool carom_cut_is_continuous(const carom_graph *graph, carom_ref ref);
/// Slope of a continuous node i below the place after interval j minus that above.
double carom_cut_slope_jump(const carom_cut *c, int i, int j);
/// The conditions under which the parts count, or a bad verdict; false where memory runs out.
bool carom_cut_add_conditions(carom_cut *c);

static inline carom_ref carom_cut_number(carom_cut *c, double value)
{
    return carom_graph_number(c->graph, value);
}
static inline carom_ref carom_cut_join(carom_cut *c, carom_op op, carom_ref a, carom_ref b)
{
    return carom_graph_make(c->graph, op, a, b, -1);
}
static inline bool carom_cut_is_table(const carom_cut *c)
{
    return c->graph->node[c->node[0]].op == CAROM_OP_TABLE;
}
/// Notes a node as settled; false where memory runs out.
static inline bool carom_cut_settle_node(carom_cut *c, carom_part *p, carom_ref ref)
{
    carom_settled *s = CAROM_TAKE(c->arena, carom_settled, 1);
    if (!s) return false;
    *s = (carom_settled){ref, p->settled};
    p->settled = s;
    return true;
}

#endif
