// SPDX-License-Identifier: Apache-2.0
// The implicit step of Schoeder, Ulbrich and Schindler: impact law and gaps of one step together,
// after Gear, Gupta and Leimkuhler. The schemes ggl_unified, ggl_unified_printed and ggl_reference
// are choices of its rows.
#ifndef CAROM_INTEGRATORS_GGL_H
#define CAROM_INTEGRATORS_GGL_H

#include "integrators/theta.h"

/// What a scheme asks of its contacts and constraints.
typedef struct carom_ggl_rows {
    bool is_printed;   ///< rates and gaps linearised about the midpoint (eqs 41, 42), not those of
                       ///< the end of the step
    bool has_gaps;     ///< gap rows and their multipliers psi
    bool adds_closing; ///< contacts whose gap would end negative join, and the step is solved again
    bool has_friction; ///< Coulomb's friction on the rates (the scheme has prepared for it)
    bool moves_masses; ///< psi is an impulse: positions are moved in the metric of the mass
} carom_ggl_rows;

/// What the step evaluates: the explicit midpoint, the start, midpoint and end of both kinds of
/// rows; without rows what carom_theta_step does.
enum {
    CAROM_GGL_EXPLICIT = CAROM_MASS | CAROM_GAPS,
    CAROM_GGL_START = CAROM_GAPS | CAROM_ROWS,
    CAROM_GGL_MIDDLE = CAROM_FORCES | CAROM_D_FORCES | CAROM_ROWS,
    CAROM_GGL_MIDDLE_ALL = CAROM_FORCES | CAROM_D_FORCES | CAROM_ROWS | CAROM_D_ROWS,
    CAROM_GGL_END_ALL = CAROM_GAPS | CAROM_ROWS | CAROM_D_ROWS
};
#define CAROM_GGL_MASKS                                                                            \
    CAROM_THETA_GIVEN_MASKS, CAROM_GGL_EXPLICIT, CAROM_GGL_START, CAROM_GGL_MIDDLE,                \
        CAROM_GGL_MIDDLE_ALL, CAROM_GGL_END_ALL, CAROM_GAPS, CAROM_ROWS, CAROM_D_ROWS
enum { CAROM_GGL_N_EVAL = 4 };

/// Makes and frees s->self; the step's scratch is that of carom_theta_step.
carom_status carom_ggl_prepare(carom_step *s);
carom_status carom_ggl_prepare_rough(carom_step *s); ///< for rows with friction
void carom_ggl_release(carom_step *s);
carom_status carom_ggl_renew(carom_step *s);
carom_status carom_ggl_step(carom_step *s, carom_ggl_rows rows, const carom_state *now,
                            carom_state *next);

#endif
