// SPDX-License-Identifier: Apache-2.0
// Curves. Consecutive points in one column of pixels become at most four: the first, the lowest,
// the highest and the last, in their order. What is drawn covers the same pixels as all points
// would (U. Jugel et al., M4: a visualization-oriented time series data aggregation, 2014).
#include "plot/curve.h"

#include <math.h>

static const double columns_per_pixel = 2;

// dark enough for paper, told apart by people who do not see all colours
static const unsigned palette[] = {0x1f62a7, 0xd0651a, 0x2b8a5b, 0xa83279,
                                   0x7a7a1c, 0x3fa7c9, 0x6b4fb3, 0x555555};
enum { N_COLOUR = sizeof palette / sizeof palette[0] };

carom_look carom_curve_look(const carom_series *series, int place)
{
    const int colour = series->colour > 0 ? series->colour - 1 : place;
    carom_look look = {.pen = {.colour = palette[colour % N_COLOUR], .width = 1.4}};
    if (series->stroke == CAROM_STROKE_DASHED) {
        look.pen.dash[0] = 6;
        look.pen.dash[1] = 3;
    } else if (series->stroke == CAROM_STROKE_DOTTED) {
        look.pen.dash[0] = 1.5;
        look.pen.dash[1] = 2.5;
    }
    if (series->stroke == CAROM_STROKE_POINTS) look.pen.width = 0;
    if (series->stroke == CAROM_STROKE_POINTS || series->stroke == CAROM_STROKE_LINE_POINTS)
        look.marker = series->n > 20000 ? 0.7 : series->n > 2000 ? 1.1 : 2.6;
    return look;
}

typedef struct pixel {
    double x, y;
    long at; // which point of the series
} pixel;

/// The points of one column of pixels, and the piece of curve they belong to.
typedef struct pencil {
    const carom_canvas *canvas;
    const carom_look *look;
    double left, right; // what lies further out counts as one column
    pixel first, lowest, highest, last;
    double column;
    long n_column, n_piece; // points in this column; columns drawn of this piece
    pixel drawn;            // last point drawn
} pencil;

static void draw_point(pencil *trace, pixel p)
{
    if (trace->n_piece == 0)
        trace->canvas->move(trace->canvas->self, p.x, p.y);
    else if (p.at != trace->drawn.at)
        trace->canvas->line(trace->canvas->self, p.x, p.y);
    trace->drawn = p;
    trace->n_piece++;
}

static void end_column(pencil *trace)
{
    if (trace->n_column == 0) return;
    const bool is_down = trace->highest.at < trace->lowest.at;
    draw_point(trace, trace->first);
    if (trace->n_column > 2) {
        draw_point(trace, is_down ? trace->highest : trace->lowest);
        draw_point(trace, is_down ? trace->lowest : trace->highest);
    }
    if (trace->n_column > 1) draw_point(trace, trace->last);
    trace->n_column = 0;
}

// a single point between gaps would have no line
static void end_piece(pencil *trace)
{
    const bool is_alone = trace->n_column == 1 && trace->n_piece == 0;
    end_column(trace);
    trace->n_piece = 0;
    if (!is_alone) return;
    trace->canvas->line(trace->canvas->self, trace->drawn.x + 0.01, trace->drawn.y);
    trace->canvas->stroke(trace->canvas->self, &trace->look->pen);
    trace->canvas->disc(trace->canvas->self, trace->drawn.x, trace->drawn.y, 1.2,
                        trace->look->pen.colour);
}

static void add_point(pencil *trace, pixel p)
{
    const double column = floor(columns_per_pixel * fmin(trace->right, fmax(trace->left, p.x)));
    if (trace->n_column > 0 && column != trace->column) end_column(trace);
    if (trace->n_column++ == 0) {
        trace->column = column;
        trace->first = trace->lowest = trace->highest = p;
    }
    if (p.y < trace->lowest.y) trace->lowest = p;
    if (p.y > trace->highest.y) trace->highest = p;
    trace->last = p;
}

static bool locate_point(const carom_series *s, long i, const carom_scale *x, const carom_scale *y,
                         pixel *p)
{
    if (!carom_scale_has(x, s->x[i]) || !carom_scale_has(y, s->y[i])) return false;
    *p = (pixel){carom_scale_pixel(x, s->x[i]), carom_scale_pixel(y, s->y[i]), i};
    return true;
}

static void draw_markers(const carom_canvas *canvas, const carom_series *s, const carom_scale *x,
                         const carom_scale *y, const carom_look *look)
{
    pixel p, last = {.x = NAN, .y = NAN};
    for (long i = 0; i < s->n; i++) {
        if (!locate_point(s, i, x, y, &p)) continue;
        if (fabs(p.x - last.x) < 0.2 && fabs(p.y - last.y) < 0.2) continue;
        canvas->disc(canvas->self, p.x, p.y, look->marker, look->pen.colour);
        last = p;
    }
}

void carom_curve_draw(const carom_canvas *canvas, const carom_series *series, const carom_scale *x,
                      const carom_scale *y, const carom_look *look)
{
    pixel p;
    pencil trace = {.canvas = canvas, .look = look, .left = x->from - 2, .right = x->to + 2};
    for (long i = 0; look->pen.width > 0 && i < series->n; i++) {
        if (locate_point(series, i, x, y, &p))
            add_point(&trace, p);
        else
            end_piece(&trace);
    }
    end_piece(&trace);
    if (look->pen.width > 0) canvas->stroke(canvas->self, &look->pen);
    if (look->marker > 0) draw_markers(canvas, series, x, y, look);
}

static void include(carom_range_found *range, double value)
{
    if (value < range->low) range->low = value;
    if (value > range->high) range->high = value;
}

void carom_curve_range(const carom_series *series, const carom_plot *plot, carom_range_found *x,
                       carom_range_found *y)
{
    const carom_axis *ax = &plot->x;
    const bool has_window = ax->low < ax->high;
    for (long i = 0; i < series->n; i++) {
        if (!carom_axis_can_show(ax->is_log, series->x[i])) continue;
        // with a given range of x, that of y is what is seen there
        if (has_window && (series->x[i] < ax->low || series->x[i] > ax->high)) continue;
        include(x, series->x[i]);
        if (carom_axis_can_show(plot->y.is_log, series->y[i])) include(y, series->y[i]);
    }
}
