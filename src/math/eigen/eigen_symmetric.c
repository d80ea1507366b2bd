// SPDX-License-Identifier: Apache-2.0
// Eigenvalues of a symmetric matrix: Householder's reflections make it tridiagonal, then implicit
// QL steps with Wilkinson's shift make it diagonal, one eigenvalue after the other.
//
//     Q' A Q = T,    T - s I = Q_k L_k,    T := L_k Q_k + s I      s near the last eigenvalue
//
// G. H. Golub, C. F. Van Loan, Matrix Computations, sections 8.3.1 and 8.3.5.
#include "math/eigen/eigen.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_STEPS = 60 }; // of one eigenvalue

typedef struct tridiagonal {
    int n;
    double *a;              // (n x n): at last the rows are eigenvectors
    double *diagonal, *off; // (n): off[i] couples i and i + 1
    double *reflector, *x;  // (n)
} tridiagonal;

static double *row(const tridiagonal *t, int i)
{
    return t->a + (size_t)i * (size_t)t->n;
}

// v and 2/(v'v) of the reflection that leaves the first of column k below the diagonal alone
static double make_reflector(tridiagonal *t, int k)
{
    double size = 0, tail = 0;
    for (int i = k + 1; i < t->n; i++) size = fmax(size, fabs(row(t, i)[k]));
    t->off[k] = size > 0 ? row(t, k + 1)[k] : 0;
    if (!(size > 0)) return 0;
    for (int i = k + 1; i < t->n; i++) t->reflector[i] = row(t, i)[k] / size;
    for (int i = k + 2; i < t->n; i++) tail += t->reflector[i] * t->reflector[i];
    const double first = t->reflector[k + 1];
    const double length = first > 0 ? -sqrt(first * first + tail) : sqrt(first * first + tail);
    if (tail == 0) return 0; // nothing below it
    t->off[k] = size * length;
    t->reflector[k + 1] -= length;
    return 2 / (tail + t->reflector[k + 1] * t->reflector[k + 1]);
}

// A := H A H for the block behind k, of which the lower triangle counts
static void reflect_both(tridiagonal *t, int k, double beta)
{
    const double *v = t->reflector;
    double along = 0;
    for (int i = k + 1; i < t->n; i++) {
        double sum = 0;
        for (int j = k + 1; j < t->n; j++) sum += (j <= i ? row(t, i)[j] : row(t, j)[i]) * v[j];
        t->x[i] = beta * sum;
        along += t->x[i] * v[i];
    }
    for (int i = k + 1; i < t->n; i++) t->x[i] -= 0.5 * beta * along * v[i];
    for (int i = k + 1; i < t->n; i++)
        for (int j = k + 1; j <= i; j++) row(t, i)[j] -= v[i] * t->x[j] + t->x[i] * v[j];
}

// the rows of Q' are kept in q: q := H q
static void reflect_rows(const tridiagonal *t, double *q, int k, double beta)
{
    const size_t n = (size_t)t->n;
    for (int j = 0; j < t->n; j++) t->x[j] = 0;
    for (int i = k + 1; i < t->n; i++)
        for (int j = 0; j < t->n; j++) t->x[j] += t->reflector[i] * q[(size_t)i * n + (size_t)j];
    for (int i = k + 1; i < t->n; i++)
        for (int j = 0; j < t->n; j++)
            q[(size_t)i * n + (size_t)j] -= beta * t->reflector[i] * t->x[j];
}

static bool reduce(tridiagonal *t)
{
    const size_t n = (size_t)t->n;
    double *q = calloc(n * n + 1, sizeof *q);
    if (!q) return false;
    for (size_t i = 0; i < n; i++) q[i * n + i] = 1;
    for (int k = 0; k + 1 < t->n; k++) {
        const double beta = make_reflector(t, k);
        if (beta == 0) continue;
        reflect_both(t, k, beta);
        reflect_rows(t, q, k, beta);
    }
    for (int i = 0; i < t->n; i++) t->diagonal[i] = row(t, i)[i];
    if (t->n > 0) t->off[t->n - 1] = 0;
    memcpy(t->a, q, n * n * sizeof *q);
    free(q);
    return true;
}

// the last of the block that begins at l
static int block_end(const tridiagonal *t, int l)
{
    int m = l;
    while (m + 1 < t->n &&
           fabs(t->off[m]) > DBL_EPSILON * (fabs(t->diagonal[m]) + fabs(t->diagonal[m + 1])))
        m++;
    return m;
}

// one QL step of the block l .. m, with its rotations of the rows of a
static void step(tridiagonal *t, int l, int m)
{
    double *d = t->diagonal, *e = t->off;
    double g = (d[l + 1] - d[l]) / (2 * e[l]);
    g = d[m] - d[l] + e[l] / (g + (g < 0 ? -1 : 1) * hypot(g, 1));
    double s = 1, c = 1, p = 0;
    for (int i = m - 1; i >= l; i--) {
        double f = s * e[i];
        const double b = c * e[i], r = hypot(f, g);
        e[i + 1] = r;
        if (r == 0) { // the block falls apart here
            d[i + 1] -= p;
            e[m] = 0;
            return;
        }
        s = f / r;
        c = g / r;
        g = d[i + 1] - p;
        const double turned = (d[i] - g) * s + 2 * c * b;
        p = s * turned;
        d[i + 1] = g + p;
        g = c * turned - b;
        double *x = row(t, i), *y = row(t, i + 1);
        for (int k = 0; k < t->n; k++) {
            f = y[k];
            y[k] = s * x[k] + c * f;
            x[k] = c * x[k] - s * f;
        }
    }
    d[l] -= p;
    e[l] = g;
    e[m] = 0;
}

static bool diagonalise(tridiagonal *t)
{
    for (int l = 0; l < t->n; l++)
        for (int steps = 0, m; (m = block_end(t, l)) != l; steps++) {
            if (steps == MOST_STEPS) return false;
            step(t, l, m);
        }
    return true;
}

static void sort(tridiagonal *t)
{
    for (int i = 0; i + 1 < t->n; i++) {
        int least = i;
        for (int j = i + 1; j < t->n; j++)
            if (t->diagonal[j] < t->diagonal[least]) least = j;
        if (least == i) continue;
        const double kept = t->diagonal[i];
        t->diagonal[i] = t->diagonal[least];
        t->diagonal[least] = kept;
        for (int k = 0; k < t->n; k++) {
            const double other = row(t, i)[k];
            row(t, i)[k] = row(t, least)[k];
            row(t, least)[k] = other;
        }
    }
}

bool carom_eigen_symmetric(int n, double *a, double *value)
{
    for (size_t i = 0; i < (size_t)n * (size_t)n; i++)
        if (!isfinite(a[i])) return false;
    double *memory = calloc(3 * (size_t)n + 1, sizeof *memory);
    if (!memory) return false;
    tridiagonal t = {n, a, value, memory, memory + n, memory + 2 * n};
    const bool is_good = reduce(&t) && diagonalise(&t);
    if (is_good) sort(&t);
    free(memory);
    return is_good;
}
