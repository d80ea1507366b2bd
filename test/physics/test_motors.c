// SPDX-License-Identifier: Apache-2.0
// Motors with a speed, with and without a limit; constraints of rates alone; friction of pins and
// slides under what their joints hold. All against closed forms, in every scheme that has them.
#include "physics/given_rig.h"

// ---- a wheel, J = 0.5, with a drive of speed 10 and torque 2, under a load ----

static const char *const drive = "carom: 1\n"
                                 "space: plane\n"
                                 "bodies: {wheel: {mass: 1, inertia: 0.5}}\n"
                                 "joints: {pin: {revolute: [ground, wheel], at: [0, 0]}}\n"
                                 "motors: {drive: {on: pin, speed: 10, torque: 2}}\n"
                                 "force elements:\n"
                                 "  brake: {torsion: pin, torque: \"if(t < 4.0005, -0.7, -3)\"}\n";

// the velocity of the variational scheme is that of the step's middle
static bool lags(int k)
{
    return k < N_STEPPER && strcmp(stepper[k], "variational") == 0;
}

// spins up with (2 - 0.7)/0.5 to 10 at 3.846 s, holds it, gives way with (2 - 3)/0.5
static void a_limited_motor_spins_up_holds_and_gives_way(void **state)
{
    (void)state;
    for (int k = 0; k <= N_STEPPER; k++) {
        const double h = 1e-3;
        rig r;
        given_open(&r, drive,
                   &(rig_plan){
                       .scheme = k < N_STEPPER ? stepper[k] : "event_driven", .step = h, .end = 6});
        while (given_t(&r) < 2) rig_step(&r, 1);
        rig_near(rig_state(&r)->u[2], 2.6 * given_t(&r), lags(k) ? 1e-3 : 1e-9);
        while (given_t(&r) < 3.99) rig_step(&r, 1);
        const carom_state *s = rig_state(&r);
        const double torque = s->P[3] != 0 ? s->P[3] / h : s->la[3];
        const bool creeps = k < N_STEPPER && strcmp(stepper[k], "tdg_velocity_explicit") == 0;
        rig_near(s->u[2], 10, creeps ? 2e-3 : 1e-9);
        rig_near(torque, 0.7, creeps ? 3 : 1e-9);
        while (given_t(&r) < 6 - 0.5 * h) rig_step(&r, 1);
        rig_near(rig_state(&r)->u[2], 10 - 2 * (given_t(&r) - 4.0005), 5e-3);
        assert_int_equal(carom_sim_counts(r.sim).unconverged, 0);
        rig_close(&r);
    }
}

// two driven wheels of parts/mechanisms.yaml under a body: (M + 2 J/r^2) a = 2 T/r, then the speed
static void driven_wheels_move_a_cart(void **state)
{
    static const char *const text =
        "carom: 1\n"
        "include: [carom:mechanisms.yaml]\n"
        "space: plane\n"
        "gravity: [0, -9.81]\n"
        "parameters: {r: 0.1, v: 2, T: 0.3}\n"
        "bodies: {body: {mass: 8, inertia: 0.2, at: [0, 0.2]}}\n"
        "use:\n"
        "  rear: {driven_wheel: {beam: body, at: [-0.3, r], radius: r, speed: v, torque: T}}\n"
        "  front: {driven_wheel: {beam: body, at: [0.3, r], radius: r, speed: v, torque: T}}\n";
    static const char *const scheme[] = {"moreau_midpoint", "event_driven"};
    (void)state;
    for (int k = 0; k < 2; k++) {
        rig r;
        given_open(&r, text, &(rig_plan){.scheme = scheme[k], .step = 1e-3, .end = 4.5});
        while (given_t(&r) < 2) rig_step(&r, 1);
        rig_near(rig_state(&r)->u[0], 2 * 0.3 / 0.1 / (10 + 1) * given_t(&r), 1e-9);
        while (given_t(&r) < 4.4) rig_step(&r, 1);
        rig_near(rig_state(&r)->u[0], 2, 1e-9);
        rig_near(rig_state(&r)->u[5], -20, 1e-8);
        rig_close(&r);
    }
}

// ---- constraints of rates alone ----

static const char *const pulled = "carom: 1\n"
                                  "parameters: {m: 2, k: 50, v: 0.1}\n"
                                  "coordinates: {x: {rate: v}}\n"
                                  "kinetic: m/2*der(x)^2\n"
                                  "potential: k/2*x^2\n"
                                  "constraints: [{name: belt, rate: der(x) - v*(1 + t)}]\n";

static double pulled_by_belt(double t)
{
    return 0.1 * (t + t * t / 2);
}

static const char *const rate_scheme[] = {"moreau_midpoint",
                                          "moreau_jean_explicit",
                                          "moreau_jean",
                                          "moreau_direct_projection",
                                          "moreau_combined_projection",
                                          "tdg_acceleration",
                                          "tdg_velocity_explicit",
                                          "tdg_velocity",
                                          "tdg_newmark",
                                          "tdg_velocity_adaptive",
                                          "variational",
                                          "nonsmooth_gen_alpha",
                                          "ggl_decoupled",
                                          "event_driven",
                                          "event_capturing",
                                          "mexx",
                                          "hem5",
                                          "phem56",
                                          "rkf45"};
static const char *const no_rate_scheme[] = {"ggl_unified_printed", "ggl_unified", "ggl_reference",
                                             "gen_alpha"};

static void a_rate_is_held_in_every_scheme_that_takes_it(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof rate_scheme / sizeof *rate_scheme; k++) {
        const double coarse = given_distance(pulled, rate_scheme[k], 1e-2, 1, pulled_by_belt);
        const double fine = given_distance(pulled, rate_scheme[k], 1.25e-3, 1, pulled_by_belt);
        rig_below(coarse, 4e-2);
        rig_below(fine, fmax(coarse / 5, 1e-10));
    }
}

static void other_schemes_refuse_rates_by_name(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof no_rate_scheme / sizeof *no_rate_scheme; k++) {
        rig r;
        assert_int_equal(given_refused(&r, pulled, no_rate_scheme[k]), CAROM_BAD_INPUT);
        assert_non_null(strstr(r.error.message, "'belt' is one of rates alone"));
        rig_close(&r);
    }
    // schatzman_paoli has no constraints at all
    assert_int_equal(carom_scheme_count(),
                     (int)(sizeof rate_scheme / sizeof *rate_scheme +
                           sizeof no_rate_scheme / sizeof *no_rate_scheme + 1));
}

// a rolling disc on a slope that a projection corrects: its rate does not stop the correction
static void projections_of_positions_leave_rates_alone(void **state)
{
    static const char *const text = "carom: 1\n"
                                    "coordinates: {x: {start: 1}, y: {}, z: {rate: 0.5}}\n"
                                    "kinetic: 1/2*(der(x)^2 + der(y)^2 + der(z)^2)\n"
                                    "potential: 9.81*y\n"
                                    "constraints:\n"
                                    "  - {name: rod, equation: x^2 + y^2 - 1}\n"
                                    "  - {name: screw, rate: der(z) - 0.5 - 3*der(x)}\n";
    static const char *const scheme[] = {"moreau_direct_projection", "moreau_combined_projection",
                                         "nonsmooth_gen_alpha", "ggl_decoupled"};
    (void)state;
    for (int k = 0; k < 4; k++) {
        rig r;
        given_open(&r, text, &(rig_plan){.scheme = scheme[k], .step = 1e-2, .end = 2});
        rig_run(&r);
        const double *u = rig_state(&r)->u;
        rig_below(rig_audit(&r).max_drift, 1e-8);
        rig_near(u[2], 0.5 + 3 * u[0], 1e-12);
        rig_close(&r);
    }
}

// a rate that says again what an equation says: a correction along it would contradict the equation
static void a_rate_along_an_equation_does_not_hinder_its_projection(void **state)
{
    static const char *const text = "carom: 1\n"
                                    "coordinates: {x: {start: 1}, y: {}}\n"
                                    "kinetic: 1/2*(der(x)^2 + der(y)^2)\n"
                                    "potential: 9.81*y\n"
                                    "constraints:\n"
                                    "  - {name: rod, equation: x^2 + y^2 - 1}\n"
                                    "  - {name: again, rate: x*der(x) + y*der(y)}\n";
    static const char *const scheme[] = {"moreau_direct_projection", "moreau_combined_projection",
                                         "ggl_decoupled"};
    (void)state;
    for (int k = 0; k < 3; k++) {
        rig r;
        given_open(&r, text, &(rig_plan){.scheme = scheme[k], .step = 1e-2, .end = 2});
        rig_run(&r);
        rig_below(rig_audit(&r).max_drift, 1e-8);
        rig_close(&r);
    }
}

// a motor of given speed: its torque is what the load asks for
static void a_motor_of_given_speed_tells_its_torque(void **state)
{
    static const char *const text = "carom: 1\n"
                                    "space: plane\n"
                                    "bodies: {wheel: {mass: 1, inertia: 0.5, spin: 10}}\n"
                                    "joints: {pin: {revolute: [ground, wheel], at: [0, 0]}}\n"
                                    "motors: {drive: {on: pin, speed: 10 + 3*t}}\n"
                                    "force elements: {brake: {torsion: pin, torque: -0.7}}\n";
    rig r;
    (void)state;
    given_open(&r, text, &(rig_plan){.scheme = "event_driven", .step = 0.1, .end = 1});
    rig_run(&r);
    rig_near(rig_state(&r)->u[2], 13, 1e-12);
    rig_near(rig_state(&r)->q[2], 11.5, 1e-12);
    rig_near(rig_state(&r)->la[2], 0.7 + 0.5 * 3, 1e-12);
    rig_close(&r);
}

// ---- friction of joints ----

// a wheel of weight m g in a pin: the torque is mu r m g
static void a_pin_rubs_under_the_weight_that_it_holds(void **state)
{
    static const char *const text = "carom: 1\n"
                                    "space: plane\n"
                                    "gravity: [0, -10]\n"
                                    "bodies: {wheel: {mass: 3, inertia: 0.5, spin: 2}}\n"
                                    "joints:\n"
                                    "  pin: {revolute: [ground, wheel], at: [0, 0],\n"
                                    "        friction: 0.2, pin_radius: 0.1}\n";
    (void)state;
    for (int k = 0; k < N_STEPPER; k++) {
        rig r;
        given_open(&r, text, &(rig_plan){.scheme = stepper[k], .step = 1e-3, .end = 3});
        while (given_t(&r) < 1) rig_step(&r, 1);
        const bool sinks = strcmp(stepper[k], "tdg_velocity_explicit") == 0;
        rig_near(rig_state(&r)->u[2], 2 - 1.2 * given_t(&r), sinks ? 2e-2 : lags(k) ? 1e-3 : 1e-9);
        while (given_t(&r) < 2.99) rig_step(&r, 1);
        rig_near(rig_state(&r)->u[2], 0, sinks ? 2e-2 : 1e-12);
        rig_near(rig_state(&r)->q[2], 4 / 2.4, sinks ? 5e-2 : 3e-3);
        assert_int_equal(carom_sim_counts(r.sim).unconverged, 0);
        rig_close(&r);
    }
}

// A slide whose friction acts beside the centre of mass: its own moment presses it.
//
//     F = mu m g + mu F b/l      =>   F = mu m g/(1 - mu b/l)
static void slide_text(char *text, size_t room, double mu)
{
    snprintf(text, room,
             "carom: 1\n"
             "space: plane\n"
             "gravity: [0, -10]\n"
             "bodies: {block: {mass: 2, inertia: 0.1, velocity: [3, 0], at: [0, 0.1]}}\n"
             "joints:\n"
             "  way: {prismatic: [ground, block], at: [0, 0], axis: [1, 0],\n"
             "        friction: %g, half_length: 0.05}\n",
             mu);
}

static void a_slide_is_pressed_by_its_own_friction(void **state)
{
    const double mu = 0.3, a = mu * 10 / (1 - mu * 2);
    char text[512];
    (void)state;
    slide_text(text, sizeof text, mu);
    for (int k = 0; k < N_STEPPER; k++) {
        if (strcmp(stepper[k], "tdg_velocity_explicit") == 0) continue; // its forces chatter
        rig r;
        given_open(&r, text, &(rig_plan){.scheme = stepper[k], .step = 1e-3, .end = 1});
        while (given_t(&r) < 0.3) rig_step(&r, 1);
        rig_near(rig_state(&r)->u[0], 3 - a * given_t(&r), lags(k) ? 5e-3 : 1e-7);
        while (given_t(&r) < 0.99) rig_step(&r, 1);
        rig_near(rig_state(&r)->q[0], 9 / (2 * a), 5e-3);
        rig_near(rig_state(&r)->u[0], 0, 1e-12);
        assert_int_equal(carom_sim_counts(r.sim).unconverged, 0);
        rig_close(&r);
    }
}

// mu b/l = 0.99: each pass leaves 0.99 of the change; above 1 it locks at once
static void friction_that_feeds_itself_is_told(void **state)
{
    char text[512];
    rig r;
    (void)state;
    slide_text(text, sizeof text, 0.495);
    given_open(&r, text, &(rig_plan){.scheme = "moreau_midpoint", .step = 1e-3, .end = 1});
    rig_step(&r, 1);
    assert_int_equal(carom_sim_counts(r.sim).unconverged, 1);
    assert_non_null(strstr(rig_audit(&r).warnings, "locks itself"));
    rig_close(&r);
    slide_text(text, sizeof text, 0.6);
    given_open(&r, text, &(rig_plan){.scheme = "moreau_midpoint", .step = 1e-3, .end = 1});
    rig_step(&r, 1);
    assert_int_equal(carom_sim_counts(r.sim).unconverged, 0);
    rig_near(rig_state(&r)->u[0], 0, 1e-12);
    rig_close(&r);
    assert_int_equal(given_refused(&r, text, "event_driven"), CAROM_BAD_INPUT);
    rig_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_limited_motor_spins_up_holds_and_gives_way),
        cmocka_unit_test(driven_wheels_move_a_cart),
        cmocka_unit_test(a_rate_is_held_in_every_scheme_that_takes_it),
        cmocka_unit_test(other_schemes_refuse_rates_by_name),
        cmocka_unit_test(projections_of_positions_leave_rates_alone),
        cmocka_unit_test(a_rate_along_an_equation_does_not_hinder_its_projection),
        cmocka_unit_test(a_motor_of_given_speed_tells_its_torque),
        cmocka_unit_test(a_pin_rubs_under_the_weight_that_it_holds),
        cmocka_unit_test(a_slide_is_pressed_by_its_own_friction),
        cmocka_unit_test(friction_that_feeds_itself_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
