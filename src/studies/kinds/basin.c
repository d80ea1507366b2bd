// SPDX-License-Identifier: Apache-2.0
// Basins of attraction: one row for each start, which attractor it ends on, after how many points
// of the section that was clear, and the attractor's first point. A first look finds attractors;
// then starts are followed until they are recognised (basin/attractors.h has the rules).
#include "studies/basin/attractors.h"

#include <math.h>
#include <string.h>

static carom_status check_axes(const carom_scan *scan, carom_error *error)
{
    const carom_scan_design *d = &scan->design;
    if (d->n_axis == 0)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "a basin needs starts that vary: --vary x=-3:1:200 --vary "
                          "'der(x)=-4:4:200'");
    for (int k = 0; k < d->n_axis; k++)
        if (strncmp(d->axis[k].live, "study_start_", 12) != 0)
            return carom_fail(error, CAROM_BAD_INPUT,
                              "'%s' is a parameter: of a basin starts vary, and --set gives "
                              "parameters (bif and sweep vary them)",
                              d->axis[k].name);
    return CAROM_OK;
}

static carom_status prepare(carom_scan *scan, const carom_scan_texts *texts, carom_sim *sim,
                            carom_error *error)
{
    static const char *const column[] = {"label", "points", "period", "impacts"};
    CAROM_TRY(check_axes(scan, error));
    CAROM_TRY(carom_columns_read(scan, texts->show, texts->n_show, scan->size.nq + scan->size.nu,
                                 sim, error));
    for (int i = 0; i < CAROM_BASIN_POINT; i++)
        CAROM_TRY(carom_scan_add_column(scan, error, "%s", column[i]));
    for (int k = 0; k < scan->points.n_show; k++)
        CAROM_TRY(carom_scan_add_column(scan, error, "attractor(%s)",
                                        carom_sim_column(sim, scan->points.show[k])->name));
    return CAROM_OK;
}

static carom_status begin(carom_worker *w, carom_error *error)
{
    w->self = carom_basin_walk_new(w->scan);
    return w->self ? CAROM_OK : carom_scan_no_memory(error);
}

static carom_status work(carom_worker *w, carom_error *error)
{
    carom_basin_end end;
    CAROM_TRY(carom_basin_follow(w, w->self, NULL, &end, error));
    const int n_show = w->scan->points.n_show;
    const bool has_point = end.has_settled && end.on.period > 0;
    double *row = carom_worker_row(w);
    if (!row) return carom_scan_no_memory(error);
    row[CAROM_BASIN_LABEL] = end.label;
    row[CAROM_BASIN_POINTS] = (double)end.points;
    row[CAROM_BASIN_PERIOD] = end.has_settled ? (double)end.on.period : NAN;
    row[CAROM_BASIN_IMPACTS] = end.has_settled ? end.on.impacts : NAN;
    for (int k = 0; k < n_show; k++) row[CAROM_BASIN_POINT + k] = has_point ? end.on.point[k] : NAN;
    return CAROM_OK;
}

const carom_scan_kind carom_scan_kind_basin = {.name = "basin",
                                               .has_section = true,
                                               .points = 2000,
                                               .match = 1e-3,
                                               .prepare = prepare,
                                               .survey = carom_basin_survey,
                                               .begin = begin,
                                               .work = work,
                                               .conclude = carom_basin_conclude,
                                               .draw = carom_basin_draw};
