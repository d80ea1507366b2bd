// SPDX-License-Identifier: Apache-2.0
// Moving positions back to where gaps are not negative and constraints hold, by Newton's method.
#ifndef CAROM_INTEGRATORS_PROJECTION_H
#define CAROM_INTEGRATORS_PROJECTION_H

#include "carom/extend.h"

/// What is evaluated at each position, in s->ev[0]; the second also has the mass.
#define CAROM_PROJECTION_MASK (CAROM_GAPS | CAROM_ROWS)
#define CAROM_PROJECTION_MASS_MASK (CAROM_PROJECTION_MASK | CAROM_MASS)

/// Option rows of the schemes that project.
#define CAROM_METRIC_ROW                                                                           \
    {                                                                                              \
        "metric", CAROM_CHOICE, 0, 0, 0, "identity|mass",                                          \
            "what makes the correction small: coordinates, or coordinates weighted by the mass"    \
    }
#define CAROM_PROJECTION_TOL_ROW                                                                   \
    {                                                                                              \
        "projection_tol", CAROM_REAL, 1e-10, 1e-15, 1, NULL,                                       \
            "largest penetration and drift left by the projection [m]"                             \
    }

typedef struct carom_projection {
    double tolerance;                 ///< largest violation left [m]
    bool has_mass_metric;             ///< A = M^-1; else the unit matrix
    const unsigned char *is_chosen;   ///< (n_contact) contacts that must not penetrate; NULL: all
    const unsigned char *is_equality; ///< (n_contact) chosen contacts held at gap 0; NULL: none
    double *work;                     ///< (carom_projection_n_work) scratch
} carom_projection;

int carom_projection_n_work(const carom_model *model);

/// Moves next->q until no chosen contact and no constraint is violated by more than the tolerance;
/// the velocity stays. s->ev[0] then holds the gaps at next->q. A violation that stays makes the
/// step unconverged.
carom_status carom_projection_apply(carom_step *s, const carom_projection *how, carom_state *next);

#endif
