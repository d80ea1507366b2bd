// SPDX-License-Identifier: Apache-2.0
// What expressions know of time alone: the nodes below them that depend on t and nothing else, as a
// small program, with
//
//     switches   affine in t (their times are known), or of other functions of t (to be searched)
//     inputs     terms of sums that are not affine in t: pulses, vibrations, prescribed motions
//
// so that a solver that chooses its steps knows what comes later.
#ifndef CAROM_EXPR_CLOCK_H
#define CAROM_EXPR_CLOCK_H

#include "expr/program/firm.h"
#include "expr/switches.h"

/// One node, its children given by their numbers in the list.
typedef struct carom_clock_node {
    carom_op op;
    int child[3];
    double value;               ///< of a number
    int firm;                   ///< whose value it is where parameters decide, else -1
    int order;                  ///< of a table's derivative
    const carom_spline *spline; ///< of a table
} carom_clock_node;

/// A switch of a function of t that is not affine.
typedef struct carom_clock_switch {
    int node;
    carom_switch places; ///< its value is not a node of the list
} carom_clock_switch;

/// Made once; tables belong to the graph.
typedef struct carom_clock {
    carom_switch *affine;
    carom_clock_switch *other;
    carom_clock_node *node;
    int *input; ///< numbers of nodes
    int n_affine, n_other, n_node, n_input;
    bool is_live; ///< parameters decide some of it
} carom_clock;

/// Looks at all that is at and below the roots. Memory is the arena's.
carom_status carom_clock_make(carom_graph *graph, const carom_ref *root, int n_root,
                              carom_arena *arena, carom_clock *clock);
/// A copy with numbers of its own, for carom_clock_settle; false where memory runs out.
bool carom_clock_copy(const carom_clock *clock, carom_arena *arena, carom_clock *copy);
/// From now on its firm nodes and those of its switches are numbers in the list of firm ones.
void carom_clock_number_firm(carom_clock *clock, const carom_firm *firm);
/// Takes over new values of what is firm. True: some of it has changed.
bool carom_clock_settle(carom_clock *clock, const double *firm);
/// All values at a time, into value (n_node).
void carom_clock_read(const carom_clock *clock, double t, double *value);

/// A time at which something switches.
typedef struct carom_break {
    double t;
    double rounding; ///< this far from t the sides are told apart in spite of rounding
    int order;       ///< the first derivative that jumps
} carom_break;
/// The first break of an affine switch after t; its time is +infinity where there is none.
carom_break carom_clock_next(const carom_clock *clock, double t);

#endif
