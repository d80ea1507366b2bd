// SPDX-License-Identifier: Apache-2.0
// What threads cost and gain: two take hardly more processor time than one, and on a machine with
// nothing else to do nearly halve the time by the clock (best of pairs; else that is left out, and
// said so). Speed is that of an optimised build: without one only the processor time is looked at.
// label: slow
#include "studies/study_rig.h"

#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

enum { PAIRS = 7 };
// units of some milliseconds
#define SWEEP                                                                                      \
    "$CAROM sweep osc.yaml --vary A=1.05:1.5:40 --end 120 --take 'last x' -q -o t.csv "            \
    "--threads %d"

static double clock_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double processor_time(void)
{
    struct rusage used;
    getrusage(RUSAGE_CHILDREN, &used);
    return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
           1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
}

// processor time that all processes of the machine have used so far [s]
static double machine_time(void)
{
    double user = 0, niced = 0, system = 0;
    FILE *file = fopen("/proc/stat", "r");
    if (file && fscanf(file, "cpu %lf %lf %lf", &user, &niced, &system) != 3) user = NAN;
    if (file) fclose(file);
    return (user + niced + system) / (double)sysconf(_SC_CLK_TCK);
}

typedef struct cost {
    double processor, wall, foreign; // foreign: a share of the machine, others' time
} cost;

static cost measure(shell *s, int threads)
{
    const double wall = clock_now(), own = processor_time(), all = machine_time();
    STUDY_RUN(s, 0, SWEEP, threads);
    cost c = {processor_time() - own, clock_now() - wall, 0};
    const double cores = (double)sysconf(_SC_NPROCESSORS_ONLN);
    c.foreign = (machine_time() - all - c.processor) / (c.wall * cores);
    return c;
}

static void two_threads_cost_what_one_costs(void **state)
{
    shell *s = *state;
    double best = INFINITY, gain = 0;
    int n_idle = 0;
    for (int i = 0; i < PAIRS; i++) {
        const cost one = measure(s, 1), two = measure(s, 2);
        best = fmin(best, two.processor / one.processor);
        if (one.foreign > 0.05 || two.foreign > 0.05) continue;
        n_idle++;
        gain = fmax(gain, one.wall / two.wall);
    }
    print_message("processor time of two threads over that of one: %.3f\n", best);
    assert_true(best <= 1.05);
    if (n_idle == 0 || sysconf(_SC_NPROCESSORS_ONLN) < 2)
        print_message("left out: the gain, as the machine was not idle or has one core\n");
    else
        print_message("gain of two threads: %.2f (%d idle pairs)\n", gain, n_idle);
#ifdef NDEBUG
    if (n_idle > 2 && sysconf(_SC_NPROCESSORS_ONLN) > 1) assert_true(gain >= 1.9);
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(two_threads_cost_what_one_costs, study_start, shell_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
