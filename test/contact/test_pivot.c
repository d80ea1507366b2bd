// SPDX-License-Identifier: Apache-2.0
// Solver pivot: random frictionless problems with equality rows, solvable ones solved, others
// proven to have no solution; never left open.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "contact/random_problem.h"

static carom_contact_info solve(const carom_problem *problem, const char *name, double *P)
{
    carom_contact_solver *solver = NULL;
    carom_contact_info info = {0};
    carom_error error = {0};
    assert_int_equal(carom_contact_solver_new(name, NULL, 0, problem->n_row, &solver, &error),
                     CAROM_OK);
    memset(P, 0, sizeof *P * (size_t)problem->n_row);
    const carom_status status = carom_contact_solve(solver, problem, P, &info, &error);
    if (status != CAROM_OK) print_message("%s\n", error.message);
    assert_int_equal(status, CAROM_OK);
    carom_contact_solver_free(solver);
    return info;
}

// m equality rows in one block, then n contacts
static void set_blocks(known_problem *k, int m, int n)
{
    int used = 0;
    if (m > 0) k->block[used++] = (carom_block){.first = 0, .dim = m, .is_bilateral = true};
    for (int i = 0; i < n; i++) k->block[used++] = (carom_block){.first = m + i, .dim = 1};
    k->problem = (carom_problem){m + n, used, k->block, {.n = m + n, .dense = k->G}, k->b};
}

static void mechanical_problems_are_solved(void **state)
{
    (void)state;
    static known_problem k;
    static double P[MAX_ROWS];
    random_state r = {20261117};
    for (int i = 0; i < 600; i++) {
        const int contacts = 1 + i % 17;
        const recipe c = {.n_contact = contacts,
                          .n_bilateral = i % 5,
                          .dim = 1,
                          .n_freedom = 2 + i % 11,
                          .mass_ratio = i % 3 ? 1 : 1e6,
                          .asymmetry = i % 4 ? 0 : 1e-3};
        make_known(&r, &c, &k);
        const carom_contact_info info = solve(&k.problem, "pivot", P);
        if (!info.is_converged) print_message("%d: residual %g\n", i, info.residual);
        assert_true(info.is_converged && info.outcome == CAROM_CONTACT_SOLVED);
    }
}

// a general matrix with a solution by construction; equality blocks full, sparse or zero
static void general_problems_with_singular_equality_blocks_are_solved(void **state)
{
    (void)state;
    static known_problem k;
    static double P[MAX_ROWS];
    random_state r = {77};
    for (int i = 0; i < 1500; i++) {
        const int m = i % 4, n = 1 + i % 6, all = m + n;
        for (int a = 0; a < all * all; a++) {
            const bool is_equality = a % all < m && a / all < m;
            const bool is_zero = is_equality ? i % 3 > 0 : draw(&r) < -0.4;
            k.G[a] = is_zero ? 0 : draw(&r);
        }
        for (int a = 0; a < all; a++) {
            const bool is_open = draw(&r) > 0;
            k.P[a] = a < m ? draw(&r) : is_open ? 0 : fabs(draw(&r));
            k.b[a] = a < m || !is_open ? 0 : fabs(draw(&r));
        }
        for (int a = 0; a < all; a++)
            for (int c = 0; c < all; c++) k.b[a] -= k.G[c * all + a] * k.P[c];
        set_blocks(&k, m, n);
        const carom_contact_info info = solve(&k.problem, "pivot", P);
        if (!info.is_converged)
            print_message("%d (%d + %d): residual %g\n", i, m, n, info.residual);
        assert_true(info.outcome == CAROM_CONTACT_SOLVED);
    }
}

// y >= 0 with y'G <= 0 and y'b < 0: w = G z + b cannot be >= 0
static void infeasible_problems_are_proven_to_be(void **state)
{
    (void)state;
    static known_problem k;
    static double P[MAX_ROWS];
    random_state r = {4};
    for (int i = 0; i < 120; i++) {
        const int n = 1 + i % 8;
        double y[8], length = 0, product = 0;
        for (int a = 0; a < n; a++) {
            y[a] = 0.1 + fabs(draw(&r));
            length += y[a] * y[a];
            k.b[a] = draw(&r);
            product += y[a] * k.b[a];
        }
        for (int a = 0; a < n; a++) k.b[a] -= y[a] * (product + 0.5) / length;
        for (int c = 0; c < n; c++) {
            double sum = fabs(draw(&r));
            for (int a = 0; a < n; a++) {
                k.G[c * n + a] = draw(&r);
                sum += y[a] * k.G[c * n + a];
            }
            for (int a = 0; a < n; a++) k.G[c * n + a] -= y[a] * sum / length;
        }
        set_blocks(&k, 0, n);
        assert_true(solve(&k.problem, "pivot", P).outcome == CAROM_CONTACT_NO_SOLUTION);
        assert_true(solve(&k.problem, "auto", P).outcome == CAROM_CONTACT_NO_SOLUTION);
        // whatever the unit of the rates
        const double unit = i % 2 ? 1e-9 : 1e9;
        for (int a = 0; a < n; a++) k.b[a] *= unit;
        assert_true(solve(&k.problem, "pivot", P).outcome == CAROM_CONTACT_NO_SOLUTION);
    }
}

static void a_feasible_problem_without_complementary_point_has_no_solution(void **state)
{
    (void)state;
    static known_problem k;
    double P[2];
    // w1 = z2 - 1, w2 = 1: z2 >= 1 and w2 z2 = z2
    const double G[4] = {0, 0, 1, 0}, b[2] = {-1, 1};
    memcpy(k.G, G, sizeof G);
    memcpy(k.b, b, sizeof b);
    set_blocks(&k, 0, 2);
    assert_true(solve(&k.problem, "pivot", P).outcome == CAROM_CONTACT_NO_SOLUTION);
    // with w2 = 0 instead there is one: z = (0, 1)
    k.b[1] = 0;
    assert_true(solve(&k.problem, "pivot", P).outcome == CAROM_CONTACT_SOLVED);
    assert_true(fabs(P[0]) <= 1e-15 && fabs(P[1] - 1) <= 1e-15);
}

// equality rows that say the same twice, or the opposite
static void redundant_equalities_are_solved_and_contradictory_ones_refused(void **state)
{
    (void)state;
    static known_problem k;
    double P[3];
    const double G[9] = {1, 1, 0.5, 0, 0, 0, 2, 2, 1}, b[3] = {1, 1, -1};
    memcpy(k.G, G, sizeof G);
    memcpy(k.b, b, sizeof b);
    set_blocks(&k, 2, 1);
    assert_true(solve(&k.problem, "pivot", P).outcome == CAROM_CONTACT_NO_SOLUTION);
    // z0 + 2 z2 + 1 = 0 makes w2 = 0.5 z0 + z2 - 1 = -1.5 whatever z; now 0.5
    k.b[2] = 1;
    assert_true(solve(&k.problem, "pivot", P).outcome == CAROM_CONTACT_SOLVED);
    assert_true(fabs(P[0] + 2 * P[2] + 1) <= 1e-14);
    k.b[1] = 1.5;
    assert_true(solve(&k.problem, "pivot", P).outcome == CAROM_CONTACT_NO_SOLUTION);
}

// whether a regular complementary basis solves a problem of 3 contacts, by Cramer's rule
static double det3(double a[3][3])
{
    return a[0][0] * (a[1][1] * a[2][2] - a[1][2] * a[2][1]) -
           a[0][1] * (a[1][0] * a[2][2] - a[1][2] * a[2][0]) +
           a[0][2] * (a[1][0] * a[2][1] - a[1][1] * a[2][0]);
}

static bool some_basis_solves(const double *G, const double *b)
{
    for (int mask = 0; mask < 8; mask++) {
        double a[3][3];
        bool is_good = true;
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) a[i][j] = mask >> j & 1 ? -G[j * 3 + i] : i == j;
        const double d = det3(a);
        if (d == 0) continue; // whole numbers: exact
        for (int j = 0; j < 3; j++) {
            double c[3][3];
            memcpy(c, a, sizeof c);
            for (int i = 0; i < 3; i++) c[i][j] = b[i];
            is_good = is_good && det3(c) / d >= 0;
        }
        if (is_good) return true;
    }
    return false;
}

static void every_small_problem_of_whole_numbers_is_decided(void **state)
{
    (void)state;
    static known_problem k;
    double P[3];
    int n_solved = 0, n_none = 0;
    random_state r = {99};
    for (int i = 0; i < 2000; i++) {
        for (int a = 0; a < 9; a++) k.G[a] = floor(2.5 * (1 + draw(&r))) - 2;
        for (int a = 0; a < 3; a++) k.b[a] = floor(2.5 * (1 + draw(&r))) - 2;
        set_blocks(&k, 0, 3);
        const carom_contact_info info = solve(&k.problem, "pivot", P);
        const bool has_one = some_basis_solves(k.G, k.b);
        if (has_one) assert_true(info.outcome == CAROM_CONTACT_SOLVED);
        assert_true(info.outcome != CAROM_CONTACT_BEST_FOUND);
        n_solved += info.outcome == CAROM_CONTACT_SOLVED;
        n_none += info.outcome == CAROM_CONTACT_NO_SOLUTION;
    }
    assert_true(n_solved > 250 && n_none > 250);
}

// Murty's matrix, on which Lemke's first choices grow like 2^n in some orders
static void murtys_matrix_is_solved(void **state)
{
    (void)state;
    static known_problem k;
    static double P[MAX_ROWS];
    const int n = 20;
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) k.G[j * n + i] = i == j ? 1 : i < j ? 2 : 0;
    for (int i = 0; i < n; i++) k.b[i] = -1;
    set_blocks(&k, 0, n);
    assert_true(solve(&k.problem, "pivot", P).outcome == CAROM_CONTACT_SOLVED);
    for (int i = 0; i < n; i++) assert_true(fabs(P[i] - (i == n - 1)) <= 1e-12);
}

// nothing in it knows a unit: rates and masses times powers of 2 give impulses times such, exactly
static void units_do_not_matter_to_the_last_bit(void **state)
{
    (void)state;
    static known_problem k;
    static double P[MAX_ROWS], scaled[MAX_ROWS];
    random_state r = {64};
    for (int i = 0; i < 200; i++) {
        const recipe c = {.n_contact = 1 + i % 9,
                          .n_bilateral = i % 4,
                          .dim = 1,
                          .n_freedom = 3 + i % 9,
                          .mass_ratio = 10};
        make_known(&r, &c, &k);
        assert_true(solve(&k.problem, "pivot", P).outcome == CAROM_CONTACT_SOLVED);
        const double rate = ldexp(1, i % 2 ? 60 : -60);
        for (int a = 0; a < k.problem.n_row; a++) k.b[a] *= rate;
        assert_true(solve(&k.problem, "pivot", scaled).outcome == CAROM_CONTACT_SOLVED);
        for (int a = 0; a < k.problem.n_row; a++)
            if (scaled[a] != P[a] * rate) fail_msg("problem %d, row %d", i, a);
    }
}

// two players with four decisions of four choices each, costs 1 to 250: z is a mixed strategy, 32
// of 40 entries of b are 0
static void games_with_many_ties_are_solved(void **state)
{
    (void)state;
    static known_problem k;
    static double P[MAX_ROWS];
    random_state r = {8};
    for (int game = 0; game < 15; game++) {
        memset(k.G, 0, sizeof k.G);
        for (int j = 0; j < 32; j++)
            for (int i = 0; i < 32; i++) {
                const bool is_own = (i < 16) == (j < 16);
                k.G[j * 40 + i] = is_own ? 1 : 1 + floor(125 * (1 + draw(&r)));
            }
        for (int i = 0; i < 32; i++) {
            k.G[i * 40 + 32 + i / 4] = 1;    // each decision's shares sum to 1
            k.G[(32 + i / 4) * 40 + i] = -1; // its price
        }
        for (int i = 0; i < 40; i++) k.b[i] = i < 32 ? 0 : -1;
        set_blocks(&k, 0, 40);
        assert_true(solve(&k.problem, "pivot", P).outcome == CAROM_CONTACT_SOLVED);
        for (int g = 0; g < 8; g++)
            assert_true(P[4 * g] + P[4 * g + 1] + P[4 * g + 2] + P[4 * g + 3] >= 1 - 1e-9);
    }
}

static void friction_is_refused(void **state)
{
    (void)state;
    double G[4] = {1, 0, 0, 1}, b[2] = {-1, 1}, P[2] = {0, 0};
    carom_block block = {.dim = 2, .mu = 0.5};
    const carom_problem problem = {2, 1, &block, {.n = 2, .dense = G}, b};
    carom_contact_solver *solver = NULL;
    carom_contact_info info;
    carom_error error = {0};
    assert_int_equal(carom_contact_solver_new("pivot", NULL, 0, 2, &solver, &error), CAROM_OK);
    assert_int_equal(carom_contact_solve(solver, &problem, P, &info, &error), CAROM_BAD_INPUT);
    assert_non_null(strstr(error.message, "without friction"));
    // tangential rows without friction are no hindrance
    block.mu = 0;
    error = (carom_error){0};
    assert_int_equal(carom_contact_solve(solver, &problem, P, &info, &error), CAROM_OK);
    assert_true(info.is_converged && P[0] == 1 && P[1] == 0);
    carom_contact_solver_free(solver);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mechanical_problems_are_solved),
        cmocka_unit_test(general_problems_with_singular_equality_blocks_are_solved),
        cmocka_unit_test(infeasible_problems_are_proven_to_be),
        cmocka_unit_test(a_feasible_problem_without_complementary_point_has_no_solution),
        cmocka_unit_test(redundant_equalities_are_solved_and_contradictory_ones_refused),
        cmocka_unit_test(every_small_problem_of_whole_numbers_is_decided),
        cmocka_unit_test(murtys_matrix_is_solved),
        cmocka_unit_test(units_do_not_matter_to_the_last_bit),
        cmocka_unit_test(games_with_many_ties_are_solved),
        cmocka_unit_test(friction_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
