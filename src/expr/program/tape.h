// SPDX-License-Identifier: Apache-2.0
// A straight-line program for a set of expressions: each common subexpression once, sine and cosine
// of one argument together, no branches, no allocation when run.
#ifndef CAROM_EXPR_TAPE_H
#define CAROM_EXPR_TAPE_H

#include "carom/point.h"
#include "expr/graph.h"

typedef struct carom_tape carom_tape;

/// One wanted value: where it goes in the block of results.
typedef struct carom_target {
    carom_ref ref;
    int offset;
} carom_target;

/// Values of the symbols, by kind; may be NULL where a tape does not use the kind.
typedef carom_point carom_inputs;

carom_status carom_tape_new(const carom_graph *graph, const carom_target *target, int n_target,
                            carom_tape **tape, carom_error *error);
void carom_tape_free(carom_tape *tape);
/// What is firm (graph.h) and used by something that is not: its values come from outside, before
/// the first run and whenever they change.
int carom_tape_n_firm(const carom_tape *tape);
carom_ref carom_tape_firm(const carom_tape *tape, int i);
/// Takes value[number[i]] for the i-th.
void carom_tape_take_firm(carom_tape *tape, const double *value, const int *number);
/// Writes the targets that are constants or firm; they are not written again by run.
void carom_tape_constants(const carom_tape *tape, double *result);
/// Computes all other targets. These three are answers of a program (carom_answer in model/model.h)
/// as they are, without a call between: tape is a carom_tape, and they return false, because they
/// do not know whether the results are finite.
bool carom_tape_run(void *tape, const carom_inputs *inputs, double *result);
/// The same where t and q are as in the last run (t only if carom_tape_needs_t): what does not
/// depend on u, a or P is neither computed nor written again.
bool carom_tape_run_rates(void *tape, const carom_inputs *inputs, double *result);
/// Computes and writes only what does not depend on u, a or P; run_rates does the rest.
bool carom_tape_run_still(void *tape, const carom_inputs *inputs, double *result);
/// Whether something depends on t and on none of u, a, P.
bool carom_tape_needs_t(const carom_tape *tape);
/// Whether anything depends on t.
bool carom_tape_uses_t(const carom_tape *tape);
/// Whether nothing depends on more than t and q.
bool carom_tape_is_still(const carom_tape *tape);
/// Whether all targets are constants or firm.
bool carom_tape_is_constant(const carom_tape *tape);
/// Number of instructions, for measurements.
int carom_tape_length(const carom_tape *tape);
/// Runs without results: the first node that is not finite, symbols before all others, or -1.
carom_ref carom_tape_blame(carom_tape *tape, const carom_inputs *inputs);

#endif
