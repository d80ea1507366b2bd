// SPDX-License-Identifier: Apache-2.0
// What a figure is drawn on. Lengths are pixels from the upper left corner.
#ifndef CAROM_PLOT_CANVAS_H
#define CAROM_PLOT_CANVAS_H

#include "carom/plot.h"

typedef struct carom_pen {
    unsigned colour; ///< 0xRRGGBB
    double width;
    double dash[2]; ///< on, off; 0 = solid
} carom_pen;

typedef enum carom_anchor {
    CAROM_ANCHOR_START,
    CAROM_ANCHOR_MIDDLE,
    CAROM_ANCHOR_END
} carom_anchor;

/// A line of text; x, y is on its base line.
typedef struct carom_label {
    double x, y, size;
    carom_anchor anchor;
    bool is_bold, is_upright; ///< upright: turned to read from below
    unsigned colour;
} carom_label;

typedef struct carom_canvas {
    void *self;
    void (*move)(void *self, double x, double y);
    void (*line)(void *self, double x, double y);
    /// Draws what move and line have laid out since the last stroke.
    void (*stroke)(void *self, const carom_pen *pen);
    /// Fills what move and line have laid out; neighbours leave no seam.
    void (*fill)(void *self, unsigned colour);
    void (*disc)(void *self, double x, double y, double radius, unsigned colour);
    void (*text)(void *self, const carom_label *label, const char *text);
    /// Draws inside a rectangle only (x, y, width, height), until clip(NULL).
    void (*clip)(void *self, const double *rectangle);
} carom_canvas;

#endif
