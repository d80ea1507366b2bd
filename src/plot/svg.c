// SPDX-License-Identifier: Apache-2.0
// A canvas that writes SVG. Texts are escaped, so that names cannot become markup.
#include "plot/svg.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MOST_DOTS = 1000 }; // of a path
static const char fonts[] = "Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif";

static void put_text(carom_svg *svg, const char *text, size_t length)
{
    if (svg->has_failed) return;
    if (svg->n_buffered + length > sizeof svg->buffer) {
        svg->has_failed |= !svg->sink.write(svg->sink.self, svg->buffer, svg->n_buffered);
        svg->n_buffered = 0;
    }
    if (length > sizeof svg->buffer) {
        svg->has_failed |= !svg->sink.write(svg->sink.self, text, length);
        return;
    }
    memcpy(svg->buffer + svg->n_buffered, text, length);
    svg->n_buffered += length;
}

__attribute__((format(printf, 2, 3))) static void print(carom_svg *svg, const char *format, ...)
{
    char text[512];
    va_list list;
    va_start(list, format);
    const int n = vsnprintf(text, sizeof text, format, list);
    va_end(list);
    if (n > 0) put_text(svg, text, (size_t)n < sizeof text ? (size_t)n : sizeof text - 1);
}

// control characters are not allowed in XML
static void escape(carom_svg *svg, const char *text)
{
    for (const char *c = text; *c; c++) {
        const unsigned char byte = (unsigned char)*c;
        if (*c == '<')
            put_text(svg, "&lt;", 4);
        else if (*c == '>')
            put_text(svg, "&gt;", 4);
        else if (*c == '&')
            put_text(svg, "&amp;", 5);
        else if (*c == '"')
            put_text(svg, "&quot;", 6);
        else
            put_text(svg, byte < 0x20 || byte == 0x7f ? " " : c, 1);
    }
}

static void end_dots(carom_svg *svg)
{
    if (svg->n_dot == 0) return;
    svg->n_dot = 0;
    print(svg, "\" fill=\"none\" stroke=\"#%06x\" stroke-width=\"%g\" stroke-linecap=\"round\"/>\n",
          svg->dot_colour, 2 * svg->dot_radius);
}

static void step(carom_svg *svg, char letter, double x, double y)
{
    if (!svg->is_in_path) {
        end_dots(svg);
        put_text(svg, "<path d=\"", 9);
    }
    svg->is_in_path = true;
    print(svg, "%c%.2f %.2f", letter, x, y);
}

static void move(void *self, double x, double y)
{
    step(self, 'M', x, y);
}

static void line(void *self, double x, double y)
{
    step(self, 'L', x, y);
}

static void stroke(void *self, const carom_pen *pen)
{
    carom_svg *svg = self;
    if (!svg->is_in_path) return;
    svg->is_in_path = false;
    print(svg, "\" fill=\"none\" stroke=\"#%06x\" stroke-width=\"%g\" stroke-linejoin=\"round\"",
          pen->colour, pen->width);
    if (pen->dash[0] > 0) print(svg, " stroke-dasharray=\"%g %g\"", pen->dash[0], pen->dash[1]);
    print(svg, "/>\n");
}

static void fill(void *self, unsigned colour)
{
    carom_svg *svg = self;
    if (!svg->is_in_path) return;
    svg->is_in_path = false;
    print(svg, "\" fill=\"#%06x\" shape-rendering=\"crispEdges\"/>\n", colour);
}

// small ones of one kind are one path, of lines without length
static void dot(carom_svg *svg, double x, double y, double radius, unsigned colour)
{
    if (svg->n_dot > 0 &&
        (svg->n_dot == MOST_DOTS || svg->dot_radius != radius || svg->dot_colour != colour))
        end_dots(svg);
    if (svg->n_dot++ == 0) put_text(svg, "<path d=\"", 9);
    svg->dot_radius = radius;
    svg->dot_colour = colour;
    print(svg, "M%.2f %.2fh0", x, y);
}

static void disc(void *self, double x, double y, double radius, unsigned colour)
{
    if (radius < 1.2) {
        dot(self, x, y, radius, colour);
        return;
    }
    print(self, "<circle cx=\"%.2f\" cy=\"%.2f\" r=\"%g\" fill=\"#%06x\"/>\n", x, y, radius,
          colour);
}

static void text(void *self, const carom_label *label, const char *what)
{
    static const char *const anchor[] = {"start", "middle", "end"};
    carom_svg *svg = self;
    end_dots(svg);
    print(svg, "<text font-size=\"%g\" text-anchor=\"%s\" fill=\"#%06x\"%s", label->size,
          anchor[label->anchor], label->colour, label->is_bold ? " font-weight=\"600\"" : "");
    if (label->is_upright)
        print(svg, " transform=\"translate(%.2f %.2f) rotate(-90)\">", label->x, label->y);
    else
        print(svg, " x=\"%.2f\" y=\"%.2f\">", label->x, label->y);
    escape(svg, what);
    print(svg, "</text>\n");
}

static void clip(void *self, const double *r)
{
    end_dots(self);
    // a nested svg clips without an identifier, which would have to be unique in a page
    if (r)
        print(self,
              "<svg x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" "
              "viewBox=\"%.2f %.2f %.2f %.2f\">\n",
              r[0], r[1], r[2], r[3], r[0], r[1], r[2], r[3]);
    else
        print(self, "</svg>\n");
}

carom_canvas carom_svg_start(carom_svg *svg, carom_text_sink sink, double width, double height)
{
    svg->sink = sink;
    svg->n_buffered = 0;
    svg->n_dot = 0;
    svg->is_in_path = svg->has_failed = false;
    print(svg,
          "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %g %g\" width=\"%g\" "
          "height=\"%g\" font-family=\"%s\" role=\"img\">\n",
          width, height, width, height, fonts);
    print(svg, "<rect width=\"%g\" height=\"%g\" fill=\"#ffffff\"/>\n", width, height);
    return (carom_canvas){.self = svg,
                          .move = move,
                          .line = line,
                          .stroke = stroke,
                          .fill = fill,
                          .disc = disc,
                          .text = text,
                          .clip = clip};
}

bool carom_svg_end(carom_svg *svg)
{
    print(svg, "</svg>\n");
    if (!svg->has_failed)
        svg->has_failed = !svg->sink.write(svg->sink.self, svg->buffer, svg->n_buffered);
    return !svg->has_failed;
}
