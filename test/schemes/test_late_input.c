// SPDX-License-Identifier: Apache-2.0
// What comes later is not stepped over: blows after a long rest, pistons that rise for a moment,
// switches of time; against closed forms.
#include "adaptive_rig.h"

#include <stdio.h>
#include <unistd.h>

static const char *const smooth[] = {"event_driven", "phem56", "hem5",           "rkf45",
                                     "gen_alpha",    "mexx",   "event_capturing"};

static double tolerance_of(int i)
{
    return i == 4 ? 1e-6 : 1e-9;
}

// a mass at rest with a force of t
static double pushed(int i, double end, const char *tables, const char *force)
{
    char text[600];
    ride r;
    snprintf(text, sizeof text,
             "carom: 1\nname: pushed\n%s\ncoordinates: {x: {start: 0}}\nkinetic: der(x)^2/2\n"
             "forces: [{coordinate: x, force: \"%s\"}]\n",
             tables, force);
    const double x = go_to_end(&r, (adaptive){smooth[i], tolerance_of(i), end, 0}, text);
    assert_true(carom_sim_counts(r.sim).steps < (i == 4 ? 60000 : 3000));
    dismount(&r);
    return x;
}

static void a_late_blow_is_felt_by_every_adaptive_scheme(void **state)
{
    (void)state;
    static const struct {
        const char *tables, *force;
        double end, x;
    } row[] = {
        // a triangle of 10 N s around 5.05 s: 10 (10 - 5.05)
        {"tables: {F: {points: [[0, 0], [5, 0], [5.05, 200], [5.1, 0], [10, 0]]}}", "F(t)", 10,
         49.5},
        // the same of other functions of time, and periodic
        {"tables: {F: {points: [[0, 0], [5, 0], [5.05, 200], [5.1, 0], [10, 0]]}}", "F(2*t)/2", 5,
         6.1875},
        {"tables: {F: {points: [[-1, 0], [5, 0], [5.05, 200], [5.1, 0], [9, 0]], period: 10}}",
         "F(3 - t)", 12, 40.5},
        {"", "if(t > 5 and t < 5.1, 100, 0)", 10, 49.5},
        {"", "100*(step(t - 5) - step(t - 5.1))", 10, 49.5},
        {"", "if(5.1 > t, if(t < 5, 0, 100), 0)", 10, 49.5},
        {"", "4000*max(0, 0.05 - abs(t - 5.05))", 10, 49.5},
        // a smooth bump, a pulse, and a blow of a tenth of a millisecond
        {"", "if(t > 5 and t < 5.1, 200*sin(pi*(t - 5)/0.1)^2, 0)", 10, 49.5},
        {"", "10/(0.03*sqrt(pi))*exp(-((t - 5.05)/0.03)^2)", 10, 49.5},
        {"", "10/(0.03*sqrt(pi))*exp(-((t - 50.05)/0.03)^2)", 100, 499.5},
        {"", "if(t > 5 and t < 5.0001, 1e5, 0)", 10, 49.9995},
        // short ones that grow from 0
        {"tables: {F: {points: [[0, 0], [5.012, 0], [5.022, 1000], [5.032, 0], [10, 0]]}}", "F(t)",
         10, 49.78},
        {"", "if(t > 5.012 and t < 5.032, 1000*sin(pi*(t - 5.012)/0.02)^2, 0)", 10, 49.78},
        // time in a condition that is no straight line: a quarter of each period from its extremum
        {"", "if(cos(pi*t/5) < -0.99999999, 100, 0)", 10, -1}};
    for (size_t k = 0; k < sizeof row / sizeof *row; k++)
        for (int i = 0; i < 7; i++) {
            double wanted = row[k].x;
            if (wanted < 0) wanted = 100 * 2 * (5 / acos(-1) * acos(0.99999999)) * 5;
            const double x = pushed(i, row[k].end, row[k].tables, row[k].force);
            is_near(row[k].force, x, wanted, 100 * tolerance_of(i) * wanted);
        }
}

static void a_cubic_table_of_time_is_felt(void **state)
{
    (void)state;
    // natural spline through the points, integrated by Simpson's rule, which is exact for it
    static const char table[] = "tables: {F: {points: [[0, 0], [6, 0], [6.02, 50], [6.05, 0], "
                                "[10, 0]], kind: cubic}}";
    const double first = pushed(1, 10, table, "F(t)");
    assert_true(fabs(first) > 1);
    for (int i = 0; i < 4; i++)
        is_near("cubic", pushed(i, 10, table, "F(t)"), first, 1e-7 * fabs(first));
}

// a ball at rest on the floor, kicked upwards at 3 s with 10 N s in w seconds
static void a_kick_lifts_a_ball_that_rests(void **state)
{
    (void)state;
    static const double w[] = {0.2, 0.01, 1e-4};
    const double g = 9.81;
    for (int i = 0; i < 3; i++) {
        char text[400];
        ride r;
        snprintf(text, sizeof text,
                 "carom: 1\nname: kick\nparameters: {w: %.17g}\ncoordinates: {y: {start: 0}}\n"
                 "kinetic: der(y)^2/2\npotential: 9.81*y\ncontacts: [{name: floor, gap: y}]\n"
                 "forces: [{coordinate: y, force: \"if(t > 3 and t < 3 + w, 10/w, 0)\"}]\n",
                 w[i]);
        const double y = go_to_end(&r, (adaptive){"event_driven", 1e-9, 3.5, 0}, text);
        const double a = 10 / w[i] - g, left = 0.5 - w[i];
        is_near("kick", y, a * w[i] * (0.5 * w[i] + left) - 0.5 * g * left * left, 1e-8);
        dismount(&r);
    }
}

// a ball hovers 0.05 m above a piston that rises by 0.1 m for a moment and takes it along
static void a_piston_that_rises_for_a_moment_hits(void **state)
{
    (void)state;
    const double pi = acos(-1), w = 0.03;
    const struct {
        const char *tables, *lift;
        double end, y;
    } row[] = {
        {"tables: {L: {points: [[0, 0], [5, 0], [5.05, 0.1], [5.1, 0], [10, 0]]}}", "L(t)", 10, 10},
        {"", "if(t > 5 and t < 5.1, 0.1*sin(pi*(t - 5)/0.1)^2, 0)", 10, 0.05 + pi * 4.975},
        {"", "0.1*exp(-((t - 5)/0.03)^2)", 10,
         0.1 * exp(-0.5) + 0.1 * sqrt(2) / w * exp(-0.5) * (5 + w / sqrt(2))},
        {"", "0.1*exp(-((t - 57.123)/0.03)^2)", 100,
         0.1 * exp(-0.5) + 0.1 * sqrt(2) / w * exp(-0.5) * (42.877 + w / sqrt(2))}};
    for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
        char text[600];
        ride r;
        snprintf(text, sizeof text,
                 "carom: 1\nname: piston\n%s\ncoordinates: {y: {start: 0.05}}\n"
                 "kinetic: der(y)^2/2\ncontacts: [{name: piston, gap: \"y - (%s)\"}]\n",
                 row[k].tables, row[k].lift);
        const double y = go_to_end(&r, (adaptive){"event_driven", 1e-9, row[k].end, 0}, text);
        is_near(row[k].lift, y, row[k].y, 1e-7 * row[k].y);
        dismount(&r);
    }
}

// the step that ends at a break and the one behind it see their own side, also where numbers round
static void sides_of_breaks_are_told_apart(void **state)
{
    (void)state;
    for (int k = 1; k < 40; k++) {
        char force[200];
        const double at = k * 0.1 + 0.7, length = 0.3;
        snprintf(force, sizeof force, "if(%.17g < t*3 + 1e3, if((t - %.17g)/7 < 0, 1000, 0), 0)",
                 at * 3 + 1e3, at + length);
        const double end = 10, x = 1000 * length * (end - at - 0.5 * length);
        is_near(force, pushed(1, end, "", force), x, 1e-9 * x);
        is_near(force, pushed(0, end, "", force), x, 1e-9 * x);
    }
}

static void a_step_beside_a_tolerance_bounds_all_steps(void **state)
{
    (void)state;
    static const char text[] = "carom: 1\nname: free\ncoordinates: {x: {start: 0, rate: 1}}\n"
                               "kinetic: der(x)^2/2\n";
    for (int i = 0; i < 7; i++) {
        ride r;
        go_to_end(&r, (adaptive){smooth[i], 1e-3, 10, 0.02}, text);
        assert_true(carom_sim_counts(r.sim).steps >= 500);
        dismount(&r);
        // without: a fifth of the run at most
        go_to_end(&r, (adaptive){smooth[i], 1e-3, 10, 0}, text);
        assert_in_range(carom_sim_counts(r.sim).steps, 5, 12);
        dismount(&r);
    }
}

static void a_restart_at_and_between_breaks_gives_the_same_bits(void **state)
{
    (void)state;
    static const char text[] =
        "carom: 1\nname: broken\n"
        "tables: {F: {points: [[0, 0], [0.5, 3], [0.8, -2], [1.1, 0], [2, 4]]}}\n"
        "coordinates: {x: {start: 0.1}}\nkinetic: der(x)^2/2\n"
        "forces: [{coordinate: x, force: \"F(t) - 20*x - 3*abs(x)*sign(der(x)) + 5*max(x, 0)\"}]\n";
    char path[] = "/tmp/carom-late-XXXXXX";
    const int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    for (int i = 0; i < 7; i++)
        for (int n = 1; n < 60; n += 7) {
            ride whole, part;
            const adaptive a = {smooth[i], 1e-6, 2, 0};
            mount(&whole, a, text);
            mount(&part, a, text);
            for (int k = 0; k < n && !carom_sim_is_done(whole.sim); k++)
                must(carom_sim_step(whole.sim, &whole.error), &whole.error);
            must(carom_sim_checkpoint(whole.sim, path, &whole.error), &whole.error);
            must(carom_sim_restart(part.sim, path, &part.error), &part.error);
            must(carom_sim_run(whole.sim, &whole.error), &whole.error);
            must(carom_sim_run(part.sim, &part.error), &part.error);
            assert_memory_equal(carom_sim_state(whole.sim)->q, carom_sim_state(part.sim)->q, 8);
            assert_memory_equal(carom_sim_state(whole.sim)->u, carom_sim_state(part.sim)->u, 8);
            dismount(&whole);
            dismount(&part);
        }
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_late_blow_is_felt_by_every_adaptive_scheme),
        cmocka_unit_test(a_cubic_table_of_time_is_felt),
        cmocka_unit_test(a_kick_lifts_a_ball_that_rests),
        cmocka_unit_test(a_piston_that_rises_for_a_moment_hits),
        cmocka_unit_test(sides_of_breaks_are_told_apart),
        cmocka_unit_test(a_step_beside_a_tolerance_bounds_all_steps),
        cmocka_unit_test(a_restart_at_and_between_breaks_gives_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
