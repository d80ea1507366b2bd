// SPDX-License-Identifier: Apache-2.0
// Studies of convergence: errors against closed forms, orders, norms that make sense for jumps, and
// clear refusals.
#include "sim/sim_rig.h"

#include "analysis/kept_motion.h"

static carom_study_run plan(const char *scheme, double step, double end)
{
    carom_study_run run = {.options = carom_sim_default()};
    run.options.scheme = scheme;
    run.options.step = step;
    run.options.end = end;
    return run;
}

static void study(const carom_model *model, carom_study *s)
{
    carom_error error = {0};
    rig_ok(carom_converge(model, s, &error), &error);
}

// x = cos t; the closed form is recorded where it is wanted
static carom_model *oscillator(bool has_exact)
{
    rig_texts texts = {.coordinate = {{"x", "1", "0"}},
                       .kinetic = "der(x)^2/2",
                       .potential = "x^2/2",
                       .record = {"exact_x", "cos(t)"}};
    if (!has_exact) texts.record[0] = NULL;
    return rig_model(&texts);
}

static void errors_against_the_closed_form_have_the_declared_order(void **state)
{
    (void)state;
    static const char *const scheme[] = {"moreau_jean_explicit", "moreau_midpoint", "tdg_velocity"};
    carom_model *model = oscillator(true);
    for (int k = 0; k < 3; k++)
        for (int norm = CAROM_NORM_END; norm <= CAROM_NORM_TABLE; norm++) {
            carom_study_run run[2] = {plan(scheme[k], 0.01, 1), plan(scheme[k], 0.001, 1)};
            carom_study s = {.norm = (carom_norm)norm, .is_exact = true, .run = run, .n_run = 2};
            if (norm == CAROM_NORM_GRAPH) continue;
            study(model, &s);
            const int p = carom_scheme_find(scheme[k])->order_free;
            assert_true(isnan(run[0].order));
            assert_true(fabs(run[1].order - p) < 0.1);
            assert_int_equal(run[1].counts.steps, 1000);
        }
    carom_model_free(model);
}

static void a_fine_run_is_as_good_a_reference_as_the_closed_form(void **state)
{
    (void)state;
    carom_model *model = oscillator(true);
    carom_study_run exact = plan("moreau_midpoint", 0.01, 1), fine = exact;
    carom_study a = {.norm = CAROM_NORM_PATH, .is_exact = true, .run = &exact, .n_run = 1};
    carom_study b = {.norm = CAROM_NORM_PATH, .run = &fine, .n_run = 1};
    b.reference = plan("moreau_midpoint", 1e-4, 1);
    study(model, &a);
    study(model, &b);
    // the reference is (1e-4/1e-2)^2 as wrong as the run
    assert_true(fabs(exact.error - fine.error) <= 1.1e-4 * exact.error);
    assert_int_equal(b.reference.counts.steps, 10000);
    carom_model_free(model);
}

static void the_table_norm_is_the_spectral_norm_of_all_rows(void **state)
{
    (void)state;
    // rows (3, 0), (0, 4), (0, 0): singular values 4 and 3
    double gram[4] = {9, 0, 0, 16}, work[8];
    assert_true(fabs(carom_motion_spectral(gram, 2, work) - 4) < 1e-14);
    // rows (1, 1), (1, 1): 2
    double equal[4] = {2, 0, 2, 2};
    assert_true(fabs(carom_motion_spectral(equal, 2, work) - 2) < 1e-14);
    // with one coordinate it is the root of the sum of squares
    carom_model *model = oscillator(true);
    carom_study_run run = plan("moreau_jean_explicit", 0.25, 1);
    carom_study s = {.norm = CAROM_NORM_TABLE, .is_exact = true, .run = &run, .n_run = 1};
    study(model, &s);
    double x = 1, u = 0, sum = 0;
    for (int k = 1; k <= 4; k++) {
        const double x_next = x + 0.25 * u;
        u -= 0.25 * x;
        x = x_next;
        sum += (x - cos(0.25 * k)) * (x - cos(0.25 * k));
    }
    assert_true(fabs(run.error - sqrt(sum)) < 1e-13);
    carom_model_free(model);
}

static void a_late_jump_is_a_small_error_in_the_graph_norm(void **state)
{
    (void)state;
    carom_motion a = carom_motion_make(1, 1), b = carom_motion_make(1, 1);
    // the velocity jumps from -1 to 1 at 0.5, in b at 0.51
    for (int k = 0; k <= 1000; k++) {
        const double t = 0.001 * k, q = fabs(t - 0.5), r = fabs(t - 0.51);
        const double u = t < 0.5 ? -1 : 1, w = t < 0.51 ? -1 : 1;
        assert_true(carom_motion_add(&a, t, &q, &u));
        assert_true(carom_motion_add(&b, t, &r, &w));
    }
    const double distance = carom_motion_distance(&a, &b);
    // 0.01 in t and at most 0.01 in q of 0.51
    assert_true(distance >= 0.005 && distance <= hypot(0.01, 0.01 / 0.5));
    assert_true(carom_motion_distance(&a, &a) == 0);
    carom_motion_free(&a);
    carom_motion_free(&b);
}

static void a_bouncing_ball_converges_in_positions_and_in_the_graph(void **state)
{
    (void)state;
    carom_model *model = rig_ball("0.5");
    for (int norm = CAROM_NORM_PATH; norm <= CAROM_NORM_GRAPH; norm++) {
        carom_study_run run[2] = {plan("moreau_midpoint", 1e-2, 0.8),
                                  plan("moreau_midpoint", 1e-3, 0.8)};
        carom_study s = {.norm = (carom_norm)norm, .run = run, .n_run = 2};
        s.reference = plan("moreau_midpoint", 1e-4, 0.8);
        study(model, &s);
        // the impact is at most a step late, and moves the path by the jump 1.5 * 4.43 m/s
        assert_true(run[0].error < 2 * 1e-2 * 1.5 * 4.43);
        assert_true(run[1].error < 2 * 1e-3 * 1.5 * 4.43);
    }
    carom_model_free(model);
}

static void runs_with_their_own_times_are_compared_on_the_path_and_refused_by_the_table(
    void **state)
{
    (void)state;
    carom_model *model = rig_ball("0.5");
    carom_study_run run = plan("tdg_velocity_adaptive", 1e-3, 0.8);
    carom_study s = {.norm = CAROM_NORM_PATH, .run = &run, .n_run = 1};
    s.reference = plan("tdg_velocity", 1e-5, 0.8);
    study(model, &s);
    assert_true(run.is_done && run.error < 2 * 1e-4 * 1.5 * 4.43);
    run = plan("tdg_velocity_adaptive", 1e-3, 0.8);
    s.norm = CAROM_NORM_TABLE;
    study(model, &s);
    assert_true(!run.is_done && isnan(run.error));
    assert_non_null(strstr(run.failure.message, "chooses its own times"));
    run = plan("tdg_velocity", 1.5e-5, 0.8);
    study(model, &s);
    assert_non_null(strstr(run.failure.message, "multiples of the reference's"));
    carom_model_free(model);
}

static void what_cannot_be_compared_is_said(void **state)
{
    (void)state;
    carom_model *model = oscillator(false), *exact = oscillator(true);
    carom_study_run run = plan("moreau_midpoint", 0.1, 1);
    carom_study s = {.norm = CAROM_NORM_PATH, .is_exact = true, .run = &run, .n_run = 1};
    carom_error error = {0};
    assert_int_equal(carom_converge(model, &s, &error), CAROM_BAD_INPUT);
    assert_non_null(strstr(error.message, "exact_x"));
    error = (carom_error){0};
    s.norm = CAROM_NORM_GRAPH;
    assert_int_equal(carom_converge(exact, &s, &error), CAROM_BAD_INPUT);
    assert_non_null(strstr(error.message, "velocities"));
    carom_model_free(model);
    carom_model_free(exact);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(errors_against_the_closed_form_have_the_declared_order),
        cmocka_unit_test(a_fine_run_is_as_good_a_reference_as_the_closed_form),
        cmocka_unit_test(the_table_norm_is_the_spectral_norm_of_all_rows),
        cmocka_unit_test(a_late_jump_is_a_small_error_in_the_graph_norm),
        cmocka_unit_test(a_bouncing_ball_converges_in_positions_and_in_the_graph),
        cmocka_unit_test(
            runs_with_their_own_times_are_compared_on_the_path_and_refused_by_the_table),
        cmocka_unit_test(what_cannot_be_compared_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
