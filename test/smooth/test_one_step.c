// SPDX-License-Identifier: Apache-2.0
// One step of each solver against an independent implementation: ends, stages, error estimates,
// dense output.
#include "bench.h"
#include "one_step_vectors.h"

static void near(const one_step *v, const char *what, const double *x, const double *y, int n,
                 double tolerance)
{
    double size = 1;
    for (int i = 0; i < n; i++) size = fmax(size, fabs(y[i]));
    for (int i = 0; i < n; i++)
        if (!(fabs(x[i] - y[i]) <= tolerance * size))
            fail_msg("%s %s h = %g: %s[%d] = %.17g, not %.17g (off by %.2e)", v->solver, v->model,
                     v->h, what, i, x[i], y[i], x[i] - y[i]);
}

static const double TOLERANCE = 1e-12;

static void compare_stages(const bench *b, const one_step *v)
{
    const carom_stages *k = &b->flow->stage;
    for (int i = 0; i < 9; i++) {
        near(v, "Q", k->Q + 3 * i, v->Q[i], 3, TOLERANCE);
        near(v, "V", k->V + 3 * i, v->V[i], 3, TOLERANCE);
        // accelerations of later stages carry differences of velocities over h
        if (i < 8) near(v, "A", k->A + 3 * i, v->A[i], 3, TOLERANCE);
        if (i < 8) near(v, "La", k->la + v->n_row * i, v->La[i], v->n_row, TOLERANCE);
    }
}

static void compare_dense(bench *b, const one_step *v)
{
    static const double x[] = {0.3, 0.7, 1};
    double q[3], u[3];
    for (int i = 0; i < 3; i++) {
        bench_must(b, b->flow->solver->dense(b->flow, x[i], q, u));
        near(v, "dense q", q, v->dense[i][0], 3, TOLERANCE);
        near(v, "dense u", u, v->dense[i][1], 3, TOLERANCE);
        bench_must(b, b->flow->solver->search(b->flow, x[i], q, u));
        near(v, "search q", q, v->search[i][0], 3, TOLERANCE);
        near(v, "search u", u, v->search[i][1], 3, TOLERANCE);
    }
}

static void compare(const one_step *v)
{
    bench b;
    const bool is_alpha = strcmp(v->solver, "gen_alpha") == 0,
               is_rkf = strcmp(v->solver, "rkf45") == 0;
    bench_open(&b, v->model, v->solver, is_rkf ? "projection=none" : NULL);
    b.flow->atol = 1;
    b.flow->rtol = 0;
    const double error = bench_step(&b, v->h);
    // a rounding error of a position becomes beta' times as large in u_dot, and h beta' in u
    const double rounding = is_alpha ? 4 * 2.3e-16 * v->beta : 0;
    near(v, "q", b.next.q, v->q, 3, TOLERANCE);
    near(v, "u", b.next.u, v->u, 3, TOLERANCE + rounding * v->h);
    near(v, "a", b.next.a, v->a, 3, TOLERANCE + rounding);
    near(v, "la", b.next.la, v->la, v->n_row, TOLERANCE + rounding);
    if (v->error >= 0) near(v, "error", &error, &v->error, 1, TOLERANCE);
    if (is_alpha) {
        // the solver's work begins with the difference to Newmark's step
        near(v, "difference", b.flow->work, v->e, 6, TOLERANCE + rounding * v->h);
        near(v, "auxiliary a", b.next.memory, v->a_aux, 3, TOLERANCE + rounding);
    }
    if (strcmp(v->solver, "hem5") == 0) compare_stages(&b, v);
    if (!is_alpha && !is_rkf) compare_dense(&b, v);
    bench_close(&b);
}

#define TEST(name, wanted)                                                                         \
    static void name(void **unused)                                                                \
    {                                                                                              \
        (void)unused;                                                                              \
        int n = 0;                                                                                 \
        for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)                              \
            if (strcmp(vectors[i].solver, wanted) == 0) {                                          \
                compare(&vectors[i]);                                                              \
                n++;                                                                               \
            }                                                                                      \
        assert_int_equal(n, 4);                                                                    \
    }

TEST(a_step_of_hem5_is_that_of_an_independent_program, "hem5")
TEST(a_step_of_phem56_is_that_of_an_independent_program, "phem56")
TEST(a_step_of_rkf45_is_that_of_an_independent_program, "rkf45")
TEST(a_step_of_gen_alpha_is_that_of_an_independent_program, "gen_alpha")

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_step_of_hem5_is_that_of_an_independent_program),
        cmocka_unit_test(a_step_of_phem56_is_that_of_an_independent_program),
        cmocka_unit_test(a_step_of_rkf45_is_that_of_an_independent_program),
        cmocka_unit_test(a_step_of_gen_alpha_is_that_of_an_independent_program)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
