// SPDX-License-Identifier: Apache-2.0
// Reading a contact problem: rows, sizes, and whether it is well formed.
#ifndef CAROM_CONTACT_PROBLEM_H
#define CAROM_CONTACT_PROBLEM_H

#include "carom/contact.h"

#include <math.h>

/// The larger of two numbers, without the care for NAN that makes fmax slow.
static inline double carom_larger(double a, double b)
{
    return a > b ? a : b;
}

/// Row i of G times P, and the diagonal entry of the row.
double carom_matrix_row(const carom_matrix *G, int i, const double *P, double *diagonal);
/// Entry (i, j); 0 where a sparse matrix has none.
double carom_matrix_at(const carom_matrix *G, int i, int j);
/// A positive size for row i: |G_ii|, else its largest entry, else 1 (a dead row).
double carom_matrix_size(const carom_matrix *G, int i);
/// xi = G P + b.
void carom_problem_rates(const carom_problem *problem, const double *P, double *xi);
/// Refuses blocks that are not consecutive, wrong dimensions, negative friction, more than max_row
/// rows.
carom_status carom_problem_check(const carom_problem *problem, int max_row, carom_error *error);
/// How many rows are bilateral.
int carom_problem_bilateral(const carom_problem *problem);
/// Whether some contact has tangential rows.
bool carom_problem_has_friction(const carom_problem *problem);

#endif
