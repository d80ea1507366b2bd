// SPDX-License-Identifier: Apache-2.0
// The example of a brick from C functions: it runs, its derivatives fit its gaps, and it comes to
// rest flat on the floor in every scheme that takes friction.
int brick_main(int n_argument, char **argument);
#define main brick_main
#include "../../examples/callbacks/brick.c"
#undef main
#include "carom/extend.h"
#include "model/chart.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static carom_model *made(brick *b)
{
    carom_error error = {0};
    carom_model *model = NULL;
    if (brick_model(b, &model, &error) != CAROM_OK) fail_msg("%s", error.message);
    return model;
}

static void the_program_runs(void **state)
{
    (void)state;
    char *argument[] = {"brick", "moreau_midpoint", "1e-3", "0.1"};
    assert_int_equal(brick_main(4, argument), 0);
    char *wrong[] = {"brick", "no_such_scheme", "1e-3", "0.1"};
    assert_int_equal(brick_main(4, wrong), 2);
}

// (gap(q (+) e u) - gap(q (-) e u)) / 2e = W u
static void rows_are_derivatives_along_the_move(void **state)
{
    (void)state;
    brick b = a_brick();
    carom_model *model = made(&b);
    const double u[] = {0.3, -0.2, 0.5, 1, -2, 0.7}, e = 1e-6;
    const double start[] = {0.1, 0.2, 0.3, 0.5, -0.5, 0.5, 0.5};
    double q[2][N_POSITION], gap[2][N_CORNER];
    static double W[3 * N_CORNER * N_VELOCITY], w0[3 * N_CORNER];
    for (int k = 0; k < 2; k++) {
        carom_model_move(model, start, u, k ? e : -e, q[k]);
        gaps(&b, 0, q[k], NULL, gap[k]);
    }
    rows(&b, 0, start, W, w0);
    for (int i = 0; i < N_CORNER; i++) {
        double rate = 0;
        for (int k = 0; k < N_VELOCITY; k++) rate += W[3 * i * N_VELOCITY + k] * u[k];
        assert_true(fabs((gap[1][i] - gap[0][i]) / (2 * e) - rate) < 1e-9);
    }
    carom_model_free(model);
}

static void it_comes_to_rest_on_a_face(void **state)
{
    (void)state;
    static const char *const scheme[] = {"moreau_midpoint", "moreau_jean", "tdg_velocity",
                                         "moreau_combined_projection"};
    brick b = a_brick();
    for (size_t i = 0; i < sizeof scheme / sizeof *scheme; i++) {
        carom_error error = {0};
        carom_sim *sim = NULL;
        carom_model *model = made(&b);
        carom_sim_options options = carom_sim_default();
        options.scheme = scheme[i];
        options.step = 1e-3;
        options.end = 5;
        if (carom_sim_new(model, &options, &sim, &error) != CAROM_OK ||
            carom_sim_run(sim, &error) != CAROM_OK)
            fail_msg("%s: %s", scheme[i], error.message);
        const carom_state *s = carom_sim_state(sim);
        double R3[3], up = 0, speed = 0;
        matrix_row(s->q + 3, 2, R3);
        for (int k = 0; k < 3; k++) up = fmax(up, fabs(R3[k]));
        for (int k = 0; k < N_VELOCITY; k++) speed = fmax(speed, fabs(s->u[k]));
        if (up < 1 - 1e-3 || speed > 1e-6)
            fail_msg("%s: edge cosine %g, speed %g", scheme[i], up, speed);
        carom_sim_free(sim);
        carom_model_free(model);
    }
}

// the parts must be all positions and velocities, each once
static void parts_that_do_not_fit_are_named(void **state)
{
    (void)state;
    static const carom_chart_part beyond[] = {{.q = 1, .u = 0, .n = 2}},
                                  twice[] = {{.n = 2}, {.q = 1, .u = 2, .n = 1}},
                                  good[] = {{.n = 2}, {.q = 2, .u = 2, .n = 1}};
    carom_chart chart;
    carom_error error = {0};
    assert_int_equal(carom_chart_of_parts(beyond, 1, 2, 2, &chart, &error), CAROM_BAD_INPUT);
    assert_int_equal(strncmp(error.message, "part 1 (from 1)", 15), 0);
    error = (carom_error){0};
    assert_int_equal(carom_chart_of_parts(twice, 2, 3, 3, &chart, &error), CAROM_BAD_INPUT);
    assert_int_equal(strncmp(error.message, "part 2 (from 1)", 15), 0);
    error = (carom_error){0};
    assert_int_equal(carom_chart_of_parts(good, 1, 3, 3, &chart, &error), CAROM_BAD_INPUT);
    assert_non_null(strstr(error.message, "have 2 positions and 2 velocities"));
    assert_int_equal(carom_chart_of_parts(good, 2, 3, 3, &chart, &error), CAROM_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_program_runs),
        cmocka_unit_test(rows_are_derivatives_along_the_move),
        cmocka_unit_test(it_comes_to_rest_on_a_face),
        cmocka_unit_test(parts_that_do_not_fit_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
