// SPDX-License-Identifier: Apache-2.0
// The shortest of all answers of a system whose last m unknowns are free:
//
//     all answers are x = (x1 - N y, y),  the shortest has (I + N'N) y = N'x1
#ifndef CAROM_MATH_SHORTEST_H
#define CAROM_MATH_SHORTEST_H

#include <math.h>

/// N: rank rows, m columns that are n entries apart.
typedef struct carom_free_columns {
    int rank, m, n;
    const double *N;
} carom_free_columns;

/// C (m*m) = Cholesky factor of I + N'N.
static inline void carom_shortest_factor(const carom_free_columns *it, double *C)
{
    const int m = it->m;
    for (int j = 0; j < m; j++)
        for (int i = j; i < m; i++) {
            double sum = i == j;
            for (int k = 0; k < it->rank; k++) sum += it->N[i * it->n + k] * it->N[j * it->n + k];
            for (int k = 0; k < j; k++) sum -= C[k * m + i] * C[k * m + j];
            C[j * m + i] = i == j ? sqrt(sum) : sum / C[j * m + j];
        }
}

/// y (m) := (I + N'N)^-1 (N'x1 + y).
static inline void carom_shortest_part(const carom_free_columns *it, const double *C,
                                       const double *x, double *y)
{
    const int m = it->m;
    for (int i = 0; i < m; i++) {
        double sum = y[i];
        for (int k = 0; k < it->rank; k++) sum += it->N[i * it->n + k] * x[k];
        for (int k = 0; k < i; k++) sum -= C[k * m + i] * y[k];
        y[i] = sum / C[i * m + i];
    }
    for (int i = m - 1; i >= 0; i--) {
        for (int k = i + 1; k < m; k++) y[i] -= C[i * m + k] * y[k];
        y[i] /= C[i * m + i];
    }
}

/// x1 := x1 - N y.
static inline void carom_shortest_take(const carom_free_columns *it, const double *y, double *x)
{
    for (int i = 0; i < it->m; i++)
        for (int k = 0; k < it->rank; k++) x[k] -= it->N[i * it->n + k] * y[i];
}

/// x (rank + m): its first entries are x1; makes it the shortest answer.
static inline void carom_shortest_make(const carom_free_columns *it, const double *C, double *x)
{
    double *y = x + it->rank;
    for (int i = 0; i < it->m; i++) y[i] = 0;
    carom_shortest_part(it, C, x, y);
    carom_shortest_take(it, y, x);
}

#endif
