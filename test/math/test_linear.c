// SPDX-License-Identifier: Apache-2.0
// General linear systems, dense and sparse, against the equations themselves.
#include "carom/extend.h"
#include "math/blockmass.h"
#include "math/linear.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

static double random_number(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) / 9007199254740992.0 - 0.5;
}

// inlined, by panels, and sparse
static const int sizes[] = {1, 2, 3, 5, 16, 17, 60, 128, 129, 400};
enum { N_SIZE = sizeof sizes / sizeof *sizes };

// some entries of each row, repeated ones included, and a diagonal that dominates, in shuffled
// rows: pivots must move
static double *fill(carom_linear *linear, int n, uint64_t *seed)
{
    double *full = calloc((size_t)n * (size_t)n, sizeof(double));
    assert_non_null(full);
    for (int i = 0; i < n; i++) {
        const int row = (i + n / 2) % n;
        for (int k = 0; k < 5; k++) {
            const int j = (int)((random_number(seed) + 0.5) * n);
            const double value = random_number(seed);
            carom_linear_add_entry(linear, row, j, value);
            full[row * n + j] += value;
        }
        carom_linear_add_entry(linear, row, i, 6);
        full[row * n + i] += 6;
    }
    return full;
}

// largest row of |A x - b| over |A| |x| + |b|
static double residual(int n, const double *full, const double *x, const double *b)
{
    double worst = 0;
    for (int i = 0; i < n; i++) {
        double r = -b[i], size = fabs(b[i]);
        for (int j = 0; j < n; j++) {
            r += full[i * n + j] * x[j];
            size += fabs(full[i * n + j] * x[j]);
        }
        worst = fmax(worst, fabs(r) / size);
    }
    return worst;
}

static void solution_satisfies_the_equations(void **state)
{
    (void)state;
    uint64_t seed = 5;
    for (int k = 0; k < N_SIZE; k++) {
        const int n = sizes[k];
        carom_linear *linear;
        carom_error error = {0};
        assert_int_equal(carom_linear_new(n, 6 * n, &linear, &error), CAROM_OK);
        double x[400], b[400];
        for (int round = 0; round < 3; round++) {
            carom_linear_clear(linear);
            double *full = fill(linear, n, &seed);
            assert_int_equal(carom_linear_factor(linear, &error), CAROM_OK);
            for (int i = 0; i < n; i++) x[i] = b[i] = random_number(&seed);
            carom_linear_solve(linear, x);
            // dominance keeps elements from growing; one rounding per term of
            // each row's elimination
            assert_true(residual(n, full, x, b) < 16 * n * DBL_EPSILON);
            free(full);
        }
        carom_linear_free(linear);
    }
}

static void a_sparse_right_side_gives_the_same_answer(void **state)
{
    (void)state;
    uint64_t seed = 11;
    for (int k = 0; k < N_SIZE; k++) {
        const int n = sizes[k], n_entry = n < 3 ? n : 3;
        carom_linear *linear;
        assert_int_equal(carom_linear_new(n, 6 * n, &linear, NULL), CAROM_OK);
        for (int round = 0; round < 3; round++) {
            double x[400] = {0}, b[400] = {0}, value[3];
            int index[3], touched[400];
            carom_linear_clear(linear);
            double *full = fill(linear, n, &seed);
            assert_int_equal(carom_linear_factor(linear, NULL), CAROM_OK);
            for (int i = 0; i < n_entry; i++) {
                index[i] = (round + i * (n / n_entry)) % n;
                b[index[i]] = value[i] = random_number(&seed);
            }
            const int n_touched =
                carom_linear_solve_sparse(linear, n_entry, index, value, x, touched);
            assert_in_range(n_touched, 1, n);
            carom_linear_solve(linear, b);
            // rows dominate by 6 to 2.5 at most: the condition is below 3
            for (int i = 0; i < n; i++) assert_true(fabs(x[i] - b[i]) < 16 * n * DBL_EPSILON);
            for (int i = 0; i < n_touched; i++) x[touched[i]] = 0;
            for (int i = 0; i < n; i++) assert_true(x[i] == 0);
            free(full);
        }
        carom_linear_free(linear);
    }
}

// 100 triples of unknowns that know nothing of each other
static void a_sparse_right_side_touches_only_what_it_reaches(void **state)
{
    (void)state;
    enum { N = 300 };
    carom_linear *linear;
    assert_int_equal(carom_linear_new(N, 9 * N, &linear, NULL), CAROM_OK);
    carom_linear_clear(linear);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < 3; j++)
            carom_linear_add_entry(linear, i, (i % 100) + 100 * j, i / 100 == j ? 4 : 1 + 0.1 * i);
    assert_int_equal(carom_linear_factor(linear, NULL), CAROM_OK);
    const int index[2] = {117, 60};
    const double value[2] = {1, -2};
    double x[N] = {0};
    int touched[N];
    assert_int_equal(carom_linear_solve_sparse(linear, 2, index, value, x, touched), 6);
    for (int i = 0; i < 6; i++) assert_true(touched[i] % 100 == 17 || touched[i] % 100 == 60);
    carom_linear_free(linear);
}

// [[4, 1], [1, 3]] as the mass, W = [2 5]:  A = [2 M, -W'; W, 0]
static void check_saddle(int shift)
{
    const int m_start[] = {0, 2, 4}, m_index[] = {0, 1, 0, 1}, w_start[] = {0, 2},
              w_index[] = {0, 1};
    double w_value[] = {2, 5};
    const int n = shift + 3;
    carom_arena *arena = carom_arena_new();
    carom_mass *mass = carom_mass_new(arena, 2, m_start, m_index);
    const double m_value[] = {4, 1, 1, 3};
    for (int i = 0; i < 4; i++) carom_mass_values(mass)[i] = m_value[i];
    const carom_sparse W = {1, 2, w_start, w_index, w_value};
    carom_linear *linear;
    assert_int_equal(carom_linear_new(n, n + 20, &linear, NULL), CAROM_OK);
    carom_linear_clear(linear);
    for (int i = 0; i < shift; i++) carom_linear_add_entry(linear, i, i, 1);
    carom_linear_add_mass(linear, shift, shift, mass, 2);
    carom_linear_add(linear, shift, shift + 2, &W, -1, true);
    carom_linear_add(linear, shift + 2, shift, &W, 1, false);
    assert_int_equal(carom_linear_factor(linear, NULL), CAROM_OK);
    // the right-hand side of x = (1, -2, 3)
    double x[300] = {0};
    x[shift] = 2 * (4 - 2) - 2 * 3;
    x[shift + 1] = 2 * (1 - 6) - 5 * 3;
    x[shift + 2] = 2 - 10;
    carom_linear_solve(linear, x);
    assert_true(fabs(x[shift] - 1) < 64 * DBL_EPSILON);
    assert_true(fabs(x[shift + 1] + 2) < 64 * DBL_EPSILON);
    assert_true(fabs(x[shift + 2] - 3) < 64 * DBL_EPSILON);
    carom_linear_free(linear);
    carom_arena_free(arena);
}

static void blocks_go_where_they_are_put(void **state)
{
    (void)state;
    check_saddle(0);
    check_saddle(30);
    check_saddle(200);
}

static carom_status factor_twins(int n, double difference)
{
    carom_linear *linear;
    assert_int_equal(carom_linear_new(n, 5 * n, &linear, NULL), CAROM_OK);
    carom_linear_clear(linear);
    for (int i = 0; i < n - 2; i++) carom_linear_add_entry(linear, i, i, 1 + i % 3);
    // the last two rows are the same but for the difference
    for (int i = n - 2; i < n; i++) {
        carom_linear_add_entry(linear, i, n - 2, 0.3);
        carom_linear_add_entry(linear, i, n - 1, 0.7);
    }
    carom_linear_add_entry(linear, n - 1, n - 1, difference);
    carom_error error = {0};
    const carom_status status = carom_linear_factor(linear, &error);
    assert_int_equal(status, error.status);
    carom_linear_free(linear);
    return status;
}

// tridiagonal parts of different patterns, the last of weight 0 and not a number; several times,
// because the matrix starts anew each time
static void weighted_sums_are_those_of_their_blocks(void **state)
{
    (void)state;
    static const int some[] = {3, 60, 200};
    for (int c = 0; c < 3; c++) {
        const int n = some[c];
        static int start[3][201], index[3][400];
        static double value[3][400];
        carom_sparse block[3];
        for (int b = 0; b < 3; b++) {
            int n_entry = 0;
            for (int i = 0; i < n; i++) {
                start[b][i] = n_entry;
                index[b][n_entry] = i;
                value[b][n_entry++] = b == 2 ? NAN : 3 + 0.1 * i + b;
                if (b == 0 || i + 1 == n) continue;
                index[b][n_entry] = i + 1;
                value[b][n_entry++] = b == 2 ? NAN : 1 - 0.01 * i;
            }
            start[b][n] = n_entry;
            block[b] = (carom_sparse){n, n, start[b], index[b], value[b]};
        }
        carom_linear *sum;
        assert_int_equal(carom_linear_new(n, 5 * n, &sum, NULL), CAROM_OK);
        assert_int_equal(carom_linear_expect(sum, 3, block, NULL), CAROM_OK);
        for (int round = 1; round < 4; round++) {
            carom_linear_combine(sum, (double[]){1, -0.1 * round, 0});
            assert_int_equal(carom_linear_factor(sum, NULL), CAROM_OK);
            double x[200];
            for (int i = 0; i < n; i++) {
                const double beside = i + 1 < n ? -0.1 * round * (1 - 0.01 * i) * (i + 2) : 0;
                x[i] = (3 + 0.1 * i - 0.1 * round * (4 + 0.1 * i)) * (i + 1) + beside;
            }
            carom_linear_solve(sum, x);
            for (int i = 0; i < n; i++) assert_true(fabs(x[i] - (i + 1)) < 1e-9 * n);
        }
        carom_linear_free(sum);
    }
}

static void equal_rows_are_singular(void **state)
{
    (void)state;
    for (int k = 1; k < N_SIZE; k++) {
        assert_int_equal(factor_twins(sizes[k], 0), CAROM_NOT_CONVERGED);
        assert_int_equal(factor_twins(sizes[k], 1e-9), CAROM_OK);
    }
}

static void rounding_does_not_hide_a_dependent_row(void **state)
{
    (void)state;
    // rows in arithmetic progression; 0.1 is not exact, so the last pivot is a rounding
    carom_linear *linear;
    assert_int_equal(carom_linear_new(3, 9, &linear, NULL), CAROM_OK);
    carom_linear_clear(linear);
    for (int i = 0; i < 9; i++) carom_linear_add_entry(linear, i / 3, i % 3, 0.1 * (i + 1));
    assert_int_equal(carom_linear_factor(linear, NULL), CAROM_NOT_CONVERGED);
    carom_linear_free(linear);
}

// the same behind 200 other unknowns, where the factors are those of a sparse matrix
static void rounding_of_a_dependent_row_is_not_sound(void **state)
{
    (void)state;
    enum { S = 200 };
    for (int is_dependent = 0; is_dependent <= 1; is_dependent++) {
        carom_linear *linear;
        assert_int_equal(carom_linear_new(S + 3, S + 9, &linear, NULL), CAROM_OK);
        carom_linear_clear(linear);
        for (int i = 0; i < S; i++) carom_linear_add_entry(linear, i, i, 1);
        for (int i = 0; i < 9; i++)
            carom_linear_add_entry(linear, S + i / 3, S + i % 3,
                                   0.1 * (i + 1) + (i == 8 && !is_dependent ? 1e-6 : 0));
        const bool is_factored = carom_linear_factor(linear, NULL) == CAROM_OK;
        assert_true((is_factored && carom_linear_is_sound(linear)) == !is_dependent);
        carom_linear_free(linear);
    }
}

static void badly_scaled_rows_are_not_singular(void **state)
{
    (void)state;
    // M/h^2 = 1e20 beside a constraint row of size 1e-12: the answer is still exact to rounding
    const int offset[] = {0, 30, 200};
    for (int k = 0; k < 3; k++) {
        const int s = offset[k];
        carom_linear *linear;
        assert_int_equal(carom_linear_new(s + 2, s + 3, &linear, NULL), CAROM_OK);
        carom_linear_clear(linear);
        for (int i = 0; i < s; i++) carom_linear_add_entry(linear, i, i, 1);
        carom_linear_add_entry(linear, s, s, 1e20);
        carom_linear_add_entry(linear, s, s + 1, 1e-12);
        carom_linear_add_entry(linear, s + 1, s, 1e-12);
        assert_int_equal(carom_linear_factor(linear, NULL), CAROM_OK);
        assert_true(carom_linear_is_sound(linear));
        double x[202] = {0};
        x[s] = 0, x[s + 1] = 1e-12;
        carom_linear_solve(linear, x);
        assert_true(fabs(x[s] - 1) < 8 * DBL_EPSILON);
        assert_true(fabs(x[s + 1] / -1e32 - 1) < 8 * DBL_EPSILON);
        carom_linear_free(linear);
    }
}

static void numbers_that_are_not_finite_are_refused(void **state)
{
    (void)state;
    const double bad[] = {NAN, INFINITY};
    for (int k = 0; k < N_SIZE; k++)
        for (int b = 0; b < 2; b++) {
            carom_linear *linear;
            assert_int_equal(carom_linear_new(sizes[k], sizes[k] + 1, &linear, NULL), CAROM_OK);
            carom_linear_clear(linear);
            for (int i = 0; i < sizes[k]; i++)
                carom_linear_add_entry(linear, i, i, i == sizes[k] / 2 ? bad[b] : 1);
            assert_int_equal(carom_linear_factor(linear, NULL), CAROM_NOT_CONVERGED);
            carom_linear_free(linear);
        }
}

static void more_entries_than_agreed_are_a_bug(void **state)
{
    (void)state;
    carom_linear *linear;
    assert_int_equal(carom_linear_new(200, 200, &linear, NULL), CAROM_OK);
    carom_linear_clear(linear);
    for (int i = 0; i < 201; i++) carom_linear_add_entry(linear, i % 200, i % 200, 1);
    assert_int_equal(carom_linear_factor(linear, NULL), CAROM_BUG);
    carom_linear_free(linear);
    assert_int_equal(carom_linear_new(-1, 0, &linear, NULL), CAROM_BUG);
    assert_null(linear);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solution_satisfies_the_equations),
        cmocka_unit_test(a_sparse_right_side_gives_the_same_answer),
        cmocka_unit_test(a_sparse_right_side_touches_only_what_it_reaches),
        cmocka_unit_test(blocks_go_where_they_are_put),
        cmocka_unit_test(weighted_sums_are_those_of_their_blocks),
        cmocka_unit_test(equal_rows_are_singular),
        cmocka_unit_test(rounding_does_not_hide_a_dependent_row),
        cmocka_unit_test(rounding_of_a_dependent_row_is_not_sound),
        cmocka_unit_test(badly_scaled_rows_are_not_singular),
        cmocka_unit_test(numbers_that_are_not_finite_are_refused),
        cmocka_unit_test(more_entries_than_agreed_are_a_bug),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
