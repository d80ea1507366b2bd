// SPDX-License-Identifier: Apache-2.0
// Running a tape, and asking it what is wrong.
#include "expr/program/tape_program.h"

#include <math.h>

// a short program has no pauses
static inline void run(carom_tape *tape, const carom_instruction *i, const carom_inputs *inputs,
                       double *result)
{
    tape->inputs = inputs;
    if (tape->n < CAROM_TAPE_STRETCH)
        i->step(i + 1, tape, result);
    else
        carom_tape_run_long(tape, i, result);
}

bool carom_tape_run(void *tape, const carom_inputs *inputs, double *result)
{
    carom_tape *own = tape;
    own->goes_on = true;
    run(own, own->program, inputs, result);
    return false;
}

bool carom_tape_run_still(void *tape, const carom_inputs *inputs, double *result)
{
    carom_tape *own = tape;
    own->goes_on = false;
    run(own, own->program, inputs, result);
    return false;
}

bool carom_tape_run_rates(void *tape, const carom_inputs *inputs, double *result)
{
    carom_tape *own = tape;
    run(own, own->program + own->n_still, inputs, result);
    return false;
}

int carom_tape_n_firm(const carom_tape *tape)
{
    return tape->n_firm;
}

static int first_firm(const carom_tape *tape)
{
    return tape->n_symbol + tape->n_constant - tape->n_firm;
}

carom_ref carom_tape_firm(const carom_tape *tape, int i)
{
    return tape->given[first_firm(tape) + i];
}

void carom_tape_take_firm(carom_tape *tape, const double *value, const int *number)
{
    double *own = tape->value + first_firm(tape);
    for (int i = 0; i < tape->n_firm; i++) own[i] = value[number[i]];
}

bool carom_tape_uses_t(const carom_tape *tape)
{
    return tape->uses_t;
}

bool carom_tape_is_still(const carom_tape *tape)
{
    return tape->n == tape->n_still + 1; // the end
}

bool carom_tape_needs_t(const carom_tape *tape)
{
    return tape->still_needs_t;
}

bool carom_tape_is_constant(const carom_tape *tape)
{
    return tape->n_changing == 0;
}

void carom_tape_constants(const carom_tape *tape, double *result)
{
    for (int i = 0; i < tape->n_fixed; i++)
        result[tape->fixed[i].offset] = tape->value[tape->fixed[i].place];
}

int carom_tape_length(const carom_tape *tape)
{
    return tape->n_operation;
}

// does one instruction alone and returns the value it makes; an answer does not go to the results
static double value_of(carom_tape *tape, const carom_instruction *i)
{
    double answer = 0;
    carom_instruction alone[2] = {*i, {.step = carom_tape_find_step(CAROM_CODE_END, false, false)}};
    if (i->role == CAROM_ROLE_ANSWER) alone[0].out = 0;
    alone[0].step(alone + 1, tape, &answer);
    return i->role == CAROM_ROLE_ANSWER ? answer : tape->value[i->out];
}

// Children have smaller numbers than their parents: the smallest number of all is where it began,
// in whatever order the instructions stand.
carom_ref carom_tape_blame(carom_tape *tape, const carom_inputs *inputs)
{
    carom_ref first = -1;
    tape->inputs = inputs;
    for (int k = 0; k < tape->n; k++)
        if (tape->program[k].role == CAROM_ROLE_FETCH) value_of(tape, &tape->program[k]);
    for (int k = 0; k < tape->n_symbol + tape->n_constant; k++)
        if (!isfinite(tape->value[k])) return tape->given[k];
    for (int k = 0; k < tape->n; k++) {
        const carom_instruction *i = &tape->program[k];
        if (i->role != CAROM_ROLE_VALUE && i->role != CAROM_ROLE_ANSWER) continue;
        if (isfinite(value_of(tape, i))) continue;
        if (first < 0 || (carom_ref)i->node < first) first = (carom_ref)i->node;
    }
    return first;
}
