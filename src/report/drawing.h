// SPDX-License-Identifier: Apache-2.0
// The drawing of a run as JSON: which shapes there are, where contacts are, and every number of a
// frame over time.
#ifndef CAROM_REPORT_DRAWING_H
#define CAROM_REPORT_DRAWING_H

#include "report/touches.h"

/// Members "about", "source" and "drawing"; nothing where there are no frames. Frames are flat.
carom_status carom_drawing_encode(carom_encoder *encoder, const carom_frames *frames,
                                  const carom_touches *touches, carom_error *error);

#endif
