// SPDX-License-Identifier: Apache-2.0
// Linear systems in the velocities of bodies: I + J' D J, factorised by blocks.
#ifndef CAROM_CONTACT_BODY_LU_H
#define CAROM_CONTACT_BODY_LU_H

#include "contact/bodies/body_form.h"

/// Pattern and factors, with memory from the heap that grows to the largest problem met and is
/// kept, as is the analysis of a pattern.
typedef struct carom_body_lu {
    int n, width, n_pair;         ///< bodies, and pairs of a piece
    int *start, *index;           ///< bodies by bodies, rows sorted
    int *pair_at;                 ///< (n_pair) the block of each pair of parts
    int *known_body, *known_part; ///< the pieces that were analysed
    int n_known, n_known_part;
    double *A; ///< the matrix by blocks of width^2, column-major
    int *order, *place, *parent, *flag;
    int *l_start, *l_index, *u_start, *u_index;
    double *l, *u, *inverse, *row, *x;
    struct {
        int body, entry, pair, piece, part, factor;
    } room;          ///< for how many there is memory
    double most;     ///< bytes of factors above which none are made; 0 = any number
    double refused;  ///< the most bytes that were refused so far
    bool is_refused; ///< those of the problem at hand
} carom_body_lu;

/// Factorises I + J' D J; D holds a matrix (dim^2, by rows) for each piece. False where a pivot
/// block is singular, without memory, and where factors would be too large, before they are made.
bool carom_body_lu_factor(carom_body_lu *lu, const carom_body_form *form, const double *D);
/// v := (I + J' D J)^-1 v.
void carom_body_lu_solve(carom_body_lu *lu, double *v);
/// How many numbers the factors of the last problem have.
double carom_body_lu_size(const carom_body_lu *lu);
void carom_body_lu_free(carom_body_lu *lu);

#endif
