// SPDX-License-Identifier: Apache-2.0
// A large problem in the form solvers like: scaled, by block rows, in pieces of up to three rows.
#ifndef CAROM_CONTACT_BLOCKED_MATRIX_H
#define CAROM_CONTACT_BLOCKED_MATRIX_H

#include "contact/problem/factor_rows.h"
#include "contact/problem/problem.h"

/// The working copy, with memory from the heap that grows to the largest problem met and is kept.
typedef struct carom_blocked {
    carom_problem problem; ///< G by block rows; bilateral groups cut into pieces
    carom_block_rows rows;
    double *s; ///< (n_row) P = s p
    double *P; ///< (n_row) p
    int *piece_of, *mark;
    double *row_value;
    int *row_index;
    carom_factor_rows lists; ///< where the problem is given as factors
    int room_row, room_block, room_value;
} carom_blocked;

/// Copies a problem of any form and the guess P and scales them so that the diagonal has size 1.
/// False without memory.
bool carom_blocked_fill(carom_blocked *blocked, const carom_problem *problem, const double *P);
/// P = s p.
void carom_blocked_answer(const carom_blocked *blocked, double *P);
void carom_blocked_free(carom_blocked *blocked);

#endif
