// SPDX-License-Identifier: Apache-2.0
// carom plot: figures from what carom run wrote, and what it says where it cannot.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cli/shell.h"

static const char model[] = "carom: 1\n"
                            "coordinates:\n  y: {start: 1}\n  x: {rate: 1}\n"
                            "kinetic: (der(x)^2 + der(y)^2)/2\npotential: 9.81*y\n"
                            "contacts:\n  - {name: floor, gap: y, restitution: 0.5}\n"
                            "run: {step: 1e-2, end: 1}\n";

static void runs_become_svg_and_png(void **state)
{
    shell *s = *state;
    char text[SHELL_ROOM];
    assert_int_equal(shell_run(s, "$CAROM plot a.h5 -c 'gap_*,P_*,kinetic' -o a.svg"), 0);
    shell_read(s, "a.svg", text);
    assert_non_null(strstr(text, "<svg"));
    assert_non_null(strstr(text, "gap_floor [m]"));
    assert_non_null(strstr(text, "P_floor [N s]"));
    // fontconfig keeps its fonts until the end, which a leak checker would report
    assert_int_equal(shell_run(s, "LSAN_OPTIONS=detect_leaks=0 $CAROM plot a.csv -c 'gap_*' "
                                  "-o b.png && head -c 4 b.png"),
                     0);
    assert_non_null(strstr(s->out, "\x89PNG"));
}

static void csv_and_hdf5_give_the_same_figure(void **state)
{
    shell *s = *state;
    assert_int_equal(shell_run(s, "$CAROM plot a.h5 -c 'y,rate_*' -o h.svg && "
                                  "$CAROM plot a.csv -c 'y,rate_*' -o c.svg && cmp h.svg c.svg"),
                     0);
}

static void several_runs_are_laid_over_each_other(void **state)
{
    shell *s = *state;
    char text[SHELL_ROOM];
    assert_int_equal(shell_run(s, "$CAROM run m.yaml -q --step 5e-3 -o b.h5 && "
                                  "$CAROM plot a.h5 b.h5 -c y -o ab.svg"),
                     0);
    shell_read(s, "ab.svg", text);
    assert_non_null(strstr(text, ">a</text>"));
    assert_non_null(strstr(text, ">b</text>"));
}

static void an_unknown_column_names_the_nearest(void **state)
{
    shell *s = *state;
    assert_int_equal(shell_run(s, "$CAROM plot a.h5 -c gap_flor -o u.svg"), 2);
    assert_non_null(strstr(s->err, "did you mean 'gap_floor'?"));
    assert_int_equal(shell_run(s, "$CAROM plot a.h5 -c 'zz_*' -o u.svg"), 2);
    assert_non_null(strstr(s->err, "there are t, y, x"));
    assert_false(shell_has(s, "u.svg"));
}

static void wrong_usage_is_said_and_nothing_is_lost(void **state)
{
    static const char *const wrong[] = {"",
                                        "none.h5 -c y",
                                        "m.yaml -c y",
                                        "a.h5 -c y -o a.h5",
                                        "a.h5 -c y -o w.gif",
                                        "a.h5 -c y --range 2:1 -o w.svg",
                                        "a.h5 -c y --size 1x1 -o w.svg",
                                        "bad.h5 -c y -o w.svg",
                                        "ragged.csv -c y -o w.svg",
                                        "words.csv -c y -o w.svg"};
    shell *s = *state;
    shell_write(s, "bad.h5", "this is no HDF5 file");
    shell_write(s, "ragged.csv", "t,y\n0,1\n1\n");
    shell_write(s, "words.csv", "t,y\n0,1\n1,abc\n");
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_equal(shell_run(s, "$CAROM plot %s", wrong[i]), 2);
        assert_true(strlen(s->err) > 10);
        assert_false(shell_has(s, "w.svg"));
    }
    assert_int_equal(shell_run(s, "$CAROM plot a.h5 -c y -o still.svg"), 0);
}

static void cells_may_be_empty_but_not_words(void **state)
{
    shell *s = *state;
    shell_write(s, "gaps.csv", "t,y,kind\n0,1,a\n1,,b\n2,nan,c\n3,2,d\n");
    assert_int_equal(shell_run(s, "$CAROM plot gaps.csv -c y -o gaps.svg"), 0);
    assert_int_equal(shell_run(s, "$CAROM plot gaps.csv -c kind -o kind.svg"), 2);
    assert_non_null(strstr(s->err, "gaps.csv:2:1: 'a' in cell 3 is no number"));
    assert_false(shell_has(s, "kind.svg"));
}

static void reports_say_what_is_wrong(void **state)
{
    shell *s = *state;
    assert_int_equal(shell_run(s, "$CAROM report a.csv -o r.html"), 2);
    assert_non_null(strstr(s->err, "CSV"));
    assert_int_equal(shell_run(s, "$CAROM report none.h5 -o r.html"), 2);
    assert_int_equal(shell_run(s, "$CAROM report a.h5 -o a.h5"), 2);
    assert_int_equal(shell_run(s, "$CAROM report bad.h5 -o r.html"), 2);
    assert_false(shell_has(s, "r.html"));
    assert_int_equal(shell_run(s, "$CAROM report a.h5 -o -"), 2);
    assert_non_null(strstr(s->err, "name it"));
    assert_false(shell_has(s, "-"));
}

// what the page shows is tested in a browser (test/report)
static void a_report_holds_its_runs(void **state)
{
    shell *s = *state;
    if (shell_run(s, "$CAROM report a.h5 b.h5 -o r.html") == 2 &&
        strstr(s->err, "without the viewer"))
        skip();
    assert_int_equal(s->code, 0);
    assert_int_equal(shell_run(s, "grep -c '\"gap_floor\"' r.html"), 0);
    assert_string_equal(s->out, "2\n");
}

static int set_up(void **state)
{
    if (shell_start(state) != 0) return -1;
    shell_write(*state, "m.yaml", model);
    return shell_run(*state, "$CAROM run m.yaml -q -o a.h5 && $CAROM run m.yaml -q -o a.csv");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_become_svg_and_png),
        cmocka_unit_test(csv_and_hdf5_give_the_same_figure),
        cmocka_unit_test(several_runs_are_laid_over_each_other),
        cmocka_unit_test(an_unknown_column_names_the_nearest),
        cmocka_unit_test(wrong_usage_is_said_and_nothing_is_lost),
        cmocka_unit_test(cells_may_be_empty_but_not_words),
        cmocka_unit_test(reports_say_what_is_wrong),
        cmocka_unit_test(a_report_holds_its_runs),
    };
    return cmocka_run_group_tests(tests, set_up, shell_end);
}
