// SPDX-License-Identifier: Apache-2.0
// Derivatives of random expressions against central differences in extended precision, evaluated
// without the engine. With D(h) = f' + c h^2 the error of D(h/2) is |D(h) - D(h/2)|/3, which gives
// the tolerance.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "expr/names.h"
#include "expr/random_tree.h"

#include <stdlib.h>

enum { N_EXPRESSION = 3000, ROOM = 1 << 18 };
static const long double STEP = 2e-4L;

// values of all graph nodes up to one, in extended precision; the numbers are ordered, so a loop
// will do
static long double graph_value(const carom_graph *graph, carom_ref root, point *p, const double *u)
{
    static long double value[1 << 17];
    assert_true(root < 1 << 17);
    for (int ref = 0; ref <= root; ref++) {
        const carom_op op = carom_graph_op(graph, ref);
        const int a = carom_graph_child(graph, ref, 0), b = carom_graph_child(graph, ref, 1),
                  c = carom_graph_child(graph, ref, 2);
        double number;
        if (carom_graph_is_number(graph, ref, &number)) {
            value[ref] = number;
        } else if (op == CAROM_OP_SYMBOL) {
            value[ref] = a == CAROM_TIME ? p->at[0] : a == CAROM_Q ? p->at[1 + b] : u[b];
        } else {
            const bool is_table = op == CAROM_OP_TABLE;
            const long double x[3] = {value[a],
                                      is_table ? b
                                      : b >= 0 ? value[b]
                                               : 0,
                                      !is_table && c >= 0 ? value[c] : 0};
            value[ref] = apply(p, op, x);
        }
    }
    return value[root];
}

typedef long double function(void *self, point *p);

typedef struct slope {
    long double value, tolerance;
    bool is_smooth;
} slope;

// derivative along direction by differences at h and h/2; not smooth where a decision changes on
// the way
static slope differences(function *f, void *self, const point *centre,
                         const long double direction[4])
{
    long double d[2], scale = 0;
    uint64_t decisions = 0;
    slope result = {.is_smooth = true};
    for (int k = 0; k < 2; k++) {
        const long double h = STEP / (1 + k);
        long double v[2];
        for (int s = 0; s < 2; s++) {
            point p = *centre;
            p.decisions = 0;
            for (int i = 0; i < 4; i++) p.at[i] += (s ? h : -h) * direction[i];
            v[s] = f(self, &p);
            if (k + s == 0) decisions = p.decisions;
            if (p.decisions != decisions || !isfinite((double)v[s])) result.is_smooth = false;
            scale = fmaxl(scale, fmaxl(p.scale, fabsl(v[s])));
        }
        d[k] = (v[1] - v[0]) / (2 * h);
    }
    result.value = d[1];
    // a function that turns within a step is not resolved by it
    if (!(fabsl(d[0] - d[1]) <= 1e-3L * (1 + fabsl(d[1])))) result.is_smooth = false;
    // the second part is rounding: of the differences, and of the constants, which are doubles
    result.tolerance = fabsl(d[0] - d[1]) + (1e-17L / STEP + 1e-12L) * (1 + scale + fabsl(d[1]));
    return result;
}

static long double value_of_tree(void *self, point *p)
{
    return tree_value(self, p);
}

typedef struct node_of {
    carom_graph *graph;
    carom_ref ref;
    const double *u;
} node_of;

static long double value_of_node(void *self, point *p)
{
    const node_of *n = self;
    return graph_value(n->graph, n->ref, p, n->u);
}

static void expect_close(long double exact, slope s, const char *text)
{
    if (!(fabsl(exact - s.value) <= s.tolerance))
        fail_msg("derivative %.15Lg, differences %.15Lg +- %.3Lg\nof %s", exact, s.value,
                 s.tolerance, text);
}

typedef struct sample {
    forest forest;
    char text[ROOM];
    carom_graph *graph;
    tree *root;
    carom_ref ref;
    point point;
} sample;

// a new random expression at a random point; false where it is constant
static bool draw_sample(sample *s, bool with_time)
{
    s->forest.n = 0;
    s->root = grow_random(&s->forest, 4, with_time);
    const size_t n = tree_text(s->root, s->text, sizeof s->text);
    assert_true(n < sizeof s->text);
    s->graph = test_graph();
    carom_error error = {0};
    s->ref = test_read(s->graph, s->text, &error);
    if (s->ref < 0) fail_msg("%s\n%s", error.message, s->text);
    s->point = (point){.table = carom_graph_table(s->graph, 0)};
    for (int i = 0; i < 4; i++)
        s->point.at[i] = 0.37 * ((int)draw(&s->forest.seed, 13) - 6) + 0.0113;
    double number;
    return !carom_graph_is_number(s->graph, s->ref, &number);
}

static void along(int symbol, long double direction[4])
{
    for (int i = 0; i < 4; i++) direction[i] = i == symbol;
}

static void check_second_derivatives(sample *s, carom_ref first, int *n_checked)
{
    carom_gradient second;
    assert_int_equal(carom_graph_gradient(s->graph, first, CAROM_Q, &second), CAROM_OK);
    node_of f = {s->graph, first, NULL};
    long double direction[4];
    int next = 0;
    for (int j = 0; j < 3; j++) {
        along(1 + j, direction);
        const bool is_there = next < second.n && second.index[next] == j;
        const slope d = differences(value_of_node, &f, &s->point, direction);
        const carom_ref ref = is_there ? second.ref[next++] : carom_graph_number(s->graph, 0);
        if (!d.is_smooth) continue;
        expect_close(graph_value(s->graph, ref, &s->point, NULL), d, s->text);
        ++*n_checked;
    }
    assert_int_equal(next, second.n);
}

static void gradients_of_random_expressions_agree_with_differences(void **state)
{
    sample *s = *state;
    s->forest.seed = 20240501;
    int n_first = 0, n_second = 0;
    for (int k = 0; k < N_EXPRESSION; k++) {
        if (!draw_sample(s, true)) {
            carom_graph_free(s->graph);
            k--;
            continue;
        }
        carom_gradient gradient;
        carom_ref ref[3];
        assert_int_equal(carom_graph_gradient(s->graph, s->ref, CAROM_Q, &gradient), CAROM_OK);
        for (int i = 0; i < 3; i++) ref[i] = carom_graph_number(s->graph, 0);
        for (int i = 0; i < gradient.n; i++) {
            assert_true(i == 0 || gradient.index[i] > gradient.index[i - 1]);
            assert_false(carom_graph_is_zero(s->graph, gradient.ref[i]));
            ref[gradient.index[i]] = gradient.ref[i];
        }
        for (int i = 0; i < 3; i++) {
            long double direction[4];
            along(1 + i, direction);
            const slope d = differences(value_of_tree, s->root, &s->point, direction);
            if (!d.is_smooth) continue;
            const carom_ref forward = carom_graph_derivative(s->graph, s->ref, CAROM_Q, i);
            expect_close(graph_value(s->graph, ref[i], &s->point, NULL), d, s->text);
            expect_close(graph_value(s->graph, forward, &s->point, NULL), d, s->text);
            n_first++;
            check_second_derivatives(s, ref[i], &n_second);
        }
        carom_graph_free(s->graph);
    }
    assert_true(n_first > 2 * N_EXPRESSION);
    assert_true(n_second > 5 * N_EXPRESSION);
}

static void rates_of_random_expressions_agree_with_differences_along_a_motion(void **state)
{
    sample *s = *state;
    s->forest.seed = 77;
    static const double u[3] = {0.7, -1.2, 0.4};
    const long double direction[4] = {1, u[0], u[1], u[2]};
    int n_checked = 0;
    for (int k = 0; k < N_EXPRESSION; k++) {
        draw_sample(s, true);
        const carom_ref rate = carom_graph_rate(s->graph, s->ref);
        assert_int_equal(carom_graph_rate(s->graph, s->ref), rate);
        const slope d = differences(value_of_tree, s->root, &s->point, direction);
        if (d.is_smooth) {
            expect_close(graph_value(s->graph, rate, &s->point, u), d, s->text);
            n_checked++;
        }
        carom_graph_free(s->graph);
    }
    assert_true(n_checked > N_EXPRESSION / 2);
}

static void replacing_coordinates_by_zero_is_evaluating_at_zero(void **state)
{
    sample *s = *state;
    s->forest.seed = 4;
    for (int k = 0; k < 500; k++) {
        draw_sample(s, true);
        const carom_ref without = carom_graph_without(s->graph, s->ref, CAROM_Q);
        assert_int_equal(carom_graph_kinds(s->graph, without) & (1u << CAROM_Q), 0);
        for (int i = 1; i < 4; i++) s->point.at[i] = 0;
        const long double a = graph_value(s->graph, without, &s->point, NULL);
        const long double b = graph_value(s->graph, s->ref, &s->point, NULL);
        assert_true(fabsl(a - b) <= 1e-13L * (1 + fabsl(b)));
        carom_graph_free(s->graph);
    }
}

static long double derivative_at(const char *text, long double x)
{
    carom_graph *graph = test_graph();
    carom_error error = {0};
    const carom_ref root = test_read(graph, text, &error);
    assert_true(root >= 0);
    carom_gradient gradient;
    assert_int_equal(carom_graph_gradient(graph, root, CAROM_Q, &gradient), CAROM_OK);
    point p = {.at = {0, x, 0, 0}, .table = carom_graph_table(graph, 0)};
    const carom_ref forward = carom_graph_derivative(graph, root, CAROM_Q, 0);
    const long double value = gradient.n ? graph_value(graph, gradient.ref[0], &p, NULL) : 0;
    assert_true(graph_value(graph, forward, &p, NULL) == value);
    carom_graph_free(graph);
    return value;
}

static void branches_not_taken_do_not_spoil_derivatives(void **state)
{
    (void)state;
    assert_true(derivative_at("if(x > 0, sqrt(x), 0)", -1) == 0);
    assert_true(derivative_at("if(x > 0, log(sqrt(x))*x, 3*x)", -1) == 3);
    assert_true(derivative_at("if(x > 0, sqrt(x), 0) + if(x > 1, sqrt(x), 0)", -1) == 0);
    assert_true(derivative_at("sin(if(x > 0, sqrt(x), 0))/2 - if(x > 2, x*sqrt(x), 0)", -1) == 0);
    assert_true(derivative_at("max(0, x)^1.5", -1) == 0);
    assert_true(derivative_at("max(0, x)^1.5", 0) == 0);
    assert_true(derivative_at("max(0, x)^2.5", 4) == 20);
    assert_true(derivative_at("min(x, 2)*max(x, 1)", 1.5) == 3);
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
        cmocka_unit_test_setup_teardown(gradients_of_random_expressions_agree_with_differences,
                                        make_sample, drop_sample),
        cmocka_unit_test_setup_teardown(
            rates_of_random_expressions_agree_with_differences_along_a_motion, make_sample,
            drop_sample),
        cmocka_unit_test_setup_teardown(replacing_coordinates_by_zero_is_evaluating_at_zero,
                                        make_sample, drop_sample),
        cmocka_unit_test(branches_not_taken_do_not_spoil_derivatives),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
