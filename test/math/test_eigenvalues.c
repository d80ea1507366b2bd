// SPDX-License-Identifier: Apache-2.0
// Eigenvalues: closed forms, similarity (matrices made from chosen eigenvalues), cyclic shifts,
// badly scaled matrices, defective ones.
#include "math/spectrum/eigenvalues.h"

#include "math/dense.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 60 };

static double draw(unsigned *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (double)(*seed >> 8) / (1 << 24) * 2 - 1;
}

// A = X L X^-1 with blocks (re, im) in L
static void make_similar(int n, const double *re, const double *im, unsigned seed, double *A)
{
    double X[MOST * MOST], L[MOST * MOST] = {0}, XL[MOST * MOST] = {0}, T[MOST * MOST],
                                    Y[MOST * MOST];
    int pivot[MOST];
    for (int i = 0; i < n * n; i++) X[i] = draw(&seed) + (i % (n + 1) == 0 ? 3 : 0);
    for (int i = 0; i < n; i++) {
        L[i * n + i] = re[i];
        if (im[i] > 0) {
            L[(i + 1) * n + i] = im[i];
            L[i * n + i + 1] = -im[i];
        }
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++) XL[j * n + i] += X[k * n + i] * L[j * n + k];
    // A X = XL, that is X' A' = XL'
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            T[j * n + i] = X[i * n + j];
            Y[j * n + i] = XL[i * n + j];
        }
    assert_true(carom_dense_lu(n, T, n, Y, pivot));
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) A[j * n + i] = Y[i * n + j];
}

static void check(int n, double *A, const double *re, const double *im, double tolerance)
{
    double r[MOST], i[MOST];
    assert_true(carom_eigenvalues(n, A, r, i));
    for (int k = 0; k < n; k++) {
        double nearest = INFINITY;
        for (int j = 0; j < n; j++) nearest = fmin(nearest, hypot(r[j] - re[k], i[j] - im[k]));
        assert_true(nearest <= tolerance);
        if (k > 0) assert_true(hypot(r[k], i[k]) <= hypot(r[k - 1], i[k - 1]) * (1 + 1e-12));
        if (i[k] > 0) assert_true(k + 1 < n && i[k + 1] == -i[k] && r[k + 1] == r[k]);
    }
}

static void test_small(void **state)
{
    (void)state;
    double one[] = {-3}, rotation[] = {0.6, 0.8, -0.8, 0.6}, real[] = {2, 1, 0, 5};
    check(1, one, (double[]){-3}, (double[]){0}, 0);
    check(2, rotation, (double[]){0.6, 0.6}, (double[]){0.8, -0.8}, 1e-15);
    check(2, real, (double[]){5, 2}, (double[]){0, 0}, 1e-15);
    double none[1], r[1], i[1];
    assert_true(carom_eigenvalues(0, none, r, i));
    double bad[] = {1, 2, NAN, 4};
    double rr[2], ii[2];
    assert_false(carom_eigenvalues(2, bad, rr, ii));
}

static void test_similar(void **state)
{
    (void)state;
    unsigned seed = 5;
    for (int pass = 0; pass < 40; pass++) {
        const int n = 2 + pass % 20;
        double re[MOST], im[MOST], A[MOST * MOST];
        for (int k = 0; k < n; k++) {
            re[k] = 3 * draw(&seed);
            im[k] = 0;
            if (k + 1 < n && draw(&seed) > 0) {
                im[k] = fabs(2 * draw(&seed)) + 0.1;
                re[k + 1] = re[k];
                im[k + 1] = -im[k];
                k++;
            }
        }
        make_similar(n, re, im, 77u + (unsigned)pass, A);
        check(n, A, re, im, 1e-9);
    }
}

// x^n = 1: a cyclic shift, which needs the exceptional shifts
static void test_cyclic(void **state)
{
    (void)state;
    const double turn = 6.283185307179586;
    for (int n = 3; n <= MOST; n += 3) {
        double A[MOST * MOST] = {0}, re[MOST], im[MOST];
        for (int i = 0; i < n; i++) {
            A[i * n + (i + 1) % n] = 1;
            re[i] = cos(turn * i / n);
            im[i] = sin(turn * i / n);
        }
        double r[MOST], j[MOST];
        assert_true(carom_eigenvalues(n, A, r, j));
        for (int k = 0; k < n; k++) {
            double nearest = INFINITY;
            for (int l = 0; l < n; l++) nearest = fmin(nearest, hypot(r[l] - re[k], j[l] - im[k]));
            assert_true(nearest < 1e-12);
        }
    }
}

static void test_scaled_and_defective(void **state)
{
    (void)state;
    // units of very different size: diag(1, 1e8) A diag(1, 1e-8)
    double scaled[] = {0.5, 0.3e8, 0.2e-8, -0.7};
    double plain[] = {0.5, 0.3, 0.2, -0.7}, r[3], i[3], s[3], j[3];
    assert_true(carom_eigenvalues(2, scaled, r, i) && carom_eigenvalues(2, plain, s, j));
    for (int k = 0; k < 2; k++) assert_true(fabs(r[k] - s[k]) < 1e-14);
    double jordan[] = {1, 0, 0, 1, 1, 0, 0, 1, 1};
    check(3, jordan, (double[]){1, 1, 1}, (double[]){0, 0, 0}, 1e-5);
    double zero[9] = {0};
    check(3, zero, (double[]){0, 0, 0}, (double[]){0, 0, 0}, 0);
}

static void test_vector(void **state)
{
    (void)state;
    const double re[] = {-1, 0.5, 0.25, 0.1}, im[] = {0, 0, 0, 0};
    double A[16], v[4], work[32], w[4] = {0};
    int pivot[4];
    make_similar(4, re, im, 3, A);
    carom_eigenvector(4, A, -1, v, work, pivot);
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) w[i] += A[j * 4 + i] * v[j];
    for (int i = 0; i < 4; i++) assert_true(fabs(w[i] + v[i]) < 1e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_small),  cmocka_unit_test(test_similar),
        cmocka_unit_test(test_cyclic), cmocka_unit_test(test_scaled_and_defective),
        cmocka_unit_test(test_vector),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
