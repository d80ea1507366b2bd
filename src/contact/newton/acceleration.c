// SPDX-License-Identifier: Apache-2.0
// Anderson acceleration, type II: with the last differences dX, dF of points and of f,
//
//     g = argmin |f - dF g|^2 + small |g|^2,     x <- x + f - (dX + dF) g
//
// Safeguard: where |f| is more than twice the smallest met since the start of the memory,
// everything is forgotten and the iteration goes on from the plain step at that smallest.
//
// D. G. Anderson, Iterative procedures for nonlinear integral equations, 1965.
// H. F. Walker, P. Ni, Anderson acceleration for fixed-point iterations, 2011.
#include "contact/newton/acceleration.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

static const double SMALL = 1e-10; // against the trace: keeps g bounded where dF is dependent

size_t carom_anderson_work(int n, int memory)
{
    return 2 * (size_t)n * (size_t)memory + 3 * (size_t)n;
}

carom_anderson carom_anderson_cut(int n, int memory, double *work)
{
    const size_t m = (size_t)n, all = m * (size_t)memory;
    carom_anderson a = {.n = n, .memory = memory, .count = -1, .shortest = INFINITY};
    a.dx = work;
    a.df = work + all;
    a.x = work + 2 * all;
    a.f = work + 2 * all + m;
    a.safe = work + 2 * all + 2 * m;
    return a;
}

void carom_anderson_forget(carom_anderson *a)
{
    a->count = -1;
    a->shortest = INFINITY;
}

static double dot(int n, const double *x, const double *y)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += x[i] * y[i];
    return sum;
}

// puts the newest difference into the rings and its row into the Gram matrix
static void store_differences(carom_anderson *a, const double *x, const double *f)
{
    const int at = a->count % a->memory, m = a->count < a->memory ? a->count + 1 : a->memory;
    double *dx = a->dx + (size_t)at * (size_t)a->n, *df = a->df + (size_t)at * (size_t)a->n;
    for (int i = 0; i < a->n; i++) {
        dx[i] = x[i] - a->x[i];
        df[i] = f[i] - a->f[i];
    }
    for (int j = 0; j < m; j++)
        a->gram[at * CAROM_ANDERSON_MOST + j] = a->gram[j * CAROM_ANDERSON_MOST + at] =
            dot(a->n, df, a->df + (size_t)j * (size_t)a->n);
}

// (A + small) g = g by Cholesky; false where A is empty or not positive
static bool solve_gram(const double *gram, int m, double *g)
{
    double L[CAROM_ANDERSON_MOST][CAROM_ANDERSON_MOST], trace = 0;
    if (m < 1) return false;
    for (int i = 0; i < m; i++) trace += gram[i * CAROM_ANDERSON_MOST + i];
    for (int j = 0; j < m; j++)
        for (int i = j; i < m; i++) {
            double sum = gram[i * CAROM_ANDERSON_MOST + j] + (i == j ? SMALL * trace : 0);
            for (int k = 0; k < j; k++) sum -= L[i][k] * L[j][k];
            if (i == j && !(sum > 0)) return false;
            L[i][j] = i == j ? sqrt(sum) : sum / L[j][j];
        }
    for (int i = 0; i < m; i++) {
        for (int k = 0; k < i; k++) g[i] -= L[i][k] * g[k];
        g[i] /= L[i][i];
    }
    for (int i = m - 1; i >= 0; i--) {
        for (int k = i + 1; k < m; k++) g[i] -= L[k][i] * g[k];
        g[i] /= L[i][i];
    }
    return true;
}

void carom_anderson_next(carom_anderson *a, double *x, const double *f)
{
    const size_t n = (size_t)a->n, size = n * sizeof(double);
    const double length = dot(a->n, f, f);
    if (!(length <= 4 * a->shortest)) {
        carom_anderson_forget(a);
        memcpy(x, a->safe, size);
        return;
    }
    if (length < a->shortest) {
        a->shortest = length;
        for (int i = 0; i < a->n; i++) a->safe[i] = x[i] + f[i];
    }
    if (a->count >= 0) store_differences(a, x, f);
    a->count++;
    memcpy(a->x, x, size);
    memcpy(a->f, f, size);
    for (int i = 0; i < a->n; i++) x[i] += f[i];
    const int m = a->count < a->memory ? a->count : a->memory;
    double g[CAROM_ANDERSON_MOST] = {0};
    for (int j = 0; j < m; j++) g[j] = dot(a->n, a->df + (size_t)j * n, f);
    if (!solve_gram(a->gram, m, g)) return;
    for (int j = 0; j < m; j++) {
        const double *dx = a->dx + (size_t)j * n, *df = a->df + (size_t)j * n;
        for (int i = 0; i < a->n; i++) x[i] -= (dx[i] + df[i]) * g[j];
    }
}
