// SPDX-License-Identifier: Apache-2.0
// Time stepping on surfaces made of patches: every scheme comes closer to the event-driven motion
// as its steps become shorter, whatever the edge does to the motion. It counts allocations: steps
// take no memory.
#include "count_allocations.h"
#include "model/model_rig.h"

#include <unistd.h>

static carom_sim *run_to(const carom_model *model, const char *scheme, double step, double end)
{
    carom_sim *sim = sim_of(model, scheme, step, end);
    const long before = n_allocation;
    run_to_end(sim);
    assert_int_equal(n_allocation, before);
    return sim;
}

static double error_of(const carom_model *model, const char *scheme, double step, double end,
                       const double *q)
{
    double worst = 0;
    carom_sim *sim = run_to(model, scheme, step, end);
    for (int i = 0; i < carom_model_sizes(model).nq; i++)
        worst = fmax(worst, fabs(carom_sim_state(sim)->q[i] - q[i]));
    carom_sim_free(sim);
    return worst;
}

// A step ten times shorter: an error of first order becomes ten times smaller. Where in a step the
// edge lies is chance, which changes the error of the first step behind it by up to its size: a
// factor of 2 in either run, so at least 10/4.
static void all_schemes_converge(const carom_model *model, double end)
{
    carom_sim *reference = run_to(model, "event_driven", 0, end);
    const double *q = carom_sim_state(reference)->q;
    int n_tried = 0;
    for (int i = 0; i < carom_scheme_count(); i++) {
        const carom_scheme *scheme = carom_scheme_at(i);
        if (!scheme->has_contact || scheme->takes.only_lasting || scheme->finds_events) continue;
        const double coarse = error_of(model, scheme->name, 4e-3, end, q),
                     fine = error_of(model, scheme->name, 4e-4, end, q);
        n_tried++;
        if (!(fine <= coarse / 2.5 + 1e-9))
            fail_msg("%s: %g at h, %g at h/10", scheme->name, coarse, fine);
    }
    assert_true(n_tried >= 15);
    carom_sim_free(reference);
}

static carom_model *parabola(const char *c, const char *v)
{
    carom_error error = {0};
    carom_modelfile *file = shipped_file("plane-parabola");
    carom_builder *builder = carom_modelfile_builder(file);
    must(carom_builder_set(builder, text_of("c"), text_of(c), &error), &error);
    must(carom_builder_set(builder, text_of("v"), text_of(v), &error), &error);
    return finish_file(file);
}

static void steps_find_the_way_from_a_plane_to_a_parabola(void **state)
{
    (void)state;
    // up, down slowly, down fast: stays, stays, leaves
    static const char *const kind[][2] = {{"1", "1"}, {"-1", "1"}, {"-1", "3"}};
    for (int i = 0; i < 3; i++) {
        carom_model *model = parabola(kind[i][0], kind[i][1]);
        all_schemes_converge(model, 1);
        carom_model_free(model);
    }
}

static void rough_patches_stop_a_mass_in_time_stepping(void **state)
{
    (void)state;
    carom_model *model =
        finish_file(file_from_text("carom: 1\n"
                                   "coordinates: {x: {start: -0.1234, rate: 1}, z: {}}\n"
                                   "kinetic: 1/2*(der(x)^2 + der(z)^2)\npotential: 9.81*z\n"
                                   "contacts:\n  - name: floor\n    slip: x\n    surface:\n"
                                   "      - {gap: z, where: x < 0}\n"
                                   "      - {gap: z, where: x >= 0, friction: 0.3}\n"));
    const double wanted = 1 / (2 * 0.3 * 9.81);
    for (int i = 0; i < carom_scheme_count(); i++) {
        const carom_scheme *scheme = carom_scheme_at(i);
        if (!scheme->has_friction || scheme->finds_events) continue;
        const double h = 1e-3;
        carom_sim *sim = run_to(model, scheme->name, h, 1);
        // which step meets the edge, and which one ends the motion: two steps at full speed
        const double x = carom_sim_state(sim)->q[0];
        if (!(fabs(x - wanted) <= 2 * h)) fail_msg("%s stops at %g", scheme->name, x);
        carom_sim_free(sim);
    }
    carom_model_free(model);
}

static void order_of_patches_does_not_matter_in_time_stepping(void **state)
{
    (void)state;
    static const char *const patches[] = {
        "      - {gap: z - 4*x^2, where: x < 0}\n      - {gap: z - x^2, where: x >= 0}\n",
        "      - {gap: z - x^2, where: x >= 0}\n      - {gap: z - 4*x^2, where: x < 0}\n"};
    double end[2][2];
    for (int i = 0; i < 2; i++) {
        char text[600];
        snprintf(text, sizeof text,
                 "carom: 1\ncoordinates: {x: {start: -0.1, rate: 1}, z: {start: 0.3}}\n"
                 "kinetic: 1/2*(der(x)^2 + der(z)^2)\npotential: 9.81*z\n"
                 "contacts:\n  - name: valley\n    restitution: 0.5\n    surface:\n%s",
                 patches[i]);
        carom_model *model = finish_file(file_from_text(text));
        carom_sim *sim = run_to(model, "moreau_midpoint", 1e-3, 2);
        memcpy(end[i], carom_sim_state(sim)->q, sizeof end[i]);
        carom_sim_free(sim);
        carom_model_free(model);
    }
    assert_memory_equal(end[0], end[1], sizeof end[0]);
}

// a step size that follows the motion sees an edge as what it is: a change of curvature, or a jump
static void step_control_gets_over_edges(void **state)
{
    (void)state;
    carom_model *model = parabola("1", "1");
    carom_sim *reference = run_to(model, "event_driven", 0, 1), *sim;
    carom_sim_options options = carom_sim_default();
    carom_error error = {0};
    options.scheme = "moreau_midpoint";
    options.is_auto_step = true;
    options.tolerance = 1e-5;
    options.end = 1;
    must(carom_sim_new(model, &options, &sim, &error), &error);
    must(carom_sim_run(sim, &error), &error);
    // the tolerance is per step and relative to the motion, which is of size 1
    const double x = carom_sim_state(sim)->q[0];
    assert_true(fabs(x - carom_sim_state(reference)->q[0]) < 100 * 1e-5);
    carom_sim_free(sim);
    carom_sim_free(reference);
    carom_model_free(model);
}

// a checkpoint in the step before the edge and at other times
static void restart_on_a_surface_gives_the_same_bits(void **state)
{
    (void)state;
    static const double when[] = {0.3, 0.4995, 0.5005, 0.8};
    static const char *const scheme[] = {"event_driven", "moreau_midpoint", "nonsmooth_gen_alpha",
                                         "moreau_direct_projection"};
    char path[200];
    snprintf(path, sizeof path, "/tmp/carom-surface-%ld.checkpoint", (long)getpid());
    carom_model *model = parabola("1", "1");
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 4; k++) {
            carom_error error = {0};
            carom_sim *whole = sim_of(model, scheme[i], 1e-3, 1);
            carom_sim *on = sim_of(model, scheme[i], 1e-3, 1);
            while (carom_sim_state(whole)->t < when[k]) must(carom_sim_step(whole, &error), &error);
            must(carom_sim_checkpoint(whole, path, &error), &error);
            must(carom_sim_restart(on, path, &error), &error);
            run_to_end(whole);
            run_to_end(on);
            assert_memory_equal(carom_sim_state(whole)->q, carom_sim_state(on)->q,
                                2 * sizeof(double));
            carom_sim_free(whole);
            carom_sim_free(on);
        }
    remove(path);
    carom_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_find_the_way_from_a_plane_to_a_parabola),
        cmocka_unit_test(rough_patches_stop_a_mass_in_time_stepping),
        cmocka_unit_test(order_of_patches_does_not_matter_in_time_stepping),
        cmocka_unit_test(step_control_gets_over_edges),
        cmocka_unit_test(restart_on_a_surface_gives_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
