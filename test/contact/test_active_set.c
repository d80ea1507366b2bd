// SPDX-License-Identifier: Apache-2.0
// The solver active_set on chains: the answer of enumeration, few factorisations, refusals.
#include <stdarg.h>
#include <stddef.h>

#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "carom/contact.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// a chain of n contacts between bodies of random masses: G by rows
typedef struct chain {
    carom_problem problem;
    carom_block *block;
    double *value, *b;
    int *start, *index;
} chain;

static double draw(unsigned *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (*seed >> 8) / 16777216.0;
}

static chain make_chain(int n, unsigned *seed, double ratio)
{
    const size_t m = (size_t)n;
    chain c = {.block = calloc(m, sizeof *c.block),
               .value = calloc(3 * m, sizeof(double)),
               .b = calloc(m, sizeof(double)),
               .start = calloc(m + 1, sizeof(int)),
               .index = calloc(3 * m, sizeof(int))};
    double *inverse = calloc(m + 1, sizeof *inverse);
    assert_true(c.block && c.value && c.b && c.start && c.index && inverse);
    for (int i = 0; i <= n; i++) inverse[i] = pow(ratio, draw(seed));
    int at = 0;
    for (int i = 0; i < n; i++) {
        c.block[i] = (carom_block){.first = i, .dim = 1, .id = i};
        c.b[i] = 2 * draw(seed) - 1;
        if (i > 0) c.index[at] = i - 1, c.value[at++] = -inverse[i];
        c.index[at] = i, c.value[at++] = inverse[i] + inverse[i + 1];
        if (i < n - 1) c.index[at] = i + 1, c.value[at++] = -inverse[i + 1];
        c.start[i + 1] = at;
    }
    free(inverse);
    c.problem = (carom_problem){.n_row = n,
                                .n_block = n,
                                .block = c.block,
                                .G = {.n = n, .start = c.start, .index = c.index, .value = c.value},
                                .b = c.b};
    return c;
}

static void drop(chain *c)
{
    free(c->block);
    free(c->value);
    free(c->b);
    free(c->start);
    free(c->index);
}

static carom_contact_info solve(const char *name, const carom_problem *problem, double *P)
{
    carom_contact_solver *solver = NULL;
    carom_contact_info info;
    assert_int_equal(carom_contact_solver_new(name, NULL, 0, problem->n_row, &solver, NULL),
                     CAROM_OK);
    assert_int_equal(carom_contact_solve(solver, problem, P, &info, NULL), CAROM_OK);
    carom_contact_solver_free(solver);
    return info;
}

// G is positive definite: the answer is unique
static void random_chains_have_the_answer_of_lemke(void **state)
{
    (void)state;
    unsigned seed = 5;
    for (int trial = 0; trial < 300; trial++) {
        chain c = make_chain(2 + trial % 46, &seed, trial % 3 == 0 ? 1e4 : 10);
        double P[64] = {0}, Q[64] = {0}, largest = 0;
        assert_true(solve("active_set", &c.problem, P).is_converged);
        assert_true(solve("lemke", &c.problem, Q).is_converged);
        for (int i = 0; i < c.problem.n_row; i++) largest = fmax(largest, fabs(Q[i]));
        for (int i = 0; i < c.problem.n_row; i++) assert_true(fabs(P[i] - Q[i]) <= 1e-9 * largest);
        drop(&c);
    }
}

static void an_impact_on_a_thousand_touching_balls_takes_few_factorisations(void **state)
{
    (void)state;
    unsigned seed = 6;
    chain c = make_chain(999, &seed, 1);
    double *P = calloc(999, sizeof *P);
    assert_non_null(P);
    memset(c.b, 0, 999 * sizeof *c.b);
    c.b[0] = -2;
    const carom_contact_info info = solve("active_set", &c.problem, P);
    assert_true(info.is_converged);
    assert_in_range(info.iterations, 1, 3);
    // unit masses: P falls linearly along the row, P_i = 2 (n - i) / (n + 1)
    for (int i = 0; i < 999; i++) assert_true(fabs(P[i] - 2.0 * (999 - i) / 1000) < 1e-9);
    free(P);
    drop(&c);
}

static void large_chains_are_given_to_it_by_auto(void **state)
{
    (void)state;
    unsigned seed = 7;
    chain c = make_chain(400, &seed, 10);
    double P[400] = {0};
    const carom_contact_info info = solve("auto", &c.problem, P);
    assert_true(info.is_converged);
    assert_string_equal(info.solver, "active_set");
    drop(&c);
}

static void friction_is_refused(void **state)
{
    (void)state;
    double G[4] = {1, 0, 0, 1}, b[2] = {-1, 1}, P[2] = {0};
    carom_block block = {.dim = 2, .mu = 0.3};
    const carom_problem problem = {
        .n_row = 2, .n_block = 1, .block = &block, .G = {.n = 2, .dense = G}, .b = b};
    carom_contact_solver *solver = NULL;
    carom_contact_info info;
    carom_error error = {0};
    assert_int_equal(carom_contact_solver_new("active_set", NULL, 0, 2, &solver, NULL), CAROM_OK);
    assert_int_equal(carom_contact_solve(solver, &problem, P, &info, &error), CAROM_BAD_INPUT);
    assert_non_null(strstr(error.message, "use auto"));
    carom_contact_solver_free(solver);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_chains_have_the_answer_of_lemke),
        cmocka_unit_test(an_impact_on_a_thousand_touching_balls_takes_few_factorisations),
        cmocka_unit_test(large_chains_are_given_to_it_by_auto),
        cmocka_unit_test(friction_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
