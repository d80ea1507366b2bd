// SPDX-License-Identifier: Apache-2.0
// The implicit step of the generalised-alpha method with contact forces on velocity level, on a
// given active set; its equations are in alpha_stage.c. It does not choose contacts and knows no
// impacts: that is what schemes built on it do.
#ifndef CAROM_INTEGRATORS_ALPHA_STAGE_H
#define CAROM_INTEGRATORS_ALPHA_STAGE_H

#include "carom/extend.h"

/// What is evaluated at the end of the step, in s->ev[3]: with rows, and without.
#define CAROM_ALPHA_MASK                                                                           \
    (CAROM_MASS | CAROM_FORCES | CAROM_ROWS | CAROM_D_FORCES | CAROM_D_MASS | CAROM_D_ROWS)
#define CAROM_ALPHA_CHORD_MASK (CAROM_MASS | CAROM_FORCES | CAROM_ROWS)
/// What a scheme adds to its plan.
#define CAROM_ALPHA_MASKS CAROM_ALPHA_MASK, CAROM_ALPHA_CHORD_MASK, CAROM_D_FORCES

/// The numbers of the method, all functions of rho: alpha_m a_n + (1 - alpha_m) a_n+1 and so on.
typedef struct carom_alpha_weights {
    double alpha_m, alpha_f, beta, gamma;
} carom_alpha_weights;
carom_alpha_weights carom_alpha_weights_of(double rho);

/// The accelerations (nu) at both ends of a step, and what they are filtered from.
typedef struct carom_alpha_ends {
    const double *a, *a_dot;   ///< at its start
    double *a_end, *a_dot_end; ///< filled
} carom_alpha_ends;

typedef struct carom_alpha carom_alpha;

/// Makes all memory; s->ev[3] tells what depends on the unknown velocity.
carom_status carom_alpha_new(carom_step *s, double rho, carom_alpha **alpha);
void carom_alpha_free(carom_alpha *alpha);
/// A matrix that never changes has changed: it is factorised again.
void carom_alpha_forget(carom_alpha *alpha);
/// Doubles at the start of s->work that a step uses.
int carom_alpha_n_work(const carom_model *model);

/// From now to next->q and next->u, with forces h la (n_row, a guess on entry) of all constraints
/// and of the contacts in next->is_active, which obey the law with e = 0.
carom_status carom_alpha_step(carom_step *s, carom_alpha *alpha, const carom_state *now,
                              const carom_alpha_ends *ends, carom_state *next, double *h_la);
/// x (nu), a force, becomes the acceleration that it gives in an implicit step.
carom_status carom_alpha_ease(carom_step *s, carom_alpha *alpha, double *x);

#endif
