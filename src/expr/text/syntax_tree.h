// SPDX-License-Identifier: Apache-2.0
// The syntax tree. Chains (a + b - c, a*b/c, a and b) are one node with many children, so that
// depth comes from parentheses only; a child says by op how it is joined to those before it.
#ifndef CAROM_EXPR_SYNTAX_TREE_H
#define CAROM_EXPR_SYNTAX_TREE_H

#include "expr/text/functions.h"
#include "expr/text/syntax.h"

typedef enum carom_syntax_kind {
    CAROM_SYNTAX_NUMBER,
    CAROM_SYNTAX_NAME, ///< children: indices
    CAROM_SYNTAX_TIME,
    CAROM_SYNTAX_CHAIN, ///< sums and products
    CAROM_SYNTAX_NEGATIVE,
    CAROM_SYNTAX_POWER,
    CAROM_SYNTAX_FUNCTION, ///< function says which
    CAROM_SYNTAX_TABLE,    ///< name(argument), a table if there is one of that name
    CAROM_SYNTAX_IF,
    CAROM_SYNTAX_RATE,    ///< der(expression)
    CAROM_SYNTAX_LIST,    ///< [x, y, z], a vector
    CAROM_SYNTAX_SUM,     ///< sum(name, child 0, child 1, child 2)
    CAROM_SYNTAX_COMPARE, ///< op of the second child; the kinds from here on are conditions
    CAROM_SYNTAX_LOGIC,   ///< chain of and, or
    CAROM_SYNTAX_NOT
} carom_syntax_kind;

struct carom_syntax {
    carom_syntax_kind kind;
    carom_op op;     ///< how it is joined to its elder siblings
    bool is_swapped; ///< a comparison written as > or >=
    int n_child;
    carom_place place;
    double number;
    const char *name;
    const carom_function *function;
    carom_syntax *child, *last, *next;
};

enum { CAROM_MOST_INDICES = 3 };

static inline bool carom_syntax_is_condition(const carom_syntax *syntax)
{
    return syntax->kind >= CAROM_SYNTAX_COMPARE;
}

#endif
