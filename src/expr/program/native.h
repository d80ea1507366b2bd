// SPDX-License-Identifier: Apache-2.0
// Expressions as machine code: written as C, compiled by the system's compiler, loaded, and kept in
// the user's cache folder under the digest of the text.
#ifndef CAROM_EXPR_NATIVE_H
#define CAROM_EXPR_NATIVE_H

#include "expr/program/native_write.h"

typedef struct carom_native carom_native;
/// See CAROM_C_PARAMETERS and carom_c_function.is_apart.
/// The sum that is returned is finite as long as all watched targets are, unless it overflows.
typedef double carom_native_function(double t, const double *q, const double *u, const double *a,
                                     const double *P, double *r, double *v);
/// One function, whole and in its two parts.
typedef struct carom_native_code {
    carom_native_function *whole, *still, *rates;
    double *v; ///< its own, between them
} carom_native_code;

/// Makes the functions, or says why not (no compiler, no folder, ...) with CAROM_IO. Names must be
/// identifiers; all functions come apart.
carom_status carom_native_new(const carom_graph *graph, const carom_c_function *function,
                              int n_function, carom_native **native, carom_error *error);
void carom_native_free(carom_native *native);
/// The i-th function, in the order given.
const carom_native_code *carom_native_at(const carom_native *native, int i);

#endif
