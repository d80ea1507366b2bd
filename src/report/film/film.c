// SPDX-License-Identifier: Apache-2.0
// A film is the page of carom report, of which a browser takes pictures:
//
//     page (#film) --> Chromium --> PNG, PNG, ... --> ffmpeg --> .mp4, .gif
//                                                 '-> files
//
// so that it shows what the page shows, in the plane and in space. Picture k shows
//     t_k = from + k rate/frames_per_second
#include "base/need.h"
#include "base/text.h"
#include "report/film/browser.h"
#include "report/film/reel.h"

#include "carom/report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { PATH_ROOM = 4096, LEAST_SIZE = 64, MOST_SIZE = 8192 };
static const double most_frames = 1e5, seconds_to_open = 120;

carom_film_options carom_film_default(void)
{
    return (carom_film_options){.from = -INFINITY, .to = INFINITY};
}

typedef struct film {
    carom_film_options options; ///< with all that was to be chosen
    carom_reel_kind kind;
    carom_browser *browser;
    carom_reel *reel;
    long n_frame;
    char chromium[PATH_ROOM], ffmpeg[PATH_ROOM];
} film;

static bool find_program(const char *name, char path[PATH_ROOM])
{
    const char *folders = getenv("PATH");
    for (const char *at = folders ? folders : ""; *at; at += *at == ':') {
        const size_t n = strcspn(at, ":");
        snprintf(path, PATH_ROOM, "%.*s/%s", n < PATH_ROOM / 2 ? (int)n : 0, at, name);
        if (n > 0 && access(path, X_OK) == 0) return true;
        at += n;
    }
    return false;
}

// what a variable of the environment names, or the first of these names that is there
static bool find_one(const char *variable, const char *const *name, char path[PATH_ROOM])
{
    const char *given = getenv(variable);
    if (given && given[0] && strlen(given) < PATH_ROOM) {
        strcpy(path, given);
        return strchr(given, '/') ? access(given, X_OK) == 0 : find_program(given, path);
    }
    for (; *name; name++)
        if (find_program(*name, path)) return true;
    return false;
}

static carom_status find_programs(film *f, const char *path, carom_error *error)
{
    static const char *const browsers[] = {"chromium", "chromium-browser", "google-chrome",
                                           "google-chrome-stable", NULL};
    static const char *const encoders[] = {"ffmpeg", NULL};
    if (!find_one("CAROM_CHROMIUM", browsers, f->chromium))
        return carom_fail(error, CAROM_BAD_INPUT,
                          "'%s': films are made with Chromium, which is not there (apt install "
                          "chromium, or name one with CAROM_CHROMIUM)",
                          path);
    if (f->kind == CAROM_REEL_PICTURES || find_one("CAROM_FFMPEG", encoders, f->ffmpeg))
        return CAROM_OK;
    return carom_fail(
        error, CAROM_BAD_INPUT,
        "'%s': films are made with ffmpeg, which is not there (apt install ffmpeg, or "
        "name one with CAROM_FFMPEG); -o frames/ writes their pictures without it",
        path);
}

// 1, 2 or 5 times a power of ten, as the page chooses
static double round_rate(double rate)
{
    const double power = pow(10, floor(log10(rate))), ratio = rate / power;
    return power * (ratio < 1.5 ? 1 : ratio < 3.5 ? 2 : ratio < 7.5 ? 5 : 10);
}

/// From when to when runs are.
typedef struct span {
    double first, last;
} span;

static carom_status widen_span(void *self, const double *t, long n, carom_error *error)
{
    span *s = self;
    (void)error;
    s->first = fmin(s->first, t[0]);
    s->last = fmax(s->last, t[n - 1]);
    return CAROM_OK;
}

static carom_status look_at_rows(film *f, carom_results *const *run, int n_run, carom_error *error)
{
    span s = {INFINITY, -INFINITY};
    carom_film_options *o = &f->options;
    for (int i = 0; i < n_run; i++) {
        const int time = carom_results_find(run[i], "t");
        if (time < 0 || carom_results_n_row(run[i]) < 1)
            return carom_fail(error, CAROM_BAD_INPUT, "%s: holds no rows of a run",
                              carom_results_path(run[i]));
        const carom_rows_visitor visitor = {&s, widen_span};
        CAROM_TRY(carom_results_visit(run[i], &time, 1, visitor, error));
    }
    const double from = fmax(o->from, s.first), to = fmin(o->to, s.last);
    if (!(from < to))
        return carom_fail(error, CAROM_BAD_INPUT,
                          "a film needs a length: %.6g .. %.6g s is asked for, and rows are from "
                          "%.6g to %.6g s",
                          o->from, o->to, s.first, s.last);
    o->from = from;
    o->to = to;
    return CAROM_OK;
}

// what was not given
static void choose(carom_film_options *o, carom_reel_kind kind)
{
    const bool is_gif = kind == CAROM_REEL_GIF;
    const double length = o->to - o->from, usual = 15, shortest = 4, longest = 40;
    if (o->width == 0) o->width = is_gif ? 800 : 1280;
    if (o->height == 0) o->height = is_gif ? 450 : 720;
    if (o->frames_per_second == 0) o->frames_per_second = is_gif ? 25 : 30; // GIFs count in 1/100 s
    if (o->rate == 0)
        o->rate = length >= shortest && length <= longest ? 1 : round_rate(length / usual);
}

static carom_status count_frames(film *f, carom_error *error)
{
    const carom_film_options *o = &f->options;
    const double n = floor((o->to - o->from) / o->rate * o->frames_per_second * (1 + 1e-12)) + 1;
    if (!(n <= most_frames))
        return carom_fail(error, CAROM_BAD_INPUT,
                          "a film of %.3g pictures (%.6g s of the run at %.6g of its speed, %.6g "
                          "pictures a second); at most %.0f: show a part, or show it faster",
                          n, o->to - o->from, o->rate, o->frames_per_second, most_frames);
    f->n_frame = (long)n;
    return CAROM_OK;
}

static bool is_size(int pixels)
{
    return pixels == 0 || (pixels >= LEAST_SIZE && pixels <= MOST_SIZE);
}

static carom_status check_options(const carom_film_options *o, carom_error *error)
{
    const char *function = "carom_film_write";
    if (!is_size(o->width) || !is_size(o->height))
        return carom_fail(error, CAROM_BAD_INPUT, "a film of %d x %d pixels; there are %d .. %d",
                          o->width, o->height, LEAST_SIZE, MOST_SIZE);
    if (!(o->rate >= 0) || isinf(o->rate))
        return carom_misuse(error, function, "rate is %g", o->rate);
    if (!(o->frames_per_second >= 0) || isinf(o->frames_per_second))
        return carom_misuse(error, function, "frames_per_second is %g", o->frames_per_second);
    if (isnan(o->from) || isnan(o->to)) return carom_misuse(error, function, "from or to is NaN");
    return CAROM_OK;
}

// the page stands in the browser's own folder
static carom_status write_page(film *f, carom_results *const *run, int n_run, carom_error *error)
{
    char path[PATH_ROOM];
    carom_report_notes *notes = calloc((size_t)n_run, sizeof *notes);
    carom_report_options options = carom_report_default();
    options.access = f->options.access;
    snprintf(path, sizeof path, "%s/page.html", carom_browser_nest(f->browser));
    if (!notes) return carom_fail(error, CAROM_NO_MEMORY, "memory ran out");
    carom_status status = carom_report_write(run, n_run, &options, path, notes, error);
    int n_drawn = 0;
    for (int i = 0; i < n_run; i++) n_drawn += !notes[i].no_drawing[0];
    if (status == CAROM_OK && n_drawn == 0)
        status = carom_fail(error, CAROM_BAD_INPUT, "%s: there is nothing to film: %s",
                            carom_results_path(run[0]), notes[0].no_drawing);
    free(notes);
    return status;
}

static double clock_now(void)
{
    struct timespec time = {0, 0};
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static carom_status open_page(film *f, carom_error *error)
{
    const carom_film_options *o = &f->options;
    const struct timespec pause = {0, 20000000};
    bool is_ready = false;
    CAROM_TRY(
        carom_browser_show(f->browser, "page.html#film", o->width, o->height, o->is_dark, error));
    for (const double start = clock_now(); !is_ready; nanosleep(&pause, NULL)) {
        if (clock_now() - start > seconds_to_open)
            return carom_fail(error, CAROM_IO, "the browser does not show the page");
        CAROM_TRY(
            carom_browser_ask(f->browser, "typeof caromFilm === typeof {}", &is_ready, error));
    }
    return CAROM_OK;
}

// the name as numbers, which mean the same whatever stands in it
static carom_status follow_body(film *f, carom_error *error)
{
    char expression[1024] = "caromFilm.follow([";
    const char *name = f->options.follow;
    size_t n = strlen(expression);
    bool is_found = false;
    if (!name) return CAROM_OK;
    for (const char *c = name; *c && n + 16 < sizeof expression; c++)
        n += (size_t)snprintf(expression + n, sizeof expression - n, "%d,", (unsigned char)*c);
    snprintf(expression + n, sizeof expression - n, "])");
    CAROM_TRY(carom_browser_ask(f->browser, expression, &is_found, error));
    if (is_found) return CAROM_OK;
    return carom_fail(error, CAROM_BAD_INPUT,
                      "there is no body '%s' to follow (the camera goes with bodies that have a "
                      "shape, in space)",
                      name);
}

static carom_status take_picture(film *f, long k, carom_error *error)
{
    const carom_film_options *o = &f->options;
    const double t = fmin(o->to, o->from + (double)k * o->rate / o->frames_per_second);
    char expression[160];
    const void *png;
    size_t n;
    bool is_shown = false;
    snprintf(expression, sizeof expression, "caromFilm.show(%.17g, %.17g)", t, o->rate);
    CAROM_TRY(carom_browser_ask(f->browser, expression, &is_shown, error));
    if (!is_shown) return carom_fail(error, CAROM_IO, "the browser does not draw");
    CAROM_TRY(carom_browser_picture(f->browser, &png, &n, error));
    return carom_reel_add(f->reel, png, n, error);
}

static carom_status shoot(film *f, carom_results *const *run, int n_run, carom_error *error)
{
    const carom_watch *watch = &f->options.watch;
    CAROM_TRY(carom_browser_open(f->chromium, &f->browser, error));
    CAROM_TRY(write_page(f, run, n_run, error));
    CAROM_TRY(open_page(f, error));
    CAROM_TRY(follow_body(f, error));
    for (long k = 0; k < f->n_frame; k++) {
        if (watch->tick && watch->tick(watch->self, (double)k, (double)f->n_frame, k))
            return carom_fail(error, CAROM_STOPPED, "the film was stopped at picture %ld of %ld", k,
                              f->n_frame);
        CAROM_TRY(take_picture(f, k, error));
    }
    return CAROM_OK;
}

carom_status carom_film_write(carom_results *const *run, int n_run,
                              const carom_film_options *options, const char *path,
                              carom_film_notes *notes, carom_error *error)
{
    CAROM_NEED_ARRAY(error, run, n_run);
    CAROM_NEED_THAT(error, n_run > 0, "n_run is %d", n_run);
    CAROM_NEED(error, options);
    CAROM_NEED(error, path);
    for (int i = 0; i < n_run; i++) CAROM_NEED_THAT(error, run[i], "run[%d] is NULL", i);
    film f = {.options = *options};
    CAROM_TRY(check_options(options, error));
    CAROM_TRY(carom_reel_kind_of(path, &f.kind, error));
    CAROM_TRY(look_at_rows(&f, run, n_run, error));
    choose(&f.options, f.kind);
    CAROM_TRY(count_frames(&f, error));
    CAROM_TRY(find_programs(&f, path, error));
    carom_status status =
        carom_reel_open(path, f.ffmpeg, f.options.frames_per_second, &f.reel, error);
    if (status == CAROM_OK) status = shoot(&f, run, n_run, error);
    status = carom_reel_close(f.reel, status, error);
    carom_browser_free(f.browser);
    if (notes && status == CAROM_OK)
        *notes = (carom_film_notes){f.n_frame, f.options.rate, f.options.frames_per_second};
    return status;
}
