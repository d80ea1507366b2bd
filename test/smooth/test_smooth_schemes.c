// SPDX-License-Identifier: Apache-2.0
// counts allocations: the smooth solvers as schemes of a simulation, with a fixed and with a
// controlled step: work, refusals, restarts, points of the output.
#include "bench.h"
#include "count_allocations.h"

#include <stdlib.h>
#include <unistd.h>

typedef struct job {
    carom_modelfile *file;
    carom_model *model;
    carom_sim *sim;
    carom_error error;
} job;

static void must(job *j, carom_status status)
{
    if (status != CAROM_OK) fail_msg("%s", j->error.message);
}

static void open_model(job *j, const char *name)
{
    char path[256];
    memset(j, 0, sizeof *j);
    snprintf(path, sizeof path, "%s/models/%s.yaml", CAROM_SOURCE_DIR, name);
    must(j, carom_modelfile_read(path, &j->file, &j->error));
    must(j, carom_builder_finish(carom_modelfile_builder(j->file), &j->model, &j->error));
}

static void close_model(job *j)
{
    carom_model_free(j->model);
    carom_modelfile_free(j->file);
}

static carom_sim *make(job *j, const char *scheme, double step, double tolerance, double end)
{
    carom_sim *sim;
    carom_sim_options options = carom_sim_default();
    options.scheme = scheme;
    options.step = step;
    options.tolerance = tolerance;
    options.end = end;
    must(j, carom_sim_new(j->model, &options, &sim, &j->error));
    return sim;
}

static const char *const scheme[] = {"phem56", "hem5", "rkf45", "gen_alpha", "mexx"};
enum { N_SCHEME = 5 };

static void phem56_needs_a_tenth_of_the_work_of_gen_alpha(void **unused)
{
    (void)unused;
    job j;
    open_model(&j, "slider-crank-004");
    carom_sim *exact = make(&j, "hem5", 0, 1e-12, 2);
    must(&j, carom_sim_run(exact, &j.error));
    long work[2];
    double error[2] = {0};
    for (int i = 0; i < 2; i++) {
        // at a tenth of the tolerance, so that chance does not decide whose error is smaller
        carom_sim *sim = i ? make(&j, "gen_alpha", 0, 1e-6, 2) : make(&j, "phem56", 0, 1e-7, 2);
        must(&j, carom_sim_run(sim, &j.error));
        work[i] = carom_sim_counts(sim).evaluations;
        for (int k = 0; k < 3; k++)
            error[i] =
                fmax(error[i], fabs(carom_sim_state(sim)->q[k] - carom_sim_state(exact)->q[k]));
        carom_sim_free(sim);
    }
    assert_true(work[0] > 0 && 10 * work[0] <= work[1]);
    assert_true(error[0] <= error[1]);
    carom_sim_free(exact);
    close_model(&j);
}

static void fixed_steps_are_as_many_as_asked_for(void **unused)
{
    (void)unused;
    job j;
    open_model(&j, "rocking-block-004");
    for (int i = 0; i < N_SCHEME; i++) {
        carom_sim *sim = make(&j, scheme[i], 0.01, 0, 0.5);
        must(&j, carom_sim_run(sim, &j.error));
        assert_int_equal(carom_sim_counts(sim).steps, 50);
        assert_true(carom_sim_state(sim)->t == 0.5);
        carom_sim_free(sim);
    }
    close_model(&j);
}

static void a_step_allocates_nothing(void **unused)
{
    (void)unused;
    job j;
    open_model(&j, "car-axis");
    for (int i = 0; i < N_SCHEME; i++) {
        carom_sim *sim = make(&j, scheme[i], 0, 1e-5, 0.3);
        const long before = n_allocation;
        must(&j, carom_sim_run(sim, &j.error));
        assert_int_equal(n_allocation, before);
        assert_true(carom_sim_counts(sim).steps > 10);
        carom_sim_free(sim);
    }
    close_model(&j);
}

static void a_restart_gives_the_same_bits(void **unused)
{
    (void)unused;
    job j;
    char path[] = "/tmp/carom-smooth-XXXXXX";
    const int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    open_model(&j, "car-axis");
    for (int i = 0; i < N_SCHEME; i++) {
        carom_sim *whole = make(&j, scheme[i], 0, 1e-5, 0.3),
                  *part = make(&j, scheme[i], 0, 1e-5, 0.3);
        for (int k = 0; k < 9; k++) must(&j, carom_sim_step(whole, &j.error));
        must(&j, carom_sim_checkpoint(whole, path, &j.error));
        must(&j, carom_sim_restart(part, path, &j.error));
        must(&j, carom_sim_run(whole, &j.error));
        must(&j, carom_sim_run(part, &j.error));
        const carom_state *x = carom_sim_state(whole), *y = carom_sim_state(part);
        assert_memory_equal(x->q, y->q, sizeof(double) * 4);
        assert_memory_equal(x->u, y->u, sizeof(double) * 4);
        assert_memory_equal(x->la, y->la, sizeof(double) * 2);
        assert_int_equal(carom_sim_counts(whole).evaluations, carom_sim_counts(part).evaluations);
        carom_sim_free(whole);
        carom_sim_free(part);
    }
    unlink(path);
    close_model(&j);
}

static void contacts_are_refused(void **unused)
{
    (void)unused;
    job j;
    open_model(&j, "bouncing-ball");
    for (int i = 0; i < N_SCHEME; i++) {
        carom_sim *sim;
        carom_error error = {0};
        carom_sim_options options = carom_sim_default();
        options.scheme = scheme[i];
        options.tolerance = 1e-6;
        options.end = 1;
        assert_int_equal(carom_sim_new(j.model, &options, &sim, &error), CAROM_BAD_INPUT);
        assert_non_null(strstr(error.message, "cannot do contacts"));
    }
    close_model(&j);
}

// the road lifts the wheel: its work is all that changes the energy. Simpson's rule is good to h^4.
static void moving_constraints_do_the_work_that_the_energy_shows(void **unused)
{
    (void)unused;
    job j;
    open_model(&j, "car-axis");
    carom_sim *sim = make(&j, "phem56", 0, 1e-8, 3);
    carom_audit audit;
    must(&j, carom_sim_run(sim, &j.error));
    must(&j, carom_sim_audit(sim, &audit, NULL, &j.error));
    assert_true(fabs(audit.energy_end - audit.energy_start) > 1e-5);
    assert_true(fabs(audit.energy_error) <= 1e-2 * fabs(audit.energy_end - audit.energy_start));
    carom_sim_free(sim);
    close_model(&j);
}

// h0 = 1e-3 T of the whole run, whatever the points of the output are
static void the_first_step_does_not_depend_on_the_output(void **unused)
{
    (void)unused;
    static const char *const other[] = {"phem56",    "hem5", "rkf45",
                                        "gen_alpha", "mexx", "event_driven"};
    job j;
    open_model(&j, "slider-crank-004");
    for (int i = 0; i < 6; i++) {
        carom_sim_options options = carom_sim_default();
        options.scheme = other[i];
        options.tolerance = 1e-2; // 1e-3 T is good enough
        options.end = 1;
        options.output_step = 0.01;
        carom_sim *sim;
        must(&j, carom_sim_new(j.model, &options, &sim, &j.error));
        must(&j, carom_sim_step(sim, &j.error));
        assert_true(fabs(carom_sim_state(sim)->t - 1e-3) <= 1e-15);
        carom_sim_free(sim);
    }
    close_model(&j);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(phem56_needs_a_tenth_of_the_work_of_gen_alpha),
        cmocka_unit_test(fixed_steps_are_as_many_as_asked_for),
        cmocka_unit_test(a_step_allocates_nothing),
        cmocka_unit_test(a_restart_gives_the_same_bits),
        cmocka_unit_test(contacts_are_refused),
        cmocka_unit_test(the_first_step_does_not_depend_on_the_output),
        cmocka_unit_test(moving_constraints_do_the_work_that_the_energy_shows)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
