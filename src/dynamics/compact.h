// SPDX-License-Identifier: Apache-2.0
// The contact problem of a system with few coordinates: the same as in
// contact_blocks.c, from whole rows.
#ifndef CAROM_DYNAMICS_COMPACT_H
#define CAROM_DYNAMICS_COMPACT_H

#include "dynamics/assembly.h"

/// Whether the problem just chosen may be treated here.
static inline bool carom_compact_takes(const carom_contacts *contacts)
{
    return contacts->size.nu <= CAROM_COMPACT && contacts->problem.n_row <= CAROM_PROBLEM_DENSE &&
           contacts->size.n_disc == 0;
}

/// carom_dynamics_contact after the rows have been chosen.
carom_status carom_compact_contact(carom_step *s, const carom_contact_terms *terms, double *P,
                                   double *u);
/// carom_dynamics_correct after b is known.
carom_status carom_compact_correct(carom_step *s, const carom_contact_terms *terms, double *l,
                                   double *q);

#endif
