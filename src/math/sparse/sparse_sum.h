// SPDX-License-Identifier: Apache-2.0
// A sparse matrix while it is put together: entries in any order, equal places add up.
#ifndef CAROM_MATH_SPARSE_SUM_H
#define CAROM_MATH_SPARSE_SUM_H

#include "base/list.h"
#include "carom/linear.h"

typedef struct carom_sparse_part {
    int row, column;
    double value;
} carom_sparse_part;

/// {0} is empty. Memory is from the arena given; is_out says that it ran out.
typedef struct carom_sparse_sum {
    carom_arena *arena;
    CAROM_LIST(carom_sparse_part) entry;
    bool is_out;
} carom_sparse_sum;

/// Adds a value; rows or columns below 0 are those that were struck out, and nothing happens.
void carom_sparse_sum_add(carom_sparse_sum *sum, int row, int column, double value);
/// The matrix by rows, columns increasing, in an arena; every diagonal entry is there. False
/// without memory.
bool carom_sparse_sum_finish(const carom_sparse_sum *sum, int n, carom_arena *arena,
                             carom_sparse *A);

#endif
