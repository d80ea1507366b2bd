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
/// Whether a call means a table of the model.
bool carom_elaborate_is_table(const carom_elaboration *e, const carom_syntax *call);
/// t, a name with or without indices, or a call of a table.
carom_status carom_elaborate_name(carom_elaboration *e, const carom_syntax *syntax, carom_ref *ref);
/// An expression that must come to a whole number; what names it in messages.
carom_status carom_elaborate_whole(carom_elaboration *e, const carom_syntax *syntax,
                                   const char *what, int *value);

#endif
