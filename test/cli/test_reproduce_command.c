// SPDX-License-Identifier: Apache-2.0
// carom reproduce on a small paper of its own: table, JSON, exit codes, pages whose texts cannot do
// any harm, and clear words about wrong usage.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cli/json_reader.h"
#include "cli/shell.h"

static const char paper[] =
    "carom: 1\npaper: mine\ntitle: 'A <script>alert(1)</script> & \"title\"'\n"
    "runs:\n  ball: {model: " CAROM_SOURCE_DIR "/models/bouncing-ball.yaml,\n"
    "         scheme: moreau_midpoint, step: 1e-3, end: 1}\n"
    "figures:\n  - {id: fig, title: '<b>é</b>', x: 't [s]', y: 'y [m]', curves: [{run: ball, y: "
    "y}]}\n"
    "claims:\n"
    "  - id: falls\n    claim: the <i>ball</i> falls\n    published: below 1 m\n"
    "    verdict: %s\n    figure: fig\n    measures:\n"
    "      - {name: h, take: last, column: y, run: ball, unit: m, below: %s}\n";

static void write_paper(const shell *s, const char *verdict, const char *below)
{
    char text[2048];
    snprintf(text, sizeof text, paper, verdict, below);
    shell_write(s, "mine.yaml", text);
}

static void the_table_says_what_was_obtained(void **state)
{
    shell *s = *state;
    write_paper(s, "reproduced", "1");
    shell_run(s, "$CAROM reproduce mine.yaml");
    assert_int_equal(s->code, 0);
    assert_non_null(strstr(s->out, "falls: the <i>ball</i> falls"));
    assert_non_null(strstr(s->out, "below 1 m"));
    assert_non_null(strstr(s->out, "1 reproduced"));
    assert_string_equal(s->err, "");
}

static void the_json_has_its_members_in_order(void **state)
{
    shell *s = *state;
    write_paper(s, "reproduced", "1");
    shell_run(s, "$CAROM reproduce mine.yaml --json -");
    assert_int_equal(s->code, 0);
    assert_true(json_is_valid(s->out));
    const char *at = s->out;
    static const char *const member[] = {"papers",    "paper",    "claims",  "id",    "claim",
                                         "published", "obtained", "verdict", "reason"};
    for (size_t i = 0; i < sizeof member / sizeof member[0]; i++) {
        char key[32];
        snprintf(key, sizeof key, "\"%s\"", member[i]);
        at = strstr(at, key);
        if (!at) fail_msg("no %s in %s", key, s->out);
    }
    assert_non_null(strstr(s->out, "\"verdict\": \"reproduced\""));
}

static void a_verdict_that_is_not_expected_is_exit_code_1(void **state)
{
    shell *s = *state;
    write_paper(s, "reproduced", "-1");
    shell_run(s, "$CAROM reproduce mine.yaml -q");
    assert_int_equal(s->code, 1);
    assert_non_null(strstr(s->err, "mine, falls: differs (expected: reproduced)"));
    // and so is one that holds although it should not
    write_paper(s, "differs", "1");
    shell_run(s, "$CAROM reproduce mine.yaml -q");
    assert_int_equal(s->code, 1);
    write_paper(s, "differs", "-1");
    shell_run(s, "$CAROM reproduce mine.yaml -q");
    assert_int_equal(s->code, 0);
}

static void pages_are_whole_and_their_texts_are_only_texts(void **state)
{
    shell *s = *state;
    write_paper(s, "reproduced", "1");
    shell_run(s, "$CAROM reproduce -q mine.yaml -o pages && cat pages/mine.html");
    assert_int_equal(s->code, 0);
    assert_non_null(strstr(s->out, "<svg"));
    assert_non_null(
        strstr(s->out, "&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;title&quot;"));
    assert_non_null(strstr(s->out, "the &lt;i&gt;ball&lt;/i&gt; falls"));
    assert_non_null(strstr(s->out, "</html>"));
    assert_null(strstr(s->out, "<script"));
    assert_null(strstr(s->out, "<b>é"));
    assert_null(strstr(s->out, "src="));
}

static void papers_of_a_folder_are_found_by_name(void **state)
{
    shell *s = *state;
    write_paper(s, "reproduced", "1");
    shell_run(s,
              "mkdir -p shelf && mv mine.yaml shelf && $CAROM reproduce --papers shelf --json -");
    assert_int_equal(s->code, 0);
    shell_run(s, "$CAROM reproduce mine --papers shelf -q");
    assert_int_equal(s->code, 0);
    shell_run(
        s, "CAROM_PAPERS=shelf $CAROM reproduce mine -q && CAROM_PAPERS=shelf $CAROM list papers");
    assert_int_equal(s->code, 0);
    assert_non_null(strstr(s->out, "mine           1 claims"));
}

static void wrong_usage_is_exit_code_2(void **state)
{
    shell *s = *state;
    static const struct {
        const char *line, *message;
    } row[] = {{"reproduce --papers shelf mime", "(did you mean 'mine'?)"},
               {"reproduce --papers nowhere", "no papers there"},
               {"reproduce no-such.yaml", "no-such.yaml"},
               {"reproduce -j 0 --papers shelf", "--jobs: must be a whole number from 1 to 64"},
               {"list nothing", "schemes, solvers, models, papers, measures, limits"}};
    shell_run(s, "mkdir -p shelf");
    write_paper(s, "reproduced", "1");
    shell_run(s, "mv mine.yaml shelf");
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        shell_run(s, "$CAROM %s", row[i].line);
        assert_int_equal(s->code, 2);
        if (!strstr(s->err, row[i].message)) fail_msg("%s: %s", row[i].line, s->err);
    }
}

// a full run takes half a minute: what cannot be written is said before it
static void results_that_cannot_be_written_are_refused_before_the_runs(void **state)
{
    static const char *const wrong[] = {"-o mine.yaml", "-o none/deeper", "--json none/x.json"};
    shell *s = *state;
    write_paper(s, "reproduced", "1");
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_equal(shell_run(s, "$CAROM reproduce mine.yaml %s", wrong[i]), 2);
        assert_string_equal(s->out, "");
        assert_non_null(strstr(s->err, "cannot be"));
    }
}

static void measures_are_listed(void **state)
{
    shell *s = *state;
    shell_run(s, "$CAROM list measures --json");
    assert_int_equal(s->code, 0);
    assert_true(json_is_valid(s->out));
    shell_run(s, "$CAROM list measures");
    assert_non_null(strstr(s->out, "smallest value of columns over the run"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_table_says_what_was_obtained),
        cmocka_unit_test(the_json_has_its_members_in_order),
        cmocka_unit_test(a_verdict_that_is_not_expected_is_exit_code_1),
        cmocka_unit_test(pages_are_whole_and_their_texts_are_only_texts),
        cmocka_unit_test(papers_of_a_folder_are_found_by_name),
        cmocka_unit_test(wrong_usage_is_exit_code_2),
        cmocka_unit_test(results_that_cannot_be_written_are_refused_before_the_runs),
        cmocka_unit_test(measures_are_listed),
    };
    return cmocka_run_group_tests(tests, shell_start, shell_end);
}
