// SPDX-License-Identifier: Apache-2.0
// When steps end: whole numbers of steps, shorter last steps, and refusals of
// steps that make no sense.
#include "sim/sim_rig.h"

static void expect(const carom_model *model, double step, double end, long steps)
{
    carom_sim *sim = rig_sim(model, step, end, 1);
    rig_run(sim);
    assert_int_equal(carom_sim_counts(sim).steps, steps);
    assert_true(carom_sim_state(sim)->t == end);
    carom_sim_free(sim);
}

static void the_end_is_met_exactly_by_whole_steps_where_they_fit(void **state)
{
    (void)state;
    carom_model *model = rig_ball("0.5");
    expect(model, 0.1, 1, 10);
    expect(model, 0.1, 0.3, 3);
    expect(model, 1e-3, 4, 4000);
    expect(model, 1.0 / 3, 1, 3);
    expect(model, 0.1 * (1 + 1e-10), 1, 10); // whole to 1e-9
    expect(model, 0.1 * (1 - 1e-10), 1, 10);
    expect(model, 0.1 * (1 - 1e-8), 1, 11); // not whole: a shorter step at the end
    expect(model, 0.3, 1, 4);
    expect(model, 2, 1, 1);
    carom_model_free(model);
}

static void times_of_steps_are_multiples_not_sums(void **state)
{
    (void)state;
    carom_model *model = rig_ball("0.5");
    carom_sim *sim = rig_sim(model, 0.1, 100, 1);
    carom_error error = {0};
    for (int k = 1; k < 1000; k++) {
        rig_ok(carom_sim_step(sim, &error), &error);
        assert_true(carom_sim_state(sim)->t == k * 0.1);
    }
    carom_sim_free(sim);
    carom_model_free(model);
}

static void a_shorter_last_step_moves_by_its_own_length(void **state)
{
    (void)state;
    const rig_texts texts = {.coordinate = {{"x", "0", "1"}}, .kinetic = "der(x)^2/2"};
    carom_model *model = rig_model(&texts);
    carom_sim *sim = rig_sim(model, 0.3, 1, 1);
    rig_run(sim);
    assert_true(fabs(carom_sim_state(sim)->q[0] - 1) < 1e-15);
    carom_sim_free(sim);
    carom_model_free(model);
}

static void refuse(const carom_model *model, const carom_sim_options *options, const char *words)
{
    carom_error error = {0};
    carom_sim *sim;
    assert_int_equal(carom_sim_new(model, options, &sim, &error), CAROM_BAD_INPUT);
    assert_null(sim);
    if (!strstr(error.message, words)) fail_msg("'%s' is not in '%s'", words, error.message);
}

static void steps_that_make_no_sense_are_refused_with_the_way_out(void **state)
{
    (void)state;
    carom_model *model = rig_ball("0.5");
    carom_sim_options options = carom_sim_default();
    options.end = 1;
    refuse(model, &options, "give --step or run: {step: ...}");
    options.step = -1;
    refuse(model, &options, "step must be a positive number");
    options.step = NAN;
    refuse(model, &options, "step must be a positive number");
    options.step = 1e-300;
    refuse(model, &options, "too small");
    options.step = 0.1;
    options.end = -1;
    refuse(model, &options, "end must be");
    options.end = 1;
    options.every = 0;
    refuse(model, &options, "every must be 1 or more");
    options.every = 1;
    options.tolerance = 1e-6;
    refuse(model, &options, "fixed step");
    carom_model_free(model);
}

static void names_that_do_not_exist_are_refused_with_a_suggestion(void **state)
{
    (void)state;
    carom_model *model = rig_ball("0.5");
    carom_sim_options options = carom_sim_default();
    options.end = options.step = 1;
    options.scheme = "moreau_midpont";
    refuse(model, &options, "did you mean 'moreau_midpoint'?");
    options.scheme = NULL;
    options.solver = "no_such_solver";
    refuse(model, &options, "no_such_solver");
    options.solver = NULL;
    carom_setting setting = {rig_text("thta"), rig_text("1")};
    options.setting = &setting;
    options.n_setting = 1;
    refuse(model, &options, "thta");
    setting.name = rig_text("solver.no_such_option");
    refuse(model, &options, "no_such_option");
    carom_model_free(model);
}

static carom_status stay(carom_step *s, const carom_state *now, carom_state *next)
{
    (void)s, (void)now, (void)next;
    return CAROM_OK;
}

static void a_scheme_is_not_given_what_it_cannot_do(void **state)
{
    (void)state;
    carom_model *block = rig_block(), *pendulum = rig_pendulum();
    carom_scheme own = {.name = "own", .step = stay};
    carom_sim_options options = carom_sim_default();
    options.end = options.step = 1;
    options.own_scheme = &own;
    refuse(block, &options, "own cannot do contacts");
    refuse(pendulum, &options, "own cannot do constraints");
    own.has_contact = true;
    refuse(block, &options, "contact 'floor' has friction 0.4");
    carom_model_free(block);
    carom_model_free(pendulum);
}

// says how far it got and what it would like next, as adaptive schemes do
static carom_status adapt(carom_step *s, const carom_state *now, carom_state *next)
{
    next->t = now->t + s->h;
    next->q[0] = now->q[0] + s->h * now->u[0];
    s->report.h_next = 0.03;
    return CAROM_OK;
}

static void adaptive_schemes_meet_the_output_grid_and_the_end(void **state)
{
    (void)state;
    const rig_texts texts = {.coordinate = {{"x", "0", "1"}}, .kinetic = "der(x)^2/2"};
    const carom_scheme own = {.name = "own", .is_adaptive = true, .step = adapt};
    carom_model *model = rig_model(&texts);
    carom_sim_options options = carom_sim_default();
    carom_error error = {0};
    carom_sim *sim;
    options.own_scheme = &own;
    options.end = 1.05;
    options.output_step = 0.1;
    rig_ok(carom_sim_new(model, &options, &sim, &error), &error);
    rig_rows rows = {0};
    rig_listen(sim, &rows);
    rig_run(sim);
    assert_int_equal(rows.n_row, 12);
    for (int i = 0; i < 11; i++) assert_true(rig_at(&rows, i, 0) == i * 0.1);
    assert_true(rig_at(&rows, 11, 0) == 1.05);
    // one step of 0.1, then 0.03 three times and the rest of 0.01; at last 0.03 and 0.02
    assert_int_equal(carom_sim_counts(sim).steps, 1 + 9 * 4 + 2);
    assert_true(fabs(carom_sim_state(sim)->q[0] - 1.05) < 1e-14);
    free(rows.value);
    carom_sim_free(sim);
    carom_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_end_is_met_exactly_by_whole_steps_where_they_fit),
        cmocka_unit_test(times_of_steps_are_multiples_not_sums),
        cmocka_unit_test(a_shorter_last_step_moves_by_its_own_length),
        cmocka_unit_test(steps_that_make_no_sense_are_refused_with_the_way_out),
        cmocka_unit_test(names_that_do_not_exist_are_refused_with_a_suggestion),
        cmocka_unit_test(a_scheme_is_not_given_what_it_cannot_do),
        cmocka_unit_test(adaptive_schemes_meet_the_output_grid_and_the_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
