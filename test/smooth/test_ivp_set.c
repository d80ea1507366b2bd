// SPDX-License-Identifier: Apache-2.0
// End values published in the Test Set for Initial Value Problem Solvers (F. Mazzia, C. Magherini,
// release 2.4): Andrews' squeezing mechanism at t = 0.03 and the car axis at t = 3, positions,
// velocities and forces. (The test set writes M u_dot + G'la = f for the mechanism, so that its
// forces have the other sign.)
#include "bench.h"
#include "smooth/control.h"

static const double squeezer_q[] = {
    0.1581077119629904e+2, -0.1575637105984298e+2, 0.4082224013073101e-1, -0.5347301163226948e+0,
    0.5244099658805304e+0, 0.5347301163226948e+0,  0.1048080741042263e+1};
static const double squeezer_u[] = {
    0.1139920302151208e+4, -0.1424379294994111e+4, 0.1103291221937134e+2, 0.1929337464421385e+2,
    0.5735699284790808e+0, -0.1929337464421385e+2, 0.3231791658026955e+0};
static const double squeezer_la[] = {-0.1991753333731910e+3, 0.2975531228015052e+2,
                                     -0.2306654119098399e+2, -0.3145271365475927e+2,
                                     -0.2264249232082739e+2, -0.1161740700019673e+2};
static const double axis_q[] = {0.4934557842755629e-1, 0.4969894602303324e+0, 0.1041742524885400e+1,
                                0.3739110272652214e+0};
static const double axis_u[] = {-0.7705836840321485e-1, 0.7446866596327776e-2,
                                0.1755681574942899e-1, 0.7703410437794031e+0};
static const double axis_la[] = {-0.4736886750784630e-2, -0.1104680411345730e-2};

static void run(bench *b, const char *model, const char *solver, double tolerance, double end)
{
    bench_open(b, model, solver, NULL);
    b->flow->atol = b->flow->rtol = tolerance;
    double h = 1e-3 * end;
    while (b->now.t < end) {
        carom_controlled result;
        const double left = end - b->now.t;
        bench_must(b, carom_control_step(b->flow, &b->now, fmin(h, left), &b->next, &result));
        h = result.h_next;
        if (result.h == left) b->next.t = end;
        bench_commit(b);
    }
}

// relative to the largest of the group: the test set's own measure counts digits of each number
static void near(const char *solver, const char *what, const double *x, const double *y, int n)
{
    double size = 0;
    for (int i = 0; i < n; i++) size = fmax(size, fabs(y[i]));
    for (int i = 0; i < n; i++)
        if (!(fabs(x[i] - y[i]) <= 1e-7 * size))
            fail_msg("%s: %s[%d] = %.17g, published %.17g", solver, what, i, x[i], y[i]);
}

static const char *const solver[] = {"phem56", "hem5", "rkf45", "mexx"};
enum { N_SOLVER = 4 };
// error per step: the error at the end is some 1e3 to 1e4 times as large, and
// larger for the lower order
static const double tolerance_of[] = {1e-10, 1e-8, 1e-12, 1e-10};

static void the_squeezing_mechanism_ends_where_it_was_published_to(void **unused)
{
    (void)unused;
    for (int i = 0; i < N_SOLVER; i++) {
        bench b;
        run(&b, "andrews-squeezer", solver[i], tolerance_of[i], 0.03);
        for (int k = 0; k < 7; k++) assert_true(fabs(b.now.q[k] - squeezer_q[k]) <= 1e-7);
        near(solver[i], "u", b.now.u, squeezer_u, 7);
        near(solver[i], "la", b.now.la, squeezer_la, 6);
        bench_close(&b);
    }
}

static void the_car_axis_ends_where_it_was_published_to(void **unused)
{
    (void)unused;
    for (int i = 0; i < N_SOLVER; i++) {
        bench b;
        run(&b, "car-axis", solver[i], tolerance_of[i], 3);
        for (int k = 0; k < 4; k++) assert_true(fabs(b.now.q[k] - axis_q[k]) <= 1e-7);
        near(solver[i], "u", b.now.u, axis_u, 4);
        near(solver[i], "la", b.now.la, axis_la, 2);
        bench_close(&b);
    }
}

static void gen_alpha_comes_to_the_same_ends_with_order_two(void **unused)
{
    (void)unused;
    double error[2];
    for (int i = 0; i < 2; i++) {
        bench b;
        bench_open(&b, "andrews-squeezer", "gen_alpha", NULL);
        bench_run(&b, 0.03, 1000 << i);
        error[i] = 0;
        for (int k = 0; k < 7; k++) error[i] = fmax(error[i], fabs(b.now.q[k] - squeezer_q[k]));
        bench_close(&b);
    }
    assert_true(error[1] <= 0.3 * error[0] && error[1] < 1e-2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_squeezing_mechanism_ends_where_it_was_published_to),
        cmocka_unit_test(the_car_axis_ends_where_it_was_published_to),
        cmocka_unit_test(gen_alpha_comes_to_the_same_ends_with_order_two)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
