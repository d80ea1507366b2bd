// SPDX-License-Identifier: Apache-2.0
// Small impacting systems against closed forms and conservation laws: oscillator with a stop, chain
// of balls, ball on a moving plane, ball in a box, rocking block, point mass in a ring, pendulum.
#include "physics/rig.h"

// Impacts at pi/2 + k pi with speed e^k: the stop is at the rest position, so that every flight
// lasts half a period.
static void oscillator_hits_the_stop_every_half_period(void **state)
{
    const double h = 5e-4, pi = acos(-1);
    rig r;
    (void)state;
    rig_open(&r, &(rig_plan){.model = "oscillator-with-stop",
                             .scheme = "moreau_midpoint",
                             .step = h,
                             .end = 12});
    rig_run(&r);
    assert_int_equal(r.n_impact, 4);
    for (int k = 0; k < 4; k++) {
        // each impact is found at most one step late, and none early by more
        rig_near(r.impact[k].t, pi / 2 + k * pi, 2 * h * (k + 1));
        rig_near(r.impact[k].before, -pow(0.8, k), 2 * h * (k + 1));
        rig_near(r.impact[k].after, -0.8 * r.impact[k].before, 1e-14);
    }
    rig_near(rig_audit(&r).energy_end, 0.5 * pow(0.8, 8), 10 * h);
    rig_close(&r);
}

// Newton's law with e = 1 at both contacts at once: (1, 0, 0) -> (-1/3, 2/3, 2/3).
static void touching_balls_keep_momentum_and_energy_in_one_step(void **state)
{
    rig r;
    (void)state;
    rig_open(&r,
             &(rig_plan){
                 .model = "chain-of-balls", .scheme = "moreau_midpoint", .step = 1e-3, .end = 1});
    rig_step(&r, 1);
    const double *u = rig_state(&r)->u;
    rig_near(u[0], -1.0 / 3, 1e-15);
    rig_near(u[1], 2.0 / 3, 1e-15);
    rig_near(u[2], 2.0 / 3, 1e-15);
    rig_near(u[0] + u[1] + u[2], 1, 4e-16);
    rig_near(rig_audit(&r).energy_end, 0.5, 4e-16);
    rig_near(rig_audit(&r).impact_loss, 0, 4e-16);
    rig_close(&r);
}

// A long chain: the contacts form one tridiagonal problem; both sums are kept.
static void fifty_touching_balls_keep_momentum_and_energy(void **state)
{
    const char *const change[] = {"n=50", NULL};
    double momentum = 0, energy = 0;
    rig r;
    (void)state;
    rig_open(&r, &(rig_plan){.model = "chain-of-balls",
                             .scheme = "moreau_midpoint",
                             .step = 1e-3,
                             .end = 1,
                             .change = change});
    rig_step(&r, 1);
    for (int i = 0; i < 50; i++) {
        momentum += rig_state(&r)->u[i];
        energy += 0.5 * rig_state(&r)->u[i] * rig_state(&r)->u[i];
    }
    rig_near(momentum, 1, 1e-13);
    rig_near(energy, 0.5, 1e-13);
    rig_close(&r);
}

static void separated_balls_pass_the_motion_on(void **state)
{
    const char *const change[] = {"separation=0.01", NULL};
    rig r;
    (void)state;
    rig_open(&r, &(rig_plan){.model = "chain-of-balls",
                             .scheme = "moreau_midpoint",
                             .step = 1e-3,
                             .end = 0.1,
                             .change = change});
    rig_run(&r);
    rig_near(rig_state(&r)->u[0], 0, 1e-15);
    rig_near(rig_state(&r)->u[1], 0, 1e-15);
    rig_near(rig_state(&r)->u[2], 1, 1e-15);
    assert_int_equal(r.n_impact, 2);
    rig_close(&r);
}

static void plastic_chain_moves_on_as_one(void **state)
{
    const char *const change[] = {"e=0", NULL};
    rig r;
    (void)state;
    rig_open(&r, &(rig_plan){.model = "chain-of-balls",
                             .scheme = "moreau_midpoint",
                             .step = 1e-3,
                             .end = 1,
                             .change = change});
    rig_run(&r);
    for (int i = 0; i < 3; i++) rig_near(rig_state(&r)->u[i], 1.0 / 3, 1e-15);
    rig_near(rig_audit(&r).impact_loss, 0.5 - 1.0 / 6, 1e-14);
    rig_close(&r);
}

// A plane that shakes more gently than gravity carries a ball with e = 0, which starts 1 mm inside
// so that the contact is active in every step. The speed is the plane's at the middle of the step,
// to rounding, and the impulse carries weight and acceleration. The path lags by half a step: the
// gap moves by -h/2 times the change of the plane's speed.
static void gently_moving_plane_carries_the_ball(void **state)
{
    const char *const change[] = {"e=0", "frequency=2", "start y=-1e-3",
                                  "start der(y)=amplitude*2*pi*frequency", NULL};
    const double h = 1e-3, w = 4 * acos(-1), a = 0.02;
    rig r;
    (void)state;
    rig_open(&r, &(rig_plan){.model = "ball-on-moving-plane",
                             .scheme = "moreau_midpoint",
                             .step = h,
                             .end = 2,
                             .change = change,
                             .allow_penetration = true});
    for (int i = 0; i < 2000; i++) {
        rig_step(&r, 1);
        const double t = (i + 1) * h, gap = rig_state(&r)->q[0] - a * sin(w * t);
        rig_near(rig_state(&r)->u[0], a * w * cos(w * (i + 0.5) * h), 1e-13);
        if (i > 0)
            rig_near(rig_state(&r)->P[0], 9.81 * h - 2 * a * w * sin(w * i * h) * sin(w * h / 2),
                     1e-13);
        rig_near(gap, -1e-3 - h / 2 * a * w * (cos(w * t) - 1), a * w * w * h * h);
    }
    rig_close(&r);
}

// First impact of the shaken ball: the gap rate is reversed, the plane's own speed included.
static void ball_leaves_a_moving_plane_by_the_relative_rate(void **state)
{
    const double h = 1e-5;
    double lo = 0.1, hi = 0.2;
    const double w = 10 * acos(-1);
    rig r;
    (void)state;
    // root of 0.1 - g t^2/2 - 0.02 sin(w t)
    for (int i = 0; i < 60; i++) {
        const double t = 0.5 * (lo + hi);
        if (0.1 - 9.81 / 2 * t * t - 0.02 * sin(w * t) > 0)
            lo = t;
        else
            hi = t;
    }
    const double before = -9.81 * lo - 0.02 * w * cos(w * lo);
    rig_open(&r, &(rig_plan){.model = "ball-on-moving-plane",
                             .scheme = "moreau_midpoint",
                             .step = h,
                             .end = 0.2});
    rig_run(&r);
    assert_true(r.n_impact >= 1);
    rig_near(r.impact[0].t, lo, 2 * h);
    rig_near(r.impact[0].before, before, 2 * h * (9.81 + 0.02 * w * w));
    rig_near(r.impact[0].after, -0.5 * r.impact[0].before, 1e-14);
    rig_near(rig_audit(&r).energy_error, 0, 100 * h);
    rig_close(&r);
}

static void ball_in_box_rests_in_the_lower_left_corner(void **state)
{
    const double h = 1e-4;
    rig r;
    int first_wall = -1, first_floor = -1;
    (void)state;
    rig_open(&r,
             &(rig_plan){.model = "ball-in-box", .scheme = "moreau_midpoint", .step = h, .end = 5});
    rig_run(&r);
    for (int i = r.n_impact - 1; i >= 0; i--) {
        if (r.impact[i].contact == 3) first_wall = i;
        if (r.impact[i].contact == 0) first_floor = i;
    }
    assert_true(first_wall >= 0 && first_floor >= 0);
    rig_near(r.impact[first_wall].t, 0.485193728, 2 * h);
    rig_near(r.impact[first_floor].t, 0.638550857, 2 * h);
    // penetration is at most one step at the arrival speed sqrt(2 g) and rests there
    rig_near(rig_state(&r)->q[0], 1, 5 * h);
    rig_near(rig_state(&r)->q[1], 1, 5 * h);
    rig_below(fabs(rig_state(&r)->u[0]), 1e-14);
    rig_below(fabs(rig_state(&r)->u[1]), 1e-14);
    rig_close(&r);
}

// Energy may not rise: beyond rounding in free flight (constant forces are integrated exactly) and
// O(h) in contact.
static double largest_rise(rig *r, long n)
{
    double rise = 0, before = rig_audit(r).energy_end;
    for (long i = 0; i < n; i++) {
        rig_step(r, 1);
        const double after = rig_audit(r).energy_end;
        rise = fmax(rise, after - before);
        before = after;
    }
    return rise;
}

static void rocking_block_loses_energy_and_stands(void **state)
{
    const double h = 5e-4;
    rig r;
    (void)state;
    rig_open(&r, &(rig_plan){
                     .model = "rocking-block", .scheme = "moreau_midpoint", .step = h, .end = 4});
    rig_below(largest_rise(&r, lround(4 / h)), 9.81 * h);
    const carom_audit audit = rig_audit(&r);
    // penetration: one step at the speed of arrival, below 5 m/s
    rig_below(-audit.min_gap, 5 * h);
    rig_near(rig_state(&r)->q[0], 0, 1e-12);
    rig_near(rig_state(&r)->q[1], 0.75, 5 * h);
    rig_near(rig_state(&r)->q[2], 0, 5 * h);
    rig_below(fabs(rig_state(&r)->u[1]), 1e-12);
    rig_below(fabs(rig_state(&r)->u[2]), 1e-12);
    rig_close(&r);
}

// Held by the ring, the mass swings like a pendulum of length R: the motion agrees with the
// bilateral model.
static void ring_guides_the_mass_like_a_pendulum(void **state)
{
    const double h = 5e-4;
    const char *const change[] = {"angle=deg(60)", NULL};
    rig ring, rod;
    (void)state;
    rig_open(
        &ring,
        &(rig_plan){.model = "pendulum-in-ring", .scheme = "moreau_midpoint", .step = h, .end = 2});
    rig_open(&rod, &(rig_plan){.model = "pendulum",
                               .scheme = "moreau_midpoint",
                               .step = h,
                               .end = 2,
                               .change = change});
    for (int i = 0; i < 4000; i++) {
        rig_step(&ring, 1);
        rig_step(&rod, 1);
        rig_near(rig_state(&ring)->q[0], rig_state(&rod)->q[0], 10 * h);
        rig_near(rig_state(&ring)->q[1], rig_state(&rod)->q[1], 10 * h);
    }
    rig_below(-rig_audit(&ring).min_gap, 10 * h);
    rig_close(&ring);
    rig_close(&rod);
}

static void mass_thrown_in_the_ring_never_gains_energy(void **state)
{
    const char *const change[] = {"e=0.5", "start x=0.3", "start y=0.2", "start der(x)=1", NULL};
    const double h = 1e-3;
    rig r;
    (void)state;
    rig_open(&r, &(rig_plan){.model = "pendulum-in-ring",
                             .scheme = "moreau_midpoint",
                             .step = h,
                             .end = 5,
                             .change = change});
    rig_below(largest_rise(&r, 5000), 9.81 * h);
    rig_below(-rig_audit(&r).min_gap, 10 * h);
    rig_close(&r);
}

static double pendulum_drift(const char *scheme, double h)
{
    rig r;
    rig_open(&r, &(rig_plan){.model = "pendulum", .scheme = scheme, .step = h, .end = 2});
    rig_run(&r);
    const double drift = rig_audit(&r).max_drift;
    rig_close(&r);
    return drift;
}

// Constraints on velocity level drift by O(h): half the step, half the drift.
static void pendulum_drifts_in_proportion_to_the_step(void **state)
{
    const char *const scheme[] = {"moreau_midpoint", "moreau_jean_explicit", "moreau_jean"};
    (void)state;
    for (int k = 0; k < 3; k++) {
        const double coarse = pendulum_drift(scheme[k], 1e-3),
                     fine = pendulum_drift(scheme[k], 5e-4);
        rig_below(coarse, 0.1);
        rig_below(fine, 0.55 * coarse);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(oscillator_hits_the_stop_every_half_period),
        cmocka_unit_test(touching_balls_keep_momentum_and_energy_in_one_step),
        cmocka_unit_test(fifty_touching_balls_keep_momentum_and_energy),
        cmocka_unit_test(separated_balls_pass_the_motion_on),
        cmocka_unit_test(plastic_chain_moves_on_as_one),
        cmocka_unit_test(gently_moving_plane_carries_the_ball),
        cmocka_unit_test(ball_leaves_a_moving_plane_by_the_relative_rate),
        cmocka_unit_test(ball_in_box_rests_in_the_lower_left_corner),
        cmocka_unit_test(rocking_block_loses_energy_and_stands),
        cmocka_unit_test(ring_guides_the_mass_like_a_pendulum),
        cmocka_unit_test(mass_thrown_in_the_ring_never_gains_energy),
        cmocka_unit_test(pendulum_drifts_in_proportion_to_the_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
