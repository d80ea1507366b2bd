// SPDX-License-Identifier: Apache-2.0
// Where contacts are in a drawing.
#ifndef CAROM_REPORT_LOCATE_H
#define CAROM_REPORT_LOCATE_H

#include "report/frames.h"

typedef enum carom_spot_kind {
    CAROM_SPOT_NONE,  ///< not found
    CAROM_SPOT_POINT, ///< gap = n.p_a + c: a point before a fixed wall
    CAROM_SPOT_PAIR,  ///< gap = n.(p_a - p_b) + c: two points, fixed direction
    CAROM_SPOT_DISCS, ///< gap = +-|p_a - p_b| + c: two discs, or one inside a ring
    CAROM_SPOT_EDGE   ///< gap = normal(p_c - p_b).(p_a - p_b) + c: a point before a moving line
} carom_spot_kind;

/// One contact in the drawing; a, b, c are places of points among the draw numbers.
typedef struct carom_spot {
    carom_spot_kind kind;
    int a, b, c;
    double n[2]; ///< unit vector from the obstacle to a; DISCS, EDGE: n[0] = +1 or -1, the side
    double offset;
} carom_spot;

/// Finds the spot of each contact (n_contact of the model). q and u are the start state.
carom_status carom_locate(const carom_frames *frames, carom_spot *spot, carom_error *error);

#endif
