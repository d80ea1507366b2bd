// SPDX-License-Identifier: Apache-2.0
// The highest frequency of a model against that of chains in closed form, and steps of explicit
// schemes just below and just above what it allows.
#include "model/model_rig.h"

static carom_stiffest stiffest_of(const char *text)
{
    carom_error error = {0};
    carom_stiffest found;
    carom_model *model = model_from_text(text);
    must(carom_model_stiffest(model, &found, &error), &error);
    carom_model_free(model);
    return found;
}

// masses between walls: w = 2 sqrt(k/m) sin(n pi/(2 (n + 1))), z = beta w/2
static void a_chain_has_its_highest_frequency(void **state)
{
    (void)state;
    static const int number[] = {1, 2, 5, 60, 700};
    for (int i = 0; i < 5; i++) {
        char text[600];
        const int n = number[i];
        snprintf(text, sizeof text,
                 "carom: 1\nparameters: {n: %d, k: 30, m: 0.7, b: 1e-3}\n"
                 "coordinates: {'x[i]': {for: {i: 1..n}}}\n"
                 "kinetic: {term: 'm/2*der(x[i])^2', for: {i: 1..n}}\n"
                 "potential: {term: 'k/2*(if(i == n + 1, 0, x[min(i,n)]) - if(i == 1, 0, "
                 "x[max(i-1,1)]))^2', for: {i: 1..n+1}}\n"
                 "forces: [{at: ['if(i == n + 1, 0, x[min(i,n)]) - if(i == 1, 0, x[max(i-1,1)])'], "
                 "for: {i: 1..n+1}, force: ['-b*k*(if(i == n + 1, 0, der(x[min(i,n)])) - "
                 "if(i == 1, 0, der(x[max(i-1,1)])))']}]\n",
                 n);
        const carom_stiffest found = stiffest_of(text);
        const double w = 2 * sqrt(30 / 0.7) * sin(n * acos(-1) / (2 * (n + 1)));
        near("highest frequency", found.frequency, w, 1e-3 * w);
        near("its damping", found.damping, 0.5e-3 * w, 1e-3 * w * 0.5e-3);
    }
}

static void what_has_no_stiffness_has_no_frequency(void **state)
{
    (void)state;
    const carom_stiffest found =
        stiffest_of("carom: 1\ncoordinates: {x: {}}\nkinetic: der(x)^2\npotential: 3*x\n");
    near("frequency", found.frequency, 0, 0);
    assert_true(isinf(carom_stiffest_step(&found, 2)));
}

static const char beam[] =
    "carom: 1\nspace: plane\nparameters: {beta: 0}\n"
    "beams: {b: {from: {body: ground, at: [0, 0], end: fixed}, length: 0.5, elements: 6,\n"
    "  section: {box: [0.01, 0.01]}, elasticity: {E: 2.1e11, density: 7800},\n"
    "  damping: {stiffness: beta}, velocity: [0, 1]}}\n";

// the energy after 400 steps, over that of the start
static double growth(const carom_model *model, const char *scheme, double h)
{
    carom_error error = {0};
    carom_sim *sim;
    carom_audit audit = {0};
    carom_sim_options options = carom_sim_default();
    options.scheme = scheme;
    options.step = h;
    options.end = 400 * h;
    options.allow_unstable = true;
    must(carom_sim_new(model, &options, &sim, &error), &error);
    const carom_status status = carom_sim_run(sim, &error);
    if (status == CAROM_OK) must(carom_sim_audit(sim, &audit, NULL, &error), &error);
    carom_sim_free(sim);
    return status == CAROM_OK ? audit.energy_end / audit.energy_start : INFINITY;
}

static carom_status made(const carom_model *model, const char *scheme, double h, carom_error *error)
{
    carom_sim *sim;
    carom_sim_options options = carom_sim_default();
    options.scheme = scheme;
    options.step = h;
    options.end = 400 * h;
    const carom_status status = carom_sim_new(model, &options, &sim, error);
    carom_sim_free(sim);
    return status;
}

static void explicit_schemes_get_no_longer_steps_than_they_bear(void **state)
{
    (void)state;
    static const char *const scheme[] = {"moreau_midpoint", "tdg_velocity", "tdg_acceleration",
                                         "tdg_velocity_explicit"};
    static const char *const beta[] = {"0", "1e-6"};
    for (int i = 0; i < 8; i++) {
        carom_error error = {0};
        carom_stiffest found;
        carom_modelfile *file = file_from_text(beam);
        must(carom_builder_set(carom_modelfile_builder(file), text_of("beta"), text_of(beta[i / 4]),
                               &error),
             &error);
        carom_model *model = finish_file(file);
        must(carom_model_stiffest(model, &found, &error), &error);
        const double h = carom_stiffest_step(&found, 2);
        assert_true(growth(model, scheme[i % 4], 0.97 * h) < 3);
        assert_true(growth(model, scheme[i % 4], 1.06 * h) > 1e3);
        assert_int_equal(made(model, scheme[i % 4], 0.99 * h, &error), CAROM_OK);
        assert_int_equal(made(model, scheme[i % 4], 1.02 * h, &error), CAROM_BAD_INPUT);
        assert_non_null(strstr(error.message, "too long"));
        assert_int_equal(made(model, "moreau_jean", 100 * h, &error), CAROM_OK);
        carom_model_free(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_chain_has_its_highest_frequency),
        cmocka_unit_test(what_has_no_stiffness_has_no_frequency),
        cmocka_unit_test(explicit_schemes_get_no_longer_steps_than_they_bear),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
