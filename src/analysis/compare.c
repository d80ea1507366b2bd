// SPDX-License-Identifier: Apache-2.0
// Compares two CSV files, column by column by name and row by row, as they are read: memory does
// not grow with the files. The difference of two cells is
//
//     |a - b|      of numbers
//     0            of equal texts, nan and nan, inf and inf
//     infinite     where only one is a number
//
// CAROM_IO: a file cannot be read as CSV. CAROM_BAD_INPUT: both can, but they do not have
// the same columns and rows.
#include "carom/analysis.h"

#include "base/files/csv_names.h"
#include "base/files/csv_rows.h"
#include "base/limits.h"
#include "base/need.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double difference(const char *a, const char *b)
{
    double x, y;
    if (strcmp(a, b) == 0) return 0;
    if (!carom_csv_number(a, &x) || !carom_csv_number(b, &y)) return INFINITY;
    if (isnan(x) || isnan(y)) return isnan(x) && isnan(y) ? 0 : INFINITY;
    return x == y ? 0 : fabs(x - y);
}

// where each column of a stands in b, by name in either spelling
static carom_status match_columns(const carom_csv_rows *a, const carom_csv_rows *b,
                                  carom_comparison *result, int *where, carom_error *error)
{
    for (int i = 0; i < a->n_cell; i++) {
        carom_column_difference *column = &result->column[i];
        snprintf(column->name, sizeof column->name, "%s", a->cell[i]);
        column->at = NAN;
        // most often the order is the same
        int k = i < b->n_cell && carom_csv_names_match(a->cell[i], b->cell[i]) ? i : 0;
        while (k < b->n_cell && !carom_csv_names_match(a->cell[i], b->cell[k])) k++;
        if (k == b->n_cell)
            return carom_fail(error, CAROM_BAD_INPUT, "%s: has no column '%s', as %s has", b->path,
                              column->name, a->path);
        where[i] = k;
    }
    if (a->n_cell == b->n_cell) return CAROM_OK;
    return carom_fail(error, CAROM_BAD_INPUT, "%s has %d columns, but %s has %d", a->path,
                      a->n_cell, b->path, b->n_cell);
}

static void compare_row(const carom_csv_rows *a, const carom_csv_rows *b, const int *where,
                        carom_comparison *result)
{
    double at = NAN;
    if (!carom_csv_number(a->cell[0], &at)) at = (double)result->n_row;
    for (int i = 0; i < result->n_column; i++) {
        carom_column_difference *column = &result->column[i];
        const double d = difference(a->cell[i], b->cell[where[i]]);
        if (d > column->largest) {
            column->largest = d;
            column->at = at;
        }
        if (d > result->largest) result->largest = d;
    }
}

static carom_status tell_shorter(const carom_csv_rows *shorter, const carom_csv_rows *longer,
                                 long n_row, carom_error *error)
{
    char cut[64] = "";
    if (shorter->is_cut) snprintf(cut, sizeof cut, " (cut off after line %d)", shorter->number - 1);
    return carom_fail(error, CAROM_BAD_INPUT, "%s ends after %ld rows%s, %s goes on", shorter->path,
                      n_row, cut, longer->path);
}

static carom_status compare_rows(carom_csv_rows *a, carom_csv_rows *b, const int *where,
                                 carom_comparison *result, carom_error *error)
{
    for (;;) {
        CAROM_TRY(carom_csv_rows_next(a, error));
        CAROM_TRY(carom_csv_rows_next(b, error));
        if (!a->n_cell && !b->n_cell) return CAROM_OK;
        if (!a->n_cell || !b->n_cell)
            return tell_shorter(a->n_cell ? b : a, a->n_cell ? a : b, result->n_row, error);
        CAROM_TRY(carom_csv_rows_check(a, result->n_column, error));
        CAROM_TRY(carom_csv_rows_check(b, result->n_column, error));
        compare_row(a, b, where, result);
        result->n_row++;
    }
}

static carom_status compare_tables(carom_csv_rows *a, carom_csv_rows *b, carom_comparison *result,
                                   carom_error *error)
{
    const size_t n = (size_t)a->n_cell;
    int *where = calloc(n, sizeof *where);
    result->n_column = a->n_cell;
    result->column = calloc(n, sizeof *result->column);
    carom_status status =
        where && result->column ? CAROM_OK : carom_fail(error, CAROM_NO_MEMORY, "memory ran out");
    if (status == CAROM_OK) status = match_columns(a, b, result, where, error);
    if (status == CAROM_OK) status = compare_rows(a, b, where, result, error);
    free(where);
    return status;
}

// a file above its limit is not read, which does not make it different
static carom_status open_table(carom_csv_rows *t, const char *path, carom_error *error)
{
    const carom_status status = carom_csv_rows_open(t, path, error);
    if (status != CAROM_BAD_INPUT) return status;
    if (error) error->status = CAROM_IO;
    return CAROM_IO;
}

carom_status carom_compare_csv(const char *path_a, const char *path_b, carom_comparison *result,
                               carom_error *error)
{
    return carom_compare_csv_with(path_a, path_b, NULL, result, error);
}

carom_status carom_compare_csv_with(const char *path_a, const char *path_b,
                                    const carom_limits *limits, carom_comparison *result,
                                    carom_error *error)
{
    const carom_limits *most = carom_limits_or_default(limits);
    carom_csv_rows a = {.limits = most}, b = {.limits = most};
    CAROM_NEED(error, path_a);
    CAROM_NEED(error, path_b);
    CAROM_NEED(error, result);
    *result = (carom_comparison){0};
    carom_status status = open_table(&a, path_a, error);
    if (status == CAROM_OK) status = open_table(&b, path_b, error);
    if (status == CAROM_OK) status = compare_tables(&a, &b, result, error);
    carom_csv_rows_close(&a);
    carom_csv_rows_close(&b);
    if (status != CAROM_OK) carom_comparison_free(result);
    return status;
}

void carom_comparison_free(carom_comparison *result)
{
    if (!result) return;
    free(result->column);
    *result = (carom_comparison){0};
}
