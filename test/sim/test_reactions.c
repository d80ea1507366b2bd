// SPDX-License-Identifier: Apache-2.0
// Forces and impulses in rows: those of constraints against closed forms, with every scheme, and
// those of the start, which schemes with forces would only know after a step.
#include "sim/alarm_rig.h"

// m = 2, l = 0.5: the rod pulls with m (g cos phi + v^2/l), against growing values of its equation
static const char pendulum[] =
    "carom: 1\ncoordinates: {x: {start: 0.5*sin(1.2), rate: 0.6*cos(1.2)}, "
    "y: {start: -0.5*cos(1.2), rate: 0.6*sin(1.2)}}\n"
    "kinetic: der(x)^2 + der(y)^2\npotential: 2*9.81*y\n"
    "constraints: [{name: rod, equation: sqrt(x^2 + y^2) - 0.5}]\n";

static double pull(const rig_rows *rows, int i)
{
    const double y = rig_at(rows, i, 2), vx = rig_at(rows, i, 3), vy = rig_at(rows, i, 4);
    return 2 * (9.81 * -y / 0.5 + (vx * vx + vy * vy) / 0.5);
}

static void expect_rod(const char *scheme, const rig_rows *rows, int P, int la)
{
    const int last = rows->n_row - 1;
    double impulse = 0, by_force = 0, worst = 0;
    for (int i = 1; i <= last; i++) {
        const double h = rig_at(rows, i, 0) - rig_at(rows, i - 1, 0);
        impulse += rig_at(rows, i, P);
        by_force += 0.5 * h * (pull(rows, i) + pull(rows, i - 1));
        worst = fmax(worst, fabs(rig_at(rows, i, la) + pull(rows, i)));
    }
    // either all of it is in the forces, or all in the impulses; 0.06 of 45 N: first order in the
    // step where drift of the velocity counts
    const bool has_forces = rig_at(rows, last, la) != 0;
    if (has_forces ? impulse != 0 || worst > 0.06 : fabs(impulse + by_force) > 5e-3 * by_force)
        fail_msg("%s: force off by %g, impulse %g, by the closed form %g", scheme, worst, impulse,
                 -by_force);
}

static void the_force_of_a_rod_with_every_scheme(void **state)
{
    (void)state;
    int n_force = 0, n_impulse = 0;
    for (int k = 0; k < carom_scheme_count(); k++) {
        const carom_scheme *scheme = carom_scheme_at(k);
        if (!scheme->has_bilateral) continue;
        const carom_sim_options options = trial_options(scheme->name, 1e-4, 0.5);
        trial t;
        rig_rows rows = {0};
        rig_ok(trial_make(&t, pendulum, &options), &t.error);
        rig_listen(t.sim, &rows);
        rig_ok(carom_sim_run(t.sim, &t.error), &t.error);
        const int P = rig_column(t.sim, "P_rod"), la = rig_column(t.sim, "la_rod");
        expect_rod(scheme->name, &rows, P, la);
        *(rig_at(&rows, rows.n_row - 1, la) != 0 ? &n_force : &n_impulse) += 1;
        free(rows.value);
        trial_end(&t);
    }
    assert_true(n_force >= 5 && n_impulse >= 5);
}

// first row of a model with a scheme, in the column asked for
static double first(const char *text, const char *scheme, const char *column)
{
    const carom_sim_options options = trial_options(scheme, 1e-3, 1e-3);
    trial t;
    rig_rows rows = {0};
    rig_ok(trial_make(&t, text, &options), &t.error);
    rig_listen(t.sim, &rows);
    rig_ok(carom_sim_run(t.sim, &t.error), &t.error);
    const double value = rig_at(&rows, 0, rig_column(t.sim, column));
    free(rows.value);
    trial_end(&t);
    return value;
}

static void expect_first(const char *text, const char *column, double value, bool has_friction)
{
    static const char *const scheme[] = {"event_driven", "tdg_velocity", "tdg_velocity_explicit",
                                         "tdg_velocity_adaptive", "tdg_acceleration"};
    for (int i = 0; i < (has_friction ? 4 : 5); i++) {
        const double found = first(text, scheme[i], column);
        if (!(fabs(found - value) <= 1e-9 * fmax(1, fabs(value))))
            fail_msg("%s: %s is %.12g in the first row, not %.12g", scheme[i], column, found,
                     value);
    }
}

#define SLOPE(mu, rate)                                                                            \
    "carom: 1\nparameters: {m: 2, a: deg(20), g: 9.81}\n"                                          \
    "coordinates: {x: {start: 0, rate: " rate "}, y: {start: 0}}\n"                                \
    "kinetic: m/2*(der(x)^2 + der(y)^2)\npotential: m*g*(cos(a)*y - sin(a)*x)\n"                   \
    "contacts: [{name: floor, gap: y, slip: x, friction: " mu ", restitution: 0.5}]\n"

static void a_block_on_a_slope_has_its_forces_in_the_first_row(void **state)
{
    (void)state;
    const double N = 2 * 9.81 * cos(acos(-1) / 9), T = 2 * 9.81 * sin(acos(-1) / 9);
    expect_first(SLOPE("0.5", "0"), "la_floor", N, true);
    expect_first(SLOPE("0.5", "0"), "laT_floor", -T, true);       // sticks
    expect_first(SLOPE("0.2", "0"), "laT_floor", -0.2 * N, true); // begins to slip
    expect_first(SLOPE("0.5", "1"), "laT_floor", -0.5 * N, true); // slides down
    expect_first(SLOPE("0.5", "-1"), "laT_floor", 0.5 * N, true); // slides up
    expect_first(SLOPE("0.5", "1"), "P_floor", 0, true);
}

// slides along (0.6, 0.8) while a force pulls across: friction is against the slip
static void friction_in_space_is_against_the_slip(void **state)
{
    (void)state;
    static const char text[] =
        "carom: 1\ncoordinates: {x: {rate: 0.3}, y: {rate: 0.4}, z: {start: 0}}\n"
        "kinetic: (der(x)^2 + der(y)^2 + der(z)^2)/2\npotential: 10*z\n"
        "forces: [{coordinate: x, force: 7}]\n"
        "contacts: [{name: c, gap: z, slip: [x, y], friction: 0.3}]\n";
    expect_first(text, "la_c", 10, true);
    expect_first(text, "laT_c1", -3 * 0.6, true);
    expect_first(text, "laT_c2", -3 * 0.8, true);
}

static void supports_rods_and_curved_floors_have_forces_at_the_start(void **state)
{
    (void)state;
    // a beam on two feet, its load at a quarter
    static const char beam[] = "carom: 1\ncoordinates: {y: {start: 0}, a: {start: 0}}\n"
                               "kinetic: (der(y)^2 + der(a)^2)/2\npotential: 8*(y + 0.5*a)\n"
                               "contacts: [{name: left, gap: y - a}, {name: right, gap: y + a}]\n";
    expect_first(beam, "la_left", 2, false);
    expect_first(beam, "la_right", 6, false);
    expect_first(pendulum, "la_rod", -2 * (9.81 * cos(1.2) + 0.36 / 0.5), false);
    // through the lowest point of a bowl of radius 2 at 3 m/s
    expect_first("carom: 1\ncoordinates: {x: {rate: 3}, y: {start: 0}}\n"
                 "kinetic: (der(x)^2 + der(y)^2)/2\npotential: 9.81*y\n"
                 "contacts: [{name: bowl, gap: 2 - sqrt(x^2 + (y - 2)^2)}]\n",
                 "la_bowl", 9.81 + 4.5, false);
}

static void what_leaves_or_hits_at_the_start_has_no_force(void **state)
{
    (void)state;
    expect_first("carom: 1\ncoordinates: {y: {rate: 1}}\nkinetic: der(y)^2/2\npotential: 9.81*y\n"
                 "contacts: [{name: floor, gap: y}]\n",
                 "la_floor", 0, false);
    expect_first("carom: 1\ncoordinates: {y: {rate: -1}}\nkinetic: der(y)^2/2\npotential: 9.81*y\n"
                 "contacts: [{name: floor, gap: y, restitution: 0.5}]\n",
                 "la_floor", 0, false);
    expect_first("carom: 1\ncoordinates: {y: {start: 1e-9}}\nkinetic: der(y)^2/2\n"
                 "potential: 9.81*y\ncontacts: [{name: floor, gap: y}]\n",
                 "la_floor", 0, false);
}

// schemes without forces show none, also in the first row
static void schemes_without_forces_show_none(void **state)
{
    (void)state;
    assert_true(first(SLOPE("0.5", "0"), "moreau_midpoint", "la_floor") == 0);
    assert_true(first(SLOPE("0.5", "0"), "nonsmooth_gen_alpha", "la_floor") == 0);
}

static void the_motion_is_the_same_with_and_without_rows(void **state)
{
    (void)state;
    static const char *const scheme[] = {"event_driven", "tdg_velocity", "tdg_velocity_adaptive"};
    for (int k = 0; k < 3; k++) {
        const carom_sim_options options = trial_options(scheme[k], 1e-3, 0.3);
        trial with, without;
        rig_rows rows = {0};
        rig_ok(trial_make(&with, SLOPE("0.2", "-0.5"), &options), &with.error);
        rig_ok(trial_make(&without, SLOPE("0.2", "-0.5"), &options), &without.error);
        rig_listen(with.sim, &rows);
        rig_ok(carom_sim_run(with.sim, &with.error), &with.error);
        rig_ok(carom_sim_run(without.sim, &without.error), &without.error);
        const carom_state *a = carom_sim_state(with.sim), *b = carom_sim_state(without.sim);
        assert_memory_equal(a->q, b->q, 2 * sizeof(double));
        assert_memory_equal(a->u, b->u, 2 * sizeof(double));
        assert_memory_equal(a->la, b->la, 2 * sizeof(double));
        free(rows.value);
        trial_end(&with);
        trial_end(&without);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_force_of_a_rod_with_every_scheme),
        cmocka_unit_test(a_block_on_a_slope_has_its_forces_in_the_first_row),
        cmocka_unit_test(friction_in_space_is_against_the_slip),
        cmocka_unit_test(supports_rods_and_curved_floors_have_forces_at_the_start),
        cmocka_unit_test(what_leaves_or_hits_at_the_start_has_no_force),
        cmocka_unit_test(schemes_without_forces_show_none),
        cmocka_unit_test(the_motion_is_the_same_with_and_without_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
