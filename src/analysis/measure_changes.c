// SPDX-License-Identifier: Apache-2.0
// Measures of how a column changes: how it goes up, which an energy should not (the largest rise
// from one row to the next, the largest climb above an earlier value, the sum of all rises); and
// how often an angle goes round, be it counted on or taken between -pi and pi (atan2).
#include "analysis/gauge.h"

#include <math.h>

void carom_gauge_rise(carom_gauge *g, double t, double v)
{
    (void)t;
    if (g->n > 0) g->best = fmax(g->best, v - g->v);
}

void carom_gauge_climb(carom_gauge *g, double t, double v)
{
    (void)t;
    if (g->n == 0 || v < g->sum[0]) g->sum[0] = v;
    if (g->n > 0) g->best = fmax(g->best, v - g->sum[0]);
}

void carom_gauge_gain(carom_gauge *g, double t, double v)
{
    (void)t;
    if (g->n > 0) g->best = fmax(g->best, 0) + fmax(v - g->v, 0);
}

void carom_gauge_turns(carom_gauge *g, double t, double v)
{
    static const double TURN = 6.28318530717958647693;
    (void)t;
    const double change = (v - g->v) / TURN;
    if (g->n > 0) g->best += change - round(change);
}
