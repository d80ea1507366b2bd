// SPDX-License-Identifier: Apache-2.0
// Running a tape: fetch the symbols, go through the instructions once, store the results.
#include "expr/operation.h"
#include "expr/tape_program.h"

#include <math.h>

// the two calls stand together so that the compiler makes one of them
static inline void sine_and_cosine(double x, double *sine, double *cosine)
{
    *sine = sin(x);
    *cosine = cos(x);
}

static void fetch(const carom_load *load, int n, const double *from, double *value)
{
    for (int i = 0; i < n; i++) value[load[i].slot] = from[load[i].index];
}

// instructions that are seldom used, or slow anyway
static double rare_value(const carom_tape *tape, const carom_instruction *i)
{
    const double *v = tape->value;
    if (i->op == CAROM_OP_TABLE) return carom_spline_at(tape->table[i->c], v[i->a], i->b);
    const int arity = carom_operation_arity((carom_op)i->op);
    return carom_operation_value((carom_op)i->op, v[i->a], arity > 1 ? v[i->b] : 0,
                                 arity > 2 ? v[i->c] : 0);
}

// the instruction at hand and all that follow of the same kind
#define EACH(work)                                                                                 \
    do {                                                                                           \
        work;                                                                                      \
        i++;                                                                                       \
    } while (i->op == op);                                                                         \
    break;

static void run_program(const carom_tape *tape, const carom_instruction *i)
{
    double *const v = tape->value;
    for (;;) {
        const int op = i->op;
        // clang-format off
        switch (op) {
        case CAROM_OP_ADD: EACH(v[i->out] = v[i->a] + v[i->b])
        case CAROM_OP_SUB: EACH(v[i->out] = v[i->a] - v[i->b])
        case CAROM_OP_MUL: EACH(v[i->out] = v[i->a] * v[i->b])
        case CAROM_OP_DIV: EACH(v[i->out] = v[i->a] / v[i->b])
        case CAROM_OP_NEG: EACH(v[i->out] = -v[i->a])
        case CAROM_OP_SQRT: EACH(v[i->out] = sqrt(v[i->a]))
        case CAROM_OP_ABS: EACH(v[i->out] = fabs(v[i->a]))
        case CAROM_OP_LT: EACH(v[i->out] = v[i->a] < v[i->b])
        case CAROM_OP_LE: EACH(v[i->out] = v[i->a] <= v[i->b])
        case CAROM_OP_IF: EACH(v[i->out] = v[i->a] != 0 ? v[i->b] : v[i->c])
        case CAROM_FUSED_SINCOS: EACH(sine_and_cosine(v[i->a], &v[i->out], &v[i->d]))
        case CAROM_FUSED_MUL_ADD: EACH(v[i->out] = v[i->a] * v[i->b] + v[i->c])
        case CAROM_FUSED_MUL_SUB: EACH(v[i->out] = v[i->a] * v[i->b] - v[i->c])
        case CAROM_FUSED_SUB_MUL: EACH(v[i->out] = v[i->c] - v[i->a] * v[i->b])
        case CAROM_FUSED_MUL_ADD_MUL: EACH(v[i->out] = v[i->a] * v[i->b] + v[i->c] * v[i->d])
        case CAROM_FUSED_MUL_SUB_MUL: EACH(v[i->out] = v[i->a] * v[i->b] - v[i->c] * v[i->d])
        case CAROM_FUSED_MUL_MUL: EACH(v[i->out] = v[i->a] * v[i->b] * v[i->c])
        case CAROM_FUSED_ADD_ADD: EACH(v[i->out] = v[i->a] + v[i->b] + v[i->c])
        case CAROM_FUSED_ADD_MUL: EACH(v[i->out] = (v[i->a] + v[i->b]) * v[i->c])
        case CAROM_FUSED_DIFF_MUL: EACH(v[i->out] = (v[i->a] - v[i->b]) * v[i->c])
        case CAROM_FUSED_NEG_MUL: EACH(v[i->out] = -(v[i->a] * v[i->b]))
        case CAROM_FUSED_END: return;
        default: v[i->out] = rare_value(tape, i); i++; break;
        }
        // clang-format on
    }
}

static void fetch_rates(carom_tape *tape, const carom_inputs *inputs)
{
    fetch(tape->load[CAROM_TIME], tape->n_load[CAROM_TIME], &inputs->t, tape->value);
    fetch(tape->load[CAROM_U], tape->n_load[CAROM_U], inputs->u, tape->value);
    fetch(tape->load[CAROM_A], tape->n_load[CAROM_A], inputs->a, tape->value);
    fetch(tape->load[CAROM_P], tape->n_load[CAROM_P], inputs->P, tape->value);
}

static void compute(carom_tape *tape, const carom_inputs *inputs)
{
    fetch_rates(tape, inputs);
    fetch(tape->load[CAROM_Q], tape->n_load[CAROM_Q], inputs->q, tape->value);
    run_program(tape, tape->program);
    run_program(tape, tape->program + tape->n_still + 1);
}

void carom_tape_run(carom_tape *tape, const carom_inputs *inputs, double *result)
{
    compute(tape, inputs);
    for (int i = 0; i < tape->n_store; i++)
        result[tape->store[i].index] = tape->value[tape->store[i].slot];
}

void carom_tape_run_still(carom_tape *tape, const carom_inputs *inputs, double *result)
{
    fetch(tape->load[CAROM_TIME], tape->n_load[CAROM_TIME], &inputs->t, tape->value);
    fetch(tape->load[CAROM_Q], tape->n_load[CAROM_Q], inputs->q, tape->value);
    run_program(tape, tape->program);
    for (int i = 0; i < tape->n_store_still; i++)
        result[tape->store[i].index] = tape->value[tape->store[i].slot];
}

void carom_tape_run_rates(carom_tape *tape, const carom_inputs *inputs, double *result)
{
    fetch_rates(tape, inputs);
    run_program(tape, tape->program + tape->n_still + 1);
    for (int i = tape->n_store_still; i < tape->n_store; i++)
        result[tape->store[i].index] = tape->value[tape->store[i].slot];
}

bool carom_tape_needs_t(const carom_tape *tape)
{
    return tape->still_needs_t;
}

bool carom_tape_is_constant(const carom_tape *tape)
{
    return tape->n_store == 0;
}

void carom_tape_constants(const carom_tape *tape, double *result)
{
    for (int i = 0; i < tape->n_fixed; i++)
        result[tape->fixed[i].index] = tape->value[tape->fixed[i].slot];
}

int carom_tape_length(const carom_tape *tape)
{
    return tape->n;
}

carom_ref carom_tape_blame(carom_tape *tape, const carom_inputs *inputs)
{
    const double *v = tape->value;
    compute(tape, inputs);
    for (int kind = 0; kind < CAROM_N_SYMBOL; kind++)
        for (int i = 0; i < tape->n_load[kind]; i++)
            if (!isfinite(v[tape->load[kind][i].slot])) return tape->load[kind][i].ref;
    for (int i = 0; i < tape->n_constant; i++)
        if (!isfinite(v[i])) return tape->constant[i];
    for (int i = 0; i < tape->n; i++)
        if (!isfinite(v[tape->program[i + (i >= tape->n_still)].out])) return tape->ref[i];
    return -1;
}
