// SPDX-License-Identifier: Apache-2.0
// From an answer that is roughly right to one that is right, through many changes of who sticks,
// slips and opens: the proximal point iteration with full Newton steps.
#ifndef CAROM_CONTACT_WALK_H
#define CAROM_CONTACT_WALK_H

#include "contact/newton/polish.h"

typedef struct carom_walk {
    carom_polish *polish;
    double *P, *center, *trial, *inner; ///< (n_row)
    double residual;                    ///< of the best answer
    int n_step;                         ///< Newton steps made
} carom_walk;

size_t carom_walk_work(int max_row);
carom_walk carom_walk_cut(carom_polish *polish, double *work);
/// Improves best (n_row), whose residual is given, until that is at most the tolerance, or
/// max_step Newton steps. Returns the residual of best.
double carom_walk_run(carom_walk *walk, double *best, double residual, double tolerance,
                      int max_step);

#endif
