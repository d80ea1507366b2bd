// SPDX-License-Identifier: Apache-2.0
// A square matrix whose entries are a narrow band in some order of its unknowns, and its factors.
// No allocation after creation.
#ifndef CAROM_MATH_NARROW_H
#define CAROM_MATH_NARROW_H

#include "base/arena.h"

#include <stdbool.h>

typedef struct carom_narrow carom_narrow;

/// Orders and analyses a pattern by columns. NULL where no order found makes it narrow, where a
/// sparse factorisation would have less to do, or where memory runs out. symmetric_only: no room is
/// taken for other values.
carom_narrow *carom_narrow_new(carom_arena *arena, int n, const int *start, const int *index,
                               bool symmetric_only);
/// Factorises the values, in the order of the pattern: L D L' where they are symmetric (to
/// rounding) and positive definite, else P L U. Returns -1, or the unknown whose pivot cannot be
/// used.
int carom_narrow_factor(carom_narrow *band, const double *value);
/// The same of values that are symmetric: the unknown whose pivot is not positive beyond rounding.
int carom_narrow_factor_symmetric(carom_narrow *band, const double *value);
/// Whether the factors are L D L'.
bool carom_narrow_is_symmetric(const carom_narrow *band);
/// x := A^-1 x.
void carom_narrow_solve(const carom_narrow *band, double *x);
/// As carom_linear_solve_sparse: only parts of the matrix that the entries belong to are touched.
int carom_narrow_reach(const carom_narrow *band, int n_entry, const int *index, const double *value,
                       double *x, int *touched);
/// Parts that nothing couples.
int carom_narrow_n_part(const carom_narrow *band);
/// How far entries are from the diagonal.
int carom_narrow_width(const carom_narrow *band);

#endif
