// SPDX-License-Identifier: Apache-2.0
// The last digits: a few Newton steps on the laws from an answer that is nearly right.
#ifndef CAROM_CONTACT_POLISH_H
#define CAROM_CONTACT_POLISH_H

#include "contact/newton/blend.h"
#include "contact/problem/natural.h"

typedef struct carom_polish {
    carom_blend *blend; ///< of the problem
    carom_natural natural;
    double *R, *C; ///< (3 n_row)
    double *step;  ///< (n_row)
} carom_polish;

size_t carom_polish_work(int max_row);
carom_polish carom_polish_cut(carom_blend *blend, double *work);
/// One full Newton step from P. False, with P as it was, where its matrix is singular.
bool carom_polish_step(carom_polish *polish, double *P);
/// Steps from best while that makes it better; P is scratch. Returns the residual of best.
double carom_polish_run(carom_polish *polish, double *best, double residual, double tolerance,
                        double *P);

#endif
