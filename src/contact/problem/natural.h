// SPDX-License-Identifier: Apache-2.0
// The laws of a contact problem as equations F(P) = 0 (Alart-Curnier, Jean-Moreau or
// Fischer-Burmeister functions), with their generalised derivative.
#ifndef CAROM_CONTACT_NATURAL_H
#define CAROM_CONTACT_NATURAL_H

#include "contact/problem/problem.h"

/// The derivative of row i: the sum over the rows k of its block of (own[k] e_k + rate[k] G_k).
typedef struct carom_natural_row {
    int first, dim;   ///< the rows k
    bool is_identity; ///< just e_i
    double own[3], rate[3];
    int back;    ///< of a disc of a contact: row first - back is its normal; 0 = none
    double load; ///< and load e_(first - back) is added
} carom_natural_row;

/// Which function: the disc of the tangential rows has radius mu (P_N - r xi_N) or mu P_N, or
/// impulses and De Saxce's rates are complementary in a cone (contact/newton/fischer.h).
typedef enum carom_natural_kind {
    CAROM_ALART_CURNIER,
    CAROM_JEAN_MOREAU,
    CAROM_FISCHER_BURMEISTER
} carom_natural_kind;

typedef struct carom_natural {
    const carom_problem *problem;
    double *r;              ///< (n_row) 1/|G_ii|, alike for the tangential rows of a contact
    double *xi, *F;         ///< (n_row) rates [m/s] and equations [N s] at the last point
    carom_natural_row *row; ///< (n_row)
    carom_natural_kind kind;
    double shift;         ///< 0, or the problem is that of G + shift / r ...
    const double *center; ///< ... with b - shift / r center: a proximal step from center (n_row)
    double factor;        ///< of r: 1 / (1 + shift)
    double scale;         ///< of F at the last point, for a relative length
} carom_natural;

size_t carom_natural_work(int n); ///< doubles for r, xi, F and the rows
carom_natural carom_natural_cut(const carom_problem *problem, double *work);
/// From now on the proximal problem with this shift and center (which must stay); 0: the problem.
void carom_natural_shift(carom_natural *natural, double shift, const double *center);
/// Evaluates F at P with its derivative. Returns the length of F in the norm sqrt(sum F^2 / r).
double carom_natural_at(carom_natural *natural, const double *P);

#endif
