// SPDX-License-Identifier: Apache-2.0
// The functions that equation text knows, as a table: a new one is one row (and its operation in
// the graph).
#ifndef CAROM_EXPR_FUNCTIONS_H
#define CAROM_EXPR_FUNCTIONS_H

#include "base/text.h"
#include "expr/graph.h"

typedef struct carom_function {
    const char *name;
    int least;    ///< number of arguments
    int most;     ///< -1 = any: the operation joins them one after the other
    bool is_free; ///< the name may stand for other things where no parenthesis follows
    carom_op op;  ///< what it is in the graph, or
    /// how it is made of others; may say what is wrong with the arguments
    carom_ref (*compose)(carom_graph *graph, const carom_ref *argument, const char **wrong);
    bool is_by_component; ///< of a vector it is that of each component
    /// of one vector or two: the number, or the vector c, that it makes
    carom_ref (*measure)(carom_graph *graph, const carom_ref *a, const carom_ref *b);
    void (*join)(carom_graph *graph, const carom_ref *a, const carom_ref *b, carom_ref *c);
} carom_function;
enum { CAROM_MOST_COMPOSED = 3 }; ///< arguments of a function that is composed

/// The i-th function, NULL behind the last.
const carom_function *carom_function_at(int i);

/// The function of that name, or NULL.
const carom_function *carom_function_find(const char *name);
/// Shows all function names, der, if and sum to nearest.
void carom_function_try_all(carom_nearest *nearest);

#endif
