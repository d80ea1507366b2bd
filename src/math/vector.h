// SPDX-License-Identifier: Apache-2.0
// Small things that vectors and sparse rows are asked everywhere.
#ifndef CAROM_MATH_VECTOR_H
#define CAROM_MATH_VECTOR_H

#include "carom/linear.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

/// Vectors with more entries are long: what is done with them goes side by side.
enum { CAROM_LONG = 32 };

/// Largest |x[i]|; 0 for n = 0.
static inline double carom_vector_largest(const double *x, int n)
{
    double most = 0, beside[3] = {0};
    int i = 0;
    for (; i + 3 < n && n > CAROM_LONG; i += 4) {
        if (fabs(x[i]) > most) most = fabs(x[i]); // without a call, and as fmax
        for (int k = 0; k < 3; k++)
            if (fabs(x[i + 1 + k]) > beside[k]) beside[k] = fabs(x[i + 1 + k]);
    }
    for (int k = 0; k < 3; k++)
        if (beside[k] > most) most = beside[k];
    for (; i < n; i++)
        if (fabs(x[i]) > most) most = fabs(x[i]);
    return most;
}

/// A number that is finite where all entries of a long vector are (but for overflow), and 0 where
/// all are 0.
static inline double carom_vector_long_sum(const double *x, int n)
{
    double sum[8] = {0};
    int i = 0;
    for (; i + 7 < n; i += 8)
        for (int k = 0; k < 8; k++) sum[k] += fabs(x[i + k]);
    for (; i < n; i++) sum[0] += fabs(x[i]);
    return (sum[0] + sum[1]) + (sum[2] + sum[3]) + ((sum[4] + sum[5]) + (sum[6] + sum[7]));
}

/// The larger of two; as fmax where the second is not a number, without a call.
static inline double carom_vector_larger(double a, double b)
{
    return b > a ? b : a;
}

/// Does the work for i = 0 ... n-1, in an order that does not matter. Short vectors are most vectors of a step: the last entries come
/// without a loop, i being a constant there.
#define CAROM_EACH_SHORT(i, n, work) CAROM_EACH_SHORT_BUT(i, n, , work)
/// The same, but something else where n < 0: short vectors do not pay for it.
#define CAROM_EACH_SHORT_BUT(i, n, instead, work)                                                  \
    switch (n) {                                                                                   \
    default:                                                                                       \
        if ((n) < 0) {                                                                             \
            instead;                                                                               \
            break;                                                                                 \
        }                                                                                          \
        for (int i = 10, last_ = (n); i < last_; i++) work;                                        \
        CAROM_SHORT_CASE(i, 10, work)                                                              \
        CAROM_SHORT_CASE(i, 9, work)                                                               \
        CAROM_SHORT_CASE(i, 8, work)                                                               \
        CAROM_SHORT_CASE(i, 7, work)                                                               \
        CAROM_SHORT_CASE(i, 6, work)                                                               \
        CAROM_SHORT_CASE(i, 5, work)                                                               \
        CAROM_SHORT_CASE(i, 4, work)                                                               \
        CAROM_SHORT_CASE(i, 3, work)                                                               \
        CAROM_SHORT_CASE(i, 2, work)                                                               \
        CAROM_SHORT_CASE(i, 1, work)                                                               \
    case 0:                                                                                        \
        break;                                                                                     \
    }
#define CAROM_SHORT_CASE(i, last, work)                                                            \
    __attribute__((fallthrough));                                                                  \
    case last: {                                                                                   \
        enum { i = (last)-1 };                                                                     \
        work;                                                                                      \
    }

/// Whether all are finite. So is their sum, if it does not overflow.
static inline bool carom_vector_is_finite(const double *x, int n)
{
    double sum = 0;
    if (n > CAROM_LONG)
        sum = carom_vector_long_sum(x, n);
    else
        CAROM_EACH_SHORT(i, n, sum += x[i])
    if (sum - sum == 0) return true;
    for (int i = 0; i < n; i++)
        if (!isfinite(x[i])) return false;
    return true;
}

/// out = x + h y; out may be x.
static inline void carom_vector_move(int n, const double *x, double h, const double *y, double *out)
{
    CAROM_EACH_SHORT(i, n, out[i] = x[i] + h * y[i])
}

/// Whether all are 0 (+0 or -0).
static inline bool carom_vector_is_zero(int n, const double *x)
{
    double sum = 0;
    if (n > CAROM_LONG) return carom_vector_long_sum(x, n) == 0;
    CAROM_EACH_SHORT(i, n, sum += fabs(x[i]))
    return sum == 0;
}

static inline uint64_t carom_vector_bits(const double *x)
{
    uint64_t bits;
    memcpy(&bits, x, sizeof bits);
    return bits;
}

/// Whether two vectors are the same bit for bit: -0 is not 0, and what is not a number is itself.
/// Those that differ mostly do so at once.
static inline bool carom_vector_is_same(int n, const double *x, const double *y)
{
    if (n > CAROM_LONG) return memcmp(x, y, sizeof(double) * (size_t)n) == 0;
    CAROM_EACH_SHORT(i, n, if (carom_vector_bits(x + i) != carom_vector_bits(y + i)) return false)
    return true;
}

static inline void carom_vector_copy(int n, const double *x, double *out)
{
    CAROM_EACH_SHORT(i, n, out[i] = x[i])
}

static inline void carom_vector_clear(int n, double *out)
{
    CAROM_EACH_SHORT(i, n, out[i] = 0)
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
