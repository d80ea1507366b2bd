// SPDX-License-Identifier: Apache-2.0
// Dense systems of contact problems: regular ones are solved, singular ones get the shortest of the
// best answers.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "contact/random_problem.h"
#include "math/cone.h"
#include "math/dense.h"

enum { SIZE = 40 };

static void random_matrix(random_state *r, int n, int rank, double *A)
{
    double left[SIZE * SIZE], right[SIZE * SIZE];
    for (int i = 0; i < n * rank; i++) left[i] = draw(r);
    for (int i = 0; i < n * rank; i++) right[i] = draw(r);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            A[j * n + i] = 0;
            for (int k = 0; k < rank; k++) A[j * n + i] += left[k * n + i] * right[k * n + j];
        }
}

static void multiply(int n, const double *A, const double *x, double *y)
{
    for (int i = 0; i < n; i++) {
        y[i] = 0;
        for (int j = 0; j < n; j++) y[i] += A[j * n + i] * x[j];
    }
}

static double dot(int n, const double *x, const double *y)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += x[i] * y[i];
    return sum;
}

static void regular_systems_are_solved(void **state)
{
    (void)state;
    random_state r = {1234567};
    static double A[SIZE * SIZE], work[4 * SIZE * SIZE];
    double x[SIZE], b[SIZE];
    int pivot[SIZE];
    for (int n = 1; n <= SIZE; n++) {
        for (int i = 0; i < n * n; i++) A[i] = draw(&r);
        for (int i = 0; i < n; i++)
            A[i * n + i] += 3 + sqrt(n); // well conditioned: diagonal beats the random part
        for (int i = 0; i < n; i++) x[i] = draw(&r);
        multiply(n, A, x, b);
        assert_int_equal(carom_dense_solve(n, A, 1, b, work, pivot), n);
        for (int i = 0; i < n; i++) assert_true(fabs(b[i] - x[i]) < 1e-13 * n);
    }
}

static void singular_systems_get_the_shortest_answer(void **state)
{
    (void)state;
    random_state r = {7654321};
    static double A[SIZE * SIZE], work[4 * SIZE * SIZE];
    double z[SIZE], x[SIZE], b[SIZE], y[SIZE];
    int pivot[SIZE];
    for (int n = 2; n <= 30; n++) {
        const int rank = 1 + n / 2;
        random_matrix(&r, n, rank, A);
        for (int i = 0; i < n; i++) z[i] = draw(&r);
        multiply(n, A, z, b);
        memcpy(x, b, sizeof x);
        if (rank == n) continue;
        assert_int_equal(carom_dense_solve(n, A, 1, x, work, pivot), rank);
        // it solves the system ...
        multiply(n, A, x, y);
        for (int i = 0; i < n; i++) assert_true(fabs(y[i] - b[i]) < 1e-9);
        // ... and is orthogonal to the null space, of which z - x is a member
        for (int i = 0; i < n; i++) y[i] = z[i] - x[i];
        assert_true(fabs(dot(n, x, y)) < 1e-8 * (1 + dot(n, z, z)));
    }
}

static void a_zero_matrix_gives_zero(void **state)
{
    (void)state;
    double A[9] = {0}, b[3] = {1, 2, 3}, work[100];
    int pivot[3];
    assert_int_equal(carom_dense_solve(3, A, 1, b, work, pivot), 0);
    for (int i = 0; i < 3; i++) assert_true(b[i] == 0);
}

static void the_disc_projection_keeps_the_direction(void **state)
{
    (void)state;
    double inside[2] = {0.3, -0.4}, outside[2] = {3, -4}, none[2] = {3, -4}, line[1] = {-7};
    carom_cone_disc(1, 2, inside);
    carom_cone_disc(1, 2, outside);
    carom_cone_disc(-1, 2, none);
    carom_cone_disc(2, 1, line);
    assert_true(inside[0] == 0.3 && inside[1] == -0.4);
    assert_true(fabs(outside[0] - 0.6) < 1e-15 && fabs(outside[1] + 0.8) < 1e-15);
    assert_true(none[0] == 0 && none[1] == 0);
    assert_true(line[0] == -2);
}

// inside a narrow band, also where rows must be swapped, the answers are those of the full matrix
static void banded_systems_are_solved(void **state)
{
    (void)state;
    random_state r = {7654321};
    static double A[SIZE * SIZE], work[4 * SIZE * SIZE];
    double x[SIZE], b[SIZE];
    int pivot[SIZE];
    const int n = SIZE;
    for (int trial = 0; trial < 60; trial++) {
        const carom_band band = {trial % 4, trial / 4 % 3};
        for (int j = 0; j < n; j++)
            for (int i = 0; i < n; i++) {
                const bool is_in = i - j <= band.below && j - i <= band.above;
                // the lowest diagonal beats the others: every row is swapped
                const double more = i - j == band.below ? 4 : 0;
                A[j * n + i] = is_in ? draw(&r) + more : 0;
            }
        for (int j = n - band.below; j < n; j++) A[j * n + j] += 4;
        for (int i = 0; i < n; i++) x[i] = draw(&r);
        multiply(n, A, x, b);
        assert_true(carom_band_is_narrow(n, band) || 2 * band.below + band.above >= n / 4);
        if (carom_dense_solve(n, A, 1, b, work, pivot) < n) continue;
        double rest[SIZE], size = 0;
        multiply(n, A, b, rest);
        multiply(n, A, x, work);
        for (int i = 0; i < n; i++) size = fmax(size, fabs(b[i]));
        // row pivoting is backward stable: rests of n eps times the entries, of which a row has 6
        for (int i = 0; i < n; i++)
            assert_true(fabs(rest[i] - work[i]) <= 6 * 5 * n * 2.3e-16 * fmax(1, size));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(regular_systems_are_solved),
        cmocka_unit_test(banded_systems_are_solved),
        cmocka_unit_test(singular_systems_get_the_shortest_answer),
        cmocka_unit_test(a_zero_matrix_gives_zero),
        cmocka_unit_test(the_disc_projection_keeps_the_direction),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
