// SPDX-License-Identifier: Apache-2.0
// Steps that fail: the state is as before, the message says when and where, and a
// watch can stop a run.
#include "sim/sim_rig.h"

// falls freely, until the fifth step breaks in the way that option 0 says
static carom_status fall(carom_step *s, const carom_state *now, carom_state *next)
{
    for (int i = 0; i < s->size.nu; i++) {
        next->u[i] = now->u[i] - s->h * 9.81;
        next->q[i] = now->q[i] + s->h * next->u[i];
    }
    if (now->t < 0.35) return CAROM_OK;
    if (s->option[0] == 0) next->u[0] = NAN;
    if (s->option[0] == 1) next->q[0] = INFINITY;
    if (s->option[0] == 2)
        return carom_fail(s->error, CAROM_NOT_CONVERGED, "Newton gave up after 50 rounds");
    return CAROM_OK;
}

static const carom_option rows[] = {
    {.name = "way", .kind = CAROM_INTEGER, .high = 5, .help = "how to break"}, {.name = NULL}};
static const carom_scheme own = {.name = "own", .has_contact = true, .option = rows, .step = fall};

static carom_sim *breaking(const carom_model *model, const char *way)
{
    const carom_setting setting = {rig_text("way"), rig_text(way)};
    carom_sim_options options = carom_sim_default();
    carom_error error = {0};
    carom_sim *sim;
    options.own_scheme = &own;
    options.step = 0.1;
    options.end = 1;
    options.setting = &setting;
    options.n_setting = 1;
    rig_ok(carom_sim_new(model, &options, &sim, &error), &error);
    return sim;
}

static void expect_break(const char *way, carom_status status, const char *words)
{
    carom_model *model = rig_ball("0");
    carom_sim *sim = breaking(model, way);
    carom_error error = {0};
    assert_int_equal(carom_sim_run(sim, &error), status);
    if (!strstr(error.message, words)) fail_msg("'%s' is not in '%s'", words, error.message);
    assert_non_null(strstr(error.message, "step 5 from t = 0.4"));
    assert_non_null(strstr(error.message, "x = 0.019")); // 1 - 9.81 (0.1^2 + ... 4 terms)
    assert_non_null(strstr(error.message, "der(x) = -3.924"));
    assert_null(strchr(error.message, '\n'));
    assert_int_equal(carom_sim_counts(sim).steps, 4);
    assert_true(carom_sim_state(sim)->t == 4 * 0.1);
    assert_true(isfinite(carom_sim_state(sim)->q[0]) && isfinite(carom_sim_state(sim)->u[0]));
    carom_sim_free(sim);
    carom_model_free(model);
}

static void numbers_that_are_not_finite_stop_the_run_with_time_and_state(void **state)
{
    (void)state;
    expect_break("0", CAROM_NOT_FINITE, "der(x) became nan");
    expect_break("1", CAROM_NOT_FINITE, "x became inf");
}

static void a_scheme_that_gives_up_stops_the_run_with_its_reason(void **state)
{
    (void)state;
    expect_break("2", CAROM_NOT_CONVERGED, "Newton gave up after 50 rounds");
}

static void a_run_that_breaks_between_rows_still_shows_its_last_state(void **state)
{
    (void)state;
    carom_model *model = rig_ball("0");
    const carom_setting setting = {rig_text("way"), rig_text("0")};
    carom_sim_options options = carom_sim_default();
    carom_error error = {0};
    carom_sim *sim;
    options.own_scheme = &own;
    options.step = 0.1;
    options.end = 1;
    options.every = 3;
    options.setting = &setting;
    options.n_setting = 1;
    rig_ok(carom_sim_new(model, &options, &sim, &error), &error);
    rig_rows seen = {0};
    rig_listen(sim, &seen);
    assert_int_equal(carom_sim_run(sim, &error), CAROM_NOT_FINITE);
    assert_int_equal(seen.n_row, 3);
    assert_true(rig_at(&seen, 2, 0) == 4 * 0.1);
    free(seen.value);
    carom_sim_free(sim);
    carom_model_free(model);
}

// x = 1 - t: the square root of x ends at t = 1
static carom_model *rooted(bool is_gap)
{
    rig_texts texts = {.coordinate = {{"x", "1", "-1"}}, .kinetic = "der(x)^2/2"};
    if (is_gap)
        texts.contact[0] =
            (carom_contact_text){.name = rig_text("wall"), .gap = rig_text("sqrt(x) + 1")};
    else
        texts.record[0] = "root", texts.record[1] = "sqrt(x)";
    return rig_model(&texts);
}

static void a_gap_that_is_not_finite_stops_the_run_with_its_name(void **state)
{
    (void)state;
    carom_model *model = rooted(true);
    carom_sim *sim = rig_sim(model, 0.25, 2, 1);
    carom_error error = {0};
    assert_int_equal(carom_sim_run(sim, &error), CAROM_NOT_FINITE);
    assert_non_null(strstr(error.message, "step 5 from t = 1 failed"));
    assert_non_null(strstr(error.message, "wall"));
    assert_true(carom_sim_state(sim)->t == 1);
    carom_sim_free(sim);
    carom_model_free(model);
}

static void a_record_that_is_not_finite_is_shown_and_does_no_harm(void **state)
{
    (void)state;
    carom_model *model = rooted(false);
    carom_sim *sim = rig_sim(model, 0.25, 2, 1);
    rig_rows seen = {0};
    rig_listen(sim, &seen);
    rig_run(sim);
    assert_int_equal(seen.n_row, 9);
    for (int i = 0; i < 9; i++)
        assert_int_equal(isnan(rig_at(&seen, i, rig_column(sim, "root"))) != 0, i > 4);
    free(seen.value);
    carom_sim_free(sim);
    carom_model_free(model);
}

static bool stop_at_once(void *self, double t, double end, long steps)
{
    long *seen = self;
    assert_true(t >= 0 && t <= end);
    *seen = steps;
    return true;
}

static void a_watch_stops_a_run_which_can_go_on_later(void **state)
{
    (void)state;
    carom_model *model = rig_ball("0.5");
    carom_sim *sim = rig_sim(model, 1e-8, 100, 1);
    carom_error error = {0};
    long seen = 0;
    carom_sim_set_watch(sim, (carom_watch){.self = &seen, .tick = stop_at_once});
    assert_int_equal(carom_sim_run(sim, &error), CAROM_STOPPED);
    assert_int_equal(carom_sim_counts(sim).steps, seen);
    assert_true(seen > 0 && !carom_sim_is_done(sim));
    assert_int_equal(carom_sim_run(sim, &error), CAROM_STOPPED);
    assert_true(carom_sim_counts(sim).steps > 0);
    assert_true(carom_sim_times(sim).stepping > 0);
    carom_sim_free(sim);
    carom_model_free(model);
}

static void a_fifth_recorder_is_refused(void **state)
{
    (void)state;
    carom_model *model = rig_ball("0.5");
    carom_sim *sim = rig_sim(model, 0.1, 1, 1);
    carom_error error = {0};
    for (int i = 0; i < 4; i++)
        assert_int_equal(carom_sim_add_recorder(sim, (carom_recorder){0}, &error), CAROM_OK);
    assert_int_equal(carom_sim_add_recorder(sim, (carom_recorder){0}, &error), CAROM_BUG);
    carom_sim_free(sim);
    carom_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_that_are_not_finite_stop_the_run_with_time_and_state),
        cmocka_unit_test(a_scheme_that_gives_up_stops_the_run_with_its_reason),
        cmocka_unit_test(a_run_that_breaks_between_rows_still_shows_its_last_state),
        cmocka_unit_test(a_gap_that_is_not_finite_stops_the_run_with_its_name),
        cmocka_unit_test(a_record_that_is_not_finite_is_shown_and_does_no_harm),
        cmocka_unit_test(a_watch_stops_a_run_which_can_go_on_later),
        cmocka_unit_test(a_fifth_recorder_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
