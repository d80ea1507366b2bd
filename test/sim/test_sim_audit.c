// SPDX-License-Identifier: Apache-2.0
// The audit: where the energy went, how far laws were broken, and what was counted.
#include "sim/sim_rig.h"

static carom_audit run(const carom_model *model, double step, double end)
{
    carom_sim *sim = rig_sim(model, step, end, 1);
    rig_run(sim);
    const carom_audit audit = rig_audit(sim);
    carom_sim_free(sim);
    return audit;
}

static carom_model *oscillator(const char *force)
{
    const rig_texts texts = {.coordinate = {{"x", "1", "0"}},
                             .kinetic = "der(x)^2/2",
                             .potential = "9*x^2/2",
                             .force = {{"x", force}}};
    return rig_model(&texts);
}

static void work_of_a_driving_force_is_balanced_to_second_order(void **state)
{
    (void)state;
    carom_model *model = oscillator("2*cos(4*t)");
    const carom_audit a = run(model, 1.0 / 64, 4), b = run(model, 1.0 / 128, 4),
                      c = run(model, 1.0 / 256, 4);
    assert_true(fabs(a.work) > 0.1);
    assert_true(fabs(a.energy_end - a.energy_start - a.work - a.energy_error) < 1e-13);
    // halving the step quarters the error, up to the next power: (4 + 8 c h)/(1 + c h), c of order
    // w = 3
    assert_true(fabs(c.energy_error) < 0.01 * fabs(c.work));
    assert_true(fabs(a.energy_error / b.energy_error - 4) < 4 * 3.0 / 64);
    assert_true(fabs(b.energy_error / c.energy_error - 4) < 4 * 3.0 / 128);
    carom_model_free(model);
}

// a rod that turns at 3 rad/s works on the bead that slides out along it: w d(r^2 w)/dt, with
// r = cosh(3 t) + sinh(3 t)/30, although the start has 9 J of what the turning gives
static void a_turning_rod_works_on_its_bead(void **state)
{
    (void)state;
    const rig_texts texts = {.coordinate = {{"r", "1", "0.1"}},
                             .kinetic = "(der(r)^2 + (3*r)^2)/2"};
    carom_model *model = rig_model(&texts);
    const carom_audit audit = run(model, 1e-3, 0.5);
    const double r = cosh(1.5) + sinh(1.5) / 30;
    assert_true(fabs(audit.work - 9 * (r * r - 1)) < 1e-3);
    assert_true(fabs(audit.energy_error) < 1e-3);
    assert_true(fabs(audit.energy_start - 4.505) < 1e-12);
    carom_model_free(model);
}

static void work_of_damping_is_negative_and_balanced_to_the_order_of_the_scheme(void **state)
{
    (void)state;
    carom_model *model = oscillator("-0.5*der(x)");
    const carom_audit a = run(model, 1.0 / 512, 4), b = run(model, 1.0 / 1024, 4);
    assert_true(a.work < -1);
    // Moreau's rule takes the damping at the old velocity: first order
    assert_true(fabs(a.energy_error) < 0.01 * fabs(a.work));
    assert_true(fabs(a.energy_error / b.energy_error - 2) < 2 * 3.0 / 512 * 3);
    carom_model_free(model);
}

static void a_moving_floor_does_the_work_that_the_energy_shows(void **state)
{
    (void)state;
    const rig_texts texts = {.coordinate = {{"x", "0.2", NULL}},
                             .kinetic = "der(x)^2/2",
                             .potential = "9.81*x",
                             .contact = {{.name = rig_text("floor"),
                                          .gap = rig_text("x - 0.05*sin(20*t)"),
                                          .restitution = rig_text("0.7")}}};
    carom_model *model = rig_model(&texts);
    // forces are constant here, so Moreau's rule keeps the balance to rounding
    const carom_audit audit = run(model, 1e-3, 3);
    assert_true(audit.work > 0.1);
    assert_true(audit.impact_loss > 0.1);
    assert_true(audit.friction_loss == 0);
    assert_true(fabs(audit.energy_error) < 1e-11);
    carom_model_free(model);
}

static void friction_and_impact_take_all_that_is_lost(void **state)
{
    (void)state;
    carom_model *model = rig_block();
    const carom_audit audit = run(model, 1e-3, 2);
    assert_true(audit.impact_loss > 0 && audit.friction_loss > 0);
    assert_true(audit.work == 0);
    assert_true(fabs(audit.energy_error) < 1e-12);
    assert_true(audit.energy_start == 2 + 9.81 * 0.1);
    assert_true(audit.energy_end == audit.kinetic_end + audit.potential_end);
    // the block is at rest at the end: everything but its potential energy is gone
    assert_true(fabs(audit.kinetic_end) < 1e-20);
    assert_true(audit.residual <= 1e-9);
    assert_true(audit.cone_violation <= 1e-12);
    assert_true(audit.max_drift == 0);
    carom_model_free(model);
}

static void min_gap_is_the_smallest_of_start_and_all_step_ends(void **state)
{
    (void)state;
    carom_model *model = rig_ball("0.6");
    carom_sim *sim = rig_sim(model, 0.01, 2, 1);
    rig_rows rows = {0};
    rig_listen(sim, &rows);
    rig_run(sim);
    double least = INFINITY, gap = 0;
    for (int i = 0; i < rows.n_row; i++) least = fmin(least, rig_at(&rows, i, 1));
    carom_audit audit;
    carom_error error = {0};
    rig_ok(carom_sim_audit(sim, &audit, &gap, &error), &error);
    assert_true(audit.min_gap == least);
    assert_true(gap == carom_sim_state(sim)->q[0]);
    free(rows.value);
    carom_sim_free(sim);
    carom_model_free(model);
}

static void max_drift_is_the_largest_of_start_and_all_step_ends(void **state)
{
    (void)state;
    carom_model *model = rig_pendulum();
    carom_sim *sim = rig_sim(model, 0.01, 2, 1);
    rig_rows rows = {0};
    rig_listen(sim, &rows);
    rig_run(sim);
    double most = 0;
    const int drift = rig_column(sim, "drift_rod");
    for (int i = 0; i < rows.n_row; i++) most = fmax(most, fabs(rig_at(&rows, i, drift)));
    assert_true(most > 0);
    assert_true(rig_audit(sim).max_drift == most);
    assert_true(isinf(rig_audit(sim).min_gap));
    free(rows.value);
    carom_sim_free(sim);
    carom_model_free(model);
}

static void impact_steps_are_those_whose_step_before_had_no_impulse(void **state)
{
    (void)state;
    carom_model *model = rig_ball("0.5");
    carom_sim *sim = rig_sim(model, 1e-3, 3, 1);
    rig_rows rows = {0};
    rig_listen(sim, &rows);
    rig_run(sim);
    const int P = rig_column(sim, "P_floor");
    long impact = 0, contact = 0;
    for (int i = 1; i < rows.n_row; i++) {
        contact += rig_at(&rows, i, P) > 0;
        impact += rig_at(&rows, i, P) > 0 && !(rig_at(&rows, i - 1, P) > 0);
    }
    const carom_counts counts = carom_sim_counts(sim);
    assert_true(impact > 3 && contact > impact);
    assert_int_equal(counts.steps, 3000);
    assert_int_equal(counts.impact_steps, impact);
    assert_int_equal(counts.contact_steps, contact);
    assert_int_equal(counts.unconverged, 0);
    free(rows.value);
    carom_sim_free(sim);
    carom_model_free(model);
}

// a scheme that only reports: what it says must come out in the audit
static carom_status report(carom_step *s, const carom_state *now, carom_state *next)
{
    next->q[0] = now->q[0] + s->h * now->u[0];
    next->P[0] = s->report.iterations = 1;
    s->report.is_converged = now->t > 0.45;
    s->report.residual = now->t;
    s->report.cone = 2 * now->t;
    s->report.impact_loss = 0.1;
    s->report.friction_loss = 1e-17;
    s->report.obstacle_work = 0.25;
    s->report.has_impact = now->t < 0.25;
    return CAROM_OK;
}

static void reports_of_a_scheme_are_summed_without_rounding(void **state)
{
    (void)state;
    const carom_scheme own = {
        .name = "own", .has_contact = true, .separates_impact = true, .step = report};
    carom_model *model = rig_ball("0");
    carom_sim_options options = carom_sim_default();
    carom_error error = {0};
    carom_sim *sim;
    options.own_scheme = &own;
    options.step = 0.1;
    options.end = 1;
    rig_ok(carom_sim_new(model, &options, &sim, &error), &error);
    rig_run(sim);
    const carom_audit audit = rig_audit(sim);
    const carom_counts counts = carom_sim_counts(sim);
    assert_int_equal(counts.unconverged, 5);
    assert_int_equal(counts.solver_iterations, 10);
    assert_int_equal(counts.impact_steps, 3);
    assert_int_equal(counts.contact_steps, 10);
    assert_true(audit.residual == 9 * 0.1 && audit.cone_violation == 2 * (9 * 0.1));
    assert_true(audit.impact_loss == 1); // ten times 0.1, which a plain sum misses
    assert_true(audit.work == 2.5);
    carom_sim_free(sim);
    carom_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(work_of_a_driving_force_is_balanced_to_second_order),
        cmocka_unit_test(a_turning_rod_works_on_its_bead),
        cmocka_unit_test(work_of_damping_is_negative_and_balanced_to_the_order_of_the_scheme),
        cmocka_unit_test(a_moving_floor_does_the_work_that_the_energy_shows),
        cmocka_unit_test(friction_and_impact_take_all_that_is_lost),
        cmocka_unit_test(min_gap_is_the_smallest_of_start_and_all_step_ends),
        cmocka_unit_test(max_drift_is_the_largest_of_start_and_all_step_ends),
        cmocka_unit_test(impact_steps_are_those_whose_step_before_had_no_impulse),
        cmocka_unit_test(reports_of_a_scheme_are_summed_without_rounding),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
