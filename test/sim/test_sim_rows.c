// SPDX-License-Identifier: Apache-2.0
// Columns and rows of a simulation: names and order, when rows come, and what stands in them.
#include "sim/sim_rig.h"

static void expect_columns(const carom_sim *sim, const char *const *name, int n)
{
    assert_int_equal(carom_sim_n_column(sim), n);
    for (int i = 0; i < n; i++) assert_string_equal(carom_sim_column(sim, i)->name, name[i]);
    assert_null(carom_sim_column(sim, n));
    assert_null(carom_sim_column(sim, -1));
}

static void columns_of_a_plane_contact_stand_in_the_order_of_the_contract(void **state)
{
    (void)state;
    static const char *const name[] = {"t",          "x",          "y",         "der_x",
                                       "der_y",      "kinetic",    "potential", "energy",
                                       "gap_floor",  "rate_floor", "P_floor",   "la_floor",
                                       "slip_floor", "PT_floor",   "laT_floor", "height"};
    static const char *const unit[] = {"s", "m",   "m",   "m/s", "m/s", "J",   "J", "J",
                                       "m", "m/s", "N s", "N",   "m/s", "N s", "N", ""};
    carom_model *model = rig_block();
    carom_sim *sim = rig_sim(model, 0.01, 0.1, 1);
    expect_columns(sim, name, 16);
    for (int i = 0; i < 16; i++) assert_string_equal(carom_sim_column(sim, i)->unit, unit[i]);
    carom_sim_free(sim);
    carom_model_free(model);
}

static void columns_in_space_are_numbered_and_constraints_have_drift_and_reactions(void **state)
{
    (void)state;
    static const char *const name[] = {
        "t",         "x",      "y",      "z",      "der_x",   "der_y", "der_z",   "kinetic",
        "potential", "energy", "gap_c",  "rate_c", "P_c",     "la_c",  "slip_c1", "slip_c2",
        "PT_c1",     "PT_c2",  "laT_c1", "laT_c2", "drift_k", "P_k",   "la_k"};
    const rig_texts texts = {.coordinate = {{"x", "0", NULL}, {"y", "0", NULL}, {"z", "1", NULL}},
                             .kinetic = "(der(x)^2 + der(y)^2 + der(z)^2)/2",
                             .constraint = {"k", "x - y"},
                             .contact = {{.name = rig_text("c"),
                                          .gap = rig_text("z"),
                                          .n_slip = 2,
                                          .slip = {rig_text("x"), rig_text("y")},
                                          .friction = rig_text("0.1")}}};
    carom_model *model = rig_model(&texts);
    carom_sim *sim = rig_sim(model, 0.01, 0.1, 1);
    expect_columns(sim, name, 23);
    carom_sim_free(sim);
    carom_model_free(model);
}

static void two_columns_with_one_name_are_refused(void **state)
{
    (void)state;
    const rig_texts texts = {.coordinate = {{"x", "1", NULL}, {"der_x", "1", NULL}},
                             .kinetic = "der(x)^2 + der(der_x)^2"};
    carom_model *model = rig_model(&texts);
    carom_sim_options options = carom_sim_default();
    carom_error error = {0};
    carom_sim *sim;
    options.step = options.end = 1;
    assert_int_equal(carom_sim_new(model, &options, &sim, &error), CAROM_BAD_INPUT);
    assert_non_null(strstr(error.message, "'der_x'"));
    assert_null(sim);
    carom_model_free(model);
}

static void rows_show_the_start_every_nth_step_and_the_end(void **state)
{
    (void)state;
    carom_model *model = rig_ball("0.5");
    carom_sim *sim = rig_sim(model, 0.125, 2.25, 5);
    rig_rows rows = {0};
    rig_listen(sim, &rows);
    rig_run(sim);
    // 18 steps: rows at 0, 5, 10, 15 and 18, times exact because 1/8 is
    static const double t[] = {0, 0.625, 1.25, 1.875, 2.25};
    assert_int_equal(rows.n_row, 5);
    for (int i = 0; i < 5; i++) assert_true(rig_at(&rows, i, 0) == t[i]);
    assert_true(rig_at(&rows, 0, 1) == 1);
    assert_true(rig_at(&rows, 4, 1) == carom_sim_state(sim)->q[0]);
    free(rows.value);
    carom_sim_free(sim);
    carom_model_free(model);
}

static void a_run_of_no_steps_has_one_row(void **state)
{
    (void)state;
    carom_model *model = rig_ball("0.5");
    carom_sim *sim = rig_sim(model, 0.125, 0, 1);
    rig_rows rows = {0};
    rig_listen(sim, &rows);
    assert_true(carom_sim_is_done(sim));
    rig_run(sim);
    assert_int_equal(rows.n_row, 1);
    carom_error error = {0};
    assert_int_equal(carom_sim_step(sim, &error), CAROM_BUG);
    free(rows.value);
    carom_sim_free(sim);
    carom_model_free(model);
}

static void impulses_are_summed_since_the_last_row(void **state)
{
    (void)state;
    carom_model *model = rig_block();
    carom_sim *fine = rig_sim(model, 1e-3, 1.003, 1), *coarse = rig_sim(model, 1e-3, 1.003, 7);
    rig_rows all = {0}, some = {0};
    rig_listen(fine, &all);
    rig_listen(coarse, &some);
    rig_run(fine);
    rig_run(coarse);
    const int P = rig_column(fine, "P_floor"), PT = rig_column(fine, "PT_floor");
    assert_int_equal(all.n_row, 1004);
    assert_int_equal(some.n_row, 1 + 143 + 1);
    double total = 0;
    for (int i = 1; i < some.n_row; i++) {
        const int last = i * 7 < all.n_row ? i * 7 : all.n_row - 1;
        double normal = 0, tangential = 0;
        for (int k = (i - 1) * 7 + 1; k <= last; k++) {
            normal += rig_at(&all, k, P);
            tangential += rig_at(&all, k, PT);
        }
        // summed in the same order, so equal to the last bit
        assert_true(rig_at(&some, i, P) == normal);
        assert_true(rig_at(&some, i, PT) == tangential);
        total += normal;
    }
    // the floor takes up the weight, up to the momentum that is left
    const double left = carom_sim_state(fine)->u[1];
    assert_true(fabs(total - 9.81 * 1.003 - left) < 1e-10);
    free(all.value);
    free(some.value);
    carom_sim_free(fine);
    carom_sim_free(coarse);
    carom_model_free(model);
}

static void rows_hold_gap_rate_energy_and_records_of_their_state(void **state)
{
    (void)state;
    carom_model *model = rig_block();
    carom_sim *sim = rig_sim(model, 0.01, 0.3, 1);
    rig_rows rows = {0};
    rig_listen(sim, &rows);
    rig_run(sim);
    for (int i = 0; i < rows.n_row; i++) {
        const double y = rig_at(&rows, i, 2), vx = rig_at(&rows, i, 3), vy = rig_at(&rows, i, 4);
        const double kinetic = (vx * vx + vy * vy) / 2;
        assert_true(fabs(rig_at(&rows, i, 5) - kinetic) <= 1e-15 * kinetic);
        assert_true(fabs(rig_at(&rows, i, 6) - 9.81 * y) <= 1e-14);
        assert_true(rig_at(&rows, i, 7) == rig_at(&rows, i, 5) + rig_at(&rows, i, 6));
        assert_true(rig_at(&rows, i, rig_column(sim, "gap_floor")) == y);
        assert_true(rig_at(&rows, i, rig_column(sim, "rate_floor")) == vy);
        assert_true(rig_at(&rows, i, rig_column(sim, "slip_floor")) == vx);
        assert_true(rig_at(&rows, i, rig_column(sim, "la_floor")) == 0);
        assert_true(rig_at(&rows, i, rig_column(sim, "height")) == y + 0.25);
    }
    free(rows.value);
    carom_sim_free(sim);
    carom_model_free(model);
}

static void a_row_that_cannot_be_kept_leaves_the_state_as_it_was(void **state)
{
    (void)state;
    carom_model *model = rig_block();
    carom_sim *sim = rig_sim(model, 0.01, 1, 1), *whole = rig_sim(model, 0.01, 1, 1);
    rig_rows rows = {.fail_at = 31}, more = {0};
    carom_error error = {0};
    rig_listen(sim, &rows);
    assert_int_equal(carom_sim_run(sim, &error), CAROM_IO);
    assert_int_equal(carom_sim_counts(sim).steps, 29);
    assert_true(carom_sim_state(sim)->q[1] == rig_at(&rows, 29, 2));
    // once there is room the run goes on as if nothing had been
    rows.fail_at = 0;
    rig_run(sim);
    rig_listen(whole, &more);
    rig_run(whole);
    assert_int_equal(rows.n_row, more.n_row);
    assert_memory_equal(rows.value, more.value,
                        sizeof(double) * (size_t)(more.n_row * more.n_column));
    free(rows.value);
    free(more.value);
    carom_sim_free(sim);
    carom_sim_free(whole);
    carom_model_free(model);
}

static void a_fixed_step_takes_an_output_step_of_whole_steps_only(void **state)
{
    (void)state;
    carom_model *model = rig_ball("0");
    carom_error error = {0};
    carom_sim *sim;
    carom_sim_options options = carom_sim_default();
    options.step = 0.01;
    options.end = 1;
    options.output_step = 0.05;
    rig_ok(carom_sim_new(model, &options, &sim, &error), &error);
    rig_rows rows = {0};
    rig_listen(sim, &rows);
    rig_run(sim);
    assert_int_equal(rows.n_row, 21);
    free(rows.value);
    carom_sim_free(sim);
    options.output_step = 0.015;
    assert_int_equal(carom_sim_new(model, &options, &sim, &error), CAROM_BAD_INPUT);
    assert_non_null(strstr(error.message, "whole number of steps"));
    carom_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_of_a_plane_contact_stand_in_the_order_of_the_contract),
        cmocka_unit_test(columns_in_space_are_numbered_and_constraints_have_drift_and_reactions),
        cmocka_unit_test(two_columns_with_one_name_are_refused),
        cmocka_unit_test(rows_show_the_start_every_nth_step_and_the_end),
        cmocka_unit_test(a_run_of_no_steps_has_one_row),
        cmocka_unit_test(impulses_are_summed_since_the_last_row),
        cmocka_unit_test(rows_hold_gap_rate_energy_and_records_of_their_state),
        cmocka_unit_test(a_row_that_cannot_be_kept_leaves_the_state_as_it_was),
        cmocka_unit_test(a_fixed_step_takes_an_output_step_of_whole_steps_only),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
