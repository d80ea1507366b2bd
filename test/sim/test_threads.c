// SPDX-License-Identifier: Apache-2.0
// Runs shared by 2, 3 and 7 threads are those of one, bit for bit: states, impulses of contacts,
// residuals and counts; in the cheap mode, to the last digits, and with shapes that need many
// features. And what a run that was asked for few digits says of itself.
#include "near_rig.h"

enum { MOST_STATE = 8192 };

// balls that fall into a box, in layers, askew
#define PILE(n)                                                                                    \
    "carom: 1\ngravity: [0, 0, -9.81]\nparameters: {n: " n ", r: 0.01, s: 0.023}\nbodies:\n"       \
    "  ball[i,j,k]:\n    for: {i: 1..n, j: 1..n, k: 1..n}\n    density: 2500\n"                    \
    "    at: [\"s*i + 1e-3*sin(12.9*i + 78.2*j + 37.7*k)\", \"s*j + 1e-3*sin(39.3*i + 11.1*j + "   \
    "83.1*k)\", \"0.0205*k\"]\n    shape: {sphere: [0, 0, 0], radius: r}\n    material: glass\n"   \
    "  ground:\n    shape:\n      - {plane: [0, 0, 0.01], normal: [0, 0, 1]}\n"                    \
    "      - {plane: [0.0105, 0, 0], normal: [1, 0, 0]}\n"                                         \
    "      - {plane: [0, 0.0105, 0], normal: [0, 1, 0]}\n    material: glass\n"                    \
    "materials: [{between: [glass, glass], friction: 0.3, restitution: 0.2}]\n"

// bricks on each other: many contacts of each body, and joints in between
#define BRICKS                                                                                     \
    "carom: 1\ngravity: [\"sin(40*t)\", 0, -9.81]\nparameters: {m: 4}\nbodies:\n"                  \
    "  brick[i,k]:\n    for: {i: 1..m, k: 1..m}\n    density: 2000\n"                              \
    "    at: [\"0.2*i + 0.1*mod(k, 2)\", 0, \"0.06*(k - 1/2)\"]\n"                                 \
    "    shape: {box: [0.2, 0.1, 0.06]}\n"                                                         \
    "  ground: {shape: {plane: [0, 0, 0], normal: [0, 0, 1]}}\n"                                   \
    "materials: [{between: [default, default], friction: 0.5, restitution: 0}]\n"

typedef struct outcome {
    double q[MOST_STATE], P[MOST_STATE];
    carom_counts counts;
    carom_audit audit;
} outcome;

static void run_with(const carom_model *model, const char *tolerance, int n_thread, double h,
                     int n_step, outcome *out)
{
    carom_error error = {0};
    carom_sim *sim;
    const carom_setting setting = {{.text = "solver.tolerance"}, {.text = tolerance}};
    carom_sim_options options = carom_sim_default();
    const carom_sizes size = carom_model_sizes(model);
    options.step = h;
    options.end = n_step * h;
    options.setting = &setting;
    options.n_setting = 1;
    options.n_thread = n_thread;
    near_must(carom_sim_new(model, &options, &sim, &error), &error);
    near_must(carom_sim_run(sim, &error), &error);
    const carom_state *state = carom_sim_state(sim);
    assert_true(size.nq <= MOST_STATE);
    memset(out, 0, sizeof *out);
    memcpy(out->q, state->q, sizeof(double) * (size_t)size.nq);
    const int n_row = size.n_row < MOST_STATE ? size.n_row : MOST_STATE;
    memcpy(out->P, state->P, sizeof(double) * (size_t)n_row);
    out->counts = carom_sim_counts(sim);
    near_must(carom_sim_audit(sim, &out->audit, NULL, &error), &error);
    carom_sim_free(sim);
}

static void threads_change_no_bit(const char *text, const char *tolerance, double h, int n_step)
{
    static outcome one, many;
    carom_model *model = near_model(text);
    static const int n_thread[] = {2, 3, 7};
    run_with(model, tolerance, 1, h, n_step, &one);
    assert_true(one.counts.solver_iterations > 0 && one.counts.contact_steps > n_step / 2);
    for (int k = 0; k < 3; k++) {
        run_with(model, tolerance, n_thread[k], h, n_step, &many);
        assert_memory_equal(one.q, many.q, sizeof one.q);
        assert_memory_equal(one.P, many.P, sizeof one.P);
        assert_memory_equal(&one.counts, &many.counts, sizeof one.counts);
        assert_true(one.audit.residual == many.audit.residual);
    }
    carom_model_free(model);
}

static void a_pile_in_the_cheap_mode(void **state)
{
    (void)state;
    threads_change_no_bit(PILE("7"), "1e-3", 2e-3, 25);
}

static void a_pile_to_the_last_digits(void **state)
{
    (void)state;
    threads_change_no_bit(PILE("4"), "1e-12", 2e-3, 20);
}

static void a_wall(void **state)
{
    (void)state;
    threads_change_no_bit(BRICKS, "1e-4", 2e-3, 15);
}

static void a_run_says_what_it_was_held_to(void **state)
{
    (void)state;
    static outcome coarse, fine;
    carom_model *model = near_model(PILE("4"));
    run_with(model, "1e-3", 1, 2e-3, 20, &coarse);
    run_with(model, "1e-12", 1, 2e-3, 20, &fine);
    carom_model_free(model);
    assert_true(coarse.audit.goal == 1e-3 && fine.audit.goal == CAROM_CONTACT_TOLERANCE);
    assert_int_equal(coarse.counts.unconverged, 0);
    assert_true(coarse.audit.residual <= 1e-3 && coarse.audit.residual > CAROM_CONTACT_TOLERANCE);
    assert_true(fine.audit.residual <= CAROM_CONTACT_TOLERANCE);
}

static void too_many_threads_are_refused(void **state)
{
    (void)state;
    carom_error error = {0};
    carom_sim *sim = NULL;
    carom_model *model = near_model(BRICKS);
    carom_sim_options options = carom_sim_default();
    options.step = 1e-3;
    options.end = 1;
    options.n_thread = CAROM_MOST_THREADS + 1;
    assert_int_equal(carom_sim_new(model, &options, &sim, &error), CAROM_BUG);
    assert_non_null(strstr(error.message, "n_thread"));
    carom_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pile_in_the_cheap_mode),
        cmocka_unit_test(a_pile_to_the_last_digits),
        cmocka_unit_test(a_wall),
        cmocka_unit_test(a_run_says_what_it_was_held_to),
        cmocka_unit_test(too_many_threads_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
