// SPDX-License-Identifier: Apache-2.0
// Whether a sparse pattern by rows can be one.
#ifndef CAROM_MATH_PATTERN_H
#define CAROM_MATH_PATTERN_H

#include "carom/linear.h"

#include <stdbool.h>

/// A matrix of n_row rows whose entries are in columns 0 .. n_column-1, with room for most of them.
typedef struct carom_pattern_shape {
    int n_row, n_column, most;
    bool any_order; ///< columns need not increase within a row
} carom_pattern_shape;

/// The first row at fault: it begins where the one before does not end (start[0] = 0), has more
/// entries than there is room for, or columns that are not increasing (unless any order will do) or
/// not there. -1 = none.
int carom_pattern_fault(carom_pattern_shape shape, const int *start, const int *index);
/// The first row of a square pattern without fault that has an entry (i, j) but no (j, i), or no
/// entry on the diagonal. -1 = none.
int carom_pattern_unlike(int n, const int *start, const int *index);
/// Both triangles from the lower one with its diagonal (both by rows): in each row first the
/// columns before it, then those after it. from[k] is the entry of the lower one that entry k is;
/// start (n+1) is 0 on entry, next (n) is scratch.
void carom_pattern_mirror(const carom_sparse *lower, int *start, int *index, int *from, int *next);

#endif
