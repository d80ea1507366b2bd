// SPDX-License-Identifier: Apache-2.0
// Projections on the sets of the friction law: the interval (plane), the disc (space) and
// the cone |y_T| <= mu y_N.
#include "math/cone.h"

#include <math.h>

double carom_cone_length(int dim, const double *y)
{
    if (dim == 1) return fabs(y[0]);
    double sum = 0;
    for (int i = 0; i < dim; i++) sum += y[i] * y[i];
    return sqrt(sum);
}

void carom_cone_disc(double radius, int dim, double *y)
{
    const double length = carom_cone_length(dim, y), room = radius > 0 ? radius : 0;
    if (length <= room) return;
    for (int i = 0; i < dim; i++) y[i] *= room / length;
}

void carom_cone_project(double mu, int dim, double *y)
{
    const double length = carom_cone_length(dim - 1, y + 1);
    if (y[0] >= 0 && length <= mu * y[0]) return;
    const double N = (y[0] + mu * length) / (1 + mu * mu), room = N > 0 ? N : 0;
    for (int i = 1; i < dim; i++) y[i] *= length > 0 ? mu * room / length : 0;
    y[0] = room;
}
