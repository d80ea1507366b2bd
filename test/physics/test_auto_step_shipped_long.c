// SPDX-License-Identifier: Apache-2.0
// label: slow
// Step control on every shipped model that it takes: at 1e-4, 1e-6 and 1e-8 each coordinate
// ends within 100 tolerances of its scale from the event-driven motion. Motions that are
// sensitive are named, and shown to be: an event-driven run from a start that is changed
// by a little ends far off.
#include "model/model_rig.h"

#include <dirent.h>

enum { MOST_COORDINATES = 128 };

/// What is not asked of a model, and why.
typedef struct exception {
    const char *model;
    double least; ///< smallest tolerance that is tried
    const char *why;
} exception;
#define BEAMS "elastic: explicit schemes follow vibrations of 1e3 to 1e6 rad/s, minutes a model"
static const exception exceptions[] = {
    {"ball-screw", 1, "stops aloud at 1e-4: 15 rows for one freedom, at 692 rad/s"},
    {"ball-on-moving-plane", 1, "chaotic: see motions_that_are_sensitive"},
    {"cable-on-peg", 1, BEAMS},
    {"cantilever-stop", 1, BEAMS},
    {"cantilever-stop-linear", 1, BEAMS},
    {"double-pendulum-spatial", 1, "104 tolerances: see motions_that_are_sensitive"},
    {"flexible-pendulum", 1, BEAMS},
    {"slider-crank", 1e-6, "two corners collide at once: see motions_that_are_sensitive"},
    {"stick-slip-oscillator", 1, "friction of the slip rate is of first order in time stepping"},
    {"slider-crank-carried-shapes", 1e-6, "as slider-crank"},
    {"slider-crank-flexible", 1, BEAMS},
    {"slider-crank-shapes", 1e-6, "as slider-crank"},
    {"ball-bearing", 1, "event_driven, the reference, stops aloud"},
    {"granular-column", 1, "chaotic, and more than 128 coordinates"},
    {"rockfall", 1, "chaotic"},
    {"bowling", 1, "event_driven, the reference, needs more than 2 GB"},
    {"circuit-breaker", 1, "event_driven refuses friction of joints"},
    {"rattleback", 1, "unstable by nature: 1e-9 of a start become 1e-3"},
    {"arch", 1, BEAMS},
    {"rotor", 1, "hops many times, and then small changes are large ones"},
    {"tuning-fork", 1, BEAMS},
    {"tippe-top", 1, "spins 350 times: see motions_that_are_sensitive"},
    {"tippe-top-shape", 1, "the same"},
    {"wall", 1, "its impact has several answers, each exact: three solvers find three"},
    {"whip", 1, BEAMS},
    {"woodpecker", 1, "starts 1e-6 m inside a contact: see the_woodpecker_from_a_good_start"},
};
/// More than half a second at 1e-8: at this tolerance a twentieth of the run is looked at.
static const char *const costly[] = {"andrews-squeezer-bodies",
                                     "billiard",
                                     "car-axis",
                                     "elastic-bar",
                                     "four-bar",
                                     "four-bar-clearances",
                                     "four-bar-parts",
                                     "four-bar-spatial",
                                     "housner-block",
                                     "newtons-cradle",
                                     "oscillator-with-stop-2d",
                                     "rolling-coin",
                                     "slider-crank-bodies",
                                     "slider-crank-carried",
                                     "spinning-top",
                                     "dominoes",
                                     "spring-pendulum",
                                     "stack",
                                     "universal-shaft"};

/// Over how much of the run event_driven, the reference, goes without stopping aloud, or in time.
static const struct part {
    const char *model;
    double share;
} parts[] = {{"dominoes", 0.1},
             {"escapement-clock", 0.02},
             {"gear-rattle", 0.02},
             {"geneva-drive", 0.02},
             {"rover", 0.002}};

static double share_of_run(const char *model)
{
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (strcmp(parts[i].model, model) == 0) return parts[i].share;
    return 1;
}

static double share_at_1e_8(const char *model)
{
    for (size_t i = 0; i < sizeof costly / sizeof *costly; i++)
        if (strcmp(costly[i], model) == 0) return 0.05;
    return 1;
}

static double least_tolerance(const char *model)
{
    for (size_t i = 0; i < sizeof exceptions / sizeof *exceptions; i++)
        if (strcmp(exceptions[i].model, model) == 0) return exceptions[i].least;
    return 1e-8;
}

static carom_sim *run_of(const carom_model *model, const char *scheme, double tolerance, double end,
                         double *scale)
{
    carom_error error = {0};
    carom_sim *sim;
    const int nq = carom_model_sizes(model).nq;
    carom_sim_options options = carom_sim_default();
    options.scheme = scheme;
    options.is_auto_step = scale != NULL;
    options.tolerance = tolerance;
    options.end = end;
    must(carom_sim_new(model, &options, &sim, &error), &error);
    while (scale && !carom_sim_is_done(sim)) {
        must(carom_sim_step(sim, &error), &error);
        for (int i = 0; i < nq; i++) scale[i] = fmax(scale[i], fabs(carom_sim_state(sim)->q[i]));
    }
    if (!scale) run_to_end(sim);
    assert_int_equal(carom_sim_counts(sim).unconverged, 0);
    return sim;
}

static void expect_at(const char *name, const carom_model *model, double tolerance, double end)
{
    const int nq = carom_model_sizes(model).nq;
    assert_true(nq <= MOST_COORDINATES);
    double scale[MOST_COORDINATES] = {0}, largest = 0;
    carom_sim *reference = run_of(model, "event_driven", 1e-11, end, NULL);
    carom_sim *sim = run_of(model, "tdg_velocity", tolerance, end, scale);
    for (int i = 0; i < nq; i++) largest = fmax(largest, scale[i]);
    for (int i = 0; i < nq; i++)
        near(name, carom_sim_state(sim)->q[i], carom_sim_state(reference)->q[i],
             100 * tolerance * fmax(scale[i], 1e-3 * largest));
    carom_sim_free(sim);
    carom_sim_free(reference);
}

static void expect_within(const char *name, const carom_model *model, double end, double least)
{
    for (double tolerance = 1e-4; tolerance > 0.5 * least; tolerance *= 0.01)
        expect_at(name, model, tolerance, tolerance > 1e-7 ? end : share_at_1e_8(name) * end);
}

static void all_shipped_models_end_within_100_tolerances(void **state)
{
    (void)state;
    DIR *folder = opendir(CAROM_SOURCE_DIR "/models");
    int n = 0;
    assert_non_null(folder);
    for (const struct dirent *entry; (entry = readdir(folder));) {
        char name[256];
        const size_t length = strlen(entry->d_name);
        if (length < 6 || length >= sizeof name || strcmp(entry->d_name + length - 5, ".yaml") != 0)
            continue;
        snprintf(name, sizeof name, "%.*s", (int)length - 5, entry->d_name);
        if (least_tolerance(name) > 1e-4) continue;
        carom_modelfile *file = shipped_file(name);
        carom_error error = {0};
        double end;
        must(carom_builder_number(carom_modelfile_builder(file), carom_modelfile_run(file)->end,
                                  &end, &error),
             &error);
        carom_model *model = finish_file(file);
        expect_within(name, model, share_of_run(name) * end, least_tolerance(name));
        carom_model_free(model);
        n++;
    }
    closedir(folder);
    assert_true(n >= 24);
}

// the largest difference at the end that a change of one start value makes
static double spread(const char *name, const char *coordinate, const char *start, double end)
{
    carom_error error = {0};
    double worst = 0;
    carom_modelfile *file = shipped_file(name);
    carom_model *model = finish_file(shipped_file(name)), *changed;
    must(carom_builder_start(carom_modelfile_builder(file), text_of(coordinate), text_of(start),
                             &error),
         &error);
    changed = finish_file(file);
    carom_sim *a = run_of(model, "event_driven", 1e-11, end, NULL);
    carom_sim *b = run_of(changed, "event_driven", 1e-11, end, NULL);
    for (int i = 0; i < carom_model_sizes(model).nq; i++)
        worst = fmax(worst, fabs(carom_sim_state(a)->q[i] - carom_sim_state(b)->q[i]));
    carom_sim_free(a);
    carom_sim_free(b);
    carom_model_free(model);
    carom_model_free(changed);
    return worst;
}

static void motions_that_are_sensitive_are_so_for_event_driven_as_well(void **state)
{
    (void)state;
    // 1e-8 m becomes millimetres; 1e-12 rad tells which corner hits first, and becomes 0.05 rad
    assert_true(spread("ball-on-moving-plane", "y", "0.1 + 1e-8", 5) > 1e-3);
    assert_true(spread("slider-crank", "th3", "1e-12", 1) > 1e-3);
    // 1e-8 of the spin become 5e-6 of the quaternion; 1e-8 rad/s twelve times that
    assert_true(spread("tippe-top", "top.wz", "155*(1 + 1e-8)", 8) > 3e-6);
    assert_true(spread("double-pendulum-spatial", "upper.joint.wx", "1 + 1e-8", 10) > 1e-7);
}

static void the_woodpecker_from_a_good_start(void **state)
{
    (void)state;
    carom_error error = {0};
    carom_modelfile *file = shipped_file("woodpecker");
    must(carom_builder_start(carom_modelfile_builder(file), text_of("phiM"), text_of("-0.1034"),
                             &error),
         &error);
    carom_model *model = finish_file(file);
    expect_within("woodpecker", model, 2, 1e-8);
    carom_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_shipped_models_end_within_100_tolerances),
        cmocka_unit_test(motions_that_are_sensitive_are_so_for_event_driven_as_well),
        cmocka_unit_test(the_woodpecker_from_a_good_start),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
