// SPDX-License-Identifier: Apache-2.0
// What a run has written before it was cut off, written again. A file is taken for the run's own if
// its first rows (or events) are those that the checkpoint has counted, to the last bit; all that
// comes after them is dropped. Tried are the parts that were left beside the target, the newest
// first, then the target.
#include "base/files/beside.h"
#include "base/files/csv_names.h"
#include "base/files/csv_rows.h"
#include "output/output.h"
#include "output/results.h"
#include "sim/sim.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/// Sends rows to the output and counts them.
typedef struct {
    carom_output *output;
    int n_column;
    carom_stream seen;
    long most;
    carom_status written; // CAROM_OK as long as the output takes them
} rows_sender;

static carom_status send_rows(void *self, const double *value, long n, carom_error *error)
{
    rows_sender *s = self;
    const carom_recorder *to = &s->output->recorder;
    for (long i = 0; i < n && s->seen.count < s->most; i++, value += s->n_column) {
        carom_stream_add(&s->seen, value, s->n_column);
        s->written = to->row(to->self, value, s->n_column, error);
        CAROM_TRY(s->written);
    }
    // what lies behind is not needed
    return s->seen.count < s->most ? CAROM_OK : CAROM_STOPPED;
}

static bool is_same(const carom_stream *seen, const carom_stream *known)
{
    return !known->has_hole && seen->count == known->count && seen->hash == known->hash;
}

// where each column of the sim stands in the file
static bool map_columns(const carom_results *from, const carom_sim *sim, int *column)
{
    if (from->n_column != sim->rows.n_column) return false;
    for (int i = 0; i < sim->rows.n_column; i++) {
        column[i] = i; // most often the order is the same
        if (strcmp(from->column[i].name, sim->rows.column[i].name) == 0) continue;
        column[i] = carom_results_find(from, sim->rows.column[i].name);
        if (column[i] < 0) return false;
    }
    return true;
}

static carom_status replay_rows(carom_output *output, const carom_sim *sim, carom_results *from,
                                bool *is_own, carom_error *error)
{
    rows_sender sender = {
        output, sim->rows.n_column, {0}, sim->recording.sent_rows.count, CAROM_OK};
    carom_error trouble = {0};
    int *column = malloc(sizeof *column * (size_t)sim->rows.n_column);
    if (!column) return carom_fail(error, CAROM_NO_MEMORY, "out of memory");
    *is_own = map_columns(from, sim, column) && from->n_row >= sender.most;
    carom_status status = CAROM_OK;
    if (*is_own && sender.most > 0)
        status = carom_results_visit(from, column, sim->rows.n_column,
                                     (carom_rows_visitor){&sender, send_rows}, &trouble);
    free(column);
    *is_own = *is_own && is_same(&sender.seen, &sim->recording.sent_rows);
    // a file with a damaged row is not the run's; another one may be
    if (sender.written == CAROM_OK && status != CAROM_NO_MEMORY) return CAROM_OK;
    return carom_fail(error, status, "%s", trouble.message);
}

// the contact and the kind of a logged event by their words
static bool find_event(const carom_model *model, const carom_logged_event *logged,
                       carom_event *event)
{
    const int n = carom_model_sizes(model).n_contact;
    int contact = 0, kind = 0;
    while (contact < n &&
           !carom_csv_names_match(carom_model_contact(model, contact)->name, logged->contact))
        contact++;
    while (kind <= CAROM_EDGE &&
           strcmp(carom_event_word((carom_event_kind)kind), logged->kind) != 0)
        kind++;
    *event = (carom_event){.t = logged->t,
                           .contact = contact,
                           .kind = (carom_event_kind)kind,
                           .rate_before = logged->rate_before,
                           .rate_after = logged->rate_after,
                           .P = logged->P,
                           .energy_lost = logged->energy_lost};
    return contact < n && kind <= CAROM_EDGE;
}

static carom_status send_event(const carom_output *output, const carom_event *event,
                               carom_stream *seen, carom_error *error)
{
    carom_stream_add_event(seen, event);
    return output->recorder.event(output->recorder.self, event, error);
}

static carom_status replay_events(const carom_output *output, const carom_sim *sim,
                                  carom_results *from, bool *is_own, carom_error *error)
{
    const carom_logged_event *logged;
    carom_stream seen = {0};
    long n;
    CAROM_TRY(carom_results_events(from, &logged, &n, error));
    for (long i = 0; i < n && seen.count < sim->recording.sent_events.count; i++) {
        carom_event event;
        if (!find_event(sim->model, &logged[i], &event)) break;
        CAROM_TRY(send_event(output, &event, &seen, error));
    }
    *is_own = is_same(&seen, &sim->recording.sent_events);
    return CAROM_OK;
}

/// Sends lines of the table of contacts and counts them.
typedef struct {
    const carom_output *output;
    carom_stream seen;
    long most;
} lines_sender;

static carom_status send_lines(void *self, const carom_contact_line *line, long n,
                               carom_error *error)
{
    lines_sender *s = self;
    const carom_recorder *to = &s->output->recorder;
    for (long i = 0; i < n && s->seen.count < s->most; i++) {
        carom_stream_add_line(&s->seen, &line[i]);
        CAROM_TRY(to->contact(to->self, &line[i], error));
    }
    return CAROM_OK;
}

static carom_status replay_lines(const carom_output *output, const carom_sim *sim,
                                 carom_results *from, bool *is_own, carom_error *error)
{
    lines_sender sender = {output, {0}, sim->recording.sent_lines.count};
    if (sender.most > 0)
        CAROM_TRY(
            carom_results_visit_contacts(from, (carom_lines_visitor){&sender, send_lines}, error));
    *is_own = is_same(&sender.seen, &sim->recording.sent_lines);
    return CAROM_OK;
}

// an event log in CSV: the words of a row are cells
static bool read_event(const carom_csv_rows *rows, const carom_model *model, carom_event *event)
{
    carom_logged_event logged = {0};
    double *const number[] = {
        &logged.t,          NULL, NULL, &logged.rate_before, &logged.rate_after, &logged.P,
        &logged.energy_lost};
    if (rows->n_cell != CAROM_EVENT_NUMBERS) return false;
    for (int i = 0; i < CAROM_EVENT_NUMBERS; i++)
        if (number[i] && !carom_csv_number(rows->cell[i], number[i])) return false;
    logged.contact = rows->cell[1];
    logged.kind = rows->cell[2];
    return find_event(model, &logged, event);
}

static carom_status replay_csv_events(const carom_output *output, const carom_sim *sim,
                                      const char *name, bool *is_own, carom_error *error)
{
    carom_csv_rows rows = {0};
    carom_stream seen = {0};
    carom_event event;
    carom_status status = CAROM_OK;
    *is_own = carom_csv_rows_open(&rows, name, NULL) == CAROM_OK &&
              rows.n_cell == CAROM_EVENT_NUMBERS && strcmp(rows.cell[1], "contact") == 0;
    while (*is_own && status == CAROM_OK && seen.count < sim->recording.sent_events.count) {
        if (carom_csv_rows_next(&rows, NULL) != CAROM_OK || !read_event(&rows, sim->model, &event))
            break;
        status = send_event(output, &event, &seen, error);
    }
    carom_csv_rows_close(&rows);
    *is_own = *is_own && is_same(&seen, &sim->recording.sent_events);
    return status;
}

// whether the file says that it is of this run; without a word of it (no side file) its numbers
// must tell
static bool may_be_own(const carom_results *from, const carom_output *output, long count)
{
    return strcmp(from->run, output->run) == 0 || (!*from->run && count > 0);
}

static carom_status replay_csv_log(const carom_output *output, const carom_sim *sim,
                                   const char *name, bool *is_own, carom_error *error)
{
    carom_results *from;
    *is_own = false;
    if (carom_results_open_as(name, carom_results_open_csv, &from, NULL) != CAROM_OK)
        return CAROM_OK;
    const bool may_be = may_be_own(from, output, sim->recording.sent_events.count);
    carom_results_free(from);
    return may_be ? replay_csv_events(output, sim, name, is_own, error) : CAROM_OK;
}

static carom_status replay_results(carom_output *output, const carom_sim *sim, const char *name,
                                   bool *is_own, carom_error *error)
{
    carom_results *from;
    *is_own = false;
    // what cannot be read is not the run's
    if (carom_results_open_own(name, &from, NULL) != CAROM_OK) return CAROM_OK;
    carom_status status = CAROM_OK;
    *is_own = may_be_own(from, output, sim->recording.sent_rows.count);
    if (*is_own) status = replay_rows(output, sim, from, is_own, error);
    if (status == CAROM_OK && *is_own && output->holds_events)
        status = replay_events(output, sim, from, is_own, error);
    if (status == CAROM_OK && *is_own && output->recorder.contact)
        status = replay_lines(output, sim, from, is_own, error);
    carom_results_free(from);
    return status;
}

/// One look at all files that may be the run's.
typedef struct {
    carom_output *output;
    carom_sim *sim;
    const char *taken; ///< the file that was copied
    carom_status status;
    carom_error *error;
} attempt;

static bool try_file(void *self, const char *name)
{
    attempt *a = self;
    bool is_own = false;
    if (!carom_partfile_rewind(&a->output->part))
        a->status = carom_output_fail(a->output, a->error);
    if (a->status == CAROM_OK)
        a->status = a->output->holds_rows
                        ? replay_results(a->output, a->sim, name, &is_own, a->error)
                        : replay_csv_log(a->output, a->sim, name, &is_own, a->error);
    if (a->status == CAROM_OK && is_own) {
        a->taken = carom_arena_string(a->output->arena, name);
        if (!a->taken) a->status = carom_fail(a->error, CAROM_NO_MEMORY, "out of memory");
    }
    return a->status == CAROM_OK && !a->taken;
}

carom_status carom_replay(carom_output *output, carom_sim *sim, bool *is_found, carom_error *error)
{
    attempt a = {.output = output, .sim = sim, .error = error};
    struct stat facts;
    *is_found = false;
    if (!carom_partfile_mark(&output->part)) return carom_output_fail(output, error);
    if (!carom_beside_each(output->path, "part", try_file, &a))
        return carom_fail(error, CAROM_NO_MEMORY, "out of memory");
    output->source = a.taken;
    const bool has_target = stat(output->path, &facts) == 0;
    if (a.status == CAROM_OK && !a.taken && has_target) try_file(&a, output->path);
    CAROM_TRY(a.status);
    *is_found = a.taken != NULL;
    if (*is_found || carom_partfile_rewind(&output->part)) return CAROM_OK;
    return carom_output_fail(output, error);
}
