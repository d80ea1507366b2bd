// SPDX-License-Identifier: Apache-2.0
// A large sparse symmetric positive definite matrix and its factors L D L', without allocation
// after creation.
#ifndef CAROM_MATH_LDL_H
#define CAROM_MATH_LDL_H

#include "base/arena.h"

typedef struct carom_ldl carom_ldl;

/// Orders and analyses a symmetric pattern (both triangles, diagonal present). NULL where memory
/// runs out.
carom_ldl *carom_ldl_new(carom_arena *arena, int n, const int *start, const int *index);
/// Entries of L below the diagonal that a pattern would have (repeated entries do not matter).
double carom_ldl_count(carom_arena *arena, int n, const int *start, const int *index);
/// Factorises the values, in the order of the pattern. Returns -1, or the row whose
/// pivot is not positive.
int carom_ldl_factor(carom_ldl *ldl, const double *value);
/// Number of entries of the pattern.
int carom_ldl_entries(const carom_ldl *ldl);
/// x := A^-1 x.
void carom_ldl_solve(const carom_ldl *ldl, double *x);

#endif
