// SPDX-License-Identifier: Apache-2.0
// Collecting a sparse G by columns: which rows a column meets, and from columns to rows.
#ifndef CAROM_DYNAMICS_COLUMNS_H
#define CAROM_DYNAMICS_COLUMNS_H

#include "carom/contact.h"
#include "carom/extend.h"

/// Sparse vectors, one for each row of the problem.
typedef struct carom_columns {
    int *start; ///< (n_row+1)
    int *index;
    double *value;
    int room;
    int *place; ///< where each entry stands in the matrix by rows made of them, or NULL
    int room_place;
    double bytes; ///< that a problem may take with all that is kept of it; 0 = no limit
    bool is_full; ///< it wanted more
} carom_columns;

/// The rows that contain a coordinate: lists over the entries of the rows.
typedef struct carom_links {
    int n;      ///< coordinates
    int *first; ///< (n)
    int *next, *row;
    int n_entry, room;
    unsigned char *is_in; ///< (rows) scratch, 0 between uses
} carom_links;

/// Room for n entries in all; grows only when a problem is larger than all before, and not beyond
/// its limit.
bool carom_columns_reserve(carom_columns *columns, int n);
/// Why there was no room: the limit, or memory.
carom_status carom_columns_fail(const carom_columns *columns, carom_error *error);
/// G (n, start given) by rows from G by columns, and the places of its entries; room holds the room
/// for its entries.
bool carom_columns_turn_to_rows(carom_columns *columns, carom_matrix *G, int *room);

void carom_links_clear(carom_links *links);
/// Row i of the problem contains what row r of W does. Lists have what was added last first.
bool carom_links_add(carom_links *links, int i, const carom_sparse *W, int r);
/// Starts column j: the diagonal and every row that contains a touched coordinate, without values.
bool carom_links_collect(const carom_links *links, carom_columns *columns, int j, int n_touched,
                         const int *touched);

#endif
