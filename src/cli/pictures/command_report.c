// SPDX-License-Identifier: Apache-2.0
// carom report: one self-contained page from one or more runs.
#include "access.h"
#include "arguments.h"
#include "command_report_film.h"
#include "paths.h"
#include "terminal/message.h"

#include <carom/report.h>

#include <stdlib.h>
#include <string.h>

enum { MOST_RUNS = 8 };

typedef struct session {
    const carom_arguments *arguments;
    carom_granted granted;
    carom_results *run[MOST_RUNS];
    int n_run;
} session;

static int complain(const carom_error *error)
{
    carom_message_error("%s", error->message);
    const bool is_usage = error->status == CAROM_BAD_INPUT || error->status == CAROM_IO;
    return is_usage ? CAROM_EXIT_USAGE : CAROM_EXIT_AUDIT;
}

static bool words_are_good(const carom_arguments *arguments, const char *path)
{
    if (arguments->n_word < 1 || arguments->n_word > MOST_RUNS) {
        carom_message_error(arguments->n_word < 1
                                ? "carom report: no results given; see 'carom report --help'"
                                : "carom report: at most 8 runs in one page");
        return false;
    }
    if (strcmp(path, "-") == 0) {
        carom_message_error("carom report: a page is a file; name it (-o page.html, or -o ./- )");
        return false;
    }
    for (int i = 0; i < arguments->n_word; i++) {
        const char *word = arguments->word[i], *dot = strrchr(word, '.');
        if (dot && strcmp(dot, ".csv") == 0) {
            carom_message_error("%s: a CSV file has no events and no model; write the run with -o "
                                "FILE.h5 ('carom plot' takes both)",
                                word);
            return false;
        }
        if (carom_paths_are_same(path, word)) {
            carom_message_error("carom report: -o and the results are one file, '%s'", path);
            return false;
        }
    }
    return carom_report_is_folder(path) || carom_paths_is_writable(path);
}

static int write_page(session *s, const char *path)
{
    carom_error error = {0};
    carom_report_notes notes[MOST_RUNS] = {0};
    carom_report_options options = carom_report_default();
    options.access = &s->granted.access;
    for (; s->n_run < s->arguments->n_word; s->n_run++)
        if (carom_results_open_with(s->arguments->word[s->n_run], &s->granted.limits,
                                    &s->run[s->n_run], &error) != CAROM_OK)
            return complain(&error);
    const bool is_strict = carom_arguments_value(s->arguments, "strict") != NULL;
    int n_warning = 0;
    for (int i = 0; i < s->n_run; i++) {
        carom_message_cut_off(s->arguments->word[i], carom_results_cut_off(s->run[i]));
        n_warning += *carom_results_cut_off(s->run[i]) != 0;
    }
    if (carom_report_wants_film(path)) {
        const int code = carom_report_film(s->arguments, options.access, s->run, s->n_run, path);
        return code == CAROM_EXIT_DONE && is_strict && n_warning > 0 ? CAROM_EXIT_AUDIT : code;
    }
    if (carom_report_write(s->run, s->n_run, &options, path, notes, &error) != CAROM_OK) {
        const int code = complain(&error);
        return error.status == CAROM_IO ? CAROM_EXIT_AUDIT : code; // a disk that is full
    }
    for (int i = 0; i < s->n_run; i++) {
        if (!notes[i].no_drawing[0]) continue;
        carom_message_warning("%s: no animation: %s", s->arguments->word[i], notes[i].no_drawing);
        n_warning++;
    }
    if (!carom_arguments_value(s->arguments, "quiet")) printf("report         %s\n", path);
    return is_strict && n_warning > 0 ? CAROM_EXIT_AUDIT : CAROM_EXIT_DONE;
}

static int run(const carom_arguments *arguments)
{
    session s = {.arguments = arguments};
    const char *path = carom_arguments_value(arguments, "output");
    if (!path) path = "report.html";
    if (!words_are_good(arguments, path) || !carom_report_options_fit(arguments, path))
        return CAROM_EXIT_USAGE;
    if (!carom_granted_read(&s.granted, arguments)) return CAROM_EXIT_USAGE;
    const int code = write_page(&s, path);
    carom_granted_free(&s.granted);
    for (int i = 0; i < s.n_run; i++) carom_results_free(s.run[i]);
    return code;
}

static const carom_argument rows[] = {
    {"output", 'o', "FILE", false,
     "write FILE.html (report.html), or a film: FILE.mp4, FILE.gif, frames/"},
    {"from", 0, "T", false, "films: the first instant [s]"},
    {"to", 0, "T", false, "films: the last instant [s]"},
    {"speed", 0, "X", false,
     "films: seconds of the run in one second (default: its own, or 15 s in all)"},
    {"fps", 0, "N", false, "films: pictures a second (30; GIF 25)"},
    {"size", 0, "WxH", false, "films: pixels (1280x720; GIF 800x450)"},
    {"follow", 0, "BODY", false, "films: the camera goes with a body (in space)"},
    {"dark", 0, NULL, false, "films: light on dark"},
    CAROM_ACCESS_ROWS,
    {"quiet", 'q', NULL, false, "say nothing but errors and warnings"},
    {"strict", 0, NULL, false, "every warning makes the exit code 1"},
    {0},
};

const carom_command carom_command_report = {
    .name = "report",
    .usage = "RUN.h5 [RUN2.h5 ...] [-o PAGE.html|FILM.mp4|FILM.gif|FRAMES/]",
    .brief = "make one page, or a film, that shows runs",
    .about = "Writes one self-contained page that any browser opens, without a network: the "
             "mechanism moving,\n"
             "plots to zoom into, the event table, the audit and the model. Several runs are laid "
             "over each\n"
             "other. Long runs are reduced to what can be seen, with every row near strong "
             "impacts.\n\n"
             "Where -o ends with .mp4 or .gif it films the mechanism (with Chromium and ffmpeg); "
             "where it is a folder\n"
             "(frames/) or has a place for a number (frame-%04d.png) it writes the pictures (with "
             "Chromium alone).",
    .argument = rows,
    .run = run,
};
