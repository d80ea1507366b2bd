// SPDX-License-Identifier: Apache-2.0
// What the variations of all solvers share: the right sides of (1), its solution by the flow's own
// saddle systems, sums over stages, and the projection
//
//     G dq + g_p dp = 0                           held constraints and normals
//     G du + gamma_q dq + gamma_p dp = 0          all held rows
//
// least in the metric of the mass, as the flow's projection. The friction of a contact that slides
// is -mu la_N d: mu varies with parameters, and d = gamma_T/|gamma_T| of a slip in space turns,
//
//     dd = (I - d d') dgamma_T/|gamma_T|
#include "smooth/variation.h"

#include "dynamics/law.h"
#include "model/model.h"

#include <math.h>
#include <string.h>

static bool take_rows(carom_variation *v)
{
    const carom_sizes n = v->flow->s->size;
    carom_saddle_rows *rows = &v->rows;
    bool is_taken = (rows->is_held = CAROM_TAKE(v->arena, unsigned char, n.n_row)) != NULL;
    is_taken &= (rows->is_sliding = CAROM_TAKE(v->arena, unsigned char, n.n_contact)) != NULL;
    is_taken &= (rows->direction = CAROM_TAKE(v->arena, double, n.n_row)) != NULL;
    is_taken &= (rows->anchor = CAROM_TAKE(v->arena, double, n.n_row)) != NULL;
    is_taken &= (rows->still = CAROM_TAKE(v->arena, double, n.n_contact)) != NULL;
    is_taken &= (rows->reference = CAROM_TAKE(v->arena, double, n.n_row)) != NULL;
    return is_taken;
}

static bool take_all(carom_variation *v, int room)
{
    const carom_sizes n = v->flow->s->size;
    const int stages = CAROM_VARY_STAGES * room * n.nu;
    const struct {
        double **to;
        int n;
    } part[] = {{&v->q, room * n.nu}, {&v->u, room * n.nu}, {&v->a, room * n.nu},
                {&v->Q, stages},      {&v->V, stages},      {&v->A, stages},
                {&v->rate, n.n_row},  {&v->right, n.nu},    {&v->r, n.n_row},
                {&v->w, n.nu},        {&v->x, n.nu},        {&v->l, n.n_row},
                {&v->point, n.nq},    {&v->velocity, n.nu}, {&v->la, room * n.n_row}};
    bool is_taken = take_rows(v) && (v->parameter = CAROM_TAKE(v->arena, int, room)) != NULL;
    for (size_t i = 0; i < sizeof part / sizeof *part; i++)
        is_taken &= (*part[i].to = CAROM_TAKE(v->arena, double, part[i].n)) != NULL;
    for (int k = 0; k < 2; k++) is_taken &= (v->ev[k] = carom_plan_eval(v->flow->s->plan)) != NULL;
    return is_taken;
}

carom_status carom_variation_new(carom_flow *flow, int room, carom_variation **variation)
{
    *variation = NULL;
    carom_arena *arena = carom_arena_new();
    carom_variation *made = arena ? CAROM_TAKE(arena, carom_variation, 1) : NULL;
    if (made) {
        *made = (carom_variation){.flow = flow, .arena = arena, .room = room};
        if (take_all(made, room)) {
            *variation = made;
            return CAROM_OK;
        }
    }
    carom_arena_free(arena);
    return carom_fail(flow->s->error, CAROM_NO_MEMORY, "no memory for variations");
}

void carom_variation_free(carom_variation *v)
{
    if (v) carom_arena_free(v->arena);
}

void carom_vary_take_rows(carom_variation *v, const carom_saddle_rows *rows)
{
    const size_t n_row = (size_t)v->flow->s->size.n_row,
                 n_contact = (size_t)v->flow->s->size.n_contact;
    memcpy(v->rows.is_held, rows->is_held, n_row);
    memcpy(v->rows.is_sliding, rows->is_sliding, n_contact);
    memcpy(v->rows.direction, rows->direction, sizeof(double) * n_row);
    memcpy(v->rows.anchor, rows->anchor, sizeof(double) * n_row);
    memcpy(v->rows.still, rows->still, sizeof(double) * n_contact);
}

carom_status carom_vary_eval(carom_variation *v, int k, const carom_vary_point *at, unsigned mask)
{
    const carom_step *s = v->flow->s;
    const carom_point point = {
        .t = at->t, .q = at->q, .u = at->u, .a = at->a, .P = at->la, .holds = s->holds};
    CAROM_TRY(carom_model_eval(s->plan, &point, mask, v->ev[k], s->error));
    if (k > 0) return CAROM_OK;
    carom_saddle_turn_directions(s->model, &v->rows, v->ev[0], at->u);
    carom_dynamics_rates(v->ev[0], at->u, v->rate);
    return CAROM_OK;
}

// y += A x
static void add_product(const carom_sparse *A, const double *x, double *y)
{
    for (int i = 0; i < A->n_row; i++)
        for (int k = A->start[i]; k < A->start[i + 1]; k++) y[i] += A->value[k] * x[A->index[k]];
}

// y += factor times column j of A
static void add_column(const carom_sparse *A, int j, double factor, double *y)
{
    for (int i = 0; i < A->n_row; i++)
        for (int k = A->start[i]; k < A->start[i + 1]; k++)
            if (A->index[k] == j) y[i] += factor * A->value[k];
}

static double entry(const carom_sparse *A, int i, int j)
{
    for (int k = A->start[i]; k < A->start[i + 1]; k++)
        if (A->index[k] == j) return A->value[k];
    return 0;
}

// right += force times row r of W
static void push_along(const carom_variation *v, int r, double force, double *right)
{
    const carom_sparse *W = &v->ev[0]->rows.W;
    for (int k = W->start[r]; k < W->start[r + 1]; k++) right[W->index[k]] += force * W->value[k];
}

// the direction of a slip in space turns
static void turn_friction(carom_variation *v, const carom_contact_facts *facts, int c, double la_N,
                          const double *dgamma, double *right)
{
    const int r = facts->row;
    const double *gamma = v->rate + r, *d = v->rows.direction + r;
    const double length = hypot(gamma[1], gamma[2]);
    if (!(length > 2 * v->rows.still[c])) return; // it keeps the direction that it has
    const double along = d[1] * dgamma[r + 1] + d[2] * dgamma[r + 2];
    const double sign = d[1] * gamma[1] + d[2] * gamma[2] < 0 ? -1 : 1;
    for (int k = 1; k <= 2; k++) {
        const double turn = sign * (dgamma[r + k] - d[k] * along) / length;
        push_along(v, r + k, carom_law_drag(facts, turn) * la_N, right);
    }
}

// friction beside (W'P)_q with P = la: mu and the direction vary
static void vary_friction(carom_variation *v, const double *la, int column, const double *dq,
                          const double *du, double *right)
{
    const carom_step *s = v->flow->s;
    const int p = v->parameter[column];
    for (int c = 0; c < s->size.n_contact; c++) {
        const carom_contact_facts *facts = carom_plan_contact(s->plan, c);
        const int r = facts->row;
        if (!v->rows.is_sliding[c] || !v->rows.is_held[r]) continue;
        const double mu_p = p >= 0 ? entry(&v->ev[0]->variation.given_p, 3 * c + 2, p) : 0;
        for (int k = 1; k <= facts->n_slip && mu_p != 0; k++)
            push_along(v, r + k, -mu_p * la[r] * v->rows.direction[r + k], right);
        if (facts->n_slip != 2) continue;
        carom_vary_rates(v, 0, column, dq, du, v->l);
        turn_friction(v, facts, c, la[r], v->l, right);
    }
}

void carom_vary_forces(carom_variation *v, const double *la, int column, const double *dq,
                       const double *du, double *right)
{
    const carom_eval_derivatives *d = &v->ev[0]->derivatives;
    const int nu = v->flow->s->size.nu, p = v->parameter[column];
    memset(right, 0, sizeof(double) * (size_t)nu);
    add_product(&d->dMa_dq, dq, right);
    for (int i = 0; i < nu; i++) right[i] = -right[i];
    add_product(&d->df_dq, dq, right);
    add_product(&d->df_du, du, right);
    if (v->flow->s->size.n_row > 0) {
        add_product(&d->dWP_dq, dq, right);
        vary_friction(v, la, column, dq, du, right);
    }
    if (p < 0) return;
    add_column(&v->ev[0]->variation.force_p, p, 1, right);
    add_column(&v->ev[0]->variation.push_p, p, 1, right);
}

void carom_vary_rates(carom_variation *v, int k, int column, const double *dq, const double *du,
                      double *to)
{
    const carom_eval *ev = v->ev[k];
    memset(to, 0, sizeof(double) * (size_t)v->flow->s->size.n_row);
    if (v->flow->s->size.n_row == 0) return;
    add_product(&ev->derivatives.dgamma_dq, dq, to);
    if (du) add_product(&ev->rows.W, du, to);
    if (v->parameter[column] >= 0) add_column(&ev->variation.rate_p, v->parameter[column], 1, to);
}

carom_status carom_vary_solve(carom_variation *v, int k, const double *right, const double *r,
                              double *x, double *la)
{
    const carom_saddle_terms terms = {.mass = v->ev[0], .rate = v->ev[k], .F = right, .r = r};
    return carom_saddle_solve(v->flow->saddle, &v->rows, &terms, x, la, v->flow->s->error);
}

carom_status carom_vary_accelerations(carom_variation *v, const carom_vary_point *at,
                                      const double *dq, const double *du, double *da, double *dla)
{
    const carom_sizes n = v->flow->s->size;
    CAROM_TRY(carom_vary_eval(v, 0, at, CAROM_VARY_INDEX1));
    const carom_eval_variation *by = &v->ev[0]->variation;
    for (int k = 0; k < v->n; k++) {
        const double *q = dq + (size_t)k * (size_t)n.nu, *u = du + (size_t)k * (size_t)n.nu;
        carom_vary_forces(v, at->la, k, q, u, v->right);
        memset(v->r, 0, sizeof(double) * (size_t)n.n_row);
        if (n.n_row > 0) {
            add_product(&by->acceleration_q, q, v->r);
            add_product(&by->acceleration_u, u, v->r);
            if (v->parameter[k] >= 0) add_column(&by->acceleration_p, v->parameter[k], 1, v->r);
        }
        for (int i = 0; i < n.n_row; i++) v->r[i] = -v->r[i];
        CAROM_TRY(carom_vary_solve(v, 0, v->right, v->r, da + (size_t)k * (size_t)n.nu,
                                   dla + (size_t)k * (size_t)n.n_row));
    }
    return CAROM_OK;
}

void carom_vary_move(const carom_variation *v, const double *u, const double *dq, const double *du,
                     double *rate)
{
    const carom_model *model = v->flow->s->model;
    memcpy(rate, du, sizeof(double) * (size_t)model->size.nu);
    for (int i = 0; model->n_plain < 0 && i < model->chart.n_part; i++) {
        const carom_chart_part *part = &model->chart.part[i];
        if (part->kind != CAROM_CHART_QUATERNION) continue;
        const double *w = u + part->u, *x = dq + part->u;
        for (int j = 0; j < 3; j++) {
            const int k = (j + 1) % 3, l = (j + 2) % 3;
            rate[part->u + j] -= w[k] * x[l] - w[l] * x[k];
        }
    }
}

void carom_vary_sum(const carom_variation *v, const double *base, carom_vary_terms terms,
                    int column, double *sum)
{
    const int nu = v->flow->s->size.nu;
    memset(sum, 0, sizeof(double) * (size_t)nu);
    for (int j = 0; j < terms.n; j++) {
        const double *k = terms.K + ((size_t)j * (size_t)v->room + (size_t)column) * (size_t)nu;
        for (int i = 0; i < nu && terms.c[j] != 0; i++) sum[i] += terms.c[j] * k[i];
    }
    for (int i = 0; i < nu; i++) sum[i] = base[i] + v->flow->h * sum[i];
}

void carom_vary_note(carom_variation *v, int stage, int column, const double *u, const double *dq,
                     const double *du)
{
    carom_vary_move(v, u, dq, du, carom_vary_stage(v, v->V, stage, column));
}

carom_status carom_vary_begin(carom_variation *v)
{
    const carom_motion *from = &v->flow->from;
    const carom_vary_point at = {from->t, from->q, from->u, from->a, from->la};
    CAROM_TRY(carom_vary_accelerations(v, &at, v->q, v->u, v->a, v->la));
    const int nu = v->flow->s->size.nu;
    for (int k = 0; k < v->n; k++) {
        const double *du = v->u + (size_t)k * (size_t)nu;
        carom_vary_note(v, 0, k, from->u, v->q + (size_t)k * (size_t)nu, du);
        memcpy(carom_vary_stage(v, v->A, 0, k), v->a + (size_t)k * (size_t)nu,
               sizeof(double) * (size_t)nu);
    }
    return CAROM_OK;
}

// what a column leaves of the held equations and gaps
static void position_rest(carom_variation *v, int column, const double *dq, double *r)
{
    const carom_step *s = v->flow->s;
    const carom_sizes n = s->size;
    const carom_eval *ev = v->ev[0];
    const int p = v->parameter[column];
    memset(r, 0, sizeof(double) * (size_t)n.n_row);
    for (int k = 0; k < n.n_constraint; k++) {
        if (!v->rows.is_held[k] || carom_model_is_rate(s->model, k)) continue;
        r[k] = -carom_sparse_row_times(&ev->rows.W, k, dq);
        if (p >= 0) r[k] -= entry(&ev->variation.gap_p, k, p);
    }
    for (int c = 0; c < n.n_contact; c++) {
        const int row = carom_plan_contact(s->plan, c)->row;
        if (!v->rows.is_held[row]) continue;
        r[row] = -carom_sparse_row_times(&ev->rows.W, row, dq);
        if (p >= 0) r[row] -= entry(&ev->variation.gap_p, n.n_constraint + c, p);
    }
}

static carom_status correct(carom_variation *v, double *x)
{
    const carom_sizes n = v->flow->s->size;
    carom_saddle_rows rows = v->rows;
    rows.is_sliding = v->flow->none;
    const carom_saddle_terms terms = {.mass = v->ev[0], .r = v->r};
    CAROM_TRY(carom_saddle_solve(v->flow->saddle, &rows, &terms, v->x, v->l, v->flow->s->error));
    for (int i = 0; i < n.nu; i++) x[i] += v->x[i];
    return CAROM_OK;
}

carom_status carom_vary_project(carom_variation *v, const carom_motion *at)
{
    const carom_sizes n = v->flow->s->size;
    bool is_held = false;
    for (int r = 0; r < n.n_row; r++) is_held |= v->rows.is_held[r];
    if (!is_held) return CAROM_OK;
    const carom_vary_point point = {at->t, at->q, at->u, at->a, at->la};
    CAROM_TRY(carom_vary_eval(v, 0, &point, CAROM_VARY_PROJECT));
    for (int k = 0; k < v->n; k++) {
        double *dq = v->q + (size_t)k * (size_t)n.nu, *du = v->u + (size_t)k * (size_t)n.nu;
        position_rest(v, k, dq, v->r);
        CAROM_TRY(correct(v, dq));
        carom_vary_rates(v, 0, k, dq, du, v->r);
        for (int r = 0; r < n.n_row; r++) v->r[r] = v->rows.is_held[r] ? -v->r[r] : 0;
        CAROM_TRY(correct(v, du));
    }
    return CAROM_OK;
}
