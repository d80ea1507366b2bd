// SPDX-License-Identifier: Apache-2.0
// Measures of oscillations, over time T; between rows a column v is a straight line, and so are
// their integrals exact:
//
//     rms          (1/T integral v^2)^(1/2)
//     amplitude    |c|,  c = 2/T integral (v - m) exp(-i w t),  w = the number given [rad/s]
//     phase        -arg c: v is amplitude cos(w t - phase)
//
// m is the value of the first row, so that a part that is constant does not matter over whole
// periods, nor much over others.
#include "analysis/gauge.h"

#include <math.h>

void carom_gauge_rms(carom_gauge *g, double t, double v)
{
    if (g->n == 0) return;
    g->sum[0] += (t - g->t) * (v * v + v * g->v + g->v * g->v) / 3;
    g->sum[1] += t - g->t;
}

double carom_gauge_rms_value(const carom_gauge *g)
{
    return g->sum[1] > 0 ? sqrt(g->sum[0] / g->sum[1]) : NAN;
}

// integral of (a + b s) exp(-i w (t0 + s)), s = 0 .. h
static void add_wave(double *sum, double w, double t0, double h, double a, double b)
{
    // mean and slope about the middle: a + b h/2, and sin(x)/x with its derivative, x = w h/2
    const double x = 0.5 * w * h, middle = w * (t0 + 0.5 * h);
    const double even = fabs(x) > 1e-3 ? sin(x) / x : 1 - x * x / 6;
    const double odd = fabs(x) > 1e-3 ? (cos(x) - sin(x) / x) / x : -x / 3 * (1 - x * x / 10);
    const double mean = h * (a + 0.5 * b * h) * even, rest = 0.5 * b * h * h * odd;
    sum[0] += mean * cos(middle) + rest * sin(middle);
    sum[1] += -mean * sin(middle) + rest * cos(middle);
}

void carom_gauge_wave(carom_gauge *g, double t, double v)
{
    if (g->n == 0) g->sum[3] = v;
    if (g->n == 0 || !(t > g->t)) return;
    const double h = t - g->t;
    add_wave(g->sum, g->asked->limit, g->t, h, g->v - g->sum[3], (v - g->v) / h);
    g->sum[2] += h;
}

double carom_gauge_amplitude(const carom_gauge *g)
{
    return g->sum[2] > 0 ? 2 * hypot(g->sum[0], g->sum[1]) / g->sum[2] : NAN;
}

double carom_gauge_phase(const carom_gauge *g)
{
    return g->sum[2] > 0 ? atan2(-g->sum[1], g->sum[0]) : NAN;
}
