// SPDX-License-Identifier: Apache-2.0
// Dry friction against closed forms: a block on an incline sticks without creeping or slides with g
// (sin - mu cos); a block on a belt slips, sticks and slips again; Painleve's rod jams with an
// impulse of 0.30 N s.
#include "physics/rig.h"

static const char *const all_schemes[] = {"moreau_midpoint", "moreau_jean_explicit", "moreau_jean"};

static void sticking_block_creeps_less_than_1e_13_m(void **state)
{
    (void)state;
    for (int k = 0; k < 3; k++) {
        rig r;
        rig_open(&r, &(rig_plan){.model = "block-on-incline",
                                 .scheme = all_schemes[k],
                                 .step = 1e-3,
                                 .end = 10});
        rig_run(&r);
        rig_below(fabs(rig_state(&r)->q[0]), 1e-13);
        rig_below(fabs(rig_state(&r)->q[1]), 1e-13);
        rig_below(fabs(rig_state(&r)->u[0]), 1e-14);
        rig_close(&r);
    }
}

// The acceleration is constant, so that u is exact to rounding in every scheme: 1000 additions of
// about 1e-3.
static void sliding_block_has_the_exact_acceleration(void **state)
{
    const char *const change[] = {"mu=0.3", NULL};
    const double a = 9.81 * (0.5 - 0.3 * sqrt(0.75));
    (void)state;
    for (int k = 0; k < 3; k++) {
        rig r;
        rig_open(&r, &(rig_plan){.model = "block-on-incline",
                                 .scheme = all_schemes[k],
                                 .step = 1e-3,
                                 .end = 1,
                                 .change = change});
        rig_run(&r);
        rig_near(rig_state(&r)->u[0], a, 1e-12);
        // explicit Moreau-Jean moves with the old velocity: a h t/2 behind
        rig_near(rig_state(&r)->q[0], 0.5 * a - (k == 1 ? 0.5 * a * 1e-3 : 0), 1e-12);
        rig_below(fabs(rig_state(&r)->q[1]), 1e-13);
        rig_close(&r);
    }
}

// Pushed up the slope it stops after v/(g (sin + mu cos)) and then stays.
static void block_pushed_uphill_stops_and_sticks(void **state)
{
    const char *const change[] = {"v0=-1", NULL};
    const double h = 1e-4, a = 9.81 * (0.5 + 0.6 * sqrt(0.75));
    rig r;
    (void)state;
    rig_open(&r, &(rig_plan){.model = "block-on-incline",
                             .scheme = "moreau_midpoint",
                             .step = h,
                             .end = 1,
                             .change = change});
    rig_step(&r, 1010);
    const double stopped = rig_state(&r)->q[0];
    // the last sliding step ends within it: off by at most a h^2/2
    rig_near(stopped, -0.5 / a, 0.5 * a * h * h);
    rig_step(&r, 8990);
    rig_near(rig_state(&r)->q[0], stopped, 1e-13);
    rig_close(&r);
}

// x = 1 - cos t until the block has the belt's speed at t = pi/6; then with the belt until the
// spring pulls with the friction limit at x = 1; then x = 1 + sin(t - t2)/2.
static double belt_closed_form(double t)
{
    const double t1 = asin(0.5), x1 = 1 - cos(t1), t2 = t1 + (1 - x1) / 0.5;
    if (t < t1) return 1 - cos(t);
    if (t < t2) return x1 + 0.5 * (t - t1);
    return 1 + 0.5 * sin(t - t2);
}

static double belt_distance(const char *scheme, double h)
{
    rig r;
    double far = 0;
    rig_open(&r, &(rig_plan){.model = "block-on-belt", .scheme = scheme, .step = h, .end = 6});
    for (long i = 1; i <= lround(6 / h); i++) {
        rig_step(&r, 1);
        far = fmax(far, fabs(rig_state(&r)->q[0] - belt_closed_form((double)i * h)));
    }
    rig_close(&r);
    return far;
}

// Accelerations are at most 1 m/s2: a transition found one step late moves the speed by h and the
// path by h times the time that follows. First-order schemes add h/2 times the time. Together below
// 6 h over 6 s.
static void block_on_belt_follows_the_closed_form_to_first_order(void **state)
{
    (void)state;
    for (int k = 0; k < 3; k++) {
        rig_below(belt_distance(all_schemes[k], 1e-2), 6 * 1e-2);
        rig_below(belt_distance(all_schemes[k], 1e-3), 6 * 1e-3);
    }
}

// While it sticks the block has the speed of the belt to rounding.
static void block_sticks_to_the_belt_exactly(void **state)
{
    rig r;
    (void)state;
    rig_open(
        &r,
        &(rig_plan){.model = "block-on-belt", .scheme = "moreau_midpoint", .step = 1e-3, .end = 3});
    rig_step(&r, 600);
    for (int i = 600; i < 2200; i++) {
        rig_step(&r, 1);
        rig_near(rig_state(&r)->u[0], 0.5, 1e-14);
        rig_near(rig_state(&r)->P[1], 1e-3 * rig_state(&r)->q[0], 1e-6);
    }
    rig_close(&r);
}

// The belt brings energy in: work = speed * integral of the friction force, with the audit's
// balance closed.
static void belt_work_is_in_the_energy_balance(void **state)
{
    const double t1 = asin(0.5), x1 = 1 - cos(t1), t2 = t1 + (1 - x1) / 0.5;
    // friction force 1 while slipping, k x while sticking; loss = relative slip * force
    const double work = 0.5 * (t1 + (x1 + 1) / 2 * (t2 - t1)), lost = 0.5 * t1 - x1;
    const double h = 1e-4;
    rig r;
    (void)state;
    rig_open(&r, &(rig_plan){
                     .model = "block-on-belt", .scheme = "moreau_midpoint", .step = h, .end = 2.2});
    rig_run(&r);
    const carom_audit audit = rig_audit(&r);
    const double rest = 0.5 * (x1 + 0.5 * (2.2 - t1) + 1) / 2 * (t2 - 2.2);
    rig_near(audit.work, work - rest, 10 * h);
    rig_near(audit.friction_loss, lost, 10 * h);
    rig_near(audit.energy_error, 0, 10 * h);
    rig_close(&r);
}

// Normal stopped and slip stopped at once: [1.6 -1.2; -1.2 3.4] P = (0, 1) gives P = (0.3, 0.4);
// gravity adds O(h).
static void painleve_rod_jams_with_a_finite_impulse(void **state)
{
    const double h[3] = {1e-3, 1e-4, 1e-5};
    (void)state;
    for (int k = 0; k < 3; k++) {
        rig r;
        rig_open(&r,
                 &(rig_plan){
                     .model = "painleve-rod", .scheme = "moreau_midpoint", .step = h[k], .end = 1});
        rig_step(&r, 1);
        const double *P = rig_state(&r)->P, *u = rig_state(&r)->u, *q = rig_state(&r)->q;
        rig_near(P[0], 0.30, 10 * h[k]);
        rig_near(P[1], 0.40, 10 * h[k]);
        // the tip stands: normal and tangential rates of the half-step's rows, u is of order 1
        rig_near(u[0] + sin(q[2]) * u[2], 0, 2 * h[k]);
        rig_near(u[1] - cos(q[2]) * u[2], 0, 2 * h[k]);
        rig_close(&r);
    }
}

static void painleve_rod_slides_on_forward_without_a_jam(void **state)
{
    const char *const change[] = {"v0=1", NULL};
    const double h = 1e-4;
    rig r;
    (void)state;
    rig_open(&r, &(rig_plan){.model = "painleve-rod",
                             .scheme = "moreau_midpoint",
                             .step = h,
                             .end = 1,
                             .change = change});
    rig_step(&r, 1);
    // sliding forward: (1.6 + 1.2 mu) P_N = g h
    rig_near(rig_state(&r)->P[0], 9.81 * h / (1.6 + 1.2 * 2), 100 * h * h);
    rig_near(rig_state(&r)->P[1], -2 * rig_state(&r)->P[0], 1e-16);
    rig_close(&r);
}

// forces that stop the slip within one step do the work of the impulse; the balance closes as fast
// as the scheme converges
static void work_of_forces_that_stop_a_slip_is_booked(void **state)
{
    static const char *const scheme[] = {"tdg_velocity", "tdg_velocity_adaptive"};
    (void)state;
    for (int k = 0; k < 2; k++) {
        rig r;
        rig_open(&r, &(rig_plan){
                         .model = "painleve-rod", .scheme = scheme[k], .step = 1e-4, .end = 0.2});
        rig_run(&r);
        const carom_audit audit = rig_audit(&r);
        rig_near(audit.friction_loss, 0.2, 1e-3);
        rig_below(fabs(audit.energy_error), 1e-4);
        rig_close(&r);
        // on the belt it is of second order: 1.5e-8 J at 1 ms
        rig_open(
            &r, &(rig_plan){.model = "block-on-belt", .scheme = scheme[k], .step = 1e-3, .end = 1});
        rig_run(&r);
        rig_below(fabs(rig_audit(&r).energy_error), 1e-7);
        rig_close(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sticking_block_creeps_less_than_1e_13_m),
        cmocka_unit_test(sliding_block_has_the_exact_acceleration),
        cmocka_unit_test(block_pushed_uphill_stops_and_sticks),
        cmocka_unit_test(block_on_belt_follows_the_closed_form_to_first_order),
        cmocka_unit_test(block_sticks_to_the_belt_exactly),
        cmocka_unit_test(belt_work_is_in_the_energy_balance),
        cmocka_unit_test(painleve_rod_jams_with_a_finite_impulse),
        cmocka_unit_test(painleve_rod_slides_on_forward_without_a_jam),
        cmocka_unit_test(work_of_forces_that_stop_a_slip_is_booked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
