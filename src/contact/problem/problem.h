// SPDX-License-Identifier: Apache-2.0
// Reading a contact problem: rows, sizes, and whether it is well formed.
#ifndef CAROM_CONTACT_PROBLEM_H
#define CAROM_CONTACT_PROBLEM_H

#include "carom/contact.h"

#include <math.h>

/// The larger of two numbers, without the care for NAN that makes fmax slow.
static inline double carom_larger(double a, double b)
{
    return a > b ? a : b;
}

/// Whether a block is a disc: |P| <= radius, -xi in its normal cone.
static inline bool carom_block_is_disc(const carom_block *block)
{
    return block->is_bilateral && block->is_limited;
}

/// The contact that a disc belongs to, for blocks where they stand in their problem.
static inline const carom_block *carom_block_owner(const carom_block *block)
{
    while (block->is_bilateral) block--;
    return block;
}

/// How far a disc reaches at these impulses (of the whole problem, where the block stands).
static inline double carom_disc_reach(const carom_block *block, const double *P)
{
    if (block->of == 0) return block->radius;
    const carom_block *owner = carom_block_owner(block);
    return block->radius + block->mu * carom_larger(P[owner->first] - owner->lower, 0);
}

/// Whether the rows of a block are equations: xi = 0, P free.
static inline bool carom_block_is_equality(const carom_block *block)
{
    return block->is_bilateral && !block->is_limited;
}

/// How many rows of a block come before its disc, the rows that keep one scale: all of a bilateral
/// group, none of a disc, the normal of a contact.
static inline int carom_block_disc_at(const carom_block *block)
{
    if (!block->is_bilateral) return 1;
    return block->is_limited ? 0 : block->dim;
}

/// Which of its four forms a matrix has.
static inline bool carom_matrix_is_sparse(const carom_matrix *G)
{
    return !G->dense && G->start;
}

/// Row i of G times P, and the diagonal entry of the row. (With factors this is a whole product:
/// make carom_blocked of such a matrix first where rows are asked for again and again.)
double carom_matrix_row(const carom_matrix *G, int i, const double *P, double *diagonal);
/// y = G x.
void carom_matrix_product(const carom_matrix *G, const double *x, double *y);
/// Entry (i, j); 0 where a sparse matrix has none.
double carom_matrix_at(const carom_matrix *G, int i, int j);
/// The entries of row i that are not 0: columns and values (room for n each). Returns their number.
int carom_matrix_entries(const carom_matrix *G, int i, int *index, double *value);
/// Whether row i has no entry that is not 0.
bool carom_matrix_row_is_zero(const carom_matrix *G, int i);
/// A positive size for row i: |G_ii|, else its largest entry, else 1 (a dead row).
double carom_matrix_size(const carom_matrix *G, int i);
/// D (dim*dim, column-major) = the diagonal block of block k.
void carom_problem_diagonal(const carom_problem *problem, int k, double *D);
/// y (dim of k) += G_kj x (dim of j).
void carom_problem_block_product(const carom_problem *problem, int k, int j, const double *x,
                                 double *y);
/// xi = G P + b.
void carom_problem_rates(const carom_problem *problem, const double *P, double *xi);
/// carom_contact_residual of a problem that is known to be well formed.
double carom_residual_formed(const carom_problem *problem, const double *P);
/// The same and carom_contact_errors where the rates xi at P are known.
double carom_residual_at(const carom_problem *problem, const double *P, const double *xi);
/// The row in whose law the residual is largest: the normal of a contact, the first row of a disc,
/// or a bilateral row; -1 = none.
int carom_contact_worst_row(const carom_problem *problem, const double *P);
void carom_errors_at(const carom_problem *problem, const double *P, const double *xi,
                     double *err_rel, double *err_max);
/// Whether every entry of G and b is finite.
bool carom_problem_is_finite(const carom_problem *problem);
/// Refuses blocks that are not consecutive, wrong dimensions, negative friction or radii,
/// more than max_row rows.
carom_status carom_problem_check(const carom_problem *problem, int max_row, carom_error *error);
/// Whether no impulse can make some row right: G has no entry in it and b breaks its law.
bool carom_problem_has_dead_row(const carom_problem *problem);
/// How many rows are equations: bilateral, and not of a disc.
int carom_problem_bilateral(const carom_problem *problem);
/// Whether some block is a disc; whether some contact has a part of its impulse given.
bool carom_problem_has_discs(const carom_problem *problem);
static inline bool carom_problem_has_lower(const carom_problem *problem)
{
    const carom_block *block = problem->block;
    for (int i = 0, n = problem->n_block; i < n; i++, block++)
        if (block->lower != 0 && !block->is_bilateral) return true;
    return false;
}
/// Whether it has either: no form of problem but Carom's own knows them.
static inline bool carom_problem_is_bounded(const carom_problem *problem)
{
    return carom_problem_has_discs(problem) || carom_problem_has_lower(problem);
}
/// The problem of Q = P - lower: the same G, b + G lower, no part of an impulse given. block
/// (n_block) and b (n_row) are filled, Q (n_row) holds P on entry; change is scratch (n_row).
carom_problem carom_problem_raise(const carom_problem *problem, carom_block *block, double *b,
                                  double *change, double *Q);
/// P = Q + lower.
void carom_problem_lower(const carom_problem *problem, double *P);
/// Whether some disc belongs to a contact.
bool carom_problem_has_loaded(const carom_problem *problem);
/// Whether some contact has tangential rows.
static inline bool carom_problem_has_friction(const carom_problem *problem)
{
    for (int i = 0; i < problem->n_block; i++)
        if (!problem->block[i].is_bilateral && problem->block[i].dim > 1) return true;
    return false;
}

#endif
