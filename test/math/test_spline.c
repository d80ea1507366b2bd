// SPDX-License-Identifier: Apache-2.0
// Tables: interpolation, smoothness, ends, and what is refused.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "math/spline.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { N = 9 };
static const double X[N] = {0, 0.4, 1, 1.3, 2.2, 3, 3.1, 4, 5};
static const double Y[N] = {1, -0.5, 2, 2.5, 0, 1, 1.2, -1, 1};

static carom_spline *make(int n, const double *x, const double *y, bool is_cubic, double period)
{
    carom_spline *spline = NULL;
    carom_error error = {0};
    assert_int_equal(
        carom_spline_new(&(carom_table_points){n, x, y, is_cubic, period}, &spline, &error),
        CAROM_OK);
    return spline;
}

static void cubic_passes_through_its_points(void **state)
{
    (void)state;
    for (int periodic = 0; periodic < 2; periodic++) {
        carom_spline *s = make(N, X, Y, true, periodic ? 5 : 0);
        for (int i = 0; i < N; i++) assert_true(fabs(carom_spline_at(s, X[i], 0) - Y[i]) < 1e-13);
        carom_spline_free(s);
    }
}

// at a knot the value from the left interval equals that from the right, up to
// the second derivative
static void cubic_is_twice_continuously_differentiable(void **state)
{
    (void)state;
    for (int periodic = 0; periodic < 2; periodic++) {
        carom_spline *s = make(N, X, Y, true, periodic ? 5 : 0);
        for (int i = periodic ? 0 : 1; i < N - 1; i++) {
            const int j = i ? i - 1 : N - 2;
            const double *c = s->coefficient + 4 * j, h = X[j + 1] - X[j];
            assert_true(fabs(c[0] + h * (c[1] + h * (c[2] + h * c[3])) -
                             carom_spline_at(s, X[i], 0)) < 1e-12);
            assert_true(fabs(c[1] + h * (2 * c[2] + h * 3 * c[3]) - carom_spline_at(s, X[i], 1)) <
                        1e-12);
            assert_true(fabs(2 * c[2] + h * 6 * c[3] - carom_spline_at(s, X[i], 2)) < 1e-11);
        }
        carom_spline_free(s);
    }
}

static void natural_cubic_has_no_curvature_at_its_ends(void **state)
{
    (void)state;
    carom_spline *s = make(N, X, Y, true, 0);
    assert_true(carom_spline_at(s, X[0], 2) == 0);
    assert_true(fabs(carom_spline_at(s, X[N - 1], 2)) < 1e-12);
    carom_spline_free(s);
}

// cubic interpolation error of a smooth periodic function: 5/384 h^4 max|f''''|
static void periodic_cubic_of_sine_errs_by_h_to_the_fourth(void **state)
{
    (void)state;
    enum { M = 41 };
    const double pi = acos(-1), h = 2 * pi / (M - 1);
    double x[M], y[M];
    for (int i = 0; i < M; i++) {
        x[i] = i * h;
        y[i] = sin(x[i]);
    }
    carom_spline *s = make(M, x, y, true, x[M - 1] - x[0]);
    for (int i = -500; i < 500; i++) {
        const double at = 0.0371 * i;
        assert_true(fabs(carom_spline_at(s, at, 0) - sin(at)) < 1.01 * 5 / 384 * pow(h, 4));
        assert_true(fabs(carom_spline_at(s, at, 1) - cos(at)) < 1.01 / 24 * pow(h, 3));
        assert_true(fabs(carom_spline_at(s, at, 2) + sin(at)) < 1.01 * 3 / 8 * pow(h, 2));
    }
    carom_spline_free(s);
}

static void derivatives_agree_with_differences(void **state)
{
    (void)state;
    carom_spline *s = make(N, X, Y, true, 0);
    const double d = 1e-4;
    for (int i = 0; i < N - 1; i++) {
        const double x = 0.5 * (X[i] + X[i + 1]);
        for (int order = 0; order < 3; order++) {
            const double slope =
                (carom_spline_at(s, x + d, order) - carom_spline_at(s, x - d, order)) / (2 * d);
            // central differences err by d^2/6 times the third derivative after, and by rounding
            const double allowed =
                d * d * fabs(s->coefficient[4 * i + 3]) * 1.01 + 1e3 * DBL_EPSILON / d;
            assert_true(fabs(slope - carom_spline_at(s, x, order + 1)) < allowed);
        }
        assert_true(carom_spline_at(s, x, 4) == 0);
    }
    carom_spline_free(s);
}

static void linear_table_is_straight_between_points(void **state)
{
    (void)state;
    carom_spline *s = make(N, X, Y, false, 0);
    assert_true(fabs(carom_spline_at(s, 0.1, 0) - (1 - 1.5 * 0.25)) < 1e-15);
    assert_true(fabs(carom_spline_at(s, 0.1, 1) + 1.5 / 0.4) < 1e-14);
    assert_true(carom_spline_at(s, 0.1, 2) == 0);
    carom_spline_free(s);
}

static void outside_is_undefined_unless_periodic(void **state)
{
    (void)state;
    carom_spline *s = make(N, X, Y, true, 0), *p = make(N, X, Y, true, 5);
    assert_true(isnan(carom_spline_at(s, -1e-9, 0)));
    assert_true(isnan(carom_spline_at(s, 5.0001, 0)));
    assert_true(isnan(carom_spline_at(s, NAN, 0)));
    assert_true(isnan(carom_spline_at(p, NAN, 0)));
    assert_true(isnan(carom_spline_at(p, INFINITY, 0)));
    assert_true(fabs(carom_spline_at(p, 0.7 - 15, 0) - carom_spline_at(p, 0.7, 0)) < 1e-13);
    carom_spline *copy = carom_spline_copy(p);
    assert_true(carom_spline_at(copy, 33.3, 1) == carom_spline_at(p, 33.3, 1));
    carom_spline_free(copy);
    carom_spline_free(s);
    carom_spline_free(p);
}

static void expect_refusal(int n, const double *x, const double *y, double period, const char *part)
{
    carom_spline *spline = NULL;
    carom_error error = {0};
    assert_int_equal(
        carom_spline_new(&(carom_table_points){n, x, y, true, period}, &spline, &error),
        CAROM_BAD_INPUT);
    assert_non_null(strstr(error.message, part));
    assert_null(spline);
}

static void wrong_tables_are_refused_with_the_reason(void **state)
{
    (void)state;
    expect_refusal(1, X, Y, 0, "at least 2");
    expect_refusal(3, X, Y, 1, "at least 4");
    expect_refusal(3, (double[]){0, 1, 1}, Y, 0, "must increase");
    expect_refusal(3, (double[]){0, NAN, 1}, Y, 0, "point 2 of the table is not a finite number");
    expect_refusal(N, X, Y, 4, "period 4");
    expect_refusal(N - 1, X, Y, 4, "must end with the value it starts with");
}

static void two_points_make_a_straight_line(void **state)
{
    (void)state;
    carom_spline *s = make(2, X, Y, true, 0);
    assert_true(fabs(carom_spline_at(s, 0.2, 0) - 0.25) < 1e-15);
    assert_true(carom_spline_at(s, 0.2, 2) == 0);
    carom_spline_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cubic_passes_through_its_points),
        cmocka_unit_test(cubic_is_twice_continuously_differentiable),
        cmocka_unit_test(natural_cubic_has_no_curvature_at_its_ends),
        cmocka_unit_test(periodic_cubic_of_sine_errs_by_h_to_the_fourth),
        cmocka_unit_test(derivatives_agree_with_differences),
        cmocka_unit_test(linear_table_is_straight_between_points),
        cmocka_unit_test(outside_is_undefined_unless_periodic),
        cmocka_unit_test(wrong_tables_are_refused_with_the_reason),
        cmocka_unit_test(two_points_make_a_straight_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
