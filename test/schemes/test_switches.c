// SPDX-License-Identifier: Apache-2.0
// Forces that switch with the state: event_driven locates each switch, stays on one side within a
// step, and says so where a motion would have to slide along a switch.
#include "adaptive_rig.h"

#include <stdio.h>

static const char *const smooth[] = {"phem56", "hem5", "rkf45", "gen_alpha", "mexx"};

// a mass of 1 kg, let go at x = 1
static void let_go(ride *r, const char *solver, double tolerance, double end, const char *force)
{
    char text[600];
    snprintf(text, sizeof text,
             "carom: 1\nname: switched\ntables: {K: {points: [[-3, 12], [0, 0], [3, -3]]}, "
             "S: {points: [[-1, -1], [-0.5, 1], [0.5, -1], [1, -1]]}, "
             "T: {points: [[0, 0], [0.5, 1], [1, 0]], period: 1}}\n"
             "coordinates: {x: {start: 1}}\nkinetic: der(x)^2/2\n"
             "forces: [{coordinate: x, force: \"%s\"}]\n",
             force);
    carom_modelfile *file;
    memset(r, 0, sizeof *r);
    must(carom_modelfile_read_text(text, strlen(text), "text", &file, &r->error), &r->error);
    r->model = finish_file(file);
    const carom_setting setting = {.name = text_of("smooth"), .value = text_of(solver)};
    carom_sim_options options = carom_sim_default();
    options.scheme = "event_driven";
    options.tolerance = tolerance;
    options.end = end;
    options.setting = &setting;
    options.n_setting = 1;
    must(carom_sim_new(r->model, &options, &r->sim, &r->error), &r->error);
}

// der(der(x)) = -sign(x): parabolas, four quarters of sqrt 2 s each. Steps see constant forces
static void a_relay_swings_exactly(void **state)
{
    (void)state;
    static const char *const force[] = {"-sign(x)", "if(x > 0, -1, 1)", "if(x < 0, 1, -1)",
                                        "1 - 2*step(x)",
                                        "if(not (x <= 0), -1, if(x > -5, 1, 1e9))"};
    const double quarter = sqrt(2), end = 40, turn = fmod(end, 4 * quarter);
    assert_true(turn < quarter);
    for (size_t i = 0; i < sizeof force / sizeof *force; i++)
        for (int k = 0; k < 3; k++) {
            ride r;
            let_go(&r, smooth[k], 1e-9, end, force[i]);
            must(carom_sim_run(r.sim, &r.error), &r.error);
            is_near(force[i], carom_sim_state(r.sim)->q[0], 1 - 0.5 * turn * turn, 1e-10);
            assert_true(carom_sim_counts(r.sim).steps < 60);
            dismount(&r);
        }
}

// stiffness 1 on one side and 4 on the other: a period of pi + pi/2
static void a_spring_of_two_stiffnesses_keeps_its_period(void **state)
{
    (void)state;
    static const char *const force[] = {"if(x > 0, -x, -4*x)", "-max(x, 0) - 4*min(x, 0)",
                                        "-2.5*x + 1.5*abs(x)", "K(x)"};
    const double end = 10 * 1.5 * acos(-1);
    for (size_t i = 0; i < sizeof force / sizeof *force; i++)
        for (int k = 0; k < 5; k++) {
            const double tolerance = k == 3 ? 1e-6 : 1e-9;
            ride r;
            let_go(&r, smooth[k], tolerance, end, force[i]);
            must(carom_sim_run(r.sim, &r.error), &r.error);
            is_near(force[i], carom_sim_state(r.sim)->q[0], 1, 1000 * tolerance);
            is_near(force[i], carom_sim_state(r.sim)->u[0], 0, 1000 * tolerance);
            dismount(&r);
        }
}

// a periodic table of the state: the potential of its triangles is conserved
static void many_pieces_are_passed_through(void **state)
{
    (void)state;
    ride r;
    let_go(&r, "phem56", 1e-10, 20, "-x - 3*(T(5*x) - 0.5)");
    must(carom_sim_run(r.sim, &r.error), &r.error);
    const double x = carom_sim_state(r.sim)->q[0], u = carom_sim_state(r.sim)->u[0];
    // integral of T(5 x) - 1/2 from 0 to x: 0 over each period of 0.2
    const double s = 5 * x - floor(5 * x);
    const double part = (s < 0.5 ? s * s : 2 * s - s * s - 0.5) - 0.5 * s;
    is_near("energy", 0.5 * u * u + 0.5 * x * x + 3 * part / 5, 0.5, 1e-8);
    dismount(&r);
}

// friction written by hand: each half swing loses 0.2 m as long as the spring overcomes it
static void friction_by_hand_swings_out_and_then_is_refused(void **state)
{
    (void)state;
    const double pi = acos(-1);
    ride r;
    let_go(&r, "phem56", 1e-10, 3 * pi, "-x - 0.1*sign(der(x))");
    must(carom_sim_run(r.sim, &r.error), &r.error);
    is_near("third turn", carom_sim_state(r.sim)->q[0], -0.4, 1e-8);
    dismount(&r);
    let_go(&r, "phem56", 1e-10, 20, "-x - 0.15*sign(der(x))");
    assert_int_equal(carom_sim_run(r.sim, &r.error), CAROM_NOT_CONVERGED);
    assert_non_null(strstr(r.error.message, "der(x)"));
    assert_non_null(strstr(r.error.message, "write it as a contact with friction"));
    // 1, -0.7, 0.4, -0.1: there the spring does not overcome it
    is_near("stop", carom_sim_state(r.sim)->t, 3 * pi, 0.2);
    dismount(&r);
}

// forces that vanish or stay continuous at the switch do not hinder a rest on it
static void rests_on_kinks_go_on(void **state)
{
    (void)state;
    static const char *const force[] = {"-5*max(x - 1, 0)", "-abs(x - 1)", "5*min(x, 1) - 5",
                                        "-abs(der(x))*der(x)", "if(x > 1, 1 - x, 0)"};
    for (size_t i = 0; i < sizeof force / sizeof *force; i++) {
        ride r;
        let_go(&r, "phem56", 1e-9, 5, force[i]);
        must(carom_sim_run(r.sim, &r.error), &r.error);
        assert_true(carom_sim_state(r.sim)->q[0] == 1);
        dismount(&r);
    }
}

// an impact turns der(x) round: the drag against it follows at once
static void an_impact_switches_forces(void **state)
{
    (void)state;
    static const char text[] =
        "carom: 1\nname: bounce\ncoordinates: {x: {start: 1, rate: -2}}\nkinetic: der(x)^2/2\n"
        "forces: [{coordinate: x, force: \"-sign(der(x))\"}]\n"
        "contacts: [{name: wall, gap: x, restitution: 1}]\n";
    ride r;
    // falls with 2 - t: 1 = 2 t - t^2/2 at t = 2 - sqrt 2; back with sqrt 2 - (t - t1)
    const double t = 1.5, t1 = 2 - sqrt(2), s = t - t1;
    is_near("bounce", go_to_end(&r, (adaptive){"event_driven", 1e-9, t, 0}, text),
            sqrt(2) * s - 0.5 * s * s, 1e-9);
    dismount(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_relay_swings_exactly),
        cmocka_unit_test(a_spring_of_two_stiffnesses_keeps_its_period),
        cmocka_unit_test(many_pieces_are_passed_through),
        cmocka_unit_test(friction_by_hand_swings_out_and_then_is_refused),
        cmocka_unit_test(rests_on_kinks_go_on),
        cmocka_unit_test(an_impact_switches_forces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
