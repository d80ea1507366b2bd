// SPDX-License-Identifier: Apache-2.0
// carom contact info, solve and convert, and run --save-contact.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cli/json_reader.h"
#include "cli/shell.h"

#include <math.h>

#define SAMPLES CAROM_SOURCE_DIR "/test/contact/files/"

// one contact on a floor: r = (2, -1, 0) slips against u_T = (0.5, 0)
static const char one_contact[] = "3\n1\n0\n3\n3\n3 3\n1 0 0\n0 1 0\n0 0 1\n-2 1.5 0\n0.5\n";

static void the_json_has_exactly_the_promised_fields(void **state)
{
    static const char *const field[] = {"file",       "contacts", "dimension", "solver", "status",
                                        "iterations", "time",     "err_rel",   "err_max"};
    shell *s = *state;
    char path[64];
    shell_write(s, "one.dat", one_contact);
    assert_int_equal(shell_run(s, "$CAROM contact solve one.dat %slocal-csc.dat --json -", SAMPLES),
                     0);
    assert_true(json_is_valid(s->out));
    for (int problem = 0; problem < 2; problem++)
        for (size_t i = 0; i < sizeof field / sizeof *field; i++) {
            snprintf(path, sizeof path, "problems.%d.%s", problem, field[i]);
            assert_non_null(json_find(s->out, path));
        }
    // 9 fields in each of two problems, and the list itself
    int n_key = 0;
    for (const char *c = s->out; (c = strstr(c, "\":")) != NULL; c++) n_key++;
    assert_int_equal(n_key, 19);
    assert_true(json_says(s->out, "problems.0.file", "one.dat"));
    assert_true(json_says(s->out, "problems.0.status", "solved"));
    assert_true(json_double(s->out, "problems.0.contacts") == 1);
    assert_true(json_double(s->out, "problems.0.dimension") == 3);
    assert_true(json_double(s->out, "problems.0.err_rel") <= 1e-8);
}

static void every_solver_that_takes_it_solves_one_contact(void **state)
{
    shell *s = *state;
    shell_write(s, "one.dat", one_contact);
    assert_int_equal(shell_run(s, "$CAROM contact solve one.dat --solver newton"), 0);
    assert_int_equal(shell_run(s, "$CAROM contact solve one.dat --solver nsgs"), 0);
    assert_non_null(strstr(s->out, "solved"));
    assert_int_equal(shell_run(s, "$CAROM contact solve one.dat --solver pivot"), 2);
    assert_non_null(strstr(s->err, "one.dat: solver pivot takes contacts without friction"));
}

static void exit_codes_tell_solved_from_unsolved_from_wrong(void **state)
{
    shell *s = *state;
    shell_write(s, "one.dat", one_contact);
    shell_write(s, "bad.dat", "3\n1\n0\n3 3\n3 3\n1 0 x\n0 1 0\n0 0 1\n-2 1 0 0.5\n");
    assert_int_equal(
        shell_run(s, "$CAROM contact solve one.dat %slcp_without_solution.dat --json -", SAMPLES),
        1);
    assert_true(json_says(s->out, "problems.1.status", "no solution"));
    assert_int_equal(shell_run(s, "$CAROM contact solve bad.dat one.dat --json -"), 2);
    assert_non_null(strstr(s->err, "bad.dat:6:5: 'x' is no number"));
    assert_true(json_is_valid(s->out));
    assert_true(json_says(s->out, "problems.0.file", "one.dat"));
    assert_int_equal(shell_run(s, "$CAROM contact solve one.dat --solver nsg"), 2);
    assert_int_equal(shell_lines(s->err), 1);
    assert_int_equal(shell_run(s, "$CAROM contact solve one.dat --tol x"), 2);
    assert_int_equal(shell_run(s, "$CAROM contact solve one.dat --kind lpc"), 2);
    assert_int_equal(shell_run(s, "$CAROM contact solve"), 2);
    assert_int_equal(shell_run(s, "$CAROM contact solv one.dat"), 2);
    assert_non_null(strstr(s->err, "did you mean 'solve'"));
    assert_int_equal(shell_run(s, "$CAROM contact solve none.dat"), 2);
    assert_non_null(strstr(s->err, "none.dat: cannot be read"));
    // Gauss-Seidel cut short: not solved, exit 1
    assert_int_equal(shell_run(s,
                               "$CAROM contact solve %slocal-dense.dat --solver nsgs --option "
                               "iterations=1 --tol 1e-15",
                               SAMPLES),
                     1);
    assert_non_null(strstr(s->out, "best found"));
}

static void info_says_what_is_in_a_file(void **state)
{
    shell *s = *state;
    assert_int_equal(shell_run(s, "$CAROM contact info %sgfc3d-oblique.dat", SAMPLES), 0);
    assert_non_null(strstr(s->out, "kind           global"));
    assert_non_null(strstr(s->out, "velocities     4"));
    assert_non_null(strstr(s->out, "symmetric      no"));
    assert_int_equal(shell_run(s, "$CAROM contact info %s*.dat --json -", SAMPLES), 0);
    assert_true(json_is_valid(s->out));
    assert_non_null(json_find(s->out, "problems.11.condition"));
}

static void a_file_converts_to_every_form_and_back(void **state)
{
    shell *s = *state;
    static const char *const to[] = {"a.hdf5", "b.dat --storage csr", "c.dat --storage dense",
                                     "d.dat --to mixed", "e.h5"};
    for (int i = 0; i < 5; i++)
        assert_int_equal(
            shell_run(s, "$CAROM contact convert %slocal-blocks.dat %s", SAMPLES, to[i]), 0);
    assert_int_equal(shell_run(s, "$CAROM contact convert a.hdf5 f.dat --storage blocks"), 0);
    assert_int_equal(shell_run(s, "$CAROM contact convert d.dat g.dat --to local --storage blocks"),
                     0);
    assert_int_equal(shell_run(s, "cmp f.dat g.dat"), 0);
    assert_int_equal(shell_run(s, "$CAROM contact solve a.hdf5 b.dat c.dat d.dat e.h5"), 0);
    assert_int_equal(shell_run(s, "$CAROM contact convert f.dat f.dat"), 2);
    assert_int_equal(shell_run(s, "$CAROM contact convert f.dat h.dat --to lcp"), 2);
    assert_false(shell_has(s, "h.dat"));
}

// the number after a word in a text, -1 where it is not
static double number_after(const char *text, const char *word)
{
    const char *at = strstr(text, word);
    return at ? strtod(at + strlen(word), NULL) : -1;
}

static void links_and_devices_stay_what_they_are(void **state)
{
    shell *s = *state;
    shell_write(s, "one.dat", one_contact);
    assert_int_equal(shell_run(s, "echo old >real.dat && ln -s real.dat link.dat && "
                                  "$CAROM contact convert one.dat link.dat && "
                                  "test -L link.dat && $CAROM contact solve real.dat"),
                     0);
    assert_int_equal(shell_run(s, "mkfifo pipe && { cat pipe >got.dat & } && "
                                  "$CAROM contact convert one.dat pipe && wait && "
                                  "test -p pipe && cmp got.dat real.dat"),
                     0);
}

static void a_run_saves_its_contact_problems(void **state)
{
    shell *s = *state;
    assert_int_equal(shell_run(s, "$CAROM run block.yaml --save-contact all --end 0.1"), 0);
    assert_true(number_after(s->out, "contact saves") == 100);
    assert_int_equal(shell_run(s, "ls all | wc -l"), 0);
    assert_true(number_after(s->out, "") == 100);
    assert_int_equal(shell_run(s, "$CAROM run block.yaml --save-contact some:every=25 --end 0.1 "
                                  "-q && ls some"),
                     0);
    assert_string_equal(s->out, "contact-00000025.dat\ncontact-00000050.dat\ncontact-00000075.dat\n"
                                "contact-00000100.dat\n");
    // one contact is solved in closed form: nothing struggles
    assert_int_equal(shell_run(s, "$CAROM run block.yaml --save-contact hard:struggled --end 0.1 "
                                  "-q && ls hard"),
                     0);
    assert_string_equal(s->out, "");
    assert_int_equal(shell_run(s, "$CAROM contact solve all/*.dat"), 0);
    assert_int_equal(shell_run(s, "$CAROM run block.yaml --save-contact x:every=0"), 2);
    assert_int_equal(shell_run(s, "$CAROM run block.yaml --save-contact x:strugled"), 2);
    assert_false(shell_has(s, "x:strugled"));
    assert_int_equal(shell_run(s, "$CAROM run block.yaml --save-contact x:y/ --end 0.01"), 0);
    assert_true(shell_has(s, "x:y"));
    assert_int_equal(shell_run(s, "$CAROM run block.yaml --save-contact block.yaml"), 2);
    assert_non_null(strstr(s->err, "block.yaml: contact problems cannot be saved there"));
}

// the block weighs 2 kg: P_N = m g h in every step, P_T = -mu P_N while it slides
static void a_saved_problem_solves_to_the_impulse_of_the_run(void **state)
{
    shell *s = *state;
    assert_int_equal(shell_run(s, "$CAROM run block.yaml --save-contact one:every=50 --end 0.05 "
                                  "-q && $CAROM contact convert "
                                  "one/contact-00000050.dat local.dat --to local"),
                     0);
    char text[SHELL_ROOM];
    shell_read(s, "local.dat", text);
    // G = diag(1/m), b = (e gamma - g h, u_T): P_N = -b_N m
    const char *rest = text;
    double value[14];
    for (int i = 0; i < 14; i++) {
        char *end;
        value[i] = strtod(rest, &end);
        rest = end;
    }
    // d nc storage n0 n1 n0 n1, 4 entries, b_N b_T mu
    assert_true(value[0] == 2 && value[1] == 1 && value[7] == 0.5 && value[13] == 0.3);
    assert_true(fabs(-value[11] * 2 - 2 * 9.81 * 1e-3) <= 1e-12);
    assert_int_equal(shell_run(s, "$CAROM contact solve one/*.dat"), 0);
}

// a file does not write: its wish is told, and the command line's word counts
static void a_model_file_can_wish_for_saves(void **state)
{
    shell *s = *state;
    assert_int_equal(shell_run(s,
                               "sed 's/end: 0.5/end: 0.02, save_contact: \"from-file:every=5\"/' "
                               "block.yaml >saving.yaml && $CAROM run saving.yaml -q"),
                     0);
    assert_non_null(strstr(s->err, "--save-contact 'from-file:every=5'"));
    assert_false(shell_has(s, "from-file"));
    assert_int_equal(shell_run(s, "$CAROM run saving.yaml -q --save-contact 'from-file:every=5' && "
                                  "ls from-file | wc -l"),
                     0);
    assert_true(number_after(s->out, "") == 4);
    // checking it writes nothing
    assert_int_equal(shell_run(s, "rm -r from-file && $CAROM check saving.yaml"), 0);
    assert_false(shell_has(s, "from-file"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_json_has_exactly_the_promised_fields),
        cmocka_unit_test(every_solver_that_takes_it_solves_one_contact),
        cmocka_unit_test(exit_codes_tell_solved_from_unsolved_from_wrong),
        cmocka_unit_test(info_says_what_is_in_a_file),
        cmocka_unit_test(a_file_converts_to_every_form_and_back),
        cmocka_unit_test(links_and_devices_stay_what_they_are),
        cmocka_unit_test(a_run_saves_its_contact_problems),
        cmocka_unit_test(a_saved_problem_solves_to_the_impulse_of_the_run),
        cmocka_unit_test(a_model_file_can_wish_for_saves),
    };
    return cmocka_run_group_tests(tests, shell_start, shell_end);
}
