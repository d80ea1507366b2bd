// SPDX-License-Identifier: Apache-2.0
// A sparse symmetric matrix G and linear systems with some of its rows.
#ifndef CAROM_CONTACT_SYMMETRIC_H
#define CAROM_CONTACT_SYMMETRIC_H

#include "contact/problem/problem.h"

/// G by rows, order and factors, with memory from the heap that is kept. The analysis is done again
/// only where the pattern changes.
typedef struct carom_symmetric {
    int n, n_analysed;
    int *start, *index, *known_start, *known_index; ///< pattern, and the one that was analysed
    double *value, *chosen;                         ///< entries, and those of the rows in the set
    int *order, *place, *parent, *count, *flag, *pattern;
    int *l_start, *l_index;
    double *l_value, *D, *y, *x;
    int room_row, room_entry, room_factor;
} carom_symmetric;

/// Memory for n rows and n_entry entries of G and of its factors; false where there is none.
bool carom_symmetric_reserve(carom_symmetric *s, int n, int n_entry);
/// Copies G of a problem. False where it is not symmetric, or without memory.
bool carom_symmetric_fill(carom_symmetric *s, const carom_problem *problem);
/// The entry in row i and column j, 0 where there is none.
double carom_symmetric_entry(const carom_symmetric *symmetric, int i, int j);
/// Prepares for systems with the present pattern. False where there are no factors of its size, or
/// without memory.
bool carom_symmetric_analyse(carom_symmetric *s);
/// x := G_SS^-1 x on the rows with is_in; the others keep their x. False where G_SS is not positive
/// definite to working accuracy.
bool carom_symmetric_solve(carom_symmetric *s, const int *is_in, double *x);
/// y = G x.
void carom_symmetric_product(const carom_symmetric *s, const double *x, double *y);
/// d (n) = the diagonal.
void carom_symmetric_diagonal(const carom_symmetric *s, double *d);
void carom_symmetric_free(carom_symmetric *s);

#endif
