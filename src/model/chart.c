// SPDX-License-Identifier: Apache-2.0
// Moves, differences and rates, part by part.
#include "model/chart.h"

#include "base/need.h"
#include "math/rotation.h"

#include <stdlib.h>
#include <string.h>

static int n_position(const carom_chart_part *part)
{
    if (part->kind == CAROM_CHART_TURN) return 1;
    return part->kind == CAROM_CHART_QUATERNION ? 4 : part->n;
}

static int n_velocity(const carom_chart_part *part)
{
    if (part->kind == CAROM_CHART_TURN) return 0;
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
    if (n == 0) return true;
    if (first < 0 || n < 1 || n > room || first > room - n) return false;
    for (int i = first; i < first + n; i++) {
        if (is_taken[i]) return false;
        is_taken[i] = 1;
    }
    return true;
}

// whether the bodies of a turn are quaternions among the parts before it
static bool knows_bodies(const carom_chart_part *part, int n_before, const carom_turn *turn)
{
    int n_found = 0;
    if (!turn || (turn->q[0] < 0 && turn->q[1] < 0)) return false;
    for (int k = 0; k < 2; k++) {
        n_found += turn->q[k] < 0;
        for (int i = 0; turn->q[k] >= 0 && i < n_before; i++)
            n_found += part[i].kind == CAROM_CHART_QUATERNION && part[i].q == turn->q[k] &&
                       part[i].u == turn->u[k];
    }
    return n_found == 2;
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
            !mark(is_taken + nq, nu, it->u, n_velocity(it)) ||
            (it->kind == CAROM_CHART_TURN && !knows_bodies(part, i, it->turn)))
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

// ---- turns ----

// z . omega of one body, z = x x y; 0 for the ground
static double spin_about(const carom_turn *turn, int k, const double *u)
{
    double z[3];
    if (turn->q[k] < 0) return 0;
    carom_rotation_cross(turn->x[k], turn->y[k], z);
    return carom_rotation_dot(z, u + turn->u[k]);
}

static double turn_rate(const carom_turn *turn, const double *u)
{
    return spin_about(turn, 1, u) - spin_about(turn, 0, u);
}

// a direction of one body, in space
static void direction_in_space(const carom_turn *turn, int k, const double *q, const double *s,
                               double *direction)
{
    double R[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    if (turn->q[k] >= 0) carom_rotation_matrix(q + turn->q[k], R);
    for (int i = 0; i < 3; i++) direction[i] = carom_rotation_dot(R + 3 * i, s);
}

// the angle of the orientations in q that is nearest to `about`
static double turn_near(const carom_turn *turn, const double *q, double about)
{
    const double whole = 6.283185307179586476925;
    double x[3], y[3], other[3];
    direction_in_space(turn, 0, q, turn->x[0], x);
    direction_in_space(turn, 0, q, turn->y[0], y);
    direction_in_space(turn, 1, q, turn->x[1], other);
    const double angle = atan2(carom_rotation_dot(y, other), carom_rotation_dot(x, other));
    return angle + whole * round((about - angle) / whole);
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
        } else if (it->kind == CAROM_CHART_TURN) {
            const double about = q[it->q] + h * turn_rate(it->turn, u);
            q_out[it->q] = turn_near(it->turn, q_out, about);
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
            for (int i = 0; i < n_velocity(it); i++) x[it->u + i] = q_b[it->q + i] - q_a[it->q + i];
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
        else if (it->kind == CAROM_CHART_TURN)
            q_dot[it->q] = turn_rate(it->turn, u);
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
    for (const carom_chart_part *it = chart->part; it < chart->part + chart->n_part; it++) {
        if (it->kind == CAROM_CHART_QUATERNION) carom_rotation_normalise(q + it->q);
        if (it->kind == CAROM_CHART_TURN) q[it->q] = turn_near(it->turn, q, q[it->q]);
    }
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

// L = J w, J by its entries xx, yy, zz, xy, xz, yz
static void times_inertia(const double *J, const double *w, double *L)
{
    L[0] = J[0] * w[0] + (J[3] * w[1] + J[4] * w[2]);
    L[1] = J[1] * w[1] + (J[3] * w[0] + J[5] * w[2]);
    L[2] = J[2] * w[2] + (J[4] * w[0] + J[5] * w[1]);
}

// J w x w, the gyroscopic moment
static void gyroscopic(const double *J, const double *w, double *moment)
{
    double L[3];
    times_inertia(J, w, L);
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

// A = J - half d(J m x m)/dm,   d(J m x m) = J dm x m + J m x dm
static void spin_matrix(const double *J, const double *m, double half, double A[9])
{
    const double column[3][3] = {{J[0], J[3], J[4]}, {J[3], J[1], J[5]}, {J[4], J[5], J[2]}};
    double L[3];
    times_inertia(J, m, L);
    for (int j = 0; j < 3; j++) {
        const double unit[3] = {j == 0, j == 1, j == 2};
        double a[3], b[3];
        carom_rotation_cross(column[j], m, a);
        carom_rotation_cross(L, unit, b);
        for (int i = 0; i < 3; i++) A[3 * i + j] = column[j][i] - half * (a[i] + b[i]);
    }
}

// Newton's method for w+ of J (w+ - w) = tau + h (J w_m) x w_m, w_m = (w + w+)/2, tau = h times the
// other moments. Stops where passes change nothing any more, or no less.
static void turn_spin(const double *J, const double *w, const double *tau, double h, double *w_next)
{
    double before = INFINITY;
    for (int pass = 0; pass < MOST_PASSES; pass++) {
        double m[3], x[3], change[3], L[3], A[9];
        for (int k = 0; k < 3; k++) m[k] = 0.5 * (w[k] + w_next[k]);
        gyroscopic(J, m, x);
        for (int k = 0; k < 3; k++) change[k] = w_next[k] - w[k];
        times_inertia(J, change, L);
        for (int k = 0; k < 3; k++) x[k] = tau[k] + h * x[k] - L[k];
        spin_matrix(J, m, 0.5 * h, A);
        solve3(A, x);
        double moved = 0;
        for (int k = 0; k < 3; k++) {
            w_next[k] += x[k];
            moved += fabs(x[k]);
        }
        if (!(moved > 0 && moved < before)) return;
        before = moved;
    }
}

void carom_chart_spin(const carom_chart *chart, const double *at, const double *u, double h,
                      double *u_free)
{
    if (chart->n_spin == 0) return;
    for (const carom_chart_part *it = chart->part; it < chart->part + chart->n_part; it++) {
        if (!has_inertia(it)) continue;
        const double *J = it->inertia, *w = u + it->u;
        double *w_next = u_free + it->u, tau[3], change[3], L[3];
        gyroscopic(J, at + it->u, tau);
        for (int k = 0; k < 3; k++) change[k] = w_next[k] - w[k];
        times_inertia(J, change, L);
        for (int k = 0; k < 3; k++) tau[k] = L[k] - h * tau[k];
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
        times_inertia(it->inertia, w, mu);
        carom_rotation_cross(x, mu, turned);
        carom_rotation_cross(x, turned, twice);
        const double c = carom_rotation_c(carom_rotation_dot(x, x));
        for (int k = 0; k < 3; k++) p[it->u + k] += c * twice[k];
    }
}
