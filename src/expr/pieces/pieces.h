// SPDX-License-Identifier: Apache-2.0
// A gap with kinks (linear tables, abs, min, max, if, ...) as smooth pieces, each with the
// condition under which it counts. With s the function that decides at the places p_j (switches.h),
//
//     piece j counts where  p_j <= s < p_j+1,   and at an inner corner also beyond p_j+1,
//
// until nearly the next corner that is not. The corner at p between the pieces a (s < p) and b is
// an inner one if the gap is the smaller of both, so that both can push there at once:
//
//     g_a - g_b = (s - p) sum of k_i D_i,     k_i = d gap / d node i,    inner where the sum is > 0
//     D_i = slope of node i below minus that above:     abs -2,  max -1,  min +1,  tables by points
//
// The sum is mostly a number, and min(a, b) becomes two gaps without conditions. Where the gap is
// not linear in the nodes, or they jump themselves (comparisons, step, sign), g_a - g_b is looked
// at as a whole: an inner corner where it grows with s at p, and beyond p as far as it is positive.
#ifndef CAROM_EXPR_PIECES_H
#define CAROM_EXPR_PIECES_H

#include "base/arena.h"
#include "expr/graph.h"

enum { CAROM_MOST_PIECES = 256, CAROM_PIECE_ROOTS = 3 };

typedef struct carom_piece {
    carom_ref root[CAROM_PIECE_ROOTS];
    carom_ref where; ///< 1 where the piece counts, else 0
} carom_piece;

typedef enum carom_pieces_verdict {
    CAROM_PIECES_FOUND,
    CAROM_PIECES_MANY,    ///< more than CAROM_MOST_PIECES
    CAROM_PIECES_ENDLESS, ///< floor or mod of a coordinate
    CAROM_PIECES_JUMP     ///< the gap itself jumps
} carom_pieces_verdict;

typedef struct carom_pieces {
    carom_piece *item;
    int n;
    carom_pieces_verdict verdict;
    carom_ref culprit; ///< the node that is to blame, where the verdict is bad
} carom_pieces;

/// Cuts the expressions (the first one is the gap) at all kinks that depend on coordinates. One
/// piece that counts everywhere where there is none. Memory is the arena's.
carom_status carom_pieces_cut(carom_graph *graph, const carom_ref *root, int n_root,
                              carom_arena *arena, carom_pieces *pieces);

#endif
