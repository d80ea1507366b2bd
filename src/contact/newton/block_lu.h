// SPDX-License-Identifier: Apache-2.0
// Newton steps of large contact problems: sparse LU of small blocks.
#ifndef CAROM_CONTACT_BLOCK_LU_H
#define CAROM_CONTACT_BLOCK_LU_H

#include "contact/problem/natural.h"

/// Order, pattern and numbers of the factors, with memory from the heap that is kept. The analysis
/// is done again only where the pattern changes.
typedef struct carom_block_lu {
    int n, d;                ///< pieces, padded size of a block
    int *order, *place;      ///< piece eliminated k-th, and the reverse
    int *start, *index;      ///< the pattern that was analysed
    int *parent, *flag;      ///< elimination tree, marks
    int *l_start, *l_index;  ///< rows of L, ascending
    int *u_start, *u_index;  ///< rows of U without the diagonal, ascending
    double *l, *u, *inverse; ///< blocks (d*d), inverse: of the diagonal
    double *row, *x, *y;     ///< scratch: one block for each piece; rows
    unsigned char *is_trivial;
    int room, room_index, room_factor, room_value;
} carom_block_lu;

/// step (n_row) = -F'^-1 F at the point natural was last evaluated at, for a problem
/// by block rows with pieces of up to three rows. False where F' is singular to working
/// accuracy or memory runs out.
bool carom_block_lu_step(carom_block_lu *lu, const carom_natural *natural, double *step);
void carom_block_lu_free(carom_block_lu *lu);

#endif
