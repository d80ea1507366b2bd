// SPDX-License-Identifier: Apache-2.0
#include "command_export_vtk.h"

#include "access.h"
#include "paths.h"
#include "terminal/message.h"

#include <carom/report.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool ends(const char *text, const char *ending)
{
    const size_t n = strlen(text), m = strlen(ending);
    return n >= m && strcmp(text + n - m, ending) == 0;
}

static bool is_results(const char *word)
{
    return ends(word, ".h5") || ends(word, ".hdf5") || ends(word, ".part") || ends(word, ".csv");
}

static bool is_vtk(const char *path)
{
    return path && (ends(path, ".vtkhdf") || ends(path, ".pvd") || ends(path, ".vtp") ||
                    ends(path, ".vtk"));
}

bool carom_export_wants_vtk(const carom_arguments *arguments)
{
    return (arguments->n_word > 0 && is_results(arguments->word[0])) ||
           is_vtk(carom_arguments_value(arguments, "output"));
}

static bool read_number(const carom_arguments *arguments, const char *name, double least,
                        double *value)
{
    const char *text = carom_arguments_value(arguments, name);
    char *end = NULL;
    if (!text) return true;
    const double x = strtod(text, &end);
    if (end != text && !*end && isfinite(x) && x >= least) {
        *value = x;
        return true;
    }
    carom_message_error("carom export: --%s needs a number%s, not '%s'", name,
                        least > 0 ? " of at least 1" : "", text);
    return false;
}

static bool read_options(const carom_arguments *arguments, carom_vtk_options *options)
{
    double frames = (double)options->most_frames;
    if (!read_number(arguments, "frames", 1, &frames) ||
        !read_number(arguments, "from", -INFINITY, &options->from) ||
        !read_number(arguments, "to", -INFINITY, &options->to))
        return false;
    options->most_frames = frames < 1e9 ? (long)frames : 1000000000;
    return true;
}

static bool words_are_good(const carom_arguments *arguments, const char *path)
{
    if (arguments->n_word != 1) {
        carom_message_error("carom export: one file of results, please");
        return false;
    }
    const char *word = arguments->word[0];
    if (!is_results(word) || ends(word, ".csv")) {
        carom_message_error("%s: surfaces are those of a run: 'carom run MODEL.yaml -o run.h5', "
                            "then 'carom export run.h5 -o %s'",
                            word, path ? path : "run.vtkhdf");
        return false;
    }
    if (!path || (!ends(path, ".vtkhdf") && !ends(path, ".pvd"))) {
        carom_message_error("carom export: results go to a file that ends with .vtkhdf (one file, "
                            "ParaView 5.12) or .pvd (a series of .vtp files): -o run.vtkhdf");
        return false;
    }
    return carom_paths_is_writable(path);
}

static int complain(const carom_error *error)
{
    carom_message_error("%s", error->message);
    return error->status == CAROM_BAD_INPUT || error->status == CAROM_IO ? CAROM_EXIT_USAGE
                                                                         : CAROM_EXIT_AUDIT;
}

static int write_run(const carom_arguments *arguments, const char *path, carom_results *run,
                     const carom_vtk_options *options)
{
    carom_error error = {0};
    carom_vtk_notes notes;
    carom_message_cut_off(arguments->word[0], carom_results_cut_off(run));
    if (carom_vtk_write(run, options, path, &notes, &error) != CAROM_OK) {
        const int code = complain(&error);
        return error.status == CAROM_IO ? CAROM_EXIT_AUDIT : code; // a disk that is full
    }
    printf("surfaces       %s\n", path);
    if (notes.n_frame < notes.n_row)
        printf("frames         %ld of %ld rows (--frames, --from, --to)\n", notes.n_frame,
               notes.n_row);
    return CAROM_EXIT_DONE;
}

int carom_export_vtk(const carom_arguments *arguments)
{
    carom_granted granted;
    carom_error error = {0};
    carom_results *run = NULL;
    carom_vtk_options options = carom_vtk_default();
    const char *path = carom_arguments_value(arguments, "output");
    if (!words_are_good(arguments, path) || !read_options(arguments, &options))
        return CAROM_EXIT_USAGE;
    if (!carom_granted_read(&granted, arguments)) return CAROM_EXIT_USAGE;
    options.access = &granted.access;
    int code;
    if (carom_results_open_with(arguments->word[0], &granted.limits, &run, &error) == CAROM_OK)
        code = write_run(arguments, path, run, &options);
    else
        code = complain(&error);
    carom_results_free(run);
    carom_granted_free(&granted);
    return code;
}
