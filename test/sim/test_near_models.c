// SPDX-License-Identifier: Apache-2.0
// label: slow
// Models of shapes whose contacts come and go: stacks stand, heaps do not sink in, dominoes fall.
#include "sim/near_rig.h"

// with as many as there are to be
static carom_model *read_model(const char *name, const char *n)
{
    carom_error error = {0};
    carom_modelfile *file = NULL;
    carom_model *model = NULL;
    char path[512];
    snprintf(path, sizeof path, "%s/models/%s.yaml", CAROM_SOURCE_DIR, name);
    near_must(carom_modelfile_read(path, &file, &error), &error);
    carom_builder *builder = carom_modelfile_builder(file);
    near_must(
        carom_builder_set(builder, (carom_text){.text = "n"}, (carom_text){.text = n}, &error),
        &error);
    near_must(carom_builder_finish(builder, &model, &error), &error);
    carom_modelfile_free(file);
    return model;
}

static double least_gap(carom_sim *sim)
{
    carom_error error = {0};
    carom_audit audit;
    near_must(carom_sim_audit(sim, &audit, NULL, &error), &error);
    return audit.min_gap;
}

// the largest move of any coordinate from the start
static double largest_move(const carom_model *model, const carom_sim *sim)
{
    double most = 0;
    for (int i = 0; i < carom_model_sizes(model).nq; i++)
        most = fmax(most, fabs(carom_sim_state(sim)->q[i] - carom_model_start_q(model)[i]));
    return most;
}

static void ten_cubes_stand_for_ten_seconds(void **state)
{
    (void)state;
    carom_error error = {0};
    carom_model *model = read_model("stack", "10");
    carom_sim *sim = near_sim(model, "moreau_combined_projection", 2e-2, 10);
    double most = 0;
    while (!carom_sim_is_done(sim)) {
        near_must(carom_sim_step(sim, &error), &error);
        most = fmax(most, largest_move(model, sim));
    }
    assert_int_equal(carom_sim_counts(sim).unconverged, 0);
    if (!(most < 1e-11 && least_gap(sim) > -1e-12))
        fail_msg("moved by %g, gap %g", most, least_gap(sim));
    carom_sim_free(sim);
    carom_model_free(model);
}

// engines of games let this sink in
static void a_ton_stands_on_four_cubes_of_a_kilogram(void **state)
{
    (void)state;
    static const char text[] =
        "carom: 1\ngravity: [0, 0, -9.81]\nbodies:\n"
        "  leg[i,j]:\n    for: {i: 1..2, j: 1..2}\n    density: 1000\n"
        "    at: [\"(i - 1.5)*0.8\", \"(j - 1.5)*0.8\", 0.05]\n    shape: {box: [0.1, 0.1, 0.1]}\n"
        "  load: {density: 1000/0.1, at: [0, 0, 0.15], shape: {box: [1, 1, 0.1]}}\n"
        "  ground: {shape: {plane: [0, 0, 0], normal: [0, 0, 1]}}\n"
        "materials: [{between: [default, default], friction: 0.5, restitution: 0}]\n";
    carom_model *model = near_model(text);
    carom_sim *sim = near_sim(model, "moreau_combined_projection", 1e-2, 0.5);
    near_run(sim);
    assert_true(largest_move(model, sim) < 1e-12 && least_gap(sim) > -1e-13);
    carom_sim_free(sim);
    carom_model_free(model);
}

// more velocities than derivatives of their rows are given for
static void a_heap_of_balls_does_not_sink_in(void **state)
{
    (void)state;
    static const char text[] =
        "carom: 1\ngravity: [0, 0, -9.81]\nbodies:\n"
        "  s[i]:\n    for: {i: 0..23}\n    density: 1000\n    shape: {sphere: [0, 0, 0], radius: "
        "0.01}\n"
        "    at: [\"0.021*mod(i, 3) + 1e-4*mod(i, 7)\", \"0.021*mod(floor(i/3), 2) + 6e-5*mod(i, "
        "5)\",\n         \"0.0101 + 0.0202*floor(i/6)\"]\n"
        "  ground: {shape: {plane: [0, 0, 0], normal: [0, 0, 1]}}\n"
        "materials: [{between: [default, default], friction: 0.3, restitution: 0}]\n";
    carom_model *model = near_model(text);
    assert_int_equal(carom_model_sizes(model).nu, 144);
    carom_sim *sim = near_sim(model, "moreau_combined_projection", 2e-3, 0.2);
    near_run(sim);
    assert_true(least_gap(sim) > -1e-14);
    carom_sim_free(sim);
    carom_model_free(model);
}

static void six_dominoes_fall(void **state)
{
    (void)state;
    carom_model *model = read_model("dominoes", "6");
    carom_sim *sim = near_sim(model, "moreau_jean", 5e-4, 0.8);
    near_run(sim);
    for (int b = 0; b < 6; b++) assert_true(carom_sim_state(sim)->q[3 * b + 2] < -1);
    assert_true(least_gap(sim) > -1e-3);
    carom_sim_free(sim);
    carom_model_free(model);
}

// where a hexagonal prism is that rolls down a plank, corner after corner
static double roll_prism(const char *scheme, double step, double *gap)
{
    static const char text[] =
        "carom: 1\ngravity: [2.5, 0, -9.5]\nparameters: {R: 0.05, s: sqrt(3)/2}\nbodies:\n"
        "  p: {density: 1000, at: [0, 0, R*s], velocity: [0.8, 0, 0], spin: [0, 16, 0],\n"
        "    shape: {hull: [[R, -0.04, 0], [R/2, -0.04, R*s], [-R/2, -0.04, R*s],\n"
        "      [-R, -0.04, 0], [-R/2, -0.04, -R*s], [R/2, -0.04, -R*s], [R, 0.04, 0],\n"
        "      [R/2, 0.04, R*s], [-R/2, 0.04, R*s], [-R, 0.04, 0], [-R/2, 0.04, -R*s],\n"
        "      [R/2, 0.04, -R*s]]}}\n"
        "  ground: {shape: {box: [10, 1, 0.1], at: [4, 0, -0.05]}}\n"
        "materials: [{between: [default, default], friction: 0.8}]\n";
    carom_error error = {0};
    carom_model *model = near_model(text);
    carom_sim *sim = NULL;
    carom_sim_options options = carom_sim_default();
    options.scheme = scheme;
    options.step = step;
    options.tolerance = step == 0 ? 1e-8 : 0;
    options.end = 2;
    near_must(carom_sim_new(model, &options, &sim, &error), &error);
    near_must(carom_sim_run(sim, &error), &error);
    assert_int_equal(carom_sim_counts(sim).unconverged, 0);
    const double x = carom_sim_state(sim)->q[0];
    *gap = least_gap(sim);
    carom_sim_free(sim);
    carom_model_free(model);
    return x;
}

// The features that touch change with every corner: schemes that work on positions must not push
// by it, and all go to where event_driven does.
static void a_prism_rolls_from_face_to_face(void **state)
{
    (void)state;
    double gap;
    const double x = roll_prism("event_driven", 0, &gap);
    assert_true(x > 0.7 && gap > -1e-12);
    for (double h = 1e-3; h > 2e-4; h /= 4) {
        const double combined = roll_prism("moreau_combined_projection", h, &gap);
        if (!(fabs(combined - x) < 4 * h && gap > -1e-9))
            fail_msg("step %g: %g from %g, gap %g", h, combined - x, x, gap);
        const double midpoint = roll_prism("moreau_midpoint", h, &gap);
        if (!(fabs(midpoint - x) < 10 * h && gap > -h))
            fail_msg("step %g: %g from %g, gap %g", h, midpoint - x, x, gap);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ten_cubes_stand_for_ten_seconds),
        cmocka_unit_test(a_ton_stands_on_four_cubes_of_a_kilogram),
        cmocka_unit_test(a_heap_of_balls_does_not_sink_in),
        cmocka_unit_test(six_dominoes_fall),
        cmocka_unit_test(a_prism_rolls_from_face_to_face),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
