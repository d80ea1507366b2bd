// SPDX-License-Identifier: Apache-2.0
// Inertia forces from the mass matrix.
#ifndef CAROM_MODEL_INERTIA_H
#define CAROM_MODEL_INERTIA_H

#include "base/arena.h"
#include "expr/graph.h"
#include "model/making/lagrange.h"

/// dT/dq - (dp/dt at constant u) of a kinetic energy that is a quadratic form in the rates, by the
/// derivatives of its mass matrix dp/du, into force (n, zeros on entry). False, with force spoilt,
/// where the mass depends on time or rates, where too many of its entries move, or where memory
/// runs out.
bool carom_inertia_forces(carom_graph *graph, const carom_ref *p, int n, carom_arena *scratch,
                          carom_ref *force);
/// The number of operations that a program for these values has; -1 where memory runs out.
long carom_inertia_cost(const carom_graph *graph, const carom_ref *value, int n,
                        carom_arena *scratch);

/// Which rotations have a constant inertia that is not coupled with other velocities, from the
/// entries of the mass: lagrange->inertia. False without memory.
bool carom_inertia_of_rotations(carom_model *model, carom_lagrange *lagrange,
                                const carom_ref *entry);

#endif
