// SPDX-License-Identifier: Apache-2.0
// The error of the mean of batches; neighbours that are alike count as fewer.
#include "studies/orbits/batches.h"

#include <math.h>

double carom_batch_error(const double *batch)
{
    const int n = CAROM_BATCHES;
    double mean = 0, square = 0, alike = 0;
    for (int i = 0; i < n; i++) mean += batch[i] / n;
    for (int i = 0; i < n; i++) square += (batch[i] - mean) * (batch[i] - mean);
    for (int i = 1; i < n; i++) alike += (batch[i] - mean) * (batch[i - 1] - mean);
    const double error = sqrt(square / (n - 1) / n);
    const double share = square > 0 ? fmin(0.9, fmax(0, alike / square)) : 0;
    return error * sqrt((1 + share) / (1 - share));
}
