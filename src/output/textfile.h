// SPDX-License-Identifier: Apache-2.0
// Text files with comma-separated values: numbers with 17 digits whatever the locale, names that
// every program takes, and a look at the clock so that a killed run leaves all but its last second.
// Line 1 has the names of the columns, and there is nothing else but rows: NumPy and pandas read
// the file as it is. All else stands in the side file.
#ifndef CAROM_OUTPUT_TEXTFILE_H
#define CAROM_OUTPUT_TEXTFILE_H

#include "output/sidefile.h"

#include <stdio.h>

enum { CAROM_TEXTFILE_BYTES = 1 << 16 };

typedef struct carom_textfile {
    FILE *stream;
    const carom_column *column; ///< of the sim, or of the format
    int n_column;
    char buffer[CAROM_TEXTFILE_BYTES]; ///< what has not gone to the stream yet
    size_t n_buffered;
    double last_flush; ///< wall time [s]
    long n_line;       ///< lines since then
    double t;          ///< time of the last line
    int failure;       ///< errno of the first write that failed (disk full, file too large), or 0
} carom_textfile;

/// Opens the part, writes the side file and the names of the columns. Refuses names that clash.
carom_status carom_textfile_open(carom_output *output, carom_textfile *file,
                                 const carom_column *column, int n, carom_error *error);
/// A name as CSV files spell it.
void carom_textfile_name(carom_textfile *file, const char *name);
/// A number that reads back the same; nan, inf, -inf.
void carom_textfile_number(carom_textfile *file, double value);
void carom_textfile_text(carom_textfile *file, const char *text);
/// Ends a line of values at time t and flushes now and then; tells of failed writes.
carom_status carom_textfile_line(const carom_output *output, carom_textfile *file, double t,
                                 carom_error *error);
/// Ends the file; the side file then says whether it is whole, and why not.
carom_status carom_textfile_close(carom_output *output, carom_textfile *file, bool is_whole,
                                  carom_error *error);

#endif
