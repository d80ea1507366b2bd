// SPDX-License-Identifier: Apache-2.0
// Compares two CSV files, column by column by name and row by row, as they are read: memory does
// not grow with the files. Lines that start with '#' are comments; names and cells may be quoted
// ("" inside quotes is one quote).
//
//     difference = |a - b|,  0 for equal texts, nan and nan, inf and inf;  infinite where only one
//     is a number
//
// CAROM_IO: a file cannot be read as CSV. CAROM_BAD_INPUT: both can, but they do not have the same
// columns and rows.
#include "carom/analysis.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct table {
    const char *path;
    FILE *file;
    char *line; // the row being read; cells point into it
    size_t room;
    int number; // of the line in the file, from 1
    char **cell;
    int n_cell, cell_room;
} table;

static carom_status fail_here(const table *t, carom_error *error, const char *what)
{
    const carom_place place = {t->path, t->number, t->number ? 1 : 0};
    return carom_fail_at(error, place, CAROM_IO, "%s", what);
}

// ends the cell that starts at text, takes its quotes away, and moves on behind its comma (NULL:
// the line ends)
static char *split_cell(char *text, char **next)
{
    if (*text != '"') {
        char *comma = strchr(text, ',');
        if (comma) *comma = 0;
        *next = comma ? comma + 1 : NULL;
        return text;
    }
    char *to = text, *from = text + 1;
    while (*from && !(from[0] == '"' && from[1] != '"')) {
        if (*from == '"') from++;
        *to++ = *from++;
    }
    if (*from == '"') from++;
    *next = *from == ',' ? from + 1 : NULL;
    *to = 0;
    return text;
}

static carom_status add_cell(table *t, char *cell, carom_error *error)
{
    if (t->n_cell == t->cell_room) {
        const int room = 2 * t->cell_room + 16;
        char **cells = realloc(t->cell, sizeof *cells * (size_t)room);
        if (!cells) return carom_fail(error, CAROM_NO_MEMORY, "memory ran out");
        t->cell = cells;
        t->cell_room = room;
    }
    t->cell[t->n_cell++] = cell;
    return CAROM_OK;
}

// reads the next row that is no comment; n_cell = 0 at the end of the file
static carom_status read_row(table *t, carom_error *error)
{
    t->n_cell = 0;
    for (;;) {
        errno = 0;
        const ssize_t length = getline(&t->line, &t->room, t->file);
        if (length < 0 && (ferror(t->file) || errno == ENOMEM))
            return fail_here(t, error, errno ? strerror(errno) : "cannot be read");
        if (length < 0) return CAROM_OK;
        t->number++;
        if (strlen(t->line) != (size_t)length)
            return fail_here(t, error, "not a CSV file: it holds zero bytes");
        t->line[strcspn(t->line, "\r\n")] = 0;
        if (t->line[0] != '#' && t->line[0]) break;
    }
    for (char *next = t->line; next;) {
        char *cell = split_cell(next, &next);
        CAROM_TRY(add_cell(t, cell, error));
    }
    return CAROM_OK;
}

static carom_status open_table(table *t, const char *path, carom_error *error)
{
    *t = (table){.path = path};
    t->file = fopen(path, "r");
    if (!t->file)
        return carom_fail(error, CAROM_IO, "%s: cannot be read: %s", path, strerror(errno));
    CAROM_TRY(read_row(t, error));
    return t->n_cell ? CAROM_OK : fail_here(t, error, "holds no line with column names");
}

static void close_table(table *t)
{
    if (t->file) fclose(t->file);
    free(t->line);
    free(t->cell);
}

static bool read_number(const char *text, double *value)
{
    char *end;
    *value = strtod(text, &end);
    return end != text && *end == 0;
}

static double difference(const char *a, const char *b)
{
    double x, y;
    if (strcmp(a, b) == 0) return 0;
    if (!read_number(a, &x) || !read_number(b, &y)) return INFINITY;
    if (isnan(x) || isnan(y)) return isnan(x) && isnan(y) ? 0 : INFINITY;
    return x == y ? 0 : fabs(x - y);
}

static bool is_same_name(const carom_column_difference *column, const char *name)
{
    return strncmp(column->name, name, sizeof column->name - 1) == 0;
}

// where each column of a stands in b, by name
static carom_status match_columns(const table *a, const table *b, carom_comparison *result,
                                  int *where, carom_error *error)
{
    for (int i = 0; i < a->n_cell; i++) {
        carom_column_difference *column = &result->column[i];
        snprintf(column->name, sizeof column->name, "%s", a->cell[i]);
        column->at = NAN;
        // most often the order is the same
        int k = i < b->n_cell && is_same_name(column, b->cell[i]) ? i : 0;
        while (k < b->n_cell && !is_same_name(column, b->cell[k])) k++;
        if (k == b->n_cell)
            return carom_fail(error, CAROM_BAD_INPUT, "%s: has no column '%s', as %s has", b->path,
                              column->name, a->path);
        where[i] = k;
    }
    if (a->n_cell == b->n_cell) return CAROM_OK;
    return carom_fail(error, CAROM_BAD_INPUT, "%s has %d columns, but %s has %d", a->path,
                      a->n_cell, b->path, b->n_cell);
}

static carom_status check_width(const table *t, int n, carom_error *error)
{
    char what[96];
    if (t->n_cell == n) return CAROM_OK;
    snprintf(what, sizeof what, "%d cells in a table of %d columns", t->n_cell, n);
    return fail_here(t, error, what);
}

static void compare_row(const table *a, const table *b, const int *where, carom_comparison *result)
{
    double at = NAN;
    if (!read_number(a->cell[0], &at)) at = (double)result->n_row;
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

static carom_status compare_rows(table *a, table *b, const int *where, carom_comparison *result,
                                 carom_error *error)
{
    for (;;) {
        CAROM_TRY(read_row(a, error));
        CAROM_TRY(read_row(b, error));
        if (!a->n_cell && !b->n_cell) return CAROM_OK;
        if (!a->n_cell || !b->n_cell)
            return carom_fail(error, CAROM_BAD_INPUT, "%s ends after %ld rows, %s goes on",
                              a->n_cell ? b->path : a->path, result->n_row,
                              a->n_cell ? a->path : b->path);
        CAROM_TRY(check_width(a, result->n_column, error));
        CAROM_TRY(check_width(b, result->n_column, error));
        compare_row(a, b, where, result);
        result->n_row++;
    }
}

static carom_status compare_tables(table *a, table *b, carom_comparison *result, carom_error *error)
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

carom_status carom_compare_csv(const char *path_a, const char *path_b, carom_comparison *result,
                               carom_error *error)
{
    table a = {0}, b = {0};
    *result = (carom_comparison){0};
    carom_status status = open_table(&a, path_a, error);
    if (status == CAROM_OK) status = open_table(&b, path_b, error);
    if (status == CAROM_OK) status = compare_tables(&a, &b, result, error);
    close_table(&a);
    close_table(&b);
    if (status != CAROM_OK) carom_comparison_free(result);
    return status;
}

void carom_comparison_free(carom_comparison *result)
{
    free(result->column);
    *result = (carom_comparison){0};
}
