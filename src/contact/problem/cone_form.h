// SPDX-License-Identifier: Apache-2.0
// A contact problem as one of self-dual cones: x = S P and y = S^-1 u~ lie in { x_0 >= |x_T| }.
#ifndef CAROM_CONTACT_CONE_FORM_H
#define CAROM_CONTACT_CONE_FORM_H

#include "contact/problem/problem.h"

/// Dimension of the cone of a block: 0 for a bilateral group and a disc, 1 for a contact without
/// friction (its rows of slip carry no impulse).
static inline int carom_cone_dim(const carom_block *block)
{
    if (block->is_bilateral) return 0;
    return block->mu > 0 ? block->dim : 1;
}

/// Projects x (the rows of a block, in one scale) on what its impulses may be: the cone of a
/// contact, the disc of this radius, everything.
void carom_cone_project_block(const carom_block *block, double radius, double *x);

/// The radius of a disc in x = S P / size, with its contact already in its cone; 0 for other
/// blocks. The block stands in its problem.
static inline double carom_cone_reach(const carom_block *block, const double *s, double size,
                                      const double *x)
{
    if (!carom_block_is_disc(block)) return 0;
    const double load =
        block->of > 0 ? block->mu * x[block->first - block->of] / s[block->first - block->of] : 0;
    return s[block->first] * (block->radius / size + load);
}

/// S = sigma (mu, 1, 1), or sigma alone where the cones are to keep their friction, with one sigma
/// for a contact or a disc, so that the diagonal of S^-1 G S^-1 is about 1. Returns |S^-1 b|, or 1
/// for b = 0.
double carom_cone_scaling(const carom_problem *problem, bool keeps_friction, double *s);

#endif
