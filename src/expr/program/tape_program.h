// SPDX-License-Identifier: Apache-2.0
// The inside of a tape: instructions one after the other, each with the address of the code that
// does it (tape_steps.c), which goes on to the next by itself. A value that an instruction or a
// copy needs has a place of its own: first symbols, then numbers, then firm values, then results of
// instructions. An answer that nothing else needs goes straight to the block of results.
#ifndef CAROM_EXPR_TAPE_PROGRAM_H
#define CAROM_EXPR_TAPE_PROGRAM_H

#include "expr/program/tape.h"

/// What instructions do beyond the operations of the graph. Neighbours done at once are rounded as
/// if alone.
enum {
    CAROM_TREE_INNER = 4, ///< an operand of a tree: a value, a sum, a difference, a product
    CAROM_TREE_OUTER = 4, ///< a tree: sum, difference, product or quotient of two such operands
    CAROM_CODE_TREE = CAROM_N_OPERATION, ///< + (outer * 4 + left) * 4 + right: of (a, b) and (c, d)
    CAROM_CODE_NEG_MUL = CAROM_CODE_TREE + CAROM_TREE_OUTER * CAROM_TREE_INNER * CAROM_TREE_INNER,
    CAROM_CODE_SINCOS,     ///< out = sin a, d = cos a
    CAROM_CODE_FETCH_TIME, ///< out = t
    CAROM_CODE_FETCH,      ///< + n - 1: n symbols from number b on, of the kind a bytes into inputs
    CAROM_FETCH_MOST = 4,  ///< the largest n
    CAROM_CODE_STORE = CAROM_CODE_FETCH + CAROM_FETCH_MOST, ///< results out, b = values a, c
    CAROM_CODE_STORE_TWO,                                   ///< also those behind them
    CAROM_CODE_REPEAT,                                      ///< results out, b = results a, c
    CAROM_CODE_REPEAT_TWO,                                  ///< also those behind them
    CAROM_CODE_PAUSE,                                       ///< back to the caller, who goes on
    CAROM_CODE_SEAM,                                        ///< the first part is over
    CAROM_CODE_END,                                         ///< all is over
    CAROM_N_CODE
};

/// What becomes of an instruction's result, for the search for values that are not finite.
enum {
    CAROM_ROLE_FETCH,  ///< values from outside
    CAROM_ROLE_VALUE,  ///< a value
    CAROM_ROLE_ANSWER, ///< an answer, not kept as a value
    CAROM_ROLE_COPY    ///< nothing new
};

typedef struct carom_instruction carom_instruction;
/// Does the instruction before next, and next and those that follow; returns where to
/// go on, NULL = it is over.
typedef const carom_instruction *carom_tape_step(const carom_instruction *next, carom_tape *tape,
                                                 double *result);
struct carom_instruction {
    carom_tape_step *step;
    int out; ///< number of a value, or offset in the results
    int a, b, c, d;
    unsigned role : 4, node : 28;
};
enum {
    CAROM_NODE_BITS = 28,
    CAROM_TAPE_STRETCH = 1024 ///< instructions from one pause to the next
};

struct carom_tape {
    int n, n_operation; ///< all instructions, and those that compute
    int n_still;        ///< instructions of the first part: it depends on t and q only
    bool still_needs_t, uses_t;
    carom_instruction *program; ///< (n)
    int n_symbol, n_constant;   ///< the first values; constants are numbers and firm ones
    int n_firm;                 ///< the last constants: values that the caller gives
    carom_ref *given;           ///< (n_symbol + n_constant) their nodes
    int n_changing, n_fixed;    ///< targets that change and targets that are constants
    struct carom_fixed {
        int place, offset; ///< in value, in the results
    } * fixed;
    int n_table;
    carom_spline **table;       ///< own copies, by number; NULL where not used
    const carom_inputs *inputs; ///< of the run at hand
    bool goes_on;               ///< it has both parts
    double value[];
};

/// What does an operation of the graph or one of the codes above; is_answer: it writes to the
/// results; is_run: neighbours of its kind follow.
carom_tape_step *carom_tape_find_step(int code, bool is_answer, bool is_run);
/// Runs from i on to the end, from pause to pause.
void carom_tape_run_long(carom_tape *tape, const carom_instruction *i, double *result);

#endif
