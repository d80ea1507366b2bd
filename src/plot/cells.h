// SPDX-License-Identifier: Apache-2.0
// Cells of a grid on a canvas.
#ifndef CAROM_PLOT_CELLS_H
#define CAROM_PLOT_CELLS_H

#include "plot/axis.h"
#include "plot/canvas.h"

/// Widens the ranges to all cells.
void carom_cells_range(const carom_cells *cells, const carom_plot *plot, carom_range_found *x,
                       carom_range_found *y);
/// Fills them.
void carom_cells_draw(const carom_canvas *canvas, const carom_cells *cells, const carom_scale *x,
                      const carom_scale *y);

#endif
