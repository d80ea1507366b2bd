// SPDX-License-Identifier: Apache-2.0
// A double pendulum by bodies and joints: the same words as in a model file, as texts.
//
//     cc -O2 examples/bodies/pendulum.c $(pkg-config --cflags --libs carom) -lm -o pendulum
//     ./pendulum hem5 2
#include <carom/carom.h>

#include <stdio.h>
#include <stdlib.h>

static carom_text say(const char *text)
{
    return (carom_text){.text = text};
}

static carom_vector_text vector(const char *x, const char *y)
{
    return (carom_vector_text){2, {say(x), say(y)}};
}

// a rod of 1 m and 1 kg that lies along x
static carom_status add_rod(carom_builder *b, const char *name, const char *x, carom_error *error)
{
    const carom_point_text end = {say("end"), vector("0.5", "0")};
    const carom_body_text rod = {.name = say(name),
                                 .mass = say("1"),
                                 .n_inertia = 1,
                                 .inertia = {say("1/12")},
                                 .at = vector(x, "0"),
                                 .n_point = 1,
                                 .point = &end};
    return carom_builder_body(b, &rod, error);
}

static carom_status add_pin(carom_builder *b, const char *name, const char *first,
                            const char *second, const char *x, carom_error *error)
{
    const carom_text place[] = {say(x), say("0")};
    const carom_word_text at = {.key = say("at"), .is_list = true, .n = 2, .value = place};
    const carom_fitting_text pin = {.name = say(name),
                                    .kind = say("revolute"),
                                    .n_to = 2,
                                    .to = {say(first), say(second)},
                                    .n_word = 1,
                                    .word = &at};
    return carom_builder_joint(b, &pin, error);
}

static carom_status pendulum_model(carom_model **model, carom_error *error)
{
    carom_builder *b = carom_builder_new();
    const carom_vector_text gravity = vector("0", "-9.81");
    carom_status status = b ? carom_builder_space(b, CAROM_PLANE, error) : CAROM_NO_MEMORY;
    if (status == CAROM_OK) status = carom_builder_gravity(b, &gravity, error);
    if (status == CAROM_OK) status = add_rod(b, "upper", "0.5", error);
    if (status == CAROM_OK) status = add_rod(b, "lower", "1.5", error);
    if (status == CAROM_OK) status = add_pin(b, "top", "ground", "upper", "0", error);
    if (status == CAROM_OK) status = add_pin(b, "middle", "upper", "lower", "1", error);
    if (status == CAROM_OK) status = carom_builder_finish(b, model, error);
    carom_builder_free(b);
    return status;
}

int main(int n_argument, char **argument)
{
    carom_error error = {0};
    carom_model *model = NULL;
    carom_sim *sim = NULL;
    carom_audit audit = {0};
    carom_sim_options options = carom_sim_default();
    options.scheme = n_argument > 1 ? argument[1] : "hem5";
    options.end = n_argument > 2 ? atof(argument[2]) : 2;
    options.step = n_argument > 3 ? atof(argument[3]) : 0;
    options.tolerance = options.step > 0 ? 0 : 1e-9;
    carom_status status = pendulum_model(&model, &error);
    if (status == CAROM_OK) status = carom_sim_new(model, &options, &sim, &error);
    if (status == CAROM_OK) status = carom_sim_run(sim, &error);
    if (status == CAROM_OK) status = carom_sim_audit(sim, &audit, NULL, &error);
    if (status == CAROM_OK) {
        const double *q = carom_sim_state(sim)->q; // x, y, angle of the upper and of the lower rod
        printf("t %g: angles %.9f %.9f, energy error %.1e J\n", options.end, q[2], q[5],
               audit.energy_error);
    } else {
        fprintf(stderr, "%s\n", error.message);
    }
    carom_sim_free(sim);
    carom_model_free(model);
    return status == CAROM_OK ? 0 : 2;
}
