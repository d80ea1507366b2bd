// SPDX-License-Identifier: Apache-2.0
// Equation text: precedence, names, indices, sums; and for wrong text the exact
// place and a way out.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "expr/names.h"
#include "expr/program/tape.h"

#include <math.h>
#include <stdlib.h>

static const double Q[12] = {0.3, 0.7, 1.1, 1, 2, 3, 4, 5, 6, 7, 8, 9}, U[12] = {0.1, 0.2, 0.3};

static double value_of(carom_graph *graph, carom_ref ref)
{
    carom_tape *tape = NULL;
    double result = NAN;
    assert_int_equal(carom_tape_new(graph, &(carom_target){ref, 0}, 1, &tape, NULL), CAROM_OK);
    carom_tape_constants(tape, &result);
    carom_tape_run(tape, &(carom_inputs){.t = 0.5, .q = Q, .u = U}, &result);
    carom_tape_free(tape);
    return result;
}

static double value(const char *text)
{
    carom_graph *graph = test_graph();
    carom_error error = {0};
    const carom_ref ref = test_read(graph, text, &error);
    if (ref < 0) fail_msg("%s: %s", text, error.message);
    const double result = value_of(graph, ref);
    carom_graph_free(graph);
    return result;
}

static void expect(const char *text, double expected)
{
    if (!(fabs(value(text) - expected) <= 4e-15 * (1 + fabs(expected))))
        fail_msg("%s is %.17g, not %.17g", text, value(text), expected);
}

static void operators_bind_as_in_mathematics(void **state)
{
    (void)state;
    expect("-x^2", -0.09);
    expect("2^-1", 0.5);
    expect("2^3^2", 512);
    expect("2^-x^2", pow(2, -0.09));
    expect("1 - 2 - 3", -4);
    expect("8/4/2", 1);
    expect("8/4*2", 4);
    expect("2*-3", -6);
    expect("--2 + +3", 5);
    expect("-2^2*3", -12);
    expect("1 + 2*3^2", 19);
    expect("(1 + 2)*3", 9);
    expect("if(1 < 2 and 3 < 2 or 1 == 1, 5, 6)", 5);
    expect("if(not 1 < 2 or 2 >= 2 and 1 != 1, 5, 6)", 6);
    expect("if(x > y, 1, 2)", 2);
    expect("if(x + 0.4 <= y + 1e-9, 1, 2)", 1);
}

static void numbers_are_read_in_all_their_forms(void **state)
{
    (void)state;
    expect("1e-3", 1e-3);
    expect(".5", 0.5);
    expect("2.", 2);
    expect("2.5E+2", 250);
    expect("1e3*2", 2000);
    expect("deg(30)", acos(-1) / 6);
    expect("pi/4", atan(1));
}

static void functions_mean_what_they_say(void **state)
{
    (void)state;
    expect("sin(x) + cos(x) + tan(x)", sin(0.3) + cos(0.3) + tan(0.3));
    expect("asin(x) + acos(x) + atan(x) + atan2(y, x)",
           asin(0.3) + acos(0.3) + atan(0.3) + atan2(0.7, 0.3));
    expect("sinh(x) + cosh(x) + tanh(x)", sinh(0.3) + cosh(0.3) + tanh(0.3));
    expect("exp(x) + log(x) + sqrt(x)", exp(0.3) + log(0.3) + sqrt(0.3));
    expect("abs(-x) + sign(-x) + step(x - 1) + step(x)", 0.3 - 1 + 0 + 1);
    expect("min(x, y, z) + 10*max(x, z, y)", 0.3 + 11);
    expect("lift(1)", 1);
    expect("lift(2 + 8*t)", 2);
    expect("t", 0.5);
}

static void der_is_the_time_derivative(void **state)
{
    (void)state;
    expect("der(x)", 0.1);
    expect("der(x*sin(y))", 0.1 * sin(0.7) + 0.3 * cos(0.7) * 0.2);
    expect("der(t^2 + m)", 1);
    expect("der(late)", 0.3 + 0.5 * 0.1);
}

static void sums_and_indices_are_written_out(void **state)
{
    (void)state;
    expect("sum(i, 1, 9, w[i])", 45);
    expect("sum(i, 1, 3, sum(j, i, 3, 10*i + j))", 11 + 12 + 13 + 22 + 23 + 33);
    expect("sum(i, 5, 1, w[i])", 0);
    expect("w[m*2] + w[9 - 2*m]", 4 + 5);
    expect("sum(i, 1, 3, if(i == 1, 0, w[i-1]))", 3);
    expect("sum(i, 1, 9, if(i < 9 and w[i+1] > 3, 1, 0))", 6);
}

static void long_chains_are_read(void **state)
{
    (void)state;
    enum { N = 100000 };
    char *text = malloc(2 * N + 1);
    assert_non_null(text);
    for (int i = 0; i < N; i++) memcpy(text + 2 * i, "x+", 2);
    text[2 * N - 1] = 0;
    assert_true(fabs(value(text) - 0.3 * N) < 1e-15 * N * N);
    for (int i = 0; i < N; i++) memcpy(text + 2 * i, i % 3 ? "y+" : "x*", 2);
    text[2 * N - 1] = 0;
    assert_true(isfinite(value(text)));
    free(text);
}

static const struct {
    const char *text, *message;
} WRONG[] = {
    {"", "f:3:10: the expression is empty"},
    {"  ", "f:3:10: the expression is empty"},
    {"2 x", "f:3:12: missing operator before 'x'; write 2*x"},
    {"x y", "f:3:12: missing operator before 'y'; write x*y"},
    {"2(x+1)", "f:3:11: missing operator before '('; write 2*(...)"},
    {"x sin(y)", "f:3:12: missing operator before 'sin'"},
    {"x**2", "f:3:11: '**' is not known here; use ^ for powers"},
    {"if(x = 1, 2, 3)", "f:3:15: '=' is not known here; use == to compare, or left - right for "
                        "what is to be zero"},
    {"0,5*x",
     "f:3:11: ',' is only allowed between arguments; decimals are written with a point, 0.5"},
    {"(x + 1", "f:3:16: missing ')' for the bracket opened at 3:10"},
    {"max(x", "f:3:15: missing ')' for the bracket opened at 3:13; inside { } or [ ] YAML ends a "
              "text at a comma or bracket, so put the expression in quotes"},
    {"w[1", "f:3:13: missing ']' for the bracket opened at 3:11; inside { } or [ ] YAML ends a "
            "text at a comma or bracket, so put the expression in quotes"},
    {"x + 1)", "f:3:15: ')' without '(' before it"},
    {"(x]", "f:3:12: ']' where ')' is expected"},
    {"x +", "f:3:13: the expression ends after '+', where an operand is missing"},
    {"x + * y", "f:3:14: an operand is missing before '*'"},
    {"sin()", "f:3:10: sin needs 1 argument, not 0"},
    {"atan2(x)", "f:3:10: atan2 needs 2 arguments, not 1"},
    {"1 + min(x)", "f:3:14: min needs at least 2 arguments, not 1"},
    {"if(x > 1, 2)", "f:3:10: if needs 3 arguments, not 2"},
    {"sin x", "f:3:10: 'sin' needs its arguments in parentheses"},
    {"1 + sine(x)", "f:3:14: unknown function 'sine' (did you mean 'sin'?)"},
    {"qqqq(x, y)", "f:3:10: unknown function 'qqqq'"},
    {"diff(x)", "f:3:10: unknown function 'diff'; the time derivative of x is der(x)"},
    {"ln(x)", "f:3:10: unknown function 'ln'; the natural logarithm is log(x)"},
    {"x'", "f:3:11: ' is not known here; the time derivative of x is der(x)"},
    {"-xdot", "f:3:11: unknown name 'xdot'; the rate of 'x' is der(x)"},
    {"v_x", "f:3:10: unknown name 'v_x'; the rate of 'x' is der(x)"},
    {"wdot[3]", "f:3:10: unknown name 'wdot'; the rate of 'w' is der(w[...])"},
    {"xdd", "f:3:10: unknown name 'xdd'; there are no second time derivatives, the first is "
            "der(x)"},
    {"qdot", "f:3:10: unknown name 'qdot'"},
    {"time", "f:3:10: unknown name 'time'; the time is t"},
    {"30deg", "f:3:12: missing operator before 'deg'; write deg(30)"},
    {"1ms", "f:3:11: missing operator before 'ms'; write 1*ms, or 0.001 if a unit is meant: "
            "numbers have none here, all is in m, kg, s, N, rad"},
    {"9,81", "f:3:11: ',' is only allowed between arguments; decimals are written with a point, "
             "9.81"},
    {"sin(9,81)", "f:3:10: sin needs 1 argument, not 2; decimals are written with a point, 0.5"},
    {"mod(x, 0)", "f:3:17: division by zero"},
    {"mod(x)", "f:3:10: mod needs 2 arguments, not 1"},
    {"floor", "f:3:10: unknown name 'floor'"},
    {"clamp(x, 2, 1)", "f:3:10: the lower bound of clamp(x, low, high) lies above the upper one"},
    {"m(x)", "f:3:10: 'm' is not a function; write m*(...)"},
    {"x + foo", "f:3:14: unknown name 'foo'"},
    {"w[10]", "f:3:10: there is no w[10]"},
    {"w[x]", "f:3:12: an index must be a whole number made of parameters and index variables"},
    {"w[1.5]", "f:3:12: an index must be a whole number, not 1.5"},
    {"w[]", "f:3:10: 'w[]' has no index"},
    {"w[1, 2, 3, 4]", "f:3:10: 'w' has more than 3 indices"},
    {"w[1,]", "f:3:14: an operand is missing before ']'"},
    {"der(v)", "f:3:10: der() of an expression that already contains rates; only coordinates, t "
               "and parameters can be derived"},
    {"der(der(x))", "f:3:10: der() of an expression that already contains rates; only coordinates, "
                    "t and parameters can be derived"},
    {"x < 3", "f:3:10: a condition cannot be used as a number; write if(condition, 1, 0)"},
    {"1 + (x < 3)", "f:3:15: a condition cannot be used as a number; write if(condition, 1, 0)"},
    {"if(x, 1, 2)",
     "f:3:13: a number cannot be used as a condition; compare it, for example x > 0"},
    {"if(x > 1 and y, 1, 2)",
     "f:3:23: a number cannot be used as a condition; compare it, for example x > 0"},
    {"if(1 < x < 3, 1, 2)", "f:3:19: comparisons cannot be chained; write a < b and b < c"},
    {"x/(m - 2)", "f:3:13: division by zero"},
    {"x*log(0)", "f:3:12: this is not a finite number (infinite); check the arguments"},
    {"sqrt(-1)", "f:3:10: this is not a finite number (undefined); check the arguments"},
    {"1e999", "f:3:10: the number 1e999 is too large"},
    {"1.2.3", "f:3:10: '1.2.' is not a number"},
    {"x\u00b2", "f:3:11: '\u00b2' is not known here; use ^2"},
    {"x \u2212 1", "f:3:12: '\u2212' is not known here; use -"},
    {"x + \u4e2d", "f:3:14: unknown character '\u4e2d'"},
    {"x + \xff", "f:3:14: unknown character \\xff"},
    {"x && y", "f:3:12: '&' is not known here; use and"},
    {"sum(i, 1, 1e9, i)",
     "f:3:10: the sums of the model have more than 2000000 terms (--limit terms=N allows more)"},
    {"sum(2, 1, 3, x)",
     "f:3:14: the first argument of sum must be a new name for the index, like i"},
    {"sum(x, 1, 3, x)", "f:3:10: the index 'x' of the sum is the name of something else already"},
    {"sum(i, 1, x, i)",
     "f:3:20: the upper bound of a sum must be a whole number made of parameters and index "
     "variables"},
    {"sum(i, 1, 3)", "f:3:10: sum(index, low, high, expression) needs 4 arguments, not 3"},
    {"x +\n  foo", "f:4:3: unknown name 'foo'"},
    {"x +\n\ny z", "f:5:3: missing operator before 'z'; write y*z"},
};

static void wrong_text_is_refused_with_its_place_and_a_way_out(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof WRONG / sizeof *WRONG; i++) {
        carom_graph *graph = test_graph();
        carom_error error = {0};
        assert_int_equal(test_read(graph, WRONG[i].text, &error), -1);
        assert_int_equal(error.status, CAROM_BAD_INPUT);
        assert_string_equal(error.message, WRONG[i].message);
        carom_graph_free(graph);
    }
}

static void deep_nesting_is_refused_and_moderate_nesting_is_not(void **state)
{
    (void)state;
    char text[4096];
    for (int depth = 60; depth <= 1000; depth += 940) {
        memset(text, '(', (size_t)depth);
        text[depth] = 'x';
        memset(text + depth + 1, ')', (size_t)depth);
        text[2 * depth + 1] = 0;
        carom_graph *graph = test_graph();
        carom_error error = {0};
        assert_true((test_read(graph, text, &error) >= 0) == (depth == 60));
        if (depth > 60) assert_non_null(strstr(error.message, "nested more than"));
        carom_graph_free(graph);
    }
    const char *const long_ones[] = {"-", "not ", "2^", "sin("};
    for (int k = 0; k < 4; k++) {
        text[0] = 0;
        for (int i = 0; i < 900; i++) strcat(text, long_ones[k]);
        carom_graph *graph = test_graph();
        carom_error error = {0};
        assert_int_equal(test_read(graph, text, &error), -1);
        assert_non_null(strstr(error.message, "nested more than"));
        carom_graph_free(graph);
    }
}

static carom_status read_with(carom_graph *graph, const carom_names *names, const char *text,
                              carom_error *error)
{
    carom_arena *arena = carom_arena_new();
    const carom_syntax *syntax = NULL;
    carom_ref ref;
    carom_status status =
        carom_syntax_parse(arena, (carom_text){text, {"f", 1, 1}}, &syntax, error);
    if (status == CAROM_OK) status = carom_syntax_elaborate(graph, syntax, names, &ref, error);
    carom_arena_free(arena);
    return status;
}

static void rates_and_time_are_refused_where_they_are_not_allowed(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } row[] = {
        {"1 + der(x)", "f:1:5: der() is not allowed here: a gap has no rates"},
        {"v", "f:1:1: 'v' contains rates, which are not allowed here: a gap has no rates"},
        {"2*t", "f:1:3: t is not allowed here: numbers only"},
        {"late", "f:1:1: 'late' depends on t, which is not allowed here: numbers only"},
    };
    carom_graph *graph = test_graph();
    carom_names names = test_names(graph);
    names.no_rates = "a gap has no rates";
    names.no_time = "numbers only";
    for (int i = 0; i < 4; i++) {
        carom_error error = {0};
        assert_int_equal(read_with(graph, &names, row[i].text, &error), CAROM_BAD_INPUT);
        assert_string_equal(error.message, row[i].message);
    }
    names.index = &(carom_index){"i", 4};
    names.n_index = 1;
    assert_int_equal(read_with(graph, &names, "w[i] + i", NULL), CAROM_OK);
    carom_graph_free(graph);
}

// knows the names of members; a name in brackets is asked for with its indices apart
static bool find_member(void *self, const char *name, const int *index, int n_index, carom_ref *ref)
{
    double value = NAN;
    if (strcmp(name, "crank.tip.x") == 0 && n_index == 0) value = 3;
    if (strcmp(name, "top.R33") == 0 && n_index == 0) value = 5;
    if (strcmp(name, "b[].x") == 0 && n_index == 1) value = 100 + index[0];
    if (strcmp(name, "b[,].tip.x") == 0 && n_index == 2) value = 10 * index[0] + index[1];
    if (strcmp(name, "a.w[].p[].x") == 0 && n_index == 2) value = index[0] - index[1];
    if (strcmp(name, "a.w[].p") == 0 && n_index == 2) value = index[0] * index[1];
    *ref = carom_graph_number(self, value);
    return !isnan(value);
}

static void dots_join_names_and_stand_behind_indices(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double value;
    } row[] = {
        {"crank.tip.x + 1.5", 4.5},      {"1.5*crank.tip.x*.5", 2.25},
        {"2.*top.R33 - 1.e1", 0},        {"sum(i, 1, 3, b[i].x)", 306},
        {"b[1, 2].tip.x + b[7].x", 119}, {"a.w[5].p[2].x", 3},
        {"a.w[5].p[2]*top.R33", 50},     {"max(top.R33, crank.tip.x)", 5},
        {"b[b[3].x - 100].x", 103},      {"if(top.R33 > 1.5, .5, 1.)", 0.5},
    };
    static const char *const wrong[] = {"crank.tip", "crank. tip.x", "crank .tip.x", "b[1] .x",
                                        "top.R33.5", "b[1]..x",      "x.5",          ".x"};
    carom_graph *graph = test_graph();
    carom_names names = test_names(graph);
    names.find = find_member;
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        carom_arena *arena = carom_arena_new();
        const carom_syntax *syntax;
        carom_ref ref;
        const carom_text text = {row[i].text, {0}};
        assert_int_equal(carom_syntax_parse(arena, text, &syntax, NULL), CAROM_OK);
        assert_int_equal(carom_syntax_elaborate(graph, syntax, &names, &ref, NULL), CAROM_OK);
        if (value_of(graph, ref) != row[i].value) fail_msg("%s", row[i].text);
        carom_arena_free(arena);
    }
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        if (read_with(graph, &names, wrong[i], NULL) != CAROM_BAD_INPUT) fail_msg("%s", wrong[i]);
    carom_graph_free(graph);
}

static void declared_names_are_read_with_their_indices(void **state)
{
    (void)state;
    carom_arena *arena = carom_arena_new();
    carom_declared declared;
    assert_int_equal(
        carom_syntax_declared(arena, (carom_text){" ball[i, j - 1] ", {0}}, &declared, NULL),
        CAROM_OK);
    assert_string_equal(declared.name, "ball");
    assert_int_equal(declared.n_index, 2);
    assert_non_null(declared.index[1]);
    assert_int_equal(carom_syntax_declared(arena, (carom_text){"_x1", {0}}, &declared, NULL),
                     CAROM_OK);
    assert_int_equal(declared.n_index, 0);
    assert_int_equal(
        carom_syntax_declared(arena, (carom_text){"a.b[i, 2].c", {0}}, &declared, NULL), CAROM_OK);
    assert_string_equal(declared.name, "a.b[,].c");
    assert_int_equal(declared.n_index, 2);
    static const struct {
        const char *text, *message;
    } row[] = {
        {"t", "f:2:5: 't' is reserved; choose another name"},
        {"sin", "f:2:5: 'sin' is reserved; choose another name"},
        {"2x", "f:2:5: a name must start with a letter or underscore, not '2'"},
        {"a-b", "f:2:6: '-' cannot stand in a name; names have letters, digits and _ and may have "
                "indices, x[i]"},
        {"", "f:2:5: a name is missing"},
        {"x[]", "f:2:5: 'x[]' has no index"},
        {"x[1, 2].y[3, 4]", "f:2:5: 'x[,].y' has more than 3 indices"},
        {"x .y", "f:2:7: unknown character '.'"},
        {"x.", "f:2:6: unknown character '.'"},
        {"x.5", "f:2:6: '.5' cannot stand in a name; names have letters, digits and _ and may have "
                "indices, x[i]"},
        {"\u00e4", "f:2:5: unknown character '\u00e4'"},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        carom_error error = {0};
        const carom_text text = {row[i].text, {"f", 2, 5}};
        assert_int_equal(carom_syntax_declared(arena, text, &declared, &error), CAROM_BAD_INPUT);
        assert_string_equal(error.message, row[i].message);
    }
    carom_arena_free(arena);
}

static void conditions_can_be_read_alone(void **state)
{
    (void)state;
    carom_arena *arena = carom_arena_new();
    carom_graph *graph = test_graph();
    const carom_names names = test_names(graph);
    const carom_syntax *syntax;
    carom_ref ref;
    carom_error error = {0};
    assert_int_equal(carom_syntax_parse(arena, (carom_text){"x < y and z > 1", {0}}, &syntax, NULL),
                     CAROM_OK);
    assert_int_equal(carom_syntax_elaborate_condition(graph, syntax, &names, &ref, NULL), CAROM_OK);
    assert_true(value_of(graph, ref) == 1);
    assert_int_equal(carom_syntax_parse(arena, (carom_text){"x", {0}}, &syntax, NULL), CAROM_OK);
    assert_int_equal(carom_syntax_elaborate_condition(graph, syntax, &names, &ref, &error),
                     CAROM_BAD_INPUT);
    carom_graph_free(graph);
    carom_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operators_bind_as_in_mathematics),
        cmocka_unit_test(numbers_are_read_in_all_their_forms),
        cmocka_unit_test(functions_mean_what_they_say),
        cmocka_unit_test(der_is_the_time_derivative),
        cmocka_unit_test(sums_and_indices_are_written_out),
        cmocka_unit_test(long_chains_are_read),
        cmocka_unit_test(wrong_text_is_refused_with_its_place_and_a_way_out),
        cmocka_unit_test(deep_nesting_is_refused_and_moderate_nesting_is_not),
        cmocka_unit_test(rates_and_time_are_refused_where_they_are_not_allowed),
        cmocka_unit_test(dots_join_names_and_stand_behind_indices),
        cmocka_unit_test(declared_names_are_read_with_their_indices),
        cmocka_unit_test(conditions_can_be_read_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
