// SPDX-License-Identifier: Apache-2.0
// Fits: values that made the data come back, errors are those that repeated measurements have, what
// the data do not say is said.
#include "studies/study_rig.h"

// t and y of y'' = -10, floor with e, with errors of a standard deviation sigma
static void measure(const shell *s, double e, double sigma, unsigned chance)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    double y = 5, v = 0, last = 0;
    fputs("t,y\n", out);
    for (int i = 0; i <= 200; i++) {
        const double t = 0.0125 * i;
        double left = t - last;
        for (;;) { // flights: down at (v + sqrt(v^2 + 20 y))/10
            const double down = (v + sqrt(v * v + 20 * y)) / 10;
            if (down > left) break;
            left -= down;
            v = -e * (v - 10 * down);
            y = 0;
        }
        y += v * left - 5 * left * left;
        v -= 10 * left;
        last = t;
        double sum = -6; // of twelve: nearly normal
        for (int k = 0; k < 12; k++) {
            chance = chance * 1664525u + 1013904223u;
            sum += (double)(chance >> 8) / (1 << 24);
        }
        fprintf(out, "%.17g,%.17g\n", t, y + sigma * sum);
    }
    fclose(out);
    shell_write(s, "data.csv", text);
    free(text);
}

static double after(const char *text, const char *word)
{
    const char *at = strstr(text, word);
    if (!at) fail_msg("no '%s' in %s", word, text);
    return strtod(at + strlen(word), NULL);
}

static void values_come_back(void **state)
{
    shell *s = *state;
    measure(s, 0.62, 0, 1);
    STUDY_RUN(s, 0,
              "$CAROM fit ball.yaml --data data.csv --fit e=0.3:0.9 --fit g=8:12 --fit "
              "height=4:6 --tolerance 1e-11 -o left.csv");
    study_near(after(s->out, "\ne  "), 0.62, 1e-8);
    study_near(after(s->out, "\ng  "), 10, 1e-7);
    study_near(after(s->out, "\nheight "), 5, 1e-8);
    STUDY_RUN(s, 0, "head -1 left.csv");
    assert_string_equal(s->out, "t,y_measured,y_fitted,y_residual\n");
    STUDY_RUN(s, 0,
              "$CAROM fit ball.yaml --data data.csv --fit y=5.5 --fit 'der(y)=0.1' --set "
              "e=0.62 --tolerance 1e-11"); // starts are found as well
    study_near(after(s->out, "\ny  "), 5, 1e-7);
    study_near(after(s->out, "\nder(y)  "), 0, 1e-7);
}

// over 12 measurements the values scatter as their errors say: sum of squares within 4 sigma of 12
static void errors_are_what_values_scatter_by(void **state)
{
    shell *s = *state;
    double sum = 0, chi2 = 0;
    for (unsigned i = 0; i < 12; i++) {
        measure(s, 0.62, 0.01, 17 * i + 3);
        STUDY_RUN(s, 0,
                  "$CAROM fit ball.yaml --data data.csv --fit e=0.3:0.9 --sigma y=0.01 "
                  "--json -");
        const char *e = strstr(s->out, "\"e\"");
        const double off = (after(e, "\"value\": ") - 0.62) / after(e, "\"error\": ");
        sum += off * off;
        chi2 += after(s->out, "\"chi2\": ");
    }
    print_message("sum %g chi2 %g\n", sum, chi2);
    assert_true(sum > 2 && sum < 12 + 4 * sqrt(24));
    study_near(chi2, 12 * 200, 4 * sqrt(2 * 12 * 200));
}

static void far_starts_are_searched(void **state)
{
    shell *s = *state;
    measure(s, 0.62, 0.001, 5);
    if (shell_run(s,
                  "$CAROM fit ball.yaml --data data.csv --fit e=0.05:0.95 --method direct --most "
                  "300") == 2 &&
        strstr(s->err, "libnlopt")) {
        print_message("left out: NLopt is missing (libnlopt0)\n");
        return;
    }
    study_near(after(s->out, "\ne  "), 0.62, 1e-3);
    static const char *const method[] = {"bobyqa", "sbplx", "neldermead"};
    for (int i = 0; i < 3; i++) {
        STUDY_RUN(s, 0,
                  "$CAROM fit ball.yaml --data data.csv --fit e=0.3:0.9 --fit height=4:6 "
                  "--method %s",
                  method[i]);
        study_near(after(s->out, "\ne  "), 0.62, 1e-3);
        study_near(after(s->out, "\nheight "), 5, 1e-3);
    }
}

static void what_is_not_known_is_said(void **state)
{
    shell *s = *state;
    measure(s, 0.62, 0.01, 5);
    STUDY_RUN(s, 0, "$CAROM fit ball.yaml --data data.csv --fit e=0.3:0.9 --fit last"); // the end
    assert_non_null(strstr(s->out, "the data do not determine it"));
    STUDY_RUN(s, 0, "$CAROM fit ball.yaml --data data.csv --fit e=0.3:0.5");
    assert_non_null(strstr(s->out, "it stands at its bound"));
    study_near(after(s->out, "\ne  "), 0.5, 0);
}

static void what_is_wrong_is_said(void **state)
{
    static const struct {
        const char *options, *said;
    } wrong[] = {{"--data data.csv", "say what to fit"},
                 {"--fit e", "say what was measured"},
                 {"--data none.csv --fit e", "none.csv"},
                 {"--data data.csv --fit q", "'q' is no parameter, start or rate"},
                 {"--data data.csv --fit e --fit e", "asked for twice"},
                 {"--data data.csv --fit y", "say where the search"},
                 {"--data data.csv --fit e=0.9:0.3", "bounds"},
                 {"--data data.csv --fit e=1:2:3:4", "NAME=LOW:HIGH"},
                 {"--data data.csv --fit e --use z", "no column 'z'"},
                 {"--data data.csv --fit e --sigma y=0", "above 0"},
                 {"--data data.csv --fit e --sigma q=1", "no column that is fitted to"},
                 {"--data data.csv --fit e --method no", "no method 'no'"},
                 {"--data other.csv --fit e", "no column 't'"},
                 {"--data back.csv --fit e", "times must rise"}};
    shell *s = *state;
    measure(s, 0.62, 0.01, 5);
    shell_write(s, "other.csv", "time,y\n0,5\n1,0\n");
    shell_write(s, "back.csv", "t,y\n0,5\n1,0\n0.5,3\n");
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const int code = shell_run(s, "$CAROM fit ball.yaml %s", wrong[i].options);
        if (code != 2 || !strstr(s->err, wrong[i].said)) fail_msg("%d: %s", code, s->err);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(values_come_back, study_start, shell_end),
        cmocka_unit_test_setup_teardown(errors_are_what_values_scatter_by, study_start, shell_end),
        cmocka_unit_test_setup_teardown(far_starts_are_searched, study_start, shell_end),
        cmocka_unit_test_setup_teardown(what_is_not_known_is_said, study_start, shell_end),
        cmocka_unit_test_setup_teardown(what_is_wrong_is_said, study_start, shell_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
