// SPDX-License-Identifier: Apache-2.0
// A symmetric positive definite matrix made of independent blocks: the connected parts of its
// pattern. Small blocks are dense, large sparse ones are factorised by LDL'. This is how mass
// matrices are kept.
#ifndef CAROM_MATH_BLOCKMASS_H
#define CAROM_MATH_BLOCKMASS_H

#include "base/arena.h"
#include "carom/extend.h"

/// Analyses a symmetric pattern (sparse by rows, both triangles, diagonal present). All memory is
/// from the arena.
carom_mass *carom_mass_new(carom_arena *arena, int n, const int *start, const int *index);
/// The values by entry of the pattern given to carom_mass_new (its storage; the owner fills it).
double *carom_mass_values(carom_mass *mass);
/// Lets the mass read its values from elsewhere (the same order).
void carom_mass_use_values(carom_mass *mass, double *value);
/// The matrix as a sparse one: the pattern and the values in use.
carom_sparse carom_mass_sparse(const carom_mass *mass);
/// Says which entries of the pattern never change: a block of such entries is factorised once.
void carom_mass_mark_constant(carom_mass *mass, const unsigned char *is_constant);
/// Factorises the values. Returns -1, or the row whose pivot is not positive beyond rounding (NaN
/// is not).
int carom_mass_factor(carom_mass *mass);
/// The rows of the block that row i belongs to: count and list.
int carom_mass_block_of(const carom_mass *mass, int i, const int **member);
/// Solves M x = w for a sparse w: x is touched only on the blocks w touches (their members in the
/// mass's own order); the rows touched are listed in touched (room n) and their number is returned.
/// x must be 0 there on entry.
int carom_mass_solve_sparse(const carom_mass *mass, int n_entry, const int *index,
                            const double *value, double *x, int *touched);

#endif
