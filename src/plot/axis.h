// SPDX-License-Identifier: Apache-2.0
// Axes: range, ticks at round numbers, units with a prefix that keeps the numbers short.
#ifndef CAROM_PLOT_AXIS_H
#define CAROM_PLOT_AXIS_H

#include "carom/plot.h"

enum { CAROM_MOST_TICKS = 64, CAROM_TICK_ROOM = 24 };

typedef struct carom_tick {
    double value;
    bool is_minor;
    char text[CAROM_TICK_ROOM];
} carom_tick;

/// An axis laid out between two pixels.
typedef struct carom_scale {
    bool is_log;
    double low, high; ///< what stands at the ends; low < high
    double from, to;  ///< [px]
    int n_tick;
    carom_tick tick[CAROM_MOST_TICKS];
    char title[256]; ///< "label [unit]"
} carom_scale;

/// The range of the data of one axis; empty at first (low > high).
typedef struct carom_range_found {
    double low, high;
} carom_range_found;

/// Lays out an axis: range (widened to what can be shown), ticks about `apart` pixels from each
/// other, title.
void carom_scale_make(carom_scale *scale, const carom_axis *axis, carom_range_found found,
                      const double pixels[2], double apart);
/// Whether a value can be shown: finite, and not so large that ranges overflow (1e300).
bool carom_axis_can_show(bool is_log, double value);
/// Whether a value has a place on this axis.
bool carom_scale_has(const carom_scale *scale, double value);
/// The pixel of a value.
double carom_scale_pixel(const carom_scale *scale, double value);
/// How wide a text is drawn, at most about.
double carom_label_width(const char *text, double size);

#endif
