// SPDX-License-Identifier: Apache-2.0
// A square matrix put together from entries in any order, repeated ones included, and summed to
// compressed columns. Entries that come in the same order as the last time go straight to their
// places.
#ifndef CAROM_MATH_GATHER_H
#define CAROM_MATH_GATHER_H

#include "base/arena.h"

#include <stdbool.h>

typedef struct carom_gather {
    int n, most, n_added; ///< unknowns, room, entries added since the last clear
    int *row, *column;    ///< (most)
    double *value;        ///< (most)
    int n_placed;         ///< entries of the last sum
    bool is_other;        ///< some of the entries added are not where those of the last sum were
    int *place;           ///< where each went in entry (most)
    int *count;           ///< bucket starts (n+1)
    int *by_row, *sorted; ///< triplets in order of rows; of columns, then rows (most)
    int *start, *index;   ///< compressed columns, rows increasing (n+1, most)
    double *entry;        ///< their values (most)
} carom_gather;

/// Memory for n unknowns and `most` entries; false where it runs out.
bool carom_gather_take(carom_arena *arena, int n, int most, carom_gather *t);
/// From now on n unknowns, at most as many as at creation.
void carom_gather_resize(carom_gather *t, int n);
/// Sums what was added. Returns whether the pattern may be another one than that of the last sum.
bool carom_gather_sum(carom_gather *t);

static inline void carom_gather_clear(carom_gather *t)
{
    t->n_added = 0;
    t->is_other = false;
}

/// One too many is counted as such: n_added > most.
static inline void carom_gather_add(carom_gather *t, int row, int column, double value)
{
    const int k = t->n_added;
    if (k >= t->most) {
        t->n_added = t->most + 1;
        return;
    }
    t->is_other |= t->row[k] != row || t->column[k] != column;
    t->row[k] = row;
    t->column[k] = column;
    t->value[k] = value;
    t->n_added = k + 1;
}

#endif
