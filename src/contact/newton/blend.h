// SPDX-License-Identifier: Apache-2.0
// Linear systems with A = R S^-1 G S^-1 + C: S diagonal, R and C block-diagonal. All methods that
// factorise a contact problem meet matrices of this kind.
#ifndef CAROM_CONTACT_BLEND_H
#define CAROM_CONTACT_BLEND_H

#include "contact/bodies/body_blend.h"
#include "contact/problem/problem.h"
#include "math/sparse/ldl.h"
#include "math/sparse/sparse_lu.h"

/// The pattern of a sparse one, its values and factors (all from the heap).
typedef struct carom_blend_sparse {
    int *start, *index; ///< rows of A: (n+1), entries
    double *base;       ///< S^-1 G S^-1 on the pattern of A
    double *value;      ///< A
    carom_sparse_lu lu;
    carom_arena *arena; ///< memory of ldl
    carom_ldl *ldl;     ///< in place of lu where A is symmetric
    bool is_ldl;        ///< it holds the present factors
} carom_blend_sparse;

typedef struct carom_blend {
    const carom_problem *problem;
    const double *s; ///< (n) S
    double *A;       ///< (n*n) the factors of a dense one, else NULL
    int *pivot;      ///< (n)
    double *x;       ///< scratch (2 n)
    int *block_of;   ///< (n) the block of each row
    carom_blend_sparse sparse;
    carom_body_blend bodies; ///< in place of all that where the problem is in body form
} carom_blend;

/// Doubles and ints that small problems (CAROM_DENSE_LIMIT) work in.
size_t carom_blend_work(int max_row);
size_t carom_blend_index(int max_row);
/// Starts with a problem and its scaling; false without memory (large problems take theirs from the
/// heap). Close it in any case.
bool carom_blend_open(carom_blend *blend, const carom_problem *problem, const double *s,
                      double *work, int *index);
/// The same for a problem given as factors, in the velocities of its bodies.
bool carom_blend_open_bodies(carom_blend *blend, const carom_problem *problem, const double *s,
                             const carom_body_form *form, carom_body_lu *lu, int *index);
void carom_blend_close(carom_blend *blend);
/// y = S^-1 G S^-1 x.
void carom_blend_product(const carom_blend *blend, const double *x, double *y);
/// Factorises. C and R hold three numbers for each row of a contact or disc: its entries in the
/// columns of its own block; rows of bilateral groups (not of discs) have their diagonal entry
/// first. R = NULL is the identity. False where the matrix is singular.
bool carom_blend_factor(carom_blend *blend, const double *R, const double *C);
/// The same with R = 1 and a diagonal C, by L D L' where the problem is large and symmetric: for
/// matrices that are solved with many times.
bool carom_blend_factor_once(carom_blend *blend, const double *C);
/// x := A^-1 x.
void carom_blend_solve(const carom_blend *blend, double *x);

#endif
