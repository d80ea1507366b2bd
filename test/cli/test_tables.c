// SPDX-License-Identifier: Apache-2.0
// carom list, check and compare.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cli/json_reader.h"
#include "cli/shell.h"

#include "carom/sim.h"

static void every_scheme_and_solver_is_listed(void **state)
{
    shell *s = *state;
    assert_int_equal(shell_run(s, "$CAROM list schemes"), 0);
    assert_true(carom_scheme_count() >= 4);
    for (int i = 0; i < carom_scheme_count(); i++)
        assert_non_null(strstr(s->out, carom_scheme_at(i)->name));
    assert_non_null(strstr(s->out, "--option theta"));
    assert_int_equal(shell_run(s, "$CAROM list solvers"), 0);
    for (int i = 0; i < carom_solver_count(); i++)
        assert_non_null(strstr(s->out, carom_solver_at(i)->name));
}

static void lists_are_json_too(void **state)
{
    static const char *const what[] = {"schemes", "solvers", "models"};
    shell *s = *state;
    shell_run(s, "mkdir -p models && cp ball.yaml models/bouncer.yaml");
    for (int i = 0; i < 3; i++) {
        assert_int_equal(shell_run(s, "$CAROM list %s --json", what[i]), 0);
        assert_true(json_is_valid(s->out));
        assert_non_null(json_find(s->out, "0.name"));
        assert_non_null(json_find(s->out, "0.about"));
    }
}

static void models_are_found_by_name_and_folder(void **state)
{
    shell *s = *state;
    shell_run(s, "mkdir -p models mine && cp ball.yaml models/bouncer.yaml && sed 's/ball/other/' "
                 "ball.yaml >mine/my-ball.yaml");
    assert_int_equal(shell_run(s, "$CAROM list models"), 0);
    assert_non_null(strstr(s->out, "bouncer"));
    assert_non_null(strstr(s->out, "A ball falls on the floor."));
    assert_null(strstr(s->out, "my-ball"));
    assert_int_equal(shell_run(s, "CAROM_MODELS=$PWD/none:$PWD/mine $CAROM list models"), 0);
    assert_non_null(strstr(s->out, "my-ball"));
    assert_int_equal(shell_run(s, "$CAROM run bouncer --json -"), 0);
    assert_true(json_says(s->out, "model", "ball"));
    assert_int_equal(shell_run(s, "CAROM_MODELS=mine $CAROM run my-ball --json -"), 0);
    assert_true(json_says(s->out, "model", "other"));
    assert_int_equal(shell_run(s, "$CAROM run bouncr"), 2);
    assert_non_null(strstr(s->err, "did you mean the model 'bouncer'"));
}

static void an_invalid_model_is_listed_with_its_error(void **state)
{
    shell *s = *state;
    shell_run(s, "mkdir -p bad && echo 'carom: 1' >bad/half.yaml");
    assert_int_equal(shell_run(s, "CAROM_MODELS=bad $CAROM list models"), 0);
    assert_non_null(strstr(s->out, "not valid: bad/half.yaml"));
}

static void check_shows_sizes_energy_gaps_and_measured_restitution(void **state)
{
    shell *s = *state;
    assert_int_equal(shell_run(s, "$CAROM check ball.yaml --set e=0.375 --start 'der(y)=-2'"), 0);
    assert_non_null(strstr(s->out, "coordinates    1"));
    assert_non_null(strstr(s->out, "contacts       1 (0 with friction)"));
    // kinetic 2 J and potential 9.81 J
    assert_non_null(strstr(s->out, "energy         11.81 J"));
    char name[32];
    double gap = 0, rate = 0, e = 0, measured = 0, mu = 1;
    const char *line = strstr(s->out, "\nfloor");
    assert_non_null(line);
    assert_int_equal(
        sscanf(line, "%31s %lf %lf %lf %lf %lf", name, &gap, &rate, &e, &measured, &mu), 6);
    assert_true(gap == 1 && rate == -2 && e == 0.375 && mu == 0);
    assert_true(fabs(measured - 0.375) < 1e-6);
}

static void check_measures_with_constraints_and_friction(void **state)
{
    shell *s = *state;
    // hanging a little beside the lowest point, where the rod lets the wall be reached
    assert_int_equal(
        shell_run(s, "$CAROM check pendulum.yaml --start 'x=l*sin(0.1)' --start 'y=-l*cos(0.1)'"),
        0);
    double gap = 0, rate = 0, e = 0, measured = 0;
    const char *line = strstr(s->out, "\nwall");
    assert_non_null(line);
    assert_int_equal(sscanf(line, " wall %lf %lf %lf %lf", &gap, &rate, &e, &measured), 4);
    assert_true(fabs(e - 0.7) < 1e-6 && fabs(measured - 0.7) < 1e-6);
    assert_int_equal(shell_run(s, "$CAROM check block.yaml"), 0);
    line = strstr(s->out, "\nfloor");
    assert_non_null(line);
    assert_int_equal(sscanf(line, " floor %lf %lf %lf %lf", &gap, &rate, &e, &measured), 4);
    assert_true(fabs(measured) < 1e-8);
}

static void a_contact_locked_by_a_constraint_is_not_measured(void **state)
{
    shell *s = *state;
    // the rod is horizontal: the ball cannot move along it
    assert_int_equal(shell_run(s, "$CAROM check pendulum.yaml"), 0);
    assert_non_null(strstr(strstr(s->out, "\nwall"), " - "));
}

static void check_reads_the_run_section(void **state)
{
    shell *s = *state;
    assert_int_equal(
        shell_run(s,
                  "sed 's/theta: 0.6/theta: 7/' block.yaml >seven.yaml; $CAROM check seven.yaml"),
        2);
    assert_non_null(strstr(s->err, "seven.yaml:11:"));
    assert_int_equal(
        shell_run(s,
                  "sed 's/moreau_jean/moreau_jaen/' block.yaml >jaen.yaml; $CAROM check jaen.yaml"),
        2);
    assert_non_null(strstr(s->err, "did you mean 'moreau_jean'"));
    assert_int_equal(shell_run(s, "$CAROM check ball.yaml --start y=-0.25"), 2);
    assert_int_equal(shell_run(s, "$CAROM check ball.yaml --start y=-0.25 --allow-penetration"), 0);
    assert_int_equal(strncmp(s->err, "warning: ", 9), 0);
    assert_int_equal(
        shell_run(s, "$CAROM check ball.yaml --start y=-0.25 --allow-penetration --strict"), 1);
}

static void schemes_are_compared_in_one_table(void **state)
{
    shell *s = *state;
    assert_int_equal(
        shell_run(
            s,
            "$CAROM compare ball.yaml --schemes moreau_midpoint,moreau_jean_explicit,moreau_jean"),
        0);
    assert_non_null(strstr(s->out, "moreau_jean_explicit"));
    assert_non_null(strstr(s->out, "\nder(y)"));
    assert_non_null(strstr(s->out, "\nsmallest gap"));
    assert_non_null(strstr(s->out, "\nus per step"));
}

static void a_scheme_that_refuses_says_why_and_the_others_go_on(void **state)
{
    shell *s = *state;
    assert_int_equal(
        shell_run(s,
                  "$CAROM compare block.yaml --schemes schatzman_paoli,moreau_midpoint --json -"),
        0);
    assert_true(json_is_valid(s->out));
    assert_true(json_says(s->out, "runs.0.status", "refused"));
    assert_non_null(json_find(s->out, "runs.0.message"));
    assert_true(json_says(s->out, "runs.1.status", "done"));
    assert_non_null(json_find(s->out, "runs.1.audit.min_gap"));
    assert_non_null(strstr(s->err, "friction"));
    assert_int_equal(shell_run(s, "$CAROM compare block.yaml --schemes schatzman_paoli"), 2);
}

static void options_go_to_the_schemes_that_have_them(void **state)
{
    shell *s = *state;
    assert_int_equal(shell_run(s, "$CAROM compare ball.yaml --schemes moreau_midpoint,moreau_jean "
                                  "--option theta=1 --json -"),
                     0);
    assert_true(json_says(s->out, "runs.0.status", "done") &&
                json_says(s->out, "runs.1.status", "done"));
}

static void all_schemes_can_be_asked_for(void **state)
{
    shell *s = *state;
    assert_int_equal(shell_run(s, "$CAROM compare ball.yaml --schemes all --end 0.1 --json -"), 0);
    char last[32];
    snprintf(last, sizeof last, "runs.%d.scheme", carom_scheme_count() - 1);
    assert_non_null(json_find(s->out, last));
}

static void files_are_the_same_or_different(void **state)
{
    shell *s = *state;
    shell_run(
        s, "$CAROM run ball.yaml -q -o a.csv && cp a.csv b.csv && $CAROM run ball.yaml -q -o c.csv "
           "--start y=1.001 && head -20 a.csv >d.csv");
    assert_int_equal(shell_run(s, "$CAROM compare a.csv b.csv"), 0);
    assert_non_null(strstr(s->out, ": same"));
    assert_int_equal(shell_run(s, "$CAROM compare a.csv c.csv"), 1);
    assert_non_null(strstr(s->out, ": different"));
    assert_int_equal(shell_run(s, "$CAROM compare a.csv c.csv --tol 1e9 -q"), 0);
    assert_string_equal(s->out, "");
    assert_int_equal(shell_run(s, "$CAROM compare a.csv d.csv"), 1);
    assert_non_null(strstr(s->err, "goes on"));
    assert_int_equal(shell_run(s, "$CAROM compare a.csv c.csv --json -"), 1);
    assert_true(json_is_valid(s->out));
    assert_true(json_double(s->out, "largest") >= 1e-3 - 1e-15);
    assert_int_equal(shell_run(s, "$CAROM compare a.csv ."), 2);
    assert_int_equal(shell_run(s, "$CAROM compare a.csv a.h5"), 2);
    assert_non_null(strstr(s->err, "only CSV"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_scheme_and_solver_is_listed),
        cmocka_unit_test(lists_are_json_too),
        cmocka_unit_test(models_are_found_by_name_and_folder),
        cmocka_unit_test(an_invalid_model_is_listed_with_its_error),
        cmocka_unit_test(check_shows_sizes_energy_gaps_and_measured_restitution),
        cmocka_unit_test(check_measures_with_constraints_and_friction),
        cmocka_unit_test(a_contact_locked_by_a_constraint_is_not_measured),
        cmocka_unit_test(check_reads_the_run_section),
        cmocka_unit_test(schemes_are_compared_in_one_table),
        cmocka_unit_test(a_scheme_that_refuses_says_why_and_the_others_go_on),
        cmocka_unit_test(options_go_to_the_schemes_that_have_them),
        cmocka_unit_test(all_schemes_can_be_asked_for),
        cmocka_unit_test(files_are_the_same_or_different),
    };
    return cmocka_run_group_tests(tests, shell_start, shell_end);
}
