// SPDX-License-Identifier: Apache-2.0
// The functions that equation text knows, as a table: a new one is one row (and its operation in
// the graph).
#ifndef CAROM_EXPR_FUNCTIONS_H
#define CAROM_EXPR_FUNCTIONS_H

#include "base/text.h"
#include "expr/graph.h"

typedef struct carom_function {
    const char *name;
    carom_op op; ///< CAROM_OP_NUMBER for deg, which is a factor
    int least;   ///< number of arguments
    int most;    ///< -1 = any
} carom_function;

/// The function of that name, or NULL.
const carom_function *carom_function_find(const char *name);
/// Shows all function names, der, if and sum to nearest.
void carom_function_try_all(carom_nearest *nearest);

#endif
