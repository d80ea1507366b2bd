// SPDX-License-Identifier: Apache-2.0
// Triangular factors P R A Q = L U by columns, and solves that follow the entries of a sparse right
// side.
#ifndef CAROM_MATH_REACH_H
#define CAROM_MATH_REACH_H

#include <stdbool.h>

/// One factor: columns without their diagonal.
typedef struct carom_triangle {
    int *start, *index;
    double *value;
    int room;
} carom_triangle;

/// Memory from the heap that is kept; {0} is empty.
typedef struct carom_reach {
    int n, room;
    carom_triangle L, U, rows; ///< rows: L as UMFPACK gives it
    double *diagonal, *scale;  ///< (n) of U; of rows
    int *P, *Q, *place;        ///< (n) row and column of each pivot; pivot of each row
    double *x;                 ///< (n) 0 between uses
    int *list, *stack, *at;    ///< (n) found unknowns; path of the search and where it stands
    unsigned char *is_found;   ///< (n) 0 between uses
} carom_reach;

/// Takes the factors out of UMFPACK's numeric object. False without memory.
bool carom_reach_take(carom_reach *reach, int n, void *factors);
/// As carom_linear_solve_sparse.
int carom_reach_solve(carom_reach *reach, int n_entry, const int *index, const double *value,
                      double *x, int *touched);
void carom_reach_free(carom_reach *reach);

#endif
