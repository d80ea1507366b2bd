// SPDX-License-Identifier: Apache-2.0
// Checkpoints that were made up: every number replaced by ones that cannot be, or hardly, under the
// right checksum. Each is refused, or the run goes on and stays sound: no number becomes an index,
// a count or a mode unseen. The sanitizers watch.
#include "sim/checkpoint_rig.h"
#include "sim/sim.h"
#include "sim/sim_rig.h"

typedef struct run {
    const char *scheme;
    carom_model *(*model)(void);
    bool is_auto;
    double output_step;
} run;

static carom_model *ball(void)
{
    return rig_ball("0.5");
}

static carom_sim *make(const run *r)
{
    carom_error error = {0};
    carom_model *model = r->model();
    carom_sim_options options = carom_sim_default();
    options.scheme = r->scheme;
    options.end = 0.6;
    options.is_auto_step = r->is_auto;
    options.output_step = r->output_step;
    const carom_scheme *scheme = carom_scheme_find(r->scheme);
    if (scheme->is_adaptive && !scheme->keeps_step) options.tolerance = 1e-6;
    if (!r->is_auto && options.tolerance == 0) options.step = 1e-2;
    carom_sim *sim = NULL;
    rig_ok(carom_sim_new(model, &options, &sim, &error), &error);
    carom_model_free(model); // the simulation keeps it
    return sim;
}

static void put_double(unsigned char *to, double value)
{
    uint64_t word;
    memcpy(&word, &value, sizeof word);
    for (int i = 0; i < 8; i++) to[i] = (unsigned char)(word >> (8 * i));
}

static void put_word(unsigned char *to, uint64_t word)
{
    for (int i = 0; i < 8; i++) to[i] = (unsigned char)(word >> (8 * i));
}

// what a file may claim a number is: as a double or as a whole number
static int choose(unsigned char *to, int which)
{
    static const double real[] = {NAN, INFINITY, -INFINITY, 1e300, -1e300, -1, 0.5, 7, 1e-320, 3e9};
    static const uint64_t whole[] = {UINT64_MAX, INT64_MAX, UINT64_C(1) << 63, 3, 1000, 4294967296};
    const int n_real = (int)(sizeof real / sizeof *real),
              n = n_real + (int)(sizeof whole / sizeof *whole);
    if (which < n_real)
        put_double(to, real[which]);
    else if (which < n)
        put_word(to, whole[which - n_real]);
    return n;
}

static bool goes_on(carom_sim *sim, const char *path, int n_step)
{
    carom_error error = {0};
    carom_audit audit;
    if (carom_sim_restart(sim, path, &error) != CAROM_OK) {
        assert_int_equal(error.status, CAROM_BAD_INPUT);
        return false;
    }
    for (int k = 0; k < n_step && !carom_sim_is_done(sim); k++)
        if (carom_sim_step(sim, NULL) != CAROM_OK) break;
    carom_sim_audit(sim, &audit, NULL, NULL);
    return true;
}

static void try_all(const run *r, int n_step)
{
    char path[512];
    carom_error error = {0};
    carom_sim *sim = make(r);
    rig_path(path, sizeof path, "crafted.chk");
    for (int k = 0; k < 12 && !carom_sim_is_done(sim); k++)
        rig_ok(carom_sim_step(sim, &error), &error);
    rig_ok(carom_sim_checkpoint(sim, path, &error), &error);
    size_t n;
    unsigned char *good = checkpoint_read(path, &n), *bad = malloc(n);
    assert_true(good && bad && n > 100);
    const size_t first = checkpoint_numbers(good, sim->identity.n);
    int n_refused = 0, n_taken = 0;
    assert_true(goes_on(sim, path, 1)); // as it is
    // is_active and tracks are bytes, so that numbers begin anywhere
    for (size_t at = first; at + 16 <= n; at++) {
        const bool is_aligned = (at - first) % 8 == 0 || at + 16 == n;
        for (int which = 0; which < (is_aligned ? choose(bad, INT32_MAX) : 1); which++) {
            memcpy(bad, good, n);
            choose(bad + at, is_aligned ? which : 3);
            checkpoint_seal(bad, n);
            checkpoint_write(path, bad, n);
            *(goes_on(sim, path, n_step) ? &n_taken : &n_refused) += 1;
        }
    }
    printf("%s%s: %d refused, %d taken\n", r->scheme, r->is_auto ? " auto" : "", n_refused,
           n_taken);
    assert_true(n_refused > n_taken / 8);
    remove(path);
    free(good);
    free(bad);
    carom_sim_free(sim);
}

static void numbers_that_cannot_be_do_no_harm(void **state)
{
    (void)state;
    const run runs[] = {
        {"moreau_midpoint", rig_block, false, 0},     {"moreau_jean", rig_block, true, 0.05},
        {"event_driven", rig_block, false, 0.05},     {"rkf45", rig_pendulum, false, 0.1},
        {"gen_alpha", rig_pendulum, false, 0},        {"schatzman_paoli", ball, false, 0},
        {"nonsmooth_gen_alpha", rig_block, false, 0}, {"mexx", rig_pendulum, false, 0.04},
        {"event_capturing", ball, false, 0.05}};
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) try_all(&runs[i], 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(numbers_that_cannot_be_do_no_harm)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
