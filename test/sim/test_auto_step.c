// SPDX-License-Identifier: Apache-2.0
// Step control: accuracy follows the tolerance, impacts are closed in, the end is met, audit and
// rows stay right, restarts have the same bits. Also counts allocations: a step takes none.
#include "count_allocations.h"
#include "sim/sim_rig.h"

static const char *const able[] = {"moreau_midpoint", "moreau_jean", "tdg_acceleration",
                                   "ggl_unified", "tdg_velocity"};
enum { N_ABLE = 5 };
static const double gravity = 9.81;

static carom_sim_options control(const char *scheme, double tolerance, double end)
{
    carom_sim_options options = carom_sim_default();
    options.scheme = scheme;
    options.is_auto_step = true;
    options.tolerance = tolerance;
    options.end = end;
    return options;
}

static carom_sim *make(const carom_model *model, const carom_sim_options *options)
{
    carom_error error = {0};
    carom_sim *sim = NULL;
    rig_ok(carom_sim_new(model, options, &sim, &error), &error);
    return sim;
}

// a pendulum of 1 m from 2 rad at rest
static carom_model *pendulum(void)
{
    const rig_texts texts = {.coordinate = {{"phi", "2", "0"}},
                             .kinetic = "der(phi)^2/2",
                             .potential = "-9.81*cos(phi)"};
    return rig_model(&texts);
}

// the same by the classical Runge-Kutta method, error below 1e-13 at this step
static double pendulum_angle(double end)
{
    const int n = 20000;
    const double h = end / n;
    double x = 2, v = 0;
    for (int i = 0; i < n; i++) {
        const double a1 = -gravity * sin(x), v2 = v + h / 2 * a1;
        const double a2 = -gravity * sin(x + h / 2 * v), v3 = v + h / 2 * a2;
        const double a3 = -gravity * sin(x + h / 2 * v2), v4 = v + h * a3;
        const double a4 = -gravity * sin(x + h * v3);
        x += h / 6 * (v + 2 * v2 + 2 * v3 + v4);
        v += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
    }
    return x;
}

static void the_tolerance_is_1e_4_where_none_is_given(void **state)
{
    (void)state;
    carom_model *model = pendulum();
    const carom_sim_options given = control("tdg_velocity", 1e-4, 2),
                            none = control("tdg_velocity", 0, 2);
    carom_sim *a = make(model, &given), *b = make(model, &none);
    rig_run(a);
    rig_run(b);
    assert_int_equal(carom_sim_counts(a).steps, carom_sim_counts(b).steps);
    assert_true(carom_sim_state(a)->q[0] == carom_sim_state(b)->q[0]);
    carom_sim_free(a);
    carom_sim_free(b);
    carom_model_free(model);
}

static void error_of_a_pendulum_follows_the_tolerance_in_five_schemes(void **state)
{
    (void)state;
    const double end = 2, exact = pendulum_angle(end);
    carom_model *model = pendulum();
    for (int k = 0; k < N_ABLE; k++) {
        double before = INFINITY;
        for (double tolerance = 1e-4; tolerance > 0.5e-8; tolerance *= 0.01) {
            const carom_sim_options options = control(able[k], tolerance, end);
            carom_sim *sim = make(model, &options);
            rig_run(sim);
            const double error = fabs(carom_sim_state(sim)->q[0] - exact);
            // each time unit 1/omega of the motion may add the tolerance times the scale 2 rad
            assert_true(error <= 2 * end * sqrt(gravity) * 2 * tolerance);
            // a hundredth of the tolerance gives between a tenth and a thousandth of the error
            assert_true(error < 0.1 * before);
            assert_true(carom_sim_state(sim)->t == end);
            before = error;
            carom_sim_free(sim);
        }
    }
    carom_model_free(model);
}

static double first_impact(const rig_rows *rows)
{
    for (int i = 0; i < rows->n_event; i++)
        if (rows->event[i].kind == CAROM_IMPACT) return rows->event[i].t;
    return NAN;
}

static void impact_times_are_right_within_the_impulsive_step(void **state)
{
    (void)state;
    const double e = 0.5, tolerance = 1e-6, fall = sqrt(2 / gravity);
    carom_model *model = rig_ball("0.5");
    for (int k = 0; k < N_ABLE; k++) {
        rig_rows rows = {0};
        const carom_sim_options options = control(able[k], tolerance, 0.6);
        carom_sim *sim = make(model, &options);
        rig_listen(sim, &rows);
        rig_run(sim);
        // h |du| <= tolerance * 1 m, with the jump (1 + e) g fall; time stepping may be one early
        const double impulsive = tolerance / ((1 + e) * gravity * fall);
        assert_true(fabs(first_impact(&rows) - fall) <= 2 * impulsive);
        const double left = 0.6 - fall;
        const double y = e * gravity * fall * left - gravity / 2 * left * left;
        assert_true(fabs(carom_sim_state(sim)->q[0] - y) <= 3 * tolerance);
        carom_sim_free(sim);
        free(rows.value);
    }
    carom_model_free(model);
}

// height of the ball at the end of a run with a fixed step
static double fixed_height(const carom_model *model, double step, double end)
{
    carom_sim *sim = rig_sim(model, step, end, 1);
    rig_run(sim);
    const double y = carom_sim_state(sim)->q[0];
    carom_sim_free(sim);
    return y;
}

// A ball thrown up would be above the ceiling in the very middle of its second step, where its rate
// is 0, and at none of the other instants that are looked at.
static void a_ceiling_in_the_middle_of_a_step_is_met(void **state)
{
    (void)state;
    const rig_texts texts = {.coordinate = {{"y", "0", "3"}},
                             .kinetic = "der(y)^2/2",
                             .potential = "8*y",
                             .contact = {{.name = rig_text("ceiling"),
                                          .gap = rig_text("0.5595 - y"),
                                          .restitution = rig_text("0")}}};
    const carom_setting setting[] = {{rig_text("first_step"), rig_text("0.25")},
                                     {rig_text("max_step"), rig_text("0.25")}};
    carom_model *model = rig_model(&texts);
    for (int k = 0; k < N_ABLE; k++) {
        carom_sim_options options = control(able[k], 1e-4, 1);
        options.setting = setting;
        options.n_setting = 2;
        carom_sim *sim = make(model, &options);
        rig_run(sim);
        const double rise = (3 - sqrt(9 - 16 * 0.5595)) / 8, fall = 1 - rise;
        const double y = carom_sim_state(sim)->q[0], exact = 0.5595 - 4 * fall * fall;
        if (!(fabs(y - exact) < 1e-3)) fail_msg("%s: %g instead of %g", able[k], y, exact);
        carom_sim_free(sim);
    }
    carom_model_free(model);
}

// A block sticks to a floor that shakes sideways, and slips both ways, beside a body that flies by:
// nothing has a normal rate, so that no size of it is known. The number is the closed form of
// test_auto_changes.c.
static void slips_turn_beside_a_body_that_moves(void **state)
{
    (void)state;
    const rig_texts texts = {.coordinate = {{"x", "0", "0"}, {"y", "0", "0"}, {"z", "0", "1"}},
                             .kinetic = "(der(x)^2 + der(y)^2 + der(z)^2)/2",
                             .potential = "9.81*y",
                             .contact = {{.name = rig_text("floor"),
                                          .gap = rig_text("y"),
                                          .n_slip = 1,
                                          .slip = {rig_text("x - 0.1*sin(20*t)")},
                                          .friction = rig_text("0.1")}}};
    carom_model *model = rig_model(&texts);
    const carom_sim_options options = control("tdg_velocity", 1e-6, 2);
    carom_sim *sim = make(model, &options);
    rig_run(sim);
    const double x = carom_sim_state(sim)->q[0];
    if (!(fabs(x - 0.00245060) < 1e-5)) fail_msg("%.9g instead of 0.00245060", x);
    carom_sim_free(sim);
    carom_model_free(model);
}

static void a_ball_needs_fewer_steps_than_with_a_fixed_step_of_equal_error(void **state)
{
    (void)state;
    const double fall = sqrt(2 / gravity), left = 0.6 - fall;
    const double exact = 0.5 * gravity * fall * left - gravity / 2 * left * left;
    carom_model *model = rig_ball("0.5");
    const carom_sim_options options = control("moreau_midpoint", 1e-5, 0.6);
    carom_sim *sim = make(model, &options);
    rig_run(sim);
    const carom_counts counts = carom_sim_counts(sim);
    const double error = fabs(carom_sim_state(sim)->q[0] - exact);
    // every attempt costs three steps of the scheme
    const long n = 3 * (counts.steps + counts.rejected);
    assert_true(counts.rejected > 0);
    assert_true(error < fabs(fixed_height(model, 0.6 / (double)n, 0.6) - exact));
    assert_true(error < fabs(fixed_height(model, 0.6 / (double)(5 * n), 0.6) - exact));
    carom_sim_free(sim);
    carom_model_free(model);
}

static void impulses_and_losses_of_all_parts_add_up(void **state)
{
    (void)state;
    carom_model *model = rig_ball("0.5");
    for (int k = 0; k < 2; k++) {
        rig_rows rows = {0};
        const carom_sim_options options = control(able[k], 1e-5, 1.2);
        carom_sim *sim = make(model, &options);
        rig_listen(sim, &rows);
        rig_run(sim);
        double P = 0;
        const int column = rig_column(sim, "P_floor");
        for (int i = 0; i < rows.n_row; i++) P += rig_at(&rows, i, column);
        const carom_audit audit = rig_audit(sim);
        // momentum: u = P - g t; energy: both schemes are exact for constant forces
        const double rounding = 1e-15 * rows.n_row * 30;
        assert_true(fabs(carom_sim_state(sim)->u[0] - P + gravity * 1.2) < rounding);
        assert_true(fabs(audit.energy_error) < rounding);
        assert_true(audit.impact_loss > 0.9 * (1 - 1.0 / 16) * gravity);
        carom_sim_free(sim);
        free(rows.value);
    }
    carom_model_free(model);
}

static void a_run_to_rest_ends_and_rests(void **state)
{
    (void)state;
    carom_model *model = rig_ball("0.5");
    // acceleration level and the explicit variant drift at rest, with any step
    static const char *const resting[] = {"moreau_midpoint", "moreau_jean", "tdg_velocity"};
    for (int k = 0; k < 3; k++) {
        const carom_sim_options options = control(resting[k], 1e-5, 5);
        carom_sim *sim = make(model, &options);
        rig_run(sim);
        // infinitely many bounces end at 1.36 s; what is left is within the tolerance of 1 m
        assert_true(fabs(carom_sim_state(sim)->q[0]) < 10 * 1e-5);
        assert_true(carom_sim_counts(sim).steps < 2000);
        carom_sim_free(sim);
    }
    carom_model_free(model);
}

static void rows_lie_on_the_grid_that_was_asked_for(void **state)
{
    (void)state;
    carom_model *model = rig_ball("0.5");
    rig_rows rows = {0};
    carom_sim_options options = control("moreau_midpoint", 1e-5, 1);
    options.output_step = 0.125;
    carom_sim *sim = make(model, &options);
    rig_listen(sim, &rows);
    rig_run(sim);
    assert_int_equal(rows.n_row, 9);
    for (int i = 0; i < 9; i++) assert_true(rig_at(&rows, i, 0) == 0.125 * i);
    carom_sim_free(sim);
    carom_model_free(model);
    free(rows.value);
}

static void steps_never_grow_after_a_rejection_and_stay_within_their_bounds(void **state)
{
    (void)state;
    carom_model *model = rig_block();
    carom_error error = {0};
    const carom_setting setting[] = {{rig_text("max_step"), rig_text("0.01")}};
    carom_sim_options options = control("moreau_midpoint", 1e-5, 1);
    options.setting = setting;
    options.n_setting = 1;
    carom_sim *sim = make(model, &options);
    double before = INFINITY, t = 0;
    long rejected = 0;
    while (!carom_sim_is_done(sim)) {
        rig_ok(carom_sim_step(sim, &error), &error);
        const double h = carom_sim_state(sim)->t - t;
        const bool was_rejected = carom_sim_counts(sim).rejected > rejected;
        assert_true(h <= 0.01 * (1 + 1e-12));
        // five times the last step at most, and not longer than one that came of a rejection
        assert_true(h <= before * (1 + 1e-9));
        before = was_rejected ? h : 5 * h;
        t = carom_sim_state(sim)->t;
        rejected = carom_sim_counts(sim).rejected;
    }
    assert_true(rejected > 0);
    carom_sim_free(sim);
    carom_model_free(model);
}

static void a_restart_has_the_same_bits(void **state)
{
    (void)state;
    carom_model *model = rig_block();
    char path[256];
    carom_error error = {0};
    rig_path(path, sizeof path, "auto.chk");
    const carom_sim_options options = control("moreau_jean", 1e-5, 1);
    for (long n = 1; n < 60; n += 7) {
        carom_sim *whole = make(model, &options), *first = make(model, &options);
        carom_sim *second = make(model, &options);
        rig_run(whole);
        for (long i = 0; i < n; i++) rig_ok(carom_sim_step(first, &error), &error);
        rig_ok(carom_sim_checkpoint(first, path, &error), &error);
        rig_ok(carom_sim_restart(second, path, &error), &error);
        rig_run(second);
        const carom_counts x = carom_sim_counts(whole), y = carom_sim_counts(second);
        assert_memory_equal(&x, &y, sizeof x);
        assert_memory_equal(carom_sim_state(whole)->q, carom_sim_state(second)->q,
                            2 * sizeof(double));
        assert_memory_equal(carom_sim_state(whole)->u, carom_sim_state(second)->u,
                            2 * sizeof(double));
        carom_sim_free(whole);
        carom_sim_free(first);
        carom_sim_free(second);
    }
    unlink(path);
    carom_model_free(model);
}

static void a_controlled_step_allocates_nothing(void **state)
{
    (void)state;
    carom_model *const model[] = {rig_ball("0.5"), rig_block(), rig_pendulum()};
    for (int i = 0; i < 3; i++) {
        const carom_sim_options options = control("moreau_midpoint", 1e-4, 1);
        carom_error error = {0};
        carom_sim *sim = make(model[i], &options);
        const long before = n_allocation;
        assert_true(before > 0);
        rig_ok(carom_sim_run(sim, &error), &error);
        assert_int_equal(n_allocation, before);
        carom_sim_free(sim);
        carom_model_free(model[i]);
    }
}

static void expect_refusal(const carom_sim_options *options, const char *word)
{
    carom_model *model = rig_ball("0.5");
    carom_error error = {0};
    carom_sim *sim = NULL;
    assert_int_equal(carom_sim_new(model, options, &sim, &error), CAROM_BAD_INPUT);
    assert_null(sim);
    assert_non_null(strstr(error.message, word));
    carom_model_free(model);
}

static void wrong_use_is_refused_with_the_way_out(void **state)
{
    (void)state;
    carom_sim_options options = control("schatzman_paoli", 1e-4, 1);
    expect_refusal(&options, "moreau_midpoint");
    options = control("tdg_velocity_adaptive", 1e-4, 1);
    expect_refusal(&options, "chooses its steps itself");
    options = control("moreau_midpoint", 1e-4, 1);
    options.step = 1e-3;
    expect_refusal(&options, "do not go together");
    options = control("moreau_midpoint", -1, 1);
    expect_refusal(&options, "tolerance must be a positive number");
    const carom_setting wrong[] = {{rig_text("atol.z"), rig_text("1e-3")}};
    options = control("moreau_midpoint", 1e-4, 1);
    options.setting = wrong;
    options.n_setting = 1;
    expect_refusal(&options, "there is no coordinate 'z'");
}

static void a_step_that_becomes_too_small_is_given_up_clearly(void **state)
{
    (void)state;
    carom_model *model = pendulum();
    carom_error error = {0};
    const carom_setting setting[] = {{rig_text("min_step"), rig_text("0.1")}};
    carom_sim_options options = control("moreau_midpoint", 1e-8, 2);
    options.setting = setting;
    options.n_setting = 1;
    carom_sim *sim = make(model, &options);
    assert_int_equal(carom_sim_run(sim, &error), CAROM_NOT_CONVERGED);
    assert_non_null(strstr(error.message, "smaller than min_step 0.1"));
    assert_true(carom_sim_state(sim)->t == 0);
    carom_sim_free(sim);
    carom_model_free(model);
}

static void an_absolute_tolerance_loosens_its_coordinate(void **state)
{
    (void)state;
    carom_model *model = pendulum();
    long steps[2];
    for (int i = 0; i < 2; i++) {
        const carom_setting setting[] = {{rig_text("atol.phi"), rig_text("0.1")}};
        carom_sim_options options = control("moreau_midpoint", 1e-6, 2);
        options.setting = setting;
        options.n_setting = i;
        carom_sim *sim = make(model, &options);
        rig_run(sim);
        steps[i] = carom_sim_counts(sim).steps;
        carom_sim_free(sim);
    }
    assert_true(steps[1] < steps[0] / 4);
    carom_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_tolerance_is_1e_4_where_none_is_given),
        cmocka_unit_test(error_of_a_pendulum_follows_the_tolerance_in_five_schemes),
        cmocka_unit_test(impact_times_are_right_within_the_impulsive_step),
        cmocka_unit_test(a_ceiling_in_the_middle_of_a_step_is_met),
        cmocka_unit_test(slips_turn_beside_a_body_that_moves),
        cmocka_unit_test(a_ball_needs_fewer_steps_than_with_a_fixed_step_of_equal_error),
        cmocka_unit_test(impulses_and_losses_of_all_parts_add_up),
        cmocka_unit_test(a_run_to_rest_ends_and_rests),
        cmocka_unit_test(rows_lie_on_the_grid_that_was_asked_for),
        cmocka_unit_test(steps_never_grow_after_a_rejection_and_stay_within_their_bounds),
        cmocka_unit_test(a_restart_has_the_same_bits),
        cmocka_unit_test(a_controlled_step_allocates_nothing),
        cmocka_unit_test(wrong_use_is_refused_with_the_way_out),
        cmocka_unit_test(a_step_that_becomes_too_small_is_given_up_clearly),
        cmocka_unit_test(an_absolute_tolerance_loosens_its_coordinate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
