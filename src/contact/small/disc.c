// SPDX-License-Identifier: Apache-2.0
// One disc alone, solved exactly: xi = G P + q.
//
//     stick  G P = -q             if |P| <= radius
//     slip   (G + a) P = -q       xi = -a P,  a >= 0 such that |P| = radius
//
// In one dimension that is a clamped number. Else a is a root of 1/radius - 1/|P(a)|, which is
// nearly linear in a, found by false position between 0 and an a that is surely too large. (A step
// in a trust region is the same problem.)
//
// J. J. Moré, D. C. Sorensen, Computing a trust region step, 1983.
#include "contact/small/disc.h"

#include "math/cone.h"

#include <math.h>
#include <stdbool.h>

typedef struct slip {
    int dim;
    const double *G, *q;
    double radius;
} slip;

static void swap_rows(int dim, double A[3][4], int k, int other)
{
    for (int j = k; j <= dim; j++) {
        const double kept = A[k][j];
        A[k][j] = A[other][j];
        A[other][j] = kept;
    }
}

// P with (G + a) P = -q; false where that is singular
static bool solve_shifted(const slip *s, double a, double *P)
{
    const int dim = s->dim;
    double A[3][4] = {{0}};
    for (int i = 0; i < dim; i++) {
        for (int j = 0; j < dim; j++) A[i][j] = s->G[j * dim + i] + (i == j ? a : 0);
        A[i][dim] = -s->q[i];
    }
    for (int k = 0; k < dim; k++) {
        int best = k;
        for (int i = k + 1; i < dim; i++)
            if (fabs(A[i][k]) > fabs(A[best][k])) best = i;
        if (!(fabs(A[best][k]) > 0)) return false;
        if (best != k) swap_rows(dim, A, k, best);
        for (int i = k + 1; i < dim; i++) {
            const double factor = A[i][k] / A[k][k];
            for (int j = k + 1; j <= dim; j++) A[i][j] -= factor * A[k][j];
        }
    }
    for (int k = dim - 1; k >= 0; k--) {
        double x = A[k][dim];
        for (int j = k + 1; j < dim; j++) x -= A[k][j] * P[j];
        P[k] = x / A[k][k];
    }
    return isfinite(carom_cone_length(dim, P));
}

// P(a), and how much too long it is: 1/radius - 1/|P|
static double excess_at(const slip *s, double a, double *P)
{
    if (!solve_shifted(s, a, P)) return 1 / s->radius;
    return 1 / s->radius - 1 / carom_cone_length(s->dim, P);
}

// between 0, where P is too long, and high, where it is too short
static void find_slip(const slip *s, double at_low, double high, double *P)
{
    double low = 0, at_high = excess_at(s, high, P);
    for (int i = 0; i < 100 && high - low > 2e-16 * high; i++) {
        double a = low + (high - low) * (at_low / (at_low - at_high));
        if (i % 4 == 3 || !(a > low && a < high)) a = 0.5 * (low + high);
        const double excess = excess_at(s, a, P);
        if (excess == 0) return;
        if (excess > 0) {
            low = a;
            at_low = excess;
            at_high *= 0.5;
        } else {
            high = a;
            at_high = excess;
            at_low *= 0.5;
        }
    }
    excess_at(s, high, P);
}

static double clamp_row(double G, double q, double radius)
{
    const double P = G > 0 ? -q / G : q > 0 ? -radius : q < 0 ? radius : 0;
    return P > radius ? radius : P < -radius ? -radius : P;
}

void carom_disc_solve(int dim, const double *G, const double *q, double radius, double *P)
{
    const slip s = {dim, G, q, radius};
    const double push = carom_cone_length(dim, q);
    double size = 0;
    for (int i = 0; i < dim * dim; i++) size += fabs(G[i]);
    if (!(radius > 0) || !(push > 0)) {
        for (int i = 0; i < dim; i++) P[i] = 0;
        return;
    }
    if (dim == 1) {
        P[0] = clamp_row(G[0], q[0], radius);
        return;
    }
    const double excess = excess_at(&s, 0, P);
    if (!(excess > 0)) return;
    find_slip(&s, excess, push / radius + size, P);
    carom_cone_disc(radius, dim, P);
}
