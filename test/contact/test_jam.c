// SPDX-License-Identifier: Apache-2.0
// Jammed problems with friction have no solution, and auto proves it; those that are almost jammed
// are never said to have none.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "contact/random_problem.h"

enum { N_FREEDOM = 20, MAX_SIDE = 8 }; // more freedoms than rows: only the normals depend

// G = W W' with sum y_i (normal row i) = 0, all y_i > 0, and y'b = gap
static void squeeze(random_state *r, int m, double gap, known_problem *k)
{
    static double W[MAX_ROWS * N_FREEDOM];
    const int n_block = 2 + m % 4, dim = 2 + m % 2;
    double y[MAX_SIDE], product = 0;
    int n = 0;
    for (int i = 0; i < n_block; i++, n += dim) {
        k->block[i] = (carom_block){.first = n, .dim = dim, .mu = 0.1 + (m % 7) * 0.3, .id = i};
        y[i] = 0.1 + fabs(draw(r));
    }
    if (m % 3 == 0) { // a joint that has nothing to do with it
        k->block[n_block] =
            (carom_block){.first = n, .dim = 2, .is_bilateral = true, .id = n_block};
        n += 2;
    }
    for (int i = 0; i < n * N_FREEDOM; i++) W[i] = draw(r);
    double *last = W + k->block[n_block - 1].first * N_FREEDOM;
    for (int j = 0; j < N_FREEDOM; j++) {
        last[j] = 0;
        for (int i = 0; i < n_block - 1; i++)
            last[j] -= y[i] * W[k->block[i].first * N_FREEDOM + j] / y[n_block - 1];
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            k->G[j * n + i] = 0;
            for (int l = 0; l < N_FREEDOM; l++)
                k->G[j * n + i] += W[i * N_FREEDOM + l] * W[j * N_FREEDOM + l];
        }
    for (int i = 0; i < n; i++) k->b[i] = draw(r);
    for (int i = 0; i < n_block; i++) product += y[i] * k->b[k->block[i].first];
    k->b[0] += (gap - product) / y[0];
    k->problem =
        (carom_problem){n, n_block + (m % 3 == 0), k->block, {.n = n, .dense = k->G}, k->b};
}

static carom_contact_info solve(const carom_problem *problem)
{
    static double P[MAX_ROWS];
    carom_contact_solver *solver;
    carom_contact_info info;
    for (int i = 0; i < problem->n_row; i++) P[i] = 0;
    assert_int_equal(carom_contact_solver_new("auto", NULL, 0, MAX_ROWS, &solver, NULL), CAROM_OK);
    assert_int_equal(carom_contact_solve(solver, problem, P, &info, NULL), CAROM_OK);
    carom_contact_solver_free(solver);
    return info;
}

static void jammed_problems_are_proven_to_be(void **state)
{
    (void)state;
    static known_problem k;
    random_state r = {31};
    for (int m = 0; m < 300; m++) {
        squeeze(&r, m, -0.3, &k);
        assert_int_equal(solve(&k.problem).outcome, CAROM_CONTACT_NO_SOLUTION);
    }
}

static void almost_jammed_problems_are_solved(void **state)
{
    (void)state;
    static known_problem k;
    random_state r = {32};
    int n_solved = 0;
    for (int m = 0; m < 300; m++) {
        squeeze(&r, m, 0.01, &k);
        const carom_contact_info info = solve(&k.problem);
        assert_true(info.outcome != CAROM_CONTACT_NO_SOLUTION);
        n_solved += info.is_converged;
    }
    // some velocity parts all contacts: there is an answer (Klarbring and Pang)
    print_message("%d of 300 solved\n", n_solved);
    assert_int_equal(n_solved, 300);
}

// impulses could part them, but only through friction: nothing is said to be impossible
static void friction_that_helps_is_no_jam(void **state)
{
    (void)state;
    static known_problem k;
    squeeze(&(random_state){33}, 1, -0.3, &k);
    const int n = k.problem.n_row;
    // a tangential impulse of the first contact now opens it
    k.G[1 * n + 0] += 5;
    assert_true(solve(&k.problem).outcome != CAROM_CONTACT_NO_SOLUTION);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(jammed_problems_are_proven_to_be),
        cmocka_unit_test(almost_jammed_problems_are_solved),
        cmocka_unit_test(friction_that_helps_is_no_jam),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
