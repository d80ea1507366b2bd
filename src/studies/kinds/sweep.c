// SPDX-License-Identifier: Apache-2.0
// A sweep: one run for each unit, one row of measures. Followed values start from the state that
// the run before has ended with, at t = 0 again.
#include "studies/study_scan.h"

#include <string.h>

static carom_status prepare(carom_scan *scan, const carom_scan_texts *texts, carom_sim *sim,
                            carom_error *error)
{
    (void)sim;
    if (scan->chains.goes_down && scan->chains.goes_up && scan->chains.is_followed)
        CAROM_TRY(carom_scan_add_column(scan, error, "branch"));
    for (int i = 0; i < texts->n_take; i++)
        CAROM_TRY(carom_scan_add_column(scan, error, "%s", texts->take[i].text));
    return CAROM_OK;
}

static carom_status begin(carom_worker *w, carom_error *error)
{
    return carom_probe_new(w->sim, w->scan->measure, w->scan->n_measure, &w->probe, NULL, error);
}

static carom_status work(carom_worker *w, carom_error *error)
{
    const carom_scan *scan = w->scan;
    carom_probe_reset(w->probe);
    CAROM_TRY(carom_sim_run(w->sim, error));
    carom_probe_finish(w->probe, true);
    double *row = carom_worker_row(w);
    if (!row) return carom_scan_no_memory(error);
    if (scan->chains.goes_down && scan->chains.goes_up && scan->chains.is_followed)
        *row++ = w->goes_down ? -1 : 1;
    for (int i = 0; i < scan->n_measure; i++) row[i] = carom_probe_value(w->probe, i);
    return CAROM_OK;
}

static carom_status draw(const carom_scan *scan, const char *path, carom_error *error)
{
    const int n = scan->design.n_axis;
    const bool has_branch = scan->n_column > n && strcmp(scan->column[n], "branch") == 0;
    const carom_picture picture = {.x = 0,
                                   .first = n + has_branch,
                                   .n = scan->n_column - n - has_branch,
                                   .branch = has_branch ? n : -1,
                                   .is_line = n == 1};
    return carom_picture_draw(scan, &picture, path, error);
}

const carom_scan_kind carom_scan_kind_sweep = {.name = "sweep",
                                               .has_measures = true,
                                               .prepare = prepare,
                                               .begin = begin,
                                               .work = work,
                                               .draw = draw};
