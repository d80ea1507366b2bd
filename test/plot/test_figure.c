// SPDX-License-Identifier: Apache-2.0
// Figures: what stands in the SVG text, how many points a million become, and what is never lost.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "carom/plot.h"
#include "plot/axis.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct text {
    char *start;
    size_t length;
    size_t most; // refuses more
} text;

static bool take(void *self, const char *piece, size_t length)
{
    text *t = self;
    if (t->most && t->length + length > t->most) return false;
    t->start = realloc(t->start, t->length + length + 1);
    assert_non_null(t->start);
    memcpy(t->start + t->length, piece, length);
    t->length += length;
    t->start[t->length] = 0;
    return true;
}

static text draw(const carom_plot *plot, int n)
{
    text t = {0};
    carom_error error = {0};
    const carom_figure figure = {.panel = plot, .n_panel = n};
    const carom_status status = carom_figure_svg(&figure, (carom_text_sink){&t, take}, &error);
    if (status != CAROM_OK) fail_msg("%s", error.message);
    return t;
}

static int count(const char *in, const char *what)
{
    int n = 0;
    for (const char *at = strstr(in, what); at; at = strstr(at + strlen(what), what)) n++;
    return n;
}

static void axes_carry_names_and_units(void **state)
{
    (void)state;
    const double x[] = {0, 1, 2}, y[] = {0, 0.001, 0.002};
    const carom_series series[] = {{.name = "gap_c1", .x = x, .y = y, .n = 3},
                                   {.name = "gap_c2", .x = x, .y = y, .n = 3}};
    const carom_plot plot = {.x = {.label = "time", .unit = "s"},
                             .y = {.label = "gap", .unit = "m"},
                             .series = series,
                             .n_series = 2};
    text t = draw(&plot, 1);
    assert_non_null(strstr(t.start, ">time [s]<"));
    assert_non_null(strstr(t.start, ">gap [mm]<"));
    assert_non_null(strstr(t.start, ">2.0<"));
    assert_non_null(strstr(t.start, ">gap_c1<"));
    assert_non_null(strstr(t.start, ">gap_c2<"));
    assert_int_equal(count(t.start, "<svg"), count(t.start, "</svg>"));
    free(t.start);
}

static void texts_cannot_become_markup(void **state)
{
    (void)state;
    const double x[] = {0, 1};
    const carom_series series[] = {{.name = "<script>a&b\"</script>", .x = x, .y = x, .n = 2},
                                   {.name = "broken \xff\xc3 text\n", .x = x, .y = x, .n = 2}};
    const carom_plot plot = {.title = "</svg>", .series = series, .n_series = 2};
    text t = draw(&plot, 1);
    assert_null(strstr(t.start, "<script"));
    assert_non_null(strstr(t.start, "&lt;script&gt;a&amp;b&quot;&lt;/script&gt;"));
    assert_non_null(strstr(t.start, "&lt;/svg&gt;"));
    assert_null(strchr(t.start, '\xff'));
    free(t.start);
}

// the peaks of a million points stand in the picture, and the text stays short
static void a_million_points_keep_their_peaks(void **state)
{
    (void)state;
    enum { N = 1000000, PEAK = 345678 };
    double *x = malloc(sizeof *x * N), *y = malloc(sizeof *y * N);
    assert_true(x && y);
    for (int i = 0; i < N; i++) {
        x[i] = i;
        y[i] = sin(i * 1e-2);
    }
    y[PEAK] = 9;
    y[PEAK + 1] = -7;
    const carom_series series = {.x = x, .y = y, .n = N};
    const carom_plot plot = {.y = {.low = -10, .high = 10}, .series = &series, .n_series = 1};
    text t = draw(&plot, 1);
    // 720 px, two columns for each, four points of about 14 letters
    assert_true(t.length < 720 * 2 * 4 * 20);
    // the panel is 400 px high: 9 is at 1/20 of it, -7 at 17/20
    double top = 1e9, bottom = -1e9, px, py;
    for (const char *c = t.start; (c = strchr(c, 'L')); c++)
        if (sscanf(c, "L%lf %lf", &px, &py) == 2 && px > 200 && px < 300) {
            top = fmin(top, py);
            bottom = fmax(bottom, py);
        }
    assert_true(fabs((bottom - top) - 400 * 16.0 / 20) < 1);
    free(t.start);
    // a part of it costs no more
    const carom_plot part = {.x = {.low = 1000, .high = 2000}, .series = &series, .n_series = 1};
    t = draw(&part, 1);
    assert_true(t.length < 720 * 2 * 4 * 20);
    free(t.start);
    free(x);
    free(y);
}

static void what_is_not_finite_leaves_a_gap(void **state)
{
    (void)state;
    const double x[] = {0, 1, 2, 3, 4, 5}, y[] = {0, 1, NAN, 3, INFINITY, 5};
    const carom_series series = {.x = x, .y = y, .n = 6};
    const carom_plot plot = {.series = &series, .n_series = 1};
    text t = draw(&plot, 1);
    assert_null(strstr(t.start, "nan"));
    assert_null(strstr(t.start, "inf"));
    // single points between gaps are dots
    assert_int_equal(count(t.start, "<circle"), 2);
    free(t.start);
}

// a run that blows up ends with numbers whose differences overflow
static void numbers_too_large_for_an_axis_leave_a_gap(void **state)
{
    (void)state;
    const double x[] = {0, 1, 2, 3}, y[] = {0, 1, 1e308, -1e308};
    const carom_series series = {.x = x, .y = y, .n = 4};
    const carom_plot plot = {.series = &series, .n_series = 1};
    text t = draw(&plot, 1);
    assert_null(strstr(t.start, "nan"));
    assert_null(strstr(t.start, "inf"));
    assert_non_null(strstr(t.start, ">1.0<"));
    free(t.start);
}

static void a_logarithmic_axis_leaves_out_what_is_not_positive(void **state)
{
    (void)state;
    const double x[] = {0, 1, 2, 3}, y[] = {1e-6, 0, -1, 1};
    const carom_series series = {.x = x, .y = y, .n = 4};
    const carom_plot plot = {.y = {.is_log = true}, .series = &series, .n_series = 1};
    text t = draw(&plot, 1);
    assert_non_null(strstr(t.start, ">10⁻⁶<"));
    assert_non_null(strstr(t.start, ">10⁰<"));
    assert_null(strstr(t.start, "nan"));
    free(t.start);
}

static void empty_and_constant_data_have_axes_too(void **state)
{
    (void)state;
    const double x[] = {0, 1}, y[] = {7, 7}, zero[] = {0, 0};
    const carom_series series[] = {
        {.n = 0}, {.x = x, .y = y, .n = 2}, {.x = zero, .y = zero, .n = 2}};
    for (int i = 0; i < 3; i++) {
        const carom_plot plot = {.series = &series[i], .n_series = 1};
        text t = draw(&plot, 1);
        assert_null(strstr(t.start, "nan"));
        assert_true(count(t.start, "<text") >= 4);
        free(t.start);
    }
}

static void ticks_are_round_numbers(void **state)
{
    (void)state;
    carom_scale scale;
    const carom_axis axis = {.label = "x", .unit = "m"};
    const double pixels[2] = {0, 500};
    const double low[] = {0, -3.7, 1e5, 0}, high[] = {1, 12.2, 1.000001e5, 3e-7};
    for (int i = 0; i < 4; i++) {
        carom_scale_make(&scale, &axis, (carom_range_found){low[i], high[i]}, pixels, 80);
        assert_true(scale.n_tick >= 2 && scale.n_tick <= 8);
        for (int k = 1; k < scale.n_tick; k++)
            assert_string_not_equal(scale.tick[k].text, scale.tick[k - 1].text);
    }
    assert_string_equal(scale.title, "x [nm]");
}

static void a_sink_that_refuses_stops_the_figure(void **state)
{
    (void)state;
    carom_error error = {0};
    const double x[] = {0, 1};
    text t = {.most = 1};
    const carom_series series = {.x = x, .y = x, .n = 2};
    const carom_plot plot = {.series = &series, .n_series = 1};
    const carom_figure figure = {.panel = &plot, .n_panel = 1};
    assert_int_equal(carom_figure_svg(&figure, (carom_text_sink){&t, take}, &error), CAROM_STOPPED);
}

static void files_are_whole_or_not_there(void **state)
{
    (void)state;
    carom_error error = {0};
    const double x[] = {0, 1};
    const carom_series series = {.x = x, .y = x, .n = 2};
    const carom_plot plot = {.series = &series, .n_series = 1};
    const carom_figure figure = {.panel = &plot, .n_panel = 1};
    assert_int_equal(carom_figure_write(&figure, "figure.gif", &error), CAROM_BAD_INPUT);
    error = (carom_error){0};
    assert_int_equal(carom_figure_write(&figure, "no-such-folder/a.svg", &error), CAROM_IO);
    assert_int_not_equal(access("figure.gif", F_OK), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(axes_carry_names_and_units),
        cmocka_unit_test(texts_cannot_become_markup),
        cmocka_unit_test(a_million_points_keep_their_peaks),
        cmocka_unit_test(what_is_not_finite_leaves_a_gap),
        cmocka_unit_test(numbers_too_large_for_an_axis_leave_a_gap),
        cmocka_unit_test(a_logarithmic_axis_leaves_out_what_is_not_positive),
        cmocka_unit_test(empty_and_constant_data_have_axes_too),
        cmocka_unit_test(ticks_are_round_numbers),
        cmocka_unit_test(a_sink_that_refuses_stops_the_figure),
        cmocka_unit_test(files_are_whole_or_not_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
