// SPDX-License-Identifier: Apache-2.0
// The picture of a basin: a cell for each start over the two axes, coloured by its label, and a
// legend that says what the labels are. Starts that are no grid become points.
#include "studies/basin/attractors.h"

#include "carom/plot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_ROOM = 120, MOST_NAMED = 12 };

typedef struct basin_map {
    const carom_scan *scan;
    double *x, *y; // (n_x), (n_y) values of the axes, sorted
    int *colour;   // (n_x n_y)
    int n_x, n_y;
    double *px, *py; // (n) points, where there is no grid
    long n;          // starts
} basin_map;

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// the different values of a column, sorted
static int distinct(double *value, long n)
{
    int kept = 0;
    qsort(value, (size_t)n, sizeof *value, by_size);
    for (long i = 0; i < n; i++)
        if (kept == 0 || value[i] != value[kept - 1]) value[kept++] = value[i];
    return kept;
}

static int place_of(const double *sorted, int n, double value)
{
    const double *at = bsearch(&value, sorted, (size_t)n, sizeof value, by_size);
    return at ? (int)(at - sorted) : 0;
}

static const double *row_of(const carom_scan *scan, long unit)
{
    return scan->unit[unit].n_row == 1 && !scan->unit[unit].has_failed ? scan->unit[unit].row
                                                                       : NULL;
}

static bool take_axes(basin_map *m)
{
    const size_t room = (size_t)m->scan->chains.n_unit + 1;
    m->x = malloc(room * sizeof *m->x);
    m->y = malloc(room * sizeof *m->y);
    if (!m->x || !m->y) return false;
    for (long u = 0; u < m->scan->chains.n_unit; u++) {
        const double *row = row_of(m->scan, u);
        if (!row) continue;
        m->x[m->n] = row[0];
        m->y[m->n++] = row[1];
    }
    m->n_x = distinct(m->x, m->n);
    m->n_y = distinct(m->y, m->n);
    return true;
}

static bool is_grid(const basin_map *m)
{
    return m->n > 0 && (double)m->n_x * m->n_y <= 1.05 * (double)m->scan->chains.n_unit;
}

static bool fill_cells(basin_map *m)
{
    const carom_scan *scan = m->scan;
    const long n = (long)m->n_x * m->n_y;
    m->colour = malloc(sizeof *m->colour * (size_t)n);
    if (!m->colour) return false;
    for (long i = 0; i < n; i++) m->colour[i] = -1;
    for (long u = 0; u < scan->chains.n_unit; u++) {
        const double *row = row_of(scan, u);
        if (!row) continue;
        const int label = (int)row[scan->design.n_axis + CAROM_BASIN_LABEL];
        m->colour[(long)place_of(m->x, m->n_x, row[0]) * m->n_y + place_of(m->y, m->n_y, row[1])] =
            label;
    }
    return true;
}

// points of one label behind each other; returns how many
static long take_points(basin_map *m, int label, long start)
{
    long n = start;
    for (long u = 0; u < m->scan->chains.n_unit; u++) {
        const double *row = row_of(m->scan, u);
        if (!row || row[m->scan->design.n_axis + CAROM_BASIN_LABEL] != label) continue;
        m->px[n] = row[0];
        m->py[n++] = row[1];
    }
    return n - start;
}

static void name_class(const carom_scan *scan, const carom_scan_class *c, char name[NAME_ROOM])
{
    char what[80];
    if (c->label < 0)
        snprintf(what, sizeof what, "far away");
    else if (isnan(c->period))
        snprintf(what, sizeof what, "not settled");
    else if (c->period == 0)
        snprintf(what, sizeof what, "rest");
    else
        snprintf(what, sizeof what, "period %g, %g impact%s", c->period, c->impacts,
                 c->impacts == 1 ? "" : "s");
    snprintf(name, NAME_ROOM, "%d: %s (%.2f %%)", c->label, what,
             100 * (double)c->n / (double)(scan->n_done > 0 ? scan->n_done : 1));
}

static carom_status draw_map(basin_map *m, const char *path, carom_error *error)
{
    const carom_scan *scan = m->scan;
    char name[MOST_NAMED][NAME_ROOM];
    carom_series series[MOST_NAMED] = {{0}};
    const bool is_map = is_grid(m);
    int n_series = 0;
    long at = 0;
    for (int i = 0; i < scan->n_class && n_series < MOST_NAMED; i++) {
        const carom_scan_class *c = &scan->class[i];
        if (is_map && c->label < 0) continue; // its cells stay white
        name_class(scan, c, name[n_series]);
        const long n = is_map ? 0 : take_points(m, c->label, at);
        series[n_series++] = (carom_series){.name = name[i],
                                            .x = m->px + at,
                                            .y = m->py + at,
                                            .n = n,
                                            .stroke = CAROM_STROKE_POINTS,
                                            .colour = c->label > 0 ? c->label : 8};
        series[n_series - 1].name = name[n_series - 1];
        at += n;
    }
    const carom_cells cells = {m->x, m->y, m->colour, m->n_x, m->n_y};
    const carom_plot panel = {
        .x = {.label = scan->column[0], .is_log = scan->design.axis[0].is_log},
        .y = {.label = scan->column[1], .is_log = scan->design.axis[1].is_log},
        .series = series,
        .n_series = n_series,
        .cells = is_map ? &cells : NULL};
    const carom_figure figure = {.panel = &panel, .n_panel = 1, .panel_height = 560};
    return carom_figure_write(&figure, path, error);
}

static bool make_map(basin_map *m)
{
    const size_t room = (size_t)m->scan->chains.n_unit + 1;
    m->px = malloc(room * sizeof *m->px);
    m->py = malloc(room * sizeof *m->py);
    return m->px && m->py && take_axes(m) && (!is_grid(m) || fill_cells(m));
}

carom_status carom_basin_draw(const carom_scan *scan, const char *path, carom_error *error)
{
    if (scan->design.n_axis != 2)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "the picture of a basin needs two starts that vary; here there are %d "
                          "(--start gives the others)",
                          scan->design.n_axis);
    basin_map m = {.scan = scan};
    const carom_status status =
        make_map(&m) ? draw_map(&m, path, error) : carom_scan_no_memory(error);
    free(m.x);
    free(m.y);
    free(m.colour);
    free(m.px);
    free(m.py);
    return status;
}
