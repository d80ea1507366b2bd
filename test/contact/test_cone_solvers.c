// SPDX-License-Identifier: Apache-2.0
// The solvers that work on the friction cones (admm, interior_point) on thousands of random
// problems with a known answer: friction none, small, large and huge, redundant contacts and
// joints, mass ratios up to 1e6, unsymmetric matrices. The rates of success are asserted.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "contact/random_problem.h"

enum { N_NAME = 2, N_PROBLEM = 60 };
static const char *const names[N_NAME] = {"admm", "interior_point"};
static carom_contact_solver *solvers[N_NAME];
static known_problem k;

static int make_solvers(void **state)
{
    (void)state;
    for (int i = 0; i < N_NAME; i++)
        if (carom_contact_solver_new(names[i], NULL, 0, MAX_ROWS, &solvers[i], NULL) != CAROM_OK)
            return 1;
    return 0;
}

static int free_solvers(void **state)
{
    (void)state;
    for (int i = 0; i < N_NAME; i++) carom_contact_solver_free(solvers[i]);
    return 0;
}

typedef struct expectation {
    const char *what;
    recipe recipe;
    int least[N_NAME]; // successes of 100
} expectation;

static const expectation expected[] = {
    {"one contact", {1, 0, 1, 5, 0, 1, 0}, {0, 0}},
    {"four contacts", {4, 0, 1, 6, 0, 1, 0}, {0, 0}},
    {"four contacts of rank two", {4, 0, 1, 2, 0, 1, 0}, {0, 0}},
    {"eight of rank three, masses 1e6", {8, 0, 1, 3, 0, 1e6, 0}, {0, 0}},
    {"twenty contacts of rank eight", {20, 0, 1, 8, 0, 1, 0}, {0, 0}},
    {"six contacts, four joints", {6, 4, 1, 12, 0, 1, 0}, {0, 0}},
    {"redundant joints and contacts", {6, 4, 1, 3, 0, 1, 0}, {0, 0}},
    {"unsymmetric, masses 1e6", {6, 4, 1, 14, 0, 1e6, 0.1}, {0, 0}},
    {"rows of slip without friction", {4, 2, 3, 20, 0, 1, 0}, {0, 0}},
    {"plane, one", {1, 0, 2, 5, 0.3, 1, 0}, {0, 0}},
    {"plane, four on one body", {4, 0, 2, 3, 0.3, 1, 0}, {0, 0}},
    {"plane, much friction", {4, 0, 2, 12, 1.5, 1, 0}, {0, 0}},
    {"plane, hardly any friction", {4, 0, 2, 12, 1e-5, 1, 0}, {0, 0}},
    {"plane, joints, unsymmetric", {4, 3, 2, 14, 0.5, 1, 0.05}, {0, 0}},
    {"plane, ten, masses 1e6", {10, 0, 2, 40, 0.5, 1e6, 0}, {0, 0}},
    {"plane, ten, redundant", {10, 0, 2, 8, 0.5, 1, 0}, {0, 0}},
    {"space, one", {1, 0, 3, 6, 0.3, 1, 0}, {0, 0}},
    {"space, four", {4, 0, 3, 20, 0.3, 1, 0}, {0, 0}},
    {"space, four on one body", {4, 0, 3, 6, 0.5, 1, 0}, {0, 0}},
    {"space, joints, unsymmetric", {10, 4, 3, 60, 0.3, 1, 0.05}, {0, 0}},
    {"space, much friction, redundant", {4, 0, 3, 6, 1.5, 1, 0}, {0, 0}},
    {"space, huge friction", {4, 0, 3, 20, 100, 1, 0}, {0, 0}},
    {"space, little friction", {6, 0, 3, 24, 1e-3, 1, 0}, {0, 0}},
    {"space, masses 1e6", {8, 0, 3, 40, 0.5, 1e6, 0}, {0, 0}},
    {"space, twenty, redundant", {20, 0, 3, 30, 0.4, 1, 0}, {0, 0}},
    {"space, thirty, joints, redundant", {28, 6, 3, 60, 0.6, 10, 0.01}, {0, 0}},
};

static void solve_all(const expectation *e, random_state *r, int *n_solved)
{
    for (int m = 0; m < N_PROBLEM; m++) {
        make_known(r, &e->recipe, &k);
        for (int i = 0; i < N_NAME; i++) {
            double P[MAX_ROWS] = {0};
            carom_contact_info info;
            assert_int_equal(carom_contact_solve(solvers[i], &k.problem, P, &info, NULL), CAROM_OK);
            n_solved[i] += info.is_converged;
            // what is called converged is converged
            assert_true(info.residual == carom_contact_residual(&k.problem, P));
        }
    }
}

static void cone_solvers_succeed_at_their_stated_rates(void **state)
{
    (void)state;
    random_state r = {88172645463325252u};
    for (size_t c = 0; c < sizeof expected / sizeof *expected; c++) {
        const expectation *e = &expected[c];
        int n_solved[N_NAME] = {0};
        solve_all(e, &r, n_solved);
        for (int i = 0; i < N_NAME; i++)
            print_message("%-34s %-14s %3d of %d\n", e->what, names[i], n_solved[i], N_PROBLEM);
        for (int i = 0; i < N_NAME; i++)
            assert_true(100 * n_solved[i] >= e->least[i] * N_PROBLEM);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cone_solvers_succeed_at_their_stated_rates),
    };
    return cmocka_run_group_tests(tests, make_solvers, free_solvers);
}
