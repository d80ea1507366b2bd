// SPDX-License-Identifier: Apache-2.0
// The shared expression graph: every distinct expression is one node (hash-consed, simplified when
// made), children have smaller numbers than their parents, so that every algorithm is a loop over
// numbers and none recurses.
#ifndef CAROM_EXPR_GRAPH_H
#define CAROM_EXPR_GRAPH_H

#include "carom/limits.h"
#include "math/spline.h"

typedef int
    carom_ref; ///< a node of the graph; negative = none (memory ran out: carom_graph_status tells)

/// What a symbol stands for.
typedef enum carom_symbol {
    CAROM_TIME,      ///< t (index 0)
    CAROM_Q,         ///< coordinate
    CAROM_U,         ///< its rate
    CAROM_A,         ///< a factor on the columns of M, for d(M a)/dq
    CAROM_P,         ///< a factor on the rows, for d(W'P)/dq
    CAROM_PARAMETER, ///< a live parameter: one value for a whole run
    CAROM_R          ///< an entry of a rotation matrix, see rotation_nodes.h; counts as
                     ///< CAROM_Q in kinds
} carom_symbol;
enum { CAROM_N_SYMBOL = 7 };

// clang-format off
/// All operations: name, number of children that are nodes (a table has one), name or sign in text.
/// New ones come last: the numbers of the others are part of a model's fingerprint.
#define CAROM_OPERATIONS(ROW)                                                                      \
    ROW(NUMBER, 0, "number") ROW(SYMBOL, 0, "symbol")                                              \
    ROW(ADD, 2, " + ")       ROW(SUB, 2, " - ")                                                    \
    ROW(MUL, 2, "*")         ROW(DIV, 2, "/")                                                      \
    ROW(NEG, 1, "-")                                                                               \
    ROW(POW, 2, "^")         /* general power; whole-number powers become products */              \
    ROW(SIN, 1, "sin")       ROW(COS, 1, "cos")     ROW(TAN, 1, "tan")                             \
    ROW(ASIN, 1, "asin")     ROW(ACOS, 1, "acos")   ROW(ATAN, 1, "atan")                           \
    ROW(ATAN2, 2, "atan2")                                                                         \
    ROW(SINH, 1, "sinh")     ROW(COSH, 1, "cosh")   ROW(TANH, 1, "tanh")                           \
    ROW(EXP, 1, "exp")       ROW(LOG, 1, "log")     ROW(SQRT, 1, "sqrt")                           \
    ROW(ABS, 1, "abs")       ROW(SIGN, 1, "sign")                                                  \
    ROW(MIN, 2, "min")       ROW(MAX, 2, "max")                                                    \
    ROW(STEP, 1, "step")     /* 1 where x >= 0, else 0 */                                          \
    ROW(LT, 2, " < ")        ROW(LE, 2, " <= ")     /* comparisons and logic give 1 or 0 */        \
    ROW(EQ, 2, " == ")       ROW(NE, 2, " != ")                                                    \
    ROW(AND, 2, " and ")     ROW(OR, 2, " or ")     ROW(NOT, 1, "not ")                            \
    ROW(IF, 3, "if")         /* a ? b : c */                                                       \
    ROW(TABLE, 1, "table")   /* table number c, derivative order in b, at a */                     \
    ROW(HYPOT, 2, "hypot")                                                                         \
    ROW(FLOOR, 1, "floor")   /* the largest whole number that is not above x */                    \
    ROW(MOD, 2, "mod")       /* a - b*floor(a/b) */
// clang-format on

#define CAROM_OPERATION_NAME(name, arity, text) CAROM_OP_##name,
#define CAROM_OPERATION_COUNT(name, arity, text) +1
/// A switch over it in src/expr lists them all: one that is forgotten does not compile.
typedef enum carom_op { CAROM_OPERATIONS(CAROM_OPERATION_NAME) } carom_op;
enum { CAROM_N_OPERATION = CAROM_OPERATIONS(CAROM_OPERATION_COUNT) };

typedef struct carom_graph carom_graph;

carom_graph *carom_graph_new(void);
void carom_graph_free(carom_graph *graph);
/// Keeps within these limits (nodes, terms, seconds from now on) in place of the defaults.
void carom_graph_limit(carom_graph *graph, const carom_limits *limits);
/// The limits kept.
const carom_limits *carom_graph_limits(const carom_graph *graph);
/// Counts work that makes no node against the limit of time.
void carom_graph_spend(carom_graph *graph, int n);
/// Counts terms of sums that are to be written out; false where they are too many.
bool carom_graph_take_terms(carom_graph *graph, double n);
/// CAROM_NO_MEMORY once a node could not be made, else CAROM_OK.
carom_status carom_graph_status(const carom_graph *graph);
/// Says why not: memory ran out, or a limit was met (CAROM_BAD_INPUT).
carom_status carom_graph_fail(const carom_graph *graph, carom_place place, carom_error *error);
int carom_graph_size(const carom_graph *graph);

carom_ref carom_graph_number(carom_graph *graph, double value);
carom_ref carom_graph_symbol(carom_graph *graph, carom_symbol kind, int index);
/// Any other node; unused children are -1. Simplifies: constants, 0 and 1, signs, whole powers,
/// sorted operands.
carom_ref carom_graph_make(carom_graph *graph, carom_op op, carom_ref a, carom_ref b, carom_ref c);
static inline carom_ref carom_graph_add(carom_graph *g, carom_ref a, carom_ref b)
{
    return carom_graph_make(g, CAROM_OP_ADD, a, b, -1);
}
static inline carom_ref carom_graph_sub(carom_graph *g, carom_ref a, carom_ref b)
{
    return carom_graph_make(g, CAROM_OP_SUB, a, b, -1);
}
static inline carom_ref carom_graph_mul(carom_graph *g, carom_ref a, carom_ref b)
{
    return carom_graph_make(g, CAROM_OP_MUL, a, b, -1);
}
/// Sum of many, as a balanced tree; n = 0 gives 0.
carom_ref carom_graph_sum(carom_graph *graph, const carom_ref *term, int n);

/// Takes a table (copied); returns its number for CAROM_OP_TABLE, or -1. name is for messages.
int carom_graph_add_table(carom_graph *graph, const char *name, const carom_spline *spline);

bool carom_graph_is_number(const carom_graph *graph, carom_ref ref, double *value);
static inline bool carom_graph_is_zero(const carom_graph *graph, carom_ref ref)
{
    double value;
    return carom_graph_is_number(graph, ref, &value) && value == 0;
}
/// Bit (1 << kind) for every kind of symbol the expression contains.
unsigned carom_graph_kinds(const carom_graph *graph, carom_ref ref);
/// Whether an expression is firm: a number, or made of live parameters alone. It is worked out once
/// for each set of their values (program/firm.h).
static inline bool carom_graph_is_firm(const carom_graph *graph, carom_ref ref)
{
    return ref >= 0 && !(carom_graph_kinds(graph, ref) & ~(1u << CAROM_PARAMETER));
}
/// Whether it depends on more than t, q and parameters.
static inline bool carom_graph_moves(const carom_graph *graph, carom_ref ref)
{
    const unsigned still = 1u << CAROM_TIME | 1u << CAROM_Q | 1u << CAROM_PARAMETER;
    return (carom_graph_kinds(graph, ref) & ~still) != 0;
}
/// Whether it contains this symbol.
bool carom_graph_has_symbol(carom_graph *graph, carom_ref ref, carom_symbol kind, int index);
/// The expression as text, shortened with "..." where room is short. name gives
/// the text of a symbol.
typedef void carom_symbol_namer(void *self, carom_symbol kind, int index, char *buffer,
                                size_t room);
void carom_graph_print(const carom_graph *graph, carom_ref ref, carom_symbol_namer *name,
                       void *self, char *buffer, size_t room);

/// Nonzero partial derivatives, by increasing symbol index.
typedef struct carom_gradient {
    int n;
    const int *index;
    const carom_ref *ref;
} carom_gradient;
/// Partial derivatives of root with respect to every symbol of a kind that it contains (one reverse
/// sweep over root's own nodes). Structural zeros are left out. The result is valid until the next
/// call on this graph. For CAROM_Q these are the derivatives along the velocities, by their numbers
/// (rotation_nodes.h).
carom_status carom_graph_gradient(carom_graph *graph, carom_ref root, carom_symbol kind,
                                  carom_gradient *gradient);
/// Partial derivative with respect to one symbol; for CAROM_Q along the velocity of that number.
carom_ref carom_graph_derivative(carom_graph *graph, carom_ref root, carom_symbol kind, int index);
/// Total time derivative at constant u: sum of u_i D_i (for plain coordinates d/dq_i) plus d/dt.
/// Shared and remembered.
carom_ref carom_graph_rate(carom_graph *graph, carom_ref root);
/// A function that is positive where a condition holds and negative where it does not, whose roots
/// are the places where it changes.
carom_ref carom_graph_margin(carom_graph *graph, carom_ref condition);
/// What a symbol becomes: a node (may be ref itself); it must not walk the graph.
typedef carom_ref carom_symbol_value(void *user, carom_ref ref, carom_symbol kind, int index);
/// root with all symbols replaced so; its cost follows the size of the root.
carom_ref carom_graph_replace_symbols(carom_graph *graph, carom_ref root, carom_symbol_value *value,
                                      void *user);
/// root with the nodes from[i] replaced by to[i].
carom_ref carom_graph_replace(carom_graph *graph, carom_ref root, const carom_ref *from,
                              const carom_ref *to, int n);
/// root with every symbol of the kind replaced by 0.
carom_ref carom_graph_without(carom_graph *graph, carom_ref root, carom_symbol kind);

// for the tape and the printer
carom_op carom_graph_op(const carom_graph *graph, carom_ref ref);
/// Child 0, 1 or 2 (-1 = none); for symbols child 0 is the kind and child 1 the index.
int carom_graph_child(const carom_graph *graph, carom_ref ref, int which);
int carom_graph_n_table(const carom_graph *graph);
const carom_spline *carom_graph_table(const carom_graph *graph, int table);
const char *carom_graph_table_name(const carom_graph *graph, int table);

#endif
