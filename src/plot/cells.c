// SPDX-License-Identifier: Apache-2.0
// Cells: those in a row that have one colour become one rectangle, all of a colour one path. A cell
// reaches halfway to its neighbours, on logarithmic axes as they are drawn.
#include "plot/cells.h"

#include "plot/curve.h"

#include <math.h>

static const unsigned grey = 0xd9d9d9;

// halfway between two values; at the rim as far out as it is in
static double edge(const double *value, int n, int i, bool is_log)
{
    if (n == 1) {
        const double room = fabs(value[0]) > 0 ? 0.05 * fabs(value[0]) : 1;
        return value[0] + (i == 0 ? -room : room);
    }
    const int a = i == 0 ? 0 : i == n ? n - 1 : i - 1, b = i == 0 ? 1 : i == n ? n - 2 : i;
    const double share = i == 0 || i == n ? -0.5 : 0.5;
    if (is_log) return value[a] * pow(value[b] / value[a], share);
    return value[a] + share * (value[b] - value[a]);
}

static void include(carom_range_found *range, double value)
{
    range->low = fmin(range->low, value);
    range->high = fmax(range->high, value);
}

void carom_cells_range(const carom_cells *c, const carom_plot *plot, carom_range_found *x,
                       carom_range_found *y)
{
    if (c->n_x < 1 || c->n_y < 1) return;
    for (int i = 0; i < 2; i++) {
        include(x, edge(c->x, c->n_x, i * c->n_x, plot->x.is_log));
        include(y, edge(c->y, c->n_y, i * c->n_y, plot->y.is_log));
    }
}

static void lay_rectangle(const carom_canvas *canvas, const double x[2], const double y[2])
{
    canvas->move(canvas->self, x[0], y[0]);
    canvas->line(canvas->self, x[1], y[0]);
    canvas->line(canvas->self, x[1], y[1]);
    canvas->line(canvas->self, x[0], y[1]);
}

// the cells j of all x that have this colour
static void lay_row(const carom_canvas *canvas, const carom_cells *c, const carom_scale *x,
                    const double y[2], int j, int colour)
{
    for (int i = 0, from = -1; i <= c->n_x; i++) {
        const bool is_in = i < c->n_x && c->colour[(long)i * c->n_y + j] == colour;
        if (is_in && from < 0) from = i;
        if (is_in || from < 0) continue;
        const double ends[2] = {carom_scale_pixel(x, edge(c->x, c->n_x, from, x->is_log)),
                                carom_scale_pixel(x, edge(c->x, c->n_x, i, x->is_log))};
        lay_rectangle(canvas, ends, y);
        from = -1;
    }
}

void carom_cells_draw(const carom_canvas *canvas, const carom_cells *c, const carom_scale *x,
                      const carom_scale *y)
{
    int most = 0;
    for (long i = 0; i < (long)c->n_x * c->n_y; i++)
        most = c->colour[i] > most ? c->colour[i] : most;
    for (int colour = 0; colour <= most; colour++) {
        for (int j = 0; j < c->n_y; j++) {
            const double ends[2] = {carom_scale_pixel(y, edge(c->y, c->n_y, j, y->is_log)),
                                    carom_scale_pixel(y, edge(c->y, c->n_y, j + 1, y->is_log))};
            lay_row(canvas, c, x, ends, j, colour);
        }
        const carom_series of = {.colour = colour};
        canvas->fill(canvas->self,
                     colour == 0 ? grey : carom_curve_look(&of, colour - 1).pen.colour);
    }
}
