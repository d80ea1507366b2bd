// SPDX-License-Identifier: Apache-2.0
// Basins: shares of independent code, each cell against another integrator, symmetry, what is no
// attractor, and the same bytes for any number of workers. label: slow
#include "studies/study_rig.h"

// G sin(t) shakes the table; units of g and the forcing
static const char shaken[] = "carom: 1\n"
                             "name: ball on a shaken table\n"
                             "parameters: {G: 0.6, e: 0.8}\n"
                             "coordinates: {y: {start: 5}}\n"
                             "kinetic: 0.5*der(y)^2\n"
                             "potential: y\n"
                             "contacts: [{name: table, gap: y - G*sin(t), restitution: e}]\n"
                             "run: {scheme: event_driven, tolerance: 1e-8, end: 100}\n";
static const char wells[] = "carom: 1\n"
                            "name: two wells\n"
                            "parameters: {c: 0.3}\n"
                            "coordinates: {x: {start: 0}}\n"
                            "kinetic: 0.5*der(x)^2\n"
                            "potential: x^4/4 - x^2/2\n"
                            "forces: [{coordinate: x, force: -c*der(x)}]\n"
                            "run: {scheme: event_driven, tolerance: 1e-9, end: 10}\n";
#define GRID "--vary y=0:20:%d --vary 'der(y)=-6:6:%d' --section 'period=2*pi'"

static int start(void **state)
{
    if (study_start(state) != 0) return -1;
    shell_write(*state, "shaken.yaml", shaken);
    shell_write(*state, "wells.yaml", wells);
    return 0;
}

// 0.5099 of 100 x 100 starts bounce (independent code, events to 1e-13)
static void shares_are_those_of_other_code(void **state)
{
    shell *s = *state;
    STUDY_RUN(s, 0,
              "$CAROM basin shaken.yaml " GRID " -q -o map.csv --json map.json && "
              "awk -F, 'NR > 1 {n[$3]++} END {print n[1], n[2], NR - 1}' map.csv",
              100, 100);
    int rest = 0, bounce = 0, all = 0;
    assert_int_equal(sscanf(s->out, "%d %d %d", &rest, &bounce, &all), 3);
    assert_int_equal(all, 10000);
    assert_int_equal(rest + bounce, all);
    study_near(bounce, 5099, 30);
    STUDY_RUN(s, 0, "grep -c '\"starts\"' map.json");
    assert_int_equal(atoi(s->out), 2);
}

// where the ball ends, by flights that are cut in small pieces and impacts found by bisection
static bool ends_bouncing(double y, double v)
{
    const double G = 0.6, e = 0.8;
    double t = 0;
    for (int impact = 0; impact < 250; impact++) {
        double a = 1e-9, b = a;
        while (y + v * b - b * b / 2 > G * sin(t + b)) {
            a = b;
            b += 0.02;
        }
        for (int i = 0; i < 60; i++) {
            const double s = (a + b) / 2;
            *(y + v * s - s * s / 2 > G * sin(t + s) ? &a : &b) = s;
        }
        t += a;
        const double rate = v - a - G * cos(t);
        v = G * cos(t) - e * rate;
        y = G * sin(t);
        if (-rate < 1e-4) return false;
    }
    return true;
}

static void cells_are_those_of_another_integrator(void **state)
{
    shell *s = *state;
    STUDY_RUN(s, 0,
              "$CAROM basin shaken.yaml --vary y=0.4:19.6:16 --vary 'der(y)=-5.7:5.7:16' "
              "--section 'period=2*pi'");
    const study_table *t = study_read(s->out);
    int differ = 0;
    assert_int_equal(t->n, 256);
    for (int i = 0; i < t->n; i++) {
        const bool bounces = ends_bouncing(study_value(t, i, "y"), study_value(t, i, "der(y)"));
        differ += (study_value(t, i, "label") == 2) != bounces;
        study_near(study_value(t, i, "impacts"), study_value(t, i, "label") - 1, 0);
    }
    assert_true(differ <= 2); // on borders
}

// (x, v) and (-x, -v) end in opposite wells; the start at the top stays there: found late
static void symmetry_is_kept_and_late_ends_get_labels(void **state)
{
    shell *s = *state;
    STUDY_RUN(s, 0,
              "$CAROM basin wells.yaml --vary x=-2:2:21 --vary 'der(x)=-1:1:11' --section "
              "period=1");
    const study_table *t = study_read(s->out);
    assert_int_equal(t->n, 231);
    for (int i = 0; i < t->n; i++) {
        const int a = (int)study_value(t, i, "label"),
                  b = (int)study_value(t, t->n - 1 - i, "label");
        if (i == 115) {
            assert_int_equal(a, 3);
            continue;
        }
        assert_int_equal(a + b, 3);
        study_near(study_value(t, i, "attractor(x)"), a == 1 ? -1 : 1, 1e-4);
    }
}

static void what_is_no_attractor_is_said(void **state)
{
    shell *s = *state;
    shell_write(s, "hill.yaml",
                "carom: 1\nname: hill\ncoordinates: {x: {start: 1}}\n"
                "kinetic: 0.5*der(x)^2\npotential: -0.5*x^2\n"
                "run: {scheme: event_driven, tolerance: 1e-8, end: 10}\n");
    shell_write(s, "free.yaml",
                "carom: 1\nname: free\ncoordinates: {x: {start: 1}}\n"
                "kinetic: 0.5*der(x)^2\npotential: 0.5*x^2\n"
                "run: {scheme: event_driven, tolerance: 1e-8, end: 10}\n");
    STUDY_RUN(s, 0, "$CAROM basin hill.yaml --vary x=0.5:1:3 --section period=1 -o hill.csv");
    assert_non_null(strstr(s->out, "-1   100.0000 %"));
    STUDY_RUN(s, 0,
              "$CAROM basin free.yaml --vary x=0.5:1:3 --section period=1 --most 50 -o a.csv");
    assert_non_null(strstr(s->out, "0    100.0000 %         3 starts  do not settle"));
    STUDY_RUN(s, 0,
              "$CAROM basin ball.yaml --vary height=1:2:3 --section event=floor:impact "
              "-o b.csv 2>&1; test $? = 2");
    STUDY_RUN(s, 0,
              "$CAROM basin ball.yaml --vary y=1:2:3 --section 'cross=y - 0.9:down' "
              "--within 3 -o b.csv");
    assert_non_null(strstr(s->out, "rest: no point of the section comes any more"));
}

// impacts that accumulate come nearer and nearer: they end in a rest, and are no cycle
static void accumulation_is_rest(void **state)
{
    shell *s = *state;
    STUDY_RUN(s, 0,
              "$CAROM basin shaken.yaml --vary y=0.5:20:8 --vary 'der(y)=-6:6:8' --section "
              "event=table:impact:after --within 30 --show der_y -q -o e.csv && $CAROM basin "
              "shaken.yaml --vary y=0.5:20:8 --vary 'der(y)=-6:6:8' --section 'period=2*pi' -q -o "
              "p.csv && awk -F, 'FNR == NR {a[FNR] = $3; next} FNR > 1 {n += $3 != a[FNR]} END "
              "{print FNR, n}' e.csv p.csv");
    assert_string_equal(s->out, "65 0\n");
}

static void workers_and_kills_leave_no_trace(void **state)
{
    shell *s = *state;
    STUDY_RUN(
        s, 0,
        "for n in 1 2 7; do $CAROM basin shaken.yaml " GRID
        " --threads $n -q -o t$n.csv -o t$n.svg -o t$n.h5 -o t$n.json || exit 1; done; for e in "
        "csv svg h5 json; do cmp t1.$e t2.$e && cmp t1.$e t7.$e || exit 1; done",
        12, 12);
    STUDY_RUN(
        s, 0,
        "for i in 1 2 3; do $CAROM basin shaken.yaml " GRID
        " --part $i/3 -q -o p$i.caromdb || exit 1; done; $CAROM study merge p1.caromdb p2.caromdb "
        "p3.caromdb -o all.caromdb && $CAROM study export all.caromdb -o all.csv -o all.svg && "
        "cmp all.csv t1.csv && cmp all.svg t1.svg && $CAROM study status all.caromdb",
        12, 12);
    assert_non_null(strstr(s->out, "144 of 144 runs done"));
    assert_non_null(strstr(s->out, "period 1, 1 impact"));
}

static void samples_have_shares_too(void **state)
{
    shell *s = *state;
    STUDY_RUN(s, 0,
              "$CAROM basin shaken.yaml --vary y=0:20 --vary 'der(y)=-6:6' --sobol 200 "
              "--section 'period=2*pi' -o some.svg -o some.png -o some.pdf");
    assert_non_null(strstr(s->out, "200 of 200"));
    STUDY_RUN(s, 0, "head -c 5 some.pdf; grep -c '<circle' some.svg");
    assert_non_null(strstr(s->out, "%PDF-"));
}

static void what_is_wrong_is_said(void **state)
{
    static const struct {
        const char *options, *said;
    } wrong[] = {
        {"--section period=1", "a basin needs starts that vary"},
        {"--vary e=0.1:0.9:3 --section period=1", "'e' is a parameter"},
        {"--vary y=1:2:3", "basin needs a section"},
        {"--vary q=1:2:3 --section period=1", "'q' is no parameter, start or rate"},
        {"--vary y=1:2:3 --section period=1 --most 0", "whole number"},
        {"--vary y=1:2:3 --section 'period=2*pi' -o a.svg", "needs two starts that vary"},
    };
    shell *s = *state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const int code = shell_run(s, "$CAROM basin shaken.yaml %s", wrong[i].options);
        if (code != (i == 5 ? 1 : 2) || !strstr(s->err, wrong[i].said))
            fail_msg("%d: %s", code, s->err);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(shares_are_those_of_other_code, start, shell_end),
        cmocka_unit_test_setup_teardown(cells_are_those_of_another_integrator, start, shell_end),
        cmocka_unit_test_setup_teardown(symmetry_is_kept_and_late_ends_get_labels, start,
                                        shell_end),
        cmocka_unit_test_setup_teardown(what_is_no_attractor_is_said, start, shell_end),
        cmocka_unit_test_setup_teardown(accumulation_is_rest, start, shell_end),
        cmocka_unit_test_setup_teardown(workers_and_kills_leave_no_trace, start, shell_end),
        cmocka_unit_test_setup_teardown(samples_have_shares_too, start, shell_end),
        cmocka_unit_test_setup_teardown(what_is_wrong_is_said, start, shell_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
