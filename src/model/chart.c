// SPDX-License-Identifier: Apache-2.0
// Moves, differences and rates, part by part.
#include "model/chart.h"

#include "base/need.h"
#include "math/rotation.h"

#include <stdlib.h>
#include <string.h>

static int n_position(const carom_chart_part *part)
{
    return part->kind == CAROM_CHART_QUATERNION ? 4 : part->n;
}

static int n_velocity(const carom_chart_part *part)
{
    return part->kind == CAROM_CHART_QUATERNION ? 3 : part->n;
}

static bool has_inertia(const carom_chart_part *part)
{
    return part->kind == CAROM_CHART_QUATERNION && part->inertia[0] > 0 && part->inertia[1] > 0 &&
           part->inertia[2] > 0;
}

bool carom_chart_knows_momenta(const carom_chart *chart)
{
    int n_turning = 0;
    for (int i = 0; i < chart->n_part; i++)
        n_turning += chart->part[i].kind == CAROM_CHART_QUATERNION;
    return !chart->own && n_turning == chart->n_spin;
}

// marks n places from first on; false where they are not there, or taken
static bool mark(unsigned char *is_taken, int room, int first, int n)
{
    if (first < 0 || n < 1 || n > room || first > room - n) return false;
    for (int i = first; i < first + n; i++) {
        if (is_taken[i]) return false;
        is_taken[i] = 1;
    }
    return true;
}

carom_status carom_chart_of_parts(const carom_chart_part *part, int n_part, int nq, int nu,
                                  carom_chart *chart, carom_error *error)
{
    *chart = (carom_chart){.n_part = n_part, .part = part, .nq = nq, .nu = nu};
    unsigned char *is_taken = calloc((size_t)nq + (size_t)nu, 1);
    if (!is_taken) return carom_fail(error, CAROM_NO_MEMORY, "not enough memory for the model");
    int n_q = 0, n_u = 0, wrong = -1;
    for (int i = 0; i < n_part && wrong < 0; i++) {
        const carom_chart_part *it = &part[i];
        if (!mark(is_taken, nq, it->q, n_position(it)) ||
            !mark(is_taken + nq, nu, it->u, n_velocity(it)))
            wrong = i;
        n_q += n_position(it);
        n_u += n_velocity(it);
        chart->n_spin += has_inertia(it);
    }
    free(is_taken);
    if (wrong >= 0)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "part %d (from 1) of the positions has positions or velocities that are "
                          "not there or belong to another part",
                          wrong + 1);
    if (n_q != nq || n_u != nu)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "the parts have %d positions and %d velocities, the model has %d and %d",
                          n_q, n_u, nq, nu);
    return CAROM_OK;
}

void carom_chart_move(const carom_chart *chart, const double *q, const double *u, double h,
                      double *q_out)
{
    if (chart->own) {
        chart->own->move(chart->own->user, q, u, h, q_out);
        return;
    }
    for (const carom_chart_part *it = chart->part; it < chart->part + chart->n_part; it++) {
        if (it->kind == CAROM_CHART_QUATERNION) {
            const double *w = u + it->u, th[3] = {h * w[0], h * w[1], h * w[2]};
            carom_rotation_turn(q + it->q, th, q_out + it->q);
        } else {
            for (int i = 0; i < it->n; i++) q_out[it->q + i] = q[it->q + i] + h * u[it->u + i];
        }
    }
}

void carom_chart_difference(const carom_chart *chart, const double *q_a, const double *q_b,
                            double *x)
{
    if (chart->own) {
        chart->own->difference(chart->own->user, q_a, q_b, x);
        return;
    }
    for (const carom_chart_part *it = chart->part; it < chart->part + chart->n_part; it++) {
        if (it->kind == CAROM_CHART_QUATERNION)
            carom_rotation_between(q_a + it->q, q_b + it->q, x + it->u);
        else
            for (int i = 0; i < it->n; i++) x[it->u + i] = q_b[it->q + i] - q_a[it->q + i];
    }
}

void carom_chart_rates(const carom_chart *chart, const double *q, const double *u, double *q_dot)
{
    if (chart->own) {
        chart->own->rates(chart->own->user, q, u, q_dot);
        return;
    }
    for (const carom_chart_part *it = chart->part; it < chart->part + chart->n_part; it++) {
        if (it->kind == CAROM_CHART_QUATERNION)
            carom_rotation_rate(q + it->q, u + it->u, q_dot + it->q);
        else
            memcpy(q_dot + it->q, u + it->u, sizeof(double) * (size_t)it->n);
    }
}

void carom_chart_normalise(const carom_chart *chart, double *q)
{
    if (chart->own) {
        if (chart->own->normalise) chart->own->normalise(chart->own->user, q);
        return;
    }
    for (const carom_chart_part *it = chart->part; it < chart->part + chart->n_part; it++)
        if (it->kind == CAROM_CHART_QUATERNION) carom_rotation_normalise(q + it->q);
}

void carom_chart_measure(const carom_chart *chart, const double *q, double *size)
{
    double most = 0;
    for (int i = 0; chart->own && i < chart->nq; i++) most = fmax(most, fabs(q[i]));
    for (int i = 0; chart->own && i < chart->nu; i++) size[i] = most;
    for (const carom_chart_part *it = chart->part; it < chart->part + chart->n_part; it++)
        for (int i = 0; i < n_velocity(it); i++)
            size[it->u + i] = it->kind == CAROM_CHART_QUATERNION ? 1 : fabs(q[it->q + i]);
}

double carom_chart_size_along(const carom_chart *chart, const double *q, int i)
{
    double most = 0;
    for (const carom_chart_part *it = chart->part; it < chart->part + chart->n_part; it++)
        if (i >= it->u && i < it->u + n_velocity(it))
            return it->kind == CAROM_CHART_QUATERNION ? 1 : fabs(q[it->q + i - it->u]);
    for (int k = 0; k < chart->nq; k++) most = fmax(most, fabs(q[k]));
    return most;
}

// ---- the gyroscopic term ----

// J w x w, the gyroscopic moment
static void gyroscopic(const double *J, const double *w, double *moment)
{
    const double L[3] = {J[0] * w[0], J[1] * w[1], J[2] * w[2]};
    carom_rotation_cross(L, w, moment);
}

// x := A^-1 x by Cramer's rule; A by rows
static void solve3(const double A[9], double *x)
{
    double row[3][3];
    carom_rotation_cross(A + 3, A + 6, row[0]);
    carom_rotation_cross(A + 6, A, row[1]);
    carom_rotation_cross(A, A + 3, row[2]);
    const double determinant = carom_rotation_dot(A, row[0]);
    double y[3];
    for (int k = 0; k < 3; k++)
        y[k] = (row[0][k] * x[0] + row[1][k] * x[1] + row[2][k] * x[2]) / determinant;
    memcpy(x, y, sizeof y);
}

enum { MOST_PASSES = 12 }; // 2 or 3 do

// Newton's method for w+ of J (w+ - w) = tau + h (J w_m) x w_m, w_m = (w + w+)/2, tau = h times the
// other moments. Stops where passes change nothing any more, or no less.
static void turn_spin(const double *J, const double *w, const double *tau, double h, double *w_next)
{
    double before = INFINITY;
    for (int pass = 0; pass < MOST_PASSES; pass++) {
        double m[3], x[3];
        for (int k = 0; k < 3; k++) m[k] = 0.5 * (w[k] + w_next[k]);
        gyroscopic(J, m, x);
        for (int k = 0; k < 3; k++) x[k] = tau[k] + h * x[k] - J[k] * (w_next[k] - w[k]);
        // J - h/2 d(J m x m)/dm
        const double half = 0.5 * h;
        const double A[9] = {J[0],
                             -half * (J[1] - J[2]) * m[2],
                             -half * (J[1] - J[2]) * m[1],
                             -half * (J[2] - J[0]) * m[2],
                             J[1],
                             -half * (J[2] - J[0]) * m[0],
                             -half * (J[0] - J[1]) * m[1],
                             -half * (J[0] - J[1]) * m[0],
                             J[2]};
        solve3(A, x);
        double change = 0;
        for (int k = 0; k < 3; k++) {
            w_next[k] += x[k];
            change += fabs(x[k]);
        }
        if (!(change > 0 && change < before)) return;
        before = change;
    }
}

void carom_chart_spin(const carom_chart *chart, const double *at, const double *u, double h,
                      double *u_free)
{
    if (chart->n_spin == 0) return;
    for (const carom_chart_part *it = chart->part; it < chart->part + chart->n_part; it++) {
        if (!has_inertia(it)) continue;
        const double *J = it->inertia, *w = u + it->u;
        double *w_next = u_free + it->u, tau[3];
        gyroscopic(J, at + it->u, tau);
        for (int k = 0; k < 3; k++) tau[k] = J[k] * (w_next[k] - w[k]) - h * tau[k];
        turn_spin(J, w, tau, h, w_next);
    }
}

void carom_chart_drop_spin(const carom_chart *chart, const double *u, double *f)
{
    for (const carom_chart_part *it = chart->part; it < chart->part + chart->n_part; it++) {
        if (!has_inertia(it)) continue;
        double moment[3];
        gyroscopic(it->inertia, u + it->u, moment);
        for (int k = 0; k < 3; k++) f[it->u + k] -= moment[k];
    }
}

void carom_chart_free(const carom_chart *chart, const double *u, const double *a, double h,
                      double *u_free)
{
    for (int i = 0; i < chart->nu; i++) u_free[i] = u[i] + h * a[i];
    carom_chart_spin(chart, u, u, h, u_free);
}

void carom_chart_turning(const carom_chart *chart, const double *u, double *T_q)
{
    for (const carom_chart_part *it = chart->part; it < chart->part + chart->n_part; it++)
        if (has_inertia(it)) gyroscopic(it->inertia, u + it->u, T_q + it->u);
}

void carom_chart_momenta(const carom_chart *chart, const double *u, double h, double *p)
{
    if (chart->n_spin == 0) return;
    for (const carom_chart_part *it = chart->part; it < chart->part + chart->n_part; it++) {
        if (!has_inertia(it)) continue;
        const double *w = u + it->u, x[3] = {h * w[0], h * w[1], h * w[2]};
        double mu[3], turned[3], twice[3];
        for (int k = 0; k < 3; k++) mu[k] = it->inertia[k] * w[k];
        carom_rotation_cross(x, mu, turned);
        carom_rotation_cross(x, turned, twice);
        const double c = carom_rotation_c(carom_rotation_dot(x, x));
        for (int k = 0; k < 3; k++) p[it->u + k] += c * twice[k];
    }
}
