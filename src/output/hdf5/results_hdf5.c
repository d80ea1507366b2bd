// SPDX-License-Identifier: Apache-2.0
// HDF5 files of rows, read back (hdf5.c says what stands where). Nothing in the file is trusted:
// what is missing or of another shape is an error with the file's name, or left out.
#include "base/files/hdf5_reader.h"
#include "base/grow.h"
#include "output/hdf5/hdf5_shared.h"
#include "output/results.h"
#include "output/seal.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const double READER_BYTES = 1e9; // that reading may take
static const double MOST_SHRUNK = 1100, FEW_BYTES = 1e6;
enum { EVENT_BLOCK = 4096, MOST_COLUMNS = 1 << 24 };

/// One dataset of rows.
typedef struct row_set {
    int first, n; ///< its columns
} row_set;

typedef struct hdf5_file {
    carom_hdf5_reader *from;
    row_set group[CAROM_N_GROUP];
} hdf5_file;

// what went wrong in reading comes before what is then missing
static carom_status refuse_file(const carom_results *results, const char *what, carom_error *error)
{
    const hdf5_file *file = results->self;
    CAROM_TRY(carom_hdf5_reader_status(file->from, error));
    return carom_fail(error, CAROM_BAD_INPUT, "%s: not results of 'carom run': %s", results->path,
                      what);
}

// A few bytes can claim any number of records whose parts were never written. Compressed ones take
// at least a thousandth of what they hold, which is as small as deflate makes them.
static bool claims_too_much(const carom_results *results, long n, size_t bytes)
{
    struct stat facts;
    if (stat(results->path, &facts) != 0) return false;
    return (double)n * (double)bytes > MOST_SHRUNK * (double)facts.st_size + FEW_BYTES;
}

// the names or units of a group: an attribute, or where there are many a dataset beside it
static bool read_texts(const carom_results *results, int g, const char *what, const char **text)
{
    const hdf5_file *file = results->self;
    const char *group = carom_hdf5_group[g];
    const long n = file->group[g].n;
    char path[64];
    snprintf(path, sizeof path, "%s_%s", group, what);
    return carom_hdf5_texts(file->from, group, what, n, results->arena, text) ||
           carom_hdf5_texts(file->from, path, NULL, n, results->arena, text);
}

static bool read_columns(carom_results *results, int g)
{
    const row_set *group = &((hdf5_file *)results->self)->group[g];
    const char **text = CAROM_TAKE(results->arena, const char *, 2 * group->n);
    if (!text || !read_texts(results, g, "names", text)) return false;
    if (!read_texts(results, g, "units", text + group->n)) return false;
    for (int i = 0; i < group->n; i++)
        results->column[group->first + i] =
            (carom_column){text[i], text[group->n + i], carom_hdf5_group[g]};
    return true;
}

// looks at the dataset of a group, if there is one, and counts its rows and columns
static bool open_group(carom_results *results, int g)
{
    hdf5_file *file = results->self;
    row_set *group = &file->group[g];
    const char *name = carom_hdf5_group[g];
    long n_row, n_column;
    if (!carom_hdf5_has(file->from, name)) return true;
    const int rank = carom_hdf5_shape(file->from, name, &n_row, &n_column);
    if (rank != (g == 0 ? 1 : 2) || n_column < 1 || n_column > MOST_COLUMNS) return false;
    group->first = results->n_column;
    group->n = (int)n_column;
    results->n_column += group->n;
    if (g == 0 || n_row < results->n_row) results->n_row = n_row;
    return true;
}

static carom_status open_groups(carom_results *results, carom_error *error)
{
    const hdf5_file *file = results->self;
    for (int g = 0; g < CAROM_N_GROUP; g++)
        if (!open_group(results, g))
            return refuse_file(results, "a dataset of rows has another shape", error);
    if (file->group[0].n != 1) return refuse_file(results, "there is no dataset 't'", error);
    results->column = CAROM_TAKE(results->arena, carom_column, results->n_column);
    if (!results->column) return carom_fail(error, CAROM_NO_MEMORY, "out of memory");
    for (int g = 0; g < CAROM_N_GROUP; g++)
        if (file->group[g].n > 0 && !read_columns(results, g))
            return refuse_file(results, "a dataset of rows has no names and units", error);
    return CAROM_OK;
}

// texts of the audit; "" where the file has none
static void read_audit(carom_results *results, carom_hdf5_reader *from)
{
    char *audit = (char *)&results->audit;
    double value;
    results->has_audit = carom_hdf5_has(from, "audit");
    for (const carom_hdf5_entry *e = carom_hdf5_audit; results->has_audit && e->name; e++)
        if (carom_hdf5_number(from, "audit", e->name, &value))
            memcpy(audit + e->offset, &value, sizeof value);
    for (const carom_hdf5_entry *e = carom_hdf5_audit_text; e->name; e++) {
        const char *text =
            results->has_audit ? carom_hdf5_text(from, "audit", e->name, results->arena) : NULL;
        if (!text) text = "";
        memcpy(audit + e->offset, &text, sizeof text);
    }
}

static void read_counts(carom_results *results, carom_hdf5_reader *from)
{
    long value;
    results->has_counts = carom_hdf5_has(from, "counts");
    for (const carom_hdf5_entry *e = carom_hdf5_counts; results->has_counts && e->name; e++)
        if (carom_hdf5_count(from, "counts", e->name, &value))
            memcpy((char *)&results->counts + e->offset, &value, sizeof value);
}

static void read_head(carom_results *results, carom_hdf5_reader *from)
{
    carom_output_head *head = &results->head;
    const char *status = NULL, *run = NULL, *why = NULL;
    const struct {
        const char *name, **to;
    } attribute[] = {{"model", &head->model},   {"scheme", &head->scheme},
                     {"solver", &head->solver}, {"version", &head->version},
                     {"status", &status},       {"run", &run},
                     {"cut_off", &why}},
      dataset[] = {{"model_path", &head->model_path},
                   {"model_text", &head->model_text},
                   {"changes", &head->changes},
                   {"options", &head->options}};
    for (size_t i = 0; i < sizeof attribute / sizeof *attribute; i++)
        *attribute[i].to = carom_hdf5_text(from, "", attribute[i].name, results->arena);
    for (size_t i = 0; i < sizeof dataset / sizeof *dataset; i++)
        *dataset[i].to = carom_hdf5_text(from, dataset[i].name, NULL, results->arena);
    carom_hdf5_number(from, "", "step", &head->step);
    carom_hdf5_number(from, "", "end", &head->end);
    results->is_whole = status && strcmp(status, "whole") == 0;
    if (run) results->run = run;
    if (why && !results->is_whole) results->cut_off = why;
    read_audit(results, from);
    read_counts(results, from);
}

// fills the selected columns of n rows, group by group
static bool read_rows(const hdf5_file *file, carom_selection s, const long range[2],
                      double *scratch, double *block)
{
    for (int g = 0; g < CAROM_N_GROUP; g++) {
        const row_set *group = &file->group[g];
        bool is_read = false;
        for (int i = 0; i < s.n; i++) {
            const int k = s.column[i] - group->first;
            if (k < 0 || k >= group->n) continue;
            if (!is_read && !carom_hdf5_rows(file->from, carom_hdf5_group[g], range[0], range[1],
                                             group->n, scratch))
                return false;
            is_read = true;
            for (long r = 0; r < range[1]; r++) block[r * s.n + i] = scratch[r * group->n + k];
        }
    }
    return true;
}

static carom_status visit(carom_results *results, carom_selection selection,
                          carom_rows_visitor visitor, carom_error *error)
{
    const hdf5_file *file = results->self;
    const long most = carom_results_block(results->n_column);
    const size_t room = sizeof(double) * (size_t)most * (size_t)results->n_column;
    double *scratch = malloc(room), *block = malloc(sizeof(double) * (size_t)most *
                                                    (size_t)(selection.n > 0 ? selection.n : 1));
    carom_status status =
        scratch && block ? CAROM_OK : carom_fail(error, CAROM_NO_MEMORY, "out of memory");
    for (long first = 0; status == CAROM_OK && first < results->n_row; first += most) {
        const long left = results->n_row - first, range[2] = {first, left < most ? left : most};
        if (!read_rows(file, selection, range, scratch, block)) {
            status = carom_hdf5_reader_status(file->from, error);
            if (status == CAROM_OK)
                status = carom_fail(error, CAROM_BAD_INPUT, "%s: rows from %ld on cannot be read",
                                    results->path, first);
            break;
        }
        status = visitor.rows(visitor.self, block, range[1], error);
    }
    free(block);
    free(scratch);
    return status;
}

/// Events as they are read, field by field.
typedef struct event_block {
    double number[5][EVENT_BLOCK];
    char contact[EVENT_BLOCK][CAROM_HDF5_FIELD_BYTES], kind[EVENT_BLOCK][CAROM_HDF5_FIELD_BYTES];
} event_block;

static bool read_event_block(carom_hdf5_reader *from, long first, long n, event_block *block)
{
    static const char *const field[5] = {"t", "rate_before", "rate_after", "P", "energy_lost"};
    for (int i = 0; i < 5; i++)
        if (!carom_hdf5_field(from, "events", field[i], first, n, block->number[i])) return false;
    return carom_hdf5_text_field(from, "events", "contact", first, n, block->contact) &&
           carom_hdf5_text_field(from, "events", "kind", first, n, block->kind);
}

// the same few names again and again: each is kept once
static const char *keep_name(carom_arena *arena, const char *name, const char *last)
{
    return last && strcmp(last, name) == 0 ? last : carom_arena_string(arena, name);
}

static bool copy_events(carom_results *results, const event_block *block, long n,
                        carom_logged_event *to)
{
    const char *contact = NULL, *kind = NULL;
    for (long i = 0; i < n; i++) {
        contact = keep_name(results->arena, block->contact[i], contact);
        kind = keep_name(results->arena, block->kind[i], kind);
        if (!contact || !kind) return false;
        to[i] = (carom_logged_event){block->number[0][i],
                                     contact,
                                     kind,
                                     block->number[1][i],
                                     block->number[2][i],
                                     block->number[3][i],
                                     block->number[4][i]};
    }
    return true;
}

static carom_status read_events(carom_results *results, long n, event_block *block,
                                carom_error *error)
{
    const hdf5_file *file = results->self;
    carom_logged_event *event = NULL;
    // memory for what is there, not for what is promised
    for (long first = 0; first < n; first += EVENT_BLOCK) {
        const long some = n - first < EVENT_BLOCK ? n - first : EVENT_BLOCK;
        if (!read_event_block(file->from, first, some, block)) {
            free(event);
            return refuse_file(results, "the events have another form", error);
        }
        if (!carom_grow(&event, sizeof *event, (size_t)(first + some)) ||
            !copy_events(results, block, some, event + first)) {
            free(event);
            return carom_fail(error, CAROM_NO_MEMORY, "out of memory");
        }
    }
    results->event = CAROM_TAKE(results->arena, carom_logged_event, n);
    results->n_event = n;
    if (results->event && n > 0) memcpy(results->event, event, sizeof *event * (size_t)n);
    free(event);
    return results->event ? CAROM_OK : carom_fail(error, CAROM_NO_MEMORY, "out of memory");
}

static carom_status events(carom_results *results, carom_error *error)
{
    const hdf5_file *file = results->self;
    long n, n_column;
    if (!carom_hdf5_has(file->from, "events")) return carom_hdf5_reader_status(file->from, error);
    if (carom_hdf5_shape(file->from, "events", &n, &n_column) != 1)
        return refuse_file(results, "the events have another form", error);
    if (claims_too_much(results, n, 5 * sizeof(double)))
        return refuse_file(results, "it claims more events than it can hold", error);
    event_block *block = malloc(sizeof *block);
    const carom_status status = block ? read_events(results, n, block, error)
                                      : carom_fail(error, CAROM_NO_MEMORY, "out of memory");
    free(block);
    return status;
}

/// Lines of the table of contacts as they are read, field by field.
typedef struct line_block {
    carom_contact_line line[EVENT_BLOCK];
    double number[EVENT_BLOCK];
    uint64_t word[EVENT_BLOCK];
} line_block;

static bool read_line_block(carom_hdf5_reader *from, long first, long n, line_block *block)
{
    const char *table = carom_hdf5_lines;
    if (!carom_hdf5_word_field(from, table, "step", first, n, block->word)) return false;
    for (long i = 0; i < n; i++) block->line[i].step = (long)block->word[i];
    if (!carom_hdf5_word_field(from, table, "key", first, n, block->word)) return false;
    for (long i = 0; i < n; i++) block->line[i].key = block->word[i];
    for (const carom_hdf5_entry *e = carom_hdf5_line; e->name; e++) {
        if (!carom_hdf5_field(from, table, e->name, first, n, block->number)) return false;
        for (long i = 0; i < n; i++)
            memcpy((char *)&block->line[i] + e->offset, &block->number[i], sizeof(double));
    }
    for (int k = 0; k < 2; k++) {
        const char *field = carom_hdf5_line_body[k].name;
        if (!carom_hdf5_field(from, table, field, first, n, block->number)) return false;
        for (long i = 0; i < n; i++) block->line[i].body[k] = (long)block->number[i];
    }
    return true;
}

static carom_status visit_lines(carom_results *results, carom_lines_visitor visitor,
                                carom_error *error)
{
    const hdf5_file *file = results->self;
    line_block *block = malloc(sizeof *block);
    carom_status status = block ? CAROM_OK : carom_fail(error, CAROM_NO_MEMORY, "out of memory");
    for (long first = 0; status == CAROM_OK && first < results->n_line; first += EVENT_BLOCK) {
        const long left = results->n_line - first, n = left < EVENT_BLOCK ? left : EVENT_BLOCK;
        status = read_line_block(file->from, first, n, block)
                     ? visitor.lines(visitor.self, block->line, n, error)
                     : refuse_file(results, "the table of contacts has another form", error);
    }
    free(block);
    return status;
}

static carom_status count_lines(carom_results *results, carom_error *error)
{
    const hdf5_file *file = results->self;
    long n_column;
    if (!carom_hdf5_has(file->from, carom_hdf5_lines)) return CAROM_OK;
    if (carom_hdf5_shape(file->from, carom_hdf5_lines, &results->n_line, &n_column) == 1)
        return claims_too_much(results, results->n_line, sizeof(double))
                   ? refuse_file(results, "it claims more contacts than it can hold", error)
                   : CAROM_OK;
    return refuse_file(results, "the table of contacts has another form", error);
}

static void close_file(carom_results *results)
{
    const hdf5_file *file = results->self;
    if (file) carom_hdf5_reader_free(file->from);
}

carom_status carom_results_open_hdf5(carom_results *results, carom_error *error)
{
    hdf5_file *file = CAROM_TAKE(results->arena, hdf5_file, 1);
    if (!file) return carom_fail(error, CAROM_NO_MEMORY, "out of memory");
    results->self = file;
    results->visit = visit;
    results->events = events;
    results->visit_lines = visit_lines;
    results->close = close_file;
    CAROM_TRY(carom_seal_check(results->path, error));
    CAROM_TRY(carom_hdf5_reader_new(results->path, READER_BYTES, &file->from, error));
    read_head(results, file->from);
    CAROM_TRY(open_groups(results, error));
    return count_lines(results, error);
}
