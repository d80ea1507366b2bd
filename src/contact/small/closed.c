// SPDX-License-Identifier: Apache-2.0
// Problems with an answer on one line: nothing closes, one contact, one disc, two frictionless
// contacts, one bilateral row, a few contacts in the plane. These are most problems of a
// simulation. The answer is checked by the caller, and what has no clear answer here is left to the
// solvers.
#include "contact/small/closed.h"

#include "contact/problem/problem.h"
#include "contact/small/direct.h"
#include "contact/small/disc.h"
#include "contact/small/local.h"

static bool solve_one(const carom_problem *problem, double *P)
{
    const carom_block *block = &problem->block[0];
    const double *G = problem->G.dense, *b = problem->b;
    if (!block->is_bilateral) return carom_local_solve(block->dim, G, b, block->mu, P);
    if (block->is_limited) {
        carom_disc_solve(block->dim, G, b, block->radius, P);
        return true;
    }
    if (block->dim != 1 || !(fabs(G[0]) > 0)) return false;
    P[0] = -b[0] / G[0];
    return true;
}

// two frictionless contacts: one closed, the other, or both
static bool solve_two(const double *G, const double *b, double *P)
{
    if (!(G[0] > 0 && G[3] > 0)) return false;
    const double first = -b[0] / G[0], second = -b[1] / G[3];
    if (first > 0 && G[1] * first + b[1] >= 0) {
        P[0] = first;
        P[1] = 0;
        return true;
    }
    if (second > 0 && G[2] * second + b[0] >= 0) {
        P[0] = 0;
        P[1] = second;
        return true;
    }
    const double det = G[0] * G[3] - G[1] * G[2];
    if (!(det > 1e-12 * G[0] * G[3])) return false;
    const double x = (G[2] * b[1] - G[3] * b[0]) / det, y = (G[1] * b[0] - G[0] * b[1]) / det;
    if (!(x >= 0 && y >= 0)) return false;
    P[0] = x;
    P[1] = y;
    return true;
}

const double *carom_contact_closed(const carom_problem *problem, double *P, double *xi)
{
    const carom_block *block = problem->block;
    if (carom_contact_nothing_closes(problem)) {
        for (int i = 0; i < problem->n_row; i++) P[i] = 0;
        return problem->b;
    }
    if (!problem->G.dense) return NULL;
    const bool are_two = problem->n_row == 2 && problem->n_block == 2 && !block[0].is_bilateral &&
                         !block[1].is_bilateral;
    if (problem->n_block == 1 ? solve_one(problem, P)
                              : are_two && solve_two(problem->G.dense, problem->b, P)) {
        carom_problem_rates(problem, P, xi);
        return xi;
    }
    return problem->n_block > 1 && carom_direct_solve(problem, P, xi) ? xi : NULL;
}
