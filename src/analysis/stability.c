// SPDX-License-Identifier: Apache-2.0
// With M = L L', y = L'x and the held rows v = L^-1 w made orthonormal (V) the question is
//
//     A = L^-1 K L^-T,    smallest eigenvalue of  (I - VV') A (I - VV') + big VV'
//
// which Jacobi's rotations answer. Dense, for models of moderate size.
#include "analysis/stability.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_VELOCITIES = 200, MOST_SWEEPS = 60 };
static const double DEPENDENT = 1e-9;

typedef struct square {
    int n, rank;
    double *L, *A, *V, *x; // (n x n) by rows; V: rank rows; (n)
} square;

static double *at(double *matrix, const square *s, int i)
{
    return matrix + (size_t)i * (size_t)s->n;
}

static void add_sparse(const square *s, const carom_sparse *block)
{
    for (int i = 0; i < s->n; i++)
        for (int k = block->start[i]; k < block->start[i + 1]; k++) {
            const int j = block->index[k];
            at(s->A, s, i)[j] -= 0.5 * block->value[k];
            at(s->A, s, j)[i] -= 0.5 * block->value[k];
        }
}

static bool factor_mass(const square *s, const carom_mass *mass)
{
    for (int i = 0; i < s->n; i++)
        for (int j = 0; j <= i; j++) {
            double sum = carom_mass_entry(mass, i, j);
            for (int k = 0; k < j; k++) sum -= at(s->L, s, i)[k] * at(s->L, s, j)[k];
            if (i == j && !(sum > 0)) return false;
            at(s->L, s, i)[j] = i == j ? sqrt(sum) : sum / at(s->L, s, j)[j];
        }
    return true;
}

// x := L^-1 x
static void forward(const square *s, double *x)
{
    for (int i = 0; i < s->n; i++) {
        for (int k = 0; k < i; k++) x[i] -= at(s->L, s, i)[k] * x[k];
        x[i] /= at(s->L, s, i)[i];
    }
}

// A := L^-1 A L^-T: its rows, then, as it is symmetric, its rows again
static void scale_stiffness(const square *s)
{
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < s->n; i++) forward(s, at(s->A, s, i));
        for (int i = 0; i < s->n; i++)
            for (int j = 0; j < i; j++) {
                const double kept = at(s->A, s, i)[j];
                at(s->A, s, i)[j] = at(s->A, s, j)[i];
                at(s->A, s, j)[i] = kept;
            }
    }
}

static double dot(const double *x, const double *y, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += x[i] * y[i];
    return sum;
}

static void hold_row(square *s, const carom_sparse *W, int r)
{
    memset(s->x, 0, sizeof(double) * (size_t)s->n);
    for (int k = W->start[r]; k < W->start[r + 1]; k++) s->x[W->index[k]] += W->value[k];
    forward(s, s->x);
    const double length = sqrt(dot(s->x, s->x, s->n));
    for (int pass = 0; pass < 2; pass++)
        for (int k = 0; k < s->rank; k++) {
            const double part = dot(at(s->V, s, k), s->x, s->n);
            for (int i = 0; i < s->n; i++) s->x[i] -= part * at(s->V, s, k)[i];
        }
    const double left = sqrt(dot(s->x, s->x, s->n));
    if (s->rank == s->n || !(left > DEPENDENT * length)) return;
    for (int i = 0; i < s->n; i++) at(s->V, s, s->rank)[i] = s->x[i] / left;
    s->rank++;
}

// A := (I - vv') A (I - vv') + big vv'
static void hold_direction(const square *s, const double *v, double big)
{
    for (int i = 0; i < s->n; i++) s->x[i] = dot(at(s->A, s, i), v, s->n);
    const double inner = dot(s->x, v, s->n);
    for (int i = 0; i < s->n; i++)
        for (int j = 0; j < s->n; j++)
            at(s->A, s, i)[j] += (inner + big) * v[i] * v[j] - s->x[i] * v[j] - v[i] * s->x[j];
}

static void rotate(const square *s, int p, int q)
{
    const double apq = at(s->A, s, p)[q];
    if (apq == 0) return;
    const double theta = (at(s->A, s, q)[q] - at(s->A, s, p)[p]) / (2 * apq);
    const double t = (theta < 0 ? -1 : 1) / (fabs(theta) + sqrt(theta * theta + 1));
    const double c = 1 / sqrt(t * t + 1), sine = t * c;
    for (int k = 0; k < s->n; k++) {
        const double a = at(s->A, s, k)[p], b = at(s->A, s, k)[q];
        at(s->A, s, k)[p] = c * a - sine * b;
        at(s->A, s, k)[q] = sine * a + c * b;
    }
    for (int k = 0; k < s->n; k++) {
        const double a = at(s->A, s, p)[k], b = at(s->A, s, q)[k];
        at(s->A, s, p)[k] = c * a - sine * b;
        at(s->A, s, q)[k] = sine * a + c * b;
    }
}

static double smallest_eigenvalue(const square *s)
{
    double least = INFINITY, off = INFINITY, all = 0;
    for (int i = 0; i < s->n; i++) all += dot(at(s->A, s, i), at(s->A, s, i), s->n);
    for (int sweep = 0; sweep < MOST_SWEEPS && off > 1e-30 * all; sweep++) {
        for (int p = 0; p < s->n; p++)
            for (int q = p + 1; q < s->n; q++) rotate(s, p, q);
        off = 0;
        for (int p = 0; p < s->n; p++)
            for (int q = p + 1; q < s->n; q++) off += at(s->A, s, p)[q] * at(s->A, s, p)[q];
    }
    for (int i = 0; i < s->n; i++) least = fmin(least, at(s->A, s, i)[i]);
    return least;
}

static double find_softest(square *s, const carom_at_rest *rest, int *n_free)
{
    const carom_eval *ev = rest->ev;
    if (!factor_mass(s, ev->mass)) return NAN;
    add_sparse(s, &ev->derivatives.df_dq);
    add_sparse(s, &ev->derivatives.dWP_dq);
    scale_stiffness(s);
    for (int r = 0; r < ev->rows.W.n_row; r++)
        if (rest->is_held[r]) hold_row(s, &ev->rows.W, r);
    *n_free = s->n - s->rank;
    if (*n_free == 0) return INFINITY;
    double big = 1;
    for (int i = 0; i < s->n; i++)
        for (int j = 0; j < s->n; j++) big = fmax(big, s->n * fabs(at(s->A, s, i)[j]));
    for (int k = 0; k < s->rank; k++) hold_direction(s, at(s->V, s, k), 2 * big);
    return smallest_eigenvalue(s);
}

double carom_stability_softest(const carom_at_rest *rest, int *n_free)
{
    const int n = carom_model_sizes(rest->ev->model).nu;
    const size_t size = (size_t)n * (size_t)n;
    square s = {.n = n};
    double softest = NAN;
    *n_free = -1;
    if (n > MOST_VELOCITIES) return softest;
    s.L = calloc(3 * size + (size_t)n, sizeof(double));
    if (!s.L) return softest;
    s.A = s.L + size;
    s.V = s.A + size;
    s.x = s.V + size;
    softest = find_softest(&s, rest, n_free);
    free(s.L);
    return softest;
}
