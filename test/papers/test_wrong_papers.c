// SPDX-License-Identifier: Apache-2.0
// Files of claims that are wrong in one way each are refused with place, reason and remedy: when
// they are read, or (columns, models) when they are run.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "carom/carom.h"

static const char name[] = CAROM_SOURCE_DIR "/papers/wrong.yaml";

// a right paper, line by line, of which one line is replaced
static const char *const lines[] = {
    "carom: 1",
    "paper: wrong",
    "title: A test",
    "runs:",
    "  ball: {model: bouncing-ball, scheme: moreau_midpoint, step: 1e-2, end: 1}",
    "studies:",
    "  fall: {model: b, schemes: [moreau_jean], steps: [1e-2], reference: exact, end: 1}",
    "figures:",
    "  - {id: fig, title: Fig, x: t, y: y, curves: [{run: ball, y: y}]}",
    "claims:",
    "  - id: a",
    "    claim: c",
    "    published: p",
    "    verdict: reproduced",
    "    measures:",
    "      - {name: m, take: last, column: y, run: ball, above: 0}",
    "    figure: fig",
};
enum { N_LINE = sizeof lines / sizeof lines[0] };

typedef struct wrong {
    int line; // that is replaced, from 1
    const char *text, *message;
} wrong;

static const wrong when_read[] = {
    {1, "carom: 2", ":1:8: version '2' of the file format is not known (write carom: 1)"},
    {1, "", ": a paper needs 'carom'"},
    {2, "paper: ../up", ":2:8: the name of a paper has up to 64 letters"},
    {3, "titel: A test", ":3:1: unknown key 'titel' in a paper (did you mean 'title'?)"},
    {5, "  ball: {modell: x}", "unknown key 'modell' in a run (did you mean 'model'?)"},
    {5, "  ball: {scheme: moreau_midpoint, step: 1, end: 1}", ":5:3: 'ball' needs a model"},
    {5, "  ball: {model: bouncing-ball, step: 1, end: 1}", "'ball' needs a scheme"},
    {5, "  ball: {model: bouncing-ball, scheme: moreau_midpoint, end: 1}",
     "'ball' needs a step or a tolerance (write step: 1e-3)"},
    {5, "  ball: {model: bouncing-ball, scheme: moreau_midpont, step: 1, end: 1}",
     ":5:40: unknown scheme 'moreau_midpont' (did you mean 'moreau_midpoint'?)"},
    {5, "  ball: {like: bal}", ":5:16: there is no run 'bal' in this paper"},
    {7, "  fall: {model: b, schemes: [moreau_jean], steps: [1], reference: x, end: 1}",
     "'x' is no reference (write SCHEME:STEP"},
    {7, "  fall: {model: b, schemes: [moreau_jean], steps: [1], reference: exact, norm: n, end: 1}",
     "norm must be end, path, graph or table, not 'n'"},
    {9, "  - {id: fig, title: Fig, x: t, y: y, curves: [{run: bell, y: y}]}",
     "there is no run 'bell' in this paper (did you mean 'ball'?)"},
    {9, "  - {id: fig, title: Fig, x: t, y: y, curves: [{run: ball}]}",
     "a curve needs 'run' and 'y'"},
    {9, "  - {id: fig, title: F, x: t, y: y, curves: [{claim: a, xs: [1], ys: [q]}]}",
     "there is no measure 'q' of a claim 'a'"},
    {9, "  - {id: fig, title: F, x: t, y: y, curves: [{claim: a, xs: [1, 2], ys: [m]}]}",
     "xs and ys must be as long, not 2 and 1"},
    {9, "  - {id: fig, title: F, x: t, y: y, log: [z], curves: []}", "log is for x or y, not 'z'"},
    {14, "    verdict: holds", ":14:14: verdict must be 'reproduced'"},
    {14, "    verdict: differs, with the known reason", "a claim that differs needs 'reason'"},
    {16, "      - {name: m, take: lst, column: y, run: ball, above: 0}",
     ":16:25: unknown measure 'lst' (did you mean 'last'?); 'carom list measures' shows all"},
    {16, "      - {name: m, take: last, run: ball, above: 0}",
     "'last' needs 'column' (write column: energy)"},
    {16, "      - {name: m, take: at, column: y, run: ball, above: 0}", "'at' needs 'time'"},
    {16, "      - {name: m, take: long_below, column: y, run: ball, above: 0}", "needs 'limit'"},
    {16, "      - {name: m, take: last, column: y, above: 0}", "'last' needs 'run'"},
    {16, "      - {name: m, take: last, column: y, run: ball}",
     "nothing in this claim can be wrong"},
    {16, "      - {name: m, take: last, column: y, run: ball, published: 1}",
     "'published' needs a tolerance (write within: 0.01, or 2% for a share of it)"},
    {16, "      - {name: m, take: last, column: y, run: ball, published: 1, within: -1}",
     "a tolerance must be at least 0, not -1"},
    {16, "      - {name: m, take: last, column: y, run: ball, above: high}", "unknown"},
    {16, "      - {name: m, above: 0}", "a measure takes something from a run or is a formula"},
    {16, "      - {name: m, formula: 2*k, above: 0}", ":16:30: unknown name 'k'"},
    {16, "      - {name: m, take: events, number: 0, run: ball, above: 0}",
     "number must be a whole number from 1, not 0"},
    {16, "      - {name: m, take: last, study: fall, above: 0}",
     "a study gives 'error' or 'order', not 'last'"},
    {16, "      - {name: m, take: order, study: fall, scheme: hem5, step: 1, above: 0}",
     "the study 'fall' has no scheme 'hem5'"},
    {16, "      - {name: m, take: last, column: y, run: ball, above: 0, show: maybe}",
     "'show' must be yes or no, not 'maybe'"},
    {17, "    decreasing: [m, k]", "no measure of this claim is called 'k'"},
    {17, "    figure: figure", "there is no figure 'figure' in this paper"},
    {17, "  - {id: a, claim: c, published: p, verdict: reproduced, measures: []}",
     "two claims are called 'a'"},
};

static const wrong when_run[] = {
    {5, "  ball: {model: no-such-ball, scheme: moreau_midpoint, step: 1, end: 1}",
     ":5:17: there is no model 'no-such-ball'"},
    {5, "  ball: {model: bouncing-ball, set: {ee: 1}, scheme: moreau_midpoint, step: 1, end: 1}",
     ":5:38: "},
    {5, "  ball: {model: bouncing-ball, scheme: moreau_midpoint, step: -1, end: 1}",
     ":5:63: must be a number above 0"},
    {9, "  - {id: fig, title: Fig, x: t, y: y, curves: [{run: ball, y: z}]}",
     ":9:63: the model has no output column 'z'"},
    {16, "      - {name: m, take: last, column: der_x, run: ball, above: 0}",
     ":16:25: no column 'der_x' in the output of this model (did you mean 'der_y'?)"},
};

static void write_paper(const wrong *w, char *text, size_t room)
{
    size_t used = 0;
    for (int i = 0; i < N_LINE; i++)
        used += (size_t)snprintf(text + used, room - used, "%s\n",
                                 w && w->line == i + 1 ? w->text : lines[i]);
}

static carom_status use(const char *text, bool is_run, carom_error *error)
{
    carom_paper *paper = NULL;
    const carom_reproduce_options options = {.n_thread = 1};
    carom_status status = carom_paper_read_text(text, strlen(text), name, &paper, error);
    if (status == CAROM_OK && is_run) status = carom_reproduce(&paper, 1, &options, error);
    carom_paper_free(paper);
    return status;
}

static void check(const wrong *w, bool is_run)
{
    char text[4096];
    carom_error error = {0};
    write_paper(w, text, sizeof text);
    const carom_status status = use(text, is_run, &error);
    const bool has_place = strncmp(error.message, name, strlen(name)) == 0;
    if (status != CAROM_BAD_INPUT || !has_place || !strstr(error.message, w->message))
        fail_msg("'%s': status %d, '%s', not '%s'", w->text, (int)status, error.message,
                 w->message);
}

static void the_paper_itself_is_right(void **state)
{
    char text[4096];
    carom_error error = {0};
    (void)state;
    write_paper(NULL, text, sizeof text);
    if (use(text, true, &error) != CAROM_OK) fail_msg("%s", error.message);
}

static void wrong_papers_are_refused_when_they_are_read(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof when_read / sizeof when_read[0]; i++) check(&when_read[i], false);
}

static void wrong_models_and_columns_are_refused_when_they_are_run(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof when_run / sizeof when_run[0]; i++) check(&when_run[i], true);
}

static void what_is_no_paper_at_all_is_refused(void **state)
{
    (void)state;
    static const char *const text[] = {"", "[1, 2]", "a text", "carom: 1\nclaims: 3\n",
                                       "carom: [\n"};
    for (size_t i = 0; i < sizeof text / sizeof text[0]; i++) {
        carom_error error = {0};
        assert_int_equal(use(text[i], false, &error), CAROM_BAD_INPUT);
        assert_true(strncmp(error.message, name, strlen(name)) == 0);
    }
    carom_error error = {0};
    carom_paper *paper = NULL;
    assert_int_not_equal(carom_paper_read("/no/such/file.yaml", &paper, &error), CAROM_OK);
    assert_null(paper);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_paper_itself_is_right),
        cmocka_unit_test(wrong_papers_are_refused_when_they_are_read),
        cmocka_unit_test(wrong_models_and_columns_are_refused_when_they_are_run),
        cmocka_unit_test(what_is_no_paper_at_all_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
