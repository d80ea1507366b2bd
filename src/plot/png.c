// SPDX-License-Identifier: Apache-2.0
// A canvas that makes a PNG or a PDF file, drawn by cairo (fonts of the system). Cairo
// is loaded when the first picture is made: it draws in twenty libraries, which no other use of
// Carom should wait for.
#include "plot/png.h"

#ifdef CAROM_HAS_CAIRO
#include <cairo-pdf.h>
#include <cairo.h>
#include <dlfcn.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// the functions used: type, name without cairo_, arguments
#define CALLS(X)                                                                                   \
    X(cairo_surface_t *, image_surface_create, (cairo_format_t, int, int))                         \
    X(cairo_status_t, surface_write_to_png_stream,                                                 \
      (cairo_surface_t *, cairo_write_func_t, void *))                                             \
    X(cairo_surface_t *, pdf_surface_create_for_stream,                                            \
      (cairo_write_func_t, void *, double, double))                                                \
    X(void, pdf_surface_set_metadata, (cairo_surface_t *, cairo_pdf_metadata_t, const char *))     \
    X(void, surface_finish, (cairo_surface_t *))                                                   \
    X(cairo_status_t, surface_status, (cairo_surface_t *))                                         \
    X(void, set_antialias, (cairo_t *, cairo_antialias_t))                                         \
    X(void, surface_destroy, (cairo_surface_t *))                                                  \
    X(cairo_t *, create, (cairo_surface_t *))                                                      \
    X(void, destroy, (cairo_t *))                                                                  \
    X(cairo_status_t, status, (cairo_t *))                                                         \
    X(const char *, status_to_string, (cairo_status_t))                                            \
    X(void, save, (cairo_t *))                                                                     \
    X(void, restore, (cairo_t *))                                                                  \
    X(void, scale, (cairo_t *, double, double))                                                    \
    X(void, translate, (cairo_t *, double, double))                                                \
    X(void, rotate, (cairo_t *, double))                                                           \
    X(void, set_source_rgb, (cairo_t *, double, double, double))                                   \
    X(void, set_line_width, (cairo_t *, double))                                                   \
    X(void, set_line_join, (cairo_t *, cairo_line_join_t))                                         \
    X(void, set_dash, (cairo_t *, const double *, int, double))                                    \
    X(void, new_path, (cairo_t *))                                                                 \
    X(void, move_to, (cairo_t *, double, double))                                                  \
    X(void, line_to, (cairo_t *, double, double))                                                  \
    X(void, arc, (cairo_t *, double, double, double, double, double))                              \
    X(void, rectangle, (cairo_t *, double, double, double, double))                                \
    X(void, stroke, (cairo_t *))                                                                   \
    X(void, fill, (cairo_t *))                                                                     \
    X(void, paint, (cairo_t *))                                                                    \
    X(void, clip, (cairo_t *))                                                                     \
    X(void, reset_clip, (cairo_t *))                                                               \
    X(void, select_font_face, (cairo_t *, const char *, cairo_font_slant_t, cairo_font_weight_t))  \
    X(void, set_font_size, (cairo_t *, double))                                                    \
    X(void, text_extents, (cairo_t *, const char *, cairo_text_extents_t *))                       \
    X(void, show_text, (cairo_t *, const char *))

struct carom_png {
#define X(type, name, arguments) type(*name) arguments;
    CALLS(X)
#undef X
    cairo_surface_t *surface;
    cairo_t *cairo;
    bool is_pdf;
};

// the library stays loaded: fonts may be in use
static bool load_cairo(carom_png *png)
{
    void *library = dlopen("libcairo.so.2", RTLD_NOW | RTLD_LOCAL), *symbol;
    bool is_whole = library != NULL;
#define X(type, name, arguments)                                                                   \
    symbol = is_whole ? dlsym(library, "cairo_" #name) : NULL;                                     \
    memcpy(&png->name, &symbol, sizeof symbol);                                                    \
    is_whole = symbol != NULL;
    CALLS(X)
#undef X
    return is_whole;
}

static const double pixels = 2; // of the file for each of the figure

static void choose_colour(carom_png *png, unsigned colour)
{
    png->set_source_rgb(png->cairo, (double)(colour >> 16 & 255) / 255,
                        (double)(colour >> 8 & 255) / 255, (double)(colour & 255) / 255);
}

static void move(void *self, double x, double y)
{
    carom_png *png = self;
    png->move_to(png->cairo, x, y);
}

static void line(void *self, double x, double y)
{
    carom_png *png = self;
    png->line_to(png->cairo, x, y);
}

static void stroke(void *self, const carom_pen *pen)
{
    carom_png *png = self;
    choose_colour(png, pen->colour);
    png->set_line_width(png->cairo, pen->width);
    png->set_line_join(png->cairo, CAIRO_LINE_JOIN_ROUND);
    png->set_dash(png->cairo, pen->dash, pen->dash[0] > 0 ? 2 : 0, 0);
    png->stroke(png->cairo);
}

static void fill(void *self, unsigned colour)
{
    carom_png *png = self;
    choose_colour(png, colour);
    png->set_antialias(png->cairo, CAIRO_ANTIALIAS_NONE);
    png->fill(png->cairo);
    png->set_antialias(png->cairo, CAIRO_ANTIALIAS_DEFAULT);
}

static void disc(void *self, double x, double y, double radius, unsigned colour)
{
    carom_png *png = self;
    choose_colour(png, colour);
    png->new_path(png->cairo);
    png->arc(png->cairo, x, y, radius, 0, 2 * acos(-1));
    png->fill(png->cairo);
}

static void text(void *self, const carom_label *label, const char *what)
{
    carom_png *png = self;
    cairo_text_extents_t extents;
    png->save(png->cairo);
    png->select_font_face(png->cairo, "sans-serif", CAIRO_FONT_SLANT_NORMAL,
                          label->is_bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
    // the usual sans-serif of Debian is wider than Helvetica
    png->set_font_size(png->cairo, 0.92 * label->size);
    png->text_extents(png->cairo, what, &extents);
    png->translate(png->cairo, label->x, label->y);
    if (label->is_upright) png->rotate(png->cairo, -acos(-1) / 2);
    png->move_to(png->cairo, -0.5 * (double)label->anchor * extents.x_advance, 0);
    choose_colour(png, label->colour);
    png->show_text(png->cairo, what);
    png->restore(png->cairo);
    png->new_path(png->cairo);
}

static void clip(void *self, const double *r)
{
    carom_png *png = self;
    png->reset_clip(png->cairo);
    if (!r) return;
    png->rectangle(png->cairo, r[0], r[1], r[2], r[3]);
    png->clip(png->cairo);
}

static void drop_canvas(carom_png *png)
{
    png->destroy(png->cairo);
    png->surface_destroy(png->surface);
    free(png);
}

static cairo_status_t pass_on(void *self, const unsigned char *data, unsigned length)
{
    const carom_text_sink *sink = self;
    return sink->write(sink->self, (const char *)data, length) ? CAIRO_STATUS_SUCCESS
                                                               : CAIRO_STATUS_WRITE_ERROR;
}

// a page is as large in points as the figure in pixels, and bears no date: same figure, same bytes
static void make_surface(carom_png *png, double width, double height, carom_text_sink *pdf)
{
    png->is_pdf = pdf != NULL;
    if (pdf) {
        png->surface = png->pdf_surface_create_for_stream(pass_on, pdf, width, height);
        png->pdf_surface_set_metadata(png->surface, CAIRO_PDF_METADATA_CREATE_DATE, "");
    } else {
        png->surface = png->image_surface_create(CAIRO_FORMAT_RGB24, (int)ceil(pixels * width),
                                                 (int)ceil(pixels * height));
    }
    png->cairo = png->create(png->surface);
}

carom_status carom_png_new(double width, double height, carom_text_sink *pdf, carom_png **png,
                           carom_canvas *canvas, carom_error *error)
{
    *png = calloc(1, sizeof **png);
    if (!*png) return carom_fail(error, CAROM_NO_MEMORY, "memory ran out while drawing");
    if (!load_cairo(*png)) {
        free(*png);
        *png = NULL;
        return carom_fail(
            error, CAROM_BAD_INPUT,
            "PNG and PDF files need the library libcairo.so.2, which is not there (install "
            "libcairo2, or write .svg)");
    }
    make_surface(*png, width, height, pdf);
    if ((*png)->status((*png)->cairo) != CAIRO_STATUS_SUCCESS) {
        drop_canvas(*png);
        *png = NULL;
        return carom_fail(error, CAROM_NO_MEMORY, "memory ran out for a picture of %g x %g pixels",
                          pixels * width, pixels * height);
    }
    if (!pdf) (*png)->scale((*png)->cairo, pixels, pixels);
    choose_colour(*png, 0xffffff);
    (*png)->paint((*png)->cairo);
    *canvas = (carom_canvas){.self = *png,
                             .move = move,
                             .line = line,
                             .stroke = stroke,
                             .fill = fill,
                             .disc = disc,
                             .text = text,
                             .clip = clip};
    return CAROM_OK;
}

carom_status carom_png_finish(carom_png *png, carom_text_sink sink, carom_error *error)
{
    cairo_status_t status = png->status(png->cairo);
    if (status == CAIRO_STATUS_SUCCESS && png->is_pdf) {
        png->surface_finish(png->surface);
        status = png->surface_status(png->surface);
    } else if (status == CAIRO_STATUS_SUCCESS)
        status = png->surface_write_to_png_stream(png->surface, pass_on, &sink);
    const char *why = png->status_to_string(status);
    drop_canvas(png);
    if (status == CAIRO_STATUS_SUCCESS) return CAROM_OK;
    if (status == CAIRO_STATUS_WRITE_ERROR)
        return carom_fail(error, CAROM_STOPPED, "the figure could not be written");
    return carom_fail(error, CAROM_NO_MEMORY, "cannot draw the figure: %s", why);
}

#else

carom_status carom_png_new(double width, double height, carom_text_sink *pdf, carom_png **png,
                           carom_canvas *canvas, carom_error *error)
{
    (void)width, (void)height, (void)pdf, (void)canvas;
    *png = NULL;
    return carom_fail(
        error, CAROM_BAD_INPUT,
        "this carom was built without cairo and makes neither PNG nor PDF files (write .svg)");
}

carom_status carom_png_finish(carom_png *png, carom_text_sink sink, carom_error *error)
{
    (void)png, (void)sink;
    return carom_fail(error, CAROM_BUG, "there is no PNG canvas");
}

#endif
