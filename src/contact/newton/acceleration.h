// SPDX-License-Identifier: Apache-2.0
// Anderson acceleration of a fixed point iteration x <- x + f(x).
#ifndef CAROM_CONTACT_ACCELERATION_H
#define CAROM_CONTACT_ACCELERATION_H

#include <stddef.h>

enum { CAROM_ANDERSON_MOST = 20 };

typedef struct carom_anderson {
    int n, memory;   ///< unknowns, differences kept
    int count;       ///< differences stored, all told
    double *dx, *df; ///< (memory * n) rings of differences
    double *x, *f;   ///< (n) last point and its f
    double *safe;    ///< (n) the plain step at the shortest f
    double shortest; ///< |f|^2 there
    double gram[CAROM_ANDERSON_MOST * CAROM_ANDERSON_MOST];
} carom_anderson;

/// Doubles needed; memory is at most CAROM_ANDERSON_MOST.
size_t carom_anderson_work(int n, int memory);
carom_anderson carom_anderson_cut(int n, int memory, double *work);
/// Forgets everything, as after a change of f.
void carom_anderson_forget(carom_anderson *anderson);
/// Takes (x, f(x)) and puts the next point into x. Falls back where |f| has grown.
void carom_anderson_next(carom_anderson *anderson, double *x, const double *f);

#endif
