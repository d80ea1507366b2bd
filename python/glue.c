// SPDX-License-Identifier: Apache-2.0
// What of the Python package is C: a run that is kept in memory, so that no row passes through Python.
//
//     record   rows, events and lines of contacts as they come, in arrays that grow
//     replay   the same to another recorder, in the order in which they came
#include <carom/carom.h>

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct carom_py_log {
    int n_column;
    double *row; // (n_row x n_column)
    long n_row, row_room;
    carom_event *event;
    long *event_row; // how many rows there were before it
    long n_event, event_room;
    carom_contact_line *line;
    long *line_row; // likewise, with the one that it belongs to
    long n_line, line_room;
} carom_py_log;

// room for one more; false where memory ran out
static bool grow(void **array, size_t size, long n, long room)
{
    void *larger;
    if (n < room) return true;
    const size_t wanted = room > 0 ? 2 * (size_t)room : 64;
    if (size > 0 && wanted > SIZE_MAX / size) return false;
    larger = realloc(*array, wanted * size);
    if (!larger) return false;
    *array = larger;
    return true;
}

static long larger_room(long n, long room)
{
    return n < room ? room : room > 0 ? 2 * room : 64;
}

static carom_status log_row(void *self, const double *value, int n, carom_error *error)
{
    carom_py_log *log = self;
    log->n_column = n;
    if (!grow((void **)&log->row, sizeof(double) * (size_t)n, log->n_row, log->row_room))
        return carom_fail(error, CAROM_NO_MEMORY, "out of memory for the rows of the run");
    log->row_room = larger_room(log->n_row, log->row_room);
    memcpy(log->row + (size_t)n * (size_t)log->n_row++, value, sizeof(double) * (size_t)n);
    return CAROM_OK;
}

static carom_status log_event(void *self, const carom_event *event, carom_error *error)
{
    carom_py_log *log = self;
    if (!grow((void **)&log->event, sizeof *log->event, log->n_event, log->event_room) ||
        !grow((void **)&log->event_row, sizeof(long), log->n_event, log->event_room))
        return carom_fail(error, CAROM_NO_MEMORY, "out of memory for the events of the run");
    log->event_room = larger_room(log->n_event, log->event_room);
    log->event_row[log->n_event] = log->n_row;
    log->event[log->n_event++] = *event;
    return CAROM_OK;
}

static carom_status log_line(void *self, const carom_contact_line *line, carom_error *error)
{
    carom_py_log *log = self;
    if (!grow((void **)&log->line, sizeof *log->line, log->n_line, log->line_room) ||
        !grow((void **)&log->line_row, sizeof(long), log->n_line, log->line_room))
        return carom_fail(error, CAROM_NO_MEMORY, "out of memory for the contacts of the run");
    log->line_room = larger_room(log->n_line, log->line_room);
    log->line_row[log->n_line] = log->n_row;
    log->line[log->n_line++] = *line;
    return CAROM_OK;
}

static carom_py_log *carom_py_log_new(void)
{
    return calloc(1, sizeof(carom_py_log));
}

static void carom_py_log_free(carom_py_log *log)
{
    if (!log) return;
    free(log->row);
    free(log->event);
    free(log->event_row);
    free(log->line);
    free(log->line_row);
    free(log);
}

static carom_status carom_py_log_record(carom_py_log *log, carom_sim *sim, carom_error *error)
{
    const carom_recorder recorder = {log, log_row, log_event, log_line};
    return carom_sim_add_recorder(sim, recorder, error);
}

static carom_status carom_py_log_replay(const carom_py_log *log, carom_output *output,
                                        carom_error *error)
{
    const carom_recorder to = carom_output_recorder(output);
    long event = 0, line = 0;
    for (long row = 0; row <= log->n_row; row++) {
        for (; event < log->n_event && log->event_row[event] == row; event++)
            if (to.event) CAROM_TRY(to.event(to.self, log->event + event, error));
        if (row == log->n_row) break;
        if (to.row)
            CAROM_TRY(to.row(to.self, log->row + (size_t)row * (size_t)log->n_column, log->n_column,
                             error));
        for (; line < log->n_line && log->line_row[line] == row + 1; line++)
            if (to.contact) CAROM_TRY(to.contact(to.self, log->line + line, error));
    }
    return CAROM_OK;
}

// n steps, or as many as there are until the end
static carom_status carom_py_steps(carom_sim *sim, long n, carom_error *error)
{
    while (n-- > 0 && !carom_sim_is_done(sim)) CAROM_TRY(carom_sim_step(sim, error));
    return CAROM_OK;
}
