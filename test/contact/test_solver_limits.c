// SPDX-License-Identifier: Apache-2.0
// Contact solvers at the edges: no answer exists, nothing to solve, numbers that are not finite,
// wrong names, sizes.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "carom/contact.h"

#include <math.h>
#include <string.h>

static carom_contact_solver *make(int i, int max_row)
{
    carom_contact_solver *solver = NULL;
    assert_int_equal(
        carom_contact_solver_new(carom_solver_at(i)->name, NULL, 0, max_row, &solver, NULL),
        CAROM_OK);
    return solver;
}

static carom_problem dense(int n, int n_block, carom_block *block, double *G, double *b)
{
    return (carom_problem){n, n_block, block, {.n = n, .dense = G}, b};
}

// solves with every solver; all must say that they failed, and leave finite numbers
static void assert_unsolved(const carom_problem *problem)
{
    for (int i = 0; i < carom_solver_count(); i++) {
        carom_contact_solver *solver = make(i, problem->n_row);
        carom_contact_info info;
        double P[8] = {0};
        const carom_status status = carom_contact_solve(solver, problem, P, &info, NULL);
        assert_true(status == CAROM_BAD_INPUT || (status == CAROM_OK && !info.is_converged));
        for (int j = 0; j < problem->n_row; j++) assert_true(isfinite(P[j]));
        carom_contact_solver_free(solver);
    }
}

static void a_ball_squeezed_by_two_walls_is_unsolved(void **state)
{
    (void)state;
    double G[4] = {1, -1, -1, 1}, b[2] = {-1, -1};
    carom_block block[2] = {{.dim = 1}, {.first = 1, .dim = 1, .id = 1}};
    const carom_problem problem = dense(2, 2, block, G, b);
    assert_unsolved(&problem);
}

static void a_dead_row_that_closes_is_unsolved(void **state)
{
    (void)state;
    double G[4] = {0, 0, 0, 1}, b[2] = {-1, -1};
    carom_block block[2] = {{.dim = 1}, {.first = 1, .dim = 1, .id = 1}};
    const carom_problem problem = dense(2, 2, block, G, b);
    assert_unsolved(&problem);
}

static void constraints_that_contradict_each_other_are_unsolved(void **state)
{
    (void)state;
    double G[4] = {1, 1, 1, 1}, b[2] = {-1, 1};
    carom_block block[1] = {{.dim = 2, .is_bilateral = true}};
    const carom_problem problem = dense(2, 1, block, G, b);
    assert_unsolved(&problem);
}

// Painleve: friction that opposes the slip presses the contact in faster than the normal impulse
// frees it. Neither slip nor separation fulfils the laws; sticking does, with
//
//     P_N - 2 P_T = 1,  -2 P_N + 5 P_T = 3   ->   P = (11, 5),  5 <= 0.6 * 11
static void a_wedge_that_only_sticking_solves_is_solved(void **state)
{
    (void)state;
    double G[4] = {1, -2, -2, 5}, b[2] = {-1, -3};
    carom_block block[1] = {{.dim = 2, .mu = 0.6}};
    const carom_problem problem = dense(2, 1, block, G, b);
    for (int i = 0; i < carom_solver_count(); i++) {
        carom_contact_solver *solver = make(i, 2);
        carom_contact_info info = {0};
        double P[2] = {0, 0};
        const carom_status status = carom_contact_solve(solver, &problem, P, &info, NULL);
        const bool is_solved = status == CAROM_OK && info.is_converged;
        if (is_solved) assert_true(fabs(P[0] - 11) < 1e-6 && fabs(P[1] - 5) < 1e-6);
        if (strcmp(carom_solver_at(i)->name, "auto") == 0) assert_true(is_solved);
        carom_contact_solver_free(solver);
    }
}

// the two normals oppose each other and both walls come nearer: whatever friction does, the sum of
// the gap rates is -2
static void friction_does_not_free_a_ball_squeezed_by_two_walls(void **state)
{
    (void)state;
    double G[16] = {1, 0, -1, 0, 0, 1, 0, 1, -1, 0, 1, 0, 0, 1, 0, 1}, b[4] = {-1, 0.3, -1, 0.3};
    carom_block block[2] = {{.dim = 2, .mu = 0.6}, {.first = 2, .dim = 2, .mu = 0.6, .id = 1}};
    const carom_problem problem = dense(4, 2, block, G, b);
    assert_unsolved(&problem);
}

static void a_dead_row_that_opens_stays_at_zero(void **state)
{
    (void)state;
    double G[4] = {0, 0, 0, 2}, b[2] = {1, -1};
    carom_block block[2] = {{.dim = 1}, {.first = 1, .dim = 1, .id = 1}};
    const carom_problem problem = dense(2, 2, block, G, b);
    for (int i = 0; i < carom_solver_count(); i++) {
        carom_contact_solver *solver = make(i, 2);
        carom_contact_info info;
        double P[2] = {0, 0};
        assert_int_equal(carom_contact_solve(solver, &problem, P, &info, NULL), CAROM_OK);
        assert_true(info.is_converged);
        assert_true(P[0] == 0 && fabs(P[1] - 0.5) < 1e-15);
        carom_contact_solver_free(solver);
    }
}

static void numbers_that_are_not_finite_are_unsolved(void **state)
{
    (void)state;
    const double bad[3] = {NAN, INFINITY, -INFINITY};
    for (int m = 0; m < 18; m++) {
        double G[4] = {2, 1, 1, 2}, b[2] = {-1, -1};
        carom_block block[2] = {{.dim = 1}, {.first = 1, .dim = 1, .id = 1}};
        const carom_problem problem = dense(2, 2, block, G, b);
        if (m % 6 < 4)
            G[m % 6] = bad[m / 6];
        else
            b[m % 6 - 4] = bad[m / 6];
        assert_unsolved(&problem);
    }
}

static void a_guess_that_is_not_finite_does_no_harm(void **state)
{
    (void)state;
    double G[9] = {2, 1, 0, 1, 2, 1, 0, 1, 2}, b[3] = {-1, -1, -1};
    carom_block block[3] = {
        {.dim = 1}, {.first = 1, .dim = 1, .id = 1}, {.first = 2, .dim = 1, .id = 2}};
    const carom_problem problem = dense(3, 3, block, G, b);
    for (int i = 0; i < carom_solver_count(); i++) {
        carom_contact_solver *solver = make(i, 3);
        carom_contact_info info;
        double P[3] = {NAN, INFINITY, 0};
        assert_int_equal(carom_contact_solve(solver, &problem, P, &info, NULL), CAROM_OK);
        assert_true(info.is_converged);
        carom_contact_solver_free(solver);
    }
}

static void an_empty_problem_is_solved(void **state)
{
    (void)state;
    const carom_problem empty = {0};
    for (int i = 0; i < carom_solver_count(); i++) {
        carom_contact_solver *solver = make(i, 0);
        carom_contact_info info;
        double P[1] = {7};
        assert_int_equal(carom_contact_solve(solver, &empty, P, &info, NULL), CAROM_OK);
        assert_true(info.is_converged && info.residual == 0 && P[0] == 7);
        carom_contact_solver_free(solver);
    }
}

static void solvers_refuse_what_they_cannot_take_with_the_way_out(void **state)
{
    (void)state;
    double G[9] = {2, 0, 0, 0, 2, 0, 0, 0, 2}, b[3] = {-1, -1, -1}, P[3] = {0};
    carom_block space[1] = {{.dim = 3, .mu = 0.5}}, wrong[1] = {{.first = 1, .dim = 2, .mu = 0.5}};
    const carom_problem problem = dense(3, 1, space, G, b), broken = dense(3, 1, wrong, G, b);
    carom_contact_solver *lemke = NULL, *small = make(0, 2), *fit = make(0, 3);
    carom_contact_info info;
    carom_error error = {0};
    assert_int_equal(carom_contact_solver_new("lemke", NULL, 0, 3, &lemke, NULL), CAROM_OK);
    assert_int_equal(carom_contact_solve(lemke, &problem, P, &info, &error), CAROM_BAD_INPUT);
    assert_non_null(strstr(error.message, "use auto"));
    assert_int_equal(carom_contact_solve(small, &problem, P, &info, &error), CAROM_BUG);
    assert_int_equal(carom_contact_solve(fit, &broken, P, &info, &error), CAROM_BUG);
    carom_contact_solver_free(lemke);
    carom_contact_solver_free(small);
    carom_contact_solver_free(fit);
}

static void wrong_names_get_a_hint(void **state)
{
    (void)state;
    carom_contact_solver *solver;
    carom_error error = {0};
    const carom_setting wrong = {{"tolerence", {0}}, {"1e-10", {0}}},
                        right = {{"tolerance", {0}}, {"1e-10", {0}}};
    assert_int_equal(carom_contact_solver_new("newtn", NULL, 0, 3, &solver, &error),
                     CAROM_BAD_INPUT);
    assert_non_null(strstr(error.message, "newton"));
    error = (carom_error){0};
    assert_int_equal(carom_contact_solver_new("newton", &wrong, 1, 3, &solver, &error),
                     CAROM_BAD_INPUT);
    assert_non_null(strstr(error.message, "tolerance"));
    assert_int_equal(carom_contact_solver_new("newton", &right, 1, 3, &solver, &error), CAROM_OK);
    carom_contact_solver_free(solver);
}

// 300 contacts that pull themselves in, too many for a certificate
static void auto_stops_when_its_effort_is_used_up(void **state)
{
    (void)state;
    enum { N = 300, ROWS = 2 * N };
    static carom_block block[N];
    static int start[ROWS + 1], index[ROWS];
    static double value[ROWS], b[ROWS], P[ROWS];
    const carom_problem problem = {
        ROWS, N, block, {.n = ROWS, .start = start, .index = index, .value = value}, b};
    int iterations[2];
    for (int i = 0; i < ROWS; i++) {
        block[i / 2] = (carom_block){.first = i - i % 2, .dim = 2, .mu = 0.5, .id = i / 2};
        start[i + 1] = i + 1;
        index[i] = i;
        value[i] = i % 2 == 0 ? -1 : 1;
        b[i] = -1;
    }
    for (int k = 0; k < 2; k++) {
        const carom_setting effort = {{"effort", {0}}, {k == 0 ? "20" : "200", {0}}};
        carom_contact_solver *solver;
        carom_contact_info info;
        memset(P, 0, sizeof P);
        assert_int_equal(carom_contact_solver_new("auto", &effort, 1, ROWS, &solver, NULL),
                         CAROM_OK);
        assert_int_equal(carom_contact_solve(solver, &problem, P, &info, NULL), CAROM_OK);
        assert_int_equal(info.outcome, CAROM_CONTACT_BEST_FOUND);
        assert_true(info.residual > CAROM_CONTACT_TOLERANCE && info.residual < INFINITY);
        iterations[k] = info.iterations;
        carom_contact_solver_free(solver);
    }
    // the cheapest iteration costs a twentieth of a step; a last round may overshoot by a few
    assert_true(iterations[0] <= 20 * 20 + 32);
    assert_true(iterations[1] > iterations[0] && iterations[1] <= 200 * 20 + 32);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ball_squeezed_by_two_walls_is_unsolved),
        cmocka_unit_test(a_dead_row_that_closes_is_unsolved),
        cmocka_unit_test(constraints_that_contradict_each_other_are_unsolved),
        cmocka_unit_test(a_wedge_that_only_sticking_solves_is_solved),
        cmocka_unit_test(friction_does_not_free_a_ball_squeezed_by_two_walls),
        cmocka_unit_test(a_dead_row_that_opens_stays_at_zero),
        cmocka_unit_test(numbers_that_are_not_finite_are_unsolved),
        cmocka_unit_test(a_guess_that_is_not_finite_does_no_harm),
        cmocka_unit_test(an_empty_problem_is_solved),
        cmocka_unit_test(solvers_refuse_what_they_cannot_take_with_the_way_out),
        cmocka_unit_test(wrong_names_get_a_hint),
        cmocka_unit_test(auto_stops_when_its_effort_is_used_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
