// SPDX-License-Identifier: Apache-2.0
// Every scheme takes bodies in space, or refuses by name with its reason: a pendulum on a hinge,
// one with limits, an arm that joints carry. Angles count turns, also across a checkpoint; compiled
// models give the same bits.
#include "model/native_rig.h"
#include "physics/adams_cases.h"
#include "physics/last_row.h"

#include <unistd.h>

#define PENDULUM                                                                                    \
    "carom: 1\n"                                                                                    \
    "gravity: [0, 0, -9.81]\n"                                                                      \
    "bodies:\n"                                                                                     \
    "  b: {mass: 1, inertia: [0.04, 0.1, 0.1, 0.01, 0.005, 0.002], at: [0.5, 0, 0], points: {tip: " \
    "[0.3, 0, 0]}}\n"                                                                               \
    "joints:\n"
static const char hinged[] =
    PENDULUM "  j: {revolute: [ground, b], at: [0, 0, 0], axis: [0.1, 1, 0.2]}\n"
             "record: {angle: j.angle, x: b.tip.x, z: b.tip.z}\n";
static const char limited[] =
    PENDULUM "  j: {revolute: [ground, b], at: [0, 0, 0], axis: [0.1, 1, 0.2], limits: [-1, 1.2], "
             "restitution: 0.5}\n"
             "record: {angle: j.angle, x: b.tip.x, z: b.tip.z}\n";
static const char carried[] =
    "carom: 1\n"
    "gravity: [0, 0, -9.81]\n"
    "bodies:\n"
    "  base: {mass: 1, inertia: [0.04, 0.1, 0.1, 0.01, 0.005, 0.002], centre: [0.3, 0, 0], on: "
    "{revolute: ground, at: [0, 0, 0], axis: [0.1, 1, 0.2]}, points: {tip: [0.6, 0, 0]}}\n"
    "  b: {mass: 0.5, inertia: [0.02, 0.03, 0.03], centre: [0.2, 0, 0], on: {spherical: base, at: "
    "base.tip, rate: [1, 2, 3]}, points: {tip: [0.3, 0, 0]}}\n"
    "record: {angle: base.angle, x: b.tip.x, z: b.tip.z}\n";

static bool is_refused(const carom_scheme *scheme, const char *text, const char *reason)
{
    carom_error error = {0};
    carom_model *model = model_from_text(text);
    carom_sim *sim = NULL;
    carom_sim_options options = carom_sim_default();
    options.scheme = scheme->name;
    options.end = 1;
    options.step = scheme->is_adaptive && !scheme->keeps_step ? 0 : 1e-3;
    const carom_status status = carom_sim_new(model, &options, &sim, &error);
    if (status != CAROM_OK &&
        (!strstr(error.message, scheme->name) || !strstr(error.message, reason)))
        fail_msg("%s refuses without its reason: %s", scheme->name, error.message);
    carom_sim_free(sim);
    carom_model_free(model);
    return status != CAROM_OK;
}

// every scheme ends near the same place; returns how many took the model
static int check_schemes(const char *text, const char *reason, double end, double step,
                         double allowed)
{
    last_row right;
    int n_taken = 0;
    run_text(&right, text, (how){"event_driven", end, 0, 1e-11});
    for (int i = 0; i < carom_scheme_count(); i++) {
        const carom_scheme *scheme = carom_scheme_at(i);
        if (is_refused(scheme, text, reason)) continue;
        last_row last;
        const bool is_fixed = !scheme->is_adaptive || scheme->keeps_step;
        run_text(&last, text, (how){scheme->name, end, is_fixed ? step : 0, is_fixed ? 0 : 1e-8});
        near(scheme->name, column(&last, "angle"), column(&right, "angle"), allowed);
        near(scheme->name, column(&last, "x"), column(&right, "x"), allowed);
        near(scheme->name, column(&last, "z"), column(&right, "z"), allowed);
        free_row(&last);
        n_taken++;
    }
    free_row(&right);
    return n_taken;
}

static void every_scheme_takes_bodies_in_space(void **state)
{
    (void)state;
    const int n = carom_scheme_count();
    // all but schatzman_paoli
    assert_int_equal(check_schemes(hinged, "constraint", 0.4, 5e-4, 5e-3), n - 1);
    // nor phem56, hem5, rkf45, gen_alpha, mexx
    assert_int_equal(check_schemes(limited, "co", 0.6, 2e-4, 2e-2), n - 6);
    assert_int_equal(check_schemes(carried, "co", 0.4, 5e-4, 5e-3), n);
}

// |x(h) - x(h/2)| over |x(h/2) - x(h/4)| would need no reference; here there is one
static void schemes_converge_to_adams_with_their_order(void **state)
{
    (void)state;
    static const char *const name[] = {"Revolute_Case01", "Universal_Case02", "Distance_Case03"};
    for (int m = 0; m < 3 * carom_scheme_count(); m++) {
        const carom_scheme *scheme = carom_scheme_at(m / 3);
        const adams_case *it = adams_cases;
        while (strcmp(it->name, name[m % 3]) != 0) it++;
        if ((scheme->is_adaptive && !scheme->keeps_step) || !scheme->has_bilateral) continue;
        last_row right, last;
        double e[2] = {0};
        run_text(&right, it->text, (how){"event_driven", 0.5, 0, 1e-12});
        for (int k = 0; k < 2; k++) {
            run_text(&last, it->text, (how){scheme->name, 0.5, k ? 1e-3 : 2e-3, 0});
            for (int i = 1; i <= 7; i++) e[k] = fmax(e[k], fabs(last.value[i] - right.value[i]));
            free_row(&last);
        }
        free_row(&right);
        const double order = log2(e[0] / e[1]);
        if (!(order > scheme->order_contact - 0.1) && !(e[1] < 1e-12))
            fail_msg("%s, %s: order %.3g, errors %g, %g", it->name, scheme->name, order, e[0],
                     e[1]);
    }
}

static const char spinning[] =
    "carom: 1\n"
    "bodies:\n"
    "  b: {mass: 1, inertia: [0.1, 0.2, 0.15], at: [0, 0, 0], spin_inertial: [0, 0, 20*pi]}\n"
    "joints:\n"
    "  j: {revolute: [ground, b], at: [0, 0, 0], axis: [0, 0, 1]}\n"
    "record: {angle: j.angle}\n";

static void angles_count_a_thousand_turns(void **state)
{
    (void)state;
    static const char *const scheme[] = {
        "moreau_midpoint", "ggl_unified", "variational", "nonsmooth_gen_alpha", "hem5",
        "event_driven",    "mexx"};
    for (int i = 0; i < 7; i++) {
        const bool is_fixed = !carom_scheme_find(scheme[i])->is_adaptive;
        last_row last;
        // a tenth of a turn in each step
        run_text(&last, spinning, (how){scheme[i], 100, is_fixed ? 1e-2 : 0, is_fixed ? 0 : 1e-8});
        near(scheme[i], column(&last, "angle"), 2000 * 3.14159265358979324, 1e-3);
        free_row(&last);
    }
}

static carom_sim *open_run(const carom_model *model, const char *scheme, bool is_native)
{
    carom_error error = {0};
    carom_sim *sim;
    carom_sim_options options = carom_sim_default();
    const bool is_fixed = !carom_scheme_find(scheme)->is_adaptive;
    options.scheme = scheme;
    options.end = 2;
    options.step = is_fixed ? 1e-3 : 0;
    options.tolerance = is_fixed ? 0 : 1e-8;
    options.is_native = is_native;
    must(carom_sim_new(model, &options, &sim, &error), &error);
    return sim;
}

static void same_state(const char *scheme, const carom_sim *a, const carom_sim *b, carom_sizes n)
{
    const carom_state *one = carom_sim_state(a), *other = carom_sim_state(b);
    if (one->t != other->t || memcmp(one->q, other->q, sizeof(double) * (size_t)n.nq) ||
        memcmp(one->u, other->u, sizeof(double) * (size_t)n.nu))
        fail_msg("%s: not the same bits", scheme);
}

static const char *const some[] = {"moreau_midpoint", "moreau_jean",  "ggl_unified",
                                   "variational",     "tdg_velocity", "event_driven"};
static const char *const text_of_some[] = {hinged, limited, carried, spinning};

static void checkpoints_keep_bits_and_turns(void **state)
{
    (void)state;
    char path[] = "/tmp/carom-turns-XXXXXX";
    const int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    for (int i = 0; i < 24; i++) {
        carom_error error = {0};
        carom_model *model = model_from_text(text_of_some[i / 6]);
        carom_sim *whole = open_run(model, some[i % 6], false),
                  *first = open_run(model, some[i % 6], false),
                  *second = open_run(model, some[i % 6], false);
        while (carom_sim_state(first)->t < 1) must(carom_sim_step(first, &error), &error);
        must(carom_sim_checkpoint(first, path, &error), &error);
        must(carom_sim_restart(second, path, &error), &error);
        run_to_end(whole);
        run_to_end(second);
        same_state(some[i % 6], whole, second, carom_model_sizes(model));
        carom_sim_free(whole);
        carom_sim_free(first);
        carom_sim_free(second);
        carom_model_free(model);
    }
    unlink(path);
}

static void compiled_models_give_the_same_bits(void **state)
{
    (void)state;
    static const char *const scheme[] = {"moreau_midpoint", "moreau_jean", "event_driven"};
    native_need_compiler();
    for (int i = 0; i < 9; i++) {
        const char *why = "";
        carom_model *model = model_from_text(text_of_some[i / 3]);
        carom_sim *tape = open_run(model, scheme[i % 3], false),
                  *native = open_run(model, scheme[i % 3], true);
        if (!carom_sim_native(native, &why)) fail_msg("not compiled: %s", why);
        run_to_end(tape);
        run_to_end(native);
        same_state(scheme[i % 3], tape, native, carom_model_sizes(model));
        carom_sim_free(tape);
        carom_sim_free(native);
        carom_model_free(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_scheme_takes_bodies_in_space),
        cmocka_unit_test(schemes_converge_to_adams_with_their_order),
        cmocka_unit_test(angles_count_a_thousand_turns),
        cmocka_unit_test(checkpoints_keep_bits_and_turns),
        cmocka_unit_test(compiled_models_give_the_same_bits),
    };
    return cmocka_run_group_tests(tests, native_start, native_end);
}
