// SPDX-License-Identifier: Apache-2.0
// Expressions as C text: one function for each set of targets, each operation rounded as on the
// tape.
#ifndef CAROM_EXPR_NATIVE_WRITE_H
#define CAROM_EXPR_NATIVE_WRITE_H

#include "expr/program/tape.h"

#include <stdio.h>

/// The parameters of every function that is written. r receives the targets at their offsets;
/// arrays that the expressions do not use may be NULL, and r must not be one of them.
#define CAROM_C_PARAMETERS                                                                         \
    "double t, const double *q, const double *u, const double *a, const double *P, "               \
    "double *restrict r"

/// One function to be written.
typedef struct carom_c_function {
    const char *name;  ///< an identifier
    const char *about; ///< a comment in front of it, complete with its signs, or NULL
    const carom_target *target;
    int n_target;
    bool is_static;
    /// What depends on t and q only comes apart: besides NAME there is NAME_still, which computes
    /// just that, and NAME_rates for the rest, all with one more parameter, double *restrict v
    /// (NAME_room numbers), which the caller keeps between them. They return the sum of the watched
    /// targets they compute.
    bool is_apart;
    const unsigned char *is_watched; ///< (n_target) or NULL: none is; only where apart
    bool skips_constants; ///< targets that are firm are not written (the caller has them)
    /// What is firm (graph.h) and used by something that is not, by increasing number: the i-th is
    /// v[i], which the caller fills (is_apart), or the number firm_value[i].
    const carom_ref *firm;
    const double *firm_value;
    int n_firm;
} carom_c_function;

/// What they need in front: includes, and those helping functions and tables that are used.
/// Returns the number of operations and of tables' numbers, or -1 where memory runs out.
long carom_c_write_head(FILE *file, const carom_graph *graph, const carom_c_function *function,
                        int n_function);
/// The function; false where memory runs out.
bool carom_c_write_function(FILE *file, const carom_graph *graph, const carom_c_function *function);
/// A number as a C constant that reads back the same. Returns buffer (>= 40).
const char *carom_c_number(double value, char *buffer, size_t room);

#endif
