// SPDX-License-Identifier: Apache-2.0
// label: slow. Event-driven runs as the reference of time stepping, and work at equal accuracy.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cli/json_reader.h"
#include "cli/shell.h"

// number called key of the k-th run
static double of_run(const char *json, int k, const char *key)
{
    char word[64];
    const char *at = json_find(json, "runs");
    snprintf(word, sizeof word, "\"%s\":", key);
    for (int i = 0; at && i <= k; i++) at = strstr(at + 1, "\"scheme\":");
    at = at ? strstr(at, word) : NULL;
    if (!at) fail_msg("run %d has no %s", k, key);
    return at ? strtod(at + strlen(word), NULL) : NAN;
}

typedef struct course {
    const char *model;
    double end;
} course;
static const course courses[] = {{"bouncing-ball", 1},
                                 {"rocking-block", 0.5},
                                 {"slider-crank", 0.02},
                                 {"slider-crank-004", 0.5}};

static void time_stepping_converges_to_the_event_driven_run(void **state)
{
    shell *s = *state;
    static const char *const norm[] = {"path", "end", "graph"};
    for (int i = 0; i < 12; i++) {
        const course *c = &courses[i / 3];
        const int code = shell_run(
            s,
            "$CAROM converge %s/models/%s.yaml --schemes moreau_midpoint,tdg_velocity,event_driven "
            "--steps 1e-3,1e-4 --tolerances 1e-6,1e-9 --reference event_driven --norm %s --end %g "
            "--json -",
            CAROM_SOURCE_DIR, c->model, norm[i % 3], c->end);
        assert_int_equal(code, 0);
        assert_true(json_says(s->out, "reference", "event_driven:tolerance=1e-12"));
        // order 1: where in its step an impact falls may halve what a tenth of the step gains; in
        // the graph a row may lie anywhere inside a jump
        const double least = i % 3 == 2 ? 2 : 5;
        for (int k = 0; k < 4; k += 2)
            assert_true(of_run(s->out, k, "error") >= least * of_run(s->out, k + 1, "error"));
        if (i % 3 == 2) continue;
        assert_true(of_run(s->out, 4, "error") <= 1e-5);
        assert_true(of_run(s->out, 5, "error") <= 1e-8);
    }
}

static void phem56_costs_a_tenth_of_gen_alpha_at_equal_accuracy(void **state)
{
    shell *s = *state;
    assert_int_equal(shell_run(s,
                               "$CAROM converge %s/models/slider-crank-004.yaml --schemes "
                               "phem56,gen_alpha --tolerances 1e-5,1e-6,1e-7 --reference "
                               "hem5:tolerance=1e-12 --norm end --accuracy 1e-6 --json -",
                               CAROM_SOURCE_DIR),
                     0);
    const double cheap = json_double(s->out, "at_accuracy.phem56.evaluations");
    const double dear = json_double(s->out, "at_accuracy.gen_alpha.evaluations");
    assert_true(cheap > 0 && dear >= 10 * cheap);
    // at the same tolerance too, where at 1e-7 phem56 is also the more accurate
    for (int i = 0; i < 3; i++)
        assert_true(of_run(s->out, 3 + i, "evaluations") >= 10 * of_run(s->out, i, "evaluations"));
    assert_true(of_run(s->out, 4, "error") >= of_run(s->out, 1, "error"));
    // what is said lies between the runs
    assert_true(cheap >= of_run(s->out, 0, "evaluations"));
    assert_true(cheap <= of_run(s->out, 1, "evaluations"));
}

static void an_accuracy_that_was_not_reached_is_said_to_be_so(void **state)
{
    shell *s = *state;
    assert_int_equal(shell_run(s,
                               "$CAROM converge %s/models/slider-crank-004.yaml --schemes "
                               "phem56 --tolerances 1e-3,1e-4 --norm end --accuracy 1e-12",
                               CAROM_SOURCE_DIR),
                     0);
    assert_non_null(strstr(s->out, "evaluations"));
    assert_non_null(strstr(s->out, "reference phem56:tolerance=1e-06"));
    assert_non_null(strstr(s->out, "do not enclose"));
}

static void compare_measures_from_a_reference(void **state)
{
    shell *s = *state;
    for (int i = 0; i < 4; i++) {
        assert_int_equal(shell_run(s,
                                   "$CAROM compare %s/models/%s.yaml --schemes "
                                   "moreau_midpoint,tdg_velocity --step 1e-4 --end %g --reference "
                                   "event_driven --json -",
                                   CAROM_SOURCE_DIR, courses[i].model, courses[i].end),
                         0);
        assert_true(of_run(s->out, 2, "off_reference") == 0);
        for (int k = 0; k < 2; k++) {
            const double off = of_run(s->out, k, "off_reference");
            assert_true(off > 0 && off < 2e-2);
        }
    }
    assert_int_equal(shell_run(s, "$CAROM compare ball.yaml --schemes moreau_midpoint,moreau_jean "
                                  "--step 1e-3 --reference event_driven"),
                     0);
    assert_non_null(strstr(s->out, "off the reference"));
}

static void wrong_references_are_refused(void **state)
{
    shell *s = *state;
    static const char *const wrong[] = {
        "compare ball.yaml --schemes moreau_jean --step 1e-3 --reference event_drven",
        "converge ball.yaml --schemes moreau_jean --steps 1e-3 --reference event_drven:1",
        "converge ball.yaml --schemes moreau_jean --steps 1e-3 --reference moreau_midpoint",
        "converge ball.yaml --schemes moreau_jean --steps 1e-3 --reference event_driven:tolerance=",
        "converge ball.yaml --schemes event_driven --tolerances 0"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_equal(shell_run(s, "$CAROM %s", wrong[i]), 2);
        assert_true(s->err[0] != 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(time_stepping_converges_to_the_event_driven_run),
        cmocka_unit_test(phem56_costs_a_tenth_of_gen_alpha_at_equal_accuracy),
        cmocka_unit_test(an_accuracy_that_was_not_reached_is_said_to_be_so),
        cmocka_unit_test(compare_measures_from_a_reference),
        cmocka_unit_test(wrong_references_are_refused),
    };
    return cmocka_run_group_tests(tests, shell_start, shell_end);
}
