// SPDX-License-Identifier: Apache-2.0
// What live parameters decide, worked out once for each set of their values. A node is firm if it
// depends on nothing else (graph.h); all firm nodes that some expressions need are one list, the
// parameters' own expressions among them:
//
//     L = 2          the value of L
//     m = rho*L      the value of m if it was given, else rho*L
//     m*L^2/3        ...
//
// A parameter's own expression contains parameters before it only, and its nodes are older than its
// symbol: in the order of the graph every value is there when it is needed. Values are rounded as
// folding numbers would have rounded them. Tapes and machine code read them as they read numbers.
#ifndef CAROM_EXPR_FIRM_H
#define CAROM_EXPR_FIRM_H

#include "base/arena.h"
#include "expr/graph.h"

typedef struct carom_firm_node {
    carom_op op;
    int child[3];               ///< numbers in the list; of a symbol that of the parameter
    double value;               ///< of a number
    int order;                  ///< of a table's derivative
    const carom_spline *spline; ///< of a table
} carom_firm_node;

/// Made once; tables belong to the graph.
typedef struct carom_firm {
    int n, n_parameter;
    carom_firm_node *node; ///< (n)
    carom_ref *ref;        ///< (n) increasing
    int *own;              ///< (n_parameter) number of each parameter's own expression
} carom_firm;

/// What a list is made for.
typedef struct carom_firm_wanted {
    const carom_ref *root; ///< (n_root) expressions, -1 = none
    int n_root;
    const carom_ref *own; ///< (n_parameter) own expression of each parameter
    int n_parameter;
} carom_firm_wanted;
/// All that is firm at and below the roots, and the parameters' own expressions.
carom_status carom_firm_make(const carom_graph *graph, const carom_firm_wanted *wanted,
                             carom_arena *arena, carom_firm *firm);
/// The number of a node in the list, -1 = it is not there.
int carom_firm_find(const carom_firm *firm, carom_ref ref);
/// Works out all values (n). parameter (n_parameter) holds those that are given, and receives the
/// others.
void carom_firm_run(const carom_firm *firm, const unsigned char *is_given, double *parameter,
                    double *value);

#endif
