// SPDX-License-Identifier: Apache-2.0
// Eigenvalues of dense matrices: residuals of random ones, closed forms, defective and scaled ones.
#include "math/eigen/eigen.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 120 };
static double a[MOST * MOST], kept[MOST * MOST], v[MOST * MOST], re[MOST], im[MOST];

static unsigned chance = 7;
static double draw(void)
{
    chance = chance * 1664525u + 1013904223u;
    return (double)(chance >> 8) / (1 << 24) - 0.5;
}

static void fill(int n, double wide)
{
    for (int i = 0; i < n * n; i++) a[i] = draw() * pow(10, wide * draw());
    memcpy(kept, a, sizeof a);
}

// |A v - w v| of the vector in column j, w complex
static double residual(int n, int j)
{
    double most = 0;
    for (int i = 0; i < n; i++) {
        double x = 0, y = 0;
        for (int k = 0; k < n; k++) {
            x += kept[i * n + k] * v[k * n + j];
            if (im[j] > 0) y += kept[i * n + k] * v[k * n + j + 1];
        }
        const double p = v[i * n + j], q = im[j] > 0 ? v[i * n + j + 1] : 0;
        most = fmax(most, hypot(x - re[j] * p + im[j] * q, y - re[j] * q - im[j] * p));
    }
    return most;
}

static void vectors_of_random_matrices_are_ones(void **state)
{
    (void)state;
    static const int sizes[] = {1, 2, 3, 4, 5, 8, 13, 30, 60, 120};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        const int n = sizes[k];
        fill(n, 0);
        double trace = 0, sum = 0, largest = 0;
        for (int i = 0; i < n; i++) trace += a[i * n + i];
        assert_true(carom_eigen_general(n, a, re, im, v));
        for (int j = 0; j < n; j++) {
            sum += re[j];
            largest = fmax(largest, hypot(re[j], im[j]));
        }
        assert_true(fabs(sum - trace) <= 1e-12 * (1 + largest));
        for (int j = 0; j < n; j++) {
            if (im[j] < 0) {
                assert_true(im[j - 1] == -im[j] && re[j - 1] == re[j]);
                continue;
            }
            assert_true(residual(n, j) <= 1e-12 * largest);
        }
        memcpy(a, kept, sizeof a); // without vectors the same
        double other[MOST], none[MOST];
        assert_true(carom_eigen_general(n, a, other, none, NULL));
        for (int j = 0; j < n; j++) assert_true(fabs(other[j] - re[j]) <= 1e-9 * largest);
    }
}

// z^5 = 1: a companion matrix, on which unshifted steps go in circles
static void roots_of_one_are_found(void **state)
{
    (void)state;
    const int n = 5;
    memset(a, 0, sizeof a);
    for (int i = 0; i < n; i++) a[i * n + (i + n - 1) % n] = 1;
    assert_true(carom_eigen_general(n, a, re, im, NULL));
    for (int j = 0; j < n; j++) {
        const double turn = 5 * atan2(im[j], re[j]) / (2 * acos(-1));
        assert_true(fabs(hypot(re[j], im[j]) - 1) < 1e-14 && fabs(turn - round(turn)) < 1e-14);
    }
}

// scaled by 1e12 between rows and columns: balancing takes it back
static void scales_of_the_unknowns_do_not_count(void **state)
{
    (void)state;
    const int n = 6;
    double before[6], imaginary[6];
    fill(n, 0);
    assert_true(carom_eigen_general(n, a, before, imaginary, NULL));
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) a[i * n + j] = kept[i * n + j] * pow(10, 4 * (i - j));
    assert_true(carom_eigen_general(n, a, re, im, NULL));
    for (int j = 0; j < n; j++) {
        double nearest = INFINITY;
        for (int k = 0; k < n; k++)
            nearest = fmin(nearest, hypot(re[j] - before[k], im[j] - imaginary[k]));
        assert_true(nearest < 1e-11);
    }
}

// a Jordan block has one eigenvector; its eigenvalue is known to the cube root of rounding
static void defective_matrices_end(void **state)
{
    (void)state;
    const double block[9] = {2, 1, 0, 0, 2, 1, 0, 0, 2};
    memcpy(a, block, sizeof block);
    memcpy(kept, block, sizeof block);
    assert_true(carom_eigen_general(3, a, re, im, v));
    for (int j = 0; j < 3; j++) assert_true(hypot(re[j] - 2, im[j]) < 1e-4);
    assert_true(residual(3, 0) < 1e-12);
    memset(a, 0, sizeof a);
    assert_true(carom_eigen_general(4, a, re, im, v));
    for (int j = 0; j < 4; j++) assert_true(re[j] == 0 && im[j] == 0);
    a[3] = NAN;
    assert_false(carom_eigen_general(2, a, re, im, NULL));
    assert_false(carom_eigen_symmetric(2, a, re));
}

// the second difference has the eigenvalues 4 sin^2(pi k/(2(n+1)))
static void symmetric_matrices_have_their_closed_form(void **state)
{
    (void)state;
    const int n = 50;
    memset(a, 0, sizeof a);
    for (int i = 0; i < n; i++) {
        a[i * n + i] = 2;
        if (i > 0) a[i * n + i - 1] = a[(i - 1) * n + i] = -1;
    }
    memcpy(kept, a, sizeof a);
    assert_true(carom_eigen_symmetric(n, a, re));
    for (int k = 0; k < n; k++) {
        const double s = sin(acos(-1) * (k + 1) / (2.0 * (n + 1)));
        assert_true(fabs(re[k] - 4 * s * s) < 1e-14);
        for (int j = 0; j <= k; j++) {
            double dot = 0;
            for (int i = 0; i < n; i++) dot += a[k * n + i] * a[j * n + i];
            assert_true(fabs(dot - (j == k)) < 1e-13);
        }
    }
    fill(n, 6);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) kept[j * n + i] = kept[i * n + j];
    assert_true(carom_eigen_symmetric(n, a, re)); // of the lower triangle
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++) {
            double sum = -re[k] * a[k * n + i];
            for (int j = 0; j < n; j++) sum += kept[i * n + j] * a[k * n + j];
            assert_true(fabs(sum) <= 1e-13 * fmax(fabs(re[0]), fabs(re[n - 1])));
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vectors_of_random_matrices_are_ones),
        cmocka_unit_test(roots_of_one_are_found),
        cmocka_unit_test(scales_of_the_unknowns_do_not_count),
        cmocka_unit_test(defective_matrices_end),
        cmocka_unit_test(symmetric_matrices_have_their_closed_form),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
