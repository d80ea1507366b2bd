// SPDX-License-Identifier: Apache-2.0
// Text files with comma-separated values: numbers with 17 digits whatever the locale, names quoted
// where needed, and a look at the clock so that a killed run leaves all but its last second.
#ifndef CAROM_OUTPUT_TEXTFILE_H
#define CAROM_OUTPUT_TEXTFILE_H

#include "output/output.h"

#include <stdio.h>

enum { CAROM_TEXTFILE_BYTES = 1 << 16 };

typedef struct carom_textfile {
    FILE *stream;
    char buffer[CAROM_TEXTFILE_BYTES]; ///< what has not gone to the stream yet
    size_t n_buffered;
    double last_flush; ///< wall time [s]
    long n_line;       ///< lines since then
    double t;          ///< time of the last line
    int failure;       ///< errno of the first write that failed (disk full, file too large), or 0
} carom_textfile;

carom_status carom_textfile_open(const carom_output *output, carom_textfile *file,
                                 carom_error *error);
/// "# key: value", with control characters of the value replaced.
void carom_textfile_note(carom_textfile *file, const char *key, const char *value);
/// A name, quoted where it holds a comma or a quote.
void carom_textfile_name(carom_textfile *file, const char *name);
/// A number that reads back the same; nan, inf, -inf.
void carom_textfile_number(carom_textfile *file, double value);
void carom_textfile_text(carom_textfile *file, const char *text);
/// Ends a line of values at time t and flushes now and then; tells of failed writes.
carom_status carom_textfile_line(const carom_output *output, carom_textfile *file, double t,
                                 carom_error *error);
/// Ends the file, with a last line that says so where it is partial.
carom_status carom_textfile_close(const carom_output *output, carom_textfile *file, bool is_whole,
                                  carom_error *error);

#endif
