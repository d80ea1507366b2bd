// SPDX-License-Identifier: Apache-2.0
// Programs of primitives: what a contact that comes and goes answers, for two bodies on their own.
// Each primitive is woven once for two free bodies whose poses, velocities and frozen features are
// symbols, and derived like the rows of any model:
//
//     inputs    q    x, y, angle of both bodies; in space x, y, z, p0 .. p3 (centres of mass)
//               u    their rates; in space v in axes of space, spin in axes of the body
//               a    the numbers of the feature, see carom_slot_numbers
//               P    of its rows: normal, tangents, and where materials roll roughly, of rolling
//                    (as many as tangents) and in space of spinning
//     answers   gap, W = d(gamma)/du, curvature, d(gamma)/dq, d(W'P)/dq, contact point, normal
//
// Columns are the velocities of body 1, then those of body 2; derivatives are along the move.
#ifndef CAROM_MODEL_SLOT_PROGRAM_H
#define CAROM_MODEL_SLOT_PROGRAM_H

#include "base/arena.h"
#include "expr/program/tape.h"
#include "shapes/feature.h"

enum {
    CAROM_SLOT_ROWS = 6,   ///< normal and tangents, then rolling and spinning where asked for
    CAROM_SLOT_WIDTH = 12, ///< velocities of two bodies in space; the plane uses the first 6
    CAROM_SLOT_POSE = 14   ///< positions of two bodies in space; the plane uses the first 6
};

/// The numbers of a frozen feature, points seen from the centres of mass.
typedef struct carom_slot_numbers {
    double p1[3], d1[3], p2[3], d2[3], t2[3];
    double rim, radius, side;
    double first; ///< how much of radius is that of body 1
} carom_slot_numbers;

/// What a program answers; what was not asked for is not written.
typedef struct carom_slot_answers {
    double gap;
    double W[CAROM_SLOT_ROWS * CAROM_SLOT_WIDTH];
    double curvature[CAROM_SLOT_ROWS];
    double dgamma_dq[CAROM_SLOT_ROWS * CAROM_SLOT_WIDTH];
    double dWP_dq[CAROM_SLOT_WIDTH * CAROM_SLOT_WIDTH];
    double point[3], normal[3];
} carom_slot_answers;

/// What may be asked for.
enum {
    CAROM_SLOT_GAP = 1,
    CAROM_SLOT_W = 2,
    CAROM_SLOT_CURVATURE = 4,
    CAROM_SLOT_D_ROWS = 8,
    CAROM_SLOT_PLACE = 16,
    CAROM_SLOT_N_ASKED = 32 ///< combinations
};

/// The expressions of all primitives of the plane or of space; immutable once made.
typedef struct carom_slot_code carom_slot_code;
/// NULL where memory runs out. rolls: with rows of rolling and spinning.
carom_slot_code *carom_slot_code_new(int dim, bool rolls);
void carom_slot_code_free(carom_slot_code *code);
/// Rows of a slot: 2 in the plane, 3 in space.
int carom_slot_code_n_row(const carom_slot_code *code);

/// One primitive's program for one set of questions, with its registers and answers.
typedef struct carom_slot_program {
    carom_tape *tape;
    carom_slot_answers answers;
} carom_slot_program;
/// Makes it (asked: a sum of the flags above).
carom_status carom_slot_program_new(const carom_slot_code *code, carom_primitive primitive,
                                    unsigned asked, carom_arena *arena,
                                    carom_slot_program **program, carom_error *error);
void carom_slot_program_free(carom_slot_program *program);
static inline const carom_slot_answers *carom_slot_program_run(carom_slot_program *program,
                                                               const carom_point *at)
{
    carom_tape_run(program->tape, at, &program->answers.gap);
    return &program->answers;
}

#endif
