// SPDX-License-Identifier: Apache-2.0
#include "command_report_film.h"

#include "terminal/message.h"
#include "terminal/progress.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool ends(const char *path, const char *ending)
{
    const size_t n = strlen(path), m = strlen(ending);
    return n >= m && strcmp(path + n - m, ending) == 0;
}

bool carom_report_is_folder(const char *path)
{
    struct stat facts;
    return ends(path, "/") || (stat(path, &facts) == 0 && S_ISDIR(facts.st_mode));
}

bool carom_report_wants_film(const char *path)
{
    static const char *const ending[] = {".mp4",  ".gif", ".png", "/",
                                         ".webm", ".avi", ".mov", ".mkv"};
    for (size_t i = 0; i < sizeof ending / sizeof ending[0]; i++)
        if (ends(path, ending[i])) return true;
    return carom_report_is_folder(path);
}

bool carom_report_options_fit(const carom_arguments *arguments, const char *path)
{
    static const char *const name[] = {"from", "to", "speed", "fps", "size", "dark", "follow"};
    if (carom_report_wants_film(path)) return true;
    for (size_t i = 0; i < sizeof name / sizeof name[0]; i++) {
        if (!carom_arguments_value(arguments, name[i])) continue;
        carom_message_error("carom report: --%s is for films (-o film.mp4, film.gif, frames/); a "
                            "page shows all of a run",
                            name[i]);
        return false;
    }
    return true;
}

static bool read_number(const carom_arguments *arguments, const char *name, double above,
                        double *value)
{
    const char *text = carom_arguments_value(arguments, name);
    char *end = NULL;
    if (!text) return true;
    const double x = strtod(text, &end);
    if (end != text && !*end && isfinite(x) && x > above) {
        *value = x;
        return true;
    }
    carom_message_error("carom report: --%s needs a number%s, not '%s'", name,
                        above == 0 ? " above 0" : "", text);
    return false;
}

// 1280x720
static bool read_size(const carom_arguments *arguments, int *width, int *height)
{
    const char *text = carom_arguments_value(arguments, "size");
    char *end = NULL;
    if (!text) return true;
    const long w = isdigit((unsigned char)*text) ? strtol(text, &end, 10) : 0;
    const char *second = end && *end == 'x' ? end + 1 : "";
    const long h = isdigit((unsigned char)*second) ? strtol(second, &end, 10) : 0;
    if (w < 1 || h < 1 || w > 100000 || h > 100000 || *end) {
        carom_message_error("carom report: --size is width x height in pixels, as in 1280x720, not "
                            "'%s'",
                            text);
        return false;
    }
    *width = (int)w;
    *height = (int)h;
    return true;
}

static bool read_options(const carom_arguments *arguments, carom_film_options *o)
{
    o->follow = carom_arguments_value(arguments, "follow");
    o->is_dark = carom_arguments_value(arguments, "dark") != NULL;
    return read_number(arguments, "from", -INFINITY, &o->from) &&
           read_number(arguments, "to", -INFINITY, &o->to) &&
           read_number(arguments, "speed", 0, &o->rate) &&
           read_number(arguments, "fps", 0, &o->frames_per_second) &&
           read_size(arguments, &o->width, &o->height);
}

static int exit_code(carom_status status)
{
    return status == CAROM_BAD_INPUT ? CAROM_EXIT_USAGE : CAROM_EXIT_AUDIT;
}

int carom_report_film(const carom_arguments *arguments, const carom_access *access,
                      carom_results *const *run, int n_run, const char *path)
{
    carom_error error = {0};
    carom_progress progress;
    carom_film_notes notes;
    carom_film_options options = carom_film_default();
    const bool is_quiet = carom_arguments_value(arguments, "quiet") != NULL;
    if (!read_options(arguments, &options)) return CAROM_EXIT_USAGE;
    carom_progress_start(&progress, "film", is_quiet);
    options.access = access;
    options.watch = carom_progress_watch(&progress);
    const carom_status status = carom_film_write(run, n_run, &options, path, &notes, &error);
    carom_progress_end(&progress);
    if (status != CAROM_OK) {
        carom_message_error("%s", error.message);
        return exit_code(status);
    }
    if (is_quiet) return CAROM_EXIT_DONE;
    printf("film           %s\n", path);
    printf("pictures       %ld, %.3g a second, at %.3g of the run's speed\n", notes.n_frame,
           notes.frames_per_second, notes.rate);
    return CAROM_EXIT_DONE;
}
