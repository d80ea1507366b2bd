// SPDX-License-Identifier: Apache-2.0
// The journal of a run (output_journal.h), read back: what is left of a run that was killed, or
// what one that is still running has written so far. Nothing in it is trusted; it ends before the
// first record that is not whole.
#include "output/output_journal.h"

#include "base/files/plainfile.h"
#include "output/results.h"
#include "sim/saved/stream.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 1 << 28, MOST_COLUMNS = 1 << 24 }; // of a head

typedef struct journal {
    long first; ///< where the records begin
    const char **contact;
    int n_contact;
} journal;

/// The head in memory, read front to back.
typedef struct {
    carom_arena *arena;
    const unsigned char *at;
    size_t left;
    bool is_bad;
} cursor;

static const void *take_bytes(cursor *c, size_t n)
{
    if (n > c->left) {
        c->is_bad = true;
        return NULL;
    }
    const void *here = c->at;
    c->at += n;
    c->left -= n;
    return here;
}

static uint64_t take_word(cursor *c)
{
    uint64_t word = 0;
    const void *from = take_bytes(c, sizeof word);
    if (from) memcpy(&word, from, sizeof word);
    return word;
}

static double take_number(cursor *c)
{
    double number = 0;
    const void *from = take_bytes(c, sizeof number);
    if (from) memcpy(&number, from, sizeof number);
    return number;
}

static const char *take_text(cursor *c)
{
    const uint64_t n = take_word(c);
    const char *from = n <= c->left ? take_bytes(c, (size_t)n) : NULL;
    const char *text = from ? carom_arena_copy(c->arena, from, strnlen(from, (size_t)n)) : NULL;
    if (!text) c->is_bad = true;
    return text ? text : "";
}

static int take_count(cursor *c)
{
    const uint64_t n = take_word(c);
    const bool is_sane = n <= MOST_COLUMNS && n <= c->left; // each has some bytes
    if (!is_sane) c->is_bad = true;
    return is_sane ? (int)n : 0;
}

static bool read_head(carom_results *results, cursor *c)
{
    journal *j = results->self;
    carom_output_head *head = &results->head;
    const char **const text[] = {&results->run,     &head->version, &head->model,
                                 &head->scheme,     &head->solver,  &head->model_path,
                                 &head->model_text, &head->changes, &head->options};
    for (size_t i = 0; i < sizeof text / sizeof *text; i++) *text[i] = take_text(c);
    head->step = take_number(c);
    head->end = take_number(c);
    results->n_column = take_count(c);
    results->column = CAROM_TAKE(c->arena, carom_column, results->n_column);
    if (!results->column) return false;
    for (int i = 0; i < results->n_column; i++) {
        results->column[i].name = take_text(c);
        results->column[i].unit = take_text(c);
        results->column[i].group = take_text(c);
    }
    j->n_contact = take_count(c);
    j->contact = CAROM_TAKE(c->arena, const char *, j->n_contact);
    for (int i = 0; j->contact && i < j->n_contact; i++) j->contact[i] = take_text(c);
    return j->contact && !c->is_bad && results->n_column > 0;
}

static carom_status refuse_file(const carom_results *results, carom_error *error)
{
    return carom_fail(error, CAROM_BAD_INPUT,
                      "%s: not the journal of a run, or cut off in its head", results->path);
}

static carom_status load_head(carom_results *results, FILE *file, carom_error *error)
{
    unsigned char start[CAROM_JOURNAL_START];
    uint64_t word[2];
    if (fread(start, 1, sizeof start, file) != sizeof start) return refuse_file(results, error);
    memcpy(word, start + 8, sizeof word);
    if (memcmp(start, carom_journal_magic, 8) != 0 || word[0] != carom_journal_order ||
        word[1] > MOST_BYTES)
        return refuse_file(results, error);
    unsigned char *head = malloc((size_t)word[1] + 1);
    if (!head) return carom_fail(error, CAROM_NO_MEMORY, "out of memory");
    cursor c = {.arena = results->arena, .at = head, .left = (size_t)word[1]};
    const bool is_good = fread(head, 1, (size_t)word[1], file) == word[1] && read_head(results, &c);
    free(head);
    ((journal *)results->self)->first = CAROM_JOURNAL_START + (long)word[1];
    return is_good ? CAROM_OK : refuse_file(results, error);
}

// the next record into value (room for a row and a line); 0 at the end of what is whole
static int next_record(FILE *file, int n_column, double *value)
{
    uint64_t kind;
    if (fread(&kind, 1, sizeof kind, file) != sizeof kind) return 0;
    const size_t n = kind == CAROM_JOURNAL_ROW     ? (size_t)n_column
                     : kind == CAROM_JOURNAL_EVENT ? (size_t)CAROM_EVENT_NUMBERS
                     : kind == CAROM_JOURNAL_LINE  ? (size_t)CAROM_LINE_NUMBERS
                                                   : 0;
    return n > 0 && fread(value, sizeof *value, n, file) == n ? (int)kind : 0;
}

static double *record_room(const carom_results *results)
{
    return malloc(sizeof(double) * (size_t)(results->n_column + CAROM_LINE_NUMBERS));
}

// opens the file where the records begin
static FILE *open_records(const carom_results *results, carom_error *error)
{
    const journal *j = results->self;
    FILE *file;
    if (carom_plainfile_open(results->path, NULL, &file, error) != CAROM_OK) return NULL;
    if (fseek(file, j->first, SEEK_SET) == 0) return file;
    carom_fail(error, CAROM_IO, "%s: cannot be read: %s", results->path, strerror(errno));
    fclose(file);
    return NULL;
}

/// Rows collected for a visitor.
typedef struct {
    carom_selection selection;
    double *block;
    long n, most;
} collection;

static carom_status visit_rows(const carom_results *results, FILE *file, double *value,
                               collection *c, carom_rows_visitor visitor, carom_error *error)
{
    const int n = c->selection.n;
    int kind = 1;
    for (long row = 0; row < results->n_row && kind;) {
        kind = next_record(file, results->n_column, value);
        if (kind != CAROM_JOURNAL_ROW) continue;
        for (int i = 0; i < n; i++) c->block[c->n * n + i] = value[c->selection.column[i]];
        row++;
        if (++c->n < c->most && row < results->n_row) continue;
        CAROM_TRY(visitor.rows(visitor.self, c->block, c->n, error));
        c->n = 0;
    }
    return CAROM_OK;
}

static carom_status visit(carom_results *results, carom_selection selection,
                          carom_rows_visitor visitor, carom_error *error)
{
    collection c = {.selection = selection, .most = carom_results_block(selection.n)};
    FILE *file = open_records(results, error);
    if (!file) return CAROM_IO;
    double *value = record_room(results);
    c.block =
        malloc(sizeof *c.block * (size_t)c.most * (size_t)(selection.n > 0 ? selection.n : 1));
    const carom_status status = value && c.block
                                    ? visit_rows(results, file, value, &c, visitor, error)
                                    : carom_fail(error, CAROM_NO_MEMORY, "out of memory");
    free(c.block);
    free(value);
    fclose(file);
    return status;
}

static bool is_event_sane(const journal *j, const double *number)
{
    return number[1] >= 0 && number[1] < j->n_contact && number[2] >= 0 && number[2] < 100;
}

static carom_status read_events(carom_results *results, FILE *file, double *value,
                                carom_error *error)
{
    const journal *j = results->self;
    carom_logged_event *event = CAROM_TAKE(results->arena, carom_logged_event, results->n_event);
    if (!event) return carom_fail(error, CAROM_NO_MEMORY, "out of memory");
    long n = 0;
    for (int kind = 1; n < results->n_event && kind;) {
        kind = next_record(file, results->n_column, value);
        if (kind != CAROM_JOURNAL_EVENT) continue;
        if (!is_event_sane(j, value))
            return carom_fail(error, CAROM_BAD_INPUT, "%s: event %ld is damaged", results->path, n);
        const carom_event e = carom_event_from_numbers(value);
        event[n++] = (carom_logged_event){
            e.t, j->contact[e.contact], carom_event_word(e.kind), e.rate_before, e.rate_after,
            e.P, e.energy_lost};
    }
    results->event = event;
    results->n_event = n;
    return CAROM_OK;
}

static carom_status events(carom_results *results, carom_error *error)
{
    FILE *file = open_records(results, error);
    if (!file) return CAROM_IO;
    double *value = record_room(results);
    const carom_status status = value ? read_events(results, file, value, error)
                                      : carom_fail(error, CAROM_NO_MEMORY, "out of memory");
    free(value);
    fclose(file);
    return status;
}

static carom_status visit_lines(carom_results *results, carom_lines_visitor visitor,
                                carom_error *error)
{
    FILE *file = open_records(results, error);
    if (!file) return CAROM_IO;
    double *value = record_room(results);
    carom_status status = value ? CAROM_OK : carom_fail(error, CAROM_NO_MEMORY, "out of memory");
    long n = 0;
    for (int kind = 1; status == CAROM_OK && n < results->n_line && kind;) {
        kind = next_record(file, results->n_column, value);
        if (kind != CAROM_JOURNAL_LINE) continue;
        n++;
        const carom_contact_line line = carom_line_from_numbers(value);
        status = visitor.lines(visitor.self, &line, 1, error);
    }
    free(value);
    fclose(file);
    return status;
}

static carom_status count_records(carom_results *results, FILE *file, carom_error *error)
{
    double *value = record_room(results);
    if (!value) return carom_fail(error, CAROM_NO_MEMORY, "out of memory");
    for (int kind; (kind = next_record(file, results->n_column, value));) {
        results->n_row += kind == CAROM_JOURNAL_ROW;
        results->n_event += kind == CAROM_JOURNAL_EVENT;
        results->n_line += kind == CAROM_JOURNAL_LINE;
    }
    free(value);
    return CAROM_OK;
}

carom_status carom_results_open_journal(carom_results *results, carom_error *error)
{
    results->self = CAROM_TAKE(results->arena, journal, 1);
    if (!results->self) return carom_fail(error, CAROM_NO_MEMORY, "out of memory");
    results->visit = visit;
    results->events = events;
    results->visit_lines = visit_lines;
    FILE *file;
    CAROM_TRY(carom_plainfile_open(results->path, NULL, &file, error));
    carom_status status = load_head(results, file, error);
    if (status == CAROM_OK) status = count_records(results, file, error);
    fclose(file);
    return status;
}
