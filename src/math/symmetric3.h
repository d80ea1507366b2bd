// SPDX-License-Identifier: Apache-2.0
// Eigenvalues of a symmetric matrix of three rows by Jacobi's method: each turn makes one entry
// beside the diagonal zero. Entries xx, yy, zz, xy, xz, yz.
#ifndef CAROM_MATH_SYMMETRIC3_H
#define CAROM_MATH_SYMMETRIC3_H

#include <math.h>

/// value (3), increasing.
static inline void carom_symmetric3_eigenvalues(const double *S, double *value)
{
    double A[3][3] = {{S[0], S[3], S[4]}, {S[3], S[1], S[5]}, {S[4], S[5], S[2]}};
    for (int sweep = 0; sweep < 30; sweep++)
        for (int p = 0; p < 2; p++)
            for (int q = p + 1; q < 3; q++) {
                if (A[p][q] == 0) continue;
                const int r = 3 - p - q;
                const double theta = (A[q][q] - A[p][p]) / (2 * A[p][q]);
                const double t = copysign(1, theta) / (fabs(theta) + hypot(1, theta));
                const double c = 1 / hypot(1, t), s = t * c, rp = A[r][p], rq = A[r][q];
                A[p][p] -= t * A[p][q];
                A[q][q] += t * A[p][q];
                A[p][q] = A[q][p] = 0;
                A[r][p] = A[p][r] = c * rp - s * rq;
                A[r][q] = A[q][r] = s * rp + c * rq;
            }
    for (int i = 0; i < 3; i++) value[i] = A[i][i];
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 2 - i; k++)
            if (value[k] > value[k + 1]) {
                const double larger = value[k];
                value[k] = value[k + 1];
                value[k + 1] = larger;
            }
}

#endif
