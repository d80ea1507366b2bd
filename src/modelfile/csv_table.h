// SPDX-License-Identifier: Apache-2.0
// Two columns of numbers from a comma-separated file with a header line.
#ifndef CAROM_MODELFILE_CSV_TABLE_H
#define CAROM_MODELFILE_CSV_TABLE_H

#include "modelfile/source.h"

typedef struct carom_csv {
    int n;
    double *x, *y; ///< (n), in the arena
} carom_csv;

/// Reads the columns named (both absent: the file's only two) of a loaded file. Lines that start
/// with '#' and empty lines are left out; the first other line is the header.
carom_status carom_csv_read(carom_arena *arena, const carom_source *source,
                            const carom_text column[2], carom_csv *csv, carom_error *error);

#endif
