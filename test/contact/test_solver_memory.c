// SPDX-License-Identifier: Apache-2.0
// Counts allocations: a solve of a dense problem takes no memory, whatever the solver. And nothing of
// a problem is left over for the next one.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "contact/body_scene.h"
#include "count_allocations.h"

static void a_dense_solve_takes_no_memory(void **state)
{
    (void)state;
    static known_problem k;
    random_state r = {21};
    const recipe kinds[] = {{3, 2, 1, 4, 0, 1, 0},
                            {5, 3, 2, 6, 0.4, 1e4, 0.1},
                            {12, 4, 3, 20, 0.4, 1, 0},
                            {20, 0, 1, 8, 0, 1, 0}};
    for (int i = 0; i < carom_solver_count(); i++) {
        carom_contact_solver *solver = NULL;
        const long before_new = n_allocation;
        assert_int_equal(
            carom_contact_solver_new(carom_solver_at(i)->name, NULL, 0, MAX_ROWS, &solver, NULL),
            CAROM_OK);
        assert_true(n_allocation > before_new); // the counter counts
        for (int m = 0; m < 40; m++) {
            double P[MAX_ROWS] = {0};
            carom_contact_info info;
            make_known(&r, &kinds[m % 4], &k);
            const long before = n_allocation;
            carom_contact_solve(solver, &k.problem, P, &info, NULL);
            assert_int_equal(n_allocation, before);
        }
        carom_contact_solver_free(solver);
    }
}

static void a_solver_for_thousands_of_rows_stays_small(void **state)
{
    (void)state;
    for (int i = 0; i < carom_solver_count(); i++) {
        carom_contact_solver *solver = NULL;
        assert_int_equal(
            carom_contact_solver_new(carom_solver_at(i)->name, NULL, 0, 100000, &solver, NULL),
            CAROM_OK);
        carom_contact_solver_free(solver);
    }
}

// the answer of a solver that has solved others before has the bits of that of a new one
static void expect_bits_of_a_new_solver(const char *name, carom_contact_solver *used,
                                        const carom_problem *problem)
{
    static double P[SCENE_ROWS], Q[SCENE_ROWS];
    carom_contact_solver *fresh = NULL;
    carom_contact_info one, two;
    memset(P, 0, sizeof P);
    memset(Q, 0, sizeof Q);
    assert_int_equal(carom_contact_solver_new(name, NULL, 0, SCENE_ROWS, &fresh, NULL), CAROM_OK);
    const carom_status status = carom_contact_solve(used, problem, P, &one, NULL);
    assert_int_equal(carom_contact_solve(fresh, problem, Q, &two, NULL), status);
    carom_contact_solver_free(fresh);
    if (status != CAROM_OK) return; // refused by both
    if (one.iterations != two.iterations || memcmp(P, Q, sizeof P) != 0)
        fail_msg("%s: %d iterations after other problems, %d alone", name, one.iterations,
                 two.iterations);
}

static void problems_leave_nothing_behind(void **state)
{
    (void)state;
    static known_problem k;
    static scene s;
    const recipe kinds[] = {
        {5, 3, 2, 16, 0.4, 1, 0}, {12, 4, 3, 60, 0.4, 1, 0}, {6, 6, 3, 40, 0, 1, 0}};
    const scene_recipe scenes[] = {
        {3, 3, .has_rods = true, .mu = 0.5, .heavy = 1},
        {5, 3, .has_rods = true, .has_discs = true, .mu = 0.3, .heavy = 10},
        {6, 2, .in_plane = true, .has_rods = true, .mu = 0.5, .heavy = 1}};
    for (int i = 0; i < carom_solver_count(); i++) {
        random_state r = {77};
        carom_contact_solver *used = NULL;
        const char *name = carom_solver_at(i)->name;
        assert_int_equal(carom_contact_solver_new(name, NULL, 0, SCENE_ROWS, &used, NULL),
                         CAROM_OK);
        for (int m = 0; m < 6; m++) {
            make_known(&r, &kinds[m % 3], &k);
            expect_bits_of_a_new_solver(name, used, &k.problem);
            make_scene(&s, &scenes[m % 3], &r);
            expect_bits_of_a_new_solver(name, used, &s.problem);
            close_scene(&s);
        }
        carom_contact_solver_free(used);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_dense_solve_takes_no_memory),
        cmocka_unit_test(a_solver_for_thousands_of_rows_stays_small),
        cmocka_unit_test(problems_leave_nothing_behind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
