// SPDX-License-Identifier: Apache-2.0
// Columns of a sparse matrix that can be found by differences together.
#ifndef CAROM_MATH_COLOURING_H
#define CAROM_MATH_COLOURING_H

#include "base/arena.h"

/// Gives each column of a pattern by rows a colour from 0 on (n_column), so that no row has entries
/// in two columns of one colour. Returns how many colours there are; -1 without memory.
int carom_pattern_colour(int n_row, int n_column, const int *start, const int *index, int *colour);

#endif
