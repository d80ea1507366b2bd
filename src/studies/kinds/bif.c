// SPDX-License-Identifier: Apache-2.0
// A bifurcation diagram by simulation: for each value of an axis the points of a section that are
// distinct. With the points y_0, y_1, ... the period is the smallest p <= 32 with
//
//     |y_i - y_(i-p)| <= match max |y|      in every column shown, for all i >= p
//
// 0 where there is none among as many points; then all are kept.
#include "studies/study_scan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PERIOD = 32 };

static carom_status prepare(carom_scan *scan, const carom_scan_texts *texts, carom_sim *sim,
                            carom_error *error)
{
    if (scan->design.n_axis == 0)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "a bifurcation diagram needs something that varies: --vary A=0.5:2:400");
    CAROM_TRY(carom_columns_read(scan, texts->show, texts->n_show, 1, sim, error));
    CAROM_TRY(carom_scan_add_column(scan, error, "branch"));
    CAROM_TRY(carom_scan_add_column(scan, error, "period"));
    CAROM_TRY(carom_scan_add_column(scan, error, "k"));
    return carom_columns_add(scan, sim, error);
}

static carom_status begin(carom_worker *w, carom_error *error)
{
    const carom_scan_points *p = &w->scan->points;
    w->self = calloc((size_t)p->n, sizeof(double) * (size_t)(p->n_show > 0 ? p->n_show : 1));
    return w->self ? CAROM_OK : carom_scan_no_memory(error);
}

static bool has_period(const double *y, int n, int n_show, int period, const double *tolerance)
{
    for (int i = period; i < n; i++)
        for (int k = 0; k < n_show; k++)
            if (!(fabs(y[i * n_show + k] - y[(i - period) * n_show + k]) <= tolerance[k]))
                return false;
    return true;
}

static int find_period(const carom_scan_points *p, const double *y, double *tolerance)
{
    for (int k = 0; k < p->n_show; k++) tolerance[k] = 0;
    for (int i = 0; i < p->n; i++)
        for (int k = 0; k < p->n_show; k++)
            tolerance[k] = fmax(tolerance[k], p->match * fabs(y[i * p->n_show + k]));
    for (int period = 1; period <= MOST_PERIOD && 2 * period <= p->n; period++)
        if (has_period(y, p->n, p->n_show, period, tolerance)) return period;
    return 0;
}

static carom_status work(carom_worker *w, carom_error *error)
{
    const carom_scan_points *p = &w->scan->points;
    double *y = w->self;
    for (int i = 0; i < p->skip; i++) CAROM_TRY(carom_walk_next(w, false, error));
    for (int i = 0; i < p->n; i++) {
        CAROM_TRY(carom_walk_next(w, true, error));
        for (int k = 0; k < p->n_show; k++) y[i * p->n_show + k] = w->seen[p->show[k]];
    }
    const int period = find_period(p, y, w->other); // which has room for all columns
    const int first = period > 0 ? p->n - period : 0;
    for (int i = first; i < p->n; i++) {
        double *row = carom_worker_row(w);
        if (!row) return carom_scan_no_memory(error);
        *row++ = w->goes_down ? -1 : 1;
        *row++ = period;
        *row++ = i - first;
        memcpy(row, y + i * p->n_show, sizeof *row * (size_t)p->n_show);
    }
    return CAROM_OK;
}

static carom_status draw(const carom_scan *scan, const char *path, carom_error *error)
{
    const int branch = scan->design.n_axis;
    const carom_picture picture = {
        .x = 0, .first = branch + 3, .n = scan->n_column - branch - 3, .branch = branch};
    return carom_picture_draw(scan, &picture, path, error);
}

const carom_scan_kind carom_scan_kind_bif = {.name = "bif",
                                             .follows = true,
                                             .has_section = true,
                                             .skip = 300,
                                             .points = 100,
                                             .prepare = prepare,
                                             .begin = begin,
                                             .work = work,
                                             .draw = draw};
