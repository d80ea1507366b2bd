// SPDX-License-Identifier: Apache-2.0
// Closed contacts as held rows: sliding and sticking friction on the slope, and a block that stands
// on two corners, whose rows are redundant.
#include "bench.h"

static const double G = 9.81;
static const char *const solver[] = {"phem56", "hem5", "rkf45", "gen_alpha", "mexx"};

// constant accelerations: every method is exact up to rounding
static void a_block_slides_with_constant_acceleration(void **unused)
{
    (void)unused;
    const double slope = acos(-1) / 6, mu = 0.6, v0 = 3, t = 0.5,
                 a = G * (sin(slope) - mu * cos(slope));
    for (int i = 0; i < 5; i++) {
        bench b;
        bench_open(&b, "block-on-incline", solver[i], NULL);
        b.flow->rows.is_held[0] = b.flow->rows.is_sliding[0] = 1;
        b.flow->rows.direction[1] = 1;
        b.now.u[0] = v0;
        bench_must(&b, b.flow->solver->start(b.flow, &b.now));
        bench_run(&b, t, 10);
        assert_true(fabs(b.now.a[0] - a) <= 1e-12);
        assert_true(fabs(b.now.u[0] - (v0 + a * t)) <= 1e-12);
        assert_true(fabs(b.now.q[0] - (v0 * t + a * t * t / 2)) <= 1e-12);
        assert_true(fabs(b.now.q[1]) <= 1e-14 && fabs(b.now.u[1]) <= 1e-13);
        assert_true(fabs(b.now.la[0] - G * cos(slope)) <= 1e-11);
        assert_true(fabs(b.now.la[1] + mu * G * cos(slope)) <= 1e-11);
        bench_close(&b);
    }
}

static void a_block_that_sticks_is_held_by_its_tangent(void **unused)
{
    (void)unused;
    for (int i = 0; i < 5; i++) {
        bench b;
        bench_open(&b, "block-on-incline", solver[i], NULL);
        b.flow->rows.is_held[0] = b.flow->rows.is_held[1] = 1;
        bench_must(&b, b.flow->solver->start(b.flow, &b.now));
        bench_run(&b, 1, 10);
        assert_true(fabs(b.now.q[0]) <= 1e-14 && fabs(b.now.u[0]) <= 1e-13);
        assert_true(fabs(b.now.la[1] + G / 2) <= 1e-11);
        bench_close(&b);
    }
}

// four rows for three coordinates: both tangents hold x; the smallest forces share the load evenly
static void redundant_rows_share_the_load(void **unused)
{
    (void)unused;
    for (int i = 0; i < 5; i++) {
        bench b;
        bench_open(&b, "rocking-block", solver[i], NULL);
        memset(b.flow->rows.is_held, 1, 4);
        b.now.q[1] = 0.75;
        b.now.q[2] = 0;
        bench_must(&b, b.flow->solver->start(b.flow, &b.now));
        bench_run(&b, 1, 10);
        assert_true(fabs(b.now.la[0] - G / 2) <= 1e-10 && fabs(b.now.la[2] - G / 2) <= 1e-10);
        assert_true(fabs(b.now.la[1]) <= 1e-10 && fabs(b.now.la[3]) <= 1e-10);
        assert_true(fabs(b.now.q[0]) + fabs(b.now.q[1] - 0.75) + fabs(b.now.q[2]) <= 1e-13);
        bench_close(&b);
    }
}

// the projection moves a point only as far as its error asks
static void projection_brings_back_positions_and_velocities(void **unused)
{
    (void)unused;
    bench b;
    bench_open(&b, "slider-crank-004", "phem56", NULL);
    double position, velocity;
    b.now.q[0] += 1e-3;
    b.now.u[2] += 1e-2;
    bench_must(&b, carom_flow_project(b.flow, &b.now, true, true));
    bench_must(&b, carom_flow_drift(b.flow, &b.now, &position, &velocity));
    assert_true(position <= 1e-15 && velocity <= 1e-14);
    assert_true(fabs(b.now.q[0]) <= 2e-3 && fabs(b.now.u[0] - 8) <= 0.1);
    bench_close(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_block_slides_with_constant_acceleration),
        cmocka_unit_test(a_block_that_sticks_is_held_by_its_tangent),
        cmocka_unit_test(redundant_rows_share_the_load),
        cmocka_unit_test(projection_brings_back_positions_and_velocities)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
