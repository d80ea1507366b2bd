// SPDX-License-Identifier: Apache-2.0
// A canvas that makes a PNG file, drawn by cairo (anti-aliased lines, fonts of the system).
#include "plot/png.h"

#ifdef CAROM_HAS_CAIRO
#include <cairo.h>
#include <math.h>
#include <stdlib.h>

struct carom_png {
    cairo_surface_t *surface;
    cairo_t *cairo;
};

static const double pixels = 2; // of the file for each of the figure

static void choose(cairo_t *cairo, unsigned colour)
{
    cairo_set_source_rgb(cairo, (double)(colour >> 16 & 255) / 255,
                         (double)(colour >> 8 & 255) / 255, (double)(colour & 255) / 255);
}

static void move(void *self, double x, double y)
{
    cairo_move_to(((carom_png *)self)->cairo, x, y);
}

static void line(void *self, double x, double y)
{
    cairo_line_to(((carom_png *)self)->cairo, x, y);
}

static void stroke(void *self, const carom_pen *pen)
{
    cairo_t *cairo = ((carom_png *)self)->cairo;
    choose(cairo, pen->colour);
    cairo_set_line_width(cairo, pen->width);
    cairo_set_line_join(cairo, CAIRO_LINE_JOIN_ROUND);
    cairo_set_dash(cairo, pen->dash, pen->dash[0] > 0 ? 2 : 0, 0);
    cairo_stroke(cairo);
}

static void disc(void *self, double x, double y, double radius, unsigned colour)
{
    cairo_t *cairo = ((carom_png *)self)->cairo;
    choose(cairo, colour);
    cairo_new_path(cairo);
    cairo_arc(cairo, x, y, radius, 0, 2 * acos(-1));
    cairo_fill(cairo);
}

static void text(void *self, const carom_label *label, const char *what)
{
    cairo_t *cairo = ((carom_png *)self)->cairo;
    cairo_text_extents_t extents;
    cairo_save(cairo);
    cairo_select_font_face(cairo, "sans-serif", CAIRO_FONT_SLANT_NORMAL,
                           label->is_bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
    // the usual sans-serif of Debian is wider than Helvetica
    cairo_set_font_size(cairo, 0.92 * label->size);
    cairo_text_extents(cairo, what, &extents);
    cairo_translate(cairo, label->x, label->y);
    if (label->is_upright) cairo_rotate(cairo, -acos(-1) / 2);
    cairo_move_to(cairo, -0.5 * (double)label->anchor * extents.x_advance, 0);
    choose(cairo, label->colour);
    cairo_show_text(cairo, what);
    cairo_restore(cairo);
    cairo_new_path(cairo);
}

static void clip(void *self, const double *r)
{
    cairo_t *cairo = ((carom_png *)self)->cairo;
    cairo_reset_clip(cairo);
    if (!r) return;
    cairo_rectangle(cairo, r[0], r[1], r[2], r[3]);
    cairo_clip(cairo);
}

static void drop(carom_png *png)
{
    cairo_destroy(png->cairo);
    cairo_surface_destroy(png->surface);
    free(png);
}

carom_status carom_png_new(double width, double height, carom_png **png, carom_canvas *canvas,
                           carom_error *error)
{
    *png = calloc(1, sizeof **png);
    if (!*png) return carom_fail(error, CAROM_NO_MEMORY, "memory ran out while drawing");
    (*png)->surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)ceil(pixels * width),
                                                 (int)ceil(pixels * height));
    (*png)->cairo = cairo_create((*png)->surface);
    if (cairo_status((*png)->cairo) != CAIRO_STATUS_SUCCESS) {
        drop(*png);
        *png = NULL;
        return carom_fail(error, CAROM_NO_MEMORY, "memory ran out for a picture of %g x %g pixels",
                          pixels * width, pixels * height);
    }
    cairo_scale((*png)->cairo, pixels, pixels);
    choose((*png)->cairo, 0xffffff);
    cairo_paint((*png)->cairo);
    *canvas = (carom_canvas){.self = *png,
                             .move = move,
                             .line = line,
                             .stroke = stroke,
                             .disc = disc,
                             .text = text,
                             .clip = clip};
    return CAROM_OK;
}

static cairo_status_t pass_on(void *self, const unsigned char *data, unsigned length)
{
    const carom_text_sink *sink = self;
    return sink->write(sink->self, (const char *)data, length) ? CAIRO_STATUS_SUCCESS
                                                               : CAIRO_STATUS_WRITE_ERROR;
}

carom_status carom_png_finish(carom_png *png, carom_text_sink sink, carom_error *error)
{
    cairo_status_t status = cairo_status(png->cairo);
    if (status == CAIRO_STATUS_SUCCESS)
        status = cairo_surface_write_to_png_stream(png->surface, pass_on, &sink);
    drop(png);
    if (status == CAIRO_STATUS_SUCCESS) return CAROM_OK;
    if (status == CAIRO_STATUS_WRITE_ERROR)
        return carom_fail(error, CAROM_STOPPED, "the figure could not be written");
    return carom_fail(error, CAROM_NO_MEMORY, "cannot draw the figure: %s",
                      cairo_status_to_string(status));
}

#else

carom_status carom_png_new(double width, double height, carom_png **png, carom_canvas *canvas,
                           carom_error *error)
{
    (void)width, (void)height, (void)canvas;
    *png = NULL;
    return carom_fail(error, CAROM_BAD_INPUT,
                      "this carom was built without cairo and makes no PNG files (write .svg)");
}

carom_status carom_png_finish(carom_png *png, carom_text_sink sink, carom_error *error)
{
    (void)png, (void)sink;
    return carom_fail(error, CAROM_BUG, "there is no PNG canvas");
}

#endif
