// SPDX-License-Identifier: Apache-2.0
// carom converge and --step auto as a person calls them.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cli/json_reader.h"
#include "cli/shell.h"

static void the_table_for_people_names_everything(void **state)
{
    shell *s = *state;
    assert_int_equal(shell_run(s, "$CAROM converge ball.yaml --schemes moreau_midpoint,moreau_jean "
                                  "--steps 1e-2,1e-3 --option theta=0.5"),
                     0);
    assert_non_null(strstr(s->out, "reference moreau_midpoint:0.0001 (5000 steps"));
    assert_non_null(strstr(s->out, "norm path"));
    assert_non_null(strstr(s->out, "order"));
    assert_int_equal(shell_lines(s->out), 8);
}

static void the_json_has_all_members_of_the_contract(void **state)
{
    static const char *const member[] = {"\"scheme\":", "\"step\":", "\"error\":", "\"order\":",
                                         "\"steps\":",  "\"time\":", "\"status\":"};
    shell *s = *state;
    assert_int_equal(shell_run(s, "$CAROM converge ball.yaml --schemes moreau_midpoint --steps "
                                  "1e-2,1e-3 --norm end --reference moreau_jean:1e-4 --json -"),
                     0);
    assert_true(json_is_valid(s->out));
    assert_true(json_says(s->out, "model", "ball"));
    assert_true(json_says(s->out, "norm", "end"));
    assert_true(json_says(s->out, "reference", "moreau_jean:0.0001"));
    const char *runs = json_find(s->out, "runs");
    assert_non_null(runs);
    for (size_t i = 0; i < sizeof member / sizeof *member; i++)
        assert_non_null(strstr(runs, member[i]));
    // the first run has no neighbour
    assert_non_null(strstr(runs, "null"));
}

static void refused(shell *s, const char *line, const char *word)
{
    assert_int_equal(shell_run(s, "$CAROM %s", line), 2);
    if (!strstr(s->err, word)) fail_msg("'%s' does not say '%s': %s", line, word, s->err);
}

static void wrong_use_is_refused_with_the_way_out(void **state)
{
    shell *s = *state;
    refused(s, "converge ball.yaml --steps 1e-3", "--schemes");
    refused(s, "converge ball.yaml --schemes moreau_midpoint", "--steps");
    refused(s, "converge ball.yaml --schemes moreau_midpint --steps 1e-3", "moreau_midpoint");
    refused(s, "converge ball.yaml --schemes moreau_midpoint --steps 1e-3,-1", "above 0");
    refused(s, "converge ball.yaml --schemes moreau_midpoint --steps 1e-3 --norm max", "table");
    refused(s, "converge ball.yaml --schemes moreau_midpoint --steps 1e-3 --reference 1e-5",
            "SCHEME:STEP");
    refused(s, "converge ball.yaml --schemes moreau_midpoint --steps 1e-3 --reference exact",
            "exact_y");
    refused(s, "converge ball.yaml --schemes moreau_midpoint --steps 1e-3 --option theta=1",
            "no scheme of these");
    refused(s, "converge block.yaml --schemes schatzman_paoli --steps 1e-3", "friction");
    refused(s, "run ball.yaml --scheme schatzman_paoli --step auto", "cannot vary its step");
    refused(s, "run ball.yaml --step 1e-3 --option atol=1e-3", "no option 'atol'");
    refused(s, "run ball.yaml --step 1e-3 --tolerance 1e-3", "has a fixed step and no tolerance");
}

static void step_auto_works_from_the_command_line_and_the_file(void **state)
{
    shell *s = *state;
    char file[SHELL_ROOM];
    assert_int_equal(shell_run(s, "$CAROM run ball.yaml --step auto --tolerance 1e-6 --option "
                                  "max_step=0.02 --json -"),
                     0);
    assert_true(json_double(s->out, "t") == 0.5);
    assert_true(json_double(s->out, "counts.rejected") > 0);
    const double y = json_double(s->out, "q.y");

    shell_read(s, "ball.yaml", file);
    char *run = strstr(file, "run:");
    strcpy(run, "run: {step: auto, tolerance: 1e-6, max_step: 0.02, end: 0.5}\n");
    shell_write(s, "auto.yaml", file);
    assert_int_equal(shell_run(s, "$CAROM run auto.yaml --json -"), 0);
    assert_true(json_double(s->out, "q.y") == y);
    // another tolerance leaves step control on, a step puts it aside with its options
    assert_int_equal(shell_run(s, "$CAROM run auto.yaml --tolerance 1e-3 --json -"), 0);
    assert_true(json_double(s->out, "q.y") != y && fabs(json_double(s->out, "q.y") - y) < 1e-2);
    assert_int_equal(shell_run(s, "$CAROM run auto.yaml --step 1e-3 --json -"), 0);
    assert_int_equal((int)json_double(s->out, "counts.steps"), 500);
    assert_int_equal(shell_run(s, "$CAROM check auto.yaml"), 0);
    assert_non_null(strstr(s->out, "step auto"));
    assert_int_equal(shell_run(s, "$CAROM compare auto.yaml --schemes moreau_jean,tdg_velocity"),
                     0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_json_has_all_members_of_the_contract),
        cmocka_unit_test(the_table_for_people_names_everything),
        cmocka_unit_test(wrong_use_is_refused_with_the_way_out),
        cmocka_unit_test(step_auto_works_from_the_command_line_and_the_file),
    };
    return cmocka_run_group_tests(tests, shell_start, shell_end);
}
