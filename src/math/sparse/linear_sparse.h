// SPDX-License-Identifier: Apache-2.0
// The sparse half of carom_linear: triplets in, factors of compressed columns out.
#ifndef CAROM_MATH_LINEAR_SPARSE_H
#define CAROM_MATH_LINEAR_SPARSE_H

#include "base/arena.h"
#include "carom/base.h"

typedef struct carom_linear_sparse carom_linear_sparse;

/// n unknowns, at most max_entries entries added between two clears (more make the factorisation
/// return CAROM_BUG).
carom_status carom_linear_sparse_new(carom_arena *arena, int n, int max_entries,
                                     carom_linear_sparse **sparse, carom_error *error);
/// Frees the factors; the rest belongs to the arena.
void carom_linear_sparse_free(carom_linear_sparse *sparse);
void carom_linear_sparse_clear(carom_linear_sparse *sparse);
/// From now on n unknowns, at most as many as at creation.
void carom_linear_sparse_resize(carom_linear_sparse *sparse, int n);
void carom_linear_sparse_add(carom_linear_sparse *sparse, int row, int column, double value);
/// Looks at the pattern of what was added, without its values. Allocates.
carom_status carom_linear_sparse_analyse(carom_linear_sparse *sparse, carom_error *error);
/// How far entries are from the diagonal where that is a band, which is factorised without
/// allocation; else -1.
int carom_linear_sparse_width(const carom_linear_sparse *sparse);
/// The analysis is kept while the pattern stays the same. Allocates (the factors).
carom_status carom_linear_sparse_factor(carom_linear_sparse *sparse, carom_error *error);
void carom_linear_sparse_solve(const carom_linear_sparse *sparse, double *x);
/// As carom_linear_is_sound; true without memory to tell.
bool carom_linear_sparse_is_sound(carom_linear_sparse *sparse);
/// As carom_linear_solve_sparse; -1 without memory for a copy of the factors, which the first call
/// after a factorisation makes.
int carom_linear_sparse_reach(carom_linear_sparse *sparse, int n_entry, const int *index,
                              const double *value, double *x, int *touched);

#endif
