// SPDX-License-Identifier: Apache-2.0
// Projections on the sets of the friction law: the interval (plane) and the disc (space).
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
