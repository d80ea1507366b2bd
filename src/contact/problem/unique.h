// SPDX-License-Identifier: Apache-2.0
// Whether a contact problem has more than one answer. See unique.c.
#ifndef CAROM_CONTACT_UNIQUE_H
#define CAROM_CONTACT_UNIQUE_H

#include "carom/contact.h"

#include <math.h>

enum { CAROM_UNIQUE_ROWS = 32 };

/// Whether one or two contacts in the plane, as most problems are, pass the test of unique.c for
/// all slips at once.
static inline bool carom_contact_is_plainly_unique(const carom_problem *problem)
{
    const carom_block *it = problem->block;
    const double *G = problem->G.dense;
    if (problem->n_block == 1 && it[0].dim == 1) return true;
    if (problem->n_block == 1) return it[0].dim == 2 && it[0].mu * fabs(G[2]) < G[0];
    if (problem->n_block != 2 || problem->n_row != 4 || it[0].dim != 2) return false;
    const double mu[2] = {it[0].mu, it[1].mu};
    const double first = G[0] - mu[0] * fabs(G[4]), second = G[10] - mu[1] * fabs(G[14]);
    const double across = fabs(G[8]) + mu[1] * fabs(G[12]), back = fabs(G[2]) + mu[0] * fabs(G[6]);
    return !it[0].is_bilateral && !it[1].is_bilateral && first > 0 && second > 0 &&
           first * second > across * back;
}

/// carom_contact_has_other for problems of which it cannot be told at once.
bool carom_contact_finds_other(const carom_problem *problem, const double *P);

/// Whether an answer with other rates than those of the answer P was found. Looked for in dense
/// problems of up to CAROM_UNIQUE_ROWS rows, among the modes of up to four contacts whose friction
/// reaches their own normals or those of others; elsewhere false.
static inline bool carom_contact_has_other(const carom_problem *problem, const double *P)
{
    if (!problem->G.dense || carom_contact_is_plainly_unique(problem)) return false;
    return carom_contact_finds_other(problem, P);
}

#endif
