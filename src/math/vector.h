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
    for (int i = 0; i < n; i++)
        if (fabs(x[i]) > most) most = fabs(x[i]); // without a call, and as fmax
    return most;
}

/// The larger of two; as fmax where the second is not a number, without a call.
static inline double carom_vector_larger(double a, double b)
{
    return b > a ? b : a;
}

/// Row r of W times x.
static inline double carom_sparse_row_times(const carom_sparse *W, int r, const double *x)
{
    const int *index = W->index;
    const double *value = W->value;
    double sum = 0;
    for (int k = W->start[r], end = W->start[r + 1]; k < end; k++) sum += value[k] * x[index[k]];
    return sum;
}

#endif
