// SPDX-License-Identifier: Apache-2.0
// Figures without a browser: panels of curves one above the other, as SVG text or as a PNG file.
// Axes carry names and units, the legend stands above its panel and covers nothing, a million
// points become the envelope that can be seen.
#ifndef CAROM_PLOT_H
#define CAROM_PLOT_H

#include "carom/base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum carom_stroke {
    CAROM_STROKE_LINE,
    CAROM_STROKE_DASHED,
    CAROM_STROKE_DOTTED,
    CAROM_STROKE_POINTS,     ///< markers only
    CAROM_STROKE_LINE_POINTS ///< markers joined by a line
} carom_stroke;

/// One curve. A point that is not finite (or not positive on a logarithmic axis) leaves a gap.
typedef struct carom_series {
    const char *name;    ///< in the legend; NULL = not listed there
    const double *x, *y; ///< (n), borrowed
    long n;
    carom_stroke stroke;
    int colour; ///< place in the palette from 1; 0 = the next one
} carom_series;

/// Cells of a grid, each of one class: a map. Values are the middles of cells and rise.
typedef struct carom_cells {
    const double *x, *y; ///< (n_x), (n_y)
    const int *colour;   ///< (n_x n_y), x by x: place in the palette from 1; 0 = grey, below
                         ///< = nothing is drawn
    int n_x, n_y;
} carom_cells;

/// One axis. Its range is that of the data unless low < high.
typedef struct carom_axis {
    const char *label, *unit; ///< each may be NULL
    bool is_log;
    double low, high;
} carom_axis;

/// One panel.
typedef struct carom_plot {
    const char *title; ///< may be NULL
    carom_axis x, y;
    const carom_series *series;
    int n_series;
    const carom_cells *cells; ///< behind the curves; NULL = none
    bool is_equal; ///< one unit is as long on both axes; the panel becomes as high as that needs
} carom_plot;

/// Panels one above the other.
typedef struct carom_figure {
    const char *title; ///< may be NULL
    const carom_plot *panel;
    int n_panel;
    double width;        ///< [px]; 0 = 720
    double panel_height; ///< [px]; 0 = 400 for one panel, 240 for several
} carom_figure;

/// Where text goes, piece by piece; false stops the writing.
typedef struct carom_text_sink {
    void *self;
    bool (*write)(void *self, const char *text, size_t length);
} carom_text_sink;

/// The figure as one <svg> element, for a file or inside an HTML page. Texts are escaped.
/// CAROM_STOPPED where the sink returned false.
CAROM_API carom_status carom_figure_svg(const carom_figure *figure, carom_text_sink sink,
                                        carom_error *error);
/// Writes path, whole or not at all; the ending .svg, .pdf or .png says how. PNG files have twice
/// as many pixels as the figure's size. A carom built without cairo writes .svg alone.
CAROM_API carom_status carom_figure_write(const carom_figure *figure, const char *path,
                                          carom_error *error);

#ifdef __cplusplus
}
#endif
#endif
