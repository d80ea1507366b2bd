// SPDX-License-Identifier: Apache-2.0
// One implicit GGL step as a system of equations in q+, u+, P, psi. The midpoint m has the means
// of both ends, the mass is taken at q_e = q + h/2 u.
//
//     q+ - q - h u_m - W_m' psi = 0          or  M(q_e) (q+ - q - h u_m) - W_m' psi = 0
//     M(q_e) (u+ - u) - h f(t_m, q_m, u_m) - W_m' P = 0
//     rate = 0  or  P   = 0          rate = gamma(q+, u+) + e gamma(q, u)
//     gap  = 0  or  psi = 0          gap  = g(t+, q+)
//
// Printed rows (eqs 41, 42) have instead, with the obstacle's motion w0 to second order and the
// first equation put in for psi:
//
//     rate = (1 + e) gamma(q, u) + W_m (u+ - u) + 2 (w0_m - w0)
//     gap  = g(q) + W_m (q+ - q) + h w0_m
//
// Where positions are not plain q+ = q (+) dq, with dq in place of q+ - q as the unknown, and q_m =
// q (+) dq/2. The matrix takes d(q+)/d(dq) for the unit matrix: residuals are exact, and the terms
// that are left out are smaller by h omega.
//
// S. Schoeder, H. Ulbrich, Th. Schindler, Discussion of the Gear-Gupta-Leimkuhler method for
// impacting mechanical systems, 2014, eqs 36-52.
#include "integrators/ggl_system.h"

#include "dynamics/law.h"
#include "math/blockmass.h"
#include "model/plan.h"

#include <math.h>
#include <string.h>

static int entries(const carom_sparse *matrix)
{
    return matrix->start[matrix->n_row];
}

static bool take_memory(const carom_step *s, carom_ggl_system *g)
{
    carom_arena *arena = g->arena;
    const int n = s->size.nu, rows = s->size.n_row;
    double **const per_row[] = {&g->P,   &g->psi,   &g->gamma_minus, &g->w0_start, &g->gap_start,
                                &g->d_P, &g->d_psi, &g->rate,        &g->gap,      &g->length};
    double **const per_velocity[] = {&g->dq, &g->u_m, &g->v};
    bool is_whole = true;
    for (size_t i = 0; i < sizeof per_row / sizeof *per_row; i++)
        is_whole = (*per_row[i] = CAROM_TAKE(arena, double, rows)) && is_whole;
    for (size_t i = 0; i < sizeof per_velocity / sizeof *per_velocity; i++)
        is_whole = (*per_velocity[i] = CAROM_TAKE(arena, double, n)) && is_whole;
    g->q_m = CAROM_TAKE(arena, double, s->size.nq);
    g->x = CAROM_TAKE(arena, double, 2 * n + 2 * rows);
    g->row = CAROM_TAKE(arena, int, rows);
    g->contact = CAROM_TAKE(arena, int, rows);
    g->touched = CAROM_TAKE(arena, int, n);
    return is_whole && g->q_m && g->x && g->row && g->contact && g->touched;
}

carom_status carom_ggl_system_new(carom_step *s, carom_ggl_system **system)
{
    const carom_eval *ev = s->ev[1];
    const int n = s->size.nu, n_normal = s->size.n_constraint + s->size.n_contact,
              all = 2 * n + 2 * n_normal;
    const int sparse = 2 * n + entries(&ev->derivatives.df_dq) + entries(&ev->derivatives.df_du) +
                       3 * entries(&ev->derivatives.dWP_dq) + carom_mass_n_entry(ev->mass) +
                       4 * entries(&ev->rows.W) + 2 * entries(&ev->derivatives.dgamma_dq) +
                       2 * n_normal;
    *system = NULL;
    carom_arena *arena = carom_arena_new();
    carom_ggl_system *g = arena ? CAROM_TAKE(arena, carom_ggl_system, 1) : NULL;
    if (g) g->arena = arena;
    if (!g || !take_memory(s, g)) {
        carom_arena_free(arena);
        return carom_fail(s->error, CAROM_NO_MEMORY, "not enough memory for the scheme");
    }
    carom_status status = carom_linear_new(all, sparse, &g->matrix, s->error);
    if (status == CAROM_OK) status = carom_theta_new(s, 0.5, s->ev[0], &g->free);
    if (status == CAROM_OK)
        *system = g;
    else
        carom_ggl_system_free(g);
    return status;
}

void carom_ggl_system_free(carom_ggl_system *g)
{
    if (!g) return;
    carom_linear_free(g->matrix);
    carom_theta_free(g->free);
    carom_ggl_friction_free(g->rough);
    carom_arena_free(g->arena);
}

// rates and gaps at the start, once in a step
static carom_status look_at_start(carom_step *s, const carom_state *now)
{
    carom_ggl_system *g = s->self;
    const carom_eval *at = s->ev[1];
    const carom_point start = {.t = now->t, .q = now->q, .u = now->u, .holds = s->holds};
    if (g->has_start) return CAROM_OK;
    g->has_start = true;
    CAROM_TRY(carom_plan_ask(s->plan, &start, CAROM_GGL_START, s->ev[1], s->error));
    carom_dynamics_rates(at, now->u, g->gamma_minus);
    memcpy(g->w0_start, at->rows.w0, sizeof(double) * (size_t)s->size.n_row);
    memcpy(g->gap_start, at->gaps.constraint, sizeof(double) * (size_t)s->size.n_constraint);
    for (int c = 0; c < s->size.n_contact; c++)
        g->gap_start[carom_plan_contact(s->plan, c)->row] = at->gaps.value[c];
    return CAROM_OK;
}

carom_status carom_ggl_choose_rows(carom_step *s, const carom_state *now,
                                   const unsigned char *is_active)
{
    carom_ggl_system *g = s->self;
    g->n = 0;
    for (int k = 0; k < s->size.n_constraint; k++, g->n++) {
        g->row[g->n] = k;
        g->contact[g->n] = -1;
    }
    for (int c = 0; c < s->size.n_contact; c++) {
        if (!is_active[c]) continue;
        g->row[g->n] = carom_plan_contact(s->plan, c)->row;
        g->contact[g->n++] = c;
    }
    if (g->rough) carom_ggl_friction_choose(s);
    return g->n > 0 ? look_at_start(s, now) : CAROM_OK;
}

// sizes of the rows of W: the mass is that of the explicit midpoint
static void measure_rows(const carom_step *s, const carom_sparse *W)
{
    const carom_ggl_system *g = s->self;
    memset(g->v, 0, sizeof(double) * (size_t)s->size.nu);
    for (int k = 0; k < g->n; k++) {
        const int r = g->row[k], first = W->start[r], n = W->start[r + 1] - first;
        const int n_touched = carom_mass_solve_sparse(s->ev[0]->mass, n, W->index + first,
                                                      W->value + first, g->v, g->touched);
        g->d_P[k] = carom_sparse_row_times(W, r, g->v);
        for (int i = 0; i < n_touched; i++) g->v[g->touched[i]] = 0;
        g->d_psi[k] = g->length[k] = 0;
        for (int e = first; e < first + n; e++) {
            g->d_psi[k] += W->value[e] * W->value[e];
            g->length[k] += fabs(W->value[e]);
        }
        if (g->rows.moves_masses) g->d_psi[k] = g->d_P[k];
    }
    if (g->rough) carom_ggl_friction_measure(s);
}

double carom_ggl_law_factor(const carom_step *s, int contact)
{
    const carom_ggl_system *g = s->self;
    const bool rests = contact >= 0 && s->rests && !g->rows.adds_closing && s->rests[contact];
    return contact < 0 || rests ? 0 : carom_law_factor(carom_plan_contact(s->plan, contact), 0);
}

// rate and gap at the end of the step
static carom_status look_at_end(carom_step *s, const carom_state *now, const carom_state *next,
                                unsigned mask)
{
    const carom_ggl_system *g = s->self;
    const carom_eval *end = s->ev[3];
    const double *P = carom_ggl_is_rough(g->rough) ? carom_ggl_friction_P(s, true) : g->P;
    const carom_point at = {
        .t = now->t + s->h, .q = next->q, .u = next->u, .P = P, .holds = s->holds};
    CAROM_TRY(carom_plan_ask(s->plan, &at, mask, s->ev[3], s->error));
    for (int k = 0; k < g->n; k++) {
        const int r = g->row[k], c = g->contact[k];
        const double gamma = carom_sparse_row_times(&end->rows.W, r, next->u) + end->rows.w0[r];
        g->rate[k] = carom_law_excess(carom_ggl_law_factor(s, c), g->gamma_minus[r], gamma);
        g->gap[k] = c < 0 ? end->gaps.constraint[r] : end->gaps.value[c];
    }
    if (g->rough) carom_ggl_friction_look(s, next);
    return CAROM_OK;
}

// rate and gap as printed, from the rows of the midpoint
static void look_as_printed(carom_step *s, const carom_state *now, const carom_state *next)
{
    const carom_ggl_system *g = s->self;
    const carom_eval *mid = s->ev[1];
    const bool is_plain = s->model->n_plain >= 0;
    for (int k = 0; k < g->n; k++) {
        const int r = g->row[k];
        const carom_sparse *W = &mid->rows.W;
        const double w0 = mid->rows.w0[r], factor = carom_ggl_law_factor(s, g->contact[k]);
        g->rate[k] = (1 + factor) * g->gamma_minus[r] + 2 * (w0 - g->w0_start[r]);
        g->gap[k] = g->gap_start[r] + s->h * w0;
        for (int i = W->start[r]; i < W->start[r + 1]; i++) {
            const int j = W->index[i];
            g->rate[k] += W->value[i] * (next->u[j] - now->u[j]);
            g->gap[k] += W->value[i] * (is_plain ? next->q[j] - now->q[j] : g->dq[j]);
        }
    }
}

// the printed rows' derivatives are those of gamma with half the change of u, and with the mean
// rate of q, in place of u
static carom_status derive_as_printed(carom_step *s, const carom_state *now,
                                      const carom_state *next)
{
    const carom_ggl_system *g = s->self;
    carom_point at = {
        .t = now->t + 0.5 * s->h, .q = g->q_m, .u = g->v, .P = g->P, .holds = s->holds};
    for (int i = 0; i < s->size.nu; i++) g->v[i] = 0.5 * (next->u[i] - now->u[i]);
    CAROM_TRY(carom_plan_ask(s->plan, &at, CAROM_D_ROWS, s->ev[1], s->error));
    if (!g->rows.has_gaps) return CAROM_OK;
    const bool is_plain = s->model->n_plain >= 0;
    for (int i = 0; i < s->size.nu; i++)
        g->v[i] = (is_plain ? next->q[i] - now->q[i] : g->dq[i]) / s->h;
    at.P = g->psi;
    return carom_plan_ask(s->plan, &at, CAROM_D_ROWS, s->ev[2], s->error);
}

carom_status carom_ggl_look_at_rows(carom_step *s, const carom_state *now, const carom_state *next,
                                    bool with_derivatives)
{
    const carom_ggl_system *g = s->self;
    for (int i = 0; i < s->size.nu; i++) g->u_m[i] = 0.5 * (now->u[i] + next->u[i]);
    if (s->model->n_plain >= 0)
        for (int i = 0; i < s->size.nq; i++) g->q_m[i] = 0.5 * (now->q[i] + next->q[i]);
    else
        carom_model_moved(s->model, now->q, g->dq, 0.5, g->q_m);
    carom_point mid = {
        .t = now->t + 0.5 * s->h, .q = g->q_m, .u = g->u_m, .P = g->P, .holds = s->holds};
    if (g->rows.is_printed) {
        const unsigned mask = with_derivatives ? CAROM_GGL_MIDDLE : CAROM_ROWS;
        CAROM_TRY(carom_plan_ask(s->plan, &mid, mask, s->ev[1], s->error));
        look_as_printed(s, now, next);
        if (with_derivatives) CAROM_TRY(derive_as_printed(s, now, next));
    } else {
        CAROM_TRY(
            look_at_end(s, now, next, with_derivatives ? CAROM_GGL_END_ALL : CAROM_GGL_START));
        if (!with_derivatives) return CAROM_OK;
        if (carom_ggl_is_rough(g->rough)) mid.P = carom_ggl_friction_P(s, false);
        CAROM_TRY(carom_plan_ask(s->plan, &mid, CAROM_GGL_MIDDLE_ALL, s->ev[1], s->error));
        mid.P = g->psi;
        if (g->rows.has_gaps)
            CAROM_TRY(carom_plan_ask(s->plan, &mid, CAROM_D_ROWS, s->ev[2], s->error));
    }
    measure_rows(s, &s->ev[1]->rows.W);
    return CAROM_OK;
}
