// SPDX-License-Identifier: Apache-2.0
// The slider-crank of models/slider-crank.yaml, derived on paper: mass, forces, gaps and rows.
// Schindler et al., INRIA RR-8623, eqs 23-34. Standard library only.
#ifndef HAND_MECHANISM_H
#define HAND_MECHANISM_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double l1 = 0.153, l2 = 0.306, a = 0.05, b = 0.025, d = 2 * (0.025 + 0.001);
static const double m1 = 0.038, m2 = 0.038, m3 = 0.076, J1 = 7.4e-5, J2 = 5.9e-4, J3 = 2.7e-6,
                    gravity = 9.81;

enum { OPEN, STICK, SLIP_PLUS, SLIP_MINUS, MAX_ROW = 8 };

// Sines and cosines of the three angles, and the mass matrix [[A, C, 0], [C, B, 0], [0, 0, J3]]
// with 1/det.
typedef struct place {
    double s1, c1, s2, c2, s3, c3;
    double A, B, C, inverse;
} place;

// Normal and tangential row of each active contact, their M^-1 W, and the rates before.
typedef struct contacts {
    int n, corner[4];
    double N[4][3], T[4][3], MN[4][3], MT[4][3];
    double rate_N[4], rate_T[4];
} contacts;

typedef struct run {
    double q[3], u[3], P[4];
    double e, mu, h, min_gap;
    long steps, impact_steps, contact_steps;
    unsigned guess;
    int was_pushing;
    place at;
} run;

static inline void locate(const double q[3], place *p)
{
    p->s1 = sin(q[0]), p->c1 = cos(q[0]);
    p->s2 = sin(q[1]), p->c2 = cos(q[1]);
    p->s3 = sin(q[2]), p->c3 = cos(q[2]);
    p->A = J1 + l1 * l1 * (m1 / 4 + m2 + m3);
    p->B = J2 + l2 * l2 * (m2 / 4 + m3);
    p->C = l1 * l2 * (m2 / 2 + m3) * (p->c1 * p->c2 + p->s1 * p->s2);
    p->inverse = 1 / (p->A * p->B - p->C * p->C);
}

static inline void solve_mass(const place *p, const double f[3], double x[3])
{
    x[0] = (p->B * f[0] - p->C * f[1]) * p->inverse;
    x[1] = (p->A * f[1] - p->C * f[0]) * p->inverse;
    x[2] = f[2] * (1 / J3);
}

// u + h M^-1 f(q, u): inertia forces and weight
static inline void push_freely(const place *p, const double u[3], double h, double out[3])
{
    const double k = l1 * l2 * (m2 / 2 + m3) * (p->s1 * p->c2 - p->c1 * p->s2);
    const double f[3] = {-k * u[1] * u[1] - gravity * l1 * p->c1 * (m1 / 2 + m2 + m3),
                         k * u[0] * u[0] - gravity * l2 * p->c2 * (m2 / 2 + m3), 0};
    solve_mass(p, f, out);
    for (int i = 0; i < 3; i++) out[i] = u[i] + h * out[i];
}

static inline void find_gaps(const place *p, double gap[4])
{
    const double y = l1 * p->s1 + l2 * p->s2, as = a * p->s3, bc = b * p->c3;
    gap[0] = d / 2 - y + as - bc;
    gap[1] = d / 2 - y - as - bc;
    gap[2] = d / 2 + y - as - bc;
    gap[3] = d / 2 + y + as - bc;
}

// corners: upper left, upper right, lower left, lower right
static inline void find_rows(const place *p, int corner, double N[3], double T[3])
{
    const double up = corner < 2 ? 1 : -1, right = (corner & 1) ? 1 : -1;
    N[0] = -up * l1 * p->c1;
    N[1] = -up * l2 * p->c2;
    N[2] = -up * right * a * p->c3 + b * p->s3;
    T[0] = -l1 * p->s1;
    T[1] = -l2 * p->s2;
    T[2] = -right * a * p->s3 - up * b * p->c3;
}

static inline double dot(const double x[3], const double y[3])
{
    return x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
}

#endif
