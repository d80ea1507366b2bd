// SPDX-License-Identifier: Apache-2.0
// Play of pins and balls: body 2 is round, of radius r, inside body 1, whose hollow is wider by
// half the play. With d from the middle of the hollow to that of the pin,
//
//     gap = play/2 - abs(d),     n = d/abs(d)
//     v   = d' + W2 x r n - W1 x (d + r n)      sliding of body 2 on body 1 where they touch
//
// abs(d) is sqrt(d.d + (1e-9 play)^2): defined in the middle, the same to rounding at the contact.
#ifndef CAROM_MODEL_PLAY_H
#define CAROM_MODEL_PLAY_H

#include "model/bodies/fitting.h"

typedef struct carom_play {
    carom_ref play, radius;
    bool is_rough; ///< friction is given: slips are needed
} carom_play;

/// The words play, radius and friction.
carom_status carom_play_read(carom_fitting *fitting, carom_play *play);
/// abs(d), and n.
carom_ref carom_play_distance(const carom_fitting *fitting, const carom_play *play, carom_vec d,
                              carom_vec *n);
/// v; d may have a part along a pin, which is not across n.
carom_vec carom_play_sliding(const carom_fitting *fitting, const carom_play *play, carom_vec d,
                             carom_vec n);
/// The contact; slips are rates, -1 = none.
carom_status carom_play_touch(carom_fitting *fitting, const carom_play *play, const char *suffix,
                              carom_ref distance, const carom_ref slip[2]);

#endif
