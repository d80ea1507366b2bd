// SPDX-License-Identifier: Apache-2.0
// Steps near a place where held rows that are independent elsewhere become dependent: dead centres,
// flat parallelograms, crossings of two ways to move. See weak.c.
#ifndef CAROM_SMOOTH_WEAK_H
#define CAROM_SMOOTH_WEAK_H

#include "smooth/smooth.h"

/// Last in the memory of a motion: whether it has been brought onto the constraints;
/// rows held, most of them independent so far, strongest pivot; independent rows and
/// weakest pivot where it is.
enum { CAROM_WEAK_MEMORY = 6 };

/// One step without regard to what came before: as carom_smooth.step.
typedef carom_status carom_weak_attempt(carom_flow *flow, const carom_motion *now, double h,
                                        carom_motion *next, double *error);

/// Accelerations and forces of a motion that starts, or goes on after an event.
carom_status carom_weak_start(carom_flow *flow, carom_motion *now);
/// Whether what a motion remembers of it can be true.
bool carom_weak_is_memory(const carom_flow *flow, const carom_motion *motion);
/// A step begins: of its rows is known what the motion remembers.
void carom_weak_begin(carom_flow *flow, const carom_motion *now);
/// It ends.
void carom_weak_end(const carom_flow *flow, carom_motion *next, bool is_clean);
/// How independent the rows were in a solve of the step.
void carom_weak_note_strength(carom_flow *flow, const carom_saddle_strength *strength);
/// What the rows of the step are held to: so near that place that answers would be noise, what is
/// held weakly keeps the forces it had at the start of the step (is_forces), or is let go.
carom_saddle_limit carom_weak_limit(const carom_flow *flow, bool is_forces);
/// Whether the step came near such a place.
bool carom_weak_is_near(const carom_flow *flow);
/// What to add to a message that a step could not be taken: "" away from such places.
const char *carom_weak_advice(const carom_flow *flow);

/// Brings the end of a step onto the constraints, as far as asked for; moved receives what of that
/// counts as error, in the norm of carom_flow_norm, if the step was weak, else 0.
carom_status carom_weak_settle_end(carom_flow *flow, carom_motion *next, bool positions,
                                   bool velocities, double *moved);

/// Takes a step of a solver that lets positions drift: a weak one starts from a motion that has
/// been brought onto the constraints.
carom_status carom_weak_step(carom_flow *flow, carom_weak_attempt *attempt, const carom_motion *now,
                             double h, carom_motion *next, double *error);

#endif
