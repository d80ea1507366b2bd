// SPDX-License-Identifier: Apache-2.0
// What the two halves of elaboration share: operations in elaborate.c, names in elaborate_name.c.
#ifndef CAROM_EXPR_ELABORATE_H
#define CAROM_EXPR_ELABORATE_H

#include "expr/text/syntax_tree.h"

enum { CAROM_MOST_INDEX_VARIABLES = 16 };

typedef struct carom_elaboration {
    carom_graph *graph;
    const carom_names *names;
    carom_error *error;
    /// Those of names, then those of the sums around.
    carom_index index[CAROM_MOST_INDEX_VARIABLES];
    int n_index;
} carom_elaboration;

carom_status carom_elaborate(carom_elaboration *e, const carom_syntax *syntax, carom_ref *ref);
/// An expression that comes to a vector: three nodes.
carom_status carom_elaborate_vector(carom_elaboration *e, const carom_syntax *syntax,
                                    carom_ref *ref);
/// dot(a, b), norm(a).
carom_status carom_elaborate_measure(carom_elaboration *e, const carom_syntax *syntax,
                                     carom_ref *ref);
/// Says that a vector stands where a number is wanted.
carom_status carom_elaborate_refuse_vector(const carom_elaboration *e, const carom_syntax *syntax);
/// Whether the node can be used: it was made, and is not a number that is not finite.
carom_status carom_elaborate_check(carom_elaboration *e, const carom_syntax *syntax, carom_ref ref);
/// The number of arguments of a function.
carom_status carom_elaborate_count(carom_elaboration *e, const carom_syntax *syntax);
/// der() of what is derived already is refused.
carom_status carom_elaborate_derive(carom_elaboration *e, const carom_syntax *syntax,
                                    carom_ref *ref);
/// Whether a call means a table of the model.
bool carom_elaborate_is_table(const carom_elaboration *e, const carom_syntax *call);
/// t, a name with or without indices, or a call of a table.
carom_status carom_elaborate_name(carom_elaboration *e, const carom_syntax *syntax, carom_ref *ref);
/// The three nodes of a name that is a vector; has_number: the name is a number instead.
carom_status carom_elaborate_point(carom_elaboration *e, const carom_syntax *syntax, bool *is_there,
                                   bool *is_number, carom_ref *ref);
/// An expression that must come to a whole number; what names it in messages.
carom_status carom_elaborate_whole(carom_elaboration *e, const carom_syntax *syntax,
                                   const char *what, int *value);

#endif
