// SPDX-License-Identifier: Apache-2.0
// A canvas that makes a PNG or a PDF file.
#ifndef CAROM_PLOT_PNG_H
#define CAROM_PLOT_PNG_H

#include "plot/canvas.h"

typedef struct carom_png carom_png;

/// A white canvas with twice as many pixels as asked for; where pdf is given a PDF page whose bytes
/// go there. CAROM_BAD_INPUT in a carom without cairo.
carom_status carom_png_new(double width, double height, carom_text_sink *pdf, carom_png **png,
                           carom_canvas *canvas, carom_error *error);
/// Sends the bytes of the PNG file to the sink (those of a PDF file are sent already), and frees.
carom_status carom_png_finish(carom_png *png, carom_text_sink sink, carom_error *error);

#endif
