// SPDX-License-Identifier: Apache-2.0
// Fehlberg's explicit Runge-Kutta pair of orders 4 and 5 on the index-1 system: in every stage the
// accelerations are held, as in an ordinary differential equation for (q, u).
//
//     Q_i = q + h sum_j<i a_ij V_j,     V_i = u + h sum_j<i a_ij A_j
//
//     [ M  -D ] [ A_i  ]   [ F          ]
//     [ G   0 ] [ La_i ] = [ -curvature ]         all at (t + c_i h, Q_i, V_i)
//
// The value of order 4 is carried on, the difference of the two is the error. Only accelerations
// are held, so that q and u drift off the constraints; the projection (flow.c) brings them back at
// the end of each step. Dense output: cubic Hermite.
//
// E. Fehlberg, Low-order classical Runge-Kutta formulas with stepsize control, NASA TR R-315, 1969.
#include "smooth/smooth_options.h"
#include "smooth/stages.h"
#include "smooth/variation.h"
#include "smooth/weak.h"

#include <math.h>
#include <string.h>

enum { N = 6 };
enum { PROJECTION };
enum { PROJECT_BOTH, PROJECT_VELOCITY, PROJECT_POSITION, PROJECT_NOT };

static const double C[N] = {0, 1.0 / 4, 3.0 / 8, 12.0 / 13, 1, 1.0 / 2};
static const double A[N][N] = {
    {0},
    {1.0 / 4},
    {3.0 / 32, 9.0 / 32},
    {1932.0 / 2197, -7200.0 / 2197, 7296.0 / 2197},
    {439.0 / 216, -8, 3680.0 / 513, -845.0 / 4104},
    {-8.0 / 27, 2, -3544.0 / 2565, 1859.0 / 4104, -11.0 / 40},
};
static const double B4[N] = {25.0 / 216, 0, 1408.0 / 2565, 2197.0 / 4104, -1.0 / 5, 0};
static const double B5[N] = {16.0 / 135, 0, 6656.0 / 12825, 28561.0 / 56430, -9.0 / 50, 2.0 / 55};

static int n_work(carom_sizes size)
{
    return 2 * size.nu + size.nq;
}

static carom_status start(carom_flow *flow, carom_motion *now)
{
    return carom_weak_start(flow, now);
}

static carom_status project_end(carom_flow *flow, carom_motion *next, double *moved)
{
    const int which = (int)flow->option[PROJECTION];
    *moved = 0;
    if (which == PROJECT_NOT) return CAROM_OK;
    return carom_weak_settle_end(flow, next, which != PROJECT_VELOCITY, which != PROJECT_POSITION,
                                 moved);
}

static carom_status rkf45_step(carom_flow *flow, const carom_motion *now, double h,
                               carom_motion *next, double *error)
{
    const carom_sizes n = flow->s->size;
    const carom_stages *k = &flow->stage;
    double *e_q = flow->work, *e_u = e_q + n.nu, *other = e_u + n.nu;
    carom_stages_begin(flow, now, h);
    for (int i = 1; i < N; i++) {
        double *Q = k->Q + i * n.nq, *V = k->V + i * n.nu;
        carom_stages_move(flow, A[i], i, Q);
        carom_stages_sum(flow, A[i], i, V);
        CAROM_TRY(carom_flow_accelerate(flow, now->t + C[i] * h, Q, V, k->A + i * n.nu,
                                        k->la + i * n.n_row));
    }
    next->t = now->t + h;
    carom_stages_move(flow, B5, N, other);
    carom_stages_sum(flow, B5, N, e_u);
    carom_stages_move(flow, B4, N, next->q);
    carom_stages_sum(flow, B4, N, next->u);
    carom_model_normalise(flow->s->model, next->q);
    carom_model_difference(flow->s->model, next->q, other, e_q);
    for (int i = 0; i < n.nu; i++) e_u[i] -= next->u[i];
    *error = carom_flow_norm(flow, e_q, e_u, now, next);
    double moved;
    CAROM_TRY(project_end(flow, next, &moved));
    *error = fmax(moved, *error);
    CAROM_TRY(carom_flow_accelerate(flow, next->t, next->q, next->u, next->a, next->la));
    carom_weak_end(flow, next, true);
    carom_stages_end(flow, next);
    return CAROM_OK;
}

static carom_status rkf45_dense(carom_flow *flow, double x, double *q, double *u)
{
    carom_stages_hermite(flow, x, q, u);
    return CAROM_OK;
}

// the stages, differentiated
static carom_status rkf45_vary(carom_variation *v)
{
    const carom_flow *flow = v->flow;
    const carom_sizes n = flow->s->size;
    const carom_stages *k = &flow->stage;
    const size_t nu = (size_t)n.nu;
    CAROM_TRY(carom_vary_begin(v));
    for (int i = 1; i < N; i++) {
        double *dQ = carom_vary_stage(v, v->Q, i, 0), *dU = carom_vary_stage(v, v->Q, 0, 0);
        const double *V = k->V + i * n.nu;
        const carom_vary_point at = {flow->from.t + C[i] * flow->h, k->Q + i * n.nq, V,
                                     k->A + i * n.nu, k->la + i * n.n_row};
        for (int c = 0; c < v->n; c++) {
            double *dq = dQ + (size_t)c * nu, *du = dU + (size_t)c * nu;
            carom_vary_sum(v, v->q + (size_t)c * nu, (carom_vary_terms){A[i], i, v->V}, c, dq);
            carom_vary_sum(v, v->u + (size_t)c * nu, (carom_vary_terms){A[i], i, v->A}, c, du);
            carom_vary_note(v, i, c, V, dq, du);
        }
        CAROM_TRY(carom_vary_accelerations(v, &at, dQ, dU, carom_vary_stage(v, v->A, i, 0), v->la));
    }
    for (int c = 0; c < v->n; c++) {
        double *dq = v->q + (size_t)c * nu, *du = v->u + (size_t)c * nu;
        carom_vary_sum(v, dq, (carom_vary_terms){B4, N, v->V}, c, v->w);
        memcpy(dq, v->w, sizeof(double) * nu);
        carom_vary_sum(v, du, (carom_vary_terms){B4, N, v->A}, c, v->w);
        memcpy(du, v->w, sizeof(double) * nu);
    }
    return CAROM_OK;
}

static const carom_option options[] = {CAROM_RKF45_ROWS, {0}};
static const unsigned masks[] = {CAROM_FLOW_INDEX1, CAROM_FLOW_PROJECT, 0};

const carom_smooth carom_smooth_rkf45 = {
    .name = "rkf45",
    .about = "explicit Runge-Kutta-Fehlberg, order 4, accelerations held, with projection",
    .reference = "E. Fehlberg, Low-order classical Runge-Kutta formulas with stepsize control, "
                 "NASA TR R-315, 1969",
    .order = 4,
    .exponent = 0.2,
    .share = 0.025,
    .n_stage = N,
    .n_eval = 1,
    .mask = masks,
    .option = options,
    .n_work = n_work,
    .start = start,
    .step = rkf45_step,
    .dense = rkf45_dense,
    .search = rkf45_dense,
    .vary = rkf45_vary,
};
