// SPDX-License-Identifier: Apache-2.0
// Files of rows, opened for reading: what does not depend on the format.
#include "output/results.h"

#include "base/files/beside.h"
#include "base/files/csv_names.h"
#include "base/files/plainfile.h"
#include "base/limits.h"
#include "base/need.h"
#include "base/text.h"
#include "output/output_journal.h"

#include <stdlib.h>
#include <string.h>

// The part of an HDF5 file is a journal. Where the results are a link, the part is named after what
// the link points to, whose name may end in any way: the bytes tell.
static bool is_journal(const char *path, size_t target)
{
    char start[sizeof carom_journal_magic] = "";
    FILE *file;
    if (carom_plainfile_open(path, NULL, &file, NULL) != CAROM_OK) return false;
    const size_t n = fread(start, 1, sizeof start - 1, file);
    fclose(file);
    if (n == sizeof start - 1) return memcmp(start, carom_journal_magic, n) == 0;
    return (target > 3 && memcmp(path + target - 3, ".h5", 3) == 0) ||
           (target > 5 && memcmp(path + target - 5, ".hdf5", 5) == 0);
}

static carom_status open_format(carom_results *results, carom_error *error)
{
    const char *path = results->path;
    const size_t target = carom_beside_target(path, "part");
    if (target > 0) {
        results->is_whole = false;
        results->cut_off = "the run was killed, or is still running";
        return is_journal(path, target) ? carom_results_open_journal(results, error)
                                        : carom_results_open_csv(results, error);
    }
#ifndef CAROM_HAS_HDF5
    if (carom_text_ends(path, ".journal")) return carom_results_open_journal(results, error);
#endif
    if (carom_text_ends(path, ".csv")) return carom_results_open_csv(results, error);
    if (!carom_text_ends(path, ".h5") && !carom_text_ends(path, ".hdf5"))
        return carom_fail(error, CAROM_BAD_INPUT,
                          "%s: no known ending; results end with .csv, .h5, .hdf5 or .part", path);
#ifdef CAROM_HAS_HDF5
    return carom_results_open_hdf5(results, error);
#else
    return carom_fail(error, CAROM_BAD_INPUT, "%s: this carom was built without HDF5", path);
#endif
}

// texts that the file does not have are empty
static void fill_head(carom_output_head *head)
{
    const char **const text[] = {&head->model,   &head->scheme,     &head->solver,
                                 &head->version, &head->model_path, &head->model_text,
                                 &head->changes, &head->options};
    for (size_t i = 0; i < sizeof text / sizeof *text; i++)
        if (!*text[i]) *text[i] = "";
}

carom_status carom_results_open(const char *path, carom_results **results, carom_error *error)
{
    CAROM_NEED(error, results);
    *results = NULL;
    CAROM_NEED(error, path);
    return carom_results_open_with(path, NULL, results, error);
}

carom_status carom_results_open_with(const char *path, const carom_limits *limits,
                                     carom_results **results, carom_error *error)
{
    CAROM_NEED(error, results);
    *results = NULL;
    CAROM_NEED(error, path);
    carom_results *made;
    FILE *file;
    const carom_limits *most = carom_limits_or_default(limits);
    CAROM_TRY(carom_plainfile_open(path, most, &file, error));
    fclose(file);
    CAROM_TRY(carom_results_open_own(path, &made, error));
    // a few bytes of an HDF5 file can claim any number of rows
    if ((double)made->n_row > most->rows + 2) { // start and end come on top
        carom_results_free(made);
        return carom_limit_fail(error, (carom_place){.file = path}, "holds", "rows", most->rows);
    }
    *results = made;
    return CAROM_OK;
}

carom_status carom_results_open_own(const char *path, carom_results **results, carom_error *error)
{
    return carom_results_open_as(path, open_format, results, error);
}

carom_status carom_results_open_as(const char *path, carom_results_opener *opener,
                                   carom_results **results, carom_error *error)
{
    carom_arena *arena = carom_arena_new();
    carom_results *made = arena ? CAROM_TAKE(arena, carom_results, 1) : NULL;
    *results = NULL;
    if (made) {
        made->arena = arena;
        made->path = carom_arena_string(arena, path);
        made->is_whole = true;
        made->run = made->cut_off = "";
    }
    if (!made || !made->path) {
        carom_arena_free(arena);
        return carom_fail(error, CAROM_NO_MEMORY, "out of memory");
    }
    const carom_status status = opener(made, error);
    fill_head(&made->head);
    if (status == CAROM_OK)
        *results = made;
    else
        carom_results_free(made);
    return status;
}

void carom_results_free(carom_results *results)
{
    if (!results) return;
    if (results->close) results->close(results);
    carom_arena_free(results->arena);
}

const char *carom_results_path(const carom_results *results)
{
    return results ? results->path : NULL;
}

const carom_output_head *carom_results_head(const carom_results *results)
{
    return results ? &results->head : NULL;
}

const char *carom_results_run(const carom_results *results)
{
    return results && results->run ? results->run : "";
}

int carom_results_n_column(const carom_results *results)
{
    return results ? results->n_column : 0;
}

const carom_column *carom_results_column(const carom_results *results, int i)
{
    return results && i >= 0 && i < results->n_column ? &results->column[i] : NULL;
}

int carom_results_find(const carom_results *results, const char *name)
{
    if (!results || !name) return -1;
    for (int i = 0; i < results->n_column; i++)
        if (strcmp(results->column[i].name, name) == 0) return i;
    for (int i = 0; i < results->n_column; i++)
        if (carom_csv_names_match(results->column[i].name, name)) return i;
    return -1;
}

long carom_results_n_row(const carom_results *results)
{
    return results ? results->n_row : 0;
}

bool carom_results_is_whole(const carom_results *results)
{
    return results && results->is_whole;
}

const char *carom_results_cut_off(const carom_results *results)
{
    return results ? results->cut_off : NULL;
}

const carom_audit *carom_results_audit(const carom_results *results)
{
    return results && results->has_audit ? &results->audit : NULL;
}

const carom_counts *carom_results_counts(const carom_results *results)
{
    return results && results->has_counts ? &results->counts : NULL;
}

long carom_results_block(int n)
{
    const long rows = CAROM_BLOCK_NUMBERS / (n > 0 ? n : 1);
    return rows > 0 ? rows : 1;
}

carom_status carom_results_visit(carom_results *results, const int *column, int n_column,
                                 carom_rows_visitor visitor, carom_error *error)
{
    CAROM_NEED(error, results);
    CAROM_NEED_ARRAY(error, column, n_column);
    CAROM_NEED(error, visitor.rows);
    const carom_selection selection = {column, n_column};
    for (int i = 0; i < n_column; i++)
        if (column[i] < 0 || column[i] >= results->n_column)
            return carom_misuse(error, __func__, "%s has no column %d", results->path, column[i]);
    return results->visit(results, selection, visitor, error);
}

carom_status carom_results_events(carom_results *results, const carom_logged_event **event, long *n,
                                  carom_error *error)
{
    CAROM_NEED(error, results);
    CAROM_NEED(error, event);
    CAROM_NEED(error, n);
    if (!results->event && results->events) CAROM_TRY(results->events(results, error));
    *event = results->event;
    *n = results->n_event;
    return CAROM_OK;
}

long carom_results_n_contact_line(const carom_results *results)
{
    return results ? results->n_line : 0;
}

carom_status carom_results_visit_contacts(carom_results *results, carom_lines_visitor visitor,
                                          carom_error *error)
{
    CAROM_NEED(error, results);
    CAROM_NEED(error, visitor.lines);
    return results->n_line > 0 ? results->visit_lines(results, visitor, error) : CAROM_OK;
}
