// SPDX-License-Identifier: Apache-2.0
// What the library asks of carom_linear beyond carom/linear.h.
#ifndef CAROM_MATH_LINEAR_H
#define CAROM_MATH_LINEAR_H

#include "carom/linear.h"

/// Says that the matrix will be a weighted sum of these blocks of its own size, whose patterns and
/// values stay where they are: where their entries go is found once.
carom_status carom_linear_expect(carom_linear *linear, int n_block, const carom_sparse *block,
                                 carom_error *error);
/// A := sum of weight[i] block[i]; blocks of weight 0 are not looked at.
void carom_linear_combine(carom_linear *linear, const double *weight);

/// Whether no pivot of a sparse matrix is what rounding left of larger terms (1e-10 of them): else
/// some of its rows say the same, and parts of a solution are made of noise. A dense matrix like
/// that is not factorised at all.
bool carom_linear_is_sound(const carom_linear *linear);

/// Solves A x = b for a b with few entries: unknowns that these do not reach are not touched. The
/// ones touched are listed in touched (room n) and their number is returned. x must be 0 on entry.
int carom_linear_solve_sparse(const carom_linear *linear, int n_entry, const int *index,
                              const double *value, double *x, int *touched);

#endif
