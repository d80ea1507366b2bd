// SPDX-License-Identifier: Apache-2.0
// Sums over stages and polynomials through both ends of a step. Positions that are not plain are
// summed by their rates, q + h sum c_j Y(Q_j) V_j, and normalised once at the end of a step: one
// move by the summed velocities would have order 2. The quartic is the cubic plus c x^2
// (1-x)^2, which is flat at both ends, with c from the value in the middle.
#include "smooth/stages.h"

#include "dynamics/friction.h"
#include "model/model.h"
#include "smooth/smooth_options.h"
#include "smooth/weak.h"

#include <string.h>

static void copy(double *to, const double *from, int n)
{
    memcpy(to, from, sizeof(double) * (size_t)n);
}

void carom_stages_begin(carom_flow *flow, const carom_motion *now, double h)
{
    const carom_sizes n = flow->s->size;
    carom_flow_copy(flow, now, &flow->from);
    flow->h = h;
    flow->pace.has_dense = false;
    carom_weak_begin(flow, now);
    if (flow->solver->n_stage == 0) return;
    copy(flow->stage.Q, now->q, n.nq);
    copy(flow->stage.V, now->u, n.nu);
    copy(flow->stage.A, now->a, n.nu);
    copy(flow->stage.la, now->la, n.n_row);
}

void carom_stages_end(carom_flow *flow, const carom_motion *next)
{
    carom_flow_copy(flow, next, &flow->to);
}

static void sum_weighted(int nu, const double *c, int n, const double *K, double *sum)
{
    memset(sum, 0, sizeof(double) * (size_t)nu);
    for (int j = 0; j < n; j++) {
        if (c[j] == 0) continue;
        for (int i = 0; i < nu; i++) sum[i] += c[j] * K[j * nu + i];
    }
}

// sums of q' = Y(Q_j) V_j, whatever that does to the length of quaternions
static void move_along(const carom_flow *flow, const double *c, int n, double *q)
{
    const carom_sizes size = flow->s->size;
    double *sum = flow->q_rate, *rate = sum + size.nq;
    memset(sum, 0, sizeof(double) * (size_t)size.nq);
    for (int j = 0; j < n; j++) {
        if (c[j] == 0) continue;
        carom_model_rates(flow->s->model, flow->stage.Q + j * size.nq, flow->stage.V + j * size.nu,
                          rate);
        for (int i = 0; i < size.nq; i++) sum[i] += c[j] * rate[i];
    }
    for (int i = 0; i < size.nq; i++) q[i] = flow->from.q[i] + flow->h * sum[i];
}

void carom_stages_move(const carom_flow *flow, const double *c, int n, double *q)
{
    if (flow->s->model->n_plain < 0) {
        move_along(flow, c, n, q);
        return;
    }
    double *sum = flow->scratch;
    sum_weighted(flow->s->size.nu, c, n, flow->stage.V, sum);
    carom_model_move(flow->s->model, flow->from.q, sum, flow->h, q);
}

void carom_stages_sum(const carom_flow *flow, const double *c, int n, double *w)
{
    const int nu = flow->s->size.nu;
    sum_weighted(nu, c, n, flow->stage.A, w);
    for (int i = 0; i < nu; i++) w[i] = flow->from.u[i] + flow->h * w[i];
}

carom_status carom_stages_eval(carom_flow *flow, int k, double t, const double *q, const double *u,
                               unsigned mask)
{
    const carom_point at = {.t = t, .q = q, .u = u, .holds = flow->s->holds};
    flow->cost.F += (mask & CAROM_FORCES) != 0;
    flow->cost.G += (mask & CAROM_ROWS) != 0;
    flow->cost.G_q += (mask & CAROM_CURVATURE) != 0;
    CAROM_TRY(carom_model_eval(flow->s->plan, &at, mask, flow->ev[k], flow->s->error));
    if (!(mask & CAROM_FORCES)) return CAROM_OK;
    carom_saddle_turn_directions(flow->s->model, &flow->rows, flow->ev[k], u);
    return carom_friction_follow(flow->s->plan, &flow->rows, flow->ev[k], &at, flow->s->error);
}

carom_status carom_stages_solve(carom_flow *flow, double weight, const double *w, double share,
                                double *x, double *la)
{
    const int n_row = flow->s->size.n_row, nu = flow->s->size.nu;
    double *r = flow->scratch, *F = r + 2 * n_row;
    for (int i = 0; i < nu && weight != 0; i++) F[i] = weight * flow->ev[0]->f[i];
    carom_dynamics_rates(flow->ev[1], w, r);
    for (int i = 0; i < n_row; i++) r[i] = -r[i] / share;
    carom_saddle_strength strength = {0, 0, 1};
    const carom_saddle_limit limit = carom_weak_limit(flow, weight != 0);
    const carom_saddle_terms terms = {.mass = flow->ev[0],
                                      .rate = flow->ev[1],
                                      .F = weight != 0 ? F : NULL,
                                      .weight = weight,
                                      .r = r,
                                      .strength = &strength,
                                      .limit = &limit};
    flow->cost.solves++;
    CAROM_TRY(carom_saddle_solve(flow->saddle, &flow->rows, &terms, x, la, flow->s->error));
    carom_weak_note_strength(flow, &strength);
    return CAROM_OK;
}

bool carom_stages_keeps_positions(const carom_flow *flow, int projection)
{
    const carom_sizes n = flow->s->size;
    return projection == CAROM_PROJECT_POSITION ||
           (projection == CAROM_PROJECT_AUTO && n.n_body > 0 && n.n_constraint > 0) ||
           carom_weak_is_near(flow);
}

carom_status carom_stages_settle_end(carom_flow *flow, int projection, carom_motion *next,
                                     double *moved)
{
    *moved = 0;
    if (!carom_stages_keeps_positions(flow, projection)) return CAROM_OK;
    return carom_weak_settle_end(flow, next, true, true, moved);
}

// q' at both ends
static void find_rates(const carom_flow *flow, const double **rate0, const double **rate1)
{
    const carom_model *model = flow->s->model;
    *rate0 = flow->from.u;
    *rate1 = flow->to.u;
    if (model->n_plain >= 0) return;
    double *rate = flow->q_rate;
    carom_model_rates(model, flow->from.q, flow->from.u, rate);
    carom_model_rates(model, flow->to.q, flow->to.u, rate + model->size.nq);
    *rate0 = rate;
    *rate1 = rate + model->size.nq;
}

void carom_stages_hermite(const carom_flow *flow, double x, double *q, double *u)
{
    const carom_motion *from = &flow->from, *to = &flow->to;
    const double h = flow->h;
    const double *rate0, *rate1;
    find_rates(flow, &rate0, &rate1);
    for (int i = 0; i < flow->s->size.nq; i++)
        q[i] = carom_stages_cubic(x, from->q[i], h * rate0[i], to->q[i], h * rate1[i]);
    for (int i = 0; i < flow->s->size.nu; i++)
        u[i] = carom_stages_cubic(x, from->u[i], h * from->a[i], to->u[i], h * to->a[i]);
    carom_model_normalise(flow->s->model, q);
}

// values and rates at both ends, value at m inside
typedef struct quartic_ends {
    const double *y0, *rate0, *y1, *rate1, *middle;
    double m, h;
} quartic_ends;

static void quartic(int n, const quartic_ends *it, double x, double *restrict y)
{
    // what the loop writes is none of what it reads: it becomes vector code
    const double *restrict y0 = it->y0, *restrict y1 = it->y1, *restrict rate0 = it->rate0,
                           *restrict rate1 = it->rate1, *restrict middle = it->middle;
    const double m = it->m, h = it->h, bump = x * (1 - x) / (m * (1 - m)), share = bump * bump;
    for (int i = 0; i < n; i++) {
        const double d0 = h * rate0[i], d1 = h * rate1[i];
        y[i] = carom_stages_cubic(x, y0[i], d0, y1[i], d1) +
               share * (middle[i] - carom_stages_cubic(m, y0[i], d0, y1[i], d1));
    }
}

void carom_stages_quartic(const carom_flow *flow, double x, const carom_middle *middle, double *q,
                          double *u)
{
    const carom_motion *from = &flow->from, *to = &flow->to;
    const double *rate0, *rate1;
    find_rates(flow, &rate0, &rate1);
    const quartic_ends of_q = {from->q, rate0, to->q, rate1, middle->q, middle->x, flow->h};
    const quartic_ends of_u = {from->u, from->a, to->u, to->a, middle->u, middle->x, flow->h};
    quartic(flow->s->size.nq, &of_q, x, q);
    quartic(flow->s->size.nu, &of_u, x, u);
    carom_model_normalise(flow->s->model, q);
}
