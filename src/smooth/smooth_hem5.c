// SPDX-License-Identifier: Apache-2.0
// Half-explicit Runge-Kutta method of order 5 with 8 stages, index 2: each stage takes the forces
// of its own point and the constraints of the next, so that nothing is iterated and velocities end
// on their constraints. With Q_1 = q, V_1 = u, for i = 1..8:
//
//     Q_i+1 = q + h sum_j<=i a_i+1,j V_j
//     w     = u + h sum_j<i  a_i+1,j A_j
//     V_i+1 = w + h a_i+1,i A_i
//
//     [ M(Q_i)    -D(Q_i) ] [ A_i  ]   [ F(t + c_i h, Q_i, V_i)                        ]
//     [ G(Q_i+1)     0    ] [ La_i ] = [ -(G w + w0)(t + c_i+1 h, Q_i+1) / (h a_i+1,i) ]
//
// (Q_9, V_9) is the end of the step, where G u + w0 = 0 to rounding; a and la follow
// there from the index-1 system.
//
// Error: err1^2/(err1 + 0.01 err2), of order h^5, with y = (q, u) and
//
//     err1 = |y_9 - y_8|,     err2 = |y_9 - y - h (5/2 y'_7 - 3/2 y'_8)|
//
// Dense output: one more stage, then weights b_j(x) of degree 4 and a half-explicit solve at each
// point; for searches quartics through both ends and one value between.
//
// V. Brasey, E. Hairer, Half-explicit Runge-Kutta methods for differential-algebraic systems
// of index 2, 1993; a_85 with the digits that satisfy the order conditions (the published
// program has a wrong 13th digit).
#include "model/model.h"
#include "smooth/smooth_options.h"
#include "smooth/stages.h"
#include "smooth/variation.h"
#include "smooth/weak.h"

#include <math.h>
#include <string.h>

enum { N = 8, END = 8, EXTRA = 9, N_STAGE = 10 };
enum { PROJECTION };

static const double A[N + 1][N] = {
    {0},
    {0.1},
    {0.03749999999999999, 0.1125},
    {0.3222169236216038, -1.188883322987607, 1.228145134023366},
    {-0.03501123898129943, 0.3725420601086163, -0.2721053535582034, 0.01993037578575077},
    {-0.5576547055042005, 1.367307289645883, -1.732236360460725, 0.4587772007467548,
     0.963806575572288},
    {0.08654517193566155, -0.08810082847945416, 0.1981275547329404, -0.4645422679331083,
     0.1615170091109488, 0.9064533606330119},
    {0, 0, 0, 3.624477248753816, -0.4617724189182840, -3.198024628164272, 1.03531979832874},
    {0, 0, 0, 0.2467760667636791, 0.2106594087489728, 0.1769218149125021, 0.3064446444147922,
     0.05919806516005373}};
static const double C[N + 1] = {0,   0.1, 0.15, 0.3614787346573635, 0.08535584335486351, 0.5,
                                0.8, 1,   1};

// dense output: the extra stage (its row of A has V_9 and a_9 last), and
// b_j(x) = sum_k D[k][j] x^(k+1)
static const double C_EXTRA = 0.05;
static const double A_EXTRA[N + 1] = {
    0, 0, 0, 0, 0, 0.2519444444444446, -0.3861111111111117, 0, 0.1841666666666670};
static const double D[4][N_STAGE] = {
    {0, 0, 0, -0.2661262387118526, -0.4784628694418738, -0.08492247115792709, 0.2500588298423810,
     -0.1047577768468651, 0, 1.684210526316138},
    {0, 0, 0, 2.963408265225625, 5.405521925140019, 0.9129165649477744, -2.963932600778991,
     1.261033213890067, 0, -7.578947368424495},
    {0, 0, 0, -4.141333547260734, -8.533017606960350, -0.8633784567714418, 6.403467289689607,
     -2.971000836599169, 0, 10.10526315790209},
    {0, 0, 0, 1.690827587510642, 3.816617960011145, 0.2123061778941055, -3.383148874338215,
     1.873923464716025, 0, -4.210526315793703}};
static const double MIDDLE = 0.540179418; // of the quartic for searches

// scratch, cut from flow->work; q_m, u_m live as long as the step
typedef struct scratch {
    double *w, *e_q, *e_u, *u_m; // (nu)
    double *la;                  // (n_row)
    double *q_m, *q_x;           // (nq)
} scratch;

static int n_work(carom_sizes size)
{
    return 4 * size.nu + size.n_row + 2 * size.nq;
}

static scratch cut(const carom_flow *flow)
{
    const int n = flow->s->size.nu;
    double *w = flow->work;
    double *q = w + 4 * n + flow->s->size.n_row;
    return (scratch){w, w + n, w + 2 * n, w + 3 * n, w + 4 * n, q, q + flow->s->size.nq};
}

static carom_status start(carom_flow *flow, carom_motion *now)
{
    return carom_weak_start(flow, now);
}

// from stage i to the position and velocity of stage i + 1; ev[0] holds stage i
static carom_status take_stage(carom_flow *flow, const scratch *w, int i)
{
    const carom_sizes n = flow->s->size;
    const carom_stages *k = &flow->stage;
    const double h = flow->h, share = h * A[i + 1][i];
    double *Q = k->Q + (i + 1) * n.nq, *V = k->V + (i + 1) * n.nu, *a = k->A + i * n.nu;
    carom_stages_move(flow, A[i + 1], i + 1, Q);
    carom_stages_sum(flow, A[i + 1], i, w->w);
    CAROM_TRY(carom_stages_eval(flow, 1, flow->from.t + C[i + 1] * h, Q, w->w, CAROM_ROWS));
    CAROM_TRY(carom_stages_solve(flow, 1, w->w, share, a, k->la + i * n.n_row));
    for (int j = 0; j < n.nu; j++) V[j] = w->w[j] + share * a[j];
    return CAROM_OK;
}

// the rows at the next stage are known: its mass and forces are added to them
static void swap_evaluations(carom_flow *flow)
{
    carom_eval *first = flow->ev[0];
    flow->ev[0] = flow->ev[1];
    flow->ev[1] = first;
}

static double estimate(carom_flow *flow, const scratch *w, const carom_motion *next)
{
    const int n = flow->s->size.nu;
    const carom_stages *k = &flow->stage;
    const double *V7 = k->V + 6 * n, *V8 = k->V + 7 * n, *A7 = k->A + 6 * n, *A8 = k->A + 7 * n;
    const carom_model *model = flow->s->model;
    carom_model_difference(model, k->Q + 7 * flow->s->size.nq, next->q, w->e_q);
    for (int i = 0; i < n; i++) w->e_u[i] = next->u[i] - V8[i];
    const double err1 = carom_flow_norm(flow, w->e_q, w->e_u, &flow->from, next);
    if (model->n_plain < 0) {
        carom_stages_move(flow, (const double[]){0, 0, 0, 0, 0, 0, 2.5, -1.5}, 8, w->q_x);
        carom_model_difference(model, w->q_x, next->q, w->e_q);
    }
    for (int i = 0; i < model->n_plain; i++)
        w->e_q[i] = next->q[i] - flow->from.q[i] - flow->h * (2.5 * V7[i] - 1.5 * V8[i]);
    for (int i = 0; i < n; i++) {
        w->e_u[i] = next->u[i] - flow->from.u[i] - flow->h * (2.5 * A7[i] - 1.5 * A8[i]);
    }
    const double err2 = carom_flow_norm(flow, w->e_q, w->e_u, &flow->from, next);
    return err1 == 0 ? 0 : err1 * err1 / (err1 + 0.01 * err2);
}

static carom_status hem5_attempt(carom_flow *flow, const carom_motion *now, double h,
                                 carom_motion *next, double *error)
{
    const carom_sizes n = flow->s->size;
    const carom_stages *k = &flow->stage;
    const scratch w = cut(flow);
    carom_stages_begin(flow, now, h);
    for (int i = 0; i < N; i++) {
        const unsigned mask = i == 0 ? CAROM_FLOW_STAGE : CAROM_FLOW_REST;
        CAROM_TRY(
            carom_stages_eval(flow, 0, now->t + C[i] * h, k->Q + i * n.nq, k->V + i * n.nu, mask));
        CAROM_TRY(take_stage(flow, &w, i));
        swap_evaluations(flow);
    }
    next->t = now->t + h;
    memcpy(next->q, k->Q + END * n.nq, sizeof(double) * (size_t)n.nq);
    memcpy(next->u, k->V + END * n.nu, sizeof(double) * (size_t)n.nu);
    carom_model_normalise(flow->s->model, next->q);
    double moved;
    CAROM_TRY(carom_stages_settle_end(flow, (int)flow->option[PROJECTION], next, &moved));
    CAROM_TRY(carom_flow_accelerate(flow, next->t, next->q, next->u, next->a, next->la));
    *error = fmax(moved, estimate(flow, &w, next));
    carom_stages_end(flow, next);
    return CAROM_OK;
}

static carom_status hem5_step(carom_flow *flow, const carom_motion *now, double h,
                              carom_motion *next, double *error)
{
    return carom_weak_step(flow, hem5_attempt, now, h, next, error);
}

// the extra stage of the dense output
static carom_status add_stage(carom_flow *flow, const scratch *w)
{
    const carom_sizes n = flow->s->size;
    const carom_stages *k = &flow->stage;
    const double h = flow->h, share = h * A_EXTRA[END];
    double *Q = k->Q + EXTRA * n.nq, *V = k->V + EXTRA * n.nu, *a = k->A + END * n.nu;
    CAROM_TRY(carom_stages_eval(flow, 0, flow->to.t, flow->to.q, flow->to.u, CAROM_FLOW_STAGE));
    carom_stages_move(flow, A_EXTRA, N + 1, Q);
    carom_stages_sum(flow, A_EXTRA, N, w->w);
    CAROM_TRY(carom_stages_eval(flow, 1, flow->from.t + C_EXTRA * h, Q, w->w, CAROM_ROWS));
    CAROM_TRY(carom_stages_solve(flow, 1, w->w, share, a, w->la));
    for (int i = 0; i < n.nu; i++) V[i] = w->w[i] + share * a[i];
    return CAROM_OK;
}

// q(x) = q + h sum b_j V_j, u(x) = w + dv with w = u + h sum b_j A_j and dv from the extra stage's
// mass and force
static carom_status interpolate(carom_flow *flow, const scratch *w, double x, double *q, double *u)
{
    const carom_sizes n = flow->s->size;
    const double *Q = flow->stage.Q + EXTRA * n.nq, *V = flow->stage.V + EXTRA * n.nu;
    double b[N_STAGE];
    for (int j = 0; j < N_STAGE; j++)
        b[j] = x * (D[0][j] + x * (D[1][j] + x * (D[2][j] + x * D[3][j])));
    carom_stages_move(flow, b, N_STAGE, q);
    carom_model_normalise(flow->s->model, q);
    carom_stages_sum(flow, b, N, w->w);
    CAROM_TRY(carom_stages_eval(flow, 0, flow->from.t + C_EXTRA * flow->h, Q, V, CAROM_FLOW_STAGE));
    CAROM_TRY(carom_stages_eval(flow, 1, flow->from.t + x * flow->h, q, w->w, CAROM_ROWS));
    CAROM_TRY(carom_stages_solve(flow, flow->h * b[EXTRA], w->w, 1, u, w->la));
    for (int i = 0; i < n.nu; i++) u[i] += w->w[i];
    return CAROM_OK;
}

static carom_status prepare_dense(carom_flow *flow, const scratch *w)
{
    if (flow->pace.has_dense) return CAROM_OK;
    CAROM_TRY(add_stage(flow, w));
    CAROM_TRY(interpolate(flow, w, MIDDLE, w->q_m, w->u_m));
    flow->pace.has_dense = true;
    return CAROM_OK;
}

static carom_status hem5_dense(carom_flow *flow, double x, double *q, double *u)
{
    const scratch w = cut(flow);
    CAROM_TRY(prepare_dense(flow, &w));
    return interpolate(flow, &w, x, q, u);
}

static carom_status search(carom_flow *flow, double x, double *q, double *u)
{
    const scratch w = cut(flow);
    CAROM_TRY(prepare_dense(flow, &w));
    carom_stages_quartic(flow, x, &(carom_middle){MIDDLE, w.q_m, w.u_m}, q, u);
    return CAROM_OK;
}

// one column from stage i to stage i + 1, in dq and du
static carom_status vary_column(carom_variation *v, int i, int c, double *dq, double *du)
{
    const carom_flow *flow = v->flow;
    const carom_sizes n = flow->s->size;
    const size_t nu = (size_t)n.nu;
    const double share = flow->h * A[i + 1][i];
    double *dA = carom_vary_stage(v, v->A, i, c);
    carom_vary_note(v, i, c, flow->stage.V + i * n.nu, dq, du);
    carom_vary_forces(v, flow->stage.la + i * n.n_row, c, dq, du, v->right);
    carom_vary_sum(v, v->q + (size_t)c * nu, (carom_vary_terms){A[i + 1], i + 1, v->V}, c, dq);
    carom_vary_sum(v, v->u + (size_t)c * nu, (carom_vary_terms){A[i + 1], i, v->A}, c, v->w);
    carom_vary_rates(v, 1, c, dq, v->w, v->r);
    for (int r = 0; r < n.n_row; r++) v->r[r] = -v->r[r] / share;
    CAROM_TRY(carom_vary_solve(v, 1, v->right, v->r, dA, v->l));
    for (int j = 0; j < n.nu; j++) du[j] = v->w[j] + share * dA[j];
    return CAROM_OK;
}

// the stages, differentiated
static carom_status hem5_vary(carom_variation *v)
{
    const carom_flow *flow = v->flow;
    const carom_sizes n = flow->s->size;
    const carom_stages *k = &flow->stage;
    const double h = flow->h, t = flow->from.t;
    const size_t bytes = sizeof(double) * (size_t)(v->n * n.nu);
    double *dq = carom_vary_stage(v, v->Q, 0, 0), *du = carom_vary_stage(v, v->Q, 1, 0);
    memcpy(dq, v->q, bytes);
    memcpy(du, v->u, bytes);
    for (int i = 0; i < N; i++) {
        const double *a = k->A + i * n.nu, *la = k->la + i * n.n_row;
        const carom_vary_point at = {t + C[i] * h, k->Q + i * n.nq, k->V + i * n.nu, a, la},
                               next = {t + C[i + 1] * h, k->Q + (i + 1) * n.nq,
                                       k->V + (i + 1) * n.nu, a, la};
        CAROM_TRY(carom_vary_eval(v, 0, &at, CAROM_VARY_STAGE));
        CAROM_TRY(carom_vary_eval(v, 1, &next, CAROM_VARY_RATE));
        for (int c = 0; c < v->n; c++)
            CAROM_TRY(vary_column(v, i, c, dq + c * n.nu, du + c * n.nu));
    }
    memcpy(v->q, dq, bytes);
    memcpy(v->u, du, bytes);
    return CAROM_OK;
}

static const carom_option options[] = {CAROM_HALF_EXPLICIT_ROWS(CAROM_PROJECT_NONE), {0}};
static const unsigned masks[] = {CAROM_FLOW_STAGE, CAROM_FLOW_REST, CAROM_ROWS, 0};

const carom_smooth carom_smooth_hem5 = {
    .name = "hem5",
    .about =
        "half-explicit Runge-Kutta, order 5, 8 stages, velocities exactly on their constraints",
    .reference =
        "V. Brasey, E. Hairer, Half-explicit Runge-Kutta methods for DAEs of index 2, 1993",
    .order = 5,
    .exponent = 0.2,
    .n_stage = N_STAGE,
    .n_eval = 2,
    .mask = masks,
    .option = options,
    .n_work = n_work,
    .start = start,
    .step = hem5_step,
    .dense = hem5_dense,
    .search = search,
    .vary = hem5_vary,
};
