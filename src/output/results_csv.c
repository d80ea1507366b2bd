// SPDX-License-Identifier: Apache-2.0
// CSV files of rows, read back. What the numbers are stands in FILE.csv.json, or (before version
// 0.2) in lines "# key: value"; without either the file is a table of another program, and can be
// read too. A cell that is no number is not-a-number.
#include "base/files/csv_rows.h"
#include "base/text.h"
#include "output/sidefile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// What stands in the lines that start with '#'.
typedef struct notes {
    carom_results *results;
    char *units; ///< "s,,m" or NULL
    bool is_short;
} notes;

static void take_note(void *self, char *line)
{
    notes *n = self;
    carom_output_head *head = &n->results->head;
    const struct {
        const char *key;
        const char **text;
    } row[] = {{"# carom: ", &head->version},
               {"# model: ", &head->model},
               {"# scheme: ", &head->scheme},
               {"# solver: ", &head->solver},
               {"# units: ", (const char **)&n->units}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        const size_t length = strlen(row[i].key);
        if (*row[i].text || strncmp(line, row[i].key, length) != 0) continue;
        *row[i].text = carom_arena_string(n->results->arena, line + length);
        n->is_short |= !*row[i].text;
    }
    if (strncmp(line, "# step: ", 8) == 0) head->step = carom_text_strtod(line + 8, NULL);
    if (strncmp(line, "# end: ", 7) == 0) head->end = carom_text_strtod(line + 7, NULL);
    if (strncmp(line, "# partial: ", 11) == 0) {
        n->results->is_whole = false;
        n->results->cut_off = carom_arena_string(n->results->arena, line + 11);
        if (!n->results->cut_off) n->is_short = true;
    }
}

// what a column of a carom file is, from its name and unit; "" where that is not known
static const char *group_of(const char *name, const char *unit)
{
    static const char *const row[][3] = {
        {"gap_", "m", "gap"},       {"rate_", "m/s", "rate"},     {"P_", "N s", "P"},
        {"la_", "N", "la"},         {"slip_", "m/s", "slip"},     {"PT_", "N s", "PT"},
        {"laT_", "N", "laT"},       {"drift_", "", "drift"},      {"der_", "", "u"},
        {"kinetic", "J", "energy"}, {"potential", "J", "energy"}, {"energy", "J", "energy"}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++)
        if (strncmp(name, row[i][0], strlen(row[i][0])) == 0 && strcmp(unit, row[i][1]) == 0)
            return row[i][2];
    return "";
}

// coordinates have no prefix: they stand between t and the first rate
static void find_coordinates(carom_results *results)
{
    int first_rate = 1;
    while (first_rate < results->n_column && !*results->column[first_rate].group) first_rate++;
    if (first_rate == results->n_column || strcmp(results->column[0].name, "t") != 0) return;
    results->column[0].group = "t";
    for (int i = 1; i < first_rate; i++) results->column[i].group = "q";
}

static carom_status name_columns(carom_results *results, const carom_csv_rows *rows, char *units,
                                 carom_error *error)
{
    results->n_column = rows->n_cell;
    results->column = CAROM_TAKE(results->arena, carom_column, rows->n_cell);
    if (!results->column) return carom_fail(error, CAROM_NO_MEMORY, "out of memory");
    for (int i = 0; i < rows->n_cell; i++) {
        char *comma = units ? strchr(units, ',') : NULL;
        if (comma) *comma = 0;
        const char *name = carom_arena_string(results->arena, rows->cell[i]);
        if (!name) return carom_fail(error, CAROM_NO_MEMORY, "out of memory");
        const char *unit = units ? units : "";
        results->column[i] = (carom_column){name, unit, group_of(name, unit)};
        units = comma ? comma + 1 : NULL;
    }
    if (results->head.version) find_coordinates(results);
    return CAROM_OK;
}

static carom_status count_rows(carom_results *results, carom_csv_rows *rows, carom_error *error)
{
    for (;;) {
        CAROM_TRY(carom_csv_rows_next(rows, error));
        if (!rows->n_cell) break;
        CAROM_TRY(carom_csv_rows_check(rows, results->n_column, error));
        results->n_row++;
    }
    if (!rows->is_cut) return CAROM_OK;
    results->is_whole = false;
    results->cut_off =
        carom_arena_format(results->arena, "cut off after line %d%s%s", rows->number - 1,
                           *results->cut_off ? ": " : "", results->cut_off);
    return results->cut_off ? CAROM_OK : carom_fail(error, CAROM_NO_MEMORY, "out of memory");
}

static carom_status visit_rows(carom_csv_rows *rows, const carom_results *results,
                               carom_selection s, carom_rows_visitor visitor, carom_error *error)
{
    const long most = carom_results_block(s.n);
    double *block = malloc(sizeof *block * (size_t)most * (size_t)(s.n > 0 ? s.n : 1));
    if (!block) return carom_fail(error, CAROM_NO_MEMORY, "out of memory");
    carom_status status = CAROM_OK;
    long n = 0;
    while (status == CAROM_OK) {
        status = carom_csv_rows_next(rows, error);
        const bool is_end = status != CAROM_OK || !rows->n_cell;
        if (!is_end) status = carom_csv_rows_check(rows, results->n_column, error);
        for (int i = 0; !is_end && status == CAROM_OK && i < s.n; i++)
            status = carom_csv_rows_number(rows, s.column[i], &block[n * s.n + i], error);
        if (!is_end) n++;
        if (status == CAROM_OK && n > 0 && (is_end || n == most)) {
            status = visitor.rows(visitor.self, block, n, error);
            n = 0;
        }
        if (is_end) break;
    }
    free(block);
    return status;
}

static carom_status visit(carom_results *results, carom_selection selection,
                          carom_rows_visitor visitor, carom_error *error)
{
    carom_csv_rows rows = {0};
    carom_status status = carom_csv_rows_open(&rows, results->path, error);
    if (status == CAROM_OK) status = visit_rows(&rows, results, selection, visitor, error);
    carom_csv_rows_close(&rows);
    return status;
}

carom_status carom_results_open_csv(carom_results *results, carom_error *error)
{
    notes n = {.results = results};
    carom_csv_rows rows = {.comment = take_note, .self = &n};
    results->visit = visit;
    carom_status status = carom_csv_rows_open(&rows, results->path, error);
    if (status == CAROM_OK) status = name_columns(results, &rows, n.units, error);
    if (status == CAROM_OK) status = carom_side_read(results, error);
    if (status == CAROM_OK) status = count_rows(results, &rows, error);
    if (status == CAROM_OK && n.is_short)
        status = carom_fail(error, CAROM_NO_MEMORY, "out of memory");
    carom_csv_rows_close(&rows);
    return status;
}
