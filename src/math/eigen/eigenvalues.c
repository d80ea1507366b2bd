// SPDX-License-Identifier: Apache-2.0
// Eigenvalues in the order of their size, and one eigenvector by inverse iteration.
#include "math/eigen/eigenvalues.h"

#include "math/dense.h"
#include "math/eigen/eigen.h"

#include <float.h>
#include <math.h>
#include <string.h>

static void sort(int n, double *real, double *imaginary)
{
    for (int i = 1; i < n; i++) {
        const double re = real[i], im = imaginary[i], size = hypot(re, im);
        int j = i;
        // members of a pair have the same modulus and keep their order
        for (; j > 0 && hypot(real[j - 1], imaginary[j - 1]) < size; j--) {
            real[j] = real[j - 1];
            imaginary[j] = imaginary[j - 1];
        }
        real[j] = re;
        imaginary[j] = im;
    }
}

bool carom_eigenvalues(int n, double *A, double *real, double *imaginary)
{
    // the transpose, by rows, has the same ones
    if (!carom_eigen_general(n, A, real, imaginary, NULL)) return false;
    sort(n, real, imaginary);
    return true;
}

void carom_eigenvector(int n, const double *A, double value, double *v, double *work, int *pivot)
{
    double size = 0;
    for (long i = 0; i < (long)n * n; i++) size = fmax(size, fabs(A[i]));
    // a little beside the eigenvalue: the system is solvable, and its solution is the vector
    const double shift = value + 1e-10 * fmax(size, DBL_MIN);
    for (int i = 0; i < n; i++) v[i] = 1 + 0.1 * (i % 7);
    for (int pass = 0; pass < 4; pass++) {
        memcpy(work, A, sizeof *A * (size_t)n * (size_t)n);
        for (int i = 0; i < n; i++) work[(long)i * n + i] -= shift;
        double norm = 0, most = 0;
        if (!carom_dense_lu(n, work, 1, v, pivot)) return;
        for (int i = 0; i < n; i++) most = fabs(v[i]) > fabs(most) ? v[i] : most;
        for (int i = 0; i < n; i++) v[i] /= most;
        for (int i = 0; i < n; i++) norm += v[i] * v[i];
        for (int i = 0; i < n; i++) v[i] /= sqrt(norm);
    }
}
