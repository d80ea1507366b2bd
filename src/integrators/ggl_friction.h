// SPDX-License-Identifier: Apache-2.0
// Friction in an implicit GGL step: the tangents of its contacts, and Newton's method with the laws
// of both levels as one contact problem. Steps without rough contacts never come here.
#ifndef CAROM_INTEGRATORS_GGL_FRICTION_H
#define CAROM_INTEGRATORS_GGL_FRICTION_H

#include "carom/extend.h"

typedef struct carom_ggl_friction carom_ggl_friction;

/// Takes all memory; *friction is NULL where no contact has tangents.
carom_status carom_ggl_friction_new(carom_step *s, carom_ggl_friction **friction);
void carom_ggl_friction_free(carom_ggl_friction *friction);

/// Chooses the tangents of the contacts that are rows of the step.
void carom_ggl_friction_choose(const carom_step *s);
/// Whether there are any.
bool carom_ggl_is_rough(const carom_ggl_friction *friction);
/// The impulses of the step (n_row): those of tangents alone, or those of all other rows.
const double *carom_ggl_friction_P(const carom_step *s, bool of_tangents);
/// The tangents' share of what is done with the rows: the first guess of their impulses, sizes,
/// rates at the end, distance from the law, and losses.
void carom_ggl_friction_guess(const carom_step *s, const carom_state *now);
void carom_ggl_friction_measure(const carom_step *s);
void carom_ggl_friction_look(const carom_step *s, const carom_state *next);
void carom_ggl_friction_residual(carom_step *s);
void carom_ggl_friction_report(carom_step *s);
/// The Newton step into x, and the tangents' impulses.
carom_status carom_ggl_friction_step(carom_step *s, const carom_state *now,
                                     const carom_state *next);
/// The end's position once more, in one sum from the start's: Newton's steps have rounded it each.
void carom_ggl_friction_place(const carom_step *s, const carom_state *now, carom_state *next);

#endif
