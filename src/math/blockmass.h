// SPDX-License-Identifier: Apache-2.0
// A symmetric positive definite matrix made of independent blocks: the connected parts of its
// pattern. Small blocks are dense, large sparse ones are factorised by LDL'. This is how mass
// matrices are kept.
#ifndef CAROM_MATH_BLOCKMASS_H
#define CAROM_MATH_BLOCKMASS_H

#include "base/arena.h"
#include "carom/linear.h"

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
/// How many numbers the factors of blocks of up to three rows are: of one row 1/m, of two rows
/// 1/d1, l, 1/d2, of three 1/d1, l21, l31, 1/d2, l32, 1/d3.
int carom_mass_n_small(const carom_mass *mass);
/// Where the factors of row i's block stand among them; -1 where it has more than three rows.
int carom_mass_small_of(const carom_mass *mass, int i);
/// Lets these factors stand elsewhere; whoever writes the values writes them too. Before marking
/// what is constant.
void carom_mass_use_small(carom_mass *mass, double *small);
/// Factorises the values (but for what is given and what was done for ever). Returns -1, or the row
/// whose pivot is not positive beyond rounding (NaN is not).
int carom_mass_factor(carom_mass *mass);
/// Whether a factorisation has anything to do once the first one is done.
bool carom_mass_varies(const carom_mass *mass);
/// What was constant has changed: the next factorisation takes all blocks.
void carom_mass_forget(carom_mass *mass);
/// Factorises everything, also what is given.
int carom_mass_factor_all(carom_mass *mass);
/// The rows of the block that row i belongs to: count and list.
int carom_mass_block_of(const carom_mass *mass, int i, const int **member);
/// x := M^-1 x for m columns of n numbers, one after the other.
void carom_mass_solve_columns(const carom_mass *mass, double *x, int m);
/// Solves M x = w for a sparse w: x is touched only on the blocks w touches (their members in the
/// mass's own order); the rows touched are listed in touched (room n) and their number is returned.
/// x must be 0 there on entry.
int carom_mass_solve_sparse(const carom_mass *mass, int n_entry, const int *index,
                            const double *value, double *x, int *touched);

#endif
