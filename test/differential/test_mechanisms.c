// SPDX-License-Identifier: Apache-2.0
// label: slow
// Random mechanisms: event_driven against three time-stepping schemes. `make differential SEED=7`
// tries others.
//
// usage: differential_mechanisms [SEED [COUNT [FIRST]]]
// What fails is kept in differential/.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "differential/verdict.h"

#include <stdlib.h>
#include <sys/stat.h>

static unsigned long seed = 1;
static int first = 0, how_many = 500;
static const double most_unfinished = 0.005, most_explained = 0.03;

static const char *const word[] = {"agreed", "sensitive", "ambiguous", "differing", "not finished"};

// the model of a mechanism, as `carom run` takes it
static void keep(const mechanism *m, int index)
{
    char path[128];
    mkdir("differential", 0777);
    snprintf(path, sizeof path, "differential/seed-%lu-%d-%s.yaml", seed, index, m->family);
    FILE *file = fopen(path, "w");
    if (!file) return;
    fprintf(file, "%srun: {scheme: event_driven, tolerance: 1e-9, end: %.17g}\n", m->text, m->end);
    fclose(file);
    print_message("    kept as %s\n", path);
}

static void event_driven_and_time_stepping_tell_the_same_motion(void **state)
{
    (void)state;
    int n[N_VERDICT] = {0};
    static mechanism m;
    for (int i = first; i < first + how_many; i++) {
        draw_mechanism(&m, seed, i);
        const verdict v = verdict_of(&m);
        n[v.kind]++;
        if (v.kind == AGREED) continue;
        print_message("%d (%s) %s: %s\n", i, m.family, word[v.kind], v.why);
        if (v.kind == DIFFERING || v.kind == UNFINISHED) keep(&m, i);
    }
    print_message("seed %lu: %d mechanisms, finished %d, agreed %d, sensitive %d, ambiguous %d, "
                  "differing %d, not finished %d\n",
                  seed, how_many, how_many - n[UNFINISHED], n[AGREED], n[SENSITIVE], n[AMBIGUOUS],
                  n[DIFFERING], n[UNFINISHED]);
    assert_int_equal(n[DIFFERING], 0);
    assert_true(n[UNFINISHED] <= most_unfinished * how_many);
    // a test that explains everything tests nothing
    assert_true(n[SENSITIVE] + n[AMBIGUOUS] <= most_explained * how_many + 1);
}

int main(int argc, char **argv)
{
    if (argc > 1) seed = strtoul(argv[1], NULL, 10);
    if (argc > 2) how_many = atoi(argv[2]);
    if (argc > 3) first = atoi(argv[3]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(event_driven_and_time_stepping_tell_the_same_motion),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
