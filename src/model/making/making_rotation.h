// SPDX-License-Identifier: Apache-2.0
// Rotations while a model is made. Each brings four positions NAME.p0 .. p3 (a quaternion), three
// velocities NAME.wx, wy, wz (the spin in axes of the body) and the names NAME.R11 .. R33 of its
// matrix, whose derivatives the graph knows (expr/rotation_nodes.h).
#ifndef CAROM_MODEL_MAKING_ROTATION_H
#define CAROM_MODEL_MAKING_ROTATION_H

#include "model/making/making.h"

typedef struct carom_rotation_given {
    const char *name; ///< full name, in the model's arena
    carom_place place;
    carom_ref quaternion[4], spin[3]; ///< start, of parameters only; the quaternion of any length
} carom_rotation_given;

/// One more rotation, with its names in the scope; number: that of its matrix in the graph (may be
/// NULL).
carom_status carom_making_rotation(carom_making *making, const carom_rotation_given *given,
                                   int *number);
/// One more position without a velocity: an angle that counts turns (carom_chart_part), 0 at the
/// start. ref: its symbol.
carom_status carom_making_turn(carom_making *making, const carom_turn *turn, const char *name,
                               carom_place place, carom_ref *ref);
/// Those that the builder was given.
carom_status carom_rotations_declare(carom_making *making);
/// Quaternions of the start get unit length.
carom_status carom_rotations_start(carom_making *making);
/// The model's chart, once its mass is derived.
carom_status carom_rotations_chart(carom_making *making);

#endif
