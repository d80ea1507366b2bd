// SPDX-License-Identifier: Apache-2.0
// counts allocations: new values of live parameters and a new start take no memory, and not long.
#include "count_allocations.h"
#include "sim/live_rig.h"

#include <time.h>

enum { N = 200, ROUNDS = 20 };

// sanitizers make everything slower
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HAS_SANITIZER
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(HAS_SANITIZER)
enum { SLOWER = 20 };
#else
enum { SLOWER = 1 };
#endif

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static carom_sim *start(const char *name, const char *scheme)
{
    carom_error error = {0};
    carom_model *model = live_make(name, NULL, true, &error);
    carom_sim *sim = NULL;
    carom_sim_options options = carom_sim_default();
    options.scheme = scheme;
    options.step = carom_scheme_find(scheme)->is_adaptive ? 0 : 1e-4;
    options.end = 0.01;
    if (carom_sim_new(model, &options, &sim, &error) != CAROM_OK) fail_msg("%s", error.message);
    carom_model_free(model);
    return sim;
}

static void set(carom_sim *sim, const char *name, double value)
{
    const carom_parameter one = {name, value};
    carom_error error = {0};
    if (carom_sim_set_parameters(sim, &one, 1, &error) != CAROM_OK) fail_msg("%s", error.message);
}

static void new_values_take_no_memory(void **state)
{
    (void)state;
    static const char *const scheme[] = {"moreau_midpoint", "moreau_jean", "event_driven",
                                         "nonsmooth_gen_alpha", "tdg_velocity"};
    for (int i = 0; i < 5; i++) {
        carom_sim *sim = start("slider-crank", scheme[i]);
        carom_error error = {0};
        assert_int_equal(carom_sim_step(sim, &error), CAROM_OK);
        const long before = n_allocation;
        assert_true(before > 0);
        set(sim, "m1", 0.05);
        set(sim, "mu", 0.1);
        assert_int_equal(carom_sim_reset(sim, &error), CAROM_OK);
        assert_int_equal(n_allocation, before);
        carom_sim_free(sim);
    }
}

// the promise to studies and sliders: 20 us on the slider-crank; 3 us were measured
static void new_values_take_not_long(void **state)
{
    (void)state;
    carom_sim *sim = start("slider-crank", "event_driven");
    double best = 1;
    for (int k = 0; k < ROUNDS; k++) {
        const double from = seconds();
        for (int i = 0; i < N; i++) set(sim, "m1", 0.038 + 1e-6 * i);
        const double took = (seconds() - from) / N;
        best = took < best ? took : best;
    }
    print_message("%.2f us for a new value and a new start\n", 1e6 * best);
    assert_true(best <= SLOWER * 20e-6);
    carom_sim_free(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(new_values_take_no_memory),
                                       cmocka_unit_test(new_values_take_not_long)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
