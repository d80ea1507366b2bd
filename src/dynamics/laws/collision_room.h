// SPDX-License-Identifier: Apache-2.0
// Room for the contact problems of laws.
#ifndef CAROM_DYNAMICS_COLLISION_ROOM_H
#define CAROM_DYNAMICS_COLLISION_ROOM_H

#include "carom/extend.h"

/// Rows of contacts, then the tangents once more: friction of impulses that are given.
struct carom_collision_room {
    int room;           ///< rows of contacts
    double *G, *b, *Q;  ///< (4 room^2), (2 room), (2 room)
    double *given;      ///< (room) by blocks
    carom_block *block; ///< (2 room)
    int *row;           ///< (2 room) of the collision
};

#endif
