// SPDX-License-Identifier: Apache-2.0
// Curves on a canvas, as many points as can be seen.
#ifndef CAROM_PLOT_CURVE_H
#define CAROM_PLOT_CURVE_H

#include "plot/axis.h"
#include "plot/canvas.h"

/// How a series looks: its pen and the radius of its markers (0 = none; pen.width 0 = no line).
typedef struct carom_look {
    carom_pen pen;
    double marker;
} carom_look;

carom_look carom_curve_look(const carom_series *series, int place);
void carom_curve_draw(const carom_canvas *canvas, const carom_series *series, const carom_scale *x,
                      const carom_scale *y, const carom_look *look);
/// Widens the ranges to the points that can be shown.
void carom_curve_range(const carom_series *series, const carom_plot *plot, carom_range_found *x,
                       carom_range_found *y);

#endif
