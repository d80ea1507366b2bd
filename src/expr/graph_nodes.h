// SPDX-License-Identifier: Apache-2.0
// The inside of the expression graph, shared by the files that build, derive and print it.
// Making a node can move the arrays: copy a node before making others.
#ifndef CAROM_EXPR_GRAPH_NODES_H
#define CAROM_EXPR_GRAPH_NODES_H

#include "base/limits.h"
#include "expr/graph.h"
#include "expr/operation.h"
#include "expr/rotation_nodes.h"

typedef struct carom_node {
    carom_op op;
    int child[3];
    double value;         ///< of a number
    unsigned char kinds;  ///< kinds of symbols below
    unsigned char masked; ///< 1 where the value is 0 as long as some condition holds
} carom_node;

typedef struct carom_table {
    char *name;
    carom_spline *spline;
    int degree; ///< derivatives of a higher order are 0
} carom_table;

/// The positions (quaternion) and velocities (spin) of a rotation: the first of each.
typedef struct carom_turning {
    int q, u;
} carom_turning;

struct carom_graph {
    int n, room;
    carom_node *node;
    carom_ref *rate; ///< time derivative of each node, -1 = not yet derived
    int *slot;       ///< hash table of nodes, -1 = free; a power of two, at least twice room
    int n_slot;
    int n_table;
    carom_table *table;
    int n_rotation; ///< see rotation_nodes.h
    carom_turning *rotation;
    int n_turn;
    carom_turn_rate *turn;
    int n_direction; ///< positions with a velocity of another number may be below it
    int *direction;
    int nesting;           ///< how deep rules that move conditions outwards call each other
    bool is_out_of_memory; ///< or over a limit: nothing new is made
    // what may be asked for, and what has been
    carom_limits limits;
    const char *over; ///< the name of the limit that was met, or NULL
    double n_term, deadline;
    int until_look; ///< requests until the clock is looked at
    // scratch of the sweeps, one entry per node
    unsigned *stamp, stamp_now;
    int *order, *stack;
    carom_ref *work;
    // result of the last gradient
    int gradient_room;
    int *gradient_index;
    carom_ref *gradient_ref;
};

/// The node with exactly this content; made where there is none.
carom_ref carom_graph_intern(carom_graph *graph, carom_op op, const int child[3]);
/// All nodes at and below root that contain a symbol of the kinds (bits), children first, into
/// graph->order; returns their number. Where is_rate, nodes whose rate is known are left out.
int carom_graph_walk(carom_graph *graph, carom_ref root, unsigned kinds, bool is_rate);
/// The velocity of a plain position; -1 of a quaternion's, CAROM_FIRST_TURN and below of turns.
enum { CAROM_FIRST_TURN = -2 };
static inline int carom_graph_direction(const carom_graph *graph, int position)
{
    return position < graph->n_direction ? graph->direction[position] : position;
}
/// The derivative of a CAROM_R symbol along velocity u; 0 for that of another rotation.
carom_ref carom_rotation_along(carom_graph *graph, carom_ref ref, int u);
/// Its rate.
carom_ref carom_rotation_rate(carom_graph *graph, carom_ref ref);
/// The same for a turn, by its direction.
carom_ref carom_turn_along(carom_graph *graph, int direction, int u);
carom_ref carom_turn_rate_of(carom_graph *graph, int direction);
/// Partial derivative of a node with respect to one of its children (not for if, min and max).
carom_ref carom_graph_partial(carom_graph *graph, carom_ref ref, int which);
/// The condition that decides which child of if, min or max counts.
carom_ref carom_graph_choice(carom_graph *graph, carom_ref ref);
/// weight * factor, 0 where the weight is masked out even if the factor is not finite there.
carom_ref carom_graph_weigh(carom_graph *graph, carom_ref weight, carom_ref factor);
/// Rules of simplification by group; -1 where none applies and the node is to be made as it is.
carom_ref carom_simplify_sum(carom_graph *graph, carom_op op, carom_ref a, carom_ref b);
carom_ref carom_simplify_product(carom_graph *graph, carom_op op, carom_ref a, carom_ref b);
carom_ref carom_simplify_power(carom_graph *graph, carom_ref a, carom_ref b);
carom_ref carom_simplify_even(carom_graph *graph, carom_op op, carom_ref a);
carom_ref carom_simplify_odd(carom_graph *graph, carom_op op, carom_ref a);
carom_ref carom_simplify_root(carom_graph *graph, carom_ref a);
carom_ref carom_simplify_hypot(carom_graph *graph, carom_ref a, carom_ref b);
carom_ref carom_simplify_if(carom_graph *graph, carom_ref c, carom_ref yes, carom_ref no);
carom_ref carom_simplify_and_or(carom_graph *graph, carom_op op, carom_ref a, carom_ref b);

static inline carom_ref carom_graph_negate(carom_graph *g, carom_ref a)
{
    return carom_graph_make(g, CAROM_OP_NEG, a, -1, -1);
}
static inline carom_ref carom_graph_divide(carom_graph *g, carom_ref a, carom_ref b)
{
    return carom_graph_make(g, CAROM_OP_DIV, a, b, -1);
}
static inline carom_ref carom_graph_call(carom_graph *g, carom_op op, carom_ref a)
{
    return carom_graph_make(g, op, a, -1, -1);
}
static inline carom_ref carom_graph_scale(carom_graph *g, double factor, carom_ref a)
{
    return carom_graph_mul(g, carom_graph_number(g, factor), a);
}

#endif
