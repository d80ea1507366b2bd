// SPDX-License-Identifier: Apache-2.0
// Jumps of a scan that goes up and down: for each value the points of both ways are compared,
// sorted, in every column shown. Values in a row at which they differ are one line.
#include "studies/orbits/branch.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double differs = 1e-3; // of the range of a column over the whole scan

// rows of both ways at one place of a chain
typedef struct pair {
    const carom_unit *up, *down;
} pair;

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double *sorted(const carom_scan *scan, const carom_unit *unit, int column)
{
    double *y = malloc(sizeof *y * (size_t)(unit->n_row + 1));
    for (int i = 0; y && i < unit->n_row; i++)
        y[i] = unit->row[(size_t)i * (size_t)scan->n_column + (size_t)column];
    if (y) qsort(y, (size_t)unit->n_row, sizeof *y, by_size);
    return y;
}

// the range of a column over all units
static double range_of(const carom_scan *scan, int column)
{
    double low = INFINITY, high = -INFINITY;
    for (long u = 0; u < scan->chains.n_unit; u++)
        for (int i = 0; i < scan->unit[u].n_row; i++) {
            const double y = scan->unit[u].row[(size_t)i * (size_t)scan->n_column + (size_t)column];
            low = fmin(low, y);
            high = fmax(high, y);
        }
    return high > low ? high - low : 0;
}

static double period_of(const carom_scan *scan, const carom_unit *unit)
{
    return unit->n_row > 0 ? unit->row[scan->design.n_axis + 1] : NAN;
}

// whether the two are the same motion; irregular ones are not compared point by point
static bool is_same(const carom_scan *scan, const pair *p, const double *range)
{
    const double up = period_of(scan, p->up), down = period_of(scan, p->down);
    if (!p->up->is_done || !p->down->is_done || p->up->has_failed || p->down->has_failed)
        return true;
    if (up != down) return false;
    if (up == 0) return true;
    for (int c = scan->design.n_axis + 3; c < scan->n_column; c++) {
        double *a = sorted(scan, p->up, c), *b = sorted(scan, p->down, c);
        bool is = a && b;
        for (int i = 0; is && i < p->up->n_row; i++) is = fabs(a[i] - b[i]) <= differs * range[c];
        free(a);
        free(b);
        if (!is) return false;
    }
    return true;
}

static void describe(const carom_scan *scan, const pair *first, const pair *last, FILE *out)
{
    const double up = period_of(scan, first->up), down = period_of(scan, first->down);
    const double from = first->up->row[0], to = last->up->row[0];
    fprintf(out, "%s = %.9g .. %.9g", scan->column[0], fmin(from, to), fmax(from, to));
    for (int k = 1; k < scan->design.n_axis; k++)
        fprintf(out, ", %s = %.9g", scan->column[k], first->up->row[k]);
    fputs(": ", out);
    const double period[] = {up, down};
    static const char *const way[] = {"up", "down"};
    for (int i = 0; i < 2; i++) {
        fprintf(out, "%s%s ", i ? ", " : "", way[i]);
        if (period[i] > 0)
            fprintf(out, "period %g", period[i]);
        else
            fputs("irregular", out);
    }
    fputc('\n', out);
}

static void compare_chain(const carom_scan *scan, long chain, const double *range, FILE *out)
{
    const long start = scan->chains.first[chain];
    const long n = (scan->chains.first[chain + 1] - start) / 2;
    pair first = {0}, last = {0};
    bool is_open = false;
    for (long i = 0; i <= n; i++) {
        const pair p = {&scan->unit[start + i], &scan->unit[start + 2 * n - 1 - i]};
        const bool is_different = i < n && !is_same(scan, &p, range);
        if (is_different && !is_open) first = p;
        if (!is_different && is_open) describe(scan, &first, &last, out);
        if (is_different) last = p;
        is_open = is_different;
    }
}

// "fold at A = 0.65", one line for each special point of all branches
static carom_status list_specials(carom_scan *scan, carom_error *error)
{
    const int n = scan->design.n_axis;
    size_t size = 0;
    double *row = malloc(sizeof *row * (size_t)scan->n_column);
    FILE *out = row ? open_memstream(&scan->hysteresis, &size) : NULL;
    for (long i = 0; out && i < carom_scan_n_row(scan); i++) {
        if (carom_scan_row(scan, i, row, NULL) != CAROM_OK || !(row[n + 5] > 0)) continue;
        fprintf(out, "%s at %s = %.12g", carom_special_word((carom_special)(int)row[n + 5]),
                scan->column[n], row[n]);
        for (int k = 0; k < n; k++) fprintf(out, ", %s = %.12g", scan->column[k], row[k]);
        fprintf(out, "\n");
    }
    if (out) fclose(out);
    free(row);
    return scan->hysteresis ? CAROM_OK : carom_scan_no_memory(error);
}

carom_status carom_hysteresis_find(carom_scan *scan, carom_error *error)
{
    const carom_scan_chains *c = &scan->chains;
    free(scan->hysteresis);
    scan->hysteresis = NULL;
    if (scan->kind && scan->kind->continues) return list_specials(scan, error);
    const bool has_period = scan->n_column > scan->design.n_axis + 3 &&
                            strcmp(scan->column[scan->design.n_axis + 1], "period") == 0;
    if (!c->is_followed || !c->goes_up || !c->goes_down || !has_period) return CAROM_OK;
    double *range = calloc((size_t)scan->n_column, sizeof *range);
    size_t size = 0;
    FILE *out = range ? open_memstream(&scan->hysteresis, &size) : NULL;
    if (out) {
        for (int i = scan->design.n_axis + 3; i < scan->n_column; i++) range[i] = range_of(scan, i);
        for (long i = 0; i < c->n; i++) compare_chain(scan, i, range, out);
        fclose(out);
    }
    free(range);
    return scan->hysteresis ? CAROM_OK : carom_scan_no_memory(error);
}

carom_status carom_scan_conclude(carom_scan *scan, carom_error *error)
{
    CAROM_TRY(carom_hysteresis_find(scan, error));
    return scan->kind->conclude ? scan->kind->conclude(scan, error) : CAROM_OK;
}

const char *carom_scan_findings(const carom_scan *scan)
{
    return scan && scan->findings ? scan->findings : "";
}

const char *carom_scan_hysteresis(const carom_scan *scan)
{
    return scan && scan->hysteresis ? scan->hysteresis : "";
}
