// SPDX-License-Identifier: Apache-2.0
// Semismooth Newton on the equations of natural.h, plain or around a proximal center.
#ifndef CAROM_CONTACT_SEMISMOOTH_H
#define CAROM_CONTACT_SEMISMOOTH_H

#include "contact/problem/natural.h"
#include "contact/solver.h"

enum { CAROM_NEWTON_MEMORY = 4 };

typedef struct carom_semismooth {
    const carom_problem *problem;
    carom_natural natural;
    carom_block_lu *lu;
    carom_body_space *bodies; ///< in place of lu where the problem is in body form
    double *step, *trial, *best, *good, *center, *A, *R, *x, *work;
    int *free, *pivot;                  ///< rows that are not trivial
    double memory[CAROM_NEWTON_MEMORY]; ///< lengths of F at the last iterates
    double length;                      ///< relative length of F at the best iterate
    int n_trial;                        ///< step lengths tried: 1 = full steps
    bool is_dense;
    int iterations;
} carom_semismooth;

size_t carom_semismooth_work(int max_row);
size_t carom_semismooth_index(int max_row);
carom_semismooth carom_semismooth_cut(const carom_attempt *attempt);
/// Newton from P on the problem shifted by d around a->center (d = 0: the problem itself)
/// until the length of F, relative to its scale, is at most goal. P becomes the best
/// iterate; returns its length.
double carom_semismooth_iterate(carom_semismooth *a, double d, double *P, double goal, int n_most);
/// The residual of P, from the rates at hand.
double carom_semismooth_residual(carom_semismooth *a, const double *P);

#endif
