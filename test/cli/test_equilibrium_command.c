// SPDX-License-Identifier: Apache-2.0
// carom equilibrium and --start-file as a user meets them: a rest is found, written, and a run that
// starts there stays; what has no rest and what is wrong is said with the right exit code. carom
// check and carom run tell what was assembled and which rows are redundant.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "cli/json_reader.h"
#include "cli/shell.h"

static const char hanging[] = "carom: 1\n"
                              "parameters: {m: 2, k: 50}\n"
                              "coordinates: {y: {start: 1, rate: 1}, 'z[i]': {for: {i: 1..2}}}\n"
                              "kinetic: ['m/2*(der(y)^2 + der(z[1])^2 + der(z[2])^2)']\n"
                              "potential: ['m*9.81*y + k/2*(y - 1)^2 + z[1]^2 + m*z[2]']\n"
                              "contacts: [{name: floor, gap: 'z[2] + 1'}]\n"
                              "run: {scheme: moreau_midpoint, step: 1e-3, end: 1}\n";
static const char falling[] = "carom: 1\ncoordinates: {y: {start: 1}}\nkinetic: der(y)^2\n"
                              "potential: 9.81*y\n";
static const char four_bar[] =
    "carom: 1\nparameters: {a: 0.1, b: 0.3, c: 0.25, d: 0.35}\n"
    "coordinates: {th1: {start: 0.8, rate: 10}, th2: {start: 0.3}, th3: {start: 1.2}}\n"
    "kinetic: (a^2*der(th1)^2 + b^2*der(th2)^2 + c^2*der(th3)^2)/6\n"
    "constraints:\n"
    "  - {name: x, equation: a*cos(th1) + b*cos(th2) - d - c*cos(th3)}\n"
    "  - {name: y, equation: a*sin(th1) + b*sin(th2) - c*sin(th3)}\n"
    "  - {name: y2, equation: 2*(a*sin(th1) + b*sin(th2) - c*sin(th3))}\n"
    "start: {positions: assemble, velocities: assemble, keep: [th1]}\n"
    "run: {scheme: moreau_midpoint, step: 1e-4, end: 0.01}\n";

static int start(void **state)
{
    if (shell_start(state) != 0) return -1;
    const shell *s = *state;
    shell_write(s, "hanging.yaml", hanging);
    shell_write(s, "falling.yaml", falling);
    shell_write(s, "bar.yaml", four_bar);
    return 0;
}

static void says(const char *text, const char *expected)
{
    if (!strstr(text, expected)) fail_msg("'%s' is not in: %s", expected, text);
}

static void a_run_from_a_rest_stays(void **state)
{
    shell *s = *state;
    assert_int_equal(shell_run(s, "$CAROM equilibrium hanging.yaml -o rest.yaml"), 0);
    says(s->out, "stability      stable (softest of 2 free directions: 1 1/s2)");
    says(s->out, "floor");
    says(s->out, "closed");
    assert_int_equal(shell_run(s, "$CAROM run hanging.yaml --start-file rest.yaml --json - -q"), 0);
    assert_true(fabs(json_double(s->out, "q.y") - (1 - 2 * 9.81 / 50)) < 1e-12);
    assert_true(fabs(json_double(s->out, "u.y")) < 1e-12);
    assert_int_equal(shell_run(s, "$CAROM run hanging.yaml --start-file rest.yaml --start y=3 "
                                  "--end 1e-3 --json - -q"),
                     0);
    assert_true(json_double(s->out, "q.y") > 2.9);
}

static void the_rest_is_in_the_json(void **state)
{
    shell *s = *state;
    assert_int_equal(shell_run(s, "$CAROM equilibrium hanging.yaml --set k=100 --json -"), 0);
    assert_true(fabs(json_double(s->out, "q.y") - (1 - 2 * 9.81 / 100)) < 1e-12);
    assert_true(fabs(json_double(s->out, "contacts.floor.normal") - 2) < 1e-10);
    says(s->out, "\"stability\": \"stable\"");
}

static void what_has_no_rest_is_exit_1(void **state)
{
    shell *s = *state;
    assert_int_equal(shell_run(s, "$CAROM equilibrium falling.yaml -o rest2.yaml"), 1);
    says(s->err, "there is no rest from this start: 'y' moves on and on");
    assert_false(shell_has(s, "rest2.yaml"));
}

static void wrong_usage_is_exit_2(void **state)
{
    shell *s = *state;
    shell_write(s, "unknown.yaml", "y: 1\nx: 2\n");
    shell_write(s, "list.yaml", "- y\n");
    assert_int_equal(shell_run(s, "$CAROM equilibrium"), 2);
    assert_int_equal(shell_run(s, "$CAROM equilibrium falling.yaml -o falling.yaml"), 2);
    says(s->err, "'falling.yaml' is given twice");
    assert_int_equal(shell_run(s, "$CAROM equilibrium falling.yaml -o a --json a"), 2);
    assert_int_equal(shell_run(s, "$CAROM check hanging.yaml --start-file unknown.yaml"), 2);
    says(s->err, "unknown.yaml:2:1: unknown name 'x'");
    assert_int_equal(shell_run(s, "$CAROM check hanging.yaml --start-file list.yaml"), 2);
    says(s->err, "a file of start values has a name and a value in each line");
    assert_int_equal(shell_run(s, "$CAROM check hanging.yaml --start-file none.yaml"), 2);
    says(s->err, "none.yaml");
}

static void assembling_and_redundancy_are_told(void **state)
{
    shell *s = *state;
    assert_int_equal(shell_run(s, "$CAROM check bar.yaml"), 0);
    says(s->out, "assembled      largest move 0.519442 (th3), largest change of velocity 2.98283 "
                 "(der(th2))");
    says(s->out, "redundant      1 of 3 constraint rows");
    says(s->out, "one of these rows is implied by the others: y2, y");
    assert_int_equal(shell_run(s, "$CAROM run bar.yaml"), 0);
    says(s->out, "assembled      largest move 0.519442 (th3)");
    assert_int_equal(shell_run(s, "$CAROM run bar.yaml --json - -q"), 0);
    assert_true(fabs(json_double(s->out, "assembled.move") - 0.519442) < 1e-6);
    says(s->out, "\"moved\": \"th3\"");
    assert_int_equal(shell_run(s, "$CAROM check bar.yaml --set d=2"), 2);
    says(s->err, "the loops cannot be closed");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_from_a_rest_stays),
        cmocka_unit_test(the_rest_is_in_the_json),
        cmocka_unit_test(what_has_no_rest_is_exit_1),
        cmocka_unit_test(wrong_usage_is_exit_2),
        cmocka_unit_test(assembling_and_redundancy_are_told),
    };
    return cmocka_run_group_tests(tests, start, shell_end);
}
