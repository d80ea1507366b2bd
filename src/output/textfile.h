// SPDX-License-Identifier: Apache-2.0
// Text files with comma-separated values: numbers with 17 digits whatever the locale, names that
// every program takes. Line 1 has the names of the columns, and there is nothing else but rows:
// NumPy and pandas read the file as it is. All else stands in the side file.
#ifndef CAROM_OUTPUT_TEXTFILE_H
#define CAROM_OUTPUT_TEXTFILE_H

#include "output/sidefile.h"

typedef struct carom_textfile {
    carom_output *output;
    const carom_column *column; ///< of the sim, or of the format
    int n_column;
    double t; ///< time of the last line
} carom_textfile;

/// Opens the part, writes the side file and the names of the columns, and says how both become the
/// target when the run ends. Refuses names that clash.
carom_status carom_textfile_open(carom_output *output, carom_textfile *file,
                                 const carom_column *column, int n, carom_error *error);
/// A name as CSV files spell it.
void carom_textfile_name(carom_textfile *file, const char *name);
/// A number that reads back the same; nan, inf, -inf.
void carom_textfile_number(carom_textfile *file, double value);
void carom_textfile_text(carom_textfile *file, const char *text);
/// Ends a line of values at time t; tells of failed writes.
carom_status carom_textfile_line(carom_textfile *file, double t, carom_error *error);

#endif
