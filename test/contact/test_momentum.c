// SPDX-License-Identifier: Apache-2.0
// Sweeps with momentum: fewer of them where that is true, and no circles where things turn; rows
// and bodies alike. What auto does where its sweeps have no Newton steps to be paid from.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "contact/body_scene.h"
#include "contact/newton/momentum.h"
#include "contact/solver.h"

// x := 0.995 of x, turned by a right angle, with momentum; what is left after n of these
static double turn_with_momentum(int n, bool is_watched)
{
    double x[2] = {1, 0}, before[2] = {1, 0}, start[2] = {1, 0}, kept[2] = {1, 0}, best = 1;
    carom_momentum m = carom_momentum_new(1);
    for (int i = 0; i < n; i++) {
        const double y[2] = {-0.995 * start[1], 0.995 * start[0]};
        double uphill = 0;
        for (int k = 0; k < 2; k++) uphill += (start[k] - y[k]) * (y[k] - before[k]);
        const double beta = carom_momentum_next(&m, uphill > 0);
        if (hypot(y[0], y[1]) < best) {
            best = hypot(y[0], y[1]);
            memcpy(kept, y, sizeof y);
        }
        for (int k = 0; k < 2; k++) {
            x[k] = y[k];
            start[k] = y[k] + beta * (y[k] - before[k]);
            before[k] = y[k];
        }
        if (!is_watched || !carom_momentum_is_astray(&m, 1, best)) continue;
        memcpy(start, kept, sizeof kept);
        memcpy(before, kept, sizeof kept);
    }
    return is_watched ? best : hypot(x[0], x[1]);
}

static void momentum_does_not_circle(void **state)
{
    (void)state;
    const double alone = turn_with_momentum(8000, false), watched = turn_with_momentum(8000, true);
    assert_true(!(alone < 1e-2)); // the test is one: momentum alone does not arrive
    assert_true(watched < 1e-6);
}

static carom_contact_info solve(const char *name, const carom_setting *setting, int n,
                                const carom_problem *problem)
{
    double P[SCENE_ROWS] = {0};
    carom_error error = {0};
    carom_contact_info info;
    carom_contact_solver *solver;
    if (carom_contact_solver_new(name, setting, n, problem->n_row, &solver, &error) ||
        carom_contact_solve(solver, problem, P, &info, &error))
        fail_msg("%s", error.message);
    assert_true(carom_contact_residual(problem, P) <= (1 + 1e-9) * info.residual);
    carom_contact_solver_free(solver);
    return info;
}

static void momentum_saves_sweeps_over_rows(void **state)
{
    (void)state;
    static scene s;
    random_state r = {31};
    for (int m = 0; m < 6; m++) {
        const scene_recipe c = {
            .across = 6, .high = 8, .in_plane = m % 2, .has_rods = m > 3, .mu = 0.3, .heavy = 1};
        make_scene(&s, &c, &r);
        int n[3];
        for (int k = 0; k < 3; k++) {
            const carom_setting setting[] = {{{.text = "iterations"}, {.text = "20000"}},
                                             {{.text = "tolerance"}, {.text = "1e-8"}},
                                             {{.text = "momentum"}, {.text = k ? "1" : "0"}}};
            const carom_contact_info info = solve(k < 2 ? "nsgs" : "sweeps", setting, 3, &s.sparse);
            assert_true(info.is_converged);
            n[k] = info.iterations;
        }
        assert_true(2 * n[1] < n[0]);
        assert_int_equal(n[2], n[1]); // sweeps on rows are these
        close_scene(&s);
    }
}

static void auto_sweeps_bodies_whatever_the_effort(void **state)
{
    (void)state;
    static scene s;
    random_state r = {32};
    const carom_setting setting[] = {{{.text = "effort"}, {.text = "1"}},
                                     {{.text = "tolerance"}, {.text = "1e-6"}}};
    for (int m = 0; m < 6; m++) {
        const scene_recipe c = {.across = 6, .high = 8, .in_plane = m % 2, .mu = 0.3, .heavy = 1};
        make_scene(&s, &c, &r);
        const carom_contact_info info = solve("auto", setting, 2, &s.problem);
        assert_true(info.is_converged && info.residual <= 1e-6);
        assert_string_equal(info.solver, "sweeps");
        close_scene(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(momentum_does_not_circle),
        cmocka_unit_test(momentum_saves_sweeps_over_rows),
        cmocka_unit_test(auto_sweeps_bodies_whatever_the_effort),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
