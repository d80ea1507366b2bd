// SPDX-License-Identifier: Apache-2.0
// The linear system of an implicit step with its constraints,
//
//     [ J  -W_b' ] [ du  ]   [ -residual      ]
//     [ W_b  0   ] [ P_b ] = [ -(W_b u + w0)  ]
//
// for models whose matrix J couples many coordinates: G = W J^-1 W' of all constraints would be
// full, while this matrix is sparse. Constraints are eliminated by its factors, and the contact
// problem has the rows of contacts only.
#ifndef CAROM_DYNAMICS_BORDER_H
#define CAROM_DYNAMICS_BORDER_H

#include "carom/extend.h"

typedef struct carom_border carom_border;

/// For J a weighted sum of these parts, whose patterns and values stay where they are, and the
/// constraints of rows. *border is NULL where the contact problem with the constraints in it is
/// small or sparse anyway.
carom_status carom_border_new(const carom_eval *rows, int n_part, const carom_sparse *part,
                              carom_border **border, carom_error *error);
void carom_border_free(carom_border *border);

/// J := sum of weight[i] part[i] with the constraints at terms->rate. is_regular receives whether
/// these are independent, and no row of an active contact depends on them, to working accuracy:
/// else the choice among impulses is left to a solver, and the factors are of no use.
carom_status carom_border_factor(carom_step *s, carom_border *border, const double *weight,
                                 const carom_contact_terms *terms, bool *is_regular);

/// With the factors: u := u + du with constraints and contacts; fills P and adds to the report as
/// carom_dynamics_contact does. residual becomes M^-1 residual, what the free motion would change.
carom_status carom_border_contact(carom_step *s, carom_border *border,
                                  const carom_contact_terms *terms, double *residual, double *P,
                                  double *u);

#endif
