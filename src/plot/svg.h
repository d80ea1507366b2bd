// SPDX-License-Identifier: Apache-2.0
// A canvas that writes SVG.
#ifndef CAROM_PLOT_SVG_H
#define CAROM_PLOT_SVG_H

#include "plot/canvas.h"

typedef struct carom_svg {
    carom_text_sink sink;
    char buffer[1 << 14]; ///< what has not gone to the sink yet
    size_t n_buffered;
    bool is_in_path, has_failed;
    int n_dot; ///< of a path that is still open, all alike
    double dot_radius;
    unsigned dot_colour;
} carom_svg;

/// Writes the head; the canvas lives as long as svg.
carom_canvas carom_svg_start(carom_svg *svg, carom_text_sink sink, double width, double height);
/// Writes the tail; false where the sink refused something.
bool carom_svg_end(carom_svg *svg);

#endif
