// SPDX-License-Identifier: Apache-2.0
// Live parameters of a simulation: what may be live, values that are refused and leave all as it
// was, values that follow others, starting again, identities of runs.
#include "sim/live_rig.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

// a sledge on a floor that is pushed from time T on; with a spring of a law x^p
static const char sledge[] = "carom: 1\n"
                             "name: sledge\n"
                             "parameters:\n"
                             "  m: 2\n"
                             "  weight: 10*m\n"
                             "  e: 0.5\n"
                             "  mu: 0.3\n"
                             "  k: 0\n"
                             "  p: 3\n"
                             "  n: 1\n"
                             "  T: 0.15\n"
                             "  push: 8\n"
                             "  high: 0.001\n"
                             "  bend: 1\n"
                             "coordinates:\n"
                             "  x: {start: 0, rate: 1}\n"
                             "  y: {start: high}\n"
                             "  z: {start: 1}\n"
                             "kinetic: m/2*(der(x)^2 + der(y)^2 + der(z)^2)\n"
                             "potential: weight*y + k*x^(p + 1) + sum(i, 1, n, z^2)\n"
                             "forces:\n"
                             "  - coordinate: x\n"
                             "    force: if(t < T, 0, push)\n"
                             "contacts:\n"
                             "  - name: floor\n"
                             "    gap: y\n"
                             "    slip: x\n"
                             "    restitution: e\n"
                             "    friction: mu\n"
                             "  - name: post\n"
                             "    gap: 3 - abs(z)*bend\n"
                             "run: {scheme: moreau_midpoint, step: 1e-3, end: 0.5}\n";

static carom_sim *start(const carom_model *model, const char *scheme)
{
    carom_error error = {0};
    carom_sim *sim = NULL;
    carom_sim_options options = carom_sim_default();
    options.scheme = scheme;
    options.step = carom_scheme_find(scheme)->is_adaptive ? 0 : 1e-3;
    options.end = 0.5;
    if (carom_sim_new(model, &options, &sim, &error) != CAROM_OK) fail_msg("%s", error.message);
    return sim;
}

static void set(carom_sim *sim, const char *name, double value)
{
    carom_error error = {0};
    const carom_parameter one = {name, value};
    if (carom_sim_set_parameters(sim, &one, 1, &error) != CAROM_OK) fail_msg("%s", error.message);
}

static void expect_refusal(carom_sim *sim, const char *name, double value, const char *says)
{
    carom_error error = {0};
    const carom_parameter one = {name, value};
    assert_int_equal(carom_sim_set_parameters(sim, &one, 1, &error), CAROM_BAD_INPUT);
    if (!strstr(error.message, says)) fail_msg("'%s' does not say '%s'", error.message, says);
}

static void run(carom_sim *sim)
{
    carom_error error = {0};
    if (carom_sim_run(sim, &error) != CAROM_OK) fail_msg("%s", error.message);
}

static void expect_same(const carom_sim *a, const carom_sim *b, const carom_model *model)
{
    const carom_sizes n = carom_model_sizes(model);
    const carom_state *x = carom_sim_state(a), *y = carom_sim_state(b);
    assert_true(x->t == y->t);
    assert_memory_equal(x->q, y->q, sizeof(double) * (size_t)n.nq);
    assert_memory_equal(x->u, y->u, sizeof(double) * (size_t)n.nu);
    assert_memory_equal(x->P, y->P, sizeof(double) * (size_t)n.n_row);
    assert_int_equal(carom_sim_counts(a).steps, carom_sim_counts(b).steps);
    assert_int_equal(carom_sim_counts(a).impact_steps, carom_sim_counts(b).impact_steps);
}

static void what_decides_structure_is_not_live(void **state)
{
    (void)state;
    static const char *const fixed[][2] = {
        {"p", "an exponent"}, {"n", "the upper bound of a sum"}, {"bend", "the pieces of a gap"}};
    carom_error error = {0};
    carom_model *model = live_from_text(sledge, "", &error);
    if (!model) fail_msg("%s", error.message);
    assert_int_equal(carom_model_n_live(model), 8);
    carom_sim *sim = start(model, "moreau_midpoint");
    for (int i = 0; i < 3; i++) {
        expect_refusal(sim, fixed[i][0], 2, fixed[i][1]);
        error = (carom_error){0};
        assert_null(live_from_text(sledge, fixed[i][0], &error));
        assert_non_null(strstr(error.message, fixed[i][1]));
        assert_non_null(strstr(error.message, fixed[i][0]));
        assert_non_null(strstr(error.message, "live.yaml:")); // and where
    }
    carom_sim_free(sim);
    carom_model_free(model);
}

static void bad_values_change_nothing(void **state)
{
    (void)state;
    carom_error error = {0};
    carom_model *model = live_from_text(sledge, "", &error);
    carom_sim *sim = start(model, "moreau_midpoint"), *other = start(model, "moreau_midpoint");
    set(sim, "e", 0.25);
    set(other, "e", 0.25);
    expect_refusal(sim, "e", 1.5, "'floor' must be between 0 and 1, it is 1.5");
    expect_refusal(sim, "e", -0.1, "between 0 and 1");
    expect_refusal(sim, "mu", -1, "friction of contact 'floor'");
    expect_refusal(sim, "mu", INFINITY, "mu");
    expect_refusal(sim, "push", NAN, "'push' is not a finite number");
    expect_refusal(sim, "pusch", 1, "did you mean 'push'");
    expect_refusal(sim, "m", -1, "mass matrix is not positive definite");
    expect_refusal(sim, "m", 0, "mass"); // the force is 10 m/m
    expect_refusal(sim, "high", -1, "deep");
    assert_true(carom_sim_parameter(sim, "e") == 0.25);
    assert_true(carom_sim_parameter(sim, "high") == 0.001);
    assert_true(isnan(carom_sim_parameter(sim, "p")) && isnan(carom_sim_parameter(NULL, "e")));
    run(sim);
    run(other);
    expect_same(sim, other, model);
    carom_sim_free(sim);
    carom_sim_free(other);
    carom_model_free(model);
}

static void models_without_live_parameters_take_no_values(void **state)
{
    (void)state;
    carom_error error = {0};
    carom_model *model = live_from_text(sledge, NULL, &error), *one;
    carom_sim *sim = start(model, "moreau_midpoint");
    assert_int_equal(carom_model_n_live(model), 0);
    expect_refusal(sim, "e", 0.5, "no live parameters");
    carom_sim_free(sim);
    carom_model_free(model);
    one = live_from_text(sledge, "e", &error); // alone
    assert_int_equal(carom_model_n_live(one), 1);
    assert_string_equal(carom_model_live(one, 0).name, "e");
    assert_null(carom_model_live(one, 1).name);
    sim = start(one, "moreau_midpoint");
    expect_refusal(sim, "mu", 0.5, "no live parameter 'mu'");
    carom_sim_free(sim);
    carom_model_free(one);
}

static void values_follow_those_before_them(void **state)
{
    (void)state;
    carom_error error = {0};
    carom_model *model = live_from_text(sledge, "", &error);
    carom_sim *sim = start(model, "moreau_midpoint");
    set(sim, "m", 4);
    assert_true(carom_sim_parameter(sim, "weight") == 40);
    set(sim, "weight", 30);
    set(sim, "m", 5);
    assert_true(carom_sim_parameter(sim, "weight") == 30); // it was given
    carom_sim_free(sim);
    carom_model_free(model);
}

// forces that begin at T: a parameter that was 0 when the equations were derived, and a time
static void zeros_come_alive(void **state)
{
    (void)state;
    carom_error error = {0};
    carom_model *model = live_from_text(sledge, "", &error);
    static const char *const scheme[] = {"moreau_midpoint", "event_driven", "moreau_jean"};
    for (int i = 0; i < 3; i++) {
        carom_sim *sim = start(model, scheme[i]);
        set(sim, "mu", 0);
        set(sim, "push", 0);
        run(sim);
        assert_true(fabs(carom_sim_state(sim)->q[0] - 0.5) < 1e-9); // x = t
        set(sim, "push", 8);
        set(sim, "T", 0.25);
        run(sim);
        assert_true(fabs(carom_sim_state(sim)->q[0] - 0.625) < 2e-3); // + 4 (t - T)^2/2
        if (i == 1) assert_true(fabs(carom_sim_state(sim)->q[0] - 0.625) < 1e-9);
        set(sim, "push", 0);
        set(sim, "k", 4); // m x'' = -4 k x^3
        run(sim);
        const double x = carom_sim_state(sim)->q[0], u = carom_sim_state(sim)->u[0];
        assert_true(u < 1 && x < 0.5);
        assert_true(fabs(u * u + 4 * x * x * x * x - 1) < 1e-3);
        carom_sim_free(sim);
    }
    carom_model_free(model);
}

static void starting_again_is_starting_anew(void **state)
{
    (void)state;
    carom_error error = {0};
    carom_model *model = live_from_text(sledge, "", &error);
    for (int i = 0; i < carom_scheme_count(); i++) {
        const carom_scheme *scheme = carom_scheme_at(i);
        carom_sim *sim = NULL, *fresh = NULL;
        carom_sim_options options = carom_sim_default();
        options.scheme = scheme->name;
        options.step = scheme->is_adaptive && !scheme->keeps_step ? 0 : 1e-3;
        options.end = 0.5;
        if (carom_sim_new(model, &options, &sim, NULL) != CAROM_OK) continue;
        assert_int_equal(carom_sim_new(model, &options, &fresh, NULL), CAROM_OK);
        set(sim, "mu", 0.05);
        (void)carom_sim_run(sim, NULL);
        set(sim, "mu", 0.3);
        assert_int_equal(carom_sim_reset(sim, &error), CAROM_OK);
        assert_true(carom_sim_state(sim)->t == 0 && carom_sim_counts(sim).steps == 0);
        assert_int_equal(carom_sim_run(sim, NULL), carom_sim_run(fresh, NULL));
        expect_same(sim, fresh, model);
        carom_sim_free(sim);
        carom_sim_free(fresh);
    }
    carom_model_free(model);
}

// breaks of time that are searched for: those of the value before are gone
static void breaks_are_searched_for_anew(void **state)
{
    (void)state;
    static const char text[] =
        "carom: 1\nparameters: {c: %s}\ncoordinates: {x: {start: 1}}\nkinetic: der(x)^2/2\n"
        "potential: x^2/2\nforces: [{coordinate: x, force: \"if(sin(5*t) > c, 1, 0)\"}]\n";
    static const char *const schemes[] = {"phem56", "event_driven", "hem5"};
    carom_error error = {0};
    char with[2][300];
    snprintf(with[0], sizeof with[0], text, "0.2");
    snprintf(with[1], sizeof with[1], text, "0.7");
    carom_model *model = live_from_text(with[0], "", &error),
                *anew = live_from_text(with[1], "", &error);
    if (!model || !anew) fail_msg("%s", error.message);
    for (int i = 0; i < 3; i++) {
        carom_sim *sim = start(model, schemes[i]), *other = start(anew, schemes[i]);
        run(sim);
        set(sim, "c", 0.7);
        run(sim);
        run(other);
        expect_same(sim, other, model);
        carom_sim_free(sim);
        carom_sim_free(other);
    }
    carom_model_free(model);
    carom_model_free(anew);
}

// with matrices that depend on nothing but the step, what was factorised stands for the old masses
static void implicit_schemes_factorise_anew(void **state)
{
    (void)state;
    static const char text[] =
        "carom: 1\nparameters: {m: 1, k: 30}\ncoordinates: {x: {start: 1}, y: {start: -0.5}}\n"
        "kinetic: (m*der(x)^2 + 2*der(y)^2)/2\npotential: k*x^2/2 + k*(y - x)^2/2\n"
        "contacts: [{name: stop, gap: x + 0.3, restitution: 0.5}]\n";
    static const char *const schemes[] = {"moreau_jean", "moreau_direct_projection",
                                          "moreau_combined_projection", "nonsmooth_gen_alpha"};
    carom_error error = {0};
    carom_model *model = live_from_text(text, "", &error);
    for (int i = 0; i < 4; i++) {
        carom_sim *sim = start(model, schemes[i]), *other = start(model, schemes[i]);
        run(sim);
        set(sim, "m", 4);
        set(other, "m", 4);
        run(sim);
        run(other);
        expect_same(sim, other, model);
        carom_sim_free(sim);
        carom_sim_free(other);
    }
    carom_model_free(model);
}

static void machine_code_takes_new_values(void **state)
{
    (void)state;
    carom_error error = {0};
    carom_model *model = live_make("slider-crank", NULL, true, &error);
    carom_sim *tape = NULL, *code = NULL;
    carom_sim_options options = carom_sim_default();
    options.step = 1e-4;
    options.end = 0.02;
    assert_int_equal(carom_sim_new(model, &options, &tape, &error), CAROM_OK);
    options.is_native = true;
    assert_int_equal(carom_sim_new(model, &options, &code, &error), CAROM_OK);
    if (!carom_sim_native(code, NULL)) skip(); // no compiler here
    set(tape, "m2", 0.05);
    set(code, "m2", 0.05);
    run(tape);
    run(code);
    for (int i = 0; i < carom_model_sizes(model).nu; i++) {
        const double a = carom_sim_state(tape)->u[i], b = carom_sim_state(code)->u[i];
        assert_true(fabs(a - b) <= 1e-10 * fabs(a));
    }
    carom_sim_free(tape);
    carom_sim_free(code);
    carom_model_free(model);
}

static carom_status keep_row(void *self, const double *value, int n, carom_error *error)
{
    double *kept = self;
    (void)n, (void)error;
    kept[0] += 1;
    kept[1] = value[0];
    return CAROM_OK;
}

static void recorders_see_the_new_run(void **state)
{
    (void)state;
    double kept[2] = {0};
    carom_error error = {0};
    carom_model *model = live_from_text(sledge, "", &error);
    carom_sim *sim = start(model, "moreau_midpoint");
    const carom_recorder recorder = {.self = kept, .row = keep_row};
    assert_int_equal(carom_sim_add_recorder(sim, recorder, &error), CAROM_OK);
    run(sim);
    assert_true(kept[0] == 501 && kept[1] == 0.5);
    set(sim, "e", 0.1);
    assert_int_equal(carom_sim_step(sim, &error), CAROM_OK);
    assert_true(kept[0] == 503 && kept[1] == 1e-3); // the start and the step
    carom_sim_free(sim);
    carom_model_free(model);
}

// two simulations of one model do not disturb each other
static void values_belong_to_the_simulation(void **state)
{
    (void)state;
    carom_error error = {0};
    carom_model *model = live_from_text(sledge, "", &error);
    carom_sim *a = start(model, "moreau_midpoint"), *b = start(model, "moreau_midpoint"),
              *alone = start(model, "moreau_midpoint");
    set(a, "push", 1);
    set(b, "push", 5);
    set(alone, "push", 1);
    while (!carom_sim_is_done(a)) {
        assert_int_equal(carom_sim_step(a, &error), CAROM_OK);
        assert_int_equal(carom_sim_step(b, &error), CAROM_OK);
    }
    run(alone);
    expect_same(a, alone, model);
    assert_true(carom_sim_state(a)->q[0] != carom_sim_state(b)->q[0]);
    carom_sim_free(a);
    carom_sim_free(b);
    carom_sim_free(alone);
    carom_model_free(model);
}

static void checkpoints_know_the_values(void **state)
{
    (void)state;
    char path[] = "/tmp/carom-live-XXXXXX";
    const int file = mkstemp(path);
    carom_error error = {0};
    carom_model *model = live_from_text(sledge, "", &error);
    carom_sim *sim = start(model, "moreau_midpoint"), *other = start(model, "moreau_midpoint");
    assert_true(file >= 0 && close(file) == 0);
    set(sim, "mu", 0.1);
    for (int i = 0; i < 100; i++) assert_int_equal(carom_sim_step(sim, &error), CAROM_OK);
    assert_int_equal(carom_sim_checkpoint(sim, path, &error), CAROM_OK);
    assert_int_equal(carom_sim_restart(other, path, &error), CAROM_BAD_INPUT);
    assert_non_null(strstr(error.message, "parameters"));
    set(other, "mu", 0.1);
    assert_int_equal(carom_sim_restart(other, path, &error), CAROM_OK);
    run(sim);
    run(other);
    expect_same(sim, other, model);
    unlink(path);
    carom_sim_free(sim);
    carom_sim_free(other);
    carom_model_free(model);
}

// a start that must keep a constraint is looked at with the new values
static void the_start_is_checked_again(void **state)
{
    (void)state;
    static const char rod[] = "carom: 1\nname: rod\nparameters: {l: 1, x0: 1}\n"
                              "coordinates:\n  x: {start: x0}\n  y: {}\n"
                              "kinetic: 1/2*(der(x)^2 + der(y)^2)\npotential: 10*y\n"
                              "constraints:\n  - name: rod\n    equation: x^2 + y^2 - l^2\n"
                              "run: {scheme: moreau_midpoint, step: 1e-3, end: 0.5}\n";
    carom_error error = {0};
    carom_model *model = live_from_text(rod, "", &error);
    carom_sim *sim = start(model, "moreau_midpoint");
    const carom_parameter both[] = {{"l", 2}, {"x0", 2}};
    expect_refusal(sim, "l", 2, "constraint 'rod'");
    assert_int_equal(carom_sim_set_parameters(sim, both, 2, &error), CAROM_OK);
    assert_true(carom_sim_state(sim)->q[0] == 2);
    run(sim);
    carom_sim_free(sim);
    carom_model_free(model);
}

static void a_live_model_is_written_with_its_numbers(void **state)
{
    (void)state;
    char *live = NULL, *numbers = NULL;
    carom_error error = {0};
    static const char text[] = "carom: 1\nname: swing\nparameters: {m: 5, k: 3, x0: 2*k}\n"
                               "coordinates:\n  x: {start: x0}\n"
                               "kinetic: m/2*der(x)^2\npotential: k/2*x^2\n";
    carom_model *a = live_from_text(text, "", &error), *b = live_from_text(text, NULL, &error);
    assert_int_equal(carom_model_to_c(a, &live, &error), CAROM_OK);
    assert_int_equal(carom_model_to_c(b, &numbers, &error), CAROM_OK);
    assert_string_equal(live, numbers);
    free(live);
    free(numbers);
    carom_model_free(a);
    carom_model_free(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_decides_structure_is_not_live),
        cmocka_unit_test(bad_values_change_nothing),
        cmocka_unit_test(models_without_live_parameters_take_no_values),
        cmocka_unit_test(values_follow_those_before_them),
        cmocka_unit_test(zeros_come_alive),
        cmocka_unit_test(starting_again_is_starting_anew),
        cmocka_unit_test(breaks_are_searched_for_anew),
        cmocka_unit_test(implicit_schemes_factorise_anew),
        cmocka_unit_test(machine_code_takes_new_values),
        cmocka_unit_test(recorders_see_the_new_run),
        cmocka_unit_test(values_belong_to_the_simulation),
        cmocka_unit_test(checkpoints_know_the_values),
        cmocka_unit_test(the_start_is_checked_again),
        cmocka_unit_test(a_live_model_is_written_with_its_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
