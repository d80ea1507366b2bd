// SPDX-License-Identifier: Apache-2.0
// The picture of branches: a panel for the first coordinates and one for the period where it
// changes, over the parameter; solid where orbits are stable, dashed where they are not, special
// points as marks with their names in the legend.
#include "studies/orbits/branch.h"

#include "carom/plot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PANELS = 3, SERIES = 1 + CAROM_SPECIALS };
enum { WAY = 1, PERIOD = 3, STABLE = 4, POINT = 5, FIRST = 9 }; // columns behind the parameter's

// curves of one panel: stable, unstable, and marks for each kind of special points
typedef struct curves {
    double *x, *y[SERIES];
    long n;
} curves;

static bool take(curves *c, long room)
{
    bool is_taken = (c->x = malloc(sizeof(double) * (size_t)room)) != NULL;
    for (int k = 0; k < SERIES; k++)
        is_taken &= (c->y[k] = malloc(sizeof(double) * (size_t)room)) != NULL;
    return is_taken;
}

static void give_back(curves *c)
{
    free(c->x);
    for (int k = 0; k < SERIES; k++) free(c->y[k]);
}

static void add(curves *c, double x, double stable, double unstable)
{
    c->x[c->n] = x;
    for (int k = 0; k < SERIES; k++) c->y[k][c->n] = NAN;
    c->y[0][c->n] = stable;
    c->y[1][c->n++] = unstable;
}

// way and unit of two rows are the same: they are joined
static bool is_joined(const carom_scan *scan, const double *a, const double *b)
{
    const int n = scan->design.n_axis;
    return memcmp(a, b, sizeof *a * (size_t)n) == 0 && a[n + WAY] == b[n + WAY];
}

// a point of the curves; one that is special, or where the stability changes, belongs to both
static void add_row(const carom_scan *scan, int column, const double *row, bool changes, curves *c)
{
    const int n = scan->design.n_axis, special = (int)row[n + POINT];
    const double y = row[column];
    const bool is_stable = row[n + STABLE] == 1, is_both = special > 0 || changes;
    add(c, row[n], is_stable || is_both ? y : NAN, !is_stable || is_both ? y : NAN);
    if (special > 0 && special < CAROM_SPECIALS) c->y[1 + special][c->n - 1] = y;
}

// row, last, first: room for a row each; the way down begins where the way up does
static void take_rows(const carom_scan *scan, int column, double *row, curves *c)
{
    const int n = scan->design.n_axis;
    const size_t size = sizeof *row * (size_t)scan->n_column;
    double *last = row + scan->n_column, *first = last + scan->n_column;
    for (long i = 0; i < carom_scan_n_row(scan); i++) {
        if (carom_scan_row(scan, i, row, NULL) != CAROM_OK) continue;
        const bool is_new = i == 0 || !is_joined(scan, row, last);
        if (is_new && i > 0) add(c, NAN, NAN, NAN);
        if (is_new && row[n + WAY] == 1) memcpy(first, row, size);
        if (is_new && row[n + WAY] == -1) {
            add_row(scan, column, first, false, c);
            memcpy(last, first, size);
        }
        const bool changes =
            (!is_new || row[n + WAY] == -1) && (last[n + STABLE] == 1) != (row[n + STABLE] == 1);
        add_row(scan, column, row, changes, c);
        memcpy(last, row, size);
    }
}

static int set_series(const curves *c, carom_series *series)
{
    int n = 0;
    for (int k = 0; k < SERIES; k++) {
        bool is_there = false;
        for (long i = 0; i < c->n; i++) is_there |= isfinite(c->y[k][i]);
        if (!is_there) continue;
        const bool is_mark = k > 1;
        series[n++] = (carom_series){k == 0   ? "stable"
                                     : k == 1 ? "unstable"
                                              : carom_special_word((carom_special)(k - 1)),
                                     c->x,
                                     c->y[k],
                                     c->n,
                                     is_mark  ? CAROM_STROKE_POINTS
                                     : k == 0 ? CAROM_STROKE_LINE
                                              : CAROM_STROKE_DASHED,
                                     is_mark ? k : 1};
    }
    return n;
}

// the period is drawn where it is not the same everywhere
static bool period_varies(const carom_scan *scan, double *row)
{
    double low = INFINITY, high = -INFINITY;
    for (long i = 0; i < carom_scan_n_row(scan); i++) {
        if (carom_scan_row(scan, i, row, NULL) != CAROM_OK) continue;
        low = fmin(low, row[scan->design.n_axis + PERIOD]);
        high = fmax(high, row[scan->design.n_axis + PERIOD]);
    }
    return high - low > 1e-9 * fabs(high);
}

carom_status carom_branch_draw(const carom_scan *scan, const char *path, carom_error *error)
{
    const int n = scan->design.n_axis, n_q = scan->size.nq < 2 ? scan->size.nq : 2;
    double *row = malloc(3 * sizeof *row * (size_t)scan->n_column);
    if (!row) return carom_scan_no_memory(error);
    curves curve[MOST_PANELS] = {{0}};
    carom_series series[MOST_PANELS][SERIES];
    carom_plot panel[MOST_PANELS] = {0};
    const int n_panel = n_q + period_varies(scan, row);
    carom_status status = CAROM_OK;
    for (int k = 0; k < n_panel && status == CAROM_OK; k++) {
        const int column = n + (k < n_q ? FIRST + k : PERIOD);
        if (!take(&curve[k], 3 * carom_scan_n_row(scan) + 1)) status = carom_scan_no_memory(error);
        if (status != CAROM_OK) break;
        take_rows(scan, column, row, &curve[k]);
        panel[k] = (carom_plot){.x = {.label = scan->column[n]},
                                .y = {.label = scan->column[column]},
                                .series = series[k],
                                .n_series = set_series(&curve[k], series[k])};
    }
    const carom_figure figure = {.panel = panel, .n_panel = n_panel};
    if (status == CAROM_OK) status = carom_figure_write(&figure, path, error);
    for (int k = 0; k < MOST_PANELS; k++) give_back(&curve[k]);
    free(row);
    return status;
}
