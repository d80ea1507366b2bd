// SPDX-License-Identifier: Apache-2.0
// One implicit step of the Newmark family with rows held on position, velocity or acceleration
// level; its equations are in newmark.c.
#ifndef CAROM_SMOOTH_NEWMARK_H
#define CAROM_SMOOTH_NEWMARK_H

#include "smooth/smooth.h"

/// On which level constraints and normals are held; tangents that stick are held on velocity level
/// unless the level is acceleration. With CAROM_NEWMARK_GGL both position and velocity are, the
/// position moved by W' psi.
typedef enum carom_newmark_level {
    CAROM_NEWMARK_POSITION,
    CAROM_NEWMARK_VELOCITY,
    CAROM_NEWMARK_ACCELERATION,
    CAROM_NEWMARK_GGL
} carom_newmark_level;

/// (1-alpha_m) a+ + alpha_m a = (1-alpha_f) u_dot+ + alpha_f u_dot,
/// q+ = q + h u + h^2 (1/2-beta) a + h^2 beta a+,   u+ = u + h (1-gamma) a + h gamma a+.
typedef struct carom_newmark_rule {
    double alpha_m, alpha_f, beta, gamma;
} carom_newmark_rule;

/// What is evaluated in each iteration; the second for acceleration level.
enum {
    CAROM_NEWMARK_MASK = CAROM_MASS | CAROM_FORCES | CAROM_GAPS | CAROM_ROWS | CAROM_D_FORCES |
                         CAROM_D_MASS | CAROM_D_ROWS,
    CAROM_NEWMARK_MASK_1 = CAROM_NEWMARK_MASK | CAROM_CURVATURE
};

typedef struct carom_newmark carom_newmark;

carom_status carom_newmark_new(carom_flow *flow, carom_newmark_level level,
                               carom_newmark **newmark);
void carom_newmark_free(carom_newmark *newmark);

/// From now with the auxiliary acceleration a_now (nu) to next: q, u, u_dot (next->a), la, and the
/// auxiliary acceleration next->memory (nu). Newton's method starts from u_dot and la of now.
/// CAROM_NOT_CONVERGED asks for a shorter step.
carom_status carom_newmark_step(carom_newmark *newmark, const carom_newmark_rule *rule,
                                const carom_motion *now, double h, const double *a_now,
                                carom_motion *next);

#endif
