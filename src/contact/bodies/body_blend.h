// SPDX-License-Identifier: Apache-2.0
// Linear systems of contacts solved in the velocities of bodies.
#ifndef CAROM_CONTACT_BODY_BLEND_H
#define CAROM_CONTACT_BODY_BLEND_H

#include "contact/bodies/body_lu.h"

/// A = R S^-1 G S^-1 + C as in contact/newton/blend.h, by factors of the size of the bodies.
typedef struct carom_body_blend {
    const carom_body_form *form; ///< of the problem; NULL: not in use
    carom_body_lu *lu;
    double *t;             ///< (n_piece, dim) from its scales to S^-1
    double *R, *C, *E;     ///< (n_piece, dim^2) by rows; E = (C + R t d t)^-1
    double *D;             ///< t E R t
    double *r, *x, *z, *v; ///< scratch: (n_piece, dim) three times, (n_body, width)
    size_t room;           ///< numbers behind t
} carom_body_blend;

/// Memory from the heap that is kept until it is closed; false without. s = NULL is 1.
bool carom_body_blend_open(carom_body_blend *a, const carom_body_form *form, carom_body_lu *lu,
                           const double *s);
void carom_body_blend_close(carom_body_blend *a);
/// y = S^-1 G S^-1 x.
void carom_body_blend_product(const carom_body_blend *a, const double *x, double *y);
/// R and C as in carom_blend_factor. False where C + R S^-1 d S^-1 is singular in some block.
bool carom_body_blend_factor(carom_body_blend *a, const double *R, const double *C);
/// x := A^-1 x, refined.
void carom_body_blend_solve(const carom_body_blend *a, double *x);

#endif
