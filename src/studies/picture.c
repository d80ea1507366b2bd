// SPDX-License-Identifier: Apache-2.0
// Pictures of the rows of a scan: a panel for each column over one column, as points or as lines,
// the ways up and down in two colours. Rows that are not finite leave gaps.
#include "studies/study_scan.h"

#include "carom/plot.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_PANELS = 8 };

typedef struct drawn {
    double *x, *y[MOST_PANELS];
    long n, n_up; // rows; those of the way up stand first
} drawn;

static carom_status take_rows(const carom_scan *scan, const carom_picture *p, drawn *d,
                              carom_error *error)
{
    const long n = carom_scan_n_row(scan);
    double *row = malloc(sizeof *row * (size_t)scan->n_column);
    d->x = malloc(sizeof(double) * (size_t)(n + 1));
    bool is_made = row && d->x;
    for (int k = 0; k < p->n; k++)
        is_made &= (d->y[k] = malloc(sizeof(double) * (size_t)(n + 1))) != NULL;
    for (int way = 1; is_made && way >= -1; way -= 2) {
        for (long i = 0; i < n; i++) {
            if (carom_scan_row(scan, i, row, NULL) != CAROM_OK) continue;
            const bool is_down = p->branch >= 0 && row[p->branch] < 0;
            if (is_down != (way < 0)) continue;
            d->x[d->n] = row[p->x];
            for (int k = 0; k < p->n; k++) d->y[k][d->n] = row[p->first + k];
            d->n++;
        }
        if (way == 1) d->n_up = d->n;
    }
    free(row);
    return is_made ? CAROM_OK : carom_scan_no_memory(error);
}

carom_status carom_picture_draw(const carom_scan *scan, const carom_picture *picture,
                                const char *path, carom_error *error)
{
    carom_picture p = *picture;
    if (p.n > MOST_PANELS) p.n = MOST_PANELS;
    if (p.n < 1 || p.first + p.n > scan->n_column)
        return carom_fail(error, CAROM_BAD_INPUT, "there is nothing to draw");
    drawn d = {0};
    carom_status status = take_rows(scan, &p, &d, error);
    const carom_stroke stroke = p.is_line ? CAROM_STROKE_LINE : CAROM_STROKE_POINTS;
    const bool has_two = d.n_up > 0 && d.n_up < d.n;
    carom_plot panel[MOST_PANELS] = {0};
    carom_series series[MOST_PANELS][2] = {{{0}}};
    for (int k = 0; k < p.n && status == CAROM_OK; k++) {
        const long start = has_two ? d.n_up : 0;
        series[k][0] =
            (carom_series){has_two ? "up" : NULL, d.x, d.y[k], has_two ? d.n_up : d.n, stroke, 1};
        series[k][1] = (carom_series){"down", d.x + start, d.y[k] + start, d.n - start, stroke, 2};
        panel[k] = (carom_plot){.x = {.label = scan->column[p.x]},
                                .y = {.label = scan->column[p.first + k]},
                                .series = series[k],
                                .n_series = has_two ? 2 : 1};
        if (p.x < scan->design.n_axis) panel[k].x.is_log = scan->design.axis[p.x].is_log;
    }
    const carom_figure figure = {.panel = panel, .n_panel = p.n};
    if (status == CAROM_OK) status = carom_figure_write(&figure, path, error);
    free(d.x);
    for (int k = 0; k < p.n; k++) free(d.y[k]);
    return status;
}
