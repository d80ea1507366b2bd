// SPDX-License-Identifier: Apache-2.0
// The laws as equations (Alart-Curnier, Jean-Moreau, Fischer-Burmeister): they vanish exactly at
// answers, their derivatives are those of differences, and Newton on them solves random problems
// in dense form and by sparse blocks.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "contact/newton/fischer.h"
#include "contact/problem/natural.h"
#include "contact/random_problem.h"
#include "samples.h"

enum { N_KIND = 3 };
static const char *const functions[N_KIND] = {"alart_curnier", "jean_moreau", "fischer_burmeister"};
static known_problem k;

static void take(void **state, const recipe *c)
{
    random_state *r = *state;
    make_known(r, c, &k);
}

static int start_random(void **state)
{
    static random_state r;
    r = (random_state){4711};
    *state = &r;
    return 0;
}

static const recipe kinds[] = {{4, 2, 1, 20, 0, 1, 0},
                               {4, 2, 2, 30, 0.5, 10, 0.05},
                               {4, 2, 3, 40, 0.7, 10, 0.05},
                               {4, 2, 3, 40, 0, 1, 0},
                               {5, 3, 0, 40, 0.6, 1, 0}};

static void every_function_vanishes_at_known_answers(void **state)
{
    static double work[MAX_ROWS * 16];
    for (int m = 0; m < SAMPLES(600); m++) {
        take(state, &kinds[m % 5]);
        carom_natural natural = carom_natural_cut(&k.problem, work);
        for (int kind = 0; kind < N_KIND; kind++) {
            natural.kind = (carom_natural_kind)kind;
            // each entry of G P + b is a sum of n_row products that cancel, of the size of scale
            const double length = carom_natural_at(&natural, k.P);
            assert_true(length <= 1e-16 * 40 * k.problem.n_row * natural.scale);
            k.P[k.block[0].first] += 0.1;
            assert_true(carom_natural_at(&natural, k.P) > 1e-6 * natural.scale);
            k.P[k.block[0].first] -= 0.1;
        }
    }
}

// the derivative's entry (i, j) from own and rate
static double entry(const carom_natural *a, int i, int j)
{
    const carom_natural_row *row = &a->row[i];
    double sum = j >= row->first && j < row->first + row->dim ? row->own[j - row->first] : 0;
    for (int l = 0; l < row->dim; l++)
        sum += row->rate[l] * k.G[j * k.problem.n_row + row->first + l];
    return sum;
}

static void compare_column(carom_natural *a, double *P, int j, int *n_far)
{
    const int n = k.problem.n_row;
    const double h = 1e-6, at = P[j];
    double up[MAX_ROWS], down[MAX_ROWS];
    P[j] = at + h;
    carom_natural_at(a, P);
    memcpy(up, a->F, sizeof *up * (size_t)n);
    P[j] = at - h;
    carom_natural_at(a, P);
    memcpy(down, a->F, sizeof *down * (size_t)n);
    P[j] = at;
    carom_natural_at(a, P);
    for (int i = 0; i < n; i++)
        *n_far += !(fabs((up[i] - down[i]) / (2 * h) - entry(a, i, j)) < 1e-4);
}

static void derivatives_are_those_of_differences(void **state)
{
    static double work[MAX_ROWS * 16];
    int n_far = 0, n_entry = 0;
    for (int m = 0; m < 100; m++) {
        take(state, &kinds[m % 5]);
        double P[MAX_ROWS], center[MAX_ROWS];
        for (int i = 0; i < k.problem.n_row; i++) P[i] = k.P[i] + 0.3 * draw(*state);
        for (int i = 0; i < k.problem.n_row; i++) center[i] = draw(*state);
        carom_natural natural = carom_natural_cut(&k.problem, work);
        carom_natural_shift(&natural, m % 2 ? 0.1 : 0, center);
        for (int kind = 0; kind < N_KIND; kind++) {
            natural.kind = (carom_natural_kind)kind;
            for (int j = 0; j < k.problem.n_row; j++) compare_column(&natural, P, j, &n_far);
            n_entry += k.problem.n_row * k.problem.n_row;
        }
    }
    // a kink within 1e-6 of a random point, or a second derivative above 100, is rare
    print_message("%d of %d entries differ\n", n_far, n_entry);
    assert_true(n_far < n_entry / 2000);
}

static void fischer_is_zero_only_for_complementary_points(void **state)
{
    random_state *r = *state;
    for (int m = 0; m < SAMPLES(3000); m++) {
        const int dim = 1 + m % 3;
        const double angle = 3.1 * draw(r), t = fabs(draw(r)), u = fabs(draw(r)) + 1e-12;
        double x[3] = {t, 0, 0}, y[3] = {dim == 1 ? 0 : u, 0, 0}, f[3], X[9], Y[9];
        const double n[3] = {0, dim == 3 ? cos(angle) : 1, sin(angle)};
        for (int i = 1; i < dim; i++) {
            x[i] = t * n[i];
            y[i] = -u * n[i];
        }
        carom_fischer_at(dim, x, y, f, X, Y);
        for (int i = 0; i < dim; i++) assert_true(fabs(f[i]) < 1e-15);
        y[0] += 1e-3;
        x[0] += 1e-3;
        carom_fischer_at(dim, x, y, f, X, Y);
        assert_true(fabs(f[0]) > 1e-7);
    }
}

// the dense problem by blocks
static carom_matrix as_blocks(carom_block_rows *B, int *index, double *value)
{
    const int n = k.problem.n_block;
    int at = 0, p = 0;
    for (int i = 0; i < n; i++) {
        B->row[i] = k.block[i].first;
        B->start[i] = p;
        for (int j = 0; j < n; j++, p++) {
            index[p] = j;
            B->at[p] = at;
            for (int c = 0; c < k.block[j].dim; c++)
                for (int l = 0; l < k.block[i].dim; l++)
                    value[at++] =
                        k.G[(k.block[j].first + c) * k.problem.n_row + k.block[i].first + l];
        }
    }
    B->n_block = n;
    B->row[n] = k.problem.n_row;
    B->start[n] = p;
    B->index = index;
    B->value = value;
    return (carom_matrix){.n = k.problem.n_row, .blocks = B};
}

static void newton_solves_with_every_function(void **state)
{
    enum { N_PROBLEM = SAMPLES(25) };
    static double value[MAX_ROWS * MAX_ROWS];
    static int row[MAX_BLOCKS + 1], from[MAX_BLOCKS + 1], at[MAX_BLOCKS * MAX_BLOCKS],
        index[MAX_BLOCKS * MAX_BLOCKS];
    carom_block_rows B = {.row = row, .start = from, .at = at};
    // more than 48 rows: those by blocks stay so
    const recipe well_posed[] = {{26, 2, 2, MAX_ROWS, 0.3, 1, 0},
                                 {16, 2, 3, MAX_ROWS, 0.3, 1, 0},
                                 {24, 3, 0, MAX_ROWS, 0.3, 1, 0}};
    for (int kind = 0; kind < N_KIND; kind++) {
        const carom_setting setting = {{"function", {0}}, {functions[kind], {0}}};
        carom_contact_solver *solver;
        assert_int_equal(carom_contact_solver_new("newton", &setting, 1, MAX_ROWS, &solver, NULL),
                         CAROM_OK);
        for (int c = 0; c < 3; c++) {
            int n_dense = 0, n_sparse = 0;
            for (int m = 0; m < N_PROBLEM; m++) {
                double P[MAX_ROWS] = {0}, Q[MAX_ROWS] = {0};
                carom_contact_info info;
                take(state, &well_posed[c]);
                carom_contact_solve(solver, &k.problem, P, &info, NULL);
                n_dense += info.is_converged;
                k.problem.G = as_blocks(&B, index, value);
                carom_contact_solve(solver, &k.problem, Q, &info, NULL);
                n_sparse += info.is_converged;
            }
            print_message("%-18s %d: %d and %d of %d\n", functions[kind], c, n_dense, n_sparse,
                          N_PROBLEM);
            assert_true(n_dense == N_PROBLEM && n_sparse == N_PROBLEM);
        }
        carom_contact_solver_free(solver);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(every_function_vanishes_at_known_answers, start_random),
        cmocka_unit_test_setup(derivatives_are_those_of_differences, start_random),
        cmocka_unit_test_setup(fischer_is_zero_only_for_complementary_points, start_random),
        cmocka_unit_test_setup(newton_solves_with_every_function, start_random),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
