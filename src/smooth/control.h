// SPDX-License-Identifier: Apache-2.0
// Step control: tries, accepts, rejects, proposes.
#ifndef CAROM_SMOOTH_CONTROL_H
#define CAROM_SMOOTH_CONTROL_H

#include "smooth/smooth.h"

/// The longest step of a run, as a share of it, where none is given.
#define CAROM_LONGEST_SHARE 0.2

/// What became of a controlled step.
typedef struct carom_controlled {
    double h;      ///< step taken
    double h_next; ///< proposal for the next
    double error;  ///< of the accepted step, <= 1
    int rejected;  ///< attempts before it
} carom_controlled;

/// clip(0.9 err^-exponent, 0.2, 10), or what the solver itself proposes.
double carom_control_factor(const carom_flow *flow, double error);
/// The first step from now, of length h or shorter, whose error is at most 1. An attempt that fails
/// (a number that is not finite, an iteration that does not converge) is a rejection.
carom_status carom_control_step(carom_flow *flow, const carom_motion *now, double h,
                                carom_motion *next, carom_controlled *result);

#endif
