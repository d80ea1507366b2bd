// SPDX-License-Identifier: Apache-2.0
// One matrix in all its forms: dense, by rows, by blocks, and as factors W M^-1 W' + diag(d). They
// are made of small whole numbers, so that every form must give every answer exactly.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "contact/matrix_forms.h"

static void check_row(const forms *f, const carom_matrix *G, int i, const double *x)
{
    double sum = 0, diagonal = NAN, size = fabs(f->G[i][i]), value[N];
    int n = 0, index[N];
    bool is_zero = true;
    for (int j = 0; j < N; j++) {
        assert_true(carom_matrix_at(G, i, j) == f->G[i][j]);
        sum += f->G[i][j] * x[j];
        is_zero &= f->G[i][j] == 0;
        if (f->G[i][i] == 0) size = fmax(size, fabs(f->G[i][j]));
    }
    assert_true(carom_matrix_row(G, i, x, &diagonal) == sum);
    assert_true(diagonal == f->G[i][i]);
    assert_int_equal(carom_matrix_row_is_zero(G, i), is_zero);
    assert_true(carom_matrix_size(G, i) == (is_zero ? 1 : size));
    const int n_entry = carom_matrix_entries(G, i, index, value);
    for (int j = 0; j < N; j++) {
        if (f->G[i][j] == 0) continue;
        assert_true(n < n_entry && index[n] == j && value[n] == f->G[i][j]);
        n++;
    }
    assert_int_equal(n, n_entry);
}

static void check_blocks(const forms *f, const carom_problem *problem, const double *x)
{
    for (int k = 0; k < N_BLOCK; k++) {
        double D[9];
        carom_problem_diagonal(problem, k, D);
        for (int j = 0; j < dim_of[k]; j++)
            for (int i = 0; i < dim_of[k]; i++)
                assert_true(D[j * dim_of[k] + i] == f->G[f->block_row[k] + i][f->block_row[k] + j]);
        for (int c = 0; c < N_BLOCK; c++) {
            double y[3] = {1, 2, 3};
            carom_problem_block_product(problem, k, c, x, y);
            for (int i = 0; i < dim_of[k]; i++) {
                double sum = 1 + i;
                for (int j = 0; j < dim_of[c]; j++)
                    sum += f->G[f->block_row[k] + i][f->block_row[c] + j] * x[j];
                assert_true(y[i] == sum);
            }
        }
    }
}

static void all_forms_answer_alike(void **state)
{
    (void)state;
    static forms f;
    random_state r = {12};
    for (int m = 0; m < 40; m++) {
        make_forms(&f, &r, m % 2, false);
        double x[N], y[N], xi[N];
        for (int i = 0; i < N; i++) x[i] = whole(&r);
        for (int k = 0; k < FORMS; k++) {
            const carom_matrix *G = &f.problem[k].G;
            assert_int_equal(carom_problem_check(&f.problem[k], N, NULL), CAROM_OK);
            carom_matrix_product(G, x, y);
            carom_problem_rates(&f.problem[k], x, xi);
            for (int i = 0; i < N; i++) {
                double sum = 0;
                for (int j = 0; j < N; j++) sum += f.G[i][j] * x[j];
                assert_true(y[i] == sum && xi[i] == sum + f.b[i]);
                check_row(&f, G, i, x);
            }
            check_blocks(&f, &f.problem[k], x);
        }
    }
}

// small problems have their own code
static void rates_of_small_dense_problems(void **state)
{
    (void)state;
    random_state r = {5};
    for (int n = 1; n <= 6; n++) {
        double G[36], b[6], P[6], xi[6];
        for (int i = 0; i < n * n; i++) G[i] = whole(&r);
        for (int i = 0; i < n; i++) b[i] = whole(&r), P[i] = whole(&r);
        const carom_problem problem = {.n_row = n, .G = {.n = n, .dense = G}, .b = b};
        carom_problem_rates(&problem, P, xi);
        for (int i = 0; i < n; i++) {
            double sum = b[i];
            for (int j = 0; j < n; j++) sum += G[j * n + i] * P[j];
            assert_true(xi[i] == sum);
        }
    }
}

// every number of every form is looked at, and only those
static void numbers_that_are_not_finite_are_found(void **state)
{
    (void)state;
    static forms f;
    random_state r = {8};
    make_forms(&f, &r, true, false);
    const int n_mass = 1 + 9 + 4 + 9;
    const struct {
        int form, n;
        double *value;
    } part[] = {{DENSE, N * N, f.dense},
                {ROWS, f.row_start[N], f.row_value},
                {BLOCKS, f.block_at[f.block_start[N_BLOCK] - 1] + 4, f.block_value},
                {FACTORS, f.W_start[N], f.W_value},
                {FACTORS, n_mass, f.M_value},
                {FACTORS, N, f.d},
                {DENSE, N, f.b},
                {ROWS, N, f.b},
                {BLOCKS, N, f.b},
                {FACTORS, N, f.b}};
    for (int k = 0; k < FORMS; k++) assert_true(carom_problem_is_finite(&f.problem[k]));
    for (size_t k = 0; k < sizeof part / sizeof *part; k++)
        for (int i = 0; i < part[k].n; i++)
            for (int wrong = 0; wrong < 2; wrong++) {
                const double kept = part[k].value[i];
                part[k].value[i] = wrong ? NAN : -INFINITY;
                assert_false(carom_problem_is_finite(&f.problem[part[k].form]));
                part[k].value[i] = kept;
            }
    for (int k = 0; k < FORMS; k++) assert_true(carom_problem_is_finite(&f.problem[k]));
}

// rows 0, 3, 6, 9 of G are nothing. Of them 0 is bilateral, 3 a contact, 6 the first of a bilateral
// block, 9 a contact
static void rows_that_nothing_moves_are_dead_where_they_must_move(void **state)
{
    (void)state;
    static forms f;
    random_state r = {31};
    make_forms(&f, &r, false, false);
    static const struct {
        int row;
        double b;
        bool is_dead;
    } known[] = {{0, 1, true}, {0, -1, true}, {0, 0, false}, {3, -1, true}, {3, 1, false},
                 {6, 2, true}, {6, -2, true}, {9, 1, false}, {9, -1, true}, {4, -5, false}};
    for (int k = 0; k < FORMS; k++)
        for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
            memset(f.b, 0, sizeof f.b);
            f.b[known[i].row] = known[i].b;
            if (carom_problem_has_dead_row(&f.problem[k]) != known[i].is_dead)
                fail_msg("form %d, row %d, b %g", k, known[i].row, known[i].b);
        }
    assert_int_equal(carom_problem_bilateral(&f.problem[0]), 6);
    assert_true(carom_problem_has_friction(&f.problem[0]));
}

// one number of a description is changed: it is refused
static void wrong_patterns_are_refused(void **state)
{
    (void)state;
    static forms f;
    random_state r = {77};
    make_forms(&f, &r, true, false);
    const struct {
        int form, wrong, *number;
    } change[] = {
        {ROWS, 1, &f.row_start[0]},
        {ROWS, -1, &f.row_index[0]},
        {ROWS, N, &f.row_index[f.row_start[N] - 1]},
        {BLOCKS, 1, &f.block_row[0]},
        {BLOCKS, 2, &f.block_row[1]},
        {BLOCKS, 13, &f.block_row[3]},
        {BLOCKS, N + 1, &f.block_row[N_BLOCK]},
        {BLOCKS, -1, &f.block_at[0]},
        {BLOCKS, -1, &f.block_at[f.block_start[N_BLOCK] - 1]},
        {BLOCKS, -1, &f.block_index[0]},
        {BLOCKS, N_BLOCK, &f.block_index[f.block_start[1] - 1]},
        {FACTORS, 1, &f.mass_row[0]},
        {FACTORS, 1, &f.mass_row[2]},
        {FACTORS, 8, &f.mass_row[N_MASS]},
        {FACTORS, -1, &f.M_at[0]},
        {FACTORS, -1, &f.M_at[N_MASS - 1]},
        {FACTORS, -1, &f.W_index[0]},
        {FACTORS, N_COLUMN, &f.W_index[f.W_start[N] - 1]},
        {FACTORS, -1, &f.factors.n_column},
        {DENSE, 1, &f.block[0].first},
        {DENSE, 0, &f.block[1].dim},
        {DENSE, 4, &f.block[1].dim},
        {DENSE, 3, &f.block[N_BLOCK - 1].dim},
        {DENSE, 1, &f.block[N_BLOCK - 1].dim},
        {DENSE, N + 1, &f.problem[DENSE].n_row},
        {DENSE, -1, &f.problem[DENSE].n_row},
        {DENSE, -1, &f.problem[DENSE].n_block},
        {DENSE, N + 1, &f.problem[DENSE].G.n},
    };
    for (size_t i = 0; i < sizeof change / sizeof *change; i++) {
        const int kept = *change[i].number;
        *change[i].number = change[i].wrong;
        // block_row[1] = 2 is a list of firsts as well: that of other blocks
        const bool is_list = change[i].number == &f.block_row[1];
        const carom_status status = carom_problem_check(&f.problem[change[i].form], 2 * N, NULL);
        if ((status == CAROM_OK) != is_list) fail_msg("change %zu", i);
        *change[i].number = kept;
    }
    for (int k = 0; k < FORMS; k++) {
        assert_int_equal(carom_problem_check(&f.problem[k], N, NULL), CAROM_OK);
        assert_int_equal(carom_problem_check(&f.problem[k], N - 1, NULL), CAROM_BUG);
    }
    static const double mu[] = {-0.1, INFINITY, NAN, 1e101};
    for (int i = 0; i < 4; i++) {
        f.block[0].mu = mu[i]; // bilateral: says nothing
        assert_int_equal(carom_problem_check(&f.problem[DENSE], N, NULL), CAROM_OK);
        f.block[1].mu = mu[i];
        assert_int_equal(carom_problem_check(&f.problem[DENSE], N, NULL), CAROM_BAD_INPUT);
        f.block[1].mu = 1e100;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_forms_answer_alike),
        cmocka_unit_test(rates_of_small_dense_problems),
        cmocka_unit_test(numbers_that_are_not_finite_are_found),
        cmocka_unit_test(rows_that_nothing_moves_are_dead_where_they_must_move),
        cmocka_unit_test(wrong_patterns_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
