// SPDX-License-Identifier: Apache-2.0
// The inside of a tape. Every value has its own place: first constants, then symbols, then one per
// instruction.
#ifndef CAROM_EXPR_TAPE_PROGRAM_H
#define CAROM_EXPR_TAPE_PROGRAM_H

#include "expr/tape.h"

/// Instructions beyond the operations of the graph: neighbours done at once, each operation rounded
/// as if alone.
enum {
    CAROM_FUSED_SINCOS = CAROM_OP_TABLE + 1, ///< out = sin a, d = cos a
    CAROM_FUSED_MUL_ADD,                     ///< a b + c
    CAROM_FUSED_MUL_SUB,                     ///< a b - c
    CAROM_FUSED_SUB_MUL,                     ///< c - a b
    CAROM_FUSED_MUL_ADD_MUL,                 ///< a b + c d
    CAROM_FUSED_MUL_SUB_MUL,                 ///< a b - c d
    CAROM_FUSED_MUL_MUL,                     ///< (a b) c
    CAROM_FUSED_ADD_ADD,                     ///< (a + b) + c
    CAROM_FUSED_ADD_MUL,                     ///< (a + b) c
    CAROM_FUSED_DIFF_MUL,                    ///< (a - b) c
    CAROM_FUSED_NEG_MUL,                     ///< -(a b)
    CAROM_FUSED_END                          ///< the program, or its first part, is over
};

typedef struct carom_instruction {
    int op;
    int out;
    int a, b, c, d;
} carom_instruction;

typedef struct carom_load {
    int slot;
    int index; ///< of the symbol, or the offset in the results
    carom_ref ref;
} carom_load;

struct carom_tape {
    int n;
    int n_still; ///< instructions of the first part, which depends on t and q only; an end follows
    bool still_needs_t;
    carom_instruction *program; ///< (n + 2)
    carom_ref *ref;             ///< (n) the node each instruction computes
    double *value;              ///< one per slot
    int n_slot, n_constant;
    carom_ref *constant;              ///< (n_constant) the node of each constant slot
    int n_load[CAROM_N_SYMBOL];       ///< symbols to fetch, by kind
    carom_load *load[CAROM_N_SYMBOL]; ///< pieces of one list
    int n_store, n_fixed;             ///< targets that change and targets that are constants
    int n_store_still;                ///< the first of store: those of the first part
    carom_load *store, *fixed;
    int n_table;
    carom_spline **table; ///< own copies, by number; NULL where not used
};

#endif
