// SPDX-License-Identifier: Apache-2.0
// Assembling of a start: positions that close the loops, velocities that keep them closed.
//
//     positions   from q0 on, pass by pass, the shortest step d in the mass metric
//                 with  W d = -c;   q := q (+) d
//     velocities  the least change d of u0 in the mass metric with  W (u0 + d) + w0 = 0
//
// What is kept has d = 0. Both come from one matrix,
//
//     [ M   -W' ] [ d ]   [  0 ]
//     [ W  s D  ] [ l ] = [ -c ]          D = diag(W M^-1 W'),  s the shift
//
// which the shift keeps regular where rows are redundant. A pass that does not bring c down by what
// it should has a larger shift after it: a shorter step, which turns into that of steepest descent
// (Levenberg, Marquardt). Loops that cannot close end where c is least.
#ifndef CAROM_MODEL_ASSEMBLE_H
#define CAROM_MODEL_ASSEMBLE_H

#include "model/model.h"

/// What the plan of an assembler is asked.
#define CAROM_ASSEMBLE_MASK (CAROM_MASS | CAROM_GAPS | CAROM_ROWS)

typedef struct carom_assembler carom_assembler;

/// For a plan that has the mask given, which has all of CAROM_ASSEMBLE_MASK. is_kept (nu) are
/// velocities whose positions stay; NULL = none. NULL where memory is short.
carom_assembler *carom_assembler_new(carom_plan *plan, unsigned mask, const unsigned char *is_kept);
void carom_assembler_free(carom_assembler *assembler);

/// Closes the loops at t = 0 as well as it can: q (nq) is moved. Returns whether they are closed.
bool carom_assembler_close(carom_assembler *assembler, double *q, const double *u, int *passes);
/// The same for the rates of the constraints at q: u (nu) is changed.
bool carom_assembler_follow(carom_assembler *assembler, const double *q, double *u);

/// Positions and velocities as the model wants them; says what was changed. Refuses loops that
/// cannot close, with what is left of them.
carom_status carom_assemble(carom_assembler *assembler, double *q, double *u,
                            carom_assembled *assembled, carom_error *error);

#endif
