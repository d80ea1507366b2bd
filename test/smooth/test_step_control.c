// SPDX-License-Identifier: Apache-2.0
// label: slow. The controlled step of gen_alpha over models and tolerances: every run ends,
// positions stay on their constraints, at most every third attempt is in vain, and the error at the
// end follows the tolerance.
#include "bench.h"
#include "smooth/control.h"

typedef struct outcome {
    long steps, rejected;
    double drift;        // largest |g|
    double q[16], u[16]; // at the end
} outcome;

static void run(const char *model, const char *solver, double tolerance, double end, outcome *o)
{
    bench b;
    bench_open(&b, model, solver, NULL);
    const size_t n = (size_t)b.s.size.nu;
    assert_true(n <= 16);
    b.flow->atol = b.flow->rtol = tolerance;
    *o = (outcome){0};
    double h = 1e-3 * end;
    while (b.now.t < end) {
        carom_controlled result;
        double position, velocity;
        const double left = end - b.now.t;
        bench_must(&b, carom_control_step(b.flow, &b.now, fmin(h, left), &b.next, &result));
        h = result.h_next;
        if (result.h == left) b.next.t = end;
        bench_commit(&b);
        bench_must(&b, carom_flow_drift(b.flow, &b.now, &position, &velocity));
        o->drift = fmax(o->drift, position);
        o->steps++;
        o->rejected += result.rejected;
    }
    memcpy(o->q, b.now.q, sizeof(double) * n);
    memcpy(o->u, b.now.u, sizeof(double) * n);
    bench_close(&b);
}

static double distance(const double *x, const double *y)
{
    double worst = 0;
    for (int i = 0; i < 16; i++) worst = fmax(worst, fabs(x[i] - y[i]));
    return worst;
}

typedef struct course {
    const char *model;
    double end;
} course;

// ends at which the step used to collapse, and whole runs
static const course courses[] = {{"pendulum", 0.2},
                                 {"pendulum", 0.3},
                                 {"pendulum", 0.4},
                                 {"pendulum", 2},
                                 {"slider-crank-004", 2},
                                 {"rocking-block-004", 0.5},
                                 {"andrews-squeezer", 0.03},
                                 {"car-axis", 0.3},
                                 {"slider-crank-bilateral", 0.1}};

static void gen_alpha_finishes_at_every_tolerance(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < sizeof courses / sizeof *courses; i++)
        for (int k = 3; k <= 7; k++) {
            outcome o;
            run(courses[i].model, "gen_alpha", pow(10, -k), (k < 7 ? 1 : 0.3) * courses[i].end, &o);
            if (!(o.drift <= 1e-13) || 2 * o.rejected > o.steps)
                fail_msg("%s, 1e-%d: drift %g, %ld steps, %ld rejected", courses[i].model, k,
                         o.drift, o.steps, o.rejected);
        }
}

static void gen_alpha_finishes_at_1e8(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < sizeof courses / sizeof *courses; i++) {
        outcome o;
        run(courses[i].model, "gen_alpha", 1e-8, 0.1 * courses[i].end, &o);
        assert_true(o.drift <= 1e-13 && 2 * o.rejected <= o.steps);
    }
}

// order 2 with an estimate of order 2: h falls with the root of the tolerance, the error with it
static void the_error_of_gen_alpha_falls_with_the_tolerance(void **unused)
{
    (void)unused;
    static const course smooth[] = {{"pendulum", 0.3}, {"pendulum", 2}, {"slider-crank-004", 2}};
    for (size_t i = 0; i < sizeof smooth / sizeof *smooth; i++) {
        outcome exact, o;
        run(smooth[i].model, "phem56", 1e-11, smooth[i].end, &exact);
        double e_q = 0, e_u = 0;
        for (int k = 4; k <= 7; k++) {
            run(smooth[i].model, "gen_alpha", pow(10, -k), smooth[i].end, &o);
            const double q = distance(o.q, exact.q), u = distance(o.u, exact.u);
            if (k > 4 && (fabs(log10(e_q / q) - 1) > 0.3 || fabs(log10(e_u / u) - 1) > 0.3))
                fail_msg("%s, 1e-%d: error %g after %g in q, %g after %g in u", smooth[i].model, k,
                         q, e_q, u, e_u);
            e_q = q;
            e_u = u;
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gen_alpha_finishes_at_every_tolerance),
        cmocka_unit_test(gen_alpha_finishes_at_1e8),
        cmocka_unit_test(the_error_of_gen_alpha_falls_with_the_tolerance)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
