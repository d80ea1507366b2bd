// SPDX-License-Identifier: Apache-2.0
// The example of bodies from C: it runs, and its motion is that of the double pendulum by its
// energies.
int pendulum_main(int n_argument, char **argument);
#define main pendulum_main
#include "../../examples/bodies/pendulum.c"
#undef main

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const char by_energies[] =
    "carom: 1\ncoordinates: {a: {}, b: {}}\n"
    "define: {y1: 0.5*sin(a), x1: 0.5*cos(a), x2: 2*x1 + 0.5*cos(b), y2: 2*y1 + 0.5*sin(b)}\n"
    "kinetic: (der(x1)^2 + der(y1)^2 + der(x2)^2 + der(y2)^2 + (der(a)^2 + der(b)^2)/12)/2\n"
    "potential: 9.81*(y1 + y2)\n";

static void the_program_runs(void **state)
{
    (void)state;
    char *argument[] = {"pendulum", "moreau_midpoint", "0.1", "1e-3"};
    char *wrong[] = {"pendulum", "no_such_scheme"};
    assert_int_equal(pendulum_main(4, argument), 0);
    assert_int_equal(pendulum_main(2, wrong), 2);
}

static void angles_at_one_second(const carom_model *model, int first, int second, double *angle)
{
    carom_error error = {0};
    carom_sim *sim = NULL;
    carom_sim_options options = carom_sim_default();
    options.scheme = "hem5";
    options.tolerance = 1e-11;
    options.end = 1;
    if (carom_sim_new(model, &options, &sim, &error) != CAROM_OK ||
        carom_sim_run(sim, &error) != CAROM_OK)
        fail_msg("%s", error.message);
    angle[0] = carom_sim_state(sim)->q[first];
    angle[1] = carom_sim_state(sim)->q[second];
    carom_sim_free(sim);
}

static void bodies_move_as_their_energies_say(void **state)
{
    carom_error error = {0};
    carom_model *bodies = NULL, *energies = NULL;
    carom_modelfile *file = NULL;
    double by_bodies[2], expected[2];
    (void)state;
    if (pendulum_model(&bodies, &error) != CAROM_OK ||
        carom_modelfile_read_text(by_energies, strlen(by_energies), "text", &file, &error) !=
            CAROM_OK ||
        carom_builder_finish(carom_modelfile_builder(file), &energies, &error) != CAROM_OK)
        fail_msg("%s", error.message);
    angles_at_one_second(bodies, 2, 5, by_bodies);
    angles_at_one_second(energies, 0, 1, expected);
    for (int i = 0; i < 2; i++) assert_true(fabs(by_bodies[i] - expected[i]) < 1e-8);
    assert_true(fabs(expected[0]) > 0.5); // it has moved
    carom_model_free(bodies);
    carom_model_free(energies);
    carom_modelfile_free(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_program_runs),
        cmocka_unit_test(bodies_move_as_their_energies_say),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
