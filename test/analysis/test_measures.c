// SPDX-License-Identifier: Apache-2.0
// Measures of runs whose columns are known: record entries that are functions of time, and a ball
// that bounces with e = 1/2 from 1 m at gravity 2, so that it hits at 1 s and 2 s and lies still
// from 3 s on.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "carom/carom.h"

static const char curves[] =
    "carom: 1\n"
    "coordinates: {x: {start: 0}}\n"
    "kinetic: der(x)^2/2\n"
    "record: {line: 2*t - 1, square: t^2, wave: sin(pi*t), fall: -t,\n"
    "         fall2: -2*t, turned: 40*t, angle: \"atan2(sin(40*t), cos(40*t))\",\n"
    "         back: \"atan2(sin(-40*t), cos(40*t))\"}\n";
static const char ball[] = "carom: 1\n"
                           "coordinates: {y: {start: 1}}\n"
                           "kinetic: der(y)^2/2\n"
                           "potential: 2*y\n"
                           "contacts: [{name: floor, gap: y, restitution: 0.5}]\n";

typedef struct bench {
    carom_modelfile *file;
    carom_model *model;
    carom_sim *sim;
    carom_error error;
} bench;

static void open_bench(bench *b, const char *text, const carom_sim_options *options)
{
    *b = (bench){0};
    assert_int_equal(carom_modelfile_read_text(text, strlen(text), "text", &b->file, &b->error), 0);
    assert_int_equal(carom_builder_finish(carom_modelfile_builder(b->file), &b->model, &b->error),
                     0);
    assert_int_equal(carom_sim_new(b->model, options, &b->sim, &b->error), 0);
}

static void close_bench(bench *b)
{
    carom_sim_free(b->sim);
    carom_model_free(b->model);
    carom_modelfile_free(b->file);
}

static carom_sim_options fixed(double step, double end)
{
    carom_sim_options options = carom_sim_default();
    options.step = step;
    options.end = end;
    return options;
}

static double measure(const char *text, carom_sim_options options, const carom_measure *what)
{
    bench b;
    carom_probe *probe;
    open_bench(&b, text, &options);
    assert_int_equal(carom_probe_new(b.sim, what, 1, &probe, NULL, &b.error), CAROM_OK);
    const carom_status status = carom_sim_run(b.sim, &b.error);
    carom_probe_finish(probe, status == CAROM_OK);
    const double value = carom_probe_value(probe, 0);
    carom_probe_free(probe);
    close_bench(&b);
    return value;
}

static carom_measure take(const char *kind, const char *column)
{
    carom_measure m = carom_measure_default();
    m.take = kind;
    m.column = column;
    return m;
}

static void expect(const carom_measure *what, double value, double within)
{
    const double found = measure(curves, fixed(0.01, 1), what);
    if (!(fabs(found - value) <= within) && !(isnan(found) && isnan(value)))
        fail_msg("%s of %s: %.17g, not %g", what->take, what->column, found, value);
}

static void values_of_a_column_are_measured(void **state)
{
    (void)state;
    static const struct {
        const char *kind, *column;
        double value;
    } row[] = {{"first", "line", -1},  {"last", "line", 1},      {"smallest", "line", -1},
               {"largest", "line", 1}, {"size", "fall", 1},      {"mean", "line", 0},
               {"total", "line", 0},   {"largest", "square", 1}, {"smallest", "fall*", -2},
               {"size", "fall*", 2},   {"smallest", "*ll", -1}};
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        const carom_measure m = take(row[i].kind, row[i].column);
        expect(&m, row[i].value, 1e-12);
    }
    carom_measure at = take("at", "line");
    at.time = 0.255;
    expect(&at, 2 * 0.255 - 1, 1e-12);
    at.time = 2;
    expect(&at, NAN, 0);
}

static void windows_leave_rows_out(void **state)
{
    (void)state;
    carom_measure m = take("largest", "square");
    m.to = 0.5 + 1e-9;
    expect(&m, 0.25, 1e-12);
    m = take("first", "line");
    m.from = 0.5 - 1e-9;
    expect(&m, 0, 1e-12);
    m = take("mean", "square");
    m.from = 5; // nothing is left
    expect(&m, NAN, 0);
}

static void rises_are_measured(void **state)
{
    (void)state;
    carom_measure m = take("rise", "line");
    expect(&m, 0.02, 1e-12);
    m = take("rise", "fall");
    expect(&m, -0.01, 1e-12);
    m = take("climb", "wave"); // up by 1, then down by 1
    expect(&m, 1, 1e-12);
    m.from = 0.5;
    assert_true(measure(curves, fixed(0.01, 1), &m) <= 0);
    m = take("gain", "wave");
    expect(&m, 1, 1e-12);
    m = take("gain", "fall");
    expect(&m, 0, 0);
}

static void turns_are_counted(void **state)
{
    (void)state;
    const double turns = 40 / (2 * acos(-1));
    carom_measure m = take("turns", "turned");
    expect(&m, turns, 1e-12);
    m = take("turns", "angle");
    expect(&m, turns, 1e-12);
    m = take("turns", "back");
    expect(&m, -turns, 1e-12);
    m.from = 0.5 - 1e-9;
    expect(&m, -turns / 2, 1e-12);
}

static void laws_of_growth_are_found(void **state)
{
    (void)state;
    carom_measure m = take("slope", "line");
    expect(&m, 2, 1e-12);
    m = take("straightness", "line");
    expect(&m, 1, 1e-12);
    m = take("straightness", "fall");
    expect(&m, -1, 1e-12);
    m = take("exponent", "square");
    expect(&m, 2, 1e-9);
    m = take("exponent", "fall");
    expect(&m, 1, 1e-9);
}

// sin(pi t) on (0, 1) is half a period: rms 1/sqrt 2; a line has (1/3)^(1/2); twice the frequency
// takes the whole of (0, 1), where the line 2 t - 1 has the amplitude 2/pi, the phase of -sin
static void oscillations_are_measured(void **state)
{
    (void)state;
    const double pi = 3.14159265358979323846;
    carom_measure m = take("rms", "wave");
    expect(&m, sqrt(0.5), 1e-3);
    m = take("rms", "line");
    expect(&m, sqrt(1.0 / 3), 1e-12);
    m = take("amplitude", "line");
    m.limit = 2 * pi;
    expect(&m, 2 / pi, 1e-10);
    m = take("phase", "line");
    m.limit = 2 * pi;
    expect(&m, -pi / 2, 1e-10);
    m = take("amplitude", "wave"); // 2/T integral sin(pi t) exp(-2 i pi t): 2 (2/(3 pi)), real
    m.limit = 2 * pi;
    expect(&m, 4 / (3 * pi), 1e-4);
}

static void times_at_limits_are_found(void **state)
{
    (void)state;
    carom_measure m = take("when_above", "line");
    m.limit = 0.333;
    expect(&m, 1.333 / 2, 1e-12);
    m.limit = 3;
    expect(&m, NAN, 0);
    m = take("when_below", "fall");
    m.limit = -0.255;
    expect(&m, 0.255, 1e-12);
    m = take("long_above", "line"); // from t = 1/2 on
    expect(&m, 0.5, 1e-12);
    m = take("long_below", "line");
    m.limit = -0.5;
    expect(&m, 0.25, 1e-12);
    m = take("last_above", "wave"); // of pi t on (0, 1), the row before 1
    m.limit = 1e-9;
    expect(&m, 0.99, 1e-12);
}

static void events_are_counted_and_looked_at(void **state)
{
    (void)state;
    carom_sim_options options = carom_sim_default();
    options.scheme = "event_driven";
    options.tolerance = 1e-10;
    options.end = 2.4; // the third impact is at 2.5
    static const struct {
        const char *kind;
        int number;
        double value;
    } row[] = {{"events", 1, 2},          {"event_time", 1, 1},    {"event_time", 2, 2},
               {"event_time", 3, NAN},    {"event_before", 1, -2}, {"event_after", 1, 1},
               {"event_impulse", 2, 1.5}, {"event_loss", 1, 1.5}};
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        carom_measure m = take(row[i].kind, NULL);
        m.contact = "floor";
        m.number = row[i].number;
        const double found = measure(ball, options, &m);
        if (!(fabs(found - row[i].value) <= 1e-9) && !(isnan(found) && isnan(row[i].value)))
            fail_msg("%s %d: %.17g, not %g", row[i].kind, row[i].number, found, row[i].value);
    }
    carom_measure m = take("event_time", NULL);
    m.event = "accumulated";
    options.end = 4;
    assert_true(fabs(measure(ball, options, &m) - 3) <= 1e-7);
}

static void whole_runs_are_measured(void **state)
{
    (void)state;
    carom_measure m = take("steps", NULL);
    assert_true(measure(ball, fixed(0.01, 1), &m) == 100);
    m.take = "done";
    assert_true(measure(ball, fixed(0.01, 1), &m) == 1);
    m.take = "energy_start";
    assert_true(fabs(measure(ball, fixed(0.01, 1), &m) - 2) <= 1e-14);
    m.take = "min_gap"; // a fall at 2 m/s goes in by one step at most
    const double gap = measure(ball, fixed(0.01, 1.5), &m);
    assert_true(gap <= 0 && gap >= -0.02);
    m.take = "cost";
    assert_true(measure(ball, fixed(0.01, 1), &m) > 0);
}

static void wrong_measures_are_refused_with_the_way_out(void **state)
{
    (void)state;
    static const struct {
        const char *kind, *column, *contact, *event, *message;
    } row[] = {{"lowest", "line", NULL, NULL, "unknown measure 'lowest'"},
               {"last", NULL, NULL, NULL, "'last' needs a column"},
               {"last", "squar", NULL, NULL, "did you mean 'square'?"},
               {"last", "fall*", NULL, NULL, "'last' takes one column"},
               {"events", NULL, "flor", NULL, "the model has no contact 'flor'"},
               {"events", NULL, NULL, "crash", "unknown event 'crash'"}};
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        bench b;
        carom_probe *probe = NULL;
        int bad = -1;
        const carom_sim_options options = fixed(0.1, 1);
        carom_measure m[2] = {take("steps", NULL), take(row[i].kind, row[i].column)};
        m[1].contact = row[i].contact;
        m[1].event = row[i].event;
        open_bench(&b, curves, &options);
        assert_int_equal(carom_probe_new(b.sim, m, 2, &probe, &bad, &b.error), CAROM_BAD_INPUT);
        assert_null(probe);
        assert_int_equal(bad, 1);
        if (!strstr(b.error.message, row[i].message)) fail_msg("%s", b.error.message);
        close_bench(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_of_a_column_are_measured),
        cmocka_unit_test(windows_leave_rows_out),
        cmocka_unit_test(rises_are_measured),
        cmocka_unit_test(turns_are_counted),
        cmocka_unit_test(laws_of_growth_are_found),
        cmocka_unit_test(oscillations_are_measured),
        cmocka_unit_test(times_at_limits_are_found),
        cmocka_unit_test(events_are_counted_and_looked_at),
        cmocka_unit_test(whole_runs_are_measured),
        cmocka_unit_test(wrong_measures_are_refused_with_the_way_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
