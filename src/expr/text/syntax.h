// SPDX-License-Identifier: Apache-2.0
// Equation text: parsed once into a syntax tree, then turned into graph nodes as often as there are
// index values.
#ifndef CAROM_EXPR_SYNTAX_H
#define CAROM_EXPR_SYNTAX_H

#include "base/arena.h"
#include "expr/graph.h"

typedef struct carom_syntax carom_syntax;

/// Parses; the tree lives in the arena. Errors name the column inside the text
/// and what was expected.
carom_status carom_syntax_parse(carom_arena *arena, carom_text text, const carom_syntax **syntax,
                                carom_error *error);

/// A name with optional index: "x", "x[i]", "ball[i, j-1]", "ball[i].x". Used where files declare
/// things.
typedef struct carom_declared {
    const char *name; ///< what stands before its index; "ball[].x" where something stands behind it
    int n_index;
    const carom_syntax *index[3];
} carom_declared;
/// Parses a declared name; refuses reserved words (t, pi, der, if, sum, and, or, not, functions)
/// and bad letters.
carom_status carom_syntax_declared(carom_arena *arena, carom_text text, carom_declared *declared,
                                   carom_error *error);

/// An index variable with its value.
typedef struct carom_index {
    const char *name;
    int value;
} carom_index;

/// What names mean while a tree is turned into a graph.
typedef struct carom_names {
    void *self;
    /// The node of a name (with n_index indices, which follow it or fill its brackets, as in
    /// "b[,].x"); false where there is none.
    bool (*find)(void *self, const char *name, const int *index, int n_index, carom_ref *ref);
    /// The three nodes of a name that is a vector (-1 = it lacks this component); false where it is
    /// none. May be NULL.
    bool (*find_vector)(void *self, const char *name, const int *index, int n_index,
                        carom_ref *ref);
    /// The number of a table, or -1.
    int (*find_table)(void *self, const char *name);
    /// Says why a name is not known, with a suggestion: "unknown name 'tht1'
    /// (did you mean 'th1'?)".
    void (*explain)(void *self, const char *name, const int *index, int n_index, char *buffer,
                    size_t room);
    const carom_index *index; ///< index variables in force, usable as numbers
    int n_index;
    const char *no_rates; ///< NULL where der() and expressions with rates are allowed, else why not
    const char *no_time;  ///< NULL where t is allowed, else why not
    /// What to say where a condition stands in place of the whole; may be NULL.
    const char *no_condition;
    const char
        *own_name; ///< a name that the text at hand knows, where nothing else has it; or NULL
    carom_ref own; ///< its node
    /// Called where live parameters stand in place of a number that must be known (an index, an
    /// exponent): says so and returns the status; NULL = there are none.
    carom_status (*refuse_live)(void *keeper, carom_ref ref, carom_place place, const char *what);
    void *keeper;
} carom_names;

carom_status carom_syntax_elaborate(carom_graph *graph, const carom_syntax *syntax,
                                    const carom_names *names, carom_ref *ref, carom_error *error);

/// The same for a vector: ref (3).
carom_status carom_syntax_elaborate_vector(carom_graph *graph, const carom_syntax *syntax,
                                           const carom_names *names, carom_ref *ref,
                                           carom_error *error);

/// The same for a condition ("x < 0 and not y > 1"): the node is 1 where it holds, else 0.
carom_status carom_syntax_elaborate_condition(carom_graph *graph, const carom_syntax *syntax,
                                              const carom_names *names, carom_ref *ref,
                                              carom_error *error);

/// Whether a word is reserved.
bool carom_syntax_is_reserved(const char *word);

#endif
