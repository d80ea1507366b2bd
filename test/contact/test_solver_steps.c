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

enum { N_DISC = 40, N_OF_DISCS = 3 * N_DISC };

// dry friction of bodies by themselves that just slip, from guesses that point across: each finds
// its direction in a few sweeps
static void discs_that_just_slip_turn_at_once(void **state)
{
    (void)state;
    static double inverse[N_OF_DISCS], value[N_OF_DISCS], b[N_OF_DISCS], P[N_OF_DISCS],
        scratch[2 * N_OF_DISCS];
    static int mass_row[N_OF_DISCS + 1], inverse_at[N_OF_DISCS], start[N_OF_DISCS + 1],
        index[N_OF_DISCS];
    static carom_block block[N_DISC];
    const double radius = 0.5;
    for (int i = 0; i < N_OF_DISCS; i++) {
        inverse[i] = value[i] = 1;
        b[i] = i % 3 == 0 ? 1.01 * radius : 0;
        P[i] = i % 3 == 1 ? radius : 0;
        mass_row[i + 1] = start[i + 1] = i + 1;
        inverse_at[i] = index[i] = i;
        block[i / 3] = (carom_block){.first = i / 3 * 3,
                                     .dim = 3,
                                     .is_bilateral = true,
                                     .is_limited = true,
                                     .radius = radius};
    }
    carom_factors factors = {N_OF_DISCS, start,   index,      value, N_OF_DISCS,
                             mass_row,   inverse, inverse_at, NULL,  scratch};
    const carom_problem problem = {
        N_OF_DISCS, N_DISC, block, {.n = N_OF_DISCS, .factors = &factors}, b};
    carom_contact_solver *solver = NULL;
    carom_contact_info info;
    assert_int_equal(carom_contact_solver_new("sweeps", NULL, 0, N_OF_DISCS, &solver, NULL),
                     CAROM_OK);
    assert_int_equal(carom_contact_solve(solver, &problem, P, &info, NULL), CAROM_OK);
    carom_contact_solver_free(solver);
    assert_true(info.is_converged && fabs(P[0] + radius) < 1e-9);
    if (info.iterations > 6) fail_msg("%d sweeps for discs by themselves", info.iterations);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_scene_takes_more_steps_than_it_needs),
        cmocka_unit_test(discs_that_just_slip_turn_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
