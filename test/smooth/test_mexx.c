// SPDX-License-Identifier: Apache-2.0
// Extrapolation: the order of every row of the table in q, u and la; that of its dense output; how
// error and work follow the tolerance; that orders rise with digits; and that the highest one
// allowed is kept.
#include "bench.h"
#include "smooth/control.h"

typedef struct answer {
    double q[8], u[8], la[8];
    long work;
} answer;

static answer answer_of(const bench *b)
{
    answer found = {.work = carom_flow_work(b->flow)};
    memcpy(found.q, b->now.q, sizeof(double) * (size_t)b->s.size.nq);
    memcpy(found.u, b->now.u, sizeof(double) * (size_t)b->s.size.nu);
    memcpy(found.la, b->now.la, sizeof(double) * (size_t)b->s.size.n_row);
    return found;
}

static answer run_fixed(const char *model, const char *solver, const char *option, double end,
                        int n)
{
    bench b;
    bench_open(&b, model, solver, option);
    b.flow->pace.is_fixed = true;
    bench_run(&b, end, n);
    const answer found = answer_of(&b);
    bench_close(&b);
    return found;
}

static answer run_to(const char *model, const char *solver, const char *option, double tolerance,
                     double end)
{
    bench b;
    bench_open(&b, model, solver, option);
    carom_flow_set_tolerance(b.flow, tolerance, 0, 0);
    for (double h = 1e-3 * end; b.now.t < end;) {
        carom_controlled result;
        const double left = end - b.now.t;
        bench_must(&b, carom_control_step(b.flow, &b.now, fmin(h, left), &b.next, &result));
        h = result.h_next;
        if (result.h == left) b.next.t = end;
        bench_commit(&b);
    }
    const answer found = answer_of(&b);
    bench_close(&b);
    return found;
}

static double distance(const double *x, const double *y)
{
    double worst = 0;
    for (int i = 0; i < 8; i++) worst = fmax(worst, fabs(x[i] - y[i]));
    return worst;
}

static double order_of(const double *coarse, const double *fine, const double *exact)
{
    return 0.5 * log2(distance(coarse, exact) / distance(fine, exact));
}

// a quarter of the step divides the error by 4^p (1 + O(h)); 3/5 covers that here: all
// steps are long
static void a_table_has_the_order_it_is_asked_for(void **unused)
{
    (void)unused;
    static const struct {
        const char *option;
        int order, n; // steps of the coarse run
    } table[] = {{"order=4", 4, 80}, {"order=6", 6, 40}, {"order=8", 8, 20}, {"order=10", 10, 20}};
    const answer exact = run_to("slider-crank-004", "hem5", NULL, 1e-13, 1);
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        const int n = table[i].n;
        const answer coarse = run_fixed("slider-crank-004", "mexx", table[i].option, 1, n),
                     fine = run_fixed("slider-crank-004", "mexx", table[i].option, 1, 4 * n);
        const double seen[] = {order_of(coarse.q, fine.q, exact.q),
                               order_of(coarse.u, fine.u, exact.u),
                               order_of(coarse.la, fine.la, exact.la)};
        for (int k = 0; k < 3; k++)
            if (!(seen[k] >= table[i].order - 0.6))
                fail_msg("%s: %.2f in %c", table[i].option, seen[k], "qul"[k]);
    }
}

// largest error of the dense output at some places of one step of length h
static double error_inside(const char *option, double h)
{
    static const double place[] = {0.1, 0.3, 0.5, 0.77, 0.95};
    bench b;
    double q[8] = {0}, u[8] = {0}, worst = 0;
    bench_open(&b, "slider-crank-004", "mexx", option);
    b.flow->pace.is_fixed = b.flow->pace.looks_inside = true;
    bench_step(&b, h);
    for (int i = 0; i < 5; i++) {
        const answer exact = run_fixed("slider-crank-004", "mexx", "order=12", h * place[i], 4);
        bench_must(&b, b.flow->solver->dense(b.flow, place[i], q, u));
        worst = fmax(worst, fmax(distance(q, exact.q), distance(u, exact.u)));
    }
    for (int end = 0; end < 2; end++) {
        bench_must(&b, b.flow->solver->dense(b.flow, end, q, u));
        const carom_motion *at = end ? &b.next : &b.now;
        for (int i = 0; i < 3; i++)
            assert_true(fabs(q[i] - at->q[i]) <= 1e-13 && fabs(u[i] - at->u[i]) <= 1e-12);
    }
    bench_close(&b);
    return worst;
}

static void dense_output_has_the_order_of_the_step(void **unused)
{
    (void)unused;
    static const struct {
        const char *option;
        int order;
        double h;
    } table[] = {
        {"order=4", 4, 0.01}, {"order=6", 6, 0.02}, {"order=8", 8, 0.02}, {"order=10", 10, 0.02}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        const double coarse = error_inside(table[i].option, table[i].h),
                     fine = error_inside(table[i].option, 0.5 * table[i].h);
        if (!(log2(coarse / fine) >= table[i].order - 0.5) || !(coarse < 1e-4))
            fail_msg("%s: %g and %g", table[i].option, coarse, fine);
    }
}

// from few digits to many
static void the_error_follows_the_tolerance(void **unused)
{
    (void)unused;
    static const char *const option[] = {"order=6", "order=8", "order=10", "order=12"};
    const answer exact = run_to("slider-crank-004", "hem5", NULL, 1e-13, 2);
    for (int i = 0; i < 4; i++)
        for (int k = 4; k <= 11; k++) {
            const double tolerance = pow(10, -k);
            const answer found = run_to("slider-crank-004", "mexx", option[i], tolerance, 2);
            if (!(distance(found.q, exact.q) <= 30 * tolerance))
                fail_msg("%s, %g: %g", option[i], tolerance, distance(found.q, exact.q));
        }
}

// digits cost less with each row: 1e-12 is less than three times 1e-6, and a fourth of hem5
static void many_digits_cost_little_more_than_few(void **unused)
{
    (void)unused;
    const answer few = run_to("andrews-squeezer", "mexx", NULL, 1e-6, 0.03),
                 many = run_to("andrews-squeezer", "mexx", NULL, 1e-12, 0.03),
                 hem5 = run_to("andrews-squeezer", "hem5", NULL, 1e-12, 0.03),
                 phem56 = run_to("andrews-squeezer", "phem56", NULL, 1e-12, 0.03);
    assert_true(many.work < 4 * few.work);
    assert_true(4 * many.work < hem5.work && 2 * many.work < phem56.work);
    assert_true(distance(many.q, hem5.q) <= 1e-10);
}

// order 4 needs ten times the steps for four more digits; and its table has two rows
static void the_highest_order_is_kept(void **unused)
{
    (void)unused;
    const answer low = run_to("slider-crank-004", "mexx", "order=4", 1e-6, 1),
                 lower = run_to("slider-crank-004", "mexx", "order=4", 1e-9, 1),
                 high = run_to("slider-crank-004", "mexx", "order=12", 1e-9, 1);
    assert_true(lower.work > 5 * low.work && high.work < lower.work / 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_table_has_the_order_it_is_asked_for),
                                       cmocka_unit_test(dense_output_has_the_order_of_the_step),
                                       cmocka_unit_test(the_error_follows_the_tolerance),
                                       cmocka_unit_test(many_digits_cost_little_more_than_few),
                                       cmocka_unit_test(the_highest_order_is_kept)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
