// SPDX-License-Identifier: Apache-2.0
// Given which contacts are open, stick or slip, the impulses follow from a linear system
// (plane and frictionless, discs of one row).
#ifndef CAROM_CONTACT_MODE_H
#define CAROM_CONTACT_MODE_H

#include "contact/problem/problem.h"

enum { CAROM_OPEN, CAROM_STICK, CAROM_SLIP_UP, CAROM_SLIP_DOWN }; // SLIP_UP: P_T = mu P_N

/// A dense problem of contacts with dim 1 or 2 and discs with dim 1, the mode of each, and scratch.
/// Discs stick or slip.
typedef struct carom_modes {
    const carom_problem *problem;
    int *mode;            ///< (n_block)
    int *unknown, *pivot; ///< (n_row)
    double *A, *x, *work; ///< (n_row^2), (n_row), rest
} carom_modes;

/// Cuts the scratch from work and index, which have the room stated below.
carom_modes carom_modes_cut(const carom_problem *problem, double *work, int *index);
size_t carom_modes_work(int n);
size_t carom_modes_index(int n);
/// Reads the modes from impulses.
void carom_modes_guess(carom_modes *modes, const double *P);
/// The impulses of these modes. False where the system is singular (unless least: then the shortest
/// impulses) or a law is clearly broken; whether the laws hold exactly is for the residual to say.
bool carom_modes_solve(carom_modes *modes, bool least, double *P);

#endif
