// SPDX-License-Identifier: Apache-2.0
// Jammed problems with friction have no solution, and auto proves it; those that are almost jammed
// are never said to have none.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "contact/problem/jam.h"
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

static bool is_proven(const carom_problem *problem)
{
    double *work = calloc(carom_jam_work(problem->n_row), sizeof *work);
    int *index = calloc(carom_jam_index(problem->n_row), sizeof *index);
    const bool is = carom_jam_is_proven(problem, work, index);
    free(work);
    free(index);
    return is;
}

// two walls that oppose each other but for an angle: the ball slips out between them, unless
// friction, which is then mu |g_T| = mu sin(angle), holds it
static bool walls_jam(double angle)
{
    const double c = cos(angle), s = sin(angle);
    // n = (1, 0), (-c, s); tangents (0, 1), (s, c)
    double W[4][2] = {{1, 0}, {0, 1}, {-c, s}, {s, c}}, G[16], b[4] = {-1, 0, -1, 0};
    for (int j = 0; j < 16; j++) G[j] = W[j / 4][0] * W[j % 4][0] + W[j / 4][1] * W[j % 4][1];
    carom_block block[2] = {{.dim = 2}, {.first = 2, .dim = 2, .id = 1}};
    return is_proven(&(carom_problem){4, 2, block, {.n = 4, .dense = G}, b});
}

static void walls_that_leave_a_way_out_are_no_jam(void **state)
{
    (void)state;
    // g_N = 1 - cos(angle): 5e-3 ... 5e-9 is no rounding, 5e-13 is
    assert_false(walls_jam(1e-1));
    assert_false(walls_jam(1e-2));
    assert_false(walls_jam(1e-3));
    assert_false(walls_jam(1e-4));
    assert_true(walls_jam(1e-6));
    assert_true(walls_jam(0));
}

// a ball between two parallel walls that come nearer; a tangential impulse opens the first gap by
// the share coupling, so that friction could free the ball, were it not rounding
static void friction_that_helps_a_little_is_no_jam_either(void **state)
{
    (void)state;
    static const double coupling[] = {1e-2, 1e-5, 1e-7, 1e-11, 0};
    for (int i = 0; i < 5; i++) {
        const double c = coupling[i];
        double G[16] = {1, 0, -1, 0, c, 1, 0, 1, -1, 0, 1, 0, 0, 1, 0, 1}, b[4] = {-1, 0, -1, 0};
        carom_block block[2] = {{.dim = 2, .mu = 1}, {.first = 2, .dim = 2, .mu = 1, .id = 1}};
        const carom_problem problem = {4, 2, block, {.n = 4, .dense = G}, b};
        assert_true(is_proven(&problem) == (c < 1e-9));
    }
}

// the walls close in by little beside what else happens: proven down to 1e-7 of the largest rate
static void a_slow_squeeze_is_proven_down_to_rounding(void **state)
{
    (void)state;
    static const double squeeze[] = {1, 1e-3, 1e-6, 1e-9, 0, -1e-6};
    static const bool is_jam[] = {true, true, true, false, false, false};
    double G[4] = {1, -1, -1, 1};
    carom_block block[2] = {{.dim = 1}, {.first = 1, .dim = 1, .id = 1}};
    for (int i = 0; i < 6; i++) {
        double b[2] = {1, -1 - squeeze[i]};
        assert_true(is_proven(&(carom_problem){2, 2, block, {.n = 2, .dense = G}, b}) == is_jam[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(jammed_problems_are_proven_to_be),
        cmocka_unit_test(almost_jammed_problems_are_solved),
        cmocka_unit_test(friction_that_helps_is_no_jam),
        cmocka_unit_test(walls_that_leave_a_way_out_are_no_jam),
        cmocka_unit_test(friction_that_helps_a_little_is_no_jam_either),
        cmocka_unit_test(a_slow_squeeze_is_proven_down_to_rounding),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
