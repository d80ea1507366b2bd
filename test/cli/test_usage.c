// SPDX-License-Identifier: Apache-2.0
// What the command says to wrong usage and wrong models: exit code 2, one line on stderr that names
// the place and the way out, nothing on stdout; and its help.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cli/shell.h"

typedef struct wrong {
    const char *arguments;
    const char *says; // part of the line on stderr
} wrong;

static const wrong wrongs[] = {
    {"rnu ball.yaml", "did you mean 'run'"},
    {"--bogus", "unknown command"},
    {"help bogus", "unknown command"},
    {"run", "no model given"},
    {"run ball.yaml block.yaml", "one model at a time"},
    {"run ball.yaml --stpe 1e-3", "did you mean '--step'"},
    {"run ball.yaml -x", "unknown option '-x'"},
    {"run ball.yaml --step", "--step needs a value"},
    {"run ball.yaml --step --end 1", "--step needs a value"},
    {"run ball.yaml --quiet=yes", "takes no value"},
    {"run ball.yaml --step 1e-3 --step 1e-4", "given twice"},
    {"run ball.yaml --step 1e-3 --tolerance 1e-6", "has a fixed step and no tolerance"},
    {"run ball.yaml --every 2 --output-step 0.1", "not both"},
    {"run ball.yaml --set ydot=1",
     "the rate of 'y' is der(y), and its start is changed with --start"},
    {"run ball.yaml --set der_y=1", "the rate of 'y' is der(y), and its start is changed with"},
    {"run ball.yaml --set yddot=1", "there are no second time derivatives"},
    {"run ball.yaml --start ydot=1", "unknown name 'ydot'; the rate of 'y' is der(y)"},
    {"run ball.yaml --start \"y'=1\"", "unknown name 'y''; the rate of 'y' is der(y)"},
    {"run ball.yaml --start dy=1", "the rate of 'y' is der(y)"},
    {"run ball.yaml --step 0", "--step: must be a number above 0"},
    {"run ball.yaml --step -1e-3", "--step: must be a number above 0"},
    {"run ball.yaml --step abc", "--step:"},
    {"run ball.yaml --step '1+'", "--step:"},
    {"run ball.yaml --end 0", "--end: must be"},
    {"run ball.yaml --every 0", "--every: must be a whole number"},
    {"run ball.yaml --every 1.5", "--every: must be a whole number"},
    {"run ball.yaml --output-step 0", "--output-step: must be"},
    {"run ball.yaml --max-drift -1", "--max-drift: must be"},
    {"run ball.yaml --set", "--set needs a value"},
    {"run ball.yaml --set e", "write NAME=VALUE"},
    {"run ball.yaml --set =1", "write NAME=VALUE"},
    {"run ball.yaml --set e=", "write NAME=VALUE"},
    {"run ball.yaml --set gravty=1", "did you mean 'gravity'"},
    {"run ball.yaml --set y=1", "its start is changed with --start y=..."},
    {"run ball.yaml --set 'der(y)=1'", "its start is changed with --start der(y)=..."},
    {"run ball.yaml --set e=2*", "--set e:"},
    {"run ball.yaml --set e=1.5", "restitution"},
    {"run ball.yaml --start z=1", "--start z:"},
    {"run ball.yaml --start 'der(z)=1'", "--start der(z):"},
    {"run ball.yaml --scheme moreau_midpont", "did you mean 'moreau_midpoint'"},
    {"run ball.yaml --scheme moreau-jean", "did you mean 'moreau_jean'"},
    {"run ball.yaml --scheme midpoint", "did you mean 'moreau_midpoint'"},
    {"run ball.yaml --scheme tdg", "did you mean 'tdg_"},
    {"run models/bouncing-bal.yaml", "did you mean the model 'bouncing-ball'"},
    {"run ball.yaml --solver nsgss", "did you mean 'nsgs'"},
    {"run ball.yaml --option solver.tol=1", "did you mean 'tolerance'"},
    {"run ball.yaml --option theta=0.5", "theta"},
    {"run ball.yaml --option solver.bogus=1", "bogus"},
    {"run block.yaml --option theta=x", "theta"},
    {"run block.yaml --scheme schatzman_paoli", "friction"},
    {"run pendulum.yaml --end 1", "give --step H"},
    {"run pendulum.yaml --step 1e-3", "give --end T"},
    {"run ball.yaml -o result.txt", "result.txt"},
    {"run ball.yaml -o ball.yaml", "one file"},
    {"run ball.yaml -o ./../$(basename $PWD)/ball.yaml", "one file"},
    {"run ball.yaml -o same.csv --events ./same.csv", "one file"},
    {"run ball.yaml --json same.json --checkpoint same.json", "one file"},
    {"run ball.yaml -o no/such/folder/out.csv", "cannot be written"},
    {"run ball.yaml --json .", "is a folder"},
    {"run ball.yaml --restart missing.state", "missing.state"},
    {"run ball.yaml --restart ball.yaml", "ball.yaml"},
    {"run ball.yaml --start y=-0.1 --max-penetration 0.01",
     "penetration 0.1 m of contact 'floor' at the start"},
    {"run missing.yaml", "missing.yaml: no such file"},
    {"run ..", "is a folder"},
    {"run broken.yaml", "broken.yaml:6:"},
    {"run empty.yaml", "empty.yaml"},
    {"check", "no model given"},
    {"check broken.yaml", "broken.yaml:6:"},
    {"check ball.yaml --json", "unknown option '--json'"},
    {"list", "say what to list"},
    {"list things", "say what to list"},
    {"list schemes solvers", "say what to list"},
    {"compare", "two CSV files"},
    {"compare ball.yaml", "two CSV files"},
    {"compare ball.yaml --schemes moreau_midpoint,mureau_jean", "did you mean 'moreau_jean'"},
    {"compare ball.yaml --schemes ''", "unknown scheme"},
    {"compare ball.yaml --schemes moreau_midpoint --option bogus=1", "--option bogus"},
    {"compare ball.yaml --schemes moreau_midpoint --tol 1", "not both"},
    {"compare missing.csv missing.csv", "missing.csv: cannot be read"},
    {"compare a.csv a.csv --tol -1", "--tol: must be"},
};

static void wrong_usage_is_exit_2_with_one_helpful_line(void **state)
{
    shell *s = *state;
    shell_write(s, "empty.yaml", "");
    shell_write(s, "a.csv", "t\n0\n");
    shell_write(s, "broken.yaml",
                "carom: 1\nname: broken\ncoordinates:\n  y: {start: 1}\n"
                "kinetic: der(y)^2/2\npotential: 9.81*yy\n");
    for (size_t i = 0; i < sizeof wrongs / sizeof wrongs[0]; i++) {
        shell_run(s, "$CAROM %s", wrongs[i].arguments);
        const bool is_good = s->code == 2 && strstr(s->err, wrongs[i].says) &&
                             shell_lines(s->err) == 1 && !s->out[0];
        if (!is_good)
            print_error("carom %s: code %d, out '%s', err '%s', wanted '%s'\n", wrongs[i].arguments,
                        s->code, s->out, s->err, wrongs[i].says);
        assert_true(is_good);
    }
    // and the model was not touched by any of them
    shell_read(s, "ball.yaml", s->out);
    assert_string_equal(s->out, shell_ball);
}

static void no_arguments_give_a_short_usage(void **state)
{
    shell *s = *state;
    assert_int_equal(shell_run(s, "$CAROM"), 2);
    assert_non_null(strstr(s->err, "usage: carom COMMAND"));
    assert_true(shell_lines(s->err) < 24 && !s->out[0]);
}

static void every_command_has_help_with_all_its_options(void **state)
{
    static const char *const command[] = {"run", "check", "list", "compare"};
    static const char *const option[] = {
        "--scheme S",  "--solver S",         "--step H",          "--tolerance TOL", "--end T",
        "--set NAME",  "--start NAME",       "--option NAME",     "-o, --output",    "--events",
        "--every N",   "--output-step DT",   "--json FILE|-",     "--checkpoint",    "--restart",
        "--max-drift", "--max-energy-error", "--max-penetration", "-q, --quiet"};
    shell *s = *state;
    for (int i = 0; i < 4; i++) {
        assert_int_equal(shell_run(s, "$CAROM %s --help", command[i]), 0);
        assert_non_null(strstr(s->out, "usage: carom "));
        assert_true(!s->err[0]);
        char *help = strdup(s->out);
        assert_int_equal(shell_run(s, "$CAROM help %s", command[i]), 0);
        assert_string_equal(help, s->out);
        free(help);
    }
    shell_run(s, "$CAROM run -h");
    for (size_t i = 0; i < sizeof option / sizeof option[0]; i++)
        assert_non_null(strstr(s->out, option[i]));
    assert_int_equal(shell_run(s, "$CAROM --help"), 0);
    for (int i = 0; i < 4; i++) assert_non_null(strstr(s->out, command[i]));
}

static void version_is_the_library_version(void **state)
{
    shell *s = *state;
    assert_int_equal(shell_run(s, "$CAROM --version"), 0);
    assert_int_equal(strncmp(s->out, "carom ", 6), 0);
    assert_true(s->out[6] >= '0' && s->out[6] <= '9');
}

static void output_that_cannot_be_written_is_exit_1(void **state)
{
    shell *s = *state;
    assert_int_equal(shell_run(s, "$CAROM --help >/dev/full"), 1);
    assert_non_null(strstr(s->err, "standard output: cannot be written"));
    assert_int_equal(shell_run(s, "$CAROM run ball.yaml >/dev/full"), 1);
    assert_int_equal(shell_run(s, "$CAROM run ball.yaml --json - >/dev/full"), 1);
    assert_int_equal(shell_run(s, "$CAROM run ball.yaml -q --json /dev/full"), 1);
    assert_non_null(strstr(s->err, "cannot write '/dev/full': No space left on device"));
}

static void a_reader_that_left_needs_no_message(void **state)
{
    shell *s = *state;
    // the pipe's reader is gone before the command writes
    assert_int_equal(shell_run(s, "{ sleep 0.2; $CAROM --help; echo $? >code; } | true; cat code"),
                     0);
    assert_string_equal(s->out, "1\n");
    assert_string_equal(s->err, "");
}

// a checkpoint is written beside and renamed, which must never replace a device
static void a_device_is_not_replaced_by_a_file(void **state)
{
    shell *s = *state;
    assert_int_equal(shell_run(s, "$CAROM run ball.yaml -q --checkpoint /dev/null"), 2);
    assert_non_null(strstr(s->err, "not a plain file"));
    assert_int_equal(shell_run(s, "ln -s /dev/null null.csv; $CAROM run ball.yaml -q -o null.csv"),
                     2);
    assert_non_null(strstr(s->err, "not a plain file"));
    assert_int_equal(shell_run(s, "test -c /dev/null && test -L null.csv"), 0);
}

static void a_closed_stdout_does_not_spoil_the_results(void **state)
{
    shell *s = *state;
    assert_int_equal(shell_run(s, "$CAROM run ball.yaml -q -o good.csv"), 0);
    assert_int_equal(shell_run(s, "$CAROM run ball.yaml -o closed.csv >&-"), 1);
    assert_int_equal(shell_run(s, "cmp good.csv closed.csv"), 0);
}

static void a_link_stays_a_link(void **state)
{
    shell *s = *state;
    const char *run = "$CAROM run ball.yaml -q -o l.csv --checkpoint l.ck --json l.json";
    assert_int_equal(shell_run(s, "touch t1 t2 t3; ln -s t1 l.csv; ln -s t2 l.ck; ln -s t3 l.json"),
                     0);
    assert_int_equal(shell_run(s, "%s", run), 0);
    assert_int_equal(shell_run(s, "test -L l.csv && test -L l.ck && test -L l.json"), 0);
    assert_int_equal(shell_run(s, "test -s t1 && test -s t2 && test -s t3"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_usage_is_exit_2_with_one_helpful_line),
        cmocka_unit_test(no_arguments_give_a_short_usage),
        cmocka_unit_test(every_command_has_help_with_all_its_options),
        cmocka_unit_test(version_is_the_library_version),
        cmocka_unit_test(output_that_cannot_be_written_is_exit_1),
        cmocka_unit_test(a_reader_that_left_needs_no_message),
        cmocka_unit_test(a_device_is_not_replaced_by_a_file),
        cmocka_unit_test(a_link_stays_a_link),
        cmocka_unit_test(a_closed_stdout_does_not_spoil_the_results),
    };
    return cmocka_run_group_tests(tests, shell_start, shell_end);
}
