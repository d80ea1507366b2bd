// SPDX-License-Identifier: Apache-2.0
// Where an impact loses its speed v, or an open contact its gap g, the orbit grazes. There
// multipliers grow like 1/v, but the parameter is a smooth function of v (or g): polynomials
// through the last points are taken at 0. The nearer the points, the better the polynomial and the
// worse the speed (its error is that of the position over v), so that of all estimates the one
// counts that changed least from the one before.
#include "studies/orbits/approach.h"

#include <math.h>
#include <string.h>

static const double close_enough = 1e-4; // of the speed or gap where the approach began
static const double apart = 1.1;         // from point to point

void carom_graze_remember(carom_graze *g, const carom_branch_point *it)
{
    for (int i = CAROM_GRAZE_NEAR - 1; i > 0; i--) {
        g->p[i] = g->p[i - 1];
        g->near[0][i] = g->near[0][i - 1];
        g->near[1][i] = g->near[1][i - 1];
    }
    g->p[0] = it->p;
    g->near[0][0] = it->speed;
    g->near[1][0] = it->gap;
    if (g->n < CAROM_GRAZE_NEAR) g->n++;
}

double carom_graze_distance(const carom_graze *g, double ds, int *which)
{
    double nearest = INFINITY;
    for (int k = 0; k < 2 && g->n > 1; k++) {
        const double now = g->near[k][0], before = g->near[k][1];
        if (!isfinite(now) || !isfinite(before) || !(now < before)) continue;
        const double left = now * ds / (before - now);
        if (left < nearest) {
            nearest = left;
            *which = k;
        }
    }
    return nearest;
}

// p at speed (gap) 0, by the polynomial through the last points that are apart
static double extrapolate(const carom_graze *g, int which, int *n_used)
{
    double p[CAROM_GRAZE_NEAR];
    const double *x = g->near[which];
    int n = 0;
    while (n < g->n && (n == 0 || (isfinite(x[n]) && x[n] > apart * x[n - 1]))) n++;
    memcpy(p, g->p, sizeof p);
    for (int level = 1; level < n; level++)
        for (int i = 0; i + level < n; i++)
            p[i] = (x[i] * p[i + 1] - x[i + level] * p[i]) / (x[i] - x[i + level]);
    *n_used = n;
    return p[0];
}

bool carom_graze_approach(carom_graze *g, int k)
{
    int n_used;
    g->which = k;
    const double estimate = extrapolate(g, k, &n_used);
    if (!(g->begun[k] > 0)) {
        g->begun[k] = g->near[k][0];
        g->begun_p[k] = g->p[g->n - 1];
        g->best[k] = g->last[k] = estimate;
        g->change[k] = INFINITY;
        return false;
    }
    const double change = fabs(estimate - g->last[k]);
    if (n_used > 2 && change < g->change[k]) {
        g->change[k] = change;
        g->best[k] = estimate;
    }
    g->last[k] = estimate;
    return g->near[k][0] <= close_enough * g->begun[k];
}

bool carom_graze_is_near(const carom_graze *g)
{
    const int k = g->which;
    return g->begun[k] > 0 && fabs(g->best[k] - g->p[0]) <= fabs(g->p[0] - g->begun_p[k]);
}

double carom_graze_parameter(const carom_graze *g)
{
    return g->best[g->which];
}
