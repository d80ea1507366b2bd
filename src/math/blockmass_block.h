// SPDX-License-Identifier: Apache-2.0
// What a block-structured matrix holds: shared by its analysis and its factorisation only.
#ifndef CAROM_MATH_BLOCKMASS_BLOCK_H
#define CAROM_MATH_BLOCKMASS_BLOCK_H

#include "math/band/narrow.h"
#include "math/blockmass.h"
#include "math/recall.h"
#include "math/sparse/ldl.h"

typedef enum block_kind { ONE, TWO, THREE, DENSE, BAND, SPARSE } block_kind;

typedef struct block {
    block_kind kind;
    int n;
    const int *member;   // its rows, increasing (n)
    bool is_consecutive; // member[i] = member[0] + i
    // where its values are: upper triangle by rows (dense), all entries (band, sparse); -1 = zero
    int *entry;
    double *factor;       // closed form: 1/d and l; dense: U
    double *reciprocal;   // dense: 1/U_kk (n)
    carom_narrow *band;   // band
    carom_ldl *ldl;       // sparse
    int n_entry;          // band, sparse
    carom_recall *recall; // band, sparse: directions of contacts; may be NULL
    bool is_constant;     // its values never change
} block;

struct carom_mass {
    int n, n_block;
    block *block;
    // the same by kind, for steps: a solution runs through lists, a factorisation
    // through what changes
    int n_one, n_two, n_three, n_rest, n_varying;
    int *one, *two;           // rows (n_one), (2 n_two)
    block **rest, **varying;  // of three rows and more; those to be factorised anew
    double *small;            // factors of up to three rows: ones, twos (3 each), threes (6 each)
    bool is_given;            // they are written by the owner of the values
    bool is_ready;            // blocks that do not vary are factorised
    int *start, *index;       // the pattern
    double *value;            // of the pattern's entries
    int *member;              // all blocks' rows, block by block (n)
    int *block_of;            // (n)
    unsigned char *is_marked; // blocks, all false between calls (n_block)
    double *x;                // workspace (n)
    double *gathered;         // workspace: values of the sparse block at hand
};

/// The entry (i, j) of the pattern, or -1.
int carom_mass_find(const carom_mass *mass, int i, int j);

#endif
