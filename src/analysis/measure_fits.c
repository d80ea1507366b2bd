// SPDX-License-Identifier: Apache-2.0
// Measures of growth, by least squares over the rows: the slope of v = a + b t with its correlation
// (1 = a straight line), and the exponent p of |v| = c (t - from)^p (1 = linear, 2 = parabolic).
#include "analysis/gauge.h"

#include <math.h>

// sums of n, x, y, xx, xy, yy
static void add_point(carom_gauge *g, double x, double y)
{
    const double term[CAROM_GAUGE_SUMS] = {1, x, y, x * x, x * y, y * y};
    for (int i = 0; i < CAROM_GAUGE_SUMS; i++) g->sum[i] += term[i];
}

void carom_gauge_line(carom_gauge *g, double t, double v)
{
    add_point(g, t, v);
}

void carom_gauge_power(carom_gauge *g, double t, double v)
{
    const double since = t - fmax(g->asked->from, 0);
    if (since > 0 && v != 0) add_point(g, log(since), log(fabs(v)));
}

static double spread(const double *s, int x, int y, int xy)
{
    return s[0] * s[xy] - s[x] * s[y];
}

double carom_gauge_slope(const carom_gauge *g)
{
    const double *s = g->sum, width = spread(s, 1, 1, 3);
    return s[0] >= 2 && width > 0 ? spread(s, 1, 2, 4) / width : NAN;
}

double carom_gauge_exponent(const carom_gauge *g)
{
    return carom_gauge_slope(g);
}

double carom_gauge_straightness(const carom_gauge *g)
{
    const double *s = g->sum, width = spread(s, 1, 1, 3), height = spread(s, 2, 2, 5);
    return s[0] >= 2 && width > 0 && height > 0 ? spread(s, 1, 2, 4) / sqrt(width * height) : NAN;
}
