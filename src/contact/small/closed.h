// SPDX-License-Identifier: Apache-2.0
// Problems with an answer on one line.
#ifndef CAROM_CONTACT_CLOSED_H
#define CAROM_CONTACT_CLOSED_H

#include "carom/contact.h"

enum {
    CAROM_CLOSED_ROWS = 8
}; ///< most rows of a closed form, but for problems where nothing closes

/// Sets P where the problem, no part of whose impulses is given (lower), is of a kind with a closed
/// form: nothing closes, one contact or disc, two frictionless contacts, one bilateral row, up to
/// four contacts in the plane. Returns the rates
/// G P + b there, which may stand in xi (room for CAROM_CLOSED_ROWS); NULL, with P as it was,
/// otherwise. The caller checks the answer.
const double *carom_contact_closed(const carom_problem *problem, double *P, double *xi);
/// Whether P = 0 is the answer for every G: no bilateral rows, no discs but those of contacts, and
/// no contact closes.
static inline bool carom_contact_nothing_closes(const carom_problem *problem)
{
    const carom_block *block = problem->block;
    for (int k = 0, n = problem->n_block; k < n; k++, block++)
        if (block->of > 0 ? block->radius > 0
                          : block->is_bilateral || !(problem->b[block->first] >= 0))
            return false;
    return true;
}

#endif
