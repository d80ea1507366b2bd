// SPDX-License-Identifier: Apache-2.0
// label: slow
// Shipped models by bodies run as their own run section says, and where a truth is known, they have
// it: constants of the motion, ratios of gears and joints, published ends, closed forms.
#include "physics/motion_rig.h"

// the largest of what |column - first| is in all rows
static void stays(const motion *m, const double *row, const char *name, double tolerance)
{
    const int i = column_of(m, name);
    rig_near(row[i], m->first[i], tolerance);
}

static void look_at_tippe_top(const motion *m, const double *row)
{
    stays(m, row, "jellett", 2e-7 * 1e-6); // of 1e-6 J s
}

static void the_tippe_top_turns_over_and_keeps_jelletts_integral(void **state)
{
    motion m;
    (void)state;
    run_as_it_says(&m, "tippe-top", look_at_tippe_top);
    rig_near(m.first[column_of(&m, "axis_z")], cos(0.5), 1e-15);
    rig_below(last(&m, "axis_z"), -0.99);
    rig_close(&m.r);
}

// tan(out) = cos(bend) tan(in), out/in speeds between cos(bend) and its inverse; turns are counted
static void look_at_shaft(const motion *m, const double *row)
{
    const double in = row[column_of(m, "angle_in")], c = cos(acos(-1.0) / 6);
    const double turns = floor(in / acos(-1.0) + 0.5) * acos(-1.0);
    rig_near(row[column_of(m, "angle_out")], turns + atan(c * tan(in)), 1e-12);
    const double s = sin(in);
    rig_near(row[column_of(m, "ratio")], c / (1 - (1 - c * c) * s * s), 2e-5); // at step 1e-3
}

static void the_second_shaft_follows_hookes_joint(void **state)
{
    motion m;
    (void)state;
    run_as_it_says(&m, "universal-shaft", look_at_shaft);
    rig_close(&m.r);
}

// regular precession m g l/(I spin)
static void look_at_gyroscope(const motion *m, const double *row)
{
    rig_near(row[column_of(m, "precession")], 0.05 * 9.81 * 0.1 / (2e-4 * 300) * row[0], 1e-10);
    rig_near(row[column_of(m, "dip")], 0, 1e-12);
}

static void the_gyroscope_precesses_evenly(void **state)
{
    motion m;
    (void)state;
    run_as_it_says(&m, "gyroscope", look_at_gyroscope);
    rig_near(last(&m, "precession"), 8.175, 1e-10);
    rig_close(&m.r);
}

static void look_at_top(const motion *m, const double *row)
{
    stays(m, row, "about_vertical", 1e-10);
    stays(m, row, "about_axis", 1e-12);
}

// Lagrange's top: theta(4 s) by Jacobi's functions; theta is even in time and has this period
static void the_top_nutates(void **state)
{
    motion m;
    (void)state;
    run_as_it_says(&m, "spinning-top", look_at_top);
    const double period = 0.3455119593734218, lowest = 1.385659915916706;
    rig_near(last(&m, "t"), 4, 1e-12);
    rig_below(cos(lowest), last(&m, "axis_z"));
    rig_close(&m.r);
    motion one;
    memset(&one, 0, sizeof one);
    const rig_plan plan = {
        .model = "spinning-top", .scheme = "hem5", .end = period / 2, .tolerance = 1e-11};
    rig_open(&one.r, &plan);
    const carom_recorder recorder = {.self = &one, .row = motion_take_row};
    rig_must(&one.r, carom_sim_add_recorder(one.r.sim, recorder, &one.r.error));
    rig_run(&one.r);
    rig_near(last(&one, "axis_z"), cos(lowest), 1e-10);
    rig_close(&one.r);
}

static void look_at_pendulum(const motion *m, const double *row)
{
    stays(m, row, "about_vertical", 1e-10);
}

static void the_double_pendulum_keeps_its_momentum(void **state)
{
    motion m;
    (void)state;
    run_as_it_says(&m, "double-pendulum-spatial", look_at_pendulum);
    rig_below(fabs(rig_audit(&m.r).energy_error), 1e-9);
    rig_close(&m.r);
}

// (T 2 pi/p - F)/(m + J (2 pi/p)^2)
static void look_at_screw(const motion *m, const double *row)
{
    const double n = 2 * acos(-1.0) / 0.01, a = (1.2 * n - 300) / (40 + 7.4e-5 * n * n);
    rig_near(row[column_of(m, "way")], a / 2 * row[0] * row[0], 1e-8);
    rig_near(row[column_of(m, "turns")], 100 * row[column_of(m, "way")], 1e-8);
}

static void the_ball_screw_drives_its_load(void **state)
{
    motion m;
    (void)state;
    run_as_it_says(&m, "ball-screw", look_at_screw);
    rig_close(&m.r);
}

static void look_at_gears(const motion *m, const double *row)
{
    rig_near(row[column_of(m, "sun_turned")], 4 * row[column_of(m, "carrier_turned")], 1e-11);
}

static void the_planetary_gear_has_its_ratio(void **state)
{
    motion m;
    (void)state;
    run_as_it_says(&m, "gear-train", look_at_gears);
    assert_true(last(&m, "carrier_turned") > 10);
    rig_close(&m.r);
}

// end values of the Test Set for Initial Value Problem Solvers: angles of links are sums of its own
static void andrews_bodies_end_where_it_was_published(void **state)
{
    static const double q[] = {0.1581077119629904e+2, -0.1575637105984298e+2,
                               0.4082224013073101e-1, -0.5347301163226948e+0,
                               0.5244099658805304e+0, 0.5347301163226948e+0,
                               0.1048080741042263e+1};
    motion m;
    (void)state;
    run_as_it_says(&m, "andrews-squeezer-bodies", NULL);
    rig_near(last(&m, "k1.angle"), q[0], 2e-6);
    rig_near(last(&m, "k2.angle"), q[0] + q[1], 2e-6);
    rig_near(last(&m, "k3.angle"), q[2], 2e-6);
    rig_near(last(&m, "k4.angle"), q[3] + q[4], 2e-6);
    rig_near(last(&m, "k5.angle"), q[4], 2e-6);
    rig_near(last(&m, "k6.angle"), q[5] + q[6], 2e-6);
    rig_near(last(&m, "k7.angle"), q[6], 2e-6);
    rig_close(&m.r);
}

// the plane linkage without play is the one in space: rocker angle against the closed form
static void look_at_linkage(const motion *m, const double *row)
{
    // B and D, the distance between them, and the triangle on it
    const double a = 2 * acos(-1.0) * row[0], x = 0.1 * sin(a) - 0.4, z = 0.1 * cos(a);
    const double far = hypot(x, z), side = (far * far + 0.09 - 0.2) / (2 * far);
    const double angle = atan2(z, x) - acos(side / 0.3);
    const double wanted = remainder(acos(-1.0) / 2 - angle, 2 * acos(-1.0));
    rig_near(row[column_of(m, "rocker_angle")], wanted, 1e-11);
    // the torque of the motor, a mean over each step, does the work that becomes energy
    static double work;
    work = row[0] == 0 ? 0 : work + row[column_of(m, "torque")] * 2 * acos(-1.0) * 1e-3;
    const int energy = column_of(m, "energy");
    rig_near(work, row[energy] - m->first[energy], 1e-5);
}

static void the_linkage_in_space_closes(void **state)
{
    motion m;
    (void)state;
    run_as_it_says(&m, "four-bar-spatial", look_at_linkage);
    rig_close(&m.r);
}

static void the_rest_runs_as_it_says(void **state)
{
    static const char *const model[] = {"four-bar", "four-bar-clearances", "robot-arm",
                                        "trebuchet"};
    motion m;
    (void)state;
    for (size_t i = 0; i < sizeof model / sizeof *model; i++) {
        run_as_it_says(&m, model[i], NULL);
        rig_below(-1e-3, rig_audit(&m.r).min_gap);
        if (strcmp(model[i], "trebuchet") == 0) rig_near(last(&m, "range"), 92, 5);
        rig_close(&m.r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_tippe_top_turns_over_and_keeps_jelletts_integral),
        cmocka_unit_test(the_second_shaft_follows_hookes_joint),
        cmocka_unit_test(the_gyroscope_precesses_evenly),
        cmocka_unit_test(the_top_nutates),
        cmocka_unit_test(the_double_pendulum_keeps_its_momentum),
        cmocka_unit_test(the_ball_screw_drives_its_load),
        cmocka_unit_test(the_planetary_gear_has_its_ratio),
        cmocka_unit_test(andrews_bodies_end_where_it_was_published),
        cmocka_unit_test(the_linkage_in_space_closes),
        cmocka_unit_test(the_rest_runs_as_it_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
