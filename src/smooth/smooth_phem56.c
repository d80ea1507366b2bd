// SPDX-License-Identifier: Apache-2.0
// Partitioned half-explicit Runge-Kutta method of order 5, index 2, on the stages of Dormand and
// Prince: forces are taken at explicit stages, constraints at points of a second table b, so that
// nothing is iterated and velocities end on their constraints. The cheapest method here that keeps
// them there. With V_1 = u and A_1 = a from the index-1 system, for i = 2..6:
//
//     Q_i = q + h sum_j<i  a_ij V_j,     V_i = u + h sum_j<i a_ij A_j
//     Qb  = q + h sum_j<=i b_ij V_j,     w   = u + h sum_j<i b_ij A_j
//
//     [ M(Q_i)  -D(Q_i) ] [ A_i  ]   [ F(t + c_i h, Q_i, V_i)                 ]
//     [ G(Qb)      0    ] [ La_i ] = [ -(G w + w0)(t + cb_i h, Qb) / (h b_ii) ]
//
// The last Qb and w + h b_66 A_6 are the end of the step, where G u + w0 = 0 to rounding; a and
// la follow there from the index-1 system and are the 7th stage. Error: against the embedded
// weights over 7 stages, its velocity brought onto the constraints. Dense output: quartics
// through the value at 19/30.
//
// A. Murua, Partitioned half-explicit Runge-Kutta methods for differential-algebraic
// systems of index 2, 1997.
#include "smooth/smooth_options.h"
#include "smooth/stages.h"
#include "smooth/variation.h"
#include "smooth/weak.h"

#include <math.h>
#include <string.h>

enum { N = 6, END = 6, N_STAGE = 7 };
enum { PROJECTION };

static const double C[N] = {0, 1.0 / 5, 3.0 / 10, 4.0 / 5, 8.0 / 9, 1};
static const double A[N][N] = {
    {0},
    {1.0 / 5},
    {3.0 / 40, 9.0 / 40},
    {44.0 / 45, -56.0 / 15, 32.0 / 9},
    {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
    {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
};
static const double C_BAR[N] = {0, 3.0 / 10, 3.0 / 8, 5.0 / 7, 1, 1};
static const double A_BAR[N][N] = {
    {0},
    {3.0 / 40, 9.0 / 40},
    {21.0 / 256, 45.0 / 256, 15.0 / 128},
    {19235.0 / 98784, -225.0 / 392, 6235.0 / 6174, 2755.0 / 32928},
    {-293.0 / 1152, 85.0 / 48, -2275.0 / 1908, 35.0 / 32, -2835.0 / 6784},
    {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84},
};
static const double B_HAT[N_STAGE] = {
    5179.0 / 57600, 0, 7571.0 / 16695, 393.0 / 640, -92097.0 / 339200, 187.0 / 2100, 1.0 / 40};
static const double MIDDLE = 19.0 / 30;
static const double B_MIDDLE[N_STAGE] = {1812923.0 / 20736000, 0,
                                         45847.0 / 100170,     56677.0 / 414720,
                                         -289161.0 / 13568000, -67507.0 / 4536000,
                                         -3971.0 / 324000};

// scratch, cut from flow->work; q_m, u_m live as long as the step
typedef struct scratch {
    double *w, *u, *u_m; // (nu)
    double *la;          // (n_row)
    double *q, *q_m;     // (nq)
} scratch;

static int n_work(carom_sizes size)
{
    return 3 * size.nu + size.n_row + 2 * size.nq;
}

static scratch cut(const carom_flow *flow)
{
    const int n = flow->s->size.nu;
    double *w = flow->work, *q = w + 3 * n + flow->s->size.n_row;
    return (scratch){w, w + n, w + 2 * n, w + 3 * n, q, q + flow->s->size.nq};
}

static carom_status start(carom_flow *flow, carom_motion *now)
{
    return carom_weak_start(flow, now);
}

// stage i; leaves Qb in q_bar and w + h b_ii A_i in u_bar
static carom_status take_stage(carom_flow *flow, const scratch *w, int i, double *q_bar,
                               double *u_bar)
{
    const carom_sizes n = flow->s->size;
    const carom_stages *k = &flow->stage;
    const double h = flow->h, t = flow->from.t, share = h * A_BAR[i][i];
    double *Q = k->Q + i * n.nq, *V = k->V + i * n.nu, *a = k->A + i * n.nu;
    carom_stages_move(flow, A[i], i, Q);
    carom_stages_sum(flow, A[i], i, V);
    CAROM_TRY(carom_stages_eval(flow, 0, t + C[i] * h, Q, V, CAROM_FLOW_STAGE));
    carom_stages_move(flow, A_BAR[i], i + 1, q_bar);
    carom_stages_sum(flow, A_BAR[i], i, w->w);
    CAROM_TRY(carom_stages_eval(flow, 1, t + C_BAR[i] * h, q_bar, w->w, CAROM_ROWS));
    CAROM_TRY(carom_stages_solve(flow, 1, w->w, share, a, k->la + i * n.n_row));
    for (int j = 0; j < n.nu; j++) u_bar[j] = w->w[j] + share * a[j];
    return CAROM_OK;
}

// the end becomes the last stage
static void add_end(const carom_flow *flow, const carom_motion *next)
{
    const carom_sizes n = flow->s->size;
    const carom_stages *k = &flow->stage;
    memcpy(k->Q + END * n.nq, next->q, sizeof(double) * (size_t)n.nq);
    memcpy(k->V + END * n.nu, next->u, sizeof(double) * (size_t)n.nu);
    memcpy(k->A + END * n.nu, next->a, sizeof(double) * (size_t)n.nu);
    memcpy(k->la + END * n.n_row, next->la, sizeof(double) * (size_t)n.n_row);
}

// ev[0] holds the end of the step
static carom_status estimate(carom_flow *flow, const scratch *w, const carom_motion *next,
                             double *error)
{
    const int n = flow->s->size.nu;
    carom_stages_move(flow, B_HAT, N_STAGE, w->q);
    carom_stages_sum(flow, B_HAT, N_STAGE, w->w);
    CAROM_TRY(carom_stages_eval(flow, 1, next->t, w->q, w->w, CAROM_ROWS));
    CAROM_TRY(carom_stages_solve(flow, 0, w->w, 1, w->u, w->la));
    for (int i = 0; i < n; i++) w->u[i] = next->u[i] - w->w[i] - w->u[i];
    carom_model_difference(flow->s->model, w->q, next->q, w->w);
    *error = carom_flow_norm(flow, w->w, w->u, &flow->from, next);
    return CAROM_OK;
}

static carom_status phem56_attempt(carom_flow *flow, const carom_motion *now, double h,
                                   carom_motion *next, double *error)
{
    const scratch w = cut(flow);
    carom_stages_begin(flow, now, h);
    for (int i = 1; i < N; i++) CAROM_TRY(take_stage(flow, &w, i, next->q, next->u));
    carom_model_normalise(flow->s->model, next->q);
    next->t = now->t + h;
    double moved;
    CAROM_TRY(carom_stages_settle_end(flow, (int)flow->option[PROJECTION], next, &moved));
    CAROM_TRY(carom_flow_accelerate(flow, next->t, next->q, next->u, next->a, next->la));
    add_end(flow, next);
    CAROM_TRY(estimate(flow, &w, next, error));
    *error = fmax(moved, *error);
    carom_stages_end(flow, next);
    return CAROM_OK;
}

static carom_status phem56_step(carom_flow *flow, const carom_motion *now, double h,
                                carom_motion *next, double *error)
{
    return carom_weak_step(flow, phem56_attempt, now, h, next, error);
}

static carom_status phem56_dense(carom_flow *flow, double x, double *q, double *u)
{
    const scratch w = cut(flow);
    if (!flow->pace.has_dense) {
        carom_stages_move(flow, B_MIDDLE, N_STAGE, w.q_m);
        carom_stages_sum(flow, B_MIDDLE, N_STAGE, w.u_m);
        flow->pace.has_dense = true;
    }
    carom_stages_quartic(flow, x, &(carom_middle){MIDDLE, w.q_m, w.u_m}, q, u);
    return CAROM_OK;
}

// one column through stage i, whose end it leaves in dq and du
static carom_status vary_column(carom_variation *v, int i, int c, double *dq, double *du)
{
    const carom_flow *flow = v->flow;
    const carom_sizes n = flow->s->size;
    const size_t nu = (size_t)n.nu;
    const double *q = v->q + (size_t)c * nu, *u = v->u + (size_t)c * nu;
    const double *V = flow->stage.V + i * n.nu, share = flow->h * A_BAR[i][i];
    double *dA = carom_vary_stage(v, v->A, i, c);
    carom_vary_sum(v, q, (carom_vary_terms){A[i], i, v->V}, c, dq);
    carom_vary_sum(v, u, (carom_vary_terms){A[i], i, v->A}, c, du);
    carom_vary_note(v, i, c, V, dq, du);
    carom_vary_forces(v, flow->stage.la + i * n.n_row, c, dq, du, v->right);
    carom_vary_sum(v, q, (carom_vary_terms){A_BAR[i], i + 1, v->V}, c, dq);
    carom_vary_sum(v, u, (carom_vary_terms){A_BAR[i], i, v->A}, c, v->w);
    carom_vary_rates(v, 1, c, dq, v->w, v->r);
    for (int r = 0; r < n.n_row; r++) v->r[r] = -v->r[r] / share;
    CAROM_TRY(carom_vary_solve(v, 1, v->right, v->r, dA, v->l));
    for (int j = 0; j < n.nu; j++) du[j] = v->w[j] + share * dA[j];
    return CAROM_OK;
}

// the stages, differentiated
static carom_status phem56_vary(carom_variation *v)
{
    carom_flow *flow = v->flow;
    const carom_sizes n = flow->s->size;
    const carom_stages *k = &flow->stage;
    const double h = flow->h, t = flow->from.t;
    double *dq = carom_vary_stage(v, v->Q, 0, 0), *du = carom_vary_stage(v, v->Q, 1, 0);
    CAROM_TRY(carom_vary_begin(v));
    for (int i = 1; i < N; i++) {
        const double *a = k->A + i * n.nu, *la = k->la + i * n.n_row;
        const carom_vary_point at = {t + C[i] * h, k->Q + i * n.nq, k->V + i * n.nu, a, la};
        CAROM_TRY(carom_vary_eval(v, 0, &at, CAROM_VARY_STAGE));
        carom_stages_move(flow, A_BAR[i], i + 1, v->point);
        carom_stages_sum(flow, A_BAR[i], i, v->velocity);
        for (int j = 0; j < n.nu; j++) v->velocity[j] += h * A_BAR[i][i] * a[j];
        const carom_vary_point bar = {t + C_BAR[i] * h, v->point, v->velocity, a, la};
        CAROM_TRY(carom_vary_eval(v, 1, &bar, CAROM_VARY_RATE));
        for (int c = 0; c < v->n; c++)
            CAROM_TRY(vary_column(v, i, c, dq + c * n.nu, du + c * n.nu));
    }
    memcpy(v->q, dq, sizeof(double) * (size_t)(v->n * n.nu));
    memcpy(v->u, du, sizeof(double) * (size_t)(v->n * n.nu));
    return CAROM_OK;
}

static const carom_option options[] = {CAROM_HALF_EXPLICIT_ROWS(CAROM_PROJECT_NONE), {0}};
static const unsigned masks[] = {CAROM_FLOW_STAGE, CAROM_ROWS, 0};

const carom_smooth carom_smooth_phem56 = {
    .name = "phem56",
    .about = "partitioned half-explicit Runge-Kutta, order 5, the cheapest that keeps velocities "
             "on their constraints",
    .reference =
        "A. Murua, Partitioned half-explicit Runge-Kutta methods for DAEs of index 2, 1997",
    .order = 5,
    .exponent = 0.2,
    .share = 0.25,
    .n_stage = N_STAGE,
    .n_eval = 2,
    .mask = masks,
    .option = options,
    .n_work = n_work,
    .start = start,
    .step = phem56_step,
    .dense = phem56_dense,
    .search = phem56_dense,
    .vary = phem56_vary,
};
