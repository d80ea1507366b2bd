// SPDX-License-Identifier: Apache-2.0
// The layout of a figure: title, then for each panel its title, its legend in a few rows, the axes
// and the curves. The left margin is the same for all panels, so that times stand one above the
// other.
#include "base/files/wholefile.h"
#include "base/need.h"
#include "base/text.h"
#include "plot/cells.h"
#include "plot/curve.h"
#include "plot/png.h"
#include "plot/svg.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { INK = 0x1c1c1c, SOFT = 0x6a6a6a, GRID = 0xe4e4e4, TEXT_ROOM = 320, MOST_ROWS = 4 };
static const double LEAST_HEIGHT = 60, MOST_HEIGHT = 2000;
static const double text_size = 12, row_height = 18, gap = 8, right_margin = 22, sample = 22;
static const double count_room = 90; // for "and 96 more"

typedef struct layout {
    const carom_figure *figure;
    const carom_canvas *canvas; // NULL while only measuring
    double width, panel_height, left;
    carom_scale x, y; // of the panel at hand
    bool has_x_title; // likewise
} layout;

// a text that every canvas can draw: short enough for the width, no control characters,
// no broken characters
static void clean_text(const char *text, double size, double most, char buffer[TEXT_ROOM])
{
    size_t used = 0;
    for (const char *c = text; *c && used + 8 < TEXT_ROOM;) {
        const int n = carom_text_character(c);
        if (n > 1 || (n == 1 && (unsigned char)*c >= 0x20 && *c != 0x7f)) {
            memcpy(buffer + used, c, (size_t)n);
            used += (size_t)n;
        } else {
            buffer[used++] = n == 1 ? ' ' : '?';
        }
        buffer[used] = 0;
        if (carom_label_width(buffer, size) > most) {
            memcpy(buffer + used, "…", sizeof "…");
            return;
        }
        c += n > 0 ? n : 1;
    }
    buffer[used] = 0;
}

static void write_text(const layout *l, carom_label label, const char *text, double most)
{
    char shown[TEXT_ROOM];
    if (!l->canvas || !text || !*text) return;
    clean_text(text, label.size, most, shown);
    l->canvas->text(l->canvas->self, &label, shown);
}

static void draw_line(const layout *l, const double from[2], const double to[2], carom_pen pen)
{
    l->canvas->move(l->canvas->self, from[0], from[1]);
    l->canvas->line(l->canvas->self, to[0], to[1]);
    l->canvas->stroke(l->canvas->self, &pen);
}

static void draw_sample(const layout *l, double x, double y, const carom_look *look)
{
    if (look->pen.width > 0) draw_line(l, (double[]){x, y}, (double[]){x + sample, y}, look->pen);
    if (look->marker > 0)
        l->canvas->disc(l->canvas->self, x + sample / 2, y, look->marker, look->pen.colour);
}

static int n_named(const carom_plot *plot)
{
    int n = 0;
    for (int i = 0; i < plot->n_series; i++) n += plot->series[i].name != NULL;
    return n;
}

// one entry of the legend: a stroke, where there is one, and its name
static void draw_entry(const layout *l, double x, double y, const carom_look *look,
                       const char *name)
{
    const double most = l->width - l->left - right_margin, indent = look ? sample + 6 : 0;
    if (!l->canvas) return;
    if (look) draw_sample(l, l->left + x, y - 4, look);
    write_text(l,
               (carom_label){.x = l->left + x + indent, .y = y, .size = text_size, .colour = INK},
               name, most);
}

// the legend from y downwards; returns where it ends. A family has as many names as members: what
// does not go into some rows is counted.
static double legend(const layout *l, const carom_plot *plot, double y)
{
    const double most = l->width - l->left - right_margin;
    const int n = n_named(plot);
    double x = 0;
    int row = 1, shown = 0;
    if (n < 2) return y;
    y += row_height;
    for (int i = 0; i < plot->n_series; i++) {
        char name[TEXT_ROOM];
        if (!plot->series[i].name) continue;
        clean_text(plot->series[i].name, text_size, most - sample - 2 * gap, name);
        const double wide = sample + 6 + carom_label_width(name, text_size) + 2 * gap;
        const double reserve = row == MOST_ROWS && shown + 1 < n ? count_room : 0;
        if (x > 0 && x + wide + reserve > most) {
            if (row++ == MOST_ROWS) {
                snprintf(name, sizeof name, "and %d more", n - shown);
                draw_entry(l, x, y, NULL, name);
                return y;
            }
            x = 0;
            y += row_height;
        }
        const carom_look look = carom_curve_look(&plot->series[i], i);
        draw_entry(l, x, y, &look, name);
        x += wide;
        shown++;
    }
    return y;
}

// a panel is as high as equal units ask for, within bounds
static void make_equal(layout *l, const carom_plot *plot, double top)
{
    const double wide = l->x.to - l->x.from, range = l->x.high - l->x.low;
    const double high = wide * (l->y.high - l->y.low) / range;
    const double up[2] = {top + fmin(MOST_HEIGHT, fmax(LEAST_HEIGHT, high)), top};
    const carom_range_found y = {l->y.low, l->y.high};
    carom_scale_make(&l->y, &plot->y, y, up, 36);
}

// points at the rim are whole
static bool has_points(const carom_plot *plot)
{
    for (int i = 0; i < plot->n_series; i++)
        if (plot->series[i].stroke == CAROM_STROKE_POINTS && plot->series[i].n > 0) return true;
    return false;
}

static void make_scales(layout *l, const carom_plot *plot, double top)
{
    carom_range_found x = {INFINITY, -INFINITY}, y = {INFINITY, -INFINITY};
    for (int i = 0; i < plot->n_series; i++) carom_curve_range(&plot->series[i], plot, &x, &y);
    if (plot->cells) carom_cells_range(plot->cells, plot, &x, &y);
    // curves do not touch the frame
    if (plot->cells) { // these do
    } else if (y.low < y.high && !plot->y.is_log) {
        const double room = 0.04 * (y.high - y.low);
        y = (carom_range_found){y.low - room, y.high + room};
    } else if (y.low < y.high) {
        const double room = pow(y.high / y.low, 0.03);
        y = (carom_range_found){y.low / room, y.high * room};
    }
    if (has_points(plot) && x.low < x.high && !plot->x.is_log) {
        const double room = 0.02 * (x.high - x.low);
        x = (carom_range_found){x.low - room, x.high + room};
    }
    const double across[2] = {l->left, l->width - right_margin};
    const double up[2] = {top + l->panel_height, top};
    carom_scale_make(&l->x, &plot->x, x, across, 84);
    carom_scale_make(&l->y, &plot->y, y, up, 36);
    if (plot->is_equal && !plot->x.is_log && !plot->y.is_log) make_equal(l, plot, top);
}

// room for the numbers of an axis and for its title
static double left_room(const carom_scale *y)
{
    double widest = 0;
    for (int i = 0; i < y->n_tick; i++)
        widest = fmax(widest, carom_label_width(y->tick[i].text, text_size));
    return gap + (y->title[0] ? text_size + 10 : 0) + widest + 9;
}

static void draw_x_ticks(const layout *l)
{
    const double top = l->y.to, bottom = l->y.from;
    for (int i = 0; i < l->x.n_tick; i++) {
        const carom_tick *tick = &l->x.tick[i];
        const double x = carom_scale_pixel(&l->x, tick->value),
                     y = bottom + (tick->is_minor ? 3 : 5);
        if (!tick->is_minor)
            draw_line(l, (double[]){x, bottom}, (double[]){x, top}, (carom_pen){GRID, 0.8, {0}});
        draw_line(l, (double[]){x, bottom}, (double[]){x, y}, (carom_pen){INK, 0.9, {0}});
        write_text(l,
                   (carom_label){.x = x,
                                 .y = bottom + 18,
                                 .size = text_size,
                                 .anchor = CAROM_ANCHOR_MIDDLE,
                                 .colour = INK},
                   tick->text, 200);
    }
}

static void draw_y_ticks(const layout *l)
{
    for (int i = 0; i < l->y.n_tick; i++) {
        const carom_tick *tick = &l->y.tick[i];
        const double y = carom_scale_pixel(&l->y, tick->value);
        const double x = l->x.from - (tick->is_minor ? 3 : 5);
        if (!tick->is_minor)
            draw_line(l, (double[]){l->x.from, y}, (double[]){l->x.to, y},
                      (carom_pen){GRID, 0.8, {0}});
        draw_line(l, (double[]){x, y}, (double[]){l->x.from, y}, (carom_pen){INK, 0.9, {0}});
        write_text(l,
                   (carom_label){.x = l->x.from - 8,
                                 .y = y + 4,
                                 .size = text_size,
                                 .anchor = CAROM_ANCHOR_END,
                                 .colour = INK},
                   tick->text, 200);
    }
}

static void draw_frame(const layout *l)
{
    const double left = l->x.from, right = l->x.to, top = l->y.to, bottom = l->y.from;
    const carom_pen ink = {INK, 0.9, {0}};
    draw_x_ticks(l);
    draw_y_ticks(l);
    draw_line(l, (double[]){left, top}, (double[]){left, bottom}, ink);
    draw_line(l, (double[]){left, bottom}, (double[]){right, bottom}, ink);
    if (l->has_x_title)
        write_text(l,
                   (carom_label){.x = (left + right) / 2,
                                 .y = bottom + 37,
                                 .size = text_size,
                                 .anchor = CAROM_ANCHOR_MIDDLE,
                                 .colour = INK},
                   l->x.title, right - left);
    write_text(l,
               (carom_label){.x = gap + text_size - 2,
                             .y = (top + bottom) / 2,
                             .size = text_size,
                             .anchor = CAROM_ANCHOR_MIDDLE,
                             .is_upright = true,
                             .colour = INK},
               l->y.title, bottom - top);
}

static void draw_curves(const layout *l, const carom_plot *plot)
{
    const double inside[4] = {l->x.from, l->y.to, l->x.to - l->x.from, l->y.from - l->y.to};
    l->canvas->clip(l->canvas->self, inside);
    if (plot->cells) carom_cells_draw(l->canvas, plot->cells, &l->x, &l->y);
    for (int i = 0; i < plot->n_series; i++) {
        const carom_look look = carom_curve_look(&plot->series[i], i);
        carom_curve_draw(l->canvas, &plot->series[i], &l->x, &l->y, &look);
    }
    l->canvas->clip(l->canvas->self, NULL);
}

static double title(const layout *l, const char *text, double size, double y)
{
    if (!text || !*text) return y;
    write_text(l,
               (carom_label){
                   .x = l->left, .y = y + size + 4, .size = size, .is_bold = true, .colour = INK},
               text, l->width - l->left - right_margin);
    return y + size + 8;
}

static bool is_same_text(const char *a, const char *b)
{
    return strcmp(a ? a : "", b ? b : "") == 0;
}

// of panels with the same horizontal axis the last one has its title
static bool has_x_title(const carom_figure *figure, int i)
{
    const carom_axis *x = &figure->panel[i].x, *next = &figure->panel[i + 1].x;
    return i + 1 == figure->n_panel || !is_same_text(x->label, next->label) ||
           !is_same_text(x->unit, next->unit);
}

// lays out one panel from y downwards, and draws it where there is a canvas
static double panel(layout *l, int i, double y)
{
    const carom_plot *plot = &l->figure->panel[i];
    l->has_x_title = has_x_title(l->figure, i);
    y = title(l, plot->title, text_size, y);
    y = legend(l, plot, y) + 12;
    make_scales(l, plot, y);
    if (l->canvas) {
        draw_frame(l);
        draw_curves(l, plot);
    }
    return l->y.from + (l->has_x_title ? 46 : 26);
}

// returns the height of the figure
static double walk_panels(layout *l)
{
    double y = title(l, l->figure->title, 14, 6);
    for (int i = 0; i < l->figure->n_panel; i++) y = panel(l, i, y);
    return y + 2;
}

static layout measure_figure(const carom_figure *figure, double *height)
{
    layout l = {.figure = figure, .left = 60};
    const double usual = figure->n_panel > 1 ? 240 : 400;
    l.width = fmax(200, figure->width > 0 ? figure->width : 720);
    l.panel_height = fmax(60, figure->panel_height > 0 ? figure->panel_height : usual);
    double left = 0;
    for (int i = 0; i < figure->n_panel; i++) {
        make_scales(&l, &figure->panel[i], 0);
        left = fmax(left, left_room(&l.y));
    }
    l.left = fmin(left, l.width / 2);
    *height = walk_panels(&l);
    return l;
}

static carom_status check_panel(const carom_plot *panel, const char *function, carom_error *error)
{
    if (panel->n_series < 0 || (panel->n_series > 0 && !panel->series))
        return carom_misuse(error, function, "series is NULL, or n_series %d", panel->n_series);
    const carom_cells *c = panel->cells;
    if (c && (c->n_x < 1 || c->n_y < 1 || !c->x || !c->y || !c->colour))
        return carom_misuse(error, function, "cells have n_x = %d, n_y = %d, or no values", c->n_x,
                            c->n_y);
    for (int i = 0; i < panel->n_series; i++) {
        const carom_series *s = &panel->series[i];
        if (s->n < 0 || (s->n > 0 && (!s->x || !s->y)))
            return carom_misuse(error, function, "series[%d] has n = %ld, or x or y is NULL", i,
                                s->n);
        if ((unsigned)s->stroke > CAROM_STROKE_LINE_POINTS || s->colour < 0)
            return carom_misuse(error, function, "series[%d] has stroke %d and colour %d", i,
                                (int)s->stroke, s->colour);
    }
    return CAROM_OK;
}

static carom_status check_figure(const carom_figure *figure, const char *function,
                                 carom_error *error)
{
    if (!figure) return carom_misuse(error, function, "figure is NULL");
    if (figure->n_panel < 0 || (figure->n_panel > 0 && !figure->panel))
        return carom_misuse(error, function, "panel is NULL, or n_panel %d", figure->n_panel);
    for (int i = 0; i < figure->n_panel; i++)
        CAROM_TRY(check_panel(&figure->panel[i], function, error));
    return CAROM_OK;
}

carom_status carom_figure_svg(const carom_figure *figure, carom_text_sink sink, carom_error *error)
{
    double height;
    CAROM_TRY(check_figure(figure, __func__, error));
    CAROM_NEED(error, sink.write);
    layout l = measure_figure(figure, &height);
    carom_svg *svg = malloc(sizeof *svg);
    if (!svg) return carom_fail(error, CAROM_NO_MEMORY, "memory ran out while drawing");
    const carom_canvas canvas = carom_svg_start(svg, sink, l.width, height);
    l.canvas = &canvas;
    walk_panels(&l);
    const bool is_good = carom_svg_end(svg);
    free(svg);
    return is_good ? CAROM_OK : carom_fail(error, CAROM_STOPPED, "the figure could not be written");
}

static carom_status write_by_cairo(const carom_figure *figure, bool is_pdf, carom_text_sink sink,
                                   carom_error *error)
{
    double height;
    carom_png *png;
    carom_canvas canvas;
    layout l = measure_figure(figure, &height);
    CAROM_TRY(carom_png_new(l.width, height, is_pdf ? &sink : NULL, &png, &canvas, error));
    l.canvas = &canvas;
    walk_panels(&l);
    return carom_png_finish(png, sink, error);
}

carom_status carom_figure_write(const carom_figure *figure, const char *path, carom_error *error)
{
    carom_wholefile file;
    CAROM_TRY(check_figure(figure, __func__, error));
    CAROM_NEED(error, path);
    const bool is_svg = carom_text_ends(path, ".svg"), is_pdf = carom_text_ends(path, ".pdf");
    if (!is_svg && !is_pdf && !carom_text_ends(path, ".png"))
        return carom_fail(error, CAROM_BAD_INPUT,
                          "figure '%s' has no known ending; it must end with .svg, .pdf or .png",
                          path);
    CAROM_TRY(carom_wholefile_open(&file, path, error));
    const carom_text_sink sink = {&file, carom_wholefile_write};
    carom_status status = is_svg ? carom_figure_svg(figure, sink, error)
                                 : write_by_cairo(figure, is_pdf, sink, error);
    return carom_wholefile_close(&file, status, error);
}
