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

carom_status carom_textfile_open(const carom_output *output, carom_textfile *file,
                                 carom_error *error)
{
    file->stream = fopen(output->part, "w");
    if (!file->stream) return carom_output_fail(output, error);
    file->last_flush = -INFINITY; // the head goes out at once
    return CAROM_OK;
}

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

void carom_textfile_note(carom_textfile *file, const char *key, const char *value)
{
    carom_textfile_text(file, "# ");
    carom_textfile_text(file, key);
    carom_textfile_text(file, ": ");
    char plain[4096]; // one line, whatever stands in it
    snprintf(plain, sizeof plain, "%s", value ? value : "");
    carom_textfile_text(file, carom_text_plain(plain));
    put(file, "\n", 1);
}

void carom_textfile_name(carom_textfile *file, const char *name)
{
    if (!strpbrk(name, ",\"\n\r")) {
        carom_textfile_text(file, name);
        return;
    }
    put(file, "\"", 1);
    for (const char *c = name; *c; c++) {
        if (*c == '"') put(file, "\"", 1);
        put(file, c, 1);
    }
    put(file, "\"", 1);
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

carom_status carom_textfile_close(const carom_output *output, carom_textfile *file, bool is_whole,
                                  carom_error *error)
{
    char note[80];
    snprintf(note, sizeof note, "the run was cut off after t = %.9g", file->t);
    if (!is_whole) carom_textfile_note(file, "partial", note);
    flush(file);
    // a file that cannot be synced (a pipe) is as good as it gets; a failing disk is not
    if (fsync(fileno(file->stream)) != 0 && (errno == EIO || errno == ENOSPC || errno == EDQUOT))
        note_failure(file);
    if (fclose(file->stream) != 0) note_failure(file);
    return tell_failure(output, file, error);
}
