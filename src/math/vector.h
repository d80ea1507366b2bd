// SPDX-License-Identifier: Apache-2.0
// Small things that vectors and sparse rows are asked everywhere.
#ifndef CAROM_MATH_VECTOR_H
#define CAROM_MATH_VECTOR_H

#include "carom/extend.h"

#include <math.h>

/// Largest |x[i]|; 0 for n = 0.
static inline double carom_vector_largest(const double *x, int n)
{
    double most = 0;
    for (int i = 0; i < n; i++) most = fmax(most, fabs(x[i]));
    return most;
}

/// Row r of W times x.
static inline double carom_sparse_row_times(const carom_sparse *W, int r, const double *x)
{
    double sum = 0;
    for (int k = W->start[r]; k < W->start[r + 1]; k++) sum += W->value[k] * x[W->index[k]];
    return sum;
}

#endif
