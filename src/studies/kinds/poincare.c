// SPDX-License-Identifier: Apache-2.0
// The points of a section, one row each: which and when, the columns shown, how many impacts there
// were since the point before; of events also the rates on both sides and the impulse.
#include "studies/study_scan.h"

static bool is_of_events(const carom_scan *scan)
{
    return scan->points.section.kind == CAROM_SECTION_EVENT;
}

static carom_status prepare(carom_scan *scan, const carom_scan_texts *texts, carom_sim *sim,
                            carom_error *error)
{
    CAROM_TRY(
        carom_columns_read(scan, texts->show, texts->n_show, carom_sim_n_column(sim), sim, error));
    CAROM_TRY(carom_scan_add_column(scan, error, "k"));
    CAROM_TRY(carom_scan_add_column(scan, error, "t"));
    CAROM_TRY(carom_columns_add(scan, sim, error));
    CAROM_TRY(carom_scan_add_column(scan, error, "impacts"));
    if (!is_of_events(scan)) return CAROM_OK;
    CAROM_TRY(carom_scan_add_column(scan, error, "rate_before"));
    CAROM_TRY(carom_scan_add_column(scan, error, "rate_after"));
    return carom_scan_add_column(scan, error, "P");
}

static carom_status work(carom_worker *w, carom_error *error)
{
    const carom_scan_points *p = &w->scan->points;
    for (int i = 0; i < p->skip; i++) CAROM_TRY(carom_walk_next(w, false, error));
    for (int i = 0; i < p->n; i++) {
        CAROM_TRY(carom_walk_next(w, true, error));
        double *row = carom_worker_row(w);
        if (!row) return carom_scan_no_memory(error);
        *row++ = (double)(w->k - 1);
        *row++ = w->seen[0];
        for (int k = 0; k < p->n_show; k++) *row++ = w->seen[p->show[k]];
        *row++ = (double)(w->impacts - w->last_impacts);
        if (!is_of_events(w->scan)) continue;
        *row++ = w->event.rate_before;
        *row++ = w->event.rate_after;
        *row = w->event.P;
    }
    return CAROM_OK;
}

// the second column over the first
static carom_status draw(const carom_scan *scan, const char *path, carom_error *error)
{
    const int first = scan->design.n_axis + 2;
    const carom_picture picture = {.x = first, .first = first + 1, .n = 1, .branch = -1};
    if (scan->points.n_show < 2 && scan->n_column < first + 3)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "the picture of a section needs two columns: --show x --show 'der(x)'");
    return carom_picture_draw(scan, &picture, path, error);
}

const carom_scan_kind carom_scan_kind_poincare = {.name = "poincare",
                                                  .has_section = true,
                                                  .skip = 0,
                                                  .points = 1000,
                                                  .prepare = prepare,
                                                  .work = work,
                                                  .draw = draw};
