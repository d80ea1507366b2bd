// SPDX-License-Identifier: Apache-2.0
// One contact alone, solved exactly: xi = G P + q.
//
//     open   q_N >= 0          P = 0
//     stick  G P = -q          if |P_T| <= mu P_N
//     slip   P_T = mu P_N t    P_N = -q_N / (G_NN + mu G_NT t),  xi_T = -a t,  a >= 0,  |t| = 1
//
// In the plane t is 1 or -1. In space it is a root on the unit circle, found by false position, of
//
//     f = (G_NN + mu G_NT t) (q_T x t) - q_N ((G_TN + mu G_TT t) x t)
#include "contact/small/local.h"

#include <math.h>

static const double ROUNDING = 1e-13;
enum { N_ANGLE = 48, N_FINE = 1536 }; // roots closer than the coarse circle are rare

static bool solve_normal(const double *G, const double *q, double *P)
{
    if (!(G[0] > 0)) return false;
    P[0] = -q[0] / G[0];
    return true;
}

static bool stick_plane(const double *G, const double *q, double mu, double *P)
{
    const double across = G[2] * G[1], det = G[0] * G[3] - across;
    if (!(fabs(det) > ROUNDING * (fabs(G[0] * G[3]) + fabs(across)))) return false;
    const double N = (G[2] * q[1] - G[3] * q[0]) / det, T = (G[1] * q[0] - G[0] * q[1]) / det;
    if (!(N >= 0) || !(fabs(T) <= mu * N)) return false;
    P[0] = N;
    P[1] = T;
    return true;
}

static bool slip_plane(const double *G, const double *q, double mu, double sign, double *P)
{
    const double pushed = G[0] + sign * mu * G[2];
    if (!(pushed > ROUNDING * (fabs(G[0]) + mu * fabs(G[2])))) return false;
    const double N = -q[0] / pushed, T = sign * mu * N;
    const double size = fabs(G[1] * N) + fabs(G[3] * T) + fabs(q[1]);
    if (!(sign * (G[1] * N + G[3] * T + q[1]) <= ROUNDING * size)) return false;
    P[0] = N;
    P[1] = T;
    return true;
}

static double det3(const double *a, const double *b, const double *c)
{
    return a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) +
           a[2] * (b[0] * c[1] - b[1] * c[0]);
}

static bool stick_space(const double *G, const double *q, double mu, double *P)
{
    const double det = det3(G, G + 3, G + 6);
    const double size =
        fabs(G[0] * G[4] * G[8]) + fabs(G[3] * G[7] * G[2]) + fabs(G[6] * G[1] * G[5]);
    if (!(fabs(det) > ROUNDING * size)) return false;
    const double N = -det3(q, G + 3, G + 6) / det;
    const double T1 = -det3(G, q, G + 6) / det, T2 = -det3(G, G + 3, q) / det;
    if (!(N >= 0) || !(sqrt(T1 * T1 + T2 * T2) <= mu * N)) return false;
    P[0] = N;
    P[1] = T1;
    P[2] = T2;
    return true;
}

typedef struct slip {
    const double *G, *q;
    double mu;
} slip;

// f at the direction t = (c, s)
static double slip_condition(const slip *a, double c, double s)
{
    const double *G = a->G, *q = a->q;
    const double x = G[1] + a->mu * (G[4] * c + G[7] * s), y = G[2] + a->mu * (G[5] * c + G[8] * s);
    return (G[0] + a->mu * (G[3] * c + G[6] * s)) * (q[1] * s - q[2] * c) - q[0] * (x * s - y * c);
}

// takes the direction t if it pushes and friction acts against the slip
static bool slip_take(const slip *a, double c, double s, double *P)
{
    const double *G = a->G, *q = a->q;
    const double pushed = G[0] + a->mu * (G[3] * c + G[6] * s);
    if (!(pushed > ROUNDING * (fabs(G[0]) + a->mu * (fabs(G[3]) + fabs(G[6]))))) return false;
    const double N = -q[0] / pushed, T1 = a->mu * N * c, T2 = a->mu * N * s;
    const double x = G[1] * N + G[4] * T1 + G[7] * T2 + q[1],
                 y = G[2] * N + G[5] * T1 + G[8] * T2 + q[2];
    const double size = fabs(q[1]) + fabs(q[2]) + N * (fabs(G[1]) + fabs(G[2])) +
                        (fabs(T1) + fabs(T2)) * (G[4] + G[8]);
    if (!(x * c + y * s <= ROUNDING * size)) return false;
    P[0] = N;
    P[1] = T1;
    P[2] = T2;
    return true;
}

// a root of f between the angles low and high, where f changes sign: Illinois false
// position with bisection
static double slip_root(const slip *a, double low, double high, double at_low, double at_high)
{
    for (int i = 0; i < 60 && high - low > 4e-16 * (1 + fabs(low)); i++) {
        double angle = low + (high - low) * (at_low / (at_low - at_high));
        if (i % 4 == 3 || !(angle > low && angle < high)) angle = 0.5 * (low + high);
        const double f = slip_condition(a, cos(angle), sin(angle));
        if (f == 0) return angle;
        if ((f > 0) == (at_low > 0)) {
            low = angle;
            at_low = f;
            at_high *= 0.5;
        } else {
            high = angle;
            at_high = f;
            at_low *= 0.5;
        }
    }
    return 0.5 * (low + high);
}

// Newton on the angle from the direction of the guess; far from a root the
// bracketing below takes over
static bool slip_near(const slip *a, double *P)
{
    if (P[1] == 0 && P[2] == 0) return false;
    double angle = atan2(P[2], P[1]);
    for (int i = 0; i < 6; i++) {
        const double c = cos(angle), s = sin(angle), d = 1e-6;
        const double f = slip_condition(a, c, s);
        const double slope =
            (slip_condition(a, c - d * s, s + d * c) - slip_condition(a, c + d * s, s - d * c)) /
            (2 * d);
        const double step = -f / slope;
        if (!(fabs(step) < 0.3)) return false;
        angle += step;
        if (fabs(step) < 1e-15) break;
        if (i == 5 && fabs(step) > 1e-13) return false;
    }
    return slip_take(a, cos(angle), sin(angle), P);
}

// looks for roots between neighbours on a circle of n angles
static bool slip_scan(const slip *a, int n, double *P)
{
    const double width = 6.283185307179586 / n;
    double before = slip_condition(a, 1, 0);
    for (int i = 0; i < n; i++) {
        const double high = width * (i + 1), f = slip_condition(a, cos(high), sin(high));
        if (f == 0 && slip_take(a, cos(high), sin(high), P)) return true;
        if ((f > 0) != (before > 0)) {
            const double angle = slip_root(a, width * i, high, before, f);
            if (slip_take(a, cos(angle), sin(angle), P)) return true;
        }
        before = f;
    }
    return false;
}

static bool slip_space(const double *G, const double *q, double mu, double *P)
{
    const slip a = {G, q, mu};
    return slip_near(&a, P) || slip_scan(&a, N_ANGLE, P) || slip_scan(&a, N_FINE, P);
}

bool carom_local_solve(int dim, const double *G, const double *q, double mu, double *P)
{
    if (q[0] >= 0) {
        for (int i = 0; i < dim; i++) P[i] = 0;
        return true;
    }
    if (dim == 1) return solve_normal(G, q, P);
    if (dim == 2)
        return stick_plane(G, q, mu, P) || slip_plane(G, q, mu, 1, P) ||
               slip_plane(G, q, mu, -1, P);
    return stick_space(G, q, mu, P) || slip_space(G, q, mu, P);
}
