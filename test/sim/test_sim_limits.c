// SPDX-License-Identifier: Apache-2.0
// Steps that could never reach the end, rows that would fill the disk: refused before the run, or
// where that cannot be known, while it goes.
#include "sim_rig.h"

static carom_model *ball(void)
{
    return rig_model(&(rig_texts){
        .coordinate = {{"y", "1", "0"}},
        .kinetic = "der(y)^2/2",
        .potential = "9.81*y",
        .contact = {{.name = {"floor", {0}}, .gap = {"y", {0}}, .restitution = {"0.5", {0}}}}});
}

static carom_status start(const carom_model *model, const carom_sim_options *options,
                          carom_sim **sim, carom_error *error)
{
    *sim = NULL;
    *error = (carom_error){0};
    return carom_sim_new(model, options, sim, error);
}

static void steps_that_never_reach_the_end_are_refused(void **state)
{
    (void)state;
    carom_error error;
    carom_sim *sim;
    carom_model *model = ball();
    static const char *const scheme[] = {"moreau_midpoint", "event_driven", "tdg_velocity"};
    for (int i = 0; i < 3; i++) {
        carom_sim_options options = carom_sim_default();
        options.scheme = scheme[i];
        options.step = 1e-300;
        options.end = 1;
        assert_int_equal(start(model, &options, &sim, &error), CAROM_BAD_INPUT);
        assert_non_null(strstr(error.message, "step 1e-300 is too small for end 1"));
    }
    const carom_setting shortest = {rig_text("min_step"), rig_text("1e-300")};
    carom_sim_options options = carom_sim_default();
    options.is_auto_step = true;
    options.end = 1;
    options.setting = &shortest;
    options.n_setting = 1;
    assert_int_equal(start(model, &options, &sim, &error), CAROM_BAD_INPUT);
    assert_non_null(strstr(error.message, "min_step 1e-300 is too small for end 1"));
    carom_model_free(model);
}

static carom_status count_row(void *self, const double *value, int n, carom_error *error)
{
    (void)value, (void)n, (void)error;
    ++*(long *)self;
    return CAROM_OK;
}

static void rows_are_limited_before_the_run(void **state)
{
    (void)state;
    carom_error error;
    carom_sim *sim;
    long n = 0;
    carom_model *model = ball();
    const carom_recorder recorder = {.self = &n, .row = count_row};
    carom_limits limits = carom_limits_default();
    carom_sim_options options = carom_sim_default();
    options.limits = &limits;
    options.step = 1e-3;
    options.end = 1;
    limits.rows = 999;
    rig_ok(start(model, &options, &sim, &error), &error);
    assert_int_equal(carom_sim_add_recorder(sim, recorder, &error), CAROM_BAD_INPUT);
    assert_non_null(strstr(error.message, "more than 999 rows (--limit rows=N allows more)"));
    carom_sim_free(sim);
    options.every = 2;
    rig_ok(start(model, &options, &sim, &error), &error);
    rig_ok(carom_sim_add_recorder(sim, recorder, &error), &error);
    rig_ok(carom_sim_run(sim, &error), &error);
    assert_int_equal(n, 501);
    carom_sim_free(sim);
    // a grid of output counts whether or not somebody listens: every step stops at its points
    options = carom_sim_default();
    options.scheme = "event_driven";
    options.tolerance = 1e-6;
    options.end = 1;
    options.output_step = 1e-300;
    assert_int_equal(start(model, &options, &sim, &error), CAROM_BAD_INPUT);
    assert_non_null(strstr(error.message, "output step 1e-300 is too small for end 1"));
    options.limits = &limits;
    options.output_step = 1e-3;
    assert_int_equal(start(model, &options, &sim, &error), CAROM_BAD_INPUT);
    assert_non_null(strstr(error.message, "more than 999 rows (--limit rows=N allows more)"));
    carom_model_free(model);
}

// an adaptive run does not know its steps before
static void rows_are_limited_while_they_come(void **state)
{
    (void)state;
    carom_error error;
    carom_sim *sim;
    long n = 0;
    carom_model *model = ball();
    carom_limits limits = carom_limits_default();
    carom_sim_options options = carom_sim_default();
    options.scheme = "event_driven";
    options.step = 1e-3;
    options.end = 1;
    options.limits = &limits;
    limits.rows = 100;
    rig_ok(start(model, &options, &sim, &error), &error);
    rig_ok(carom_sim_add_recorder(sim, (carom_recorder){.self = &n, .row = count_row}, &error),
           &error);
    assert_int_equal(carom_sim_run(sim, &error), CAROM_BAD_INPUT);
    assert_non_null(strstr(error.message, "the run has recorded more than 100 rows"));
    assert_in_range(n, 100, 102);
    carom_sim_free(sim);
    carom_model_free(model);
}

// a scheme that asks for ever shorter steps, as one does that cannot reach its tolerance
static carom_status shrink(carom_step *s, const carom_state *now, carom_state *next)
{
    next->t = now->t + s->h;
    s->report.h_used = s->h;
    s->report.h_next = now->t == 0 ? 1e-20 : s->h;
    return CAROM_OK;
}

static void time_that_cannot_advance_is_an_error(void **state)
{
    (void)state;
    static const unsigned mask[] = {CAROM_FORCES, 0};
    static const carom_scheme scheme = {
        .name = "shrinking", .mask = mask, .n_eval = 1, .is_adaptive = true, .step = shrink};
    carom_error error;
    carom_sim *sim;
    carom_model *model = rig_model(&(rig_texts){
        .coordinate = {{"y", "1", "0"}}, .kinetic = "der(y)^2/2", .potential = "9.81*y"});
    carom_sim_options options = carom_sim_default();
    options.own_scheme = &scheme;
    options.step = 0.1;
    options.end = 1;
    rig_ok(start(model, &options, &sim, &error), &error);
    assert_int_equal(carom_sim_run(sim, &error), CAROM_NOT_CONVERGED);
    assert_non_null(strstr(error.message, "a step of 1e-20 s is lost in the rounding of t = 0.1"));
    assert_int_equal(carom_sim_counts(sim).steps, 1);
    carom_sim_free(sim);
    carom_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_that_never_reach_the_end_are_refused),
        cmocka_unit_test(rows_are_limited_before_the_run),
        cmocka_unit_test(rows_are_limited_while_they_come),
        cmocka_unit_test(time_that_cannot_advance_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
