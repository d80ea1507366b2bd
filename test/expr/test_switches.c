// SPDX-License-Identifier: Apache-2.0
// Switching nodes: which there are, what decides them, and when those of time switch.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "expr/names.h"
#include "expr/switches.h"

#include <math.h>

typedef struct fixture {
    carom_graph *graph;
    carom_arena *arena;
    carom_switches found;
} fixture;

static fixture find(const char *text)
{
    carom_error error = {0};
    fixture f = {carom_graph_new(), carom_arena_new(), {0}};
    static const double x[] = {-1, 0, 0.5, 2}, y[] = {3, 1, 2, 3};
    const carom_table_points points = {4, x, y, false, 3};
    carom_spline *spline = NULL;
    assert_int_equal(carom_spline_new(&points, &spline, &error), CAROM_OK);
    assert_int_equal(carom_graph_add_table(f.graph, "lift", spline), 0);
    carom_spline_free(spline);
    const carom_ref root = test_read(f.graph, text, &error);
    if (root < 0) fail_msg("%s: %s", text, error.message);
    assert_int_equal(carom_switches_find(f.graph, &root, 1, f.arena, &f.found), CAROM_OK);
    return f;
}

static void leave(const fixture *f)
{
    carom_graph_free(f->graph);
    carom_arena_free(f->arena);
}

static void every_kind_is_found_with_its_reach(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int n, n_node, order;
        carom_switch_reach reach;
    } row[] = {
        {"x*sin(y) + exp(t)", 0, 0, 0, 0},
        {"if(t > 3, x, y)", 1, 1, 0, CAROM_SWITCH_AFFINE},
        {"step(2*t - 1)", 1, 1, 0, CAROM_SWITCH_AFFINE},
        {"abs((t - 5)/3)", 1, 1, 1, CAROM_SWITCH_AFFINE},
        {"max(t, 4)", 1, 1, 1, CAROM_SWITCH_AFFINE},
        {"lift(3 - t/2)", 1, 1, 1, CAROM_SWITCH_AFFINE},
        {"if(sin(5*t) > 0.9, 1, 0)", 1, 1, 0, CAROM_SWITCH_CLOCK},
        {"sign(t + step(t))", 2, 2, 0, CAROM_SWITCH_CLOCK},
        {"sign(v)", 1, 1, 0, CAROM_SWITCH_STATE},
        {"abs(x - 1)", 1, 1, 1, CAROM_SWITCH_STATE},
        {"min(x, y)", 1, 1, 1, CAROM_SWITCH_STATE},
        {"lift(x)", 1, 1, 1, CAROM_SWITCH_STATE},
        {"if(x > t, 1, 0)", 1, 1, 0, CAROM_SWITCH_STATE},
        {"if(v > 0, -1, if(v < 0, 1, 0))", 1, 2, 0, CAROM_SWITCH_STATE},
        {"min(x, y) + max(x, y)*abs(y - x)", 1, 3, 1, CAROM_SWITCH_STATE},
        {"abs(v)*sign(v)", 1, 2, 0, CAROM_SWITCH_STATE},
        {"if(x == 1, 2, 3)", 0, 0, 0, 0},
        {"if(x > 0 and t < 3, 1, 0)", 2, 2, 0, CAROM_SWITCH_STATE},
        {"floor(x) + mod(2*x, 2)", 1, 2, 0, CAROM_SWITCH_STATE},
        {"mod(t, 3)", 1, 1, 0, CAROM_SWITCH_AFFINE},
        {"clamp(x, 0, 1)", 2, 2, 1, CAROM_SWITCH_STATE},
        {"hypot(x, y)", 0, 0, 0, 0},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        const fixture f = find(row[i].text);
        bool has_reach = row[i].n == 0;
        int order = 9;
        for (int k = 0; k < f.found.n; k++) {
            has_reach |= f.found.item[k].reach == row[i].reach;
            order = f.found.item[k].order < order ? f.found.item[k].order : order;
        }
        if (f.found.n != row[i].n || f.found.n_node != row[i].n_node || !has_reach ||
            (row[i].n > 0 && order != row[i].order))
            fail_msg("%s: %d switches, %d nodes, order %d", row[i].text, f.found.n, f.found.n_node,
                     order);
        leave(&f);
    }
}

static void opposite_comparisons_share_a_switch(void **state)
{
    (void)state;
    const fixture f = find("if(x > y, 1, 0) + if(x < y, 1, 0)");
    assert_int_equal(f.found.n, 1);
    assert_int_equal(f.found.n_node, 2);
    assert_true(f.found.node[0].is_negative != f.found.node[1].is_negative);
    leave(&f);
}

// all times of a switch in (from, to)
static void expect_times(const char *text, double from, double to, const double *expected, int n)
{
    const fixture f = find(text);
    assert_int_equal(f.found.n, 1);
    double t = from;
    for (int i = 0; i < n; i++) {
        t = carom_switch_next(&f.found.item[0], t);
        if (!(fabs(t - expected[i]) <= 1e-14 * fmax(1, fabs(t))))
            fail_msg("%s: time %d is %.17g instead of %.17g", text, i, t, expected[i]);
    }
    assert_true(carom_switch_next(&f.found.item[0], t) > to);
    leave(&f);
}

static void times_come_in_order(void **state)
{
    (void)state;
    expect_times("if(t > 3, x, y)", -10, 1e300, (const double[]){3}, 1);
    expect_times("step(1 - 2*t)", -10, 1e300, (const double[]){0.5}, 1);
    expect_times("abs((t - 5)/3)", 4.999, 1e300, (const double[]){5}, 1);
    // the table has points -1, 0, 0.5, 2 and the period 3
    expect_times("lift(t)", 0, 5.9, (const double[]){0.5, 2, 3, 3.5, 5}, 5);
    expect_times("lift(3 - t/2)", 0.1, 7.9, (const double[]){2, 5, 6}, 3);
    expect_times("mod(t, 3)", 0.1, 7.9, (const double[]){3, 6}, 2);
    expect_times("floor(1 - 2*t)", 0.1, 1.4, (const double[]){0.5, 1}, 2);
    expect_times("lift(t)", 3e5 - 0.1, 3e5 + 1.9, (const double[]){3e5, 3e5 + 0.5}, 2);
}

// what next gives is beyond t also where rounding makes s the same number
static void the_next_time_is_later(void **state)
{
    (void)state;
    const fixture f = find("lift(t/3)"); // three points in 9 s
    double t = 0;
    for (int i = 0; i < 99999; i++) {
        const double next = carom_switch_next(&f.found.item[0], t);
        if (!(next > t + 1)) fail_msg("%.17g after %.17g", next, t);
        t = next;
    }
    assert_float_equal(t, 9. * 33333, 1e-6);
    leave(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_is_found_with_its_reach),
        cmocka_unit_test(opposite_comparisons_share_a_switch),
        cmocka_unit_test(times_come_in_order),
        cmocka_unit_test(the_next_time_is_later),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
