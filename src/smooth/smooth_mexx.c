// SPDX-License-Identifier: Apache-2.0
// Extrapolation of a half-explicit midpoint rule, index 2, with order and step chosen together. The
// step H is taken several times with n = 2, 4, 6, ... substeps h = H/n; with Q_0 = q, V_0 = u, and
// s = 2h (s = h, Q_-1 = Q_0, V_-1 = V_0 in the first substep)
//
//     Q_i+1 = Q_i-1 + s Y(Q_i) V_i
//     V_i+1 = V_i-1 + s A_i
//
//     [ M(Q_i)    -D(Q_i) ] [ A_i  ]   [ F(t + i h, Q_i, V_i)                             ]
//     [ G(Q_i+1)     0    ] [ La_i ] = [ -(G V_i-1 + w0)(t + (i+1) h, Q_i+1) / s          ]
//
// Nothing is iterated. That rule is symmetric: what is undone with -h is what was done, since each
// La_i is the one with which the rates before and behind it are both on their constraints. So its
// error is a series in h^2, and with R results T_j,1 the table
//
//     T_j,k+1 = T_j,k + (T_j,k - T_j-1,k) / ((n_j/n_j-k)^2 - 1)
//
// has order 2 R in T_R,R. Its end is brought onto the constraints; a and la follow there from the
// index-1 system. Error: T_R,R - T_R,R-1, that of order 2 R - 2, and a blow that only the end
// feels.
//
// Order control: rows are added until the error is good, around the number R that the step before
// found cheapest, work over length with the length H (0.25/err)^(1/(2R-1)); a fixed step has all.
// Dense output, where it is wanted: n = 2, 6, 10, ..., whose midpoints have odd numbers, and there
// differences of A and Y V with the spacing 2h, extrapolated alike; the polynomial through them and
// both ends has the order of the step. Else: cubic Hermite.
//
// C. Lubich, U. Nowak, U. Poehle, C. Engstler, MEXX - Numerical software for the integration of
// constrained mechanical multibody systems, 1992 (there on a half-explicit Euler method); E.
// Hairer, S. Norsett, G. Wanner, Solving Ordinary Differential Equations I, 1993, II.9.
#include "model/model.h"
#include "smooth/smooth_options.h"
#include "smooth/stages.h"
#include "smooth/variation.h"
#include "smooth/weak.h"

#include <math.h>
#include <string.h>

enum { PROJECTION, ORDER };
enum { LEAST_ROWS = 2, MOST_ROWS = 6, N_STAGE = 2 * MOST_ROWS * MOST_ROWS };
enum { MOST_INSIDE = 2 * MOST_ROWS - 2 }; // coefficients of the dense output in the middle

// what the last step has left
typedef struct mexx {
    int rows; // of its table
} mexx;

// a polynomial inside the step, c_0 + c_1 z + ... + z^m cubic with z = x - 1/2
typedef struct inside {
    double *c;                                 // (MOST_INSIDE n)
    double *start, *start_slope, *end, *slope; // (n) of the cubic
} inside;

// scratch, cut from flow->work; what is inside lives as long as the step
typedef struct scratch {
    double *T_q, *T_u; // (MOST_ROWS nq), (MOST_ROWS nu) last row of the table, the best first
    double *e_q, *e_u; // (nu)
    double *rate;      // (nq)
    double *D;         // (MOST_ROWS nq) rows of one derivative
    inside q, u;
} scratch;

static int n_work(carom_sizes size)
{
    return (2 * MOST_ROWS + 1) * size.nq + (MOST_ROWS + 2) * size.nu +
           (MOST_INSIDE + 4) * (size.nq + size.nu);
}

static inside cut_inside(double *w, int n)
{
    double *ends = w + MOST_INSIDE * n;
    return (inside){w, ends, ends + n, ends + 2 * n, ends + 3 * n};
}

static scratch cut(const carom_flow *flow)
{
    const int nq = flow->s->size.nq, nu = flow->s->size.nu;
    scratch w = {.T_q = flow->work};
    w.T_u = w.T_q + MOST_ROWS * nq;
    w.e_q = w.T_u + MOST_ROWS * nu;
    w.e_u = w.e_q + nu;
    w.rate = w.e_u + nu;
    w.D = w.rate + nq;
    w.q = cut_inside(w.D + MOST_ROWS * nq, nq);
    w.u = cut_inside(w.q.slope + nq, nu);
    return w;
}

static int n_memory(carom_sizes size)
{
    (void)size;
    return 1; // rows that the step before found best, 0 = not known
}

static carom_status prepare(carom_flow *flow)
{
    flow->self = CAROM_TAKE(flow->arena, mexx, 1);
    return flow->self ? CAROM_OK
                      : carom_fail(flow->s->error, CAROM_NO_MEMORY,
                                   "no memory for the smooth solver mexx");
}

static carom_status start(carom_flow *flow, carom_motion *now)
{
    now->memory[0] = 0;
    return carom_weak_start(flow, now);
}

// substeps of a row, and the number of its first stage
static int substeps(const carom_flow *flow, int row)
{
    return flow->pace.looks_inside ? 4 * row + 2 : 2 * row + 2;
}

static int first_stage(const carom_flow *flow, int row)
{
    return flow->pace.looks_inside ? 2 * row * row : row * (row + 1);
}

static void copy(double *to, const double *from, int n)
{
    memcpy(to, from, sizeof(double) * (size_t)n);
}

// where substep i of a row leads in positions
static void move_on(const carom_flow *flow, int stage, int i, double share, double *rate, double *q)
{
    const int nq = flow->s->size.nq;
    const double *Q = flow->stage.Q + stage * nq, *before = i > 0 ? Q - nq : Q;
    carom_model_rates(flow->s->model, Q, flow->stage.V + stage * flow->s->size.nu, rate);
    for (int k = 0; k < nq; k++) q[k] = before[k] + share * rate[k];
}

// substep i of a row, to q_end and u_end; ev[0] holds the rows of its start, but for the first
static carom_status take_substep(carom_flow *flow, const scratch *w, int row, int i, double *q_end,
                                 double *u_end)
{
    const carom_sizes n = flow->s->size;
    const int N = substeps(flow, row), stage = first_stage(flow, row) + i;
    const double t = flow->from.t, H = flow->h, share = (i > 0 ? 2 : 1) * H / N;
    const double *Q = flow->stage.Q + stage * n.nq, *V = flow->stage.V + stage * n.nu;
    const double *before = i > 0 ? V - n.nu : V;
    double *a = flow->stage.A + stage * n.nu;
    const unsigned mask = i == 0 ? CAROM_FLOW_STAGE : CAROM_FLOW_REST;
    CAROM_TRY(carom_stages_eval(flow, 0, t + H * i / N, Q, V, mask));
    move_on(flow, stage, i, share, w->rate, q_end);
    CAROM_TRY(carom_stages_eval(flow, 1, t + H * (i + 1) / N, q_end, before, CAROM_ROWS));
    CAROM_TRY(carom_stages_solve(flow, 1, before, share, a, flow->stage.la + stage * n.n_row));
    for (int k = 0; k < n.nu; k++) u_end[k] = before[k] + share * a[k];
    return CAROM_OK;
}

// the first result of a row of the table
static carom_status run_row(carom_flow *flow, const scratch *w, int row, double *q, double *u)
{
    const carom_sizes n = flow->s->size;
    const int N = substeps(flow, row), first = first_stage(flow, row);
    double *Q = flow->stage.Q + first * n.nq, *V = flow->stage.V + first * n.nu;
    copy(Q, flow->from.q, n.nq);
    copy(V, flow->from.u, n.nu);
    for (int i = 0; i < N; i++) {
        const bool is_last = i == N - 1;
        double *q_end = is_last ? q : Q + (i + 1) * n.nq, *u_end = is_last ? u : V + (i + 1) * n.nu;
        CAROM_TRY(take_substep(flow, w, row, i, q_end, u_end));
        if (is_last) break; // the forces stay in ev[0], for the norm
        carom_eval *held = flow->ev[0];
        flow->ev[0] = flow->ev[1];
        flow->ev[1] = held;
    }
    return CAROM_OK;
}

// A result of another row in T[row - first]: the last row of the table of all results from first
// on, the best in T[0]
static void extrapolate(const carom_flow *flow, int first, int row, int n, double *T)
{
    const double N = substeps(flow, row);
    for (int j = row; j > first; j--) {
        const double ratio = N / substeps(flow, j - 1), factor = 1 / (ratio * ratio - 1);
        double *to = T + (j - 1 - first) * n;
        const double *from = to + n;
        for (int i = 0; i < n; i++) to[i] = from[i] + factor * (from[i] - to[i]);
    }
}

// ---- order and length of the step ----

// of a row with k results: the length that it would need, and its work for each second
typedef struct choice {
    double length[MOST_ROWS + 1], work[MOST_ROWS + 1];
} choice;

static double work_of(const carom_flow *flow, int k)
{
    return first_stage(flow, k) + 2; // and the end
}

static int most_rows(const carom_flow *flow)
{
    return LEAST_ROWS + (int)flow->option[ORDER];
}

// the number of results that the step should need; one more than that may be tried
static int target_of(const carom_flow *flow, const carom_motion *now)
{
    const int most = most_rows(flow);
    const double known = now->memory[0], digits = -log10(flow->rtol * flow->share);
    const double wanted = known >= LEAST_ROWS ? known : floor(0.6 * digits + 1.5);
    return (int)fmax(LEAST_ROWS, fmin(wanted, most));
}

static void weigh(const carom_flow *flow, int k, double error, choice *it)
{
    const double factor = error > 0 ? 0.94 * pow(0.25 / error, 1.0 / (2 * k - 1)) : 10;
    it->length[k] = flow->h * fmin(factor, 10);
    it->work[k] = work_of(flow, k) / it->length[k];
}

// k results were good, target had been asked for: what the next step should do
static void choose_next(carom_flow *flow, const choice *it, int k, int target, double *best)
{
    const int most = most_rows(flow);
    int next = k;
    if (k == LEAST_ROWS) {
        next = (int)fmin(LEAST_ROWS + 1, most);
    } else if (k <= target) {
        if (it->work[k - 1] < 0.8 * it->work[k])
            next = k - 1;
        else if (it->work[k] < 0.9 * it->work[k - 1])
            next = (int)fmin(k + 1, most);
    } else {
        next = k - 1;
        if (k > LEAST_ROWS + 1 && it->work[k - 2] < 0.8 * it->work[k - 1]) next = k - 2;
        if (it->work[k] < 0.9 * it->work[next]) next = (int)fmin(k, most);
    }
    const double length =
        next <= k ? it->length[next] : it->length[k] * work_of(flow, next) / work_of(flow, k);
    *best = next;
    flow->pace.growth = length / flow->h;
}

// whether one more row will not do either: it divides the error by (n/n_1)^2, if not by more
static bool is_hopeless(const carom_flow *flow, int k, double error)
{
    const double gain = (double)substeps(flow, k) / substeps(flow, 0);
    return error > gain * gain;
}

static double estimate(carom_flow *flow, const scratch *w, const carom_motion *next)
{
    const carom_sizes n = flow->s->size;
    carom_model_difference(flow->s->model, w->T_q + n.nq, next->q, w->e_q);
    for (int i = 0; i < n.nu; i++) w->e_u[i] = next->u[i] - w->T_u[n.nu + i];
    return carom_flow_norm(flow, w->e_q, w->e_u, &flow->from, next);
}

// rows until the error is good, or no longer can be; the best result is left in next
static carom_status fill_table(carom_flow *flow, const scratch *w, const carom_motion *now,
                               carom_motion *next, double *error)
{
    const carom_sizes n = flow->s->size;
    const int most = most_rows(flow), target = flow->pace.is_fixed ? most : target_of(flow, now);
    mexx *self = flow->self;
    choice it = {{0}, {0}};
    for (int row = 0; row < most; row++) {
        const int k = self->rows = row + 1;
        CAROM_TRY(run_row(flow, w, row, w->T_q + row * n.nq, w->T_u + row * n.nu));
        extrapolate(flow, 0, row, n.nq, w->T_q);
        extrapolate(flow, 0, row, n.nu, w->T_u);
        if (k < LEAST_ROWS) continue;
        copy(next->q, w->T_q, n.nq);
        copy(next->u, w->T_u, n.nu);
        *error = estimate(flow, w, next);
        weigh(flow, k, *error, &it);
        flow->pace.growth = it.length[k] / flow->h;
        if (flow->pace.is_fixed || k < target - 1) continue;
        if (*error <= 1) {
            choose_next(flow, &it, k, target, &next->memory[0]);
            break;
        }
        if (k > target || (k == target && is_hopeless(flow, k, *error))) break;
    }
    return CAROM_OK;
}

// Substeps do not feel the end. Where it is pushed more than twice as hard as they ever were, by a
// blow that begins in the last of them, the table knows nothing of it.
static double surprise(carom_flow *flow, const scratch *w, const carom_motion *next)
{
    const int nu = flow->s->size.nu, row = ((const mexx *)flow->self)->rows - 1;
    const int N = substeps(flow, row);
    const double h = flow->h / N, *A = flow->stage.A + first_stage(flow, row) * nu;
    double worst = 0;
    for (int i = 0; i < nu; i++) {
        double most = 0;
        for (int k = 0; k < N; k++) most = fmax(most, fabs(A[k * nu + i]));
        const double excess = fmax(0, fabs(next->a[i]) - 2 * most);
        w->e_u[i] = h * excess;
        w->e_q[i] = h * h * excess;
        worst = fmax(worst, excess);
    }
    return worst > 0 ? carom_flow_norm(flow, w->e_q, w->e_u, &flow->from, next) : 0;
}

static carom_status mexx_attempt(carom_flow *flow, const carom_motion *now, double h,
                                 carom_motion *next, double *error)
{
    const scratch w = cut(flow);
    const int n_row = flow->s->size.n_row;
    double moved = 0;
    carom_stages_begin(flow, now, h);
    flow->pace.growth = 0;
    next->t = now->t + h;
    next->memory[0] = now->memory[0];
    CAROM_TRY(fill_table(flow, &w, now, next, error));
    carom_model_normalise(flow->s->model, next->q);
    const bool positions = carom_stages_keeps_positions(flow, (int)flow->option[PROJECTION]);
    if (n_row > 0) CAROM_TRY(carom_weak_settle_end(flow, next, positions, true, &moved));
    CAROM_TRY(carom_flow_accelerate(flow, next->t, next->q, next->u, next->a, next->la));
    const double unseen = fmax(moved, surprise(flow, &w, next));
    if (unseen > *error) {
        *error = unseen;
        flow->pace.growth = 0;
    }
    carom_stages_end(flow, next);
    return CAROM_OK;
}

static carom_status mexx_step(carom_flow *flow, const carom_motion *now, double h,
                              carom_motion *next, double *error)
{
    return carom_weak_step(flow, mexx_attempt, now, h, next, error);
}

// ---- inside the step ----

// D += weight times the rates of positions or velocities at a stage
static void add_rate(const carom_flow *flow, const scratch *w, bool is_q, int stage, double weight,
                     double *D)
{
    const carom_sizes n = flow->s->size;
    const double *rate = flow->stage.A + stage * n.nu;
    if (is_q) {
        carom_model_rates(flow->s->model, flow->stage.Q + stage * n.nq,
                          flow->stage.V + stage * n.nu, w->rate);
        rate = w->rate;
    }
    for (int i = 0; i < (is_q ? n.nq : n.nu); i++) D[i] += weight * rate[i];
}

// coefficient k of the polynomial: the k-th derivative in the middle, times H^k/k!
static void find_coefficient(const carom_flow *flow, const scratch *w, bool is_q, int k, double *c)
{
    const carom_sizes size = flow->s->size;
    const int n = is_q ? size.nq : size.nu, rows = ((const mexx *)flow->self)->rows;
    const int order = k - 1, first = k > 0 ? (order + 1) / 2 : 0; // of the difference
    for (int row = first; row < rows; row++) {
        const int N = substeps(flow, row), middle = first_stage(flow, row) + N / 2;
        double *D = w->D + (row - first) * n, weight = flow->h / k;
        if (k == 0)
            copy(D, is_q ? flow->stage.Q + middle * n : flow->stage.V + middle * n, n);
        else
            memset(D, 0, sizeof(double) * (size_t)n);
        for (int j = 1; j <= order; j++) weight *= 0.5 * N / j;
        for (int j = 0; j <= order; j++) {
            add_rate(flow, w, is_q, middle + order - 2 * j, weight, D);
            weight *= -(double)(order - j) / (j + 1);
        }
        extrapolate(flow, first, row, n, w->D);
    }
    copy(c, w->D, n);
}

// sum of c_i z^i below degree, and its slope
static double sum_of(const double *c, int n, int degree, double z, double *slope)
{
    double sum = 0;
    *slope = 0;
    for (int i = degree - 1; i >= 0; i--) {
        *slope = *slope * z + sum;
        sum = sum * z + c[i * n];
    }
    return sum;
}

// an end at z: what is there, and what it makes of the cubic
typedef struct end_of {
    double z;
    const double *y, *rate;
    double *value, *slope;
} end_of;

// the cubic behind the m coefficients, from value and slope at an end
static void find_end(const double *c, int n, int m, double h, const end_of *at)
{
    const double power = pow(at->z, m);
    for (int i = 0; i < n; i++) {
        double of_sum;
        const double sum = sum_of(c + i, n, m, at->z, &of_sum);
        at->value[i] = (at->y[i] - sum) / power;
        at->slope[i] = (h * at->rate[i] - of_sum) / power - m * at->value[i] / at->z;
    }
}

static void prepare_kind(const carom_flow *flow, const scratch *w, bool is_q)
{
    const int n = is_q ? flow->s->size.nq : flow->s->size.nu;
    const int m = 2 * ((const mexx *)flow->self)->rows - 2;
    const inside *it = is_q ? &w->q : &w->u;
    for (int k = 0; k < m; k++) find_coefficient(flow, w, is_q, k, it->c + k * n);
    for (int end = 0; end < 2; end++) {
        const carom_motion *at = end ? &flow->to : &flow->from;
        if (is_q) carom_model_rates(flow->s->model, at->q, at->u, w->rate);
        const double *y = is_q ? at->q : at->u, *rate = is_q ? w->rate : at->a;
        find_end(it->c, n, m, flow->h,
                 end ? &(end_of){0.5, y, rate, it->end, it->slope}
                     : &(end_of){-0.5, y, rate, it->start, it->start_slope});
    }
}

static void interpolate(const inside *it, int n, int m, double x, double *y)
{
    const double z = x - 0.5, power = pow(z, m);
    for (int i = 0; i < n; i++) {
        double unused;
        y[i] = sum_of(it->c + i, n, m, z, &unused) +
               power * carom_stages_cubic(x, it->start[i], it->start_slope[i], it->end[i],
                                          it->slope[i]);
    }
}

static carom_status mexx_dense(carom_flow *flow, double x, double *q, double *u)
{
    const scratch w = cut(flow);
    const int m = 2 * ((const mexx *)flow->self)->rows - 2;
    if (!flow->pace.looks_inside) {
        carom_stages_hermite(flow, x, q, u);
        return CAROM_OK;
    }
    if (!flow->pace.has_dense) {
        prepare_kind(flow, &w, true);
        prepare_kind(flow, &w, false);
        flow->pace.has_dense = true;
    }
    interpolate(&w.q, flow->s->size.nq, m, x, q);
    interpolate(&w.u, flow->s->size.nu, m, x, u);
    carom_model_normalise(flow->s->model, q);
    return CAROM_OK;
}

// ---- variation ----

// columns here and before; tables in the places of stages
enum { HERE, BEFORE = 2, RATE = CAROM_VARY_STAGES - 1 };

// one column through a substep: what was before is what comes next
static carom_status vary_column(carom_variation *v, int stage, int c, double share,
                                const double *here, double *before)
{
    const carom_flow *flow = v->flow;
    const carom_sizes n = flow->s->size;
    const size_t other = (size_t)v->room * (size_t)n.nu, at = (size_t)c * (size_t)n.nu;
    const double *dq = here + at, *du = dq + other;
    double *q = before + at, *u = q + other, *dA = carom_vary_stage(v, v->A, RATE, c);
    carom_vary_forces(v, flow->stage.la + stage * n.n_row, c, dq, du, v->right);
    carom_vary_move(v, flow->stage.V + stage * n.nu, dq, du, v->w);
    for (int j = 0; j < n.nu; j++) q[j] += share * v->w[j];
    carom_vary_rates(v, 1, c, q, u, v->r);
    for (int r = 0; r < n.n_row; r++) v->r[r] = -v->r[r] / share;
    CAROM_TRY(carom_vary_solve(v, 1, v->right, v->r, dA, v->l));
    for (int j = 0; j < n.nu; j++) u[j] += share * dA[j];
    return CAROM_OK;
}

static carom_status vary_substep(carom_variation *v, int row, int i, const double *here,
                                 double *before)
{
    carom_flow *flow = v->flow;
    const carom_sizes n = flow->s->size;
    const scratch w = cut(flow);
    const int N = substeps(flow, row), stage = first_stage(flow, row) + i;
    const double t = flow->from.t, H = flow->h, share = (i > 0 ? 2 : 1) * H / N;
    const double *Q = flow->stage.Q + stage * n.nq, *V = flow->stage.V + stage * n.nu;
    const double *a = flow->stage.A + stage * n.nu, *la = flow->stage.la + stage * n.n_row;
    const carom_vary_point at = {t + H * i / N, Q, V, a, la};
    CAROM_TRY(carom_vary_eval(v, 0, &at, CAROM_VARY_STAGE));
    move_on(flow, stage, i, share, w.rate, v->point);
    for (int k = 0; k < n.nu; k++) v->velocity[k] = (i > 0 ? V - n.nu : V)[k] + share * a[k];
    const carom_vary_point to = {t + H * (i + 1) / N, v->point, v->velocity, a, la};
    CAROM_TRY(carom_vary_eval(v, 1, &to, CAROM_VARY_RATE));
    for (int c = 0; c < v->n; c++) CAROM_TRY(vary_column(v, stage, c, share, here, before));
    return CAROM_OK;
}

// the substeps, differentiated, and the table of what they come to
static carom_status mexx_vary(carom_variation *v)
{
    const carom_flow *flow = v->flow;
    const int nu = flow->s->size.nu, all = v->n * nu, rows = ((const mexx *)flow->self)->rows;
    const int room = v->room * nu;
    for (int row = 0; row < rows; row++) {
        double *here = carom_vary_stage(v, v->Q, HERE, 0);
        double *before = carom_vary_stage(v, v->Q, BEFORE, 0);
        for (int k = 0; k < 2; k++) {
            copy(k ? before : here, v->q, all);
            copy((k ? before : here) + room, v->u, all);
        }
        for (int i = 0; i < substeps(flow, row); i++) {
            CAROM_TRY(vary_substep(v, row, i, here, before));
            double *kept = here;
            here = before;
            before = kept;
        }
        copy(carom_vary_stage(v, v->V, row, 0), here, all);
        copy(carom_vary_stage(v, v->A, row, 0), here + room, all);
        extrapolate(flow, 0, row, room, v->V);
        extrapolate(flow, 0, row, room, v->A);
    }
    copy(v->q, v->V, all);
    copy(v->u, v->A, all);
    return CAROM_OK;
}

static const carom_option options[] = {
    CAROM_HALF_EXPLICIT_ROWS(CAROM_PROJECT_POSITION), CAROM_MEXX_ROW, {0}};
static const unsigned masks[] = {CAROM_FLOW_STAGE, CAROM_FLOW_REST, CAROM_ROWS, 0};

const carom_smooth carom_smooth_mexx = {
    .name = "mexx",
    .about = "extrapolated half-explicit midpoint rule, order up to 12, chosen with the step",
    .reference = "C. Lubich, U. Nowak, U. Poehle, C. Engstler, MEXX - Numerical software for the "
                 "integration of constrained mechanical multibody systems, 1992",
    .order = 12,
    .exponent = 0.2,
    .share = 0.1,
    .n_stage = N_STAGE,
    .n_eval = 2,
    .mask = masks,
    .option = options,
    .n_memory = n_memory,
    .n_work = n_work,
    .prepare = prepare,
    .start = start,
    .step = mexx_step,
    .dense = mexx_dense,
    .search = mexx_dense,
    .vary = mexx_vary,
};
