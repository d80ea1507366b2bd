// SPDX-License-Identifier: Apache-2.0
// The contact law on the active set by enumeration: each contact open, stick, or slip to either
// side. Rows of the rates and directions of the impulses may differ (tdg_velocity).
#ifndef HAND_LAW_H
#define HAND_LAW_H

#include "mechanism.h"

// Gauss with row pivots; 0 where the matrix is singular to rounding
static inline int solve(int n, double A[MAX_ROW][MAX_ROW + 1], double x[MAX_ROW])
{
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k + 1; i < n; i++)
            if (fabs(A[i][k]) > fabs(A[best][k])) best = i;
        if (fabs(A[best][k]) < 1e-9) return 0;
        for (int j = k; j <= n; j++) {
            const double keep = A[k][j];
            A[k][j] = A[best][j], A[best][j] = keep;
        }
        for (int i = k + 1; i < n; i++) {
            const double factor = A[i][k] / A[k][k];
            for (int j = k; j <= n; j++) A[i][j] -= factor * A[k][j];
        }
    }
    for (int i = n - 1; i >= 0; i--) {
        x[i] = A[i][n];
        for (int j = i + 1; j < n; j++) x[i] -= A[i][j] * x[j];
        x[i] /= A[i][i];
    }
    return 1;
}

// The impulses for one choice of states (2 bits for each contact); direction of each unknown is N
// -+ mu T or T.
static inline int solve_pattern(const contacts *c, const run *r, const double u[3],
                                unsigned pattern, double P[MAX_ROW])
{
    double push[MAX_ROW][3], row[MAX_ROW][3], A[MAX_ROW][MAX_ROW + 1], x[MAX_ROW];
    double b_row[MAX_ROW];
    int n = 0, owner[MAX_ROW], is_tangent[MAX_ROW];
    for (int k = 0; k < c->n; k++) {
        const unsigned state = pattern >> (2 * k) & 3;
        const double side = state == SLIP_PLUS ? -r->mu : state == SLIP_MINUS ? r->mu : 0;
        if (state == OPEN) continue;
        for (int i = 0; i < 3; i++) push[n][i] = c->MN[k][i] + side * c->MT[k][i];
        memcpy(row[n], c->N[k], sizeof row[n]);
        b_row[n] = dot(c->N[k], u) + r->e * c->rate_N[k];
        owner[n] = k, is_tangent[n++] = 0;
        if (state != STICK || r->mu == 0) continue;
        memcpy(push[n], c->MT[k], sizeof push[n]);
        memcpy(row[n], c->T[k], sizeof row[n]);
        b_row[n] = dot(c->T[k], u);
        owner[n] = k, is_tangent[n++] = 1;
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) A[i][j] = dot(row[i], push[j]);
        A[i][n] = -b_row[i];
    }
    if (!solve(n, A, x)) return 0;
    memset(P, 0, MAX_ROW * sizeof *P);
    for (int i = 0; i < n; i++) P[2 * owner[i] + is_tangent[i]] = x[i];
    for (int k = 0; k < c->n; k++) {
        const unsigned state = pattern >> (2 * k) & 3;
        if (state == SLIP_PLUS) P[2 * k + 1] = -r->mu * P[2 * k];
        if (state == SLIP_MINUS) P[2 * k + 1] = r->mu * P[2 * k];
    }
    return 1;
}

static inline void apply(const contacts *c, const double P[MAX_ROW], const double u[3],
                         double out[3])
{
    memcpy(out, u, 3 * sizeof *out);
    for (int k = 0; k < c->n; k++)
        for (int i = 0; i < 3; i++) out[i] += c->MN[k][i] * P[2 * k] + c->MT[k][i] * P[2 * k + 1];
}

// Does this answer obey signs, complementarity and the cone?
static inline int is_lawful(const contacts *c, const run *r, unsigned pattern,
                            const double P[MAX_ROW], const double u[3])
{
    for (int k = 0; k < c->n; k++) {
        const unsigned state = pattern >> (2 * k) & 3;
        const double slip = dot(c->T[k], u), tiny = 1e-12;
        if (P[2 * k] < -1e-14 || dot(c->N[k], u) + r->e * c->rate_N[k] < -tiny) return 0;
        if (r->mu == 0 || state == OPEN) continue;
        if (fabs(P[2 * k + 1]) > r->mu * P[2 * k] + 1e-14) return 0;
        if ((state == SLIP_PLUS && slip < -tiny) || (state == SLIP_MINUS && slip > tiny)) return 0;
    }
    return 1;
}

// Tries the last pattern first, then all.
static inline int solve_contacts(const contacts *c, run *r, double u[3])
{
    const unsigned n_pattern = 1u << (2 * c->n);
    double P[MAX_ROW], after[3];
    for (unsigned i = 0; i <= n_pattern; i++) {
        const unsigned pattern = i == 0 ? r->guess & (n_pattern - 1) : n_pattern - i;
        int is_skipped = 0;
        for (int k = 0; k < c->n; k++) is_skipped |= r->mu == 0 && (pattern >> (2 * k) & 3) > STICK;
        if (is_skipped || !solve_pattern(c, r, u, pattern, P)) continue;
        apply(c, P, u, after);
        if (!is_lawful(c, r, pattern, P, after)) continue;
        r->guess = pattern;
        memcpy(u, after, sizeof after);
        for (int k = 0; k < c->n; k++) r->P[c->corner[k]] = P[2 * k];
        return 1;
    }
    return 0;
}

static inline void add_contact(contacts *c, const place *rows_at, int corner)
{
    const int k = c->n++;
    c->corner[k] = corner;
    find_rows(rows_at, corner, c->N[k], c->T[k]);
    solve_mass(rows_at, c->N[k], c->MN[k]);
    solve_mass(rows_at, c->T[k], c->MT[k]);
}

#endif
