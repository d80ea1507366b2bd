// SPDX-License-Identifier: Apache-2.0
// Measures of time: when a column first passes a limit (linear between rows), the last time it is
// above, and how long it stays below or above.
#include "analysis/gauge.h"

#include <math.h>

static void note_passing(carom_gauge *g, double t, double v, double side)
{
    const double over = side * (v - g->asked->limit), before = side * (g->v - g->asked->limit);
    if (!isnan(g->best) || !(over >= 0)) return;
    g->best = g->n > 0 && over > before ? t - (t - g->t) * over / (over - before) : t;
}

void carom_gauge_when_below(carom_gauge *g, double t, double v)
{
    note_passing(g, t, v, -1);
}

void carom_gauge_when_above(carom_gauge *g, double t, double v)
{
    note_passing(g, t, v, 1);
}

void carom_gauge_last_above(carom_gauge *g, double t, double v)
{
    if (v > g->asked->limit) g->best = t;
}

// the part of the time since the row before on one side
static void add_stay(carom_gauge *g, double t, double v, double side)
{
    if (g->n == 0) return;
    const double over = side * (v - g->asked->limit), before = side * (g->v - g->asked->limit);
    double share = (over >= 0) + (before >= 0) == 2;
    if ((over >= 0) != (before >= 0)) share = fmax(over, before) / fabs(over - before);
    g->sum[0] += share * (t - g->t);
}

void carom_gauge_long_below(carom_gauge *g, double t, double v)
{
    add_stay(g, t, v, -1);
}

void carom_gauge_long_above(carom_gauge *g, double t, double v)
{
    add_stay(g, t, v, 1);
}

double carom_gauge_duration(const carom_gauge *g)
{
    return g->sum[0];
}
