// SPDX-License-Identifier: Apache-2.0
// Random mechanisms without friction: event_capturing against event_driven. Both find the same
// motion, each by its own tolerance, unless the motion is sensitive: event_driven itself, from
// starts that differ by ten tolerances, must then go as far.
//
// usage: differential_capturing [SEED [COUNT [FIRST]]]
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "differential/verdict.h"
#include "samples.h"

#include <stdlib.h>
#include <sys/stat.h>

static unsigned long seed = 1;
static int first = 0, how_many = SAMPLES(160);
static const double most_sensitive = 0.1, least_energy = 1e-6;

// every coefficient of friction becomes 0, in place
static void make_smooth(mechanism *m)
{
    static const char key[] = "friction: ";
    for (char *at = strstr(m->text, key); at; at = strstr(at, key)) {
        at += strlen(key);
        *at++ = '0';
        while (*at != '}' && *at != ',') *at++ = ' ';
    }
}

// fails with the model in a file, as `carom run` takes it
static void give_up(const mechanism *m, int index, double tolerance, const char *why)
{
    char path[128];
    mkdir("differential", 0777);
    snprintf(path, sizeof path, "differential/capturing-%lu-%d-%s.yaml", seed, index, m->family);
    FILE *file = fopen(path, "w");
    if (file) {
        fprintf(file, "%srun: {scheme: event_capturing, tolerance: %g, end: %.17g}\n", m->text,
                tolerance, m->end);
        fclose(file);
    }
    fail_msg("%d (%s) at %g: %s (kept as %s)", index, m->family, tolerance, why, path);
}

// whether the difference is that of starts which no tolerance tells apart
static bool is_sensitive(const mechanism *m, const motion *truth, double off, double tolerance)
{
    return off <= 10 * verdict_spread(m, truth, 10 * tolerance);
}

// whether the run is a sensitive one; fails where it is wrong
static bool compare(const mechanism *m, int index, const motion *truth, double tolerance)
{
    char why[320];
    const motion_plan plan = {.scheme = "event_capturing", .tolerance = tolerance};
    const motion it = motion_of(m, &plan), other = motion_events(m, tolerance, 0);
    if (!it.is_done) give_up(m, index, tolerance, it.why);
    const double energy = fmax(fmax(least_energy, 100 * tolerance), 3 * other.energy_error);
    snprintf(why, sizeof why, "energy error %g, not %g", it.energy_error, other.energy_error);
    if (!(it.energy_error <= energy)) give_up(m, index, tolerance, why);
    const double off = motion_distance(&it, truth);
    if (off <= 1000 * tolerance) return false;
    snprintf(why, sizeof why, "off by %g", off);
    if (!is_sensitive(m, truth, off, tolerance)) give_up(m, index, tolerance, why);
    return true;
}

static void event_capturing_and_event_driven_tell_the_same_motion(void **state)
{
    (void)state;
    static const double tolerance[] = {1e-6, 1e-8, 1e-10};
    static mechanism m;
    int n_sensitive = 0;
    for (int i = first; i < first + how_many; i++) {
        draw_mechanism(&m, seed, i);
        make_smooth(&m);
        const motion truth = motion_events(&m, 1e-11, 0);
        if (!truth.is_done) fail_msg("%d (%s): event_driven %s", i, m.family, truth.why);
        for (int k = 0; k < 3; k++) n_sensitive += compare(&m, i, &truth, tolerance[k]);
    }
    print_message("seed %lu: %d mechanisms, %d of %d runs sensitive\n", seed, how_many, n_sensitive,
                  3 * how_many);
    assert_true(n_sensitive <= most_sensitive * 3 * how_many + 1);
}

int main(int argc, char **argv)
{
    if (argc > 1) seed = strtoul(argv[1], NULL, 10);
    if (argc > 2) how_many = atoi(argv[2]);
    if (argc > 3) first = atoi(argv[3]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(event_capturing_and_event_driven_tell_the_same_motion),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
