// SPDX-License-Identifier: Apache-2.0
// Verdicts of small papers on a bouncing ball (start 1 m, e = 0.9), the same on any number of
// threads; runs that are refused are a verdict, and slow claims are left out where asked.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "carom/carom.h"

static const char name[] = CAROM_SOURCE_DIR "/papers/test.yaml";

#define HEAD                                                                                       \
    "carom: 1\npaper: test\ntitle: A test\n"                                                       \
    "runs:\n"                                                                                      \
    "  ball: {model: bouncing-ball, scheme: moreau_midpoint, step: 1e-3, end: 1}\n"                \
    "  soft: {like: ball, set: {e: 0}}\n"                                                          \
    "  bad: {like: ball, scheme: hem5}\n"                                                          \
    "studies:\n"                                                                                   \
    "  fall: {model: bouncing-ball, schemes: [moreau_jean_explicit], steps: [1e-2, 1e-3],\n"       \
    "         reference: moreau_midpoint:1e-4, end: 0.4}\n"                                        \
    "claims:\n"

#define CLAIM(id, verdict, rest)                                                                   \
    "  - {id: " id ", claim: c, published: p, verdict: \"" verdict "\", " rest "}\n"
#define KNOWN "differs, with the known reason"

static carom_paper *read(const char *text)
{
    carom_paper *paper = NULL;
    carom_error error = {0};
    if (carom_paper_read_text(text, strlen(text), name, &paper, &error) != CAROM_OK)
        fail_msg("%s", error.message);
    return paper;
}

static void run(carom_paper *paper, bool is_quick, int n_thread)
{
    carom_error error = {0};
    const carom_reproduce_options options = {.is_quick = is_quick, .n_thread = n_thread};
    if (carom_reproduce(&paper, 1, &options, &error) != CAROM_OK) fail_msg("%s", error.message);
}

// the verdict of the first claim of a paper
static carom_verdict verdict_of(const char *text)
{
    carom_paper *paper = read(text);
    run(paper, false, 1);
    const carom_verdict verdict = carom_paper_claim(paper, 0)->verdict;
    carom_paper_free(paper);
    return verdict;
}

#define STEPS "{name: n, take: steps, run: ball, "
#define VERDICT(measures) verdict_of(HEAD CLAIM("a", "reproduced", measures))

static void a_number_in_its_bounds_is_reproduced(void **state)
{
    (void)state;
    assert_int_equal(VERDICT("measures: [" STEPS "published: 1000, within: 0}]"), CAROM_REPRODUCED);
    assert_int_equal(VERDICT("measures: [" STEPS "published: 995, within: 1%}]"), CAROM_REPRODUCED);
    assert_int_equal(VERDICT("measures: [" STEPS "above: 1000, below: 1000}]"), CAROM_REPRODUCED);
    assert_int_equal(VERDICT("measures: [" STEPS "published: 995, within: 4.9}]"), CAROM_DIFFERS);
    assert_int_equal(VERDICT("measures: [" STEPS "above: 1000.5}]"), CAROM_DIFFERS);
    assert_int_equal(VERDICT("measures: [" STEPS "below: 999.5}]"), CAROM_DIFFERS);
}

static void a_known_difference_needs_its_number_and_its_reason(void **state)
{
    (void)state;
#define OFF "published: 900, within: 1, "
    assert_int_equal(VERDICT("reason: r, measures: [" STEPS OFF "known: 1000, known_within: 1}]"),
                     CAROM_DIFFERS_KNOWN);
    assert_int_equal(VERDICT("measures: [" STEPS OFF "known: 1000, known_within: 1}]"),
                     CAROM_DIFFERS);
    assert_int_equal(VERDICT("reason: r, measures: [" STEPS OFF "known: 990, known_within: 1}]"),
                     CAROM_DIFFERS);
    // what was published holds, but the number has changed: somebody should look
    assert_int_equal(
        VERDICT("reason: r, measures: [" STEPS "above: 1, known: 990, known_within: 1}]"),
        CAROM_DIFFERS);
}

static void orders_must_be_strict(void **state)
{
    (void)state;
#define TWO                                                                                        \
    "measures: [{name: a, take: largest, column: y, from: 0.7, run: ball}, {name: b, take: "       \
    "largest, column: y, from: 0.7, run: soft}, {name: c, formula: b}], "
    assert_int_equal(VERDICT(TWO "decreasing: [a, b]"), CAROM_REPRODUCED);
    assert_int_equal(VERDICT(TWO "decreasing: [b, a]"), CAROM_DIFFERS);
    assert_int_equal(VERDICT(TWO "decreasing: [b, c]"), CAROM_DIFFERS);
}

static void formulas_see_the_measures_before_them(void **state)
{
    (void)state;
    assert_int_equal(VERDICT("measures: [" STEPS "show: no}, {name: m, formula: 2*n + 1, "
                             "published: 2001, within: 0}]"),
                     CAROM_REPRODUCED);
    // a formula of something that is not there is no number
    assert_int_equal(VERDICT("measures: [{name: n, take: event_time, number: 99, run: ball}, "
                             "{name: m, formula: n*0, below: 1}]"),
                     CAROM_DIFFERS);
}

static void studies_give_errors_and_orders(void **state)
{
    (void)state;
    assert_int_equal(VERDICT("measures: [{name: o, take: order, study: fall, scheme: "
                             "moreau_jean_explicit, step: 1e-3, published: 1, within: 0.05}]"),
                     CAROM_REPRODUCED);
    assert_int_equal(VERDICT("measures: [{name: o, take: error, study: fall, scheme: "
                             "moreau_jean_explicit, step: 1e-2, published: 0.01962, within: 1%}]"),
                     CAROM_REPRODUCED);
}

static void a_refused_run_is_a_verdict_with_its_reason(void **state)
{
    (void)state;
    carom_paper *paper =
        read(HEAD CLAIM("a", "reproduced", "measures: [{name: n, take: steps, run: bad, above: 0}]")
                 CLAIM("b", "reproduced", "measures: [{name: n, take: done, run: bad, below: 0}]"));
    run(paper, false, 2);
    assert_int_equal(carom_paper_claim(paper, 0)->verdict, CAROM_DIFFERS);
    assert_non_null(strstr(carom_paper_claim(paper, 0)->obtained, "none ("));
    assert_non_null(strstr(carom_paper_claim(paper, 0)->obtained, "contact"));
    assert_int_equal(carom_paper_claim(paper, 1)->verdict, CAROM_REPRODUCED);
    carom_paper_free(paper);
}

static void slow_claims_are_left_out_of_quick_rounds(void **state)
{
    (void)state;
    carom_paper *paper = read(
        HEAD CLAIM("a", "reproduced", "slow: yes, measures: [" STEPS "above: 0}]")
            CLAIM("b", "reproduced", "measures: [{name: n, take: steps, run: soft, above: 0}]"));
    assert_int_equal(carom_reproduce_count(&paper, 1, true), 1);
    assert_int_equal(carom_reproduce_count(&paper, 1, false), 2);
    run(paper, true, 1);
    assert_int_equal(carom_paper_claim(paper, 0)->verdict, CAROM_VERDICT_MISSING);
    assert_int_equal(carom_paper_claim(paper, 1)->verdict, CAROM_REPRODUCED);
    run(paper, false, 1);
    assert_int_equal(carom_paper_claim(paper, 0)->verdict, CAROM_REPRODUCED);
    carom_paper_free(paper);
}

static void results_do_not_depend_on_the_number_of_threads(void **state)
{
    (void)state;
    static const char text[] =
        HEAD CLAIM("a", "reproduced",
                   "measures: [{name: a, take: last, column: y, run: ball, above: -9}, {name: b, "
                   "take: last, column: energy, run: soft, above: -9}]");
    carom_paper *one = read(text), *many = read(text);
    run(one, false, 1);
    run(many, false, 8);
    assert_string_equal(carom_paper_claim(one, 0)->obtained, carom_paper_claim(many, 0)->obtained);
    carom_paper_free(one);
    carom_paper_free(many);
}

static bool stop(void *self, double t, double end, long steps)
{
    (void)t, (void)end, (void)steps;
    ++*(int *)self;
    return true;
}

static void a_watch_can_stop_it(void **state)
{
    (void)state;
    int n_asked = 0;
    carom_error error = {0};
    carom_paper *paper = read(HEAD CLAIM("a", "reproduced", "measures: [" STEPS "above: 0}]"));
    const carom_reproduce_options options = {.n_thread = 1, .watch = {&n_asked, stop}};
    assert_int_equal(carom_reproduce(&paper, 1, &options, &error), CAROM_STOPPED);
    assert_true(n_asked > 0);
    carom_paper_free(paper);
}

static void the_example_of_the_documentation_holds(void **state)
{
    (void)state;
    static char text[1 << 15];
    FILE *file = fopen(CAROM_SOURCE_DIR "/docs/reproduce.md", "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    fclose(file);
    char *block = strstr(text, "```yaml\n");
    assert_non_null(block);
    block += strlen("```yaml\n");
    char *end = strstr(block, "```");
    assert_non_null(end);
    *end = 0;
    carom_paper *paper = read(block);
    run(paper, false, 2);
    assert_int_equal(carom_paper_n_claim(paper), 2);
    for (int i = 0; i < 2; i++) {
        const carom_claim *claim = carom_paper_claim(paper, i);
        if (claim->verdict != claim->expected) fail_msg("%s: %s", claim->id, claim->obtained);
    }
    carom_paper_free(paper);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_number_in_its_bounds_is_reproduced),
        cmocka_unit_test(a_known_difference_needs_its_number_and_its_reason),
        cmocka_unit_test(orders_must_be_strict),
        cmocka_unit_test(formulas_see_the_measures_before_them),
        cmocka_unit_test(studies_give_errors_and_orders),
        cmocka_unit_test(a_refused_run_is_a_verdict_with_its_reason),
        cmocka_unit_test(slow_claims_are_left_out_of_quick_rounds),
        cmocka_unit_test(results_do_not_depend_on_the_number_of_threads),
        cmocka_unit_test(a_watch_can_stop_it),
        cmocka_unit_test(the_example_of_the_documentation_holds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
