// SPDX-License-Identifier: Apache-2.0
// Every contact solver on thousands of random problems with a known answer: frictionless, plane,
// space, with bilateral rows, redundant, with mass ratios up to 1e6 and unsymmetric. The rates of
// success are asserted per solver.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "contact/random_problem.h"
#include "samples.h"

enum { N_NAME = 6, N_PROBLEM = SAMPLES(40), NSGS = 4 };
static const char *const names[N_NAME] = {"auto", "enumerate", "lemke", "newton", "nsgs", "prox"};
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
    int least[N_NAME]; // successes of 100, -1 = refused
} expectation;

// nsgs is held to little where problems are redundant or badly conditioned: it converges linearly,
// and slowly there. newton is Newton alone: redundant contacts are for prox and auto. Twelve
// contacts of rank 12 with much friction are far from anything mechanical; there auto misses some.
static const expectation expected[] = {
    {"one contact", {1, 0, 1, 5, 0, 1, 0}, {100, 100, 100, 100, 100, 100}},
    {"two contacts", {2, 0, 1, 5, 0, 1, 0}, {100, 100, 100, 100, 100, 100}},
    {"four contacts", {4, 0, 1, 6, 0, 1, 0}, {100, 100, 100, 100, 95, 100}},
    {"four contacts of rank two", {4, 0, 1, 2, 0, 1, 0}, {100, 100, 100, 90, 90, 100}},
    {"eight of rank three, masses 1e6", {8, 0, 1, 3, 0, 1e6, 0}, {100, 100, 100, 85, 0, 100}},
    {"twenty contacts of rank eight", {20, 0, 1, 8, 0, 1, 0}, {100, -1, 100, 50, 90, 100}},
    {"six contacts, four joints", {6, 4, 1, 12, 0, 1, 0}, {100, 100, 100, 100, 95, 100}},
    {"redundant joints and contacts", {6, 4, 1, 3, 0, 1, 0}, {100, 100, 100, 75, 95, 100}},
    {"unsymmetric, masses 1e6", {6, 4, 1, 14, 0, 1e6, 0.1}, {100, 100, 100, 95, 0, 100}},
    {"rows of slip without friction", {4, 2, 3, 20, 0, 1, 0}, {100, 100, 100, 100, 95, 100}},
    {"plane, one", {1, 0, 2, 5, 0.3, 1, 0}, {100, 100, -1, 100, 100, 100}},
    {"plane, two", {2, 0, 2, 8, 0.3, 1, 0}, {100, 100, -1, 100, 100, 100}},
    {"plane, four on one body", {4, 0, 2, 3, 0.3, 1, 0}, {100, 100, -1, 85, 90, 100}},
    {"plane, much friction", {4, 0, 2, 12, 1.5, 1, 0}, {100, 100, -1, 90, 90, 100}},
    {"plane, joints, unsymmetric", {4, 3, 2, 14, 0.5, 1, 0.05}, {100, 100, -1, 100, 95, 100}},
    {"plane, ten, masses 1e6", {10, 0, 2, 40, 0.5, 1e6, 0}, {100, -1, -1, 95, 0, 100}},
    {"plane, ten, redundant", {10, 0, 2, 8, 0.5, 1, 0}, {100, -1, -1, 60, 80, 100}},
    {"space, one", {1, 0, 3, 6, 0.3, 1, 0}, {100, 0, -1, 100, 100, 100}},
    {"space, four", {4, 0, 3, 20, 0.3, 1, 0}, {100, -1, -1, 100, 100, 100}},
    {"space, four on one body", {4, 0, 3, 6, 0.5, 1, 0}, {100, -1, -1, 95, 80, 100}},
    {"space, joints, unsymmetric", {10, 4, 3, 60, 0.3, 1, 0.05}, {100, -1, -1, 100, 95, 100}},
    {"space, much friction, redundant", {4, 0, 3, 6, 1.5, 1, 0}, {100, -1, -1, 75, 70, 95}},
    {"space, twelve, redundant, mu 1.5", {12, 0, 3, 12, 1.5, 1, 0}, {95, -1, -1, 20, 20, 85}},
    {"space, eight, mu 10", {8, 0, 3, 30, 10, 1, 0}, {100, -1, -1, 70, 40, 95}},
    {"space, ten, masses 1e6", {10, 0, 3, 40, 0.5, 1e6, 0}, {100, -1, -1, 95, 0, 100}},
    {"space, joints of rank six, masses 1e3", {6, 8, 3, 6, 0.3, 1e3, 0}, {100, 0, -1, 60, 90, 100}},
};

static void solve_all(const expectation *e, random_state *r, int *n_solved, int *n_refused)
{
    for (int m = 0; m < N_PROBLEM; m++) {
        make_known(r, &e->recipe, &k);
        for (int i = 0; i < N_NAME; i++) {
            double P[MAX_ROWS] = {0};
            carom_contact_info info;
            carom_error error = {0};
            // the slow one gets every fourth problem
            if (i == NSGS && m % 4 != 0) continue;
            const carom_status status =
                carom_contact_solve(solvers[i], &k.problem, P, &info, &error);
            n_refused[i] += status != CAROM_OK;
            n_solved[i] += status == CAROM_OK && info.is_converged;
            // what is called converged is converged
            const double residual = status == CAROM_OK ? carom_contact_residual(&k.problem, P) : 0;
            assert_true(residual == 0 || residual == info.residual);
            assert_true(status != CAROM_OK ||
                        info.is_converged == (residual <= CAROM_CONTACT_TOLERANCE));
        }
    }
}

static void solvers_succeed_at_their_stated_rates(void **state)
{
    (void)state;
    random_state r = {88172645463325252u};
    for (size_t c = 0; c < sizeof expected / sizeof *expected; c++) {
        const expectation *e = &expected[c];
        int n_solved[N_NAME] = {0}, n_refused[N_NAME] = {0};
        solve_all(e, &r, n_solved, n_refused);
        for (int i = 0; i < N_NAME; i++) {
            const int n = (i == NSGS ? N_PROBLEM / 4 : N_PROBLEM);
            print_message("%-34s %-9s %3d of %d%s\n", e->what, names[i], n_solved[i], n,
                          n_refused[i] ? " (refuses)" : "");
            if (e->least[i] < 0)
                assert_true(n_refused[i] > 0);
            else
                assert_true(100 * n_solved[i] >= e->least[i] * n || !DRAWS_ALL);
        }
    }
}

// frictionless with a symmetric G: xi is unique even where P is not
static void redundant_contacts_have_unique_rates(void **state)
{
    (void)state;
    random_state r = {5};
    const recipe kinds[] = {{4, 0, 1, 2, 0, 1, 0}, {5, 3, 1, 4, 0, 1, 0}, {6, 0, 1, 8, 0, 1e3, 0}};
    for (int m = 0; m < SAMPLES(900); m++) {
        make_known(&r, &kinds[m % 3], &k);
        const int n = k.problem.n_row;
        double scale = 0;
        for (int i = 0; i < n; i++)
            scale = fmax(scale, fmax(fabs(k.b[i]), k.G[i * n + i] * fabs(k.P[i])));
        for (int s = 0; s < 4; s++) {
            double P[MAX_ROWS] = {0};
            carom_contact_info info;
            assert_int_equal(carom_contact_solve(solvers[s], &k.problem, P, &info, NULL), CAROM_OK);
            for (int i = 0; i < n && info.is_converged; i++) {
                double xi = k.b[i];
                for (int j = 0; j < n; j++) xi += k.G[j * n + i] * P[j];
                // |d xi|^2 <= |G| |d P'G dP| and the latter is bounded by residual * scale
                assert_true(fabs(xi - k.xi[i]) <= 10 * sqrt(fmax(info.residual, 1e-15)) * scale);
            }
        }
    }
}

static void answers_agree_where_they_are_unique(void **state)
{
    (void)state;
    random_state r = {6};
    const recipe kinds[] = {
        {4, 0, 1, 30, 0, 1, 0}, {3, 2, 2, 40, 0.2, 1, 0}, {3, 2, 3, 60, 0.2, 1, 0}};
    for (int m = 0; m < SAMPLES(600); m++) {
        make_known(&r, &kinds[m % 3], &k);
        for (int s = 0; s < N_NAME; s++) {
            double P[MAX_ROWS] = {0};
            carom_contact_info info;
            if (carom_contact_solve(solvers[s], &k.problem, P, &info, NULL) != CAROM_OK) continue;
            assert_true(info.is_converged);
            // condition of G is below 100 here, the residual at most 1e-12 of a scale below 100
            for (int i = 0; i < k.problem.n_row; i++) assert_true(fabs(P[i] - k.P[i]) < 1e-8);
        }
    }
}

// the known problem with its blocks in reverse order
static void reverse_blocks(const known_problem *from, known_problem *to, int *row)
{
    int n = 0;
    const int size = from->problem.n_row;
    for (int b = 0; b < from->problem.n_block; b++) {
        const carom_block *block = &from->block[from->problem.n_block - 1 - b];
        to->block[b] = *block;
        to->block[b].first = n;
        for (int i = 0; i < block->dim; i++) row[n++] = block->first + i;
    }
    for (int i = 0; i < size; i++) to->b[i] = from->b[row[i]];
    for (int i = 0; i < size; i++)
        for (int j = 0; j < size; j++) to->G[j * size + i] = from->G[row[j] * size + row[i]];
    to->problem =
        (carom_problem){size, from->problem.n_block, to->block, {.n = size, .dense = to->G}, to->b};
}

static void the_order_of_contacts_does_not_matter(void **state)
{
    (void)state;
    static known_problem reversed;
    random_state r = {7};
    const recipe kinds[] = {
        {6, 2, 1, 30, 0, 1, 0}, {4, 2, 2, 40, 0.2, 1, 0.05}, {4, 2, 3, 60, 0.2, 1, 0}};
    for (int m = 0; m < SAMPLES(600); m++) {
        int row[MAX_ROWS];
        double P[MAX_ROWS] = {0}, Q[MAX_ROWS] = {0};
        carom_contact_info info;
        make_known(&r, &kinds[m % 3], &k);
        reverse_blocks(&k, &reversed, row);
        assert_int_equal(carom_contact_solve(solvers[0], &k.problem, P, &info, NULL), CAROM_OK);
        assert_int_equal(carom_contact_solve(solvers[0], &reversed.problem, Q, &info, NULL),
                         CAROM_OK);
        for (int i = 0; i < k.problem.n_row; i++) assert_true(fabs(Q[i] - P[row[i]]) < 1e-8);
    }
}

static void units_and_row_scaling_do_not_matter(void **state)
{
    (void)state;
    random_state r = {8};
    const recipe kinds[] = {
        {5, 2, 1, 30, 0, 1, 0}, {4, 2, 2, 40, 0.3, 1, 0.05}, {4, 2, 3, 60, 0.3, 1, 0}};
    for (int m = 0; m < SAMPLES(600); m++) {
        double s[MAX_ROWS], P[MAX_ROWS] = {0}, Q[MAX_ROWS] = {0};
        carom_contact_info info;
        make_known(&r, &kinds[m % 3], &k);
        const int n = k.problem.n_row;
        assert_int_equal(carom_contact_solve(solvers[0], &k.problem, P, &info, NULL), CAROM_OK);
        for (int b = 0; b < k.problem.n_block; b++) {
            const double scale = pow(10, 5 * draw(&r));
            for (int j = 0; j < k.block[b].dim; j++) s[k.block[b].first + j] = scale;
        }
        for (int j = 0; j < n * n; j++) k.G[j] *= s[j % n] * s[j / n];
        for (int j = 0; j < n; j++) k.b[j] *= s[j];
        assert_int_equal(carom_contact_solve(solvers[0], &k.problem, Q, &info, NULL), CAROM_OK);
        assert_true(info.is_converged);
        for (int j = 0; j < n; j++) assert_true(fabs(Q[j] * s[j] - P[j]) < 1e-8);
    }
}

static void the_same_problem_gives_the_same_bits(void **state)
{
    (void)state;
    random_state r = {9};
    const recipe kind = {8, 3, 3, 20, 0.4, 1e3, 0.02};
    for (int m = 0; m < 100; m++) {
        double P[MAX_ROWS] = {0}, Q[MAX_ROWS] = {0};
        carom_contact_info info;
        make_known(&r, &kind, &k);
        carom_contact_solve(solvers[0], &k.problem, P, &info, NULL);
        carom_contact_solve(solvers[0], &k.problem, Q, &info, NULL);
        assert_memory_equal(P, Q, sizeof P);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solvers_succeed_at_their_stated_rates),
        cmocka_unit_test(redundant_contacts_have_unique_rates),
        cmocka_unit_test(answers_agree_where_they_are_unique),
        cmocka_unit_test(the_order_of_contacts_does_not_matter),
        cmocka_unit_test(units_and_row_scaling_do_not_matter),
        cmocka_unit_test(the_same_problem_gives_the_same_bits),
    };
    return cmocka_run_group_tests(tests, make_solvers, free_solvers);
}
