// SPDX-License-Identifier: Apache-2.0
// Rows of a matrix given as factors, in time that follows their entries.
#ifndef CAROM_CONTACT_FACTOR_ROWS_H
#define CAROM_CONTACT_FACTOR_ROWS_H

#include "carom/contact.h"

/// For each velocity the rows of W that contain it. Memory from the heap that grows and is kept.
typedef struct carom_factor_rows {
    int *start, *row; ///< (n_column + 1), rows of W by columns
    int *mark;        ///< (n) scratch
    double *v;        ///< (n_column) scratch, 0 between calls
    int room_column, room_entry, room_row;
} carom_factor_rows;

/// False without memory.
bool carom_factor_rows_fill(carom_factor_rows *rows, const carom_factors *f, int n);
/// As carom_matrix_entries, but in any order.
int carom_factor_rows_entries(carom_factor_rows *rows, const carom_factors *f, int i, int *index,
                              double *value);
void carom_factor_rows_free(carom_factor_rows *rows);

#endif
