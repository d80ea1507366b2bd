// SPDX-License-Identifier: Apache-2.0
// A constant sparse matrix times vectors: by diagonals where it has few of them, which needs no
// indices and runs through memory, else by rows.
#ifndef CAROM_MATH_DIAGONALS_H
#define CAROM_MATH_DIAGONALS_H

#include "base/arena.h"
#include "carom/linear.h"

/// {0} has no entries.
typedef struct carom_diagonals {
    int n, n_diagonal;
    int *offset;    ///< (n_diagonal) column minus row
    double *value;  ///< (n_diagonal n) by rows of each diagonal; outside of the matrix 0
    carom_sparse A; ///< by rows, where there are too many diagonals (n_diagonal = 0)
} carom_diagonals;

/// The matrix must live as long; false where memory runs out.
bool carom_diagonals_make(carom_arena *arena, const carom_sparse *A, carom_diagonals *made);
/// y := y - A x.
void carom_diagonals_subtract(const carom_diagonals *A, const double *x, double *y);
/// x' A x.
double carom_diagonals_form(const carom_diagonals *A, const double *x);

#endif
