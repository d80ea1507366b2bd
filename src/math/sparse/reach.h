// SPDX-License-Identifier: Apache-2.0
// Triangular factors P R A Q = L U by columns, and solves that follow the entries of a sparse right
// side.
#ifndef CAROM_MATH_REACH_H
#define CAROM_MATH_REACH_H

#include "math/sparse/sparse_lu.h"

/// One factor by columns; a column of L starts with its diagonal, one of U ends with it.
typedef struct carom_triangle {
    int *start, *index;
    double *value;
    int room;
} carom_triangle;

/// Memory from the heap that is kept; {0} is empty.
typedef struct carom_reach {
    int n, room;
    carom_triangle L, U;
    double *scale;           ///< (n) what each pivot's row is divided by
    int *P, *Q, *place;      ///< (n) row and column of each pivot; pivot of each row
    double *x;               ///< (n) 0 between uses
    int *list, *stack, *at;  ///< (n) found unknowns; path of the search and where it stands
    unsigned char *is_found; ///< (n) 0 between uses
} carom_reach;

/// Takes a copy of the factors. False without memory.
bool carom_reach_take(carom_reach *reach, const carom_sparse_lu *lu);
/// As carom_linear_solve_sparse.
int carom_reach_solve(carom_reach *reach, int n_entry, const int *index, const double *value,
                      double *x, int *touched);
/// The smallest pivot, over the terms that it was left over from: max |L_kj U_jk|, j <= k.
double carom_reach_weakest(const carom_reach *reach);
void carom_reach_free(carom_reach *reach);

#endif
