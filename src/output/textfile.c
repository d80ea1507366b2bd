// SPDX-License-Identifier: Apache-2.0
// Text files with comma-separated values; see the header.
#include "output/textfile.h"

#include "sim/clock.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

enum { FLUSH_LINES = 100000 };
static const double flush_seconds = 1;

static void note_failure(carom_textfile *file)
{
    if (!file->failure) file->failure = errno ? errno : EIO;
}

static void drain(carom_textfile *file)
{
    const size_t n = file->n_buffered;
    if (fwrite(file->buffer, 1, n, file->stream) != n) note_failure(file);
    file->n_buffered = 0;
}

static void put(carom_textfile *file, const char *text, size_t n)
{
    while (n > 0) {
        if (file->n_buffered == sizeof file->buffer) drain(file);
        const size_t room = sizeof file->buffer - file->n_buffered, part = n < room ? n : room;
        memcpy(file->buffer + file->n_buffered, text, part);
        file->n_buffered += part;
        text += part;
        n -= part;
    }
}

static void flush(carom_textfile *file)
{
    drain(file);
    if (fflush(file->stream) != 0) note_failure(file);
}

void carom_textfile_text(carom_textfile *file, const char *text)
{
    put(file, text, strlen(text));
}

void carom_textfile_name(carom_textfile *file, const char *name)
{
    char csv[CAROM_SIDE_NAME];
    carom_textfile_text(file, carom_csv_name(name, csv, sizeof csv));
}

void carom_textfile_number(carom_textfile *file, double value)
{
    char text[40];
    if (isnan(value)) {
        put(file, "nan", 3);
    } else if (value == 0) { // frequent, and printing is slow
        carom_textfile_text(file, signbit(value) ? "-0" : "0");
    } else if (isinf(value)) {
        carom_textfile_text(file, value > 0 ? "inf" : "-inf");
    } else {
        const int n = snprintf(text, sizeof text, "%.17g", value);
        // the caller's locale may have a decimal comma
        char *comma = n > 0 ? memchr(text, ',', (size_t)n) : NULL;
        if (comma) *comma = '.';
        put(file, text, n > 0 ? (size_t)n : 0);
    }
}

static carom_status tell_failure(const carom_output *output, const carom_textfile *file,
                                 carom_error *error)
{
    if (!file->failure) return CAROM_OK;
    errno = file->failure;
    return carom_output_fail(output, error);
}

carom_status carom_textfile_line(const carom_output *output, carom_textfile *file, double t,
                                 carom_error *error)
{
    put(file, "\n", 1);
    file->t = t;
    file->n_line++;
    const double now = carom_clock_wall();
    if (file->n_line >= FLUSH_LINES || now - file->last_flush > flush_seconds) {
        flush(file);
        file->last_flush = now;
        file->n_line = 0;
    }
    return tell_failure(output, file, error);
}

static carom_status write_side(const carom_output *output, const carom_textfile *file,
                               const char *status, const char *cut_off, carom_error *error)
{
    const carom_side side = {.head = &output->head,
                             .column = file->column,
                             .n_column = file->n_column,
                             .status = status,
                             .cut_off = cut_off};
    return carom_side_write(output->part, &side, error);
}

carom_status carom_textfile_open(carom_output *output, carom_textfile *file,
                                 const carom_column *column, int n, carom_error *error)
{
    CAROM_TRY(carom_side_check(output->path, column, n, error));
    output->side = carom_side_path(output->arena, output->part);
    if (!output->side) return carom_fail(error, CAROM_NO_MEMORY, "out of memory");
    file->column = column;
    file->n_column = n;
    file->stream = fopen(output->part, "w");
    if (!file->stream) return carom_output_fail(output, error);
    file->last_flush = -INFINITY; // the head goes out at once
    for (int i = 0; i < n; i++) {
        if (i > 0) put(file, ",", 1);
        carom_textfile_name(file, column[i].name);
    }
    carom_status status = write_side(output, file, "running", NULL, error);
    if (status == CAROM_OK) status = carom_textfile_line(output, file, 0, error);
    if (status != CAROM_OK) fclose(file->stream);
    return status;
}

static carom_status shut(const carom_output *output, carom_textfile *file, carom_error *error)
{
    flush(file);
    // a file that cannot be synced (a pipe) is as good as it gets; a failing disk is not
    if (fsync(fileno(file->stream)) != 0 && (errno == EIO || errno == ENOSPC || errno == EDQUOT))
        note_failure(file);
    if (fclose(file->stream) != 0) note_failure(file);
    return tell_failure(output, file, error);
}

carom_status carom_textfile_close(carom_output *output, carom_textfile *file, bool is_whole,
                                  carom_error *error)
{
    char why[1200];
    snprintf(why, sizeof why, "the run was cut off after t = %.9g%s%.1024s", file->t,
             output->reason ? ": " : "", output->reason ? output->reason : "");
    CAROM_TRY(shut(output, file, error));
    return write_side(output, file, is_whole ? "whole" : "partial", is_whole ? NULL : why, error);
}
