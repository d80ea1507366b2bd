// SPDX-License-Identifier: Apache-2.0
// Alarms on the command line: on stderr, in the summary, in JSON and on the page; --strict.
#include "cli/shell.h"

#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cli/json_reader.h"

static const char unstable[] = "carom: 1\ncoordinates: {x: {start: 1}}\nkinetic: der(x)^2/2\n"
                               "potential: 1e6*x^2/2\nrun: {step: 2.1e-3, end: 0.05}\n";

static const char lossy[] = "carom: 1\ncoordinates: {x: {start: 1}}\nkinetic: der(x)^2/2\n"
                            "potential: 100*x^2/2\n"
                            "run: {scheme: moreau_jean_explicit, step: 1e-2, end: 1}\n";

static void an_alarm_is_a_warning_and_with_strict_exit_1(void **state)
{
    shell *s = *state;
    shell_write(s, "lossy.yaml", lossy);
    assert_int_equal(shell_run(s, "$CAROM run lossy.yaml"), 0);
    assert_int_equal(strncmp(s->err, "warning: the energy error of", 28), 0);
    assert_int_equal(shell_run(s, "$CAROM run lossy.yaml --strict --json -"), 1);
    assert_true(json_says(s->out, "status", "warnings"));
}

// a motion that grows without end is never right
static void a_run_that_is_unstable_exits_with_1(void **state)
{
    shell *s = *state;
    shell_write(s, "unstable.yaml", unstable);
    assert_int_equal(shell_run(s, "$CAROM run unstable.yaml"), 1);
    assert_int_equal(strncmp(s->err, "warning: the energy rose", 24), 0);
    assert_int_equal(shell_lines(s->err), 1);
    assert_non_null(strstr(s->out, "\nwarnings       1"));
    assert_int_equal(shell_run(s, "$CAROM run unstable.yaml --json -"), 1);
    assert_true(json_says(s->out, "status", "unstable"));
    assert_non_null(strstr(s->out, "\"warnings\": [\n    \"the energy rose"));
    assert_int_equal(shell_run(s, "$CAROM run unstable.yaml --strict -q --step 1e-5"), 0);
    assert_string_equal(s->err, "");
    assert_int_equal(
        shell_run(s, "$CAROM compare unstable.yaml --schemes moreau_midpoint --strict"), 1);
}

static void an_energy_that_is_not_defined_is_said(void **state)
{
    shell *s = *state;
    shell_write(s, "left.yaml",
                "carom: 1\ncoordinates: {x: {start: 1}}\nkinetic: der(x)^2/2\n"
                "potential: 50*x^2 + 1e-6*log(x)\nrun: {step: 1e-3, end: 0.6}\n");
    assert_int_equal(shell_run(s, "$CAROM run left.yaml -q"), 1);
    assert_int_equal(strncmp(s->err, "warning: the energy cannot be evaluated at t = 0.16", 51), 0);
    assert_int_equal(shell_run(s, "$CAROM run left.yaml -q --strict --end 0.15"), 0);
}

static void the_summary_and_json_name_contact_and_time(void **state)
{
    shell *s = *state;
    assert_int_equal(shell_run(s, "$CAROM run ball.yaml --json ball.json"), 0);
    assert_non_null(strstr(s->out, " m (floor, t = 0.4"));
    assert_int_equal(shell_run(s, "cat ball.json"), 0);
    assert_non_null(strstr(s->out, "\"min_gap_at\": \"floor\""));
    assert_non_null(strstr(s->out, "\"min_gap_time\": 0.4"));
    assert_int_equal(shell_run(s, "$CAROM run ball.yaml -q --max-penetration 1e-12"), 1);
    assert_non_null(strstr(s->err, "contact 'floor', t = 0.4"));
}

static void a_page_shows_the_warnings_of_its_run(void **state)
{
    shell *s = *state;
    shell_write(s, "unstable.yaml", unstable);
    if (shell_run(s, "$CAROM run unstable.yaml -q -o unstable.h5") == 2) return; // without HDF5
    assert_int_equal(shell_run(s, "$CAROM report unstable.h5 -o unstable.html -q"), 0);
    assert_int_equal(
        shell_run(s, "grep -c '\"warnings\":\"the energy rose from 500000 J' unstable.html"), 0);
    // the page says that there is nothing to draw: a warning as any other
    assert_int_equal(shell_run(s, "$CAROM report unstable.h5 -o unstable.html -q --strict"), 1);
}

static void the_side_file_of_csv_has_them_too(void **state)
{
    shell *s = *state;
    shell_write(s, "unstable.yaml", unstable);
    assert_int_equal(shell_run(s, "$CAROM run unstable.yaml -q -o u.csv; cat u.csv.json"), 0);
    assert_non_null(strstr(s->out, "\n  \"warnings\": [\"the energy rose from 500000 J"));
    assert_int_equal(shell_run(s, "$CAROM run ball.yaml -q -o b.csv && cat b.csv.json"), 0);
    assert_non_null(strstr(s->out, "\n  \"warnings\": [],\n"));
}

static void reactions_are_columns_of_csv_and_plots(void **state)
{
    shell *s = *state;
    assert_int_equal(shell_run(s, "$CAROM run pendulum.yaml -q -o rod.csv --step 1e-3 --end 0.1 && "
                                  "grep -c 'drift_rod,P_rod,la_rod' rod.csv"),
                     0);
    assert_int_equal(shell_run(s, "$CAROM plot rod.csv --columns P_rod -o rod.svg"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_alarm_is_a_warning_and_with_strict_exit_1),
        cmocka_unit_test(a_run_that_is_unstable_exits_with_1),
        cmocka_unit_test(an_energy_that_is_not_defined_is_said),
        cmocka_unit_test(the_summary_and_json_name_contact_and_time),
        cmocka_unit_test(a_page_shows_the_warnings_of_its_run),
        cmocka_unit_test(the_side_file_of_csv_has_them_too),
        cmocka_unit_test(reactions_are_columns_of_csv_and_plots),
    };
    return cmocka_run_group_tests(tests, shell_start, shell_end);
}
