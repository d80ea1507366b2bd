// SPDX-License-Identifier: Apache-2.0
// The unified Gear-Gupta-Leimkuhler step with end-point rows, by hand for the slider-crank without
// friction. Unknowns q+, u+, P, psi; m: means of both ends; q_e = q + h/2 u.
//
//     q+ - q - h u_m - W_m' psi = 0,     M(q_e) (u+ - u) - h f(q_m, u_m) - W_m' P = 0
//     0 <= P _|_ gamma(q+, u+) + e gamma(q, u) >= 0,     0 <= psi _|_ g(q+) >= 0
//
// Newton's method with prox rows to 1e-12; a contact that would be left open to penetration joins.
#ifndef HAND_GGL_UNIFIED_H
#define HAND_GGL_UNIFIED_H

#include "mechanism.h"

enum { GGL_SIZE = 6 + 2 * 4 };

// what one Newton pass knows: the ends, the multipliers and the contacts by corner
typedef struct ggl {
    int n, corner[4];
    double q[3], u[3], P[4], psi[4];
    double rate_minus[4]; // e gamma(q, u)
    place before, start, middle, end;
} ggl;

// Gauss with row pivots, in place; x holds the right side, then the answer
static inline int ggl_solve(int n, double A[GGL_SIZE][GGL_SIZE], double *x)
{
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k + 1; i < n; i++)
            if (fabs(A[i][k]) > fabs(A[best][k])) best = i;
        if (A[best][k] == 0) return 0;
        if (best != k) {
            for (int j = k; j < n; j++) {
                const double keep = A[k][j];
                A[k][j] = A[best][j], A[best][j] = keep;
            }
            const double keep = x[k];
            x[k] = x[best], x[best] = keep;
        }
        for (int i = k + 1; i < n; i++) {
            if (A[i][k] == 0) continue;
            const double factor = A[i][k] / A[k][k];
            for (int j = k + 1; j < n; j++) A[i][j] -= factor * A[k][j];
            x[i] -= factor * x[k];
        }
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int j = i + 1; j < n; j++) x[i] -= A[i][j] * x[j];
        x[i] /= A[i][i];
    }
    return 1;
}

// normal row of a corner and how it turns: d N_i / d q_i (each entry depends on its own angle)
static inline void ggl_row(const place *p, int corner, double N[3], double turn[3])
{
    const double up = corner < 2 ? 1 : -1, right = (corner & 1) ? 1 : -1;
    N[0] = -up * l1 * p->c1, turn[0] = up * l1 * p->s1;
    N[1] = -up * l2 * p->c2, turn[1] = up * l2 * p->s2;
    N[2] = -up * right * a * p->c3 + b * p->s3;
    turn[2] = up * right * a * p->s3 + b * p->c3;
}

// h f and its derivatives at the middle; only the angles of crank and rod count
static inline void ggl_forces(const place *p, const double u[3], double h, double f[3],
                              double fq[2][2], double fu[2][2])
{
    const double k = l1 * l2 * (m2 / 2 + m3), s = p->s1 * p->c2 - p->c1 * p->s2,
                 c = p->c1 * p->c2 + p->s1 * p->s2;
    const double g1 = gravity * l1 * (m1 / 2 + m2 + m3), g2 = gravity * l2 * (m2 / 2 + m3);
    const double a1 = k * u[1] * u[1], a2 = k * u[0] * u[0];
    f[0] = h * (-a1 * s - g1 * p->c1);
    f[1] = h * (a2 * s - g2 * p->c2);
    f[2] = 0;
    fq[0][0] = h * (-a1 * c + g1 * p->s1), fq[0][1] = h * a1 * c;
    fq[1][0] = h * a2 * c, fq[1][1] = h * (-a2 * c + g2 * p->s2);
    fu[0][0] = 0, fu[0][1] = -2 * h * k * s * u[1];
    fu[1][0] = 2 * h * k * s * u[0], fu[1][1] = 0;
}

// residual and derivative of the two vector equations without multipliers
static inline void ggl_fill_motion(const ggl *g, const run *r, double A[GGL_SIZE][GGL_SIZE],
                                   double *x)
{
    const double h = r->h;
    double um[3], f[3], fq[2][2], fu[2][2];
    for (int i = 0; i < 3; i++) um[i] = 0.5 * (r->u[i] + g->u[i]);
    ggl_forces(&g->middle, um, h, f, fq, fu);
    const double du[3] = {g->u[0] - r->u[0], g->u[1] - r->u[1], g->u[2] - r->u[2]};
    const place *e = &g->start;
    x[3] = e->A * du[0] + e->C * du[1] - f[0];
    x[4] = e->C * du[0] + e->B * du[1] - f[1];
    x[5] = J3 * du[2] - f[2];
    for (int i = 0; i < 3; i++) {
        x[i] = g->q[i] - r->q[i] - h * um[i];
        A[i][i] = 1;
        A[i][3 + i] = -0.5 * h;
    }
    A[3][3] = e->A, A[3][4] = e->C, A[4][3] = e->C, A[4][4] = e->B, A[5][5] = J3;
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++) {
            A[3 + i][j] -= 0.5 * fq[i][j];
            A[3 + i][3 + j] -= 0.5 * fu[i][j];
        }
}

// multipliers in the motion, and the law of one contact
static inline void ggl_fill_contact(const ggl *g, int k, const double gap[4],
                                    double A[GGL_SIZE][GGL_SIZE], double *x)
{
    const int row = 6 + k, at = 6 + g->n + k;
    double N[3], turn[3], MN[3];
    ggl_row(&g->middle, g->corner[k], N, turn);
    solve_mass(&g->start, N, MN);
    const double r_P = 1 / dot(N, MN), r_psi = 1 / dot(N, N);
    for (int i = 0; i < 3; i++) {
        x[i] -= N[i] * g->psi[k];
        x[3 + i] -= N[i] * g->P[k];
        A[i][i] -= 0.5 * turn[i] * g->psi[k];
        A[3 + i][i] -= 0.5 * turn[i] * g->P[k];
        A[i][at] = A[3 + i][row] = -N[i];
    }
    ggl_row(&g->end, g->corner[k], N, turn);
    const double rate = dot(N, g->u) + g->rate_minus[k], open = gap[g->corner[k]];
    if (g->P[k] - r_P * rate > 0) {
        x[row] = rate;
        for (int i = 0; i < 3; i++) A[row][i] = turn[i] * g->u[i], A[row][3 + i] = N[i];
    } else {
        x[row] = g->P[k], A[row][row] = 1;
    }
    if (g->psi[k] - r_psi * open > 0) {
        x[at] = open;
        for (int i = 0; i < 3; i++) A[at][i] = N[i];
    } else {
        x[at] = g->psi[k], A[at][at] = 1;
    }
}

static inline double ggl_advance(ggl *g, const double *x)
{
    double change = 0;
    for (int i = 0; i < 3; i++) {
        g->q[i] -= x[i];
        g->u[i] -= x[3 + i];
        change = fmax(change, fmax(fabs(x[i]), fabs(x[3 + i]) / 100));
    }
    for (int k = 0; k < g->n; k++) {
        g->P[k] -= x[6 + k];
        g->psi[k] -= x[6 + g->n + k];
    }
    return change;
}

// Newton's method on the present contacts; leaves the gaps at the end
static inline int ggl_newton(ggl *g, const run *r, double gap[4])
{
    double x[GGL_SIZE], A[GGL_SIZE][GGL_SIZE], middle[3], change = 1;
    for (int pass = 0; pass < 50 && change > 1e-12; pass++) {
        const int n = 6 + 2 * g->n;
        for (int i = 0; i < 3; i++) middle[i] = 0.5 * (r->q[i] + g->q[i]);
        locate(middle, &g->middle);
        for (int i = 0; i < n; i++) memset(A[i], 0, (size_t)n * sizeof *A[i]);
        ggl_fill_motion(g, r, A, x);
        if (g->n > 0) {
            locate(g->q, &g->end);
            find_gaps(&g->end, gap);
        }
        for (int k = 0; k < g->n; k++) ggl_fill_contact(g, k, gap, A, x);
        if (!ggl_solve(n, A, x)) return 0;
        change = ggl_advance(g, x);
    }
    locate(g->q, &g->end);
    find_gaps(&g->end, gap);
    return change <= 1e-12;
}

static inline void ggl_add(ggl *g, const run *r, int corner)
{
    double N[3], turn[3];
    ggl_row(&g->before, corner, N, turn);
    g->rate_minus[g->n] = r->e * dot(N, r->u);
    g->P[g->n] = g->psi[g->n] = 0;
    g->corner[g->n++] = corner;
}

static inline int step_ggl(run *r)
{
    double gap[4], early[3];
    ggl g = {.n = 0, .before = r->at};
    for (int i = 0; i < 3; i++) {
        early[i] = r->q[i] + 0.5 * r->h * r->u[i];
        g.q[i] = r->q[i] + r->h * r->u[i];
        g.u[i] = r->u[i];
    }
    locate(early, &g.start);
    find_gaps(&g.start, gap);
    for (int k = 0; k < 4; k++)
        if (gap[k] <= 0) ggl_add(&g, r, k);
    for (int is_again = 1; is_again;) {
        if (!ggl_newton(&g, r, gap)) return 0;
        unsigned known = 0;
        for (int k = 0; k < g.n; k++) known |= 1u << g.corner[k];
        is_again = 0;
        for (int k = 0; k < 4; k++) {
            if (known >> k & 1 || !(gap[k] < 0)) continue;
            ggl_add(&g, r, k);
            is_again = 1;
        }
    }
    memcpy(r->q, g.q, sizeof g.q);
    memcpy(r->u, g.u, sizeof g.u);
    r->at = g.end;
    for (int k = 0; k < g.n; k++) r->P[g.corner[k]] = g.P[k];
    return 1;
}

#endif
