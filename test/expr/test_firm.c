// SPDX-License-Identifier: Apache-2.0
// Firm nodes: what live parameters decide has the bits of folded numbers, stands where numbers
// stand, and can be derived by parameters.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "expr/program/firm.h"
#include "expr/program/tape.h"

#include <math.h>

enum { N_PARAMETER = 3 };
static const double value[N_PARAMETER] = {1.7, -0.3, 4.2};

// an expression of a, b, c (parameters or numbers) and x
typedef carom_ref maker(carom_graph *g, const carom_ref *p, carom_ref x);

static carom_ref call(carom_graph *g, carom_op op, carom_ref x)
{
    return carom_graph_make(g, op, x, -1, -1);
}

static carom_ref divide(carom_graph *g, carom_ref x, carom_ref y)
{
    return carom_graph_make(g, CAROM_OP_DIV, x, y, -1);
}

static carom_ref power(carom_graph *g, carom_ref x, double n)
{
    return carom_graph_make(g, CAROM_OP_POW, x, carom_graph_number(g, n), -1);
}

// a (b x + c x)/c - sqrt(c)
static carom_ref sums(carom_graph *g, const carom_ref *p, carom_ref x)
{
    const carom_ref sum =
        carom_graph_add(g, carom_graph_mul(g, p[1], x), carom_graph_mul(g, p[2], x));
    return carom_graph_sub(g, divide(g, carom_graph_mul(g, p[0], sum), p[2]),
                           call(g, CAROM_OP_SQRT, p[2]));
}

// a^3 x/(b x^2) + sin(-b x) + a (-x) b
static carom_ref quotients(carom_graph *g, const carom_ref *p, carom_ref x)
{
    const carom_ref first = divide(g, carom_graph_mul(g, power(g, p[0], 3), x),
                                   carom_graph_mul(g, p[1], power(g, x, 2)));
    const carom_ref turned = carom_graph_mul(g, call(g, CAROM_OP_NEG, p[1]), x);
    const carom_ref last =
        carom_graph_mul(g, carom_graph_mul(g, p[0], call(g, CAROM_OP_NEG, x)), p[1]);
    return carom_graph_add(g, carom_graph_add(g, first, call(g, CAROM_OP_SIN, turned)), last);
}

// a x + a exp(c x) - b, with min and a condition that parameters decide
static carom_ref choices(carom_graph *g, const carom_ref *p, carom_ref x)
{
    const carom_ref one = carom_graph_mul(g, p[0], x);
    const carom_ref two =
        carom_graph_mul(g, p[0], call(g, CAROM_OP_EXP, carom_graph_mul(g, p[2], x)));
    const carom_ref low = carom_graph_make(g, CAROM_OP_MIN, p[1], p[2], -1);
    const carom_ref is_low = carom_graph_make(g, CAROM_OP_LT, low, p[0], -1);
    const carom_ref sum = carom_graph_sub(g, carom_graph_add(g, one, two), low);
    return carom_graph_make(g, CAROM_OP_IF, is_low, sum, one);
}

static maker *const makers[] = {sums, quotients, choices};

typedef struct program {
    carom_graph *graph;
    carom_arena *arena;
    carom_ref own[N_PARAMETER], p[N_PARAMETER], x;
} program;

static program open_program(bool is_live)
{
    program made = {.graph = carom_graph_new(), .arena = carom_arena_new()};
    assert_non_null(made.graph);
    for (int i = 0; i < N_PARAMETER; i++) {
        made.own[i] = carom_graph_number(made.graph, value[i]);
        made.p[i] = is_live ? carom_graph_symbol(made.graph, CAROM_PARAMETER, i) : made.own[i];
    }
    made.x = carom_graph_symbol(made.graph, CAROM_Q, 0);
    return made;
}

static void close_program(program *made)
{
    carom_graph_free(made->graph);
    carom_arena_free(made->arena);
}

// the value of an expression at x, with these parameters; n: instructions of the tape
static double run(const program *made, carom_ref ref, const double *given, double x, int *n)
{
    const unsigned char is_given[N_PARAMETER] = {1, 1, 1};
    double parameter[N_PARAMETER], result = NAN;
    carom_firm firm;
    carom_tape *tape = NULL;
    int number[64];
    const carom_firm_wanted wanted = {&ref, 1, made->own, N_PARAMETER};
    for (int i = 0; i < N_PARAMETER; i++) parameter[i] = given[i];
    assert_int_equal(carom_firm_make(made->graph, &wanted, made->arena, &firm), CAROM_OK);
    double *all = CAROM_TAKE(made->arena, double, firm.n);
    carom_firm_run(&firm, is_given, parameter, all);
    assert_int_equal(carom_tape_new(made->graph, &(carom_target){ref, 0}, 1, &tape, NULL),
                     CAROM_OK);
    assert_true(carom_tape_n_firm(tape) <= 64);
    for (int i = 0; i < carom_tape_n_firm(tape); i++) {
        number[i] = carom_firm_find(&firm, carom_tape_firm(tape, i));
        assert_true(number[i] >= 0);
    }
    carom_tape_take_firm(tape, all, number);
    carom_tape_constants(tape, &result);
    carom_tape_run(tape, &(carom_inputs){.q = &x}, &result);
    *n = carom_tape_length(tape);
    carom_tape_free(tape);
    return result;
}

static void firm_values_are_folded_numbers(void **state)
{
    (void)state;
    for (int k = 0; k < 3; k++) {
        program live = open_program(true), numbers = open_program(false);
        const carom_ref a = makers[k](live.graph, live.p, live.x),
                        b = makers[k](numbers.graph, numbers.p, numbers.x);
        for (double x = -2; x < 2; x += 0.37) {
            int n_live, n_number;
            const double one = run(&live, a, value, x, &n_live),
                         two = run(&numbers, b, value, x, &n_number);
            assert_true(isfinite(one));
            assert_memory_equal(&one, &two, sizeof one);
            if (k < 2) assert_int_equal(n_live, n_number); // and cost as much
        }
        close_program(&live);
        close_program(&numbers);
    }
}

// exact derivatives by parameters, against differences
static void parameters_can_be_derived_by(void **state)
{
    (void)state;
    for (int k = 0; k < 3; k++) {
        program live = open_program(true);
        const carom_ref root = makers[k](live.graph, live.p, live.x);
        carom_gradient gradient;
        assert_int_equal(carom_graph_gradient(live.graph, root, CAROM_PARAMETER, &gradient),
                         CAROM_OK);
        assert_int_equal(gradient.n, k == 1 ? 2 : 3); // quotients are without c
        carom_ref by[N_PARAMETER];
        for (int i = 0; i < gradient.n; i++) {
            assert_int_equal(gradient.index[i], i);
            by[i] = gradient.ref[i];
        }
        for (int i = 0, n_by = gradient.n; i < n_by; i++) {
            const double d = 1e-6, x = 0.8;
            double low[N_PARAMETER], high[N_PARAMETER];
            int n;
            for (int j = 0; j < N_PARAMETER; j++) {
                low[j] = value[j] - (i == j ? d : 0);
                high[j] = value[j] + (i == j ? d : 0);
            }
            const double exact = run(&live, by[i], value, x, &n);
            const double about =
                (run(&live, root, high, x, &n) - run(&live, root, low, x, &n)) / (2 * d);
            assert_true(fabs(exact - about) <= 1e-7 * (1 + fabs(exact)));
            const carom_ref other = carom_graph_derivative(live.graph, root, CAROM_PARAMETER, i);
            assert_true(fabs(run(&live, other, value, x, &n) - exact) <= 1e-12 * (1 + fabs(exact)));
        }
        close_program(&live);
    }
}

// p = 0 today is none tomorrow; a number 0 is one for ever
static void zeros_of_parameters_stay(void **state)
{
    (void)state;
    program live = open_program(true);
    carom_graph *g = live.graph;
    const carom_ref zero = carom_graph_number(g, 0), one = carom_graph_number(g, 1);
    assert_false(carom_graph_is_zero(g, carom_graph_mul(g, live.p[0], live.x)));
    assert_true(carom_graph_is_zero(g, carom_graph_mul(g, zero, live.p[0])));
    assert_true(carom_graph_is_zero(g, carom_graph_sub(g, live.p[0], live.p[0])));
    assert_int_equal(carom_graph_mul(g, live.p[0], one), live.p[0]);
    assert_int_equal(carom_graph_add(g, zero, live.p[0]), live.p[0]);
    assert_true(carom_graph_is_firm(g, carom_graph_mul(g, live.p[0], live.p[1])));
    assert_false(carom_graph_is_firm(g, live.x));
    assert_true(carom_graph_has_symbol(g, makers[0](g, live.p, live.x), CAROM_PARAMETER, 2));
    assert_false(carom_graph_has_symbol(g, live.p[0], CAROM_PARAMETER, 2));
    close_program(&live);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(firm_values_are_folded_numbers),
        cmocka_unit_test(parameters_can_be_derived_by),
        cmocka_unit_test(zeros_of_parameters_stay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
