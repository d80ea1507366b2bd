// SPDX-License-Identifier: Apache-2.0
// The graph: equal expressions are one node, simplifications, printing, and sizes
// far beyond the stack.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "expr/names.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

static carom_ref read_one(carom_graph *graph, const char *text)
{
    carom_error error = {0};
    const carom_ref ref = test_read(graph, text, &error);
    if (ref < 0) fail_msg("%s: %s", text, error.message);
    return ref;
}

static void simplifications_make_equal_things_one_node(void **state)
{
    (void)state;
    static const char *const same[][2] = {
        {"x + 0", "x"},
        {"0 - x", "-x"},
        {"x*0", "0"},
        {"0/x", "0"},
        {"1*x", "x"},
        {"x/1", "x"},
        {"x - x", "0"},
        {"--x", "x"},
        {"-1*x", "-x"},
        {"x*(-y)", "-(x*y)"},
        {"(-x)*(-y)", "x*y"},
        {"(-x)/y", "-(x/y)"},
        {"x - (-y)", "x + y"},
        {"x + (-y)", "x - y"},
        {"-(x - y)", "y - x"},
        {"-x - y", "-(x + y)"},
        {"x*y", "y*x"},
        {"x + y", "y + x"},
        {"2*(3*x)", "6*x"},
        {"(2*x)*(3*y)", "6*(x*y)"},
        {"x + x", "2*x"},
        {"3*x - 2*x", "x"},
        {"2*x + 2*y", "2*(x + y)"},
        {"x + (-3)", "x - 3"},
        {"x^2", "x*x"},
        {"x^3", "x*(x*x)"},
        {"x^-2", "1/(x*x)"},
        {"x^0", "1"},
        {"x^1", "x"},
        {"x^0.5", "sqrt(x)"},
        {"x^-0.5", "1/sqrt(x)"},
        {"1^x", "1"},
        {"y*(1/x)", "y/x"},
        {"sin(-x)", "-sin(x)"},
        {"cos(-2*x)", "cos(2*x)"},
        {"cos(x - y)", "cos(y - x)"},
        {"abs(abs(-x))", "abs(x)"},
        {"min(x, x)", "x"},
        {"max(x, y)", "max(y, x)"},
        {"if(1 < 2, x, y)", "x"},
        {"if(x < y, z, z)", "z"},
        {"if(not x < y, 1, 2)", "if(x < y, 2, 1)"},
        {"if(x < y, if(x < y, 1, 2), 3)", "if(x < y, 1, 3)"},
        {"if(x < x, 1, 2)", "2"},
        {"if(x < y and 1 < 2, 1, 2)", "if(x < y, 1, 2)"},
        {"if(x < y, z, 0)*y", "if(x < y, z*y, 0)"},
        {"if(x < y, z, 0) + if(x < y, 0, y)", "if(x < y, z, y)"},
        {"sqrt(4) + 2^3", "10"},
        {"deg(180)", "pi"},
    };
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        carom_graph *graph = test_graph();
        const carom_ref a = read_one(graph, same[i][0]), b = read_one(graph, same[i][1]);
        if (a != b) fail_msg("%s is not %s", same[i][0], same[i][1]);
        carom_graph_free(graph);
    }
}

// operations of two are one node in either order where the order says nothing, and else two
static void the_order_of_operands_counts_where_it_must(void **state)
{
    (void)state;
    static const carom_op either[] = {CAROM_OP_ADD, CAROM_OP_MUL, CAROM_OP_MIN,
                                      CAROM_OP_MAX, CAROM_OP_EQ,  CAROM_OP_NE,
                                      CAROM_OP_AND, CAROM_OP_OR,  CAROM_OP_HYPOT},
                          one[] = {CAROM_OP_SUB,   CAROM_OP_DIV, CAROM_OP_POW, CAROM_OP_LT,
                                   CAROM_OP_ATAN2, CAROM_OP_LE,  CAROM_OP_MOD};
    carom_graph *graph = test_graph();
    const carom_ref x = read_one(graph, "x"), y = read_one(graph, "y"), z = read_one(graph, "7");
    for (size_t i = 0; i < sizeof either / sizeof *either; i++) {
        assert_int_equal(carom_graph_make(graph, either[i], x, y, -1),
                         carom_graph_make(graph, either[i], y, x, -1));
        assert_int_equal(carom_graph_make(graph, either[i], x, z, -1),
                         carom_graph_make(graph, either[i], z, x, -1));
    }
    for (size_t i = 0; i < sizeof one / sizeof *one; i++)
        assert_true(carom_graph_make(graph, one[i], x, y, -1) !=
                    carom_graph_make(graph, one[i], y, x, -1));
    carom_graph_free(graph);
}

// what must not be merged, because it would overflow or hide an undefined value
static void simplifications_keep_values(void **state)
{
    (void)state;
    carom_graph *graph = test_graph();
    const carom_ref a = read_one(graph, "1e200*(1e200*x)"),
                    b = read_one(graph, "(1e-200*x)*(y*1e200)");
    double number;
    assert_int_equal(carom_graph_op(graph, a), CAROM_OP_MUL);
    assert_true(carom_graph_is_number(graph, carom_graph_child(graph, a, 0), &number) &&
                number == 1e200);
    assert_int_equal(carom_graph_op(graph, b), CAROM_OP_MUL);
    assert_false(carom_graph_is_number(graph, carom_graph_child(graph, b, 0), &number));
    assert_false(carom_graph_is_number(graph, read_one(graph, "x/x"), &number));
    carom_graph_free(graph);
}

static void expressions_are_printed_with_just_enough_parentheses(void **state)
{
    (void)state;
    static const char *const row[][2] = {
        {"x - (y - z)", "q0 - (q1 - q2)"},
        {"(x + y)*z/x", "q2*(q0 + q1)/q0"},
        {"-(x + y)", "-(q0 + q1)"},
        {"-x^2.5", "-q0^2.5"},
        {"(-x)^2.5", "(-q0)^2.5"},
        {"x^-2.5", "q0^-2.5"},
        {"if(x < y and not z < 1, sin(t), lift(x))",
         "if(q0 < q1 and (not q2 < 1), sin(t0), lift(q0))"},
        {"atan2(x, -2)*(-3)", "-3*atan2(q0, -2)"},
    };
    carom_graph *graph = test_graph();
    char text[200], small[12];
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        carom_graph_print(graph, read_one(graph, row[i][0]), test_symbol_name, NULL, text,
                          sizeof text);
        assert_string_equal(text, row[i][1]);
    }
    carom_graph_print(graph, read_one(graph, "x + y + z*sin(x)"), test_symbol_name, NULL, small,
                      sizeof small);
    assert_string_equal(small, "q0 + q1...");
    carom_graph_free(graph);
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void deep_expressions_are_no_problem(void **state)
{
    (void)state;
    enum { DEPTH = 100000 };
    carom_graph *graph = carom_graph_new();
    const carom_ref x = carom_graph_symbol(graph, CAROM_Q, 0);
    carom_ref chain = x;
    for (int i = 0; i < DEPTH; i++)
        chain = carom_graph_make(graph, CAROM_OP_SIN, carom_graph_add(graph, chain, x), -1, -1);
    carom_gradient gradient;
    assert_int_equal(carom_graph_gradient(graph, chain, CAROM_Q, &gradient), CAROM_OK);
    assert_int_equal(gradient.n, 1);
    assert_true(carom_graph_rate(graph, chain) >= 0);
    assert_true(carom_graph_derivative(graph, chain, CAROM_Q, 0) >= 0);
    double value;
    assert_true(carom_graph_is_number(graph, carom_graph_without(graph, chain, CAROM_Q), &value));
    assert_true(value == 0);
    char text[64];
    carom_graph_print(graph, chain, test_symbol_name, NULL, text, sizeof text);
    assert_int_equal(carom_graph_status(graph), CAROM_OK);
    assert_true(carom_graph_size(graph) > 2 * DEPTH);
    carom_graph_free(graph);
}

// V = sum k/2 (x_i+1 - x_i - l)^2: all 1000 forces and all rows of the stiffness matrix
static void derivatives_of_a_chain_of_a_thousand_springs_are_quick_and_sparse(void **state)
{
    (void)state;
    enum { N = 1000 };
    carom_graph *graph = carom_graph_new();
    carom_ref term[N - 1], force[N];
    const double start = seconds();
    for (int i = 0; i < N - 1; i++) {
        const carom_ref stretch =
            carom_graph_sub(graph,
                            carom_graph_sub(graph, carom_graph_symbol(graph, CAROM_Q, i + 1),
                                            carom_graph_symbol(graph, CAROM_Q, i)),
                            carom_graph_number(graph, 0.5));
        term[i] = carom_graph_mul(graph, carom_graph_number(graph, 50),
                                  carom_graph_mul(graph, stretch, stretch));
    }
    const carom_ref energy = carom_graph_sum(graph, term, N - 1);
    carom_gradient gradient;
    assert_int_equal(carom_graph_gradient(graph, energy, CAROM_Q, &gradient), CAROM_OK);
    assert_int_equal(gradient.n, N);
    memcpy(force, gradient.ref, sizeof force);
    for (int i = 0; i < N; i++) {
        assert_int_equal(carom_graph_gradient(graph, force[i], CAROM_Q, &gradient), CAROM_OK);
        assert_int_equal(gradient.n, i == 0 || i == N - 1 ? 2 : 3);
        double diagonal;
        assert_true(carom_graph_is_number(graph, gradient.ref[i > 0], &diagonal));
        assert_true(diagonal == (i == 0 || i == N - 1 ? 100 : 200));
    }
    assert_true(seconds() - start < 0.5);
    assert_true(carom_graph_size(graph) < 20 * N);
    carom_graph_free(graph);
}

// the cost of a gradient follows the size of its root: 20000 small ones beside
// a million other nodes
static void small_gradients_are_quick_in_a_large_graph(void **state)
{
    (void)state;
    carom_graph *graph = carom_graph_new();
    carom_ref last = carom_graph_symbol(graph, CAROM_Q, 0);
    for (int i = 0; i < 150000; i++)
        last = carom_graph_mul(graph, carom_graph_make(graph, CAROM_OP_SIN, last, -1, -1),
                               carom_graph_symbol(graph, CAROM_Q, i % 10));
    assert_true(carom_graph_size(graph) > 280000);
    const double start = seconds();
    for (int i = 0; i < 20000; i++) {
        const carom_ref small = carom_graph_mul(graph, carom_graph_symbol(graph, CAROM_Q, i % 10),
                                                carom_graph_number(graph, 3 + i));
        carom_gradient gradient;
        assert_int_equal(carom_graph_gradient(graph, small, CAROM_Q, &gradient), CAROM_OK);
        assert_int_equal(gradient.n, 1);
    }
    assert_true(seconds() - start < 0.5);
    carom_graph_free(graph);
}

static void failures_of_memory_pass_through(void **state)
{
    (void)state;
    carom_graph *graph = carom_graph_new();
    assert_int_equal(carom_graph_make(graph, CAROM_OP_SIN, -1, -1, -1), -1);
    assert_int_equal(carom_graph_add(graph, carom_graph_number(graph, 1), -1), -1);
    assert_int_equal(carom_graph_rate(graph, -1), -1);
    assert_int_equal(carom_graph_kinds(graph, -1), 0);
    carom_graph_free(graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(simplifications_make_equal_things_one_node),
        cmocka_unit_test(the_order_of_operands_counts_where_it_must),
        cmocka_unit_test(simplifications_keep_values),
        cmocka_unit_test(expressions_are_printed_with_just_enough_parentheses),
        cmocka_unit_test(deep_expressions_are_no_problem),
        cmocka_unit_test(derivatives_of_a_chain_of_a_thousand_springs_are_quick_and_sparse),
        cmocka_unit_test(small_gradients_are_quick_in_a_large_graph),
        cmocka_unit_test(failures_of_memory_pass_through),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
