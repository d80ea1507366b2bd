// SPDX-License-Identifier: Apache-2.0
// What each solver keeps: velocities (hem5, phem56), positions (gen_alpha), both (rkf45 with
// projection), at every tolerance; and what the index options are there to show.
#include "bench.h"
#include "smooth/control.h"

typedef struct drift {
    double position, velocity;
} drift;

// the largest drift over a controlled run
static drift run(const char *model, const char *solver, const char *option, double tolerance,
                 double end)
{
    bench b;
    drift worst = {0};
    bench_open(&b, model, solver, option);
    b.flow->atol = b.flow->rtol = tolerance;
    double h = 1e-3 * end;
    while (b.now.t < end) {
        carom_controlled result;
        const double left = end - b.now.t;
        bench_must(&b, carom_control_step(b.flow, &b.now, fmin(h, left), &b.next, &result));
        h = result.h_next;
        if (result.h == left) b.next.t = end;
        bench_commit(&b);
        double position, velocity;
        bench_must(&b, carom_flow_drift(b.flow, &b.now, &position, &velocity));
        worst.position = fmax(worst.position, position);
        worst.velocity = fmax(worst.velocity, velocity);
    }
    bench_close(&b);
    return worst;
}

enum { N_MODEL = 6 };
static const char *const model[N_MODEL] = {"slider-crank-004", "rocking-block-004",
                                           "pendulum",         "car-axis",
                                           "andrews-squeezer", "slider-crank-bilateral"};
static const double end[N_MODEL] = {2, 0.5, 2, 0.3, 0.01, 0.02};

// rows and velocities are of size 10: rounding leaves some 1e-15 of a rate
static void half_explicit_methods_keep_the_rates_at_every_tolerance(void **unused)
{
    (void)unused;
    static const double tolerance[] = {1e-2, 1e-4, 1e-6, 1e-8, 1e-10};
    for (int m = 0; m < N_MODEL; m++)
        for (int i = 0; i < 5; i++) {
            assert_true(run(model[m], "hem5", NULL, tolerance[i], end[m]).velocity <= 1e-13);
            assert_true(run(model[m], "phem56", NULL, tolerance[i], end[m]).velocity <= 1e-13);
            const drift mexx = run(model[m], "mexx", NULL, tolerance[i], end[m]);
            assert_true(mexx.velocity <= 1e-13 && mexx.position <= 1e-13);
        }
}

static void half_explicit_methods_keep_positions_too_if_asked_to(void **unused)
{
    (void)unused;
    for (int m = 0; m < 2; m++) {
        const drift free_run = run(model[m], "phem56", NULL, 1e-6, end[m]);
        const drift kept = run(model[m], "phem56", "projection=position", 1e-6, end[m]);
        assert_true(free_run.position > 1e-12);
        assert_true(kept.position <= 1e-14 && kept.velocity <= 1e-13);
    }
}

static void gen_alpha_keeps_positions_at_every_tolerance(void **unused)
{
    (void)unused;
    static const double tolerance[] = {1e-2, 1e-3, 1e-4, 1e-5, 1e-6};
    for (int m = 0; m < 2; m++)
        for (int i = 0; i < 5; i++)
            assert_true(run(model[m], "gen_alpha", NULL, tolerance[i], end[m]).position <= 1e-13);
}

// unscaled, the matrix of Newton's method would have a condition number of some 1e25 here
static void gen_alpha_takes_very_short_steps(void **unused)
{
    (void)unused;
    bench b;
    double position, velocity;
    bench_open(&b, model[0], "gen_alpha", NULL);
    bench_run(&b, 2e-5, 20);
    bench_must(&b, carom_flow_drift(b.flow, &b.now, &position, &velocity));
    assert_true(position <= 1e-14);
    assert_true(fabs(b.now.u[0] - 8 + 14.715 * 2e-5) <= 1e-6);
    bench_close(&b);
}

static void projection_takes_all_drift_from_rkf45(void **unused)
{
    (void)unused;
    for (int m = 0; m < 2; m++) {
        const drift none = run(model[m], "rkf45", "projection=none", 1e-6, end[m]);
        const drift both = run(model[m], "rkf45", NULL, 1e-6, end[m]);
        assert_true(none.position > 1e-9 && none.velocity > 1e-9);
        assert_true(both.position <= 1e-14 && both.velocity <= 1e-13);
    }
}

static void the_index_says_what_is_kept_and_what_drifts(void **unused)
{
    (void)unused;
    const drift three = run(model[0], "gen_alpha", "index=3", 1e-4, 2),
                two = run(model[0], "gen_alpha", "index=2", 1e-4, 2);
    const drift one = run(model[0], "gen_alpha", "index=1", 1e-4, 2),
                ggl = run(model[0], "gen_alpha", "index=ggl", 1e-4, 2);
    assert_true(three.position <= 1e-13 && three.velocity > 1e-6);
    assert_true(two.velocity <= 1e-12 && two.position > 1e-6);
    assert_true(one.velocity > 1e-6 && one.position > 1e-6);
    assert_true(ggl.position <= 1e-13 && ggl.velocity <= 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(half_explicit_methods_keep_the_rates_at_every_tolerance),
        cmocka_unit_test(half_explicit_methods_keep_positions_too_if_asked_to),
        cmocka_unit_test(gen_alpha_keeps_positions_at_every_tolerance),
        cmocka_unit_test(gen_alpha_takes_very_short_steps),
        cmocka_unit_test(projection_takes_all_drift_from_rkf45),
        cmocka_unit_test(the_index_says_what_is_kept_and_what_drifts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
