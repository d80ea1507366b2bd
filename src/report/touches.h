// SPDX-License-Identifier: Apache-2.0
// Contacts that come and go, at the frames of a drawing: those that press, from the table of
// contacts of the run. Where there are too many for a page the strongest of each frame are kept.
//
//     force = max(la, P / time between rows)
#ifndef CAROM_REPORT_TOUCHES_H
#define CAROM_REPORT_TOUCHES_H

#include "report/frames.h"

/// One contact at a frame.
typedef struct carom_touch_shown {
    double point[3], normal[3]; ///< right, up, depth; in the plane x, y, 0
    double force;               ///< [N], on body[0] along the normal
    int body[2];                ///< among those shown, -1 = none of them
} carom_touch_shown;

typedef struct carom_touches {
    long n, room;
    carom_touch_shown *touch; ///< (n) by frames, in each from strong to weak
    int *first;               ///< (frames + 1)
    int most_left_out;        ///< of a frame
} carom_touches;

/// Where they are read from.
typedef struct carom_touches_source {
    carom_results *results;
    double spacing; ///< of rows [s]
    long most;      ///< of all frames together
} carom_touches_source;

/// Reads the table for frames, in axes as they are when flat, or of space before; nothing where the
/// run has none.
carom_status carom_touches_gather(carom_touches *touches, const carom_frames *frames,
                                  const carom_touches_source *source, carom_error *error);
void carom_touches_free(carom_touches *touches);
/// Member "touches"; nothing where there are none.
carom_status carom_touches_encode(const carom_touches *touches, carom_encoder *encoder,
                                  long n_frame, carom_error *error);

#endif
