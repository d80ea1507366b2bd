// SPDX-License-Identifier: Apache-2.0
// Numbers of sweeps, sections, diagrams and responses: closed forms, values of independent code
// with events to 1e-13, and runs that are made one by one.
#include "studies/study_rig.h"

static const double PI = 3.14159265358979323846;

// a ball that falls from h hits after sqrt(2 h/g) with sqrt(2 g h), and again after 2 e v/g; the
// end of the run is a parameter that varies
static void a_sweep_measures_each_run(void **state)
{
    shell *s = *state;
    STUDY_RUN(s, 0,
              "$CAROM sweep ball.yaml --vary height=[5,20] --vary e=0.2:0.8:4 --vary last=[1.5,9] "
              "--take 'event_time floor 1' --take 'event_before floor 1' --take 'event_time floor "
              "2' --take 'last t' --take done");
    const study_table *t = study_read(s->out);
    assert_int_equal(t->n, 16);
    for (int i = 0; i < t->n; i++) {
        const double h = study_value(t, i, "height"), e = study_value(t, i, "e"),
                     last = study_value(t, i, "last");
        const double v = sqrt(20 * h), fall = v / 10, second = fall + 2 * e * v / 10;
        study_near(e, 0.2 + 0.2 * (i / 2 % 4), 1e-15);
        assert_true(last == (i % 2 ? 9 : 1.5) && h == (i < 8 ? 5 : 20));
        study_near(study_value(t, i, "last t"), last, 1e-12);
        if (fall < last) study_near(study_value(t, i, "event_time floor 1"), fall, 1e-9);
        if (fall < last) study_near(study_value(t, i, "event_before floor 1"), -v, 1e-9);
        if (second < last) study_near(study_value(t, i, "event_time floor 2"), second, 1e-9);
        if (second > last) assert_true(isnan(study_value(t, i, "event_time floor 2")));
    }
}

// a unit is what a run with --set gives, to the last bit, in whatever order units come
static void a_unit_is_the_run_by_itself(void **state)
{
    shell *s = *state;
    double alone[3];
    for (int i = 0; i < 3; i++) {
        STUDY_RUN(s, 0, "$CAROM sweep osc.yaml --vary A=[%g] --take 'last x' --end 40",
                  1.1 + 0.4 * i);
        alone[i] = study_value(study_read(s->out), 0, "last x");
    }
    STUDY_RUN(s, 0, "$CAROM sweep osc.yaml --vary A=[1.9,1.1,1.5] --take 'last x' --end 40");
    const study_table *t = study_read(s->out);
    assert_true(study_value(t, 0, "last x") == alone[2]);
    assert_true(study_value(t, 1, "last x") == alone[0]);
    assert_true(study_value(t, 2, "last x") == alone[1]);
    STUDY_RUN(s, 0, "$CAROM run osc.yaml --set A=1.5 --end 40 -q -o run.csv && tail -1 run.csv");
    study_near(strtod(strchr(s->out, ',') + 1, NULL), alone[1], 1e-9);
}

// starts vary, by either name of a rate
static void starts_and_rates_vary(void **state)
{
    shell *s = *state;
    STUDY_RUN(s, 0,
              "$CAROM sweep ball.yaml --vary y=[5,20] --vary 'der(y)=[0,-10]' "
              "--take 'event_time floor 1'");
    const study_table *t = study_read(s->out);
    for (int i = 0; i < 4; i++) {
        const double h = i < 2 ? 5 : 20, v = i % 2 ? -10 : 0;
        study_near(study_value(t, i, "event_time floor 1"), (v + sqrt(v * v + 20 * h)) / 10, 1e-9);
    }
}

// independent code: orbits of the impact oscillator at the section of its period
static void points_of_a_period_are_those_of_other_code(void **state)
{
    static const struct {
        const char *options;
        double x, v, tolerance;
    } orbit[] = {
        {"--start x=-2.49 --start 'der(x)=3.32' --skip 250", -2.49093025627561, 3.32003530486766,
         1e-9},
        {"--set zeta=0 --set d=0 --set A=1 --set e=0.8 --set w=2.6 --start x=-0.1 --skip 400",
         -0.6596694055, 0.0209901351, 2e-10},
    };
    shell *s = *state;
    for (int i = 0; i < 2; i++) {
        STUDY_RUN(
            s, 0,
            "$CAROM poincare osc.yaml --section period=2*pi/w --points 2 --tolerance 1e-11 %s",
            orbit[i].options);
        const study_table *t = study_read(s->out);
        study_near(study_value(t, 1, "x"), orbit[i].x, orbit[i].tolerance);
        study_near(study_value(t, 1, "der_x"), orbit[i].v, orbit[i].tolerance);
        assert_true(study_value(t, 1, "impacts") == 1);
    }
}

// one impact in each n-th period, closed form (zeta 0); and the two speeds behind the doubling
static void speeds_of_impacts_are_those_of_the_closed_form(void **state)
{
    const double w = 0.8, e = 0.8, d = 1, A = 0.6, X = A / (1 - w * w);
    const double tau = tan(PI / w), al = (1 + e) / (2 * tau), be = (1 - e) / (2 * w);
    const double a = al * al + be * be, b = 2 * d * al, c = d * d - X * X;
    const double v = (-b + sqrt(b * b - 4 * a * c)) / (2 * a);
    shell *s = *state;
    STUDY_RUN(
        s, 0,
        "$CAROM bif osc.yaml --set w=0.8 --set e=0.8 --set zeta=0 --vary A=[0.6,0.52] --restart "
        "--section event=stop:impact:before --skip 900 --points 8 --show rate_stop "
        "--tolerance 1e-10 --start x=1 --start 'der(x)=-0.4'");
    const study_table *t = study_read(s->out);
    assert_int_equal(t->n, 3);
    assert_true(study_value(t, 0, "period") == 1 && study_value(t, 1, "period") == 2);
    study_near(-study_value(t, 0, "rate_stop"), v, 1e-8);
    const double one = -study_value(t, 1, "rate_stop"), two = -study_value(t, 2, "rate_stop");
    study_near(fmin(one, two), 0.515397727326, 1e-8);
    study_near(fmax(one, two), 0.548265293462, 1e-8);
}

// both sides of an event: the law of impacts; where an expression goes through zero
static void sections_show_the_side_that_is_asked(void **state)
{
    shell *s = *state;
    double rate[2];
    for (int i = 0; i < 2; i++) {
        STUDY_RUN(
            s, 0,
            "$CAROM poincare ball.yaml --section event=floor:impact:%s --points 3 --show rate_floor",
            i ? "after" : "before");
        const study_table *t = study_read(s->out);
        rate[i] = study_value(t, 2, "rate_floor");
        study_near(study_value(t, 0, "t"), 1, 1e-9);
        study_near(study_value(t, 0, i ? "rate_after" : "rate_before"), i ? 5 : -10, 1e-9);
    }
    study_near(rate[1], -0.5 * rate[0], 1e-9);
    STUDY_RUN(s, 0, "$CAROM poincare ball.yaml --section cross=y-1:both --points 3 --show y");
    const study_table *t = study_read(s->out);
    const double up = (5 - sqrt(5)) / 10; // after the impact at 1 s with 5 m/s
    const double should[] = {sqrt(0.8), 1 + up, 2 - up};
    for (int i = 0; i < 3; i++) study_near(study_value(t, i, "t"), should[i], 1e-9);
    for (int i = 0; i < 3; i++) study_near(study_value(t, i, "y"), 1, 1e-12);
}

// what an independent program finds: periods 1, 2, 4 and 8 in the diagram, and one value from it
static void a_diagram_has_the_known_periods(void **state)
{
    shell *s = *state;
    STUDY_RUN(s, 0,
              "$CAROM bif osc.yaml --set zeta=0 --set d=0 --set A=1 --set e=0.8 --start x=-0.1 "
              "--vary w=[2.6,3,3.35,3.3] --restart --section period=2*pi/w --skip 500 --points 40 "
              "--show x");
    const study_table *t = study_read(s->out);
    static const int period[] = {1, 2, 4, 8};
    int row = 0;
    for (int i = 0; i < 4; i++) {
        assert_true(study_value(t, row, "period") == period[i]);
        if (i == 1)
            study_near(fmin(study_value(t, 1, "x"), study_value(t, 2, "x")), -0.8177849975, 1e-7);
        row += period[i];
    }
    assert_int_equal(t->n, row);
}

// without the stop the response is A/((1 - w^2)^2 + (2 zeta w)^2)^(1/2); with it there are two
// motions between the jumps, which the ways up and down find
static void responses_and_jumps_are_found(void **state)
{
    shell *s = *state;
    STUDY_RUN(s, 0,
              "$CAROM frf osc.yaml --set d=100 --vary w=0.5:2:4 --section period=2*pi/w "
              "--skip 120 --points 2 --show x");
    const study_table *t = study_read(s->out);
    for (int i = 0; i < 4; i++) {
        const double w = 0.5 + 0.5 * i;
        study_near(study_value(t, i, "amplitude(x)"), 1.2 / hypot(1 - w * w, 0.1 * w), 1e-6);
        study_near(study_value(t, i, "phase(x)"), atan2(0.1 * w, 1 - w * w), 1e-6);
    }
    STUDY_RUN(s, 0,
              "$CAROM bif osc.yaml --vary A=0.8:2.2:8 --both --section period=2*pi/w --skip 120 "
              "--points 6 --show x --match 1e-3 --tolerance 1e-6 -o both.csv && cat both.csv >&2");
    assert_non_null(strstr(s->out, "differs   A = 1 .. 1.6: up period 1, down period 1"));
    t = study_read(s->err);
    for (int i = 0; i < 8; i++)
        assert_true(study_value(t, i, "A") == study_value(t, 15 - i, "A") &&
                    study_value(t, i, "branch") == 1 && study_value(t, 15 - i, "branch") == -1);
    study_near(study_value(t, 2, "x"), -1.2 / hypot(1 - 1.7 * 1.7, 0.17) * 1.0, 0.6); // no impacts
    assert_true(study_value(t, 13, "x") < -2);                                        // impacts
}

// time stepping: points between the ends of steps, as good as they are
static void time_stepping_shows_points_too(void **state)
{
    shell *s = *state;
    static const char *const options = "--start x=-2.49 --start 'der(x)=3.32' --skip 20 --points 1";
    double x[2][2];
    for (int i = 0; i < 2; i++) {
        STUDY_RUN(s, 0,
                  "$CAROM poincare osc.yaml --section period=2*pi/w %s --scheme moreau_midpoint "
                  "--step %g",
                  options, i ? 5e-4 : 1e-3);
        x[0][i] = study_value(study_read(s->out), 0, "x");
        STUDY_RUN(s, 0,
                  "$CAROM poincare osc.yaml --section cross=x:up %s --scheme moreau_midpoint "
                  "--step %g --show der_x",
                  options, i ? 5e-4 : 1e-3);
        x[1][i] = study_value(study_read(s->out), 0, "der_x");
    }
    study_near(x[0][1], -2.4909302, 5e-3);
    assert_true(fabs(x[0][0] - x[0][1]) < 5e-3 && fabs(x[1][0] - x[1][1]) < 1e-2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sweep_measures_each_run),
        cmocka_unit_test(a_unit_is_the_run_by_itself),
        cmocka_unit_test(starts_and_rates_vary),
        cmocka_unit_test(points_of_a_period_are_those_of_other_code),
        cmocka_unit_test(speeds_of_impacts_are_those_of_the_closed_form),
        cmocka_unit_test(sections_show_the_side_that_is_asked),
        cmocka_unit_test(a_diagram_has_the_known_periods),
        cmocka_unit_test(responses_and_jumps_are_found),
        cmocka_unit_test(time_stepping_shows_points_too),
    };
    return cmocka_run_group_tests(tests, study_start, shell_end);
}
