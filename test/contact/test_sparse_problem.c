// SPDX-License-Identifier: Apache-2.0
// Sparse contact problems: the same answers as dense ones, and large ones with
// hundreds of contacts.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "contact/random_problem.h"

enum { MANY = 1200 };

typedef struct sparse_problem {
    carom_problem problem;
    carom_block block[MANY];
    int start[MANY + 1], index[40 * MANY];
    double value[40 * MANY], b[MANY];
} sparse_problem;

static sparse_problem s;
static known_problem k;
static double P[MANY], Q[MANY];

static void small_sparse_problems_have_the_answers_of_dense_ones(void **state)
{
    (void)state;
    random_state r = {11};
    const char *const names[] = {"auto", "newton", "nsgs"};
    const recipe kinds[] = {
        {6, 3, 1, 40, 0, 1, 0}, {5, 3, 2, 50, 0.3, 1, 0.02}, {5, 3, 3, 60, 0.3, 1, 0.02}};
    for (int m = 0; m < 90; m++) {
        carom_contact_solver *solver;
        carom_contact_info info;
        make_known(&r, &kinds[m % 3], &k);
        const int n = k.problem.n_row;
        for (int i = 0; i <= n; i++) s.start[i] = i * n;
        for (int i = 0; i < n * n; i++) {
            s.index[i] = i % n;
            s.value[i] = k.G[(i % n) * n + i / n];
        }
        s.problem = k.problem;
        s.problem.G = (carom_matrix){.n = n, .start = s.start, .index = s.index, .value = s.value};
        memset(P, 0, sizeof P);
        assert_int_equal(carom_contact_solver_new(names[m / 3 % 3], NULL, 0, n, &solver, NULL),
                         CAROM_OK);
        assert_int_equal(carom_contact_solve(solver, &s.problem, P, &info, NULL), CAROM_OK);
        carom_contact_solver_free(solver);
        assert_true(info.is_converged);
        for (int i = 0; i < n; i++) assert_true(fabs(P[i] - k.P[i]) < 1e-8);
    }
}

// a column of n beads on the ground: G is tridiagonal (2, -1; first 1), b = -v g
// h only at the ground
static void make_column(int n, double impact)
{
    int p = 0;
    for (int i = 0; i < n; i++) {
        s.start[i] = p;
        if (i > 0) s.index[p] = i - 1, s.value[p++] = -1;
        s.index[p] = i, s.value[p++] = i == 0 ? 1 : 2;
        if (i < n - 1) s.index[p] = i + 1, s.value[p++] = -1;
        s.block[i] = (carom_block){.first = i, .dim = 1, .id = i};
        s.b[i] = i == 0 ? -impact : 0;
    }
    s.start[n] = p;
    s.problem = (carom_problem){
        n, n, s.block, {.n = n, .start = s.start, .index = s.index, .value = s.value}, s.b};
}

static void a_tall_column_of_beads_carries_its_weight(void **state)
{
    (void)state;
    enum { N = 400 };
    carom_contact_solver *solver;
    carom_contact_info info;
    make_column(N, 1);
    memset(P, 0, sizeof P);
    assert_int_equal(carom_contact_solver_new("auto", NULL, 0, N, &solver, NULL), CAROM_OK);
    assert_int_equal(carom_contact_solve(solver, &s.problem, P, &info, NULL), CAROM_OK);
    carom_contact_solver_free(solver);
    assert_true(info.is_converged);
    // bead i carries the N - i beads from it upwards; condition of G is about N^2
    for (int i = 0; i < N; i++) assert_true(fabs(P[i] - (N - i)) < 1e-9 * N * N);
}

// random contacts of neighbouring bodies with 6 coordinates each, with friction; the answer is
// drawn first
static void make_chain(random_state *r, int n_contact, int dim, double mu)
{
    static double W[MANY][12], xi[MANY];
    const int n = n_contact * dim;
    for (int i = 0; i < n; i++)
        for (int c = 0; c < 12; c++) W[i][c] = draw(r);
    int p = 0;
    for (int i = 0; i < n; i++) {
        const int c = i / dim;
        s.start[i] = p;
        for (int j = (c > 0 ? c - 1 : 0) * dim; j < (c < n_contact - 1 ? c + 2 : n_contact) * dim;
             j++) {
            // contact c couples bodies c and c + 1
            const int shift = 6 * (j / dim - c);
            double sum = 0;
            for (int a = 0; a < 12; a++)
                if (a - shift >= 0 && a - shift < 12) sum += W[i][a] * W[j][a - shift];
            s.index[p] = j;
            s.value[p++] = sum;
        }
        if (i % dim == 0) s.block[c] = (carom_block){.first = i, .dim = dim, .mu = mu, .id = c};
    }
    s.start[n] = p;
    for (int c = 0; c < n_contact; c++) draw_contact(r, &s.block[c], Q + c * dim, xi + c * dim);
    for (int i = 0; i < n; i++) {
        s.b[i] = xi[i];
        for (int q = s.start[i]; q < s.start[i + 1]; q++) s.b[i] -= s.value[q] * Q[s.index[q]];
    }
    s.problem = (carom_problem){
        n, n_contact, s.block, {.n = n, .start = s.start, .index = s.index, .value = s.value}, s.b};
}

static void chains_of_hundreds_of_contacts_with_friction_are_solved(void **state)
{
    (void)state;
    random_state r = {12};
    const char *const names[] = {"auto", "newton", "nsgs"};
    for (int m = 0; m < 6; m++) {
        carom_contact_solver *solver;
        carom_contact_info info;
        const int dim = 2 + m % 2;
        make_chain(&r, 300, dim, 0.3);
        assert_true(carom_contact_residual(&s.problem, Q) < 1e-14);
        memset(P, 0, sizeof P);
        assert_int_equal(carom_contact_solver_new(names[m / 2], NULL, 0, 300 * dim, &solver, NULL),
                         CAROM_OK);
        assert_int_equal(carom_contact_solve(solver, &s.problem, P, &info, NULL), CAROM_OK);
        carom_contact_solver_free(solver);
        print_message("%s, dim %d: residual %.1e after %d iterations (%s)\n", names[m / 2], dim,
                      info.residual, info.iterations, info.solver);
        assert_true(info.is_converged);
    }
}

static void redundant_rows_of_a_large_problem_do_not_hurt(void **state)
{
    (void)state;
    enum { N = 400 };
    carom_contact_solver *solver;
    carom_contact_info info;
    random_state r = {13};
    // pairs of equal contacts: G has rank N/2
    int p = 0;
    for (int i = 0; i < N; i++) {
        s.start[i] = p;
        s.index[p] = i / 2 * 2, s.value[p++] = 1;
        s.index[p] = i / 2 * 2 + 1, s.value[p++] = 1;
        s.block[i] = (carom_block){.first = i, .dim = 1, .id = i};
        s.b[i] = i % 2 ? s.b[i - 1] : draw(&r);
    }
    s.start[N] = p;
    s.problem = (carom_problem){
        N, N, s.block, {.n = N, .start = s.start, .index = s.index, .value = s.value}, s.b};
    memset(P, 0, sizeof P);
    assert_int_equal(carom_contact_solver_new("newton", NULL, 0, N, &solver, NULL), CAROM_OK);
    assert_int_equal(carom_contact_solve(solver, &s.problem, P, &info, NULL), CAROM_OK);
    carom_contact_solver_free(solver);
    assert_true(info.is_converged);
    for (int i = 0; i < N; i += 2) assert_true(fabs(P[i] + P[i + 1] - fmax(0, -s.b[i])) < 1e-8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_sparse_problems_have_the_answers_of_dense_ones),
        cmocka_unit_test(a_tall_column_of_beads_carries_its_weight),
        cmocka_unit_test(chains_of_hundreds_of_contacts_with_friction_are_solved),
        cmocka_unit_test(redundant_rows_of_a_large_problem_do_not_hurt),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
