// SPDX-License-Identifier: Apache-2.0
// Components: a model that uses them is the model that is written out, to the last bit; names and
// parameters are replaced where they are meant and nowhere else.
#include "carom/carom.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

static carom_model *model_of(const char *text)
{
    carom_error error = {0};
    carom_modelfile *file = NULL;
    carom_model *model = NULL;
    carom_status status =
        carom_modelfile_read_text(text, strlen(text), "model.yaml", &file, &error);
    if (status == CAROM_OK)
        status = carom_builder_finish(carom_modelfile_builder(file), &model, &error);
    if (status != CAROM_OK) printf("%s\n", error.message);
    assert_int_equal(status, CAROM_OK);
    carom_modelfile_free(file);
    return model;
}

// one text has components, the other is the same by hand: same names, same motion
static void compare(const char *used, const char *written)
{
    carom_model *model[2] = {model_of(used), model_of(written)};
    carom_sim *sim[2];
    const carom_sizes n = carom_model_sizes(model[0]), other = carom_model_sizes(model[1]);
    assert_int_equal(n.nq, other.nq);
    assert_int_equal(n.n_row, other.n_row);
    for (int i = 0; i < n.nq; i++)
        assert_string_equal(carom_model_coordinate_name(model[0], i),
                            carom_model_coordinate_name(model[1], i));
    for (int k = 0; k < 2; k++) {
        carom_error error = {0};
        carom_sim_options options = carom_sim_default();
        options.scheme = "moreau_midpoint";
        options.step = 1e-3;
        options.end = 1;
        assert_int_equal(carom_sim_new(model[k], &options, &sim[k], &error), CAROM_OK);
        for (int i = 0; i < 200; i++) assert_int_equal(carom_sim_step(sim[k], &error), CAROM_OK);
    }
    const carom_state *a = carom_sim_state(sim[0]), *b = carom_sim_state(sim[1]);
    assert_memory_equal(a->q, b->q, sizeof(double) * (size_t)n.nq);
    assert_memory_equal(a->u, b->u, sizeof(double) * (size_t)n.nu);
    for (int k = 0; k < 2; k++) {
        carom_sim_free(sim[k]);
        carom_model_free(model[k]);
    }
}

#define PENDULUM                                                                                   \
    "components:\n"                                                                                \
    "  pendulum:\n"                                                                                \
    "    parameters: {on: body, at: point, l: number, m: 2}\n"                                     \
    "    bodies:\n"                                                                                \
    "      rod: {mass: m, inertia: m*l^2/12, at: [at.x + l/2, at.y], spin: om,\n"                  \
    "            velocity: [0, om*l/2], points: {end: [l/2, 0]}}\n"                                \
    "    joints: {pin: {revolute: [on, rod], at: at}}\n"                                           \
    "    contacts: [{name: floor, gap: rod.end.y + 0.3*l, restitution: 0.5}]\n"

static void a_use_is_what_is_written_out(void **state)
{
    (void)state;
    compare("carom: 1\nspace: plane\ngravity: [0, -10]\nparameters: {om: 1, l: 7}\n" PENDULUM
            "use:\n"
            "  a: {pendulum: {on: ground, at: [0, 1], l: 0.5 + 0.1}}\n"
            "  b: {pendulum: {on: ground, at: [2, 1], l: l/10, m: 3}}\n",
            "carom: 1\nspace: plane\ngravity: [0, -10]\nparameters: {om: 1, l: 7}\n"
            "bodies:\n"
            "  a.rod: {mass: 2, inertia: 2*(0.5 + 0.1)^2/12, at: [(0) + (0.5 + 0.1)/2, 1],\n"
            "    spin: om, velocity: [0, om*(0.5 + 0.1)/2], points: {end: [(0.5 + 0.1)/2, 0]}}\n"
            "  b.rod: {mass: 3, inertia: 3*(l/10)^2/12, at: [(2) + (l/10)/2, 1],\n"
            "    spin: om, velocity: [0, om*(l/10)/2], points: {end: [(l/10)/2, 0]}}\n"
            "joints:\n"
            "  a.pin: {revolute: [ground, a.rod], at: [0, 1]}\n"
            "  b.pin: {revolute: [ground, b.rod], at: [2, 1]}\n"
            "contacts:\n"
            "  - {name: a.floor, gap: a.rod.end.y + 0.3*(0.5 + 0.1), restitution: 0.5}\n"
            "  - {name: b.floor, gap: b.rod.end.y + 0.3*(l/10), restitution: 0.5}\n");
}

// a chain: the second hangs on the first, by a component that uses another twice
static void components_use_others(void **state)
{
    (void)state;
    compare("carom: 1\nspace: plane\ngravity: [0, -10]\nparameters: {om: 0}\n" PENDULUM
            "  double:\n"
            "    parameters: {at: point}\n"
            "    use:\n"
            "      upper: {pendulum: {on: ground, at: at, l: 0.5}}\n"
            "      lower: {pendulum: {on: upper.rod, at: [0.5, 1], l: 0.5}}\n"
            "use: {d: {double: {at: [0, 1]}}}\n",
            "carom: 1\nspace: plane\ngravity: [0, -10]\nparameters: {om: 0}\n"
            "bodies:\n"
            "  d.upper.rod: {mass: 2, inertia: 2*0.5^2/12, at: [0 + 0.5/2, 1],\n"
            "    points: {end: [0.5/2, 0]}}\n"
            "  d.lower.rod: {mass: 2, inertia: 2*0.5^2/12, at: [0.5 + 0.5/2, 1],\n"
            "    points: {end: [0.5/2, 0]}}\n"
            "joints:\n"
            "  d.upper.pin: {revolute: [ground, d.upper.rod], at: [0, 1]}\n"
            "  d.lower.pin: {revolute: [d.upper.rod, d.lower.rod], at: [0.5, 1]}\n"
            "contacts:\n"
            "  - {name: d.upper.floor, gap: d.upper.rod.end.y + 0.15, restitution: 0.5}\n"
            "  - {name: d.lower.floor, gap: d.lower.rod.end.y + 0.15, restitution: 0.5}\n");
}

// more uses side by side than components may be deep, and in uses of uses
static void uses_side_by_side_are_not_deep(void **state)
{
    char text[4096] = "carom: 1\nspace: plane\ncomponents:\n"
                      "  ball: {bodies: {b: {mass: 1, inertia: 1}}}\n"
                      "  box: {use: {l: {ball: {}}, r: {ball: {}}}}\nuse:\n";
    (void)state;
    for (int i = 0; i < 40; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "  u%d: {box: {}}\n", i);
    carom_model *model = model_of(text);
    assert_int_equal(carom_model_sizes(model).nq, 2 * 40 * 3);
    assert_string_equal(carom_model_coordinate_name(model, 0), "u0.l.b.x");
    carom_model_free(model);
}

// every name of a long component is looked up once, whatever stands beside it; quadratic, this
// would take a minute
static void long_components_are_read_at_once(void **state)
{
    enum { MANY = 30000, ROOM = 1 << 22 };
    char *text = malloc(ROOM);
    carom_error error = {0};
    carom_modelfile *file = NULL;
    int n = 0;
    (void)state;
    assert_non_null(text);
    n += sprintf(text + n, "carom: 1\ncoordinates: {x: {start: 1}}\nkinetic: der(x)^2\n"
                           "components:\n  c:\n    parameters:\n");
    for (int i = 0; i < MANY; i++) n += sprintf(text + n, "      p%d: number\n", i);
    n += sprintf(text + n, "    define:\n");
    for (int i = 0; i < MANY; i++) n += sprintf(text + n, "      d%d: p%d\n", i, i);
    n += sprintf(text + n, "      all: \"");
    for (int i = 0; i < MANY; i++) n += sprintf(text + n, "%sd%d", i ? "+" : "", MANY - 1);
    n += sprintf(text + n, "\"\nuse:\n  u:\n    c:\n");
    for (int i = 0; i < MANY; i++) n += sprintf(text + n, "      p%d: 1\n", i);
    const clock_t begin = clock();
    assert_int_equal(carom_modelfile_read_text(text, (size_t)n, "model.yaml", &file, &error),
                     CAROM_OK);
    assert_true((double)(clock() - begin) / CLOCKS_PER_SEC < 10);
    carom_modelfile_free(file);
    free(text);
}

// a few bytes that would be written out as more than any memory: see also test/bad-models
static void what_is_written_out_is_limited(void **state)
{
    static const char text[] = "carom: 1\ncoordinates: {x: {start: 1}}\nkinetic: der(x)^2\n"
                               "components: {c: {define: {d: 1 + 2 + 3 + 4}}}\n"
                               "use: {a: {c: {}}, b: {c: {}}}\n";
    carom_limits limits = carom_limits_default();
    const carom_access access = {.limits = &limits};
    carom_error error = {0};
    carom_modelfile *file = NULL;
    (void)state;
    limits.model_bytes = sizeof text + 100;
    assert_int_equal(
        carom_modelfile_read_text_with(text, strlen(text), "m.yaml", &access, &file, &error),
        CAROM_OK);
    carom_modelfile_free(file);
    char long_text[2048];
    strcpy(long_text, text);
    for (int i = 0; i < 60; i++)
        snprintf(long_text + strlen(long_text) - 2, sizeof long_text, ", u%d: {c: {}}}\n", i);
    limits.model_bytes = (double)strlen(long_text);
    assert_int_equal(carom_modelfile_read_text_with(long_text, strlen(long_text), "m.yaml", &access,
                                                    &file, &error),
                     CAROM_BAD_INPUT);
    assert_non_null(strstr(error.message, "what the components of the model write out has more"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_use_is_what_is_written_out),
        cmocka_unit_test(components_use_others),
        cmocka_unit_test(uses_side_by_side_are_not_deep),
        cmocka_unit_test(long_components_are_read_at_once),
        cmocka_unit_test(what_is_written_out_is_limited),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
