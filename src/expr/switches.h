// SPDX-License-Identifier: Apache-2.0
// Where expressions are not smooth: their switching nodes, and the places where these switch.
//
//     a < b, a <= b      s = b - a      switches at s = 0       itself jumps
//     step(x), sign(x)   s = x          switches at s = 0       itself jumps
//     floor(x)           s = x          at all whole numbers    itself jumps
//     mod(a, b)          s = a/b        at all whole numbers    itself jumps
//     abs(x)             s = x          switches at s = 0       its slope jumps
//     min, max(a, b)     s = b - a      switches at s = 0       its slope jumps
//     table(x)           s = x          at its points           its slope (linear), or its third
//                                                               derivative (cubic) jumps
//
// An `if` switches with the comparisons of its condition. Comparisons for equality switch nowhere:
// they hold at single points.
#ifndef CAROM_EXPR_SWITCHES_H
#define CAROM_EXPR_SWITCHES_H

#include "base/arena.h"
#include "expr/graph.h"

/// What s depends on.
typedef enum carom_switch_reach {
    CAROM_SWITCH_AFFINE, ///< s = slope t + offset: its times are known exactly
    CAROM_SWITCH_CLOCK,  ///< other functions of t alone
    CAROM_SWITCH_STATE   ///< the rest
} carom_switch_reach;

/// One function s and its places s = place[i] + j period.
typedef struct carom_switch {
    carom_ref value;     ///< s
    const double *place; ///< (n_place) increasing
    int n_place;
    double period; ///< 0 = none; else j is any whole number, and the last place is the first again
    int order;     ///< the first derivative that jumps: 0 = the value itself
    bool is_cubic; ///< of a cubic table: all that motions feel is continuous
    carom_switch_reach reach;
    double slope, offset;              ///< where it is affine in t; slope is not 0
    carom_ref slope_node, offset_node; ///< what they are where parameters decide, else -1
} carom_switch;

/// A node that switches: which function decides, and whether with its sign turned round.
typedef struct carom_switching_node {
    carom_ref ref;
    int which; ///< number of the switch
    bool is_negative;
} carom_switching_node;

/// All of a set of expressions; nodes by increasing number. Nodes with one s, or with s and -s,
/// share a switch.
typedef struct carom_switches {
    carom_switch *item;
    carom_switching_node *node;
    int n, n_node;
} carom_switches;

/// Whether a node is one that switches.
bool carom_switches_has(const carom_graph *graph, carom_ref ref);
/// Finds all switching nodes at and below the roots. Memory is the arena's; places of tables belong
/// to the graph. Makes the nodes of the functions s.
carom_status carom_switches_find(carom_graph *graph, const carom_ref *root, int n_root,
                                 carom_arena *arena, carom_switches *found);

/// In which piece between its places a value of s lies: a whole number that grows with s.
double carom_switch_piece(const carom_switch *it, double value);
/// The places at both ends of a piece; infinite where there is none.
void carom_switch_ends(const carom_switch *it, double piece, double *low, double *high);
/// The piece behind the upper end (is_up) or the lower end of a piece.
double carom_switch_neighbour(const carom_switch *it, double piece, bool is_up);
/// The first time after t at which an affine switch switches; +infinity if there is none.
double carom_switch_next(const carom_switch *affine, double t);

#endif
