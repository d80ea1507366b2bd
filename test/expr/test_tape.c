// SPDX-License-Identifier: Apache-2.0
// Tapes: the same values as plain recursion over the tree, the same bits as the graph's own
// operations, and the extras (constants, shared targets, blame).
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "expr/names.h"
#include "expr/operation.h"
#include "expr/program/tape.h"
#include "expr/random_tree.h"

#include <math.h>
#include <stdlib.h>

enum { N_EXPRESSION = 3000, MOST = 1 << 16 };

static double run(carom_graph *graph, carom_ref ref, const carom_inputs *inputs)
{
    carom_tape *tape = NULL;
    double result = NAN;
    assert_int_equal(carom_tape_new(graph, &(carom_target){ref, 0}, 1, &tape, NULL), CAROM_OK);
    carom_tape_constants(tape, &result);
    carom_tape_run(tape, inputs, &result);
    carom_tape_free(tape);
    return result;
}

// node by node with the operations that fold constants
static void plain_values(const carom_graph *graph, const carom_inputs *inputs, int n, double *value)
{
    for (int ref = 0; ref < n; ref++) {
        const carom_op op = carom_graph_op(graph, ref);
        const int a = carom_graph_child(graph, ref, 0), b = carom_graph_child(graph, ref, 1),
                  c = carom_graph_child(graph, ref, 2), arity = carom_operation_arity(op);
        if (carom_graph_is_number(graph, ref, &value[ref])) continue;
        if (op == CAROM_OP_SYMBOL)
            value[ref] = a == CAROM_TIME ? inputs->t : inputs->q[b];
        else if (op == CAROM_OP_TABLE)
            value[ref] = carom_spline_at(carom_graph_table(graph, c), value[a], b);
        else
            value[ref] = carom_operation_value(op, value[a], arity > 1 ? value[b] : 0,
                                               arity > 2 ? value[c] : 0);
    }
}

typedef struct sample {
    forest forest;
    char text[1 << 18];
    double value[MOST], result[MOST];
    carom_target target[MOST];
} sample;

// how far the value moves when every operation errs by a little, scaled down to rounding
static bool rounding_level(const tree *root, const point *centre, uint64_t *seed,
                           long double *level)
{
    point p = *centre;
    const long double exact = tree_value(root, &p);
    const uint64_t decisions = p.decisions;
    *level = 0;
    for (int k = 0; k < 8; k++) {
        p = *centre;
        p.noise = 1e-9L;
        p.seed = seed;
        *level = fmaxl(*level, fabsl(tree_value(root, &p) - exact));
        if (p.decisions != decisions) return false;
    }
    *level *= 2.3e-16L / 1e-9L;
    return true;
}

static void tapes_give_what_recursion_gives(void **state)
{
    sample *s = *state;
    s->forest.seed = 11;
    int n_checked = 0;
    for (int k = 0; k < N_EXPRESSION; k++) {
        carom_graph *graph = test_graph();
        carom_error error = {0};
        s->forest.n = 0;
        const tree *root = grow_random(&s->forest, 4, true);
        tree_text(root, s->text, sizeof s->text);
        const carom_ref ref = test_read(graph, s->text, &error);
        assert_true(ref >= 0);
        point p = {.table = carom_graph_table(graph, 0)};
        double at[4];
        for (int i = 0; i < 4; i++)
            p.at[i] = at[i] = 0.37 * ((int)draw(&s->forest.seed, 13) - 6) + 0.0113;
        long double level;
        if (rounding_level(root, &p, &s->forest.seed, &level)) {
            const double value = run(graph, ref, &(carom_inputs){.t = at[0], .q = at + 1});
            const long double exact = tree_value(root, &p);
            // 20: rewriting changes the order and the number of roundings
            if (!(fabsl(value - exact) <= 20 * level + 1e-15L * fabsl(exact) + 1e-18L))
                fail_msg("%.17g is not %.17Lg +- %.3Lg: %s", value, exact, level, s->text);
            n_checked++;
        }
        carom_graph_free(graph);
    }
    assert_true(n_checked > 9 * N_EXPRESSION / 10);
}

// all nodes as targets, and only the last one: with and without swallowed
// neighbours, not one bit differs
static void fused_instructions_round_like_single_ones(void **state)
{
    sample *s = *state;
    s->forest.seed = 12;
    const double q[3] = {0.31, -0.77, 1.13};
    const carom_inputs inputs = {.t = 0.4, .q = q};
    for (int k = 0; k < 300; k++) {
        carom_graph *graph = test_graph();
        carom_error error = {0};
        s->forest.n = 0;
        tree_text(grow_random(&s->forest, 4, true), s->text, sizeof s->text);
        const carom_ref root = test_read(graph, s->text, &error);
        carom_gradient gradient;
        assert_int_equal(carom_graph_gradient(graph, root, CAROM_Q, &gradient), CAROM_OK);
        const int n = carom_graph_size(graph);
        assert_true(n <= MOST);
        plain_values(graph, &inputs, n, s->value);
        for (int i = 0; i < n; i++) s->target[i] = (carom_target){i, n - 1 - i};
        carom_tape *tape = NULL;
        assert_int_equal(carom_tape_new(graph, s->target, n, &tape, NULL), CAROM_OK);
        carom_tape_constants(tape, s->result);
        carom_tape_run(tape, &inputs, s->result);
        for (int i = 0; i < n; i++)
            assert_true(memcmp(&s->result[n - 1 - i], &s->value[i], sizeof(double)) == 0 ||
                        (s->value[i] == 0 && s->result[n - 1 - i] == 0) || isnan(s->value[i]));
        carom_tape_free(tape);
        for (int i = 0; i < gradient.n; i++) {
            const double alone = run(graph, gradient.ref[i], &inputs),
                         value = s->value[gradient.ref[i]];
            assert_true(alone == value || (isnan(alone) && isnan(value)));
        }
        carom_graph_free(graph);
    }
}

static void neighbours_and_pairs_take_one_instruction(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int length;
    } row[] = {
        {"x*y + z", 1},   {"x*y - z", 1}, {"z - x*y", 1},         {"x*y + y*z", 1},
        {"x*y - y*z", 1}, {"x*y*z", 1},   {"x + y + z", 1},       {"(x + y)*z", 1},
        {"(x - y)*z", 1}, {"-(x*y)", 1},  {"sin(x) + cos(x)", 2}, {"cos(x)*sin(x) + sin(y)", 3},
        {"x", 0},         {"3", 0},       {"(x + y)*(x + y)", 2}};
    const double q[3] = {2, 3, 5};
    const double expected[] = {
        11, 1, -1, 21, -9, 30, 10, 25, -5, -6, sin(2) + cos(2), cos(2) * sin(2) + sin(3), 2, 3, 25};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        carom_graph *graph = test_graph();
        const carom_ref ref = test_read(graph, row[i].text, NULL);
        carom_tape *tape = NULL;
        assert_int_equal(carom_tape_new(graph, &(carom_target){ref, 0}, 1, &tape, NULL), CAROM_OK);
        assert_int_equal(carom_tape_length(tape), row[i].length);
        carom_tape_free(tape);
        assert_true(fabs(run(graph, ref, &(carom_inputs){.q = q}) - expected[i]) < 1e-15);
        carom_graph_free(graph);
    }
}

static void constants_are_written_apart_and_targets_may_repeat(void **state)
{
    (void)state;
    carom_graph *graph = test_graph();
    const carom_ref a = test_read(graph, "x*y", NULL), b = test_read(graph, "7", NULL);
    const carom_target target[] = {{a, 3}, {b, 0}, {a, 1}, {b, 4}};
    carom_tape *tape = NULL;
    assert_int_equal(carom_tape_new(graph, target, 4, &tape, NULL), CAROM_OK);
    carom_graph_free(graph); // the tape stands alone
    double r[5] = {-1, -1, -1, -1, -1};
    const double q[2] = {2, 3};
    carom_tape_constants(tape, r);
    assert_true(r[0] == 7 && r[4] == 7 && r[1] == -1 && r[3] == -1);
    r[0] = 0;
    carom_tape_run(tape, &(carom_inputs){.q = q}, r);
    assert_true(r[0] == 0 && r[1] == 6 && r[2] == -1 && r[3] == 6 && r[4] == 7);
    carom_tape_free(tape);
    assert_int_equal(carom_tape_new(NULL, NULL, 0, &tape, NULL), CAROM_OK);
    carom_tape_free(tape);
}

static void blame_names_the_first_expression_that_is_not_finite(void **state)
{
    (void)state;
    carom_graph *graph = test_graph();
    const carom_ref inner = test_read(graph, "log(x - 1)", NULL),
                    root = test_read(graph, "2 + y*sin(log(x - 1))", NULL);
    const carom_target target = {root, 0};
    carom_tape *tape = NULL;
    carom_error error = {0};
    double q[2] = {3, 1}, r;
    assert_int_equal(carom_tape_new(graph, &target, 1, &tape, &error), CAROM_OK);
    carom_tape_run(tape, &(carom_inputs){.q = q}, &r);
    assert_int_equal(carom_tape_blame(tape, &(carom_inputs){.q = q}), -1);
    q[0] = 0.5;
    carom_tape_run(tape, &(carom_inputs){.q = q}, &r);
    assert_int_equal(carom_tape_blame(tape, &(carom_inputs){.q = q}), inner);
    q[1] = INFINITY;
    carom_tape_run(tape, &(carom_inputs){.q = q}, &r);
    assert_int_equal(carom_tape_blame(tape, &(carom_inputs){.q = q}),
                     carom_graph_symbol(graph, CAROM_Q, 1));
    carom_tape_free(tape);
    assert_int_equal(carom_tape_new(graph, &(carom_target){-1, 0}, 1, &tape, &error), CAROM_BUG);
    carom_graph_free(graph);
}

static void undefined_arguments_are_not_swallowed(void **state)
{
    (void)state;
    static const char *const text[] = {"min(x, 1)", "min(1, x)",  "max(x, y)", "max(y, x)",
                                       "sign(x)",   "step(x)",    "abs(x)",    "lift(x)",
                                       "x^2.5",     "atan2(x, 1)"};
    const double q[2] = {NAN, 1};
    for (size_t i = 0; i < sizeof text / sizeof *text; i++) {
        carom_graph *graph = test_graph();
        assert_true(isnan(run(graph, test_read(graph, text[i], NULL), &(carom_inputs){.q = q})));
        carom_graph_free(graph);
    }
}

static int make_sample(void **state)
{
    *state = calloc(1, sizeof(sample));
    return *state == NULL;
}

static int drop_sample(void **state)
{
    free(*state);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(tapes_give_what_recursion_gives, make_sample, drop_sample),
        cmocka_unit_test_setup_teardown(fused_instructions_round_like_single_ones, make_sample,
                                        drop_sample),
        cmocka_unit_test(neighbours_and_pairs_take_one_instruction),
        cmocka_unit_test(constants_are_written_apart_and_targets_may_repeat),
        cmocka_unit_test(blame_names_the_first_expression_that_is_not_finite),
        cmocka_unit_test(undefined_arguments_are_not_swallowed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
