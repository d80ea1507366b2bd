// SPDX-License-Identifier: Apache-2.0
// Singular values against closed forms.
#include "math/singular.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 120 };

static double A[MOST * MOST], band[2 * MOST], work[2 * MOST];

// A := (I - 2 v v') A or A (I - 2 v v') with a unit vector v: the singular values stay
static void reflect(int n, int phase, bool is_left)
{
    double v[MOST], length = 0;
    for (int i = 0; i < n; i++) v[i] = sin(1 + phase + i * (1.7 + phase));
    for (int i = 0; i < n; i++) length += v[i] * v[i];
    for (int k = 0; k < n; k++) {
        double sum = 0;
        for (int i = 0; i < n; i++) sum += v[i] * A[is_left ? k * n + i : i * n + k];
        for (int i = 0; i < n; i++) A[is_left ? k * n + i : i * n + k] -= 2 * sum / length * v[i];
    }
}

// -1, 2, -1 has the eigenvalues 2 - 2 cos(k pi / (n + 1))
static void a_chain_of_springs_has_known_values(void **state)
{
    (void)state;
    for (int n = 1; n <= MOST; n += 7) {
        memset(A, 0, sizeof A);
        for (int i = 0; i < n; i++) {
            A[i * n + i] = 2;
            if (i > 0) A[i * n + i - 1] = A[(i - 1) * n + i] = -1;
        }
        reflect(n, 1, true);
        reflect(n, 2, false);
        carom_bidiagonal(n, A, band, work);
        for (int k = 0; k < n; k++) {
            const double exact = 2 - 2 * cos((n - k) * acos(-1) / (n + 1));
            assert_true(fabs(carom_singular_value(n, band, k) - exact) < 8 * n * DBL_EPSILON);
            assert_int_equal(carom_singular_above(n, band, exact * (1 - 1e-9)), k + 1);
        }
    }
}

// far apart: 1, 1/4, 1/16, ..., and zeros; each is found to the rounding of the largest
static void the_rank_is_counted(void **state)
{
    (void)state;
    enum { N = 40, RANK = 17 };
    memset(A, 0, sizeof A);
    for (int i = 0; i < RANK; i++) A[i * N + i] = pow(0.25, i);
    for (int phase = 0; phase < 4; phase++) reflect(N, phase, phase % 2);
    carom_bidiagonal(N, A, band, work);
    assert_int_equal(carom_singular_above(N, band, N * DBL_EPSILON), RANK);
    for (int k = 0; k < N; k++) {
        const double exact = k < RANK ? pow(0.25, k) : 0;
        assert_true(fabs(carom_singular_value(N, band, k) - exact) < N * DBL_EPSILON);
    }
}

static void zero_and_numbers_that_are_none_are_told(void **state)
{
    (void)state;
    enum { N = 5 };
    memset(A, 0, sizeof A);
    carom_bidiagonal(N, A, band, work);
    assert_int_equal(carom_singular_above(N, band, 0), 0);
    assert_true(carom_singular_value(N, band, 0) == 0);
    for (int k = 0; k < N * N; k++) {
        for (int i = 0; i < N * N; i++) A[i] = i == k ? NAN : 1;
        carom_bidiagonal(N, A, band, work);
        assert_true(isnan(carom_singular_value(N, band, 0)));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_chain_of_springs_has_known_values),
        cmocka_unit_test(the_rank_is_counted),
        cmocka_unit_test(zero_and_numbers_that_are_none_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
