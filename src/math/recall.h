// SPDX-License-Identifier: Apache-2.0
// Solutions of a linear system with few entries on the right side that are asked for again and
// again: the directions of contacts, while the matrix stays.
#ifndef CAROM_MATH_RECALL_H
#define CAROM_MATH_RECALL_H

#include "base/arena.h"

typedef struct carom_recall carom_recall;

/// For n unknowns; NULL without memory, and all functions take NULL for one that recalls nothing.
carom_recall *carom_recall_new(carom_arena *arena, int n);
/// The matrix is another one from now on.
void carom_recall_forget(carom_recall *recall);
/// The solution (n) for this right side, to the last bit that one which was kept; NULL where none
/// was.
const double *carom_recall_find(carom_recall *recall, int n_entry, const int *index,
                                const double *value);
/// Where carom_recall_find had nothing for this right side: keeps the solution, if it is not the
/// first time that this right side is asked for and there is room.
void carom_recall_keep(carom_recall *recall, int n_entry, const int *index, const double *value,
                       const double *x);

#endif
