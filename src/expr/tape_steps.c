// SPDX-License-Identifier: Apache-2.0
// What the instructions of a tape do, one function for each. A function ends with a call of the
// next one, which compilers turn into a jump: from instruction to instruction there are two machine
// instructions, and no loop. Where they do not (without optimisation), the pauses in the program
// keep the stack small.
#include "expr/operation.h"
#include "expr/tape_program.h"

#include <math.h>
#include <string.h>

#define STEP(name)                                                                                 \
    static const carom_instruction *name(const carom_instruction *next, carom_tape *t,             \
                                         double *result)
// Where to go is read before the work is done: compilers then need fewer registers, and the
// processor knows it early.
#define DO(work)                                                                                   \
    {                                                                                              \
        const carom_instruction *const i = next - 1;                                               \
        carom_step *const step = next->step;                                                       \
        work;                                                                                      \
        return step(next + 1, t, result);                                                          \
    }
// an operation twice: for a value that others need, and for an answer
#define OPERATION(name, what)                                                                      \
    STEP(name##_value) DO(t->value[i->out] = what) STEP(name##_answer) DO(result[i->out] = what)
#define A t->value[i->a]
#define B t->value[i->b]
#define C t->value[i->c]
#define D t->value[i->d]

// trees: every outer operation of every two inner ones, in the order of their codes
#define ONLY(x, y) x
#define SUM(x, y) (x + y)
#define DIFFERENCE(x, y) (x - y)
#define PRODUCT(x, y) (x * y)
#define QUOTIENT(x, y) (x / y)
#define EACH_RIGHT(what, outer, left)                                                              \
    what(outer, left, ONLY) what(outer, left, SUM) what(outer, left, DIFFERENCE)                   \
        what(outer, left, PRODUCT)
#define EACH_LEFT(what, outer)                                                                     \
    EACH_RIGHT(what, outer, ONLY)                                                                  \
    EACH_RIGHT(what, outer, SUM)                                                                   \
    EACH_RIGHT(what, outer, DIFFERENCE)                                                            \
    EACH_RIGHT(what, outer, PRODUCT)
#define EACH_TREE(what)                                                                            \
    EACH_LEFT(what, SUM)                                                                           \
    EACH_LEFT(what, DIFFERENCE) EACH_LEFT(what, PRODUCT) EACH_LEFT(what, QUOTIENT)
#define TREE(outer, left, right) OPERATION(outer##left##right, outer(left(A, B), right(C, D)))
EACH_TREE(TREE)

OPERATION(negative_product, -(A *B))
OPERATION(negative, -A)
OPERATION(sine, sin(A))
OPERATION(cosine, cos(A))
OPERATION(root, sqrt(A))
OPERATION(size, fabs(A))
OPERATION(less, A < B)
OPERATION(less_or_equal, A <= B)
OPERATION(choice, A != 0 ? B : C)
OPERATION(table, carom_spline_at(t->table[i->c], A, i->b))
// operations that are seldom used, or slow anyway
OPERATION(other, carom_operation_value((carom_op)i->d, A, B, C))

// the two calls stand together so that the compiler makes one of them; neighbours of the same kind
// need not save the registers again
STEP(sine_and_cosine)
{
    carom_step *const self = next[-1].step, *step;
    do {
        const carom_instruction *const i = next++ - 1;
        const double x = A;
        step = i[1].step;
        t->value[i->out] = sin(x);
        t->value[i->d] = cos(x);
    } while (step == self);
    return step(next, t, result);
}

STEP(fetch_time)
DO(t->value[i->out] = t->inputs->t)

    static const double *symbols(const carom_inputs *inputs, const carom_instruction *i)
{
    return *(const double *const *)((const char *)inputs + i->a) + i->b;
}

#define FETCH(n) memcpy(&t->value[i->out], symbols(t->inputs, i), (n) * sizeof(double))
STEP(fetch_1)
DO(FETCH(1)) STEP(fetch_2) DO(FETCH(2)) STEP(fetch_3) DO(FETCH(3)) STEP(fetch_4) DO(FETCH(4))
    STEP(store) DO(result[i->out] = A; result[i->b] = C) STEP(repeat)
        DO(result[i->out] = result[i->a]; result[i->b] = result[i->c])

            STEP(pause)
{
    (void)t;
    (void)result;
    return next;
}

STEP(end)
{
    (void)next;
    (void)t;
    (void)result;
    return NULL;
}

carom_step *carom_tape_step(int code, bool is_answer)
{
#define BOTH(name)                                                                                 \
    {                                                                                              \
        name##_value, name##_answer                                                                \
    }
#define SAME(name)                                                                                 \
    {                                                                                              \
        name, name                                                                                 \
    }
#define TREE_ROW(outer, left, right) BOTH(outer##left##right),
    static carom_step *const tree[][2] = {EACH_TREE(TREE_ROW)};
    static carom_step *const row[CAROM_N_CODE][2] = {
        [CAROM_CODE_NEG_MUL] = BOTH(negative_product),
        [CAROM_OP_NEG] = BOTH(negative),
        [CAROM_OP_SIN] = BOTH(sine),
        [CAROM_OP_COS] = BOTH(cosine),
        [CAROM_OP_SQRT] = BOTH(root),
        [CAROM_OP_ABS] = BOTH(size),
        [CAROM_OP_LT] = BOTH(less),
        [CAROM_OP_LE] = BOTH(less_or_equal),
        [CAROM_OP_IF] = BOTH(choice),
        [CAROM_OP_TABLE] = BOTH(table),
        [CAROM_CODE_SINCOS] = SAME(sine_and_cosine),
        [CAROM_CODE_FETCH_TIME] = SAME(fetch_time),
        [CAROM_CODE_FETCH] = SAME(fetch_1),
        [CAROM_CODE_FETCH + 1] = SAME(fetch_2),
        [CAROM_CODE_FETCH + 2] = SAME(fetch_3),
        [CAROM_CODE_FETCH + 3] = SAME(fetch_4),
        [CAROM_CODE_STORE] = SAME(store),
        [CAROM_CODE_REPEAT] = SAME(repeat),
        [CAROM_CODE_PAUSE] = SAME(pause),
        [CAROM_CODE_END] = SAME(end),
    };
    if (code >= CAROM_CODE_TREE && code < CAROM_CODE_NEG_MUL)
        return tree[code - CAROM_CODE_TREE][is_answer];
    return row[code][0] ? row[code][is_answer] : is_answer ? other_answer : other_value;
}
