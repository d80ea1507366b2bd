// SPDX-License-Identifier: Apache-2.0
// Dry friction of a given load against closed forms, in every scheme that has it: a block on a belt
// slips, sticks and is torn off; a block on a spring turns round and stops in its dead band; a
// pendulum in a pin that rubs; slips of two and three rows. The others refuse by name.
#include "physics/given_rig.h"

// ---- a block on a belt, m = k = limit = 1, belt speed 0.5 ----

static const char *const belt = "carom: 1\n"
                                "parameters: {m: 1, k: 1, v: 0.5, F: 1}\n"
                                "coordinates: {x: {}}\n"
                                "kinetic: m/2*der(x)^2\n"
                                "potential: k/2*x^2\n"
                                "friction: [{name: belt, slip_rate: der(x) - v, limit: F}]\n";

// 1 - cos t until the block has the belt's speed; with the belt until the spring pulls with the
// limit at x = 1; then 1 + sin(t - t2)/2
static double on_belt(double t)
{
    const double t1 = asin(0.5), x1 = 1 - cos(t1), t2 = t1 + (1 - x1) / 0.5;
    if (t < t1) return 1 - cos(t);
    if (t < t2) return x1 + 0.5 * (t - t1);
    return 1 + 0.5 * sin(t - t2);
}

// a transition found a step late moves the speed by h and the path by h times the time after it;
// first-order schemes add h/2 times the time
static void block_on_a_belt_follows_the_closed_form_in_every_scheme(void **state)
{
    (void)state;
    for (int k = 0; k < N_STEPPER; k++) {
        const double coarse = given_distance(belt, stepper[k], 1e-2, 6, on_belt);
        const double fine = given_distance(belt, stepper[k], 1.25e-3, 6, on_belt);
        rig_below(coarse, 6e-2);
        rig_below(fine, coarse / 5);
    }
    rig_below(given_distance(belt, "event_driven", 0.1, 6, on_belt), 2e-8);
}

// while it sticks the block has the speed of the belt, and friction balances the spring
static void block_sticks_to_the_belt_truly(void **state)
{
    const double h = 1e-3;
    (void)state;
    for (int k = 0; k < N_STEPPER; k++) {
        rig r;
        given_open(&r, belt, &(rig_plan){.scheme = stepper[k], .step = h, .end = 3});
        rig_step(&r, 600);
        for (int i = 600; i < 2200; i++) {
            rig_step(&r, 1);
            const carom_state *s = rig_state(&r);
            const double push = s->P[1] != 0 ? s->P[1] / h : s->la[1];
            const double most = s->P[0] != 0 ? s->P[0] / h : s->la[0];
            // the explicit tdg scheme leaves what the spring does in a step (see its head)
            rig_near(s->u[0], 0.5, k == 5 ? 2e-3 : 1e-13);
            rig_near(push, s->q[0], k == 5 ? 0.6 : 2e-3);
            rig_near(most, 1, 1e-12);
        }
        rig_close(&r);
    }
}

// the belt's work and what is lost on the slip, both in closed form
static void belt_and_losses_balance_the_energy(void **state)
{
    const double t1 = asin(0.5), x1 = 1 - cos(t1), t2 = t1 + (1 - x1) / 0.5;
    const double work = 0.5 * (t1 + (x1 + 1) / 2 * (t2 - t1)), lost = 0.5 * t1 - x1;
    (void)state;
    for (int k = 0; k <= N_STEPPER; k++) {
        rig r;
        const char *scheme = k < N_STEPPER ? stepper[k] : "event_driven";
        given_open(&r, belt, &(rig_plan){.scheme = scheme, .step = 1e-4, .end = t2});
        rig_run(&r);
        const carom_audit a = rig_audit(&r);
        rig_near(a.work, work, 2e-4);
        rig_near(a.friction_loss, lost, 2e-4);
        rig_near(a.impact_loss, 0, 0);
        rig_near(a.energy_error, 0, 2e-4);
        rig_close(&r);
    }
}

// ---- a block on a spring over rough ground: m = k = 1, limit 1, from 7.3 ----

static const char *const rough = "carom: 1\n"
                                 "coordinates: {x: {start: 7.3}}\n"
                                 "kinetic: 1/2*der(x)^2\n"
                                 "potential: 1/2*x^2\n"
                                 "friction: [{name: ground, slip: x, limit: 1}]\n";

// half swings about +1 and -1 in turn; each ends 2 nearer: 7.3, -5.3, 3.3, -1.3, stops at -0.7
static double over_ground(double t)
{
    double from = 7.3, side = 1;
    while (t > acos(-1) && fabs(from) > 1) {
        from = 2 * side - from;
        side = -side;
        t -= acos(-1);
    }
    return fabs(from) <= 1 ? from : side + (from - side) * cos(t);
}

static void block_on_a_spring_turns_and_stops_in_its_dead_band(void **state)
{
    (void)state;
    rig_near(over_ground(20), -0.7, 1e-14);
    for (int k = 0; k < N_STEPPER; k++) {
        const double coarse = given_distance(rough, stepper[k], 1e-2, 16, over_ground);
        const double fine = given_distance(rough, stepper[k], 1.25e-3, 16, over_ground);
        rig_below(coarse, 0.3);
        rig_below(fine, coarse / 5);
    }
    rig_below(given_distance(rough, "event_driven", 0.1, 16, over_ground), 1e-7);
}

// once stopped it does not creep; with tdg_velocity_explicit it does (see its head)
static void what_has_stopped_stays(void **state)
{
    (void)state;
    for (int k = 0; k <= N_STEPPER; k++) {
        rig r;
        const char *scheme = k < N_STEPPER ? stepper[k] : "event_driven";
        if (strcmp(scheme, "tdg_velocity_explicit") == 0) continue;
        given_open(&r, rough, &(rig_plan){.scheme = scheme, .step = 1e-2, .end = 40});
        while (given_t(&r) < 16) rig_step(&r, 1);
        const double stopped = rig_state(&r)->q[0];
        while (given_t(&r) < 39.99) rig_step(&r, 1);
        rig_near(rig_state(&r)->q[0], stopped, 1e-12);
        rig_close(&r);
    }
}

// events are found on the dense output of each solver; gen_alpha has no such forces
static void smooth_solvers_of_event_driven_agree(void **state)
{
    static const char *const solver[] = {"phem56", "hem5", "rkf45"};
    (void)state;
    for (int k = 0; k < 3; k++) {
        const carom_setting setting = {rig_text("smooth"), rig_text(solver[k])};
        rig r;
        given_open(&r, rough,
                   &(rig_plan){.scheme = "event_driven",
                               .step = 1,
                               .end = 16,
                               .setting = &setting,
                               .n_setting = 1});
        while (given_t(&r) < 15.99) {
            rig_step(&r, 1);
            rig_near(rig_state(&r)->q[0], over_ground(given_t(&r)), 2e-6);
        }
        rig_below(rig_audit(&r).energy_error, 1e-6);
        // few steps: where an event is looked for in vain the step is cut
        rig_below((double)carom_sim_counts(r.sim).steps, 4000);
        rig_close(&r);
    }
}

// ---- a pendulum whose pin holds a torque, carried by its angle ----

static const char *const pendulum = "carom: 1\n"
                                    "space: plane\n"
                                    "gravity: [0, -10]\n"
                                    "bodies:\n"
                                    "  rod: {mass: 1, inertia: 0.5, points: {tip: [0, -0.5]},\n"
                                    "        on: {revolute: ground, at: [0, 0], origin: [0, 0.5],\n"
                                    "             start: 1.2}}\n"
                                    "force elements:\n"
                                    "  rub: {dry_friction: rod, torque: 0.8}\n";

// each half swing loses torque times the angle: m g l (cos b - cos a) = torque |a - b|
static double next_turn(double a)
{
    double low = -fabs(a), high = 0;
    for (int i = 0; i < 200; i++) {
        const double b = 0.5 * (low + high);
        // energy that is left at -|b|
        *(5 * (cos(b) - cos(a)) - 0.8 * (fabs(a) - b) > 0 ? &high : &low) = b;
    }
    return a > 0 ? low : -low;
}

static double where_the_pendulum_stops(void)
{
    double a = 1.2;
    while (5 * fabs(sin(a)) > 0.8) a = next_turn(a);
    return a;
}

static void a_pin_that_rubs_stops_its_pendulum_in_the_dead_band(void **state)
{
    const double stop = where_the_pendulum_stops();
    (void)state;
    rig_below(fabs(stop), asin(0.8 / 5));
    for (int k = 0; k <= N_STEPPER; k++) {
        rig r;
        const bool has_events = k == N_STEPPER;
        given_open(&r, pendulum,
                   &(rig_plan){.scheme = has_events ? "event_driven" : stepper[k],
                               .step = 1e-3,
                               .end = 12});
        rig_run(&r);
        const bool is_first_order = k == 1 || k == 5 || k == 8;
        rig_near(rig_state(&r)->q[0], stop, has_events ? 1e-7 : is_first_order ? 1e-2 : 1e-4);
        rig_below(fabs(rig_state(&r)->u[0]), k == 5 ? 1e-2 : 1e-12);
        rig_close(&r);
    }
}

// ---- slips of several rows: the path is straight, v^2/(2 a) long ----

static const char *const space = "carom: 1\n"
                                 "coordinates: {x: {rate: 1}, y: {rate: 2}, z: {rate: -2}}\n"
                                 "kinetic: 2/2*(der(x)^2 + der(y)^2 + der(z)^2)\n"
                                 "friction: [{name: jelly, slip: [x, y, z], limit: 3}]\n";

static void three_slips_oppose_the_motion_as_one(void **state)
{
    (void)state;
    for (int k = 0; k < N_STEPPER; k++) {
        rig r;
        given_open(&r, space, &(rig_plan){.scheme = stepper[k], .step = 1e-3, .end = 3});
        rig_run(&r);
        for (int i = 0; i < 3; i++) {
            const double part = i == 0 ? 1. / 3 : i == 1 ? 2. / 3 : -2. / 3;
            rig_near(rig_state(&r)->q[i], part * 3 * 3 / (2 * 1.5), 2e-3);
            rig_near(rig_state(&r)->u[i], 0, 1e-12);
        }
        rig_close(&r);
    }
}

static const char *const table = "carom: 1\n"
                                 "space: plane\n"
                                 "bodies: {puck: {mass: 2, inertia: 1, velocity: [3, -4]}}\n"
                                 "force elements:\n"
                                 "  rub: {dry_friction: [ground, puck], at: [0, 0], load: 20,\n"
                                 "        coefficient: 0.25}\n";

static void a_puck_on_a_table_slides_straight_and_stops(void **state)
{
    (void)state;
    for (int k = 0; k <= N_STEPPER; k++) {
        rig r;
        const bool has_events = k == N_STEPPER;
        given_open(&r, table,
                   &(rig_plan){
                       .scheme = has_events ? "event_driven" : stepper[k], .step = 1e-3, .end = 3});
        rig_run(&r);
        rig_near(rig_state(&r)->q[0], 3, has_events ? 1e-8 : 5e-3);
        rig_near(rig_state(&r)->q[1], -4, has_events ? 1e-8 : 5e-3);
        rig_near(rig_state(&r)->u[0], 0, 1e-9);
        rig_close(&r);
    }
}

// with a normal only the tangent rubs: the other way the motion is free
static void a_normal_leaves_its_own_direction_free(void **state)
{
    static const char *const text = "carom: 1\n"
                                    "space: plane\n"
                                    "bodies: {puck: {mass: 2, inertia: 1, velocity: [3, -4]}}\n"
                                    "force elements:\n"
                                    "  rub: {dry_friction: [ground, puck], at: [0, 0],\n"
                                    "        normal: [0, 5], load: 20, coefficient: 0.25}\n";
    rig r;
    (void)state;
    given_open(&r, text, &(rig_plan){.scheme = "event_driven", .step = 0.1, .end = 3});
    rig_run(&r);
    rig_near(rig_state(&r)->q[0], 9 / (2 * 2.5), 1e-8);
    rig_near(rig_state(&r)->u[1], -4, 1e-12);
    rig_close(&r);
}

// ---- a limit that changes, beside contacts that hit ----

static const char *const ball = "carom: 1\n"
                                "coordinates: {x: {rate: 2}, y: {start: 1}}\n"
                                "kinetic: 1/2*(der(x)^2 + der(y)^2) + 1/4*der(x)*der(y)\n"
                                "potential: 9.81*y\n"
                                "contacts: [{name: floor, gap: y - 0.1*x, restitution: 0.5}]\n"
                                "friction:\n"
                                "  - {name: air, slip_rate: der(x) - 0.3*t, limit: 1 + t + x^2}\n";

static void impacts_leave_given_forces_alone(void **state)
{
    rig exact;
    (void)state;
    given_open(&exact, ball, &(rig_plan){.scheme = "event_driven", .step = 0.05, .end = 0.9});
    rig_run(&exact);
    for (int k = 0; k < N_STEPPER; k++) {
        rig r;
        given_open(&r, ball, &(rig_plan){.scheme = stepper[k], .step = 2e-5, .end = 0.9});
        rig_run(&r);
        rig_near(rig_state(&r)->q[0], rig_state(&exact)->q[0], 1e-3);
        rig_near(rig_state(&r)->u[0], rig_state(&exact)->u[0], 1e-3);
        rig_close(&r);
    }
    rig_close(&exact);
}

static void a_limit_that_turns_negative_is_named(void **state)
{
    static const char *const text = "carom: 1\n"
                                    "coordinates: {x: {rate: 9}}\n"
                                    "kinetic: 1/2*der(x)^2\n"
                                    "friction: [{name: belt, slip: x, limit: 1 - t}]\n";
    rig r;
    carom_status status = CAROM_OK;
    (void)state;
    given_open(&r, text, &(rig_plan){.scheme = "moreau_midpoint", .step = 0.1, .end = 2});
    while (status == CAROM_OK && given_t(&r) < 2) status = carom_sim_step(r.sim, &r.error);
    assert_int_equal(status, CAROM_NOT_FINITE);
    assert_non_null(strstr(r.error.message, "the limit of friction 'belt' is -0.05"));
    rig_near(given_t(&r), 1, 1e-12);
    rig_close(&r);
}

static void other_schemes_refuse_by_name(void **state)
{
    static const char *const other[] = {
        "schatzman_paoli", "tdg_acceleration", "ggl_decoupled", "ggl_unified_printed",
        "ggl_unified",     "ggl_reference",    "hem5",          "phem56",
        "rkf45",           "gen_alpha",        "mexx",          "event_capturing"};
    (void)state;
    for (size_t k = 0; k < sizeof other / sizeof *other; k++) {
        rig r;
        assert_int_equal(given_refused(&r, belt, other[k]), CAROM_BAD_INPUT);
        assert_non_null(strstr(r.error.message, other[k]));
        assert_non_null(strstr(r.error.message, "no forces of limited strength such as 'belt'"));
        rig_close(&r);
    }
    rig r;
    assert_int_equal(given_refused(&r, space, "event_driven"), CAROM_BAD_INPUT);
    assert_non_null(strstr(r.error.message, "'jelly': event_driven has no friction of three"));
    rig_close(&r);
    assert_int_equal(carom_scheme_count(), N_STEPPER + 1 + (int)(sizeof other / sizeof *other));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(block_on_a_belt_follows_the_closed_form_in_every_scheme),
        cmocka_unit_test(block_sticks_to_the_belt_truly),
        cmocka_unit_test(belt_and_losses_balance_the_energy),
        cmocka_unit_test(block_on_a_spring_turns_and_stops_in_its_dead_band),
        cmocka_unit_test(what_has_stopped_stays),
        cmocka_unit_test(smooth_solvers_of_event_driven_agree),
        cmocka_unit_test(a_pin_that_rubs_stops_its_pendulum_in_the_dead_band),
        cmocka_unit_test(three_slips_oppose_the_motion_as_one),
        cmocka_unit_test(a_puck_on_a_table_slides_straight_and_stops),
        cmocka_unit_test(a_normal_leaves_its_own_direction_free),
        cmocka_unit_test(impacts_leave_given_forces_alone),
        cmocka_unit_test(a_limit_that_turns_negative_is_named),
        cmocka_unit_test(other_schemes_refuse_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
