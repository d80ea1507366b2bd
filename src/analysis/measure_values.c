// SPDX-License-Identifier: Apache-2.0
// Measures of a column's values: at the ends, extremes, at a time, mean over time, sum of rows.
// Between rows a column is taken as linear.
#include "analysis/gauge.h"

#include <math.h>

void carom_gauge_first(carom_gauge *g, double t, double v)
{
    (void)t;
    if (g->n == 0) g->best = v;
}

void carom_gauge_last(carom_gauge *g, double t, double v)
{
    (void)t;
    g->best = v;
}

void carom_gauge_smallest(carom_gauge *g, double t, double v)
{
    (void)t;
    g->best = fmin(g->best, v);
}

void carom_gauge_largest(carom_gauge *g, double t, double v)
{
    (void)t;
    g->best = fmax(g->best, v);
}

void carom_gauge_size(carom_gauge *g, double t, double v)
{
    (void)t;
    g->best = fmax(g->best, fabs(v));
}

void carom_gauge_at(carom_gauge *g, double t, double v)
{
    const double time = g->asked->time;
    if (t == time || (g->n == 0 && t > time)) {
        if (isnan(g->best)) g->best = v;
    } else if (g->n > 0 && g->t < time && time < t) {
        g->best = g->v + (v - g->v) * (time - g->t) / (t - g->t);
    }
}

void carom_gauge_mean(carom_gauge *g, double t, double v)
{
    if (g->n == 0) return;
    g->sum[0] += (t - g->t) * (v + g->v) / 2;
    g->sum[1] += t - g->t;
}

double carom_gauge_mean_value(const carom_gauge *g)
{
    return g->sum[1] > 0 ? g->sum[0] / g->sum[1] : NAN;
}

void carom_gauge_total(carom_gauge *g, double t, double v)
{
    (void)t;
    g->sum[0] += v;
}

double carom_gauge_total_value(const carom_gauge *g)
{
    return g->sum[0];
}

double carom_gauge_best(const carom_gauge *g)
{
    return g->best;
}
