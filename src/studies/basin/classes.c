// SPDX-License-Identifier: Apache-2.0
// What all rows of a basin say together. Starts that settled where the first look had found nothing
// are put together (same period, same impacts, first points as near as 1e-3 of the largest) and get
// the labels behind; then starts are counted.
//
// How ragged the borders are: a start is uncertain at the distance d where the one d cells farther
// along an axis ends elsewhere. Of such starts there is a share f ~ d^a; the border has the
// dimension (axes - a) (Grebogi, McDonald, Ott, Yorke 1983). a = 1 is a smooth border.
#include "studies/basin/attractors.h"

#include "base/grow.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CLASSES = 256 };
static const double same = 1e-3;

typedef struct sorting {
    carom_scan *scan;
    double *size; // (n_point) largest of a column of points
    int n_point;
    int n_known; // labels that rows had before
} sorting;

static double *numbers_of(const carom_scan *scan, const carom_unit *unit)
{
    const bool is_told = unit->is_done && !unit->has_failed && unit->n_row == 1;
    return is_told ? unit->row + scan->design.n_axis : NULL;
}

static bool is_class(const sorting *s, const carom_scan_class *c, const double *row)
{
    if (row[CAROM_BASIN_LABEL] != 0 || c->label != 0) return c->label == row[CAROM_BASIN_LABEL];
    if (isnan(row[CAROM_BASIN_PERIOD]) || isnan(c->period))
        return isnan(row[CAROM_BASIN_PERIOD]) && isnan(c->period);
    if (c->period != row[CAROM_BASIN_PERIOD] || c->impacts != row[CAROM_BASIN_IMPACTS])
        return false;
    for (int k = 0; k < s->n_point; k++)
        if (fabs(c->point[k] - row[CAROM_BASIN_POINT + k]) > same * s->size[k]) return false;
    return true;
}

static carom_status count(sorting *s, const double *row, carom_error *error)
{
    carom_scan *scan = s->scan;
    for (int i = 0; i < scan->n_class; i++)
        if (is_class(s, &scan->class[i], row)) {
            scan->class[i].n++;
            return CAROM_OK;
        }
    if (scan->n_class == MOST_CLASSES) return CAROM_OK; // all differ: nothing to be told apart
    if (!carom_grow(&scan->class, sizeof *scan->class, (size_t)scan->n_class + 1))
        return carom_scan_no_memory(error);
    scan->class[scan->n_class++] = (carom_scan_class){.label = (int)row[CAROM_BASIN_LABEL],
                                                      .n = 1,
                                                      .period = row[CAROM_BASIN_PERIOD],
                                                      .impacts = row[CAROM_BASIN_IMPACTS],
                                                      .point = row + CAROM_BASIN_POINT};
    return CAROM_OK;
}

// by label; those that have none yet by period, impacts and first point; then what did not settle
static int by_key(const void *a, const void *b)
{
    const carom_scan_class *x = a, *y = b;
    const bool is_x_late = x->label == 0, is_y_late = y->label == 0;
    if (is_x_late != is_y_late) return is_x_late ? 1 : -1;
    if (!is_x_late) return x->label < y->label ? -1 : x->label > y->label;
    if (isnan(x->period) || isnan(y->period)) return isnan(x->period) ? 1 : -1;
    if (x->period != y->period) return x->period < y->period ? -1 : 1;
    if (x->impacts != y->impacts) return x->impacts < y->impacts ? -1 : 1;
    return x->point[0] < y->point[0] ? -1 : x->point[0] > y->point[0];
}

static void measure_columns(sorting *s)
{
    for (long u = 0; u < s->scan->chains.n_unit; u++) {
        const double *row = numbers_of(s->scan, &s->scan->unit[u]);
        if (!row) continue;
        s->n_known = row[CAROM_BASIN_LABEL] > s->n_known ? (int)row[CAROM_BASIN_LABEL] : s->n_known;
        for (int k = 0; k < s->n_point; k++)
            if (isfinite(row[CAROM_BASIN_POINT + k]))
                s->size[k] = fmax(s->size[k], fabs(row[CAROM_BASIN_POINT + k]));
    }
}

// labels of those that settled late
static void label_rows(const sorting *s)
{
    int next = s->n_known;
    for (int i = 0; i < s->scan->n_class; i++) {
        carom_scan_class *c = &s->scan->class[i];
        if (c->label != 0 || isnan(c->period)) continue;
        next++;
        for (long u = 0; u < s->scan->chains.n_unit; u++) {
            double *row = numbers_of(s->scan, &s->scan->unit[u]);
            if (row && row[CAROM_BASIN_LABEL] == 0 && is_class(s, c, row))
                row[CAROM_BASIN_LABEL] = next;
        }
        c->label = next;
    }
}

// ---- what is said ----

static void describe(const carom_scan *scan, const carom_scan_class *c, long all, FILE *out)
{
    const int first = scan->design.n_axis + CAROM_BASIN_POINT;
    fprintf(out, "%-4d %8.4f %%  %8ld starts  ", c->label, 100 * (double)c->n / (double)all, c->n);
    if (c->label < 0) {
        fputs("go far away\n", out);
    } else if (isnan(c->period)) {
        fputs("do not settle\n", out);
    } else if (c->period == 0) {
        fputs("rest: no point of the section comes any more\n", out);
    } else {
        fprintf(out, "period %g, %g impact%s, at ", c->period, c->impacts,
                c->impacts == 1 ? "" : "s");
        for (int k = first; k < scan->n_column; k++) {
            const char *name = scan->column[k] + strlen("attractor(");
            fprintf(out, "%s%.*s = %.6g", k > first ? ", " : "", (int)strlen(name) - 1, name,
                    c->point[k - first]);
        }
        fputc('\n', out);
    }
}

// the length of the last axis: how many starts in a row have the same values of the others
static long last_axis(const carom_scan *scan)
{
    const int n_axis = scan->design.n_axis;
    long n = 1;
    while (n < scan->chains.n_unit && scan->unit[n].n_row == 1 &&
           memcmp(scan->unit[n].row, scan->unit[0].row, sizeof(double) * (size_t)(n_axis - 1)) == 0)
        n++;
    return n;
}

// the share of starts that end elsewhere d cells farther along the last axis
static double uncertain_share(const carom_scan *scan, long line, long d)
{
    long n = 0, differ = 0;
    for (long u = 0; u + d < scan->chains.n_unit; u++) {
        if (u % line + d >= line) continue;
        const double *a = numbers_of(scan, &scan->unit[u]),
                     *b = numbers_of(scan, &scan->unit[u + d]);
        if (!a || !b) continue;
        n++;
        differ += a[CAROM_BASIN_LABEL] != b[CAROM_BASIN_LABEL];
    }
    return n > 0 ? (double)differ / (double)n : 0;
}

// least squares of log f over log d, d = 1, 2, 4, 8
static void describe_border(const carom_scan *scan, FILE *out)
{
    if (scan->n_done < scan->chains.n_unit || scan->chains.n_unit < 2) return;
    const long line = last_axis(scan);
    double sum = 0, slope = 0;
    if (line < 32 || scan->chains.n_unit % line != 0) return;
    for (int i = 0; i < 4; i++) {
        const double x = (i - 1.5) * log(2), f = uncertain_share(scan, line, 1L << i);
        if (!(f > 0)) return;
        sum += x * x;
        slope += x * log(f);
    }
    fprintf(out, "borders: uncertainty exponent %.3f along '%s' (1 = smooth)\n", slope / sum,
            scan->column[scan->design.n_axis - 1]);
}

static carom_status say(carom_scan *scan, carom_error *error)
{
    size_t size = 0;
    long all = 0;
    free(scan->findings);
    scan->findings = NULL;
    FILE *out = open_memstream(&scan->findings, &size);
    if (!out) return carom_scan_no_memory(error);
    for (long u = 0; u < scan->chains.n_unit; u++) all += numbers_of(scan, &scan->unit[u]) != NULL;
    for (int i = 0; i < scan->n_class; i++) describe(scan, &scan->class[i], all, out);
    describe_border(scan, out);
    fclose(out);
    return scan->findings ? CAROM_OK : carom_scan_no_memory(error);
}

carom_status carom_basin_conclude(carom_scan *scan, carom_error *error)
{
    const int n_point = scan->n_column - scan->design.n_axis - CAROM_BASIN_POINT;
    if (n_point < 1) return CAROM_OK; // a store that is damaged
    sorting s = {.scan = scan, .n_point = n_point};
    s.size = CAROM_TAKE(scan->arena, double, n_point);
    if (!s.size) return carom_scan_no_memory(error);
    memset(s.size, 0, sizeof *s.size * (size_t)n_point);
    free(scan->class);
    scan->class = NULL;
    scan->n_class = 0;
    measure_columns(&s);
    for (long u = 0; u < scan->chains.n_unit; u++) {
        const double *row = numbers_of(scan, &scan->unit[u]);
        if (row) CAROM_TRY(count(&s, row, error));
    }
    if (scan->n_class > 0) qsort(scan->class, (size_t)scan->n_class, sizeof *scan->class, by_key);
    label_rows(&s);
    return say(scan, error);
}
