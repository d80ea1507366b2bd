// SPDX-License-Identifier: Apache-2.0
// The parts of the cone solvers: the algebra of the cone, Anderson acceleration, and the linear
// systems in dense and sparse form.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "contact/newton/acceleration.h"
#include "contact/newton/barrier.h"
#include "contact/newton/blend.h"
#include "contact/random_problem.h"

// a point inside the cone, sometimes close to its border
static void draw_inside(random_state *r, int dim, double *x)
{
    double length = 0;
    for (int i = 1; i < dim; i++) {
        x[i] = draw(r);
        length += x[i] * x[i];
    }
    x[0] = sqrt(length) + pow(10, -3 * fabs(draw(r)));
}

static void the_scaling_takes_both_points_to_the_same(void **state)
{
    (void)state;
    random_state r = {17};
    for (int m = 0; m < 3000; m++) {
        const int dim = 1 + m % 3;
        double x[3], y[3], a[3], b[3], c[3];
        draw_inside(&r, dim, x);
        draw_inside(&r, dim, y);
        const carom_scaling W = carom_barrier_scaling(dim, x, y);
        carom_barrier_scale(&W, x, a);
        carom_barrier_unscale(&W, y, b);
        carom_barrier_unscale(&W, a, c);
        // the points are as close as 1e-3 to the border: rounding grows by 1/det
        for (int i = 0; i < dim; i++) assert_true(fabs(a[i] - b[i]) < 1e-10);
        for (int i = 0; i < dim; i++) assert_true(fabs(c[i] - x[i]) < 1e-10);
    }
}

static void division_undoes_the_product(void **state)
{
    (void)state;
    random_state r = {18};
    for (int m = 0; m < 3000; m++) {
        const int dim = 1 + m % 3;
        double x[3], y[3], z[3];
        draw_inside(&r, dim, x);
        for (int i = 0; i < dim; i++) y[i] = draw(&r);
        carom_barrier_multiply(dim, x, y, z);
        carom_barrier_divide(dim, x, z, z);
        for (int i = 0; i < dim; i++) assert_true(fabs(z[i] - y[i]) < 1e-10);
    }
}

static void the_reach_ends_on_the_border(void **state)
{
    (void)state;
    random_state r = {19};
    for (int m = 0; m < 3000; m++) {
        const int dim = 1 + m % 3;
        double x[3], d[3], y[3];
        draw_inside(&r, dim, x);
        for (int i = 0; i < dim; i++) d[i] = draw(&r);
        const double reach = carom_barrier_reach(dim, x, d);
        const double a = reach < INFINITY ? reach : 1e3;
        for (int i = 0; i < dim; i++) y[i] = x[i] + a * d[i];
        double length = 0;
        for (int i = 1; i < dim; i++) length += y[i] * y[i];
        const double room = y[0] - sqrt(length), size = 1 + fabs(y[0]);
        assert_true(reach < INFINITY ? fabs(room) < 1e-7 * size : room > -1e-9 * size);
    }
}

// n linear unknowns with memory n are solved in n + 1 steps, up to the regularisation
static void anderson_solves_linear_iterations(void **state)
{
    (void)state;
    enum { N = 6 };
    random_state r = {20};
    double work[200], A[N * N], c[N], x[N] = {0}, f[N], first = 0, last = 0;
    assert_true(carom_anderson_work(N, N) <= 200);
    for (int i = 0; i < N * N; i++) A[i] = 0.1 * draw(&r) + (i % (N + 1) == 0 ? 0.8 : 0);
    for (int i = 0; i < N; i++) c[i] = draw(&r);
    carom_anderson anderson = carom_anderson_cut(N, N, work);
    for (int step = 0; step < 12; step++) {
        last = 0;
        for (int i = 0; i < N; i++) {
            f[i] = c[i] - x[i];
            for (int j = 0; j < N; j++) f[i] += A[i * N + j] * x[j];
            last += f[i] * f[i];
        }
        if (step == 0) first = last;
        carom_anderson_next(&anderson, x, f);
    }
    // the plain iteration would come to 0.8^24 = 5e-3 at best
    assert_true(last < 1e-12 * first);
}

static void dense_and_sparse_systems_agree(void **state)
{
    (void)state;
    static known_problem k;
    static double work[3 * MAX_ROWS * MAX_ROWS], s[MAX_ROWS], C[3 * MAX_ROWS], R[3 * MAX_ROWS];
    static int index[4 * MAX_ROWS], start[MAX_ROWS + 1], column[MAX_ROWS * MAX_ROWS];
    static double value[MAX_ROWS * MAX_ROWS];
    random_state r = {21};
    const recipe kind = {8, 5, 3, 60, 0.4, 1, 0.1};
    make_known(&r, &kind, &k);
    const int n = k.problem.n_row;
    for (int i = 0; i < n; i++) s[i] = 1 + 0.5 * draw(&r);
    for (int i = 0; i < 3 * n; i++) C[i] = 1 + draw(&r), R[i] = draw(&r);
    for (int i = 0; i <= n; i++) start[i] = i * n;
    for (int i = 0; i < n * n; i++) column[i] = i % n, value[i] = k.G[(i % n) * n + i / n];
    carom_problem sparse = k.problem;
    sparse.G = (carom_matrix){.n = n, .start = start, .index = column, .value = value};
    for (int with_R = 0; with_R < 2; with_R++) {
        double x[2][MAX_ROWS], y[2][MAX_ROWS];
        for (int form = 0; form < 2; form++) {
            carom_blend blend;
            assert_true(carom_blend_open(&blend, form ? &sparse : &k.problem, s, work, index));
            assert_true(carom_blend_factor(&blend, with_R ? R : NULL, C));
            for (int i = 0; i < n; i++) x[form][i] = 1 + i;
            carom_blend_product(&blend, x[form], y[form]);
            carom_blend_solve(&blend, x[form]);
            carom_blend_close(&blend);
        }
        for (int i = 0; i < n; i++) {
            assert_true(fabs(x[0][i] - x[1][i]) < 1e-8 * (1 + fabs(x[0][i])));
            assert_true(fabs(y[0][i] - y[1][i]) < 1e-10 * (1 + fabs(y[0][i])));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_scaling_takes_both_points_to_the_same),
        cmocka_unit_test(division_undoes_the_product),
        cmocka_unit_test(the_reach_ends_on_the_border),
        cmocka_unit_test(anderson_solves_linear_iterations),
        cmocka_unit_test(dense_and_sparse_systems_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
