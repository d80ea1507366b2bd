// SPDX-License-Identifier: Apache-2.0
// All that is at hand while a builder's texts become a model from equations.
#ifndef CAROM_MODEL_MAKING_H
#define CAROM_MODEL_MAKING_H

#include "expr/pieces.h"
#include "expr/text/syntax.h"
#include "model/making/builder.h"
#include "model/making/lagrange.h"
#include "model/making/scope.h"

typedef struct carom_making {
    const carom_builder *builder;
    carom_arena *arena;   ///< thrown away when the model is made
    carom_arena *scratch; ///< of the text at hand: a family reads its texts for every member
    carom_scope *scope;
    carom_model *model;
    carom_lagrange *lagrange;
    carom_graph *graph;
    carom_error *error;
    // index variables of the family member at hand
    carom_index index[CAROM_MAX_INDEX];
    int n_index;
    double n_member; ///< of all families so far
} carom_making;

/// What an expression may contain: NULL = allowed, else the reason why not.
typedef struct carom_allowed {
    const char *no_rates, *no_time;
    const char *no_condition; ///< what to say of a condition in its place, or NULL
} carom_allowed;

carom_status carom_making_no_memory(carom_making *making);
/// Turns a text into a node, with the index variables at hand.
carom_status carom_making_node(carom_making *making, carom_text text, carom_allowed allowed,
                               carom_ref *ref);
/// The same for a condition; the node is 1 where it holds, else 0.
carom_status carom_making_condition(carom_making *making, carom_text text, carom_allowed allowed,
                                    carom_ref *ref);
/// The value of an expression of parameters and indices.
carom_status carom_making_number(carom_making *making, carom_text text, const char *what,
                                 double *value);
/// The full name of a declared name ("x[i]" -> "x[3]") with the index variables at hand; in the
/// model's arena.
carom_status carom_making_name(carom_making *making, carom_text text, const char **name);

/// The smooth pieces of a gap (the first root) and its slips.
carom_status carom_making_pieces(carom_making *making, carom_text gap, const carom_ref *root,
                                 int n_root, carom_pieces *pieces);

/// Calls member once for each index combination of a family (once where there is none).
typedef carom_status carom_member(carom_making *making, const void *item);
carom_status carom_making_each(carom_making *making, const carom_family *family, carom_text name,
                               carom_member *member, const void *item);

/// Parameters, tables, coordinates and definitions, into the scope.
carom_status carom_making_declare(carom_making *making);
/// Parameters only, for the value of a single expression.
carom_status carom_making_parameters(carom_making *making);
/// Energies, forces, constraints, contacts, records, drawings, into the lagrange system.
carom_status carom_making_equations(carom_making *making);

#endif
