// SPDX-License-Identifier: Apache-2.0
// The implicit velocity step of the Moreau-Jean theta rule on a given active set, shared by all
// schemes built on it; its equations are in theta.c. It does not choose contacts and does not mend
// positions: that is what distinguishes these schemes.
#ifndef CAROM_INTEGRATORS_THETA_H
#define CAROM_INTEGRATORS_THETA_H

#include "carom/extend.h"

/// What is evaluated at the theta point, in s->ev[1].
#define CAROM_THETA_MASK                                                                           \
    (CAROM_MASS | CAROM_FORCES | CAROM_ROWS | CAROM_D_FORCES | CAROM_D_MASS | CAROM_D_ROWS)

/// The same where the matrix is kept.
#define CAROM_THETA_CHORD_MASK (CAROM_MASS | CAROM_FORCES | CAROM_ROWS)
/// Both without contacts and constraints; the first where u+ = u.
#define CAROM_THETA_FREE_MASK (CAROM_MASS | CAROM_FORCES | CAROM_D_FORCES)
#define CAROM_THETA_FREE_CHORD_MASK (CAROM_MASS | CAROM_FORCES)
/// What a scheme adds to its plan.
#define CAROM_THETA_MASKS                                                                          \
    CAROM_THETA_FREE_MASK, CAROM_THETA_FREE_CHORD_MASK, CAROM_THETA_MASK, CAROM_THETA_CHORD_MASK,  \
        CAROM_D_FORCES

/// The option row of the weight.
#define CAROM_THETA_ROW                                                                            \
    {                                                                                              \
        "theta", CAROM_REAL, 0.5, 0, 1, NULL,                                                      \
            "weight of the end of the step: 0.5 midpoint, 1 fully implicit"                        \
    }

/// The iteration's matrix, and what the model lets it leave out.
typedef struct carom_theta carom_theta;

/// What is evaluated where the mass is not that of the theta point.
#define CAROM_THETA_GIVEN_MASKS CAROM_FORCES | CAROM_D_FORCES, CAROM_FORCES, CAROM_D_FORCES

/// Makes all memory for the weight theta; s->ev[1] tells what depends on the unknown velocity. mass
/// is the evaluation whose M is taken: s->ev[1], or another, which the caller keeps up to date;
/// then there are no rows.
carom_status carom_theta_new(carom_step *s, double weight, const carom_eval *mass,
                             carom_theta **theta);
void carom_theta_free(carom_theta *theta);
/// A matrix that never changes has changed: it is factorised again.
void carom_theta_forget(carom_theta *theta);
/// The renew of schemes whose self it is.
carom_status carom_theta_renew(carom_step *s);
/// Doubles at the start of s->work that a step uses.
int carom_theta_n_work(const carom_model *model);

/// From now to next->u, next->P and next->q = q + h u_th, with the contacts in next->is_active and
/// all constraints; next->P holds a guess on entry, 0 where there are none. The report holds the
/// losses and rates of this call only, where there are rows; an iteration that stops too early is
/// not converged. A step that calls again does so with more contacts.
carom_status carom_theta_step(carom_step *s, carom_theta *theta, const carom_state *now,
                              carom_state *next);

#endif
