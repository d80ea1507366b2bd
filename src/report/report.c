// SPDX-License-Identifier: Apache-2.0
// One page: what viewer/ was built into, with the runs as JSON in its place for data.
#include "carom/report.h"

#include "base/need.h"
#include "report/encode.h"
#include "report/page.h"
#include "report/report_run.h"

#include <stdlib.h>

carom_report_options carom_report_default(void)
{
    return (carom_report_options){.most_points = 1200000,
                                  .most_frames = 2000000,
                                  .most_events = 4000,
                                  .most_touches = 150000};
}

#ifdef CAROM_HAS_VIEWER

static carom_report_options share_of(const carom_report_options *options, int n_run)
{
    return (carom_report_options){.most_points = options->most_points / n_run,
                                  .most_frames = options->most_frames / n_run,
                                  .most_events = options->most_events / n_run,
                                  .most_touches = options->most_touches / n_run,
                                  .access = options->access,
                                  .map = options->map};
}

static void encode_map(carom_encoder *e, const carom_report_map *map)
{
    carom_encode_begin(e, "map", '{');
    carom_encode_text(e, "title", map->title);
    carom_encode_text(e, "x_label", map->x_label);
    carom_encode_text(e, "y_label", map->y_label);
    carom_encode_doubles(e, "x", map->x, map->n);
    carom_encode_doubles(e, "y", map->y, map->n);
    carom_encode_integers(e, "run", map->run, map->n);
    carom_encode_integers(e, "group", map->group, map->n);
    carom_encode_end(e, '}');
}

static carom_status encode_runs(carom_encoder *e, carom_report_run *const *run, int n_run,
                                const carom_report_options *share, carom_report_notes *notes,
                                carom_error *error)
{
    const carom_report_map *map = share->map;
    carom_report_notes unwanted;
    carom_encode_begin(e, NULL, '{');
    carom_encode_text(e, "version", carom_version());
    carom_encode_begin(e, "runs", '[');
    for (int i = 0; i < n_run; i++)
        CAROM_TRY(carom_report_run_encode(e, run[i], share, notes ? &notes[i] : &unwanted, error));
    carom_encode_end(e, ']');
    if (map) encode_map(e, map);
    carom_encode_end(e, '}');
    return CAROM_OK;
}

static carom_status check_call(carom_results *const *run, int n_run,
                               const carom_report_options *options, const char *path,
                               carom_error *error)
{
    const char *function = "carom_report_write";
    if (n_run < 1) return carom_misuse(error, function, "n_run is %d", n_run);
    if (!run || !options || !path)
        return carom_misuse(error, function, "%s is NULL",
                            !run       ? "run"
                            : !options ? "options"
                                       : "path");
    for (int i = 0; i < n_run; i++)
        if (!run[i]) return carom_misuse(error, function, "run[%d] is NULL", i);
    return CAROM_OK;
}

carom_status carom_report_write(carom_results *const *run, int n_run,
                                const carom_report_options *options, const char *path,
                                carom_report_notes *notes, carom_error *error)
{
    carom_wholefile file;
    CAROM_TRY(check_call(run, n_run, options, path, error));
    for (int i = 0; i < n_run; i++)
        if (carom_results_n_row(run[i]) < 1 || carom_results_find(run[i], "t") < 0)
            return carom_fail(error, CAROM_BAD_INPUT, "%s: holds no rows of a run",
                              carom_results_path(run[i]));
    const carom_report_options share = share_of(options, n_run);
    const carom_page *page = &carom_page_flat;
    CAROM_TRY(carom_wholefile_open(&file, path, error));
    carom_report_run **read = calloc((size_t)n_run, sizeof *read);
    carom_status status = read ? CAROM_OK : carom_fail(error, CAROM_NO_MEMORY, "out of memory");
    for (int i = 0; i < n_run && status == CAROM_OK; i++) {
        status = carom_report_run_read(run[i], &share, &read[i], error);
        if (status == CAROM_OK && carom_report_run_is_space(read[i])) page = &carom_page_space;
    }
    carom_encoder encoder = {.file = &file};
    carom_wholefile_write(&file, (const char *)page->head, page->head_length);
    if (status == CAROM_OK) status = encode_runs(&encoder, read, n_run, &share, notes, error);
    carom_wholefile_write(&file, (const char *)page->tail, page->tail_length);
    for (int i = 0; read && i < n_run; i++) carom_report_run_free(read[i]);
    free(read);
    return carom_wholefile_close(&file, status, error);
}

#else

carom_status carom_report_write(carom_results *const *run, int n_run,
                                const carom_report_options *options, const char *path,
                                carom_report_notes *notes, carom_error *error)
{
    (void)run, (void)n_run, (void)options, (void)path, (void)notes;
    return carom_fail(
        error, CAROM_BAD_INPUT,
        "this carom was built without the viewer and writes no reports (build it with "
        "-DCAROM_REPORT=ON, which needs nodejs and npm; 'carom plot' works)");
}

#endif
