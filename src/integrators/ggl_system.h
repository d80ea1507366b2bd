// SPDX-License-Identifier: Apache-2.0
// The equations of one implicit GGL step in the unknowns q+, u+, P, psi, with their exact
// derivative.
#ifndef CAROM_INTEGRATORS_GGL_SYSTEM_H
#define CAROM_INTEGRATORS_GGL_SYSTEM_H

#include "base/arena.h"
#include "integrators/ggl.h"
#include "integrators/ggl_friction.h"
#include "integrators/theta.h"
#include "math/vector.h"

typedef struct carom_ggl_system {
    carom_arena *arena;
    carom_linear *matrix;
    carom_theta *free;         ///< the step without rows
    carom_ggl_friction *rough; ///< tangents; NULL: the scheme has none
    carom_ggl_rows rows;
    int n;                          ///< rows in the step: constraints, then contacts
    int *row, *contact;             ///< (n) row of the model; contact, or -1 for a constraint
    double *P, *psi;                ///< (n_row) by rows of the model
    double *gamma_minus, *w0_start; ///< (n_row) at the start of the step
    double *gap_start;              ///< (n_row) gap or constraint there
    double *d_P, *d_psi;            ///< (n) diagonals of W M^-1 W' and W W'
    double *rate, *gap;             ///< (n) gamma+ + e gamma- and the gap, as the rows see them
    double *length;                 ///< (n) sum of |W| of a row
    double *q_m;                    ///< (nq)
    double *dq;                     ///< (nu) q+ = q (+) dq, where positions are not plain
    double *u_m, *v;                ///< (nu)
    int *touched;                   ///< (nu)
    double *x;                      ///< (2 nu + 2 n_row) the Newton step
    double scale_q, scale_u;        ///< sizes of positions and velocities in this step
    double tie;     ///< share of these sizes up to which rows without load hold; -1: none
    bool has_start; ///< the start has been evaluated in this step
} carom_ggl_system;

/// Takes all memory.
carom_status carom_ggl_system_new(carom_step *s, carom_ggl_system **system);
void carom_ggl_system_free(carom_ggl_system *system);
/// Chooses the rows: all constraints and the active contacts. Evaluates the
/// start where it is needed.
carom_status carom_ggl_choose_rows(carom_step *s, const carom_state *now,
                                   const unsigned char *is_active);
/// Evaluates rate and gap of all rows at the present unknowns, and all derivatives if asked for.
carom_status carom_ggl_look_at_rows(carom_step *s, const carom_state *now, const carom_state *next,
                                    bool with_derivatives);
/// The factor of the law of a contact's normal; 0 of a constraint (contact < 0).
double carom_ggl_law_factor(const carom_step *s, int contact);
/// The Newton step into x, from the last look with derivatives.
carom_status carom_ggl_newton_step(carom_step *s, const carom_state *now, const carom_state *next);

/// The derivative of the first two equations into the matrix.
void carom_ggl_put_motion(const carom_step *s);
/// Those equations into x; without what multipliers push where P and psi are NULL.
void carom_ggl_put_residual(const carom_step *s, const carom_state *now, const carom_state *next,
                            const double *P, const double *psi);

#endif
