// SPDX-License-Identifier: Apache-2.0
// label: slow
// carom reproduce --quick runs all papers: every verdict is the expected one, every row of what the
// papers published has its claim, and there are at least 40 of them.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "carom/carom.h"
#include "cli/json_reader.h"
#include "cli/shell.h"

enum { N_PAPER = 5, N_OTHER = 1 }; // others: closed forms without a table of published rows

// one or more claims for each row that was published about these papers
static const char *const rows[] = {
    // slider-crank
    "000-start", "001-table3-tdg", "001-table3-mj", "001-table2-errors", "001-table2-closed",
    "001-table2-orders", "001-fig5-8-10-drift", "001-fig6-energy", "001-chatter", "001-cost",
    "000-fig3-restitution", "000-fig4-drift", "000-fig4-linear", "000-fig9-printed",
    "000-fig9-endpoint", "000-fig10-order", "000-fig10-decoupled", "000-cost", "000-fig6-index2",
    "000-fig6-index1", "000-fig6-ggl", "000-rotation",
    // ball in a box, elastic bar
    "001-box-corner", "001-box-times", "001-fig17-energy", "001-fig18-velocity",
    "001-fig18-acceleration", "001-fig20-duration", "001-fig20-force", "001-fig20-violation",
    "001-fig20-loss", "001-fig20-chatter", "001-fig21-fine", "001-fig22-delta",
    // rotor
    "001-fig21-contact-end", "001-fig25-whirl", "001-rotor-rest", "001-rotor-share",
    "001-rotor-cost",
    // spring pendulum, projection
    "003-fig2-moreau", "003-fig2-moreau-sign", "003-fig2-variational", "003-fig2-impacts",
    "003-long", "002-ball-combined", "002-column", "002-oscillator", "002-chain", "002-block",
    "002-ring", "002-direct-level1", "002-direct-level0", "002-ball-code",
    // DAE solvers
    "004-table3-consistent", "004-orders", "004-table3-hem5-rate", "004-table3-alpha-drift",
    "004-fig3-work", "004-fig4-up", "004-fig4-slow", "004-fig4-fast",
    // friction
    "001-friction-stick", "001-friction-slide", "001-friction-belt", "001-painleve",
    "003-woodpecker"};

static int count(const char *text, const char *what)
{
    int n = 0;
    for (const char *at = strstr(text, what); at; at = strstr(at + 1, what)) n++;
    return n;
}

static void every_published_row_has_its_claim(void **state)
{
    (void)state;
    carom_paper *paper[N_PAPER];
    for (int p = 0; p < N_PAPER; p++) {
        char path[512];
        carom_error error = {0};
        snprintf(path, sizeof path, "%s/papers/%03d.yaml", CAROM_SOURCE_DIR, p);
        if (carom_paper_read(path, &paper[p], &error) != CAROM_OK) fail_msg("%s", error.message);
    }
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const carom_paper *of = paper[rows[i][2] - '0'];
        bool is_there = false;
        for (int k = 0; k < carom_paper_n_claim(of); k++)
            is_there = is_there || strcmp(carom_paper_claim(of, k)->id, rows[i]) == 0;
        if (!is_there) fail_msg("no claim %s", rows[i]);
    }
    for (int p = 0; p < N_PAPER; p++) carom_paper_free(paper[p]);
}

static void every_verdict_is_the_expected_one(void **state)
{
    shell *s = *state;
    shell_run(s, "cd %s && $CAROM reproduce --quick --json -", CAROM_SOURCE_DIR);
    if (s->code != 0) fail_msg("exit code %d: %s", s->code, s->err);
    assert_true(json_is_valid(s->out));
    assert_int_equal(count(s->out, "\"paper\":"), N_PAPER + N_OTHER);
    assert_true(count(s->out, "\"id\":") >= 40);
    assert_int_equal(count(s->out, "\"id\":"), count(s->out, "\"verdict\":"));
    // nothing is left without an answer
    assert_int_equal(count(s->out, "\"obtained\": \"\""), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_published_row_has_its_claim),
        cmocka_unit_test(every_verdict_is_the_expected_one),
    };
    return cmocka_run_group_tests(tests, shell_start, shell_end);
}
