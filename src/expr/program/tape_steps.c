// SPDX-License-Identifier: Apache-2.0
// What the instructions of a tape do, one function for each. A function ends with a call of the
// next one, which compilers turn into a jump: no loop, no table, no test. Where they do not
// (without optimisation), the pauses in the program keep the stack small.
#include "expr/operation.h"
#include "expr/program/tape_program.h"

#include <math.h>
#include <string.h>

#define SIGNATURE(name)                                                                            \
    static const carom_instruction *name(const carom_instruction *next, carom_tape *tape,          \
                                         double *result)
// Where to go is read before the work is done: the compiler needs fewer registers for both, and the
// processor knows it earlier.
#define STEP(name, work)                                                                           \
    SIGNATURE(name)                                                                                \
    {                                                                                              \
        const carom_instruction *const i = next - 1;                                               \
        carom_tape_step *const step = next->step;                                                  \
        work;                                                                                      \
        return step(next + 1, tape, result);                                                       \
    }
// the same for it and all neighbours of its kind
#define RUN(name, work)                                                                            \
    SIGNATURE(name)                                                                                \
    {                                                                                              \
        carom_tape_step *step;                                                                     \
        do {                                                                                       \
            const carom_instruction *const i = next - 1;                                           \
            step = next++->step;                                                                   \
            work;                                                                                  \
        } while (step == name);                                                                    \
        return step(next, tape, result);                                                           \
    }
// an operation in four forms: for a value that others need and for an answer, alone and in a run
#define OPERATION(name, what)                                                                      \
    STEP(name##_value, VALUE(out) = what)                                                          \
    STEP(name##_answer, result[i->out] = what)                                                     \
    RUN(name##_values, VALUE(out) = what)                                                          \
    RUN(name##_answers, result[i->out] = what)
#define VALUE(operand) tape->value[i->operand]

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
#define TREE(outer, left, right)                                                                   \
    OPERATION(outer##left##right, outer(left(VALUE(a), VALUE(b)), right(VALUE(c), VALUE(d))))
EACH_TREE(TREE)

OPERATION(negative_product, -(VALUE(a) * VALUE(b)))
OPERATION(negative, -VALUE(a))
OPERATION(sine, sin(VALUE(a)))
OPERATION(cosine, cos(VALUE(a)))
OPERATION(root, sqrt(VALUE(a)))
OPERATION(size, fabs(VALUE(a)))
OPERATION(less, VALUE(a) < VALUE(b))
OPERATION(less_or_equal, VALUE(a) <= VALUE(b))
OPERATION(choice, VALUE(a) != 0 ? VALUE(b) : VALUE(c))
OPERATION(table, carom_spline_at(tape->table[i->c], VALUE(a), i->b))
// operations that are seldom used, or slow anyway
OPERATION(other, carom_operation_value((carom_op)i->d, VALUE(a), VALUE(b), VALUE(c)))

// the two calls stand together so that the compiler makes one of them
static inline void sine_and_cosine_of(double x, double *sine, double *cosine)
{
    *sine = sin(x);
    *cosine = cos(x);
}
RUN(sine_and_cosine, sine_and_cosine_of(VALUE(a), &VALUE(out), &VALUE(d)))

static const double *symbols(const carom_inputs *inputs, const carom_instruction *i)
{
    return *(const double *const *)((const char *)inputs + i->a) + i->b;
}

#define FETCH(n) memcpy(&VALUE(out), symbols(tape->inputs, i), (n) * sizeof(double))
STEP(fetch_1, FETCH(1))
STEP(fetch_2, FETCH(2))
STEP(fetch_3, FETCH(3))
STEP(fetch_4, FETCH(4))
STEP(fetch_time, VALUE(out) = tape->inputs->t)
STEP(store, result[i->out] = VALUE(a); result[i->b] = VALUE(c))
STEP(repeat, result[i->out] = result[i->a]; result[i->b] = result[i->c])
// neighbours
#define TWO(to, from) memcpy(to, from, 2 * sizeof(double))
STEP(store_two, TWO(result + i->out, &VALUE(a)); TWO(result + i->b, &VALUE(c)))
STEP(repeat_two, TWO(result + i->out, result + i->a); TWO(result + i->b, result + i->c))

SIGNATURE(pause)
{
    (void)tape;
    (void)result;
    return next;
}

SIGNATURE(seam)
{
    return tape->goes_on ? next->step(next + 1, tape, result) : NULL;
}

SIGNATURE(end)
{
    (void)next;
    (void)tape;
    (void)result;
    return NULL;
}

void carom_tape_run_long(carom_tape *tape, const carom_instruction *i, double *result)
{
    while (i) i = i->step(i + 1, tape, result);
}

carom_tape_step *carom_tape_find_step(int code, bool is_answer, bool is_run)
{
// clang-format off
#define FORMS(name) {{name##_value, name##_answer}, {name##_values, name##_answers}}
#define SAME(name) {{name, name}, {name, name}}
#define TREE_ROW(outer, left, right) FORMS(outer##left##right),
    // clang-format on
    static carom_tape_step *const tree[][2][2] = {EACH_TREE(TREE_ROW)};
    static carom_tape_step *const row[CAROM_N_CODE][2][2] = {
        [CAROM_CODE_NEG_MUL] = FORMS(negative_product),
        [CAROM_OP_NEG] = FORMS(negative),
        [CAROM_OP_SIN] = FORMS(sine),
        [CAROM_OP_COS] = FORMS(cosine),
        [CAROM_OP_SQRT] = FORMS(root),
        [CAROM_OP_ABS] = FORMS(size),
        [CAROM_OP_LT] = FORMS(less),
        [CAROM_OP_LE] = FORMS(less_or_equal),
        [CAROM_OP_IF] = FORMS(choice),
        [CAROM_OP_TABLE] = FORMS(table),
        [CAROM_CODE_SINCOS] = SAME(sine_and_cosine),
        [CAROM_CODE_FETCH_TIME] = SAME(fetch_time),
        [CAROM_CODE_FETCH] = SAME(fetch_1),
        [CAROM_CODE_FETCH + 1] = SAME(fetch_2),
        [CAROM_CODE_FETCH + 2] = SAME(fetch_3),
        [CAROM_CODE_FETCH + 3] = SAME(fetch_4),
        [CAROM_CODE_STORE] = SAME(store),
        [CAROM_CODE_STORE_TWO] = SAME(store_two),
        [CAROM_CODE_REPEAT] = SAME(repeat),
        [CAROM_CODE_REPEAT_TWO] = SAME(repeat_two),
        [CAROM_CODE_PAUSE] = SAME(pause),
        [CAROM_CODE_SEAM] = SAME(seam),
        [CAROM_CODE_END] = SAME(end),
    };
    static carom_tape_step *const rest[2][2] = FORMS(other);
    if (code >= CAROM_CODE_TREE && code < CAROM_CODE_NEG_MUL)
        return tree[code - CAROM_CODE_TREE][is_run][is_answer];
    return (row[code][0][0] ? row[code] : rest)[is_run][is_answer];
}
