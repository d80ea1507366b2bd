// SPDX-License-Identifier: Apache-2.0
// The residual of a contact problem, and one contact alone.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "contact/random_problem.h"
#include "contact/small/local.h"

static known_problem k;

static const recipe kinds[] = {
    {5, 0, 1, 12, 0, 1, 0},       {5, 3, 1, 6, 0, 1, 0}, {5, 3, 2, 9, 0.4, 1e3, 0.1},
    {5, 3, 3, 30, 0.6, 1e3, 0.1}, {5, 0, 3, 6, 2, 1, 0},
};
enum { N_KIND = sizeof kinds / sizeof *kinds };

static void known_answers_have_a_residual_of_rounding(void **state)
{
    (void)state;
    random_state r = {42};
    for (int i = 0; i < 2000; i++) {
        make_known(&r, &kinds[i % N_KIND], &k);
        assert_true(carom_contact_residual(&k.problem, k.P) < 1e-14);
        assert_true(carom_contact_cone_violation(&k.problem, k.P) < 1e-14);
    }
}

static void wrong_answers_have_a_residual_as_large_as_the_error(void **state)
{
    (void)state;
    random_state r = {43};
    for (int i = 0; i < 500; i++) {
        make_known(&r, &kinds[0], &k);
        const int row = i % 5;
        k.P[row] = -1; // a contact that pulls
        double scale = 0;
        for (int j = 0; j < 5; j++) {
            const double s = sqrt(k.G[j * 5 + j]);
            scale = fmax(scale, fmax(fabs(k.b[j]) / s, s * fabs(k.P[j])));
        }
        assert_true(carom_contact_residual(&k.problem, k.P) >=
                    sqrt(k.G[row * 6]) / scale * (1 - 1e-12));
    }
}

static void slip_along_friction_is_a_violation(void **state)
{
    (void)state;
    double G[4] = {1, 0, 0, 1}, b[2] = {-1, 1}, right[2] = {1, -0.5}, wrong[2] = {1, 0.5};
    carom_block block = {.dim = 2, .mu = 0.5};
    const carom_problem problem = {2, 1, &block, {.n = 2, .dense = G}, b};
    assert_true(carom_contact_residual(&problem, right) == 0);
    assert_true(carom_contact_residual(&problem, wrong) > 0.5);
}

// a velocity that each step takes away but for rounding comes to numbers without digits
static void what_has_no_digits_left_is_not_judged(void **state)
{
    (void)state;
    double G[1] = {8}, b[1] = {5e-324}, P[1] = {0};
    carom_block block = {.dim = 1, .is_bilateral = true};
    const carom_problem problem = {1, 1, &block, {.n = 1, .dense = G}, b};
    assert_true(carom_contact_residual(&problem, P) == 0);
    b[0] = 1e-300;
    assert_true(carom_contact_residual(&problem, P) == 1);
}

static void residual_does_not_depend_on_row_scaling(void **state)
{
    (void)state;
    random_state r = {44};
    for (int i = 0; i < 1000; i++) {
        make_known(&r, &kinds[i % N_KIND], &k);
        const int n = k.problem.n_row;
        for (int j = 0; j < n; j++) k.P[j] += 0.1 * draw(&r);
        const double before = carom_contact_residual(&k.problem, k.P);
        double s[MAX_ROWS];
        for (int b = 0; b < k.problem.n_block; b++) {
            const double scale = pow(10, 4 * draw(&r));
            for (int j = 0; j < k.block[b].dim; j++) s[k.block[b].first + j] = scale;
        }
        for (int j = 0; j < n * n; j++) k.G[j] *= s[j % n] * s[j / n];
        for (int j = 0; j < n; j++) {
            k.b[j] *= s[j];
            k.P[j] /= s[j];
        }
        assert_true(fabs(carom_contact_residual(&k.problem, k.P) - before) < 1e-11 * before);
    }
}

// squeezed by two walls there is no answer; in floating point G P + b is 0 where P is huge
static void impulses_that_drown_the_rates_prove_nothing(void **state)
{
    (void)state;
    double G[4] = {1, -1, -1, 1}, b[2] = {-1, -1}, P[2];
    carom_block block[2] = {{.dim = 1}, {.first = 1, .dim = 1, .id = 1}};
    const carom_problem problem = {2, 2, block, {.n = 2, .dense = G}, b};
    for (double size = 1; size < 1e30; size *= 10) {
        P[0] = P[1] = size;
        assert_true(carom_contact_residual(&problem, P) >= 1e-3);
    }
}

static void an_empty_problem_has_no_residual(void **state)
{
    (void)state;
    const carom_problem empty = {0};
    assert_true(carom_contact_residual(&empty, NULL) == 0);
}

static void numbers_that_are_not_finite_make_it_infinite(void **state)
{
    (void)state;
    double G[4] = {1, 0, 0, 1}, b[2] = {1, 1}, P[2] = {0, 0};
    carom_block block = {.dim = 2, .mu = 0.5};
    const carom_problem problem = {2, 1, &block, {.n = 2, .dense = G}, b};
    double *const places[] = {&G[0], &G[1], &G[2], &G[3], &b[0], &b[1], &P[0], &P[1]};
    for (int i = 0; i < 8; i++) {
        const double kept = *places[i];
        *places[i] = NAN;
        assert_true(isinf(carom_contact_residual(&problem, P)));
        *places[i] = kept;
    }
}

// one contact in space, any friction and coupling: the answer found satisfies the laws
static void one_contact_alone_is_solved_exactly(void **state)
{
    (void)state;
    random_state r = {45};
    for (int i = 0; i < 6000; i++) {
        const recipe one = {1, 0, 1 + i % 3, 6, 0.1 + fabs(draw(&r)), 1 + 100 * fabs(draw(&r)), 0};
        make_known(&r, &one, &k);
        double P[3] = {0, draw(&r), draw(&r)};
        assert_true(carom_local_solve(one.dim, k.G, k.b, k.block[0].mu, P));
        assert_true(carom_contact_residual(&k.problem, P) < 1e-11);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_answers_have_a_residual_of_rounding),
        cmocka_unit_test(wrong_answers_have_a_residual_as_large_as_the_error),
        cmocka_unit_test(slip_along_friction_is_a_violation),
        cmocka_unit_test(what_has_no_digits_left_is_not_judged),
        cmocka_unit_test(residual_does_not_depend_on_row_scaling),
        cmocka_unit_test(impulses_that_drown_the_rates_prove_nothing),
        cmocka_unit_test(an_empty_problem_has_no_residual),
        cmocka_unit_test(numbers_that_are_not_finite_make_it_infinite),
        cmocka_unit_test(one_contact_alone_is_solved_exactly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
