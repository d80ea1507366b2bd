// SPDX-License-Identifier: Apache-2.0
// Tapes as programs: every tree of three operations, what goes where in the results, the part that
// depends on t and q only, long programs with their pauses, and blame where no value is kept.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "expr/names.h"
#include "expr/program/tape.h"

#include <math.h>
#include <stdlib.h>

static carom_tape *make(const carom_graph *graph, const carom_target *target, int n)
{
    carom_tape *tape = NULL;
    assert_int_equal(carom_tape_new(graph, target, n, &tape, NULL), CAROM_OK);
    return tape;
}

static double apply(int op, double x, double y)
{
    return op == CAROM_OP_ADD   ? x + y
           : op == CAROM_OP_SUB ? x - y
           : op == CAROM_OP_MUL ? x * y
           : op == CAROM_OP_DIV ? x / y
                                : x;
}

// a sum, difference or product of two symbols; 0 = the first of them
static carom_ref operand(carom_graph *graph, int op, int first)
{
    const carom_ref x = carom_graph_symbol(graph, CAROM_Q, first),
                    y = carom_graph_symbol(graph, CAROM_Q, first + 1);
    return op ? carom_graph_make(graph, (carom_op)op, x, y, -1) : x;
}

enum { MOST_COPIES = 5 };

// As answers, and as values whose exponentials are wanted too; several of a kind run in a loop.
static void check_tree(int outer, int left, int right, int n_copy)
{
    static const double q[4 * MOST_COPIES] = {0.1,  0.7,   1.3,  -0.37, 1e16, -3.3, 1.1e-7,
                                              9e15, -0.2,  0.6,  1.7,   2.9,  -7.1, 1e-9,
                                              3.3,  -11.3, 5e10, -2e11, 0.3,  1.1};
    double expected[MOST_COPIES], r[2 * MOST_COPIES];
    carom_target target[2 * MOST_COPIES];
    carom_graph *graph = test_graph();
    // the symbols first: simplification sorts operands by age
    for (int i = 0; i < 4 * n_copy; i++) carom_graph_symbol(graph, CAROM_Q, i);
    for (int k = 0; k < n_copy; k++) {
        const double *x = q + 4 * k;
        const carom_ref root = carom_graph_make(graph, (carom_op)outer, operand(graph, left, 4 * k),
                                                operand(graph, right, 4 * k + 2), -1);
        expected[k] = apply(outer, apply(left, x[0], x[1]), apply(right, x[2], x[3]));
        target[k] = (carom_target){root, k};
        target[n_copy + k] =
            (carom_target){carom_graph_make(graph, CAROM_OP_EXP, root, -1, -1), n_copy + k};
    }
    for (int n = n_copy; n <= 2 * n_copy; n += n_copy) {
        carom_tape *tape = make(graph, target, n);
        for (int k = 0; k < n; k++) r[k] = NAN;
        carom_tape_run(tape, &(carom_inputs){.q = q}, r);
        assert_int_equal(carom_tape_length(tape), n);
        assert_memory_equal(r, expected, (size_t)n_copy * sizeof *r);
        for (int k = n_copy; k < n; k++) assert_true(r[k] == exp(expected[k - n_copy]));
        carom_tape_free(tape);
    }
    carom_graph_free(graph);
}

static void every_tree_is_one_instruction_and_rounds_as_written(void **state)
{
    (void)state;
    static const int inner[] = {0, CAROM_OP_ADD, CAROM_OP_SUB, CAROM_OP_MUL};
    for (int outer = CAROM_OP_ADD; outer <= CAROM_OP_DIV; outer++)
        for (int k = 0; k < 4 * 4; k++)
            for (int n_copy = 1; n_copy <= MOST_COPIES; n_copy++)
                check_tree(outer, inner[k / 4], inner[k % 4], n_copy);
}

// seven operations: one instruction for each half, one for both
static void leaves_are_swallowed_first(void **state)
{
    (void)state;
    carom_graph *graph = test_graph();
    const carom_ref root = test_read(graph, "(x*y + z*w[1])*(w[2]*w[3] + w[4]*w[5])", NULL);
    carom_tape *tape = make(graph, &(carom_target){root, 0}, 1);
    assert_int_equal(carom_tape_length(tape), 3);
    carom_tape_free(tape);
    carom_graph_free(graph);
}

static void answers_may_repeat_and_be_operands_too(void **state)
{
    (void)state;
    carom_graph *graph = test_graph();
    const carom_ref product = test_read(graph, "x*y", NULL), sum = test_read(graph, "x + y", NULL),
                    root = test_read(graph, "sqrt(x + y)", NULL),
                    sine = test_read(graph, "sin(x)", NULL),
                    cosine = test_read(graph, "cos(x)", NULL), y = test_read(graph, "y", NULL),
                    ratio = test_read(graph, "y/x", NULL);
    const carom_target target[] = {{product, 9}, {sum, 2},    {ratio, 11}, {y, 0},
                                   {product, 4}, {root, 1},   {ratio, 8},  {sine, 7},
                                   {cosine, 3},  {ratio, 10}, {y, 5},      {product, 6}};
    const double q[2] = {2, 14},
                 expected[] = {14, 4, 16, cos(2), 28, 14, 28, sin(2), 7, 28, 7, 7, -1};
    carom_tape *tape = make(graph, target, 12);
    double r[13] = {[12] = -1};
    carom_tape_run(tape, &(carom_inputs){.q = q}, r);
    for (int i = 0; i < 13; i++) assert_true(r[i] == expected[i]);
    carom_tape_free(tape);
    carom_graph_free(graph);
}

static void symbols_with_gaps_between_their_numbers_are_fetched(void **state)
{
    (void)state;
    static const int number[] = {11, 0, 1, 2, 3, 4, 5, 9, 7};
    enum { N = sizeof number / sizeof *number };
    carom_graph *graph = test_graph();
    carom_target target[2 * N];
    double q[12], u[12], r[2 * N];
    for (int i = 0; i < 12; i++) {
        q[i] = 1 + i;
        u[i] = -1 - i;
    }
    for (int i = 0; i < N; i++) {
        target[2 * i] = (carom_target){carom_graph_symbol(graph, CAROM_U, number[i]), 2 * i};
        target[2 * i + 1] =
            (carom_target){carom_graph_symbol(graph, CAROM_Q, number[i]), 2 * i + 1};
    }
    carom_tape *tape = make(graph, target, 2 * N);
    carom_tape_run(tape, &(carom_inputs){.q = q, .u = u}, r);
    for (int i = 0; i < N; i++)
        assert_true(r[2 * i] == u[number[i]] && r[2 * i + 1] == q[number[i]]);
    carom_tape_free(tape);
    carom_graph_free(graph);
}

static void what_depends_on_t_and_q_only_is_not_written_again(void **state)
{
    (void)state;
    carom_graph *graph = test_graph();
    const carom_ref still = test_read(graph, "sin(x)", NULL),
                    moving = test_read(graph, "sin(x)*v + t*v", NULL);
    const carom_target target[] = {{still, 0}, {moving, 1}, {still, 2}, {moving, 3}};
    carom_tape *tape = make(graph, target, 4);
    double r[4] = {0};
    const double q[1] = {0.3}, u[2] = {2, 5};
    assert_false(carom_tape_needs_t(tape)); // t comes in with v only
    carom_tape_run(tape, &(carom_inputs){.t = 1, .q = q, .u = u}, r);
    assert_true(r[0] == sin(0.3) && r[2] == r[0] && r[1] == sin(0.3) * 2 + 2 && r[3] == r[1]);
    r[0] = r[2] = 7;
    carom_tape_run_rates(tape, &(carom_inputs){.t = 3, .u = u + 1}, r);
    assert_true(r[0] == 7 && r[2] == 7 && r[1] == sin(0.3) * 5 + 15 && r[3] == r[1]);
    carom_tape_free(tape);
    carom_graph_free(graph);
}

static void a_first_part_that_needs_t_says_so(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool needs_t;
    } row[] = {{"t", true},  {"x*t", true},       {"sin(t)*v", true}, {"sin(x)*v", false},
               {"x", false}, {"sin(t*v)", false}, {"v", false},       {"5", false}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        carom_graph *graph = test_graph();
        carom_tape *tape = make(graph, &(carom_target){test_read(graph, row[i].text, NULL), 0}, 1);
        assert_int_equal(carom_tape_needs_t(tape), row[i].needs_t);
        carom_tape_free(tape);
        carom_graph_free(graph);
    }
}

// each value is used twice, so that every one needs an instruction: x_k = sin(x_k-1) + x_k-1
static void check_long_program(int n)
{
    carom_graph *graph = test_graph();
    carom_ref ref = test_read(graph, "x", NULL);
    carom_target *target = calloc((size_t)n, sizeof *target);
    double *r = calloc((size_t)n, sizeof *r), x = 0.01;
    for (int i = 0; i < n; i++) {
        ref = carom_graph_add(graph, carom_graph_make(graph, CAROM_OP_SIN, ref, -1, -1), ref);
        target[i] = (carom_target){ref, i};
    }
    carom_tape *tape = make(graph, target, n);
    assert_int_equal(carom_tape_length(tape), 2 * n);
    carom_tape_run(tape, &(carom_inputs){.q = &x}, r);
    for (int i = 0; i < n; i++) {
        x = sin(x) + x;
        assert_true(r[i] == x);
    }
    assert_int_equal(carom_tape_blame(tape, &(carom_inputs){.q = &x}), -1);
    carom_tape_free(tape);
    carom_graph_free(graph);
    free(target);
    free(r);
}

static void long_programs_go_on_after_their_pauses(void **state)
{
    (void)state;
    for (int n = 400; n < 420; n++)
        check_long_program(n); // about 1024 instructions with the stores
    check_long_program(5000);
}

static void blame_looks_at_answers_and_at_symbols_first(void **state)
{
    (void)state;
    carom_graph *graph = test_graph();
    const carom_ref root = test_read(graph, "1/x", NULL), other = test_read(graph, "y*v", NULL);
    const carom_target target[] = {{other, 1}, {root, 4000000}}; // nothing is written so far away
    carom_tape *tape = make(graph, target, 2);
    const double q[2] = {0, 1}, good = 1, bad = NAN;
    assert_int_equal(carom_tape_blame(tape, &(carom_inputs){.q = q, .u = &good}), root);
    assert_int_equal(carom_tape_blame(tape, &(carom_inputs){.q = q, .u = &bad}),
                     carom_graph_symbol(graph, CAROM_U, 0));
    carom_tape_free(tape);
    carom_graph_free(graph);
}

// two of one kind and level, of which the second is kept as a value and stands first in the program
static void blame_does_not_depend_on_the_order_of_the_program(void **state)
{
    (void)state;
    carom_graph *graph = test_graph();
    const carom_ref answer = test_read(graph, "log(x)", NULL),
                    value = test_read(graph, "log(y)", NULL),
                    other = test_read(graph, "exp(log(y))", NULL);
    const carom_target target[] = {{answer, 0}, {value, 1}, {other, 2}};
    carom_tape *tape = make(graph, target, 3);
    const double q[2][2] = {{-1, -1}, {1, -1}};
    assert_true(answer < value);
    assert_int_equal(carom_tape_blame(tape, &(carom_inputs){.q = q[0]}), answer);
    assert_int_equal(carom_tape_blame(tape, &(carom_inputs){.q = q[1]}), value);
    carom_tape_free(tape);
    carom_graph_free(graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_tree_is_one_instruction_and_rounds_as_written),
        cmocka_unit_test(leaves_are_swallowed_first),
        cmocka_unit_test(answers_may_repeat_and_be_operands_too),
        cmocka_unit_test(symbols_with_gaps_between_their_numbers_are_fetched),
        cmocka_unit_test(what_depends_on_t_and_q_only_is_not_written_again),
        cmocka_unit_test(a_first_part_that_needs_t_says_so),
        cmocka_unit_test(long_programs_go_on_after_their_pauses),
        cmocka_unit_test(blame_looks_at_answers_and_at_symbols_first),
        cmocka_unit_test(blame_does_not_depend_on_the_order_of_the_program),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
