// SPDX-License-Identifier: Apache-2.0
// How many steps solvers take on scenes of bodies with rods, limited friction and slipping
// contacts. Answers are checked elsewhere; a wrong rate or a wrong row of a step is repaired by
// more steps, and seen only here. Bounds are a sixth above what was needed when they were written.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "contact/body_scene.h"

typedef struct expected_steps {
    scene_recipe scene;
    int sweeps, interior_point;
} expected_steps;

static const expected_steps rows[] = {
    {{4, 3, .mu = 0.05, .heavy = 1}, 99, 143},
    {{5, 3, .has_rods = true, .mu = 0.3, .heavy = 10}, 288, 62},
    {{5, 3, .has_discs = true, .has_rods = true, .mu = 0.3, .heavy = 1}, 336, 84},
    {{6, 2, .in_plane = true, .has_rods = true, .mu = 0.1, .heavy = 1}, 124, 56},
    {{5, 4, .mu = 0.5, .heavy = 1}, 933, 32},
};

static void expect_at_most(const char *name, const carom_problem *problem, int most)
{
    static double P[SCENE_ROWS];
    carom_contact_solver *solver = NULL;
    carom_contact_info info;
    memset(P, 0, sizeof P);
    assert_int_equal(carom_contact_solver_new(name, NULL, 0, SCENE_ROWS, &solver, NULL), CAROM_OK);
    assert_int_equal(carom_contact_solve(solver, problem, P, &info, NULL), CAROM_OK);
    carom_contact_solver_free(solver);
    assert_true(info.is_converged);
    if (info.iterations > most)
        fail_msg("%s: %d steps instead of at most %d", name, info.iterations, most);
}

static void no_scene_takes_more_steps_than_it_needs(void **state)
{
    (void)state;
    static scene s;
    random_state r = {16};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        make_scene(&s, &rows[i].scene, &r);
        expect_at_most("sweeps", &s.problem, rows[i].sweeps);
        expect_at_most("interior_point", &s.problem, rows[i].interior_point);
        close_scene(&s);
    }
}

// dry friction that just slips, from a guess that points across: its own direction is found at once
static void a_disc_that_just_slips_turns_at_once(void **state)
{
    (void)state;
    const double radius = 0.5;
    double inverse[] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, value[] = {1, 1, 1}, scratch[6];
    double b[] = {1.01 * radius, 0, 0};
    int mass_row[] = {0, 3}, inverse_at[] = {0}, start[] = {0, 1, 2, 3}, index[] = {0, 1, 2};
    carom_factors factors = {.n_column = 3,
                             .start = start,
                             .index = index,
                             .value = value,
                             .n_mass = 1,
                             .mass_row = mass_row,
                             .inverse_at = inverse_at,
                             .inverse = inverse,
                             .scratch = scratch};
    carom_block block = {.dim = 3, .is_bilateral = true, .is_limited = true, .radius = radius};
    const carom_problem problem = {
        .n_row = 3, .G = {.n = 3, .factors = &factors}, .b = b, .n_block = 1, .block = &block};
    double P[] = {0, radius, 0};
    carom_contact_solver *solver = NULL;
    carom_contact_info info;
    assert_int_equal(carom_contact_solver_new("sweeps", NULL, 0, 3, &solver, NULL), CAROM_OK);
    assert_int_equal(carom_contact_solve(solver, &problem, P, &info, NULL), CAROM_OK);
    carom_contact_solver_free(solver);
    assert_true(info.is_converged && fabs(P[0] + radius) < 1e-9);
    if (info.iterations > 4) fail_msg("%d sweeps for one disc", info.iterations);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_scene_takes_more_steps_than_it_needs),
        cmocka_unit_test(a_disc_that_just_slips_turns_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
