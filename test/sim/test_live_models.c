// SPDX-License-Identifier: Apache-2.0
// label: slow
// Every shipped model with live parameters: new values give, bit for bit, what a live model made
// with these values gives, and to rounding what one gives that has them as numbers; where the one
// is refused the other is too.
#include "sim/live_rig.h"

#include "samples.h"

#include <dirent.h>
#include <math.h>
#include <stdlib.h>

static const char *const scheme[] = {"moreau_midpoint",     "moreau_jean",  "tdg_velocity",
                                     "ggl_unified",         "event_driven", "schatzman_paoli",
                                     "nonsmooth_gen_alpha", "variational",  "hem5"};
enum {
    N_SCHEME = sizeof scheme / sizeof *scheme,
    N_SET = DRAWS_ALL ? 3 : 2,
    MOST_VELOCITIES = 48,
    N_STEP = SAMPLES(40),
    SHARE = SAMPLES(1000) // of a run of adaptive steps, in 1/50000
};

// Parameters that happen to be equal (two masses of 0.038) are one number, and factors that are one
// number are taken out of sums; live ones stay apart: sums are rounded in another order. Adaptive
// steps answer to rounding with other lengths, and the error of the method goes with them.
static const double by_rounding = 1e-12, by_tolerance = 1e-7;
// bending moments of beams are what is left of the forces along them, a million times larger
static const double by_rounding_of_beams = 1e-9;

// how many runs were compared, so that a test that compares nothing fails
static int n_run, n_refused, n_same;

static carom_sim_options options_of(const char *name, const char *which)
{
    carom_sim_options options = carom_sim_default();
    options.scheme = which;
    options.step = live_number(name, false, 1e-3);
    options.end = live_number(name, true, 1);
    if (carom_scheme_find(which)->is_adaptive) {
        options.step = 0;
        options.end *= SHARE / 50000.; // they are compared at the end
    }
    return options;
}

// steps to the end or until a failure; returns how many
static int run(carom_sim *sim, double step)
{
    int n = 0;
    while ((n < N_STEP || step == 0) && !carom_sim_is_done(sim) &&
           carom_sim_step(sim, NULL) == CAROM_OK)
        n++;
    return n;
}

static void expect_same(const carom_sim *a, const carom_sim *b, carom_sizes size, const char *name)
{
    const carom_state *x = carom_sim_state(a), *y = carom_sim_state(b);
    const bool is_same = x->t == y->t &&
                         memcmp(x->q, y->q, sizeof(double) * (size_t)size.nq) == 0 &&
                         memcmp(x->u, y->u, sizeof(double) * (size_t)size.nu) == 0 &&
                         memcmp(x->P, y->P, sizeof(double) * (size_t)size.n_row) == 0;
    if (!is_same)
        fail_msg("%s, %s: other bits than a live model made anew", name, carom_sim_scheme(a));
}

static double largest(const double *x, int n)
{
    double most = 0;
    for (int i = 0; i < n; i++) most = fmax(most, fabs(x[i]));
    return most;
}

// largest difference of two states over their size
static double difference(const carom_sim *a, const carom_sim *b, carom_sizes size)
{
    const carom_state *x = carom_sim_state(a), *y = carom_sim_state(b);
    const double q = largest(x->q, size.nq) + 1e-300, u = largest(x->u, size.nu) + 1e-300;
    double most = fabs(x->t - y->t) / (x->t + 1e-300);
    for (int i = 0; i < size.nq; i++) most = fmax(most, fabs(x->q[i] - y->q[i]) / q);
    for (int i = 0; i < size.nu; i++) most = fmax(most, fabs(x->u[i] - y->u[i]) / u);
    return most;
}

typedef struct trio {
    carom_model *anew, *folded; // NULL: refused
    carom_error why;
} trio;

static void compare(const char *name, const char *which, carom_sim *live, const trio *made,
                    const live_values *values)
{
    carom_error error = {0}, other = {0};
    carom_sim *anew = NULL, *folded = NULL;
    const carom_sim_options options = options_of(name, which);
    const carom_status status = carom_sim_set_parameters(live, values->item, values->n, &error);
    carom_status expected = made->anew ? CAROM_OK : CAROM_BAD_INPUT;
    if (made->anew) expected = carom_sim_new(made->anew, &options, &anew, &other);
    if ((status == CAROM_OK) != (expected == CAROM_OK))
        fail_msg("%s, %s: '%s', made anew '%s' '%s'", name, which, error.message, other.message,
                 made->why.message);
    n_refused += status != CAROM_OK;
    if (status != CAROM_OK) return;
    const int n = run(live, options.step);
    assert_int_equal(run(anew, options.step), n);
    const carom_sizes size = carom_model_sizes(made->anew);
    expect_same(live, anew, size, name);
    if (carom_sim_new(made->folded, &options, &folded, &error) != CAROM_OK)
        fail_msg("%s, %s: %s", name, which, error.message);
    const int beside = run(folded, options.step);
    if (options.step > 0) assert_int_equal(beside, n);
    const double d = difference(live, folded, size);
    n_same += d == 0;
    n_run++;
    const bool is_elastic = carom_model_is_elastic(made->anew);
    if (!(d <= (options.step == 0 ? by_tolerance
                : is_elastic      ? by_rounding_of_beams
                                  : by_rounding)))
        fail_msg("%s, %s: %.3g beside the model with numbers", name, which, d);
    carom_sim_free(anew);
    carom_sim_free(folded);
}

static void check_model(const char *name)
{
    unsigned seed = 20;
    carom_error error = {0};
    carom_model *model = live_make(name, NULL, true, &error);
    if (!model) fail_msg("%s: %s", name, error.message);
    carom_sim *sim[N_SCHEME] = {NULL};
    // a machine of many bodies takes a second for a step of some of them
    const int n_scheme = carom_model_sizes(model).nu > MOST_VELOCITIES ? 1 : N_SCHEME;
    for (int s = 0; s < n_scheme; s++) {
        const carom_sim_options options = options_of(name, scheme[s]);
        (void)carom_sim_new(model, &options, &sim[s], &error);
    }
    for (int k = 0; k < N_SET; k++) {
        const live_values values = live_draw(model, k == 0 ? 0 : 0.02 * k, &seed);
        trio made = {0};
        made.anew = live_make(name, &values, true, &made.why);
        made.folded = live_make(name, &values, false, &error);
        assert_int_equal(made.anew != NULL, made.folded != NULL);
        for (int s = 0; s < N_SCHEME; s++)
            if (sim[s]) compare(name, scheme[s], sim[s], &made, &values);
        carom_model_free(made.anew);
        carom_model_free(made.folded);
    }
    for (int s = 0; s < N_SCHEME; s++) carom_sim_free(sim[s]);
    carom_model_free(model);
}

static void new_values_are_those_of_a_new_model(void **state)
{
    (void)state;
    DIR *folder = opendir(CAROM_SOURCE_DIR "/models");
    assert_non_null(folder);
    for (const struct dirent *e = readdir(folder); e; e = readdir(folder)) {
        char name[256];
        snprintf(name, sizeof name, "%s", e->d_name);
        char *end = strstr(name, ".yaml");
        if (!end || end[5]) continue;
        *end = 0;
        check_model(name);
    }
    closedir(folder);
    print_message("%d runs, %d with the bits of numbers, %d refused\n", n_run, n_same, n_refused);
    assert_true(n_run > 300);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(new_values_are_those_of_a_new_model)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
