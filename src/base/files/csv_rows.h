// SPDX-License-Identifier: Apache-2.0
// A comma-separated file, row by row: memory does not grow with the file.
#ifndef CAROM_BASE_CSV_ROWS_H
#define CAROM_BASE_CSV_ROWS_H

#include "carom/limits.h"

#include <stdio.h>

typedef struct carom_csv_rows {
    const char *path;
    const carom_limits *limits; ///< of its size; NULL = none
    FILE *file;
    char *line; ///< the row being read; cells point into it
    size_t room;
    int number; ///< of the line in the file, from 1
    /// A last line without its end is no row: the file is a part, or has a side file.
    bool needs_end;
    bool is_cut; ///< and there was one
    char **cell;
    int n_cell, cell_room;
    /// Sees lines that start with '#' (may be NULL).
    void (*comment)(void *self, char *line);
    void *self;
} carom_csv_rows;

/// Opens path (borrowed) and reads the names of its columns as the first row. rows must be zero,
/// except for limits, comment and self.
carom_status carom_csv_rows_open(carom_csv_rows *rows, const char *path, carom_error *error);
/// Reads the next row that is no comment; n_cell = 0 at the end of the file.
carom_status carom_csv_rows_next(carom_csv_rows *rows, carom_error *error);
/// Refuses a row that has not n cells.
carom_status carom_csv_rows_check(const carom_csv_rows *rows, int n, carom_error *error);
/// Reads cell i of the row; an empty one is not-a-number, a text is refused with its place.
carom_status carom_csv_rows_number(const carom_csv_rows *rows, int i, double *value,
                                   carom_error *error);
void carom_csv_rows_close(carom_csv_rows *rows);
/// Reads a cell as a number: nan and inf too.
bool carom_csv_number(const char *text, double *value);

#endif
