// SPDX-License-Identifier: Apache-2.0
// carom compare A.csv B.csv: the largest difference of each column. Like diff: 0 same, 1 different,
// 2 unreadable.
#include "commands/command_compare.h"

#include "access.h"
#include "terminal/json.h"
#include "terminal/message.h"
#include "terminal/plain.h"

#include <carom/analysis.h>
#include <carom/model.h>

#include <fnmatch.h>
#include <string.h>

// --tol is an expression too; a builder without parameters evaluates it
static carom_status read_tolerance(const char *text, double *tolerance, carom_error *error)
{
    *tolerance = 0;
    if (!text) return CAROM_OK;
    const carom_place place = {.file = "--tol"};
    carom_builder *builder = carom_builder_new();
    if (!builder) return carom_fail(error, CAROM_NO_MEMORY, "memory ran out");
    carom_status status =
        carom_builder_number(builder, (carom_text){text, place}, tolerance, error);
    carom_builder_free(builder);
    if (status == CAROM_OK && !(*tolerance >= 0))
        status =
            carom_fail_at(error, place, CAROM_BAD_INPUT, "must be a number from 0, not %s", text);
    return status;
}

static void print_table(const carom_comparison *c, double tolerance)
{
    printf("%-28s %14s %16s\n", "column", "difference", "at");
    for (int i = 0; i < c->n_column; i++) {
        const carom_column_difference *column = &c->column[i];
        printf("%-28s %14.6g", CAROM_PLAIN(column->name), column->largest);
        if (column->largest > 0) printf(" %16.9g", column->at);
        putchar('\n');
    }
    printf("%ld rows, largest difference %.6g: %s\n", c->n_row, c->largest,
           c->largest <= tolerance ? "same" : "different");
}

static bool write_json(const char *path, const carom_comparison *c, double tolerance)
{
    carom_json json;
    if (!carom_json_open(&json, path)) return false;
    carom_json_begin(&json, NULL, '{');
    carom_json_switch(&json, "same", c->largest <= tolerance);
    carom_json_number(&json, "tolerance", tolerance);
    carom_json_count(&json, "rows", c->n_row);
    carom_json_number(&json, "largest", c->largest);
    carom_json_begin(&json, "columns", '[');
    for (int i = 0; i < c->n_column; i++) {
        carom_json_begin(&json, NULL, '{');
        carom_json_text(&json, "name", c->column[i].name);
        carom_json_number(&json, "largest", c->column[i].largest);
        carom_json_number(&json, "at", c->column[i].at);
        carom_json_end(&json);
    }
    carom_json_end(&json);
    carom_json_end(&json);
    return carom_json_close(&json);
}

// rows of HDF5 would be read as lines of text
static bool is_hdf5(const char *path)
{
    const bool is = fnmatch("*.h5", path, 0) == 0 || fnmatch("*.hdf5", path, 0) == 0 ||
                    fnmatch("*.h5.*.part", path, 0) == 0 || fnmatch("*.hdf5.*.part", path, 0) == 0;
    if (is) carom_message_error("%s: only CSV files are compared; run with -o FILE.csv", path);
    return is;
}

int carom_compare_files(const carom_arguments *arguments)
{
    carom_error error = {0};
    carom_comparison comparison = {0};
    double tolerance;
    if (is_hdf5(arguments->word[0]) || is_hdf5(arguments->word[1])) return CAROM_EXIT_USAGE;
    if (read_tolerance(carom_arguments_value(arguments, "tol"), &tolerance, &error) != CAROM_OK) {
        carom_message_error("%s", error.message);
        return CAROM_EXIT_USAGE;
    }
    carom_limits limits;
    if (!carom_limits_read(&limits, arguments)) return CAROM_EXIT_USAGE;
    const carom_status status = carom_compare_csv_with(arguments->word[0], arguments->word[1],
                                                       &limits, &comparison, &error);
    if (status != CAROM_OK) {
        carom_message_error("%s", error.message);
        // files of different shape are different, not unreadable
        return status == CAROM_BAD_INPUT ? CAROM_EXIT_AUDIT : CAROM_EXIT_USAGE;
    }
    const char *json = carom_arguments_value(arguments, "json");
    const bool is_quiet = carom_arguments_value(arguments, "quiet") != NULL;
    bool is_good = !json || write_json(json, &comparison, tolerance);
    if (!is_quiet && !(json && strcmp(json, "-") == 0)) print_table(&comparison, tolerance);
    if (!(comparison.largest <= tolerance)) is_good = false;
    carom_comparison_free(&comparison);
    return is_good ? CAROM_EXIT_DONE : CAROM_EXIT_AUDIT;
}
