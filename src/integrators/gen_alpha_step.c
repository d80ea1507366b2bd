// SPDX-License-Identifier: Apache-2.0
// The equations of one nonsmooth generalised-alpha step and their exact derivative. At the end of a
// step, with the acceleration-like variable a, the position correction U and the velocity jump W:
//
//     q  = q_n + h u_n + h^2 (1/2 - beta) a_n + h^2 beta a + U
//     v~ = u_n + h (1 - gamma) a_n + h gamma a,     v = v~ + W
//     (1 - alpha_m) a + alpha_m a_n = (1 - alpha_f) v~' + alpha_f v~'_n
//
//     r1 = h [M v~' - f(q, v)]  =  W_B' (h la)
//     r2 = M U/h                =  W_N' (nu/h) + 1/2 W_T' Lambda_T    (level = velocity: U = h/2 W)
//     r3 = M W                  =  W' Lambda
//
//     alpha_m = (2 rho - 1)/(rho + 1)       gamma = 1/2 + alpha_f - alpha_m
//     alpha_f = rho/(rho + 1)               beta  = (gamma + 1/2)^2/4
//
// The unknowns are x = (h a, U/h, W), all velocities. A change dx of them changes
//
//     dq = h (beta dx1 + dx2),     dv~ = gamma dx1,     dv = dv~ + dx3
//
// from which the derivative of r follows by blocks. What the rows W ask is in gen_alpha_rows.c;
// the scheme that iterates is schemes/nonsmooth_gen_alpha.c.
//
// O. Bruels, V. Acary, A. Cardona, CMAME 281, 2014; friction in U: G. Capobianco, J. Harsch,
// S. R. Eugster, R. I. Leine, IJNME 122, 2021.
#include "integrators/gen_alpha_step.h"
#include "dynamics/active.h"
#include "dynamics/law.h"
#include "math/vector.h"
#include "model/plan.h"

#include <float.h>
#include <math.h>
#include <string.h>

static bool take_memory(carom_gen_alpha *g, carom_sizes size)
{
    carom_arena *arena = g->arena;
    double **const of_nu[] = {&g->q_base, &g->v_base, &g->a_base, &g->v_smooth,
                              &g->v,      &g->a_dot,  &g->dq};
    double **const of_row[] = {&g->p[0], &g->p[1], &g->p[2], &g->force, &g->push, &g->gamma_minus};
    double **const of_three[] = {&g->x, &g->residual, &g->free, &g->dx};
    bool is_there = true;
    for (int i = 0; i < 7; i++)
        is_there &= (*of_nu[i] = CAROM_TAKE(arena, double, size.nu)) != NULL;
    for (int i = 0; i < 6; i++)
        is_there &= (*of_row[i] = CAROM_TAKE(arena, double, size.n_row)) != NULL;
    for (int i = 0; i < 4; i++)
        is_there &= (*of_three[i] = CAROM_TAKE(arena, double, 3 * size.nu)) != NULL;
    g->q = CAROM_TAKE(arena, double, size.nq);
    g->is_near = CAROM_TAKE(arena, unsigned char, size.n_contact);
    g->is_closed = CAROM_TAKE(arena, unsigned char, size.n_contact);
    return is_there && g->q && g->is_near && g->is_closed;
}

carom_status carom_gen_alpha_new(carom_step *s, double rho, bool on_position,
                                 carom_gen_alpha **method)
{
    carom_arena *arena = carom_arena_new();
    carom_gen_alpha *g = arena ? CAROM_TAKE(arena, carom_gen_alpha, 1) : NULL;
    *method = NULL;
    if (!g) {
        carom_arena_free(arena);
        return carom_fail(s->error, CAROM_NO_MEMORY, "not enough memory for the scheme");
    }
    g->arena = arena;
    g->on_position = on_position;
    // the parameters of Chung and Hulbert: order 2, spectral radius rho at infinite frequency
    g->weights.alpha_m = (2 * rho - 1) / (rho + 1);
    g->weights.alpha_f = rho / (rho + 1);
    g->weights.gamma = 0.5 + g->weights.alpha_f - g->weights.alpha_m;
    g->weights.beta = 0.25 * (g->weights.gamma + 0.5) * (g->weights.gamma + 0.5);
    carom_status status = CAROM_OK;
    if (!take_memory(g, s->size))
        status = carom_fail(s->error, CAROM_NO_MEMORY, "not enough memory for the scheme");
    if (status == CAROM_OK) status = carom_gen_alpha_matrix_new(s, g);
    if (status == CAROM_OK) status = carom_gen_alpha_rows_new(s, g);
    if (status == CAROM_OK)
        *method = g;
    else
        carom_gen_alpha_free(g);
    return status;
}

void carom_gen_alpha_free(carom_gen_alpha *g)
{
    if (!g) return;
    carom_gen_alpha_matrix_free(&g->matrix);
    carom_gen_alpha_rows_free(&g->rows);
    carom_arena_free(g->arena);
}

void carom_gen_alpha_begin(carom_step *s, const carom_state *now, const double *a,
                           const double *a_dot)
{
    carom_gen_alpha *g = s->self;
    const int n = s->size.nu;
    const double h = s->h, share = 1 / (1 - g->weights.alpha_f);
    const double of_q = h * h * (0.5 - g->weights.beta), of_v = h * (1 - g->weights.gamma);
    const double of_a = share * g->weights.alpha_m, of_dot = share * g->weights.alpha_f;
    const double *restrict u = now->u;
    double *restrict x = g->x, *restrict q_base = g->q_base, *restrict v_base = g->v_base;
    memset(x + n, 0, 2 * sizeof(double) * (size_t)n);
    for (int i = 0; i < n; i++) {
        x[i] = h * a[i];
        q_base[i] = h * u[i] + of_q * a[i];
        v_base[i] = u[i] + of_v * a[i];
    }
    for (int i = 0; i < n; i++) g->a_base[i] = of_a * a[i] - of_dot * a_dot[i];
    for (int k = 0; k < CAROM_N_LEVEL; k++)
        memset(g->p[k], 0, sizeof(double) * (size_t)s->size.n_row);
    // loads of joint friction
    for (int r = 0; s->size.n_disc > 0 && r < s->size.n_constraint; r++)
        g->p[CAROM_LEVEL_FORCE][r] = h * now->la[r];
    g->rows.problem.n_row = g->rows.problem.n_block = 0;
    g->has_start = g->has_near = g->has_jumps = false;
    memset(g->is_near, 0, (size_t)s->size.n_contact);
    memset(g->is_closed, 0, (size_t)s->size.n_contact);
}

bool carom_gen_alpha_has_rows(const carom_step *s)
{
    const carom_gen_alpha *g = s->self;
    return carom_active_always(&s->size) || g->has_near;
}

void carom_gen_alpha_place_end(carom_step *s, const carom_state *now)
{
    carom_gen_alpha *g = s->self;
    const int n = s->size.nu;
    const double h = s->h, beta = g->weights.beta, gamma = g->weights.gamma,
                 share = (1 - g->weights.alpha_m) / (1 - g->weights.alpha_f) / h;
    const double *restrict x = g->x, *restrict shift = g->x + n, *restrict jump = g->x + 2 * n;
    const double *restrict q_base = g->q_base, *restrict v_base = g->v_base;
    double *restrict dq = g->dq, *restrict v_smooth = g->v_smooth, *restrict v = g->v;
    for (int i = 0; i < n; i++) dq[i] = q_base[i] + h * (beta * x[i] + shift[i]);
    for (int i = 0; i < n; i++) {
        v_smooth[i] = v_base[i] + gamma * x[i];
        v[i] = v_smooth[i] + jump[i];
    }
    for (int i = 0; i < n; i++) g->a_dot[i] = share * x[i] + g->a_base[i];
    for (int r = 0; r < s->size.n_row; r++) g->force[r] = g->p[CAROM_LEVEL_FORCE][r] / h;
    carom_model_moved(s->model, now->q, g->dq, 1, g->q);
}

carom_status carom_gen_alpha_look_at_end(carom_step *s, const carom_state *now)
{
    const carom_gen_alpha *g = s->self;
    carom_gen_alpha_place_end(s, now);
    const carom_point at = {
        .t = now->t + s->h, .q = g->q, .u = g->v, .a = g->a_dot, .P = g->force, .holds = s->holds};
    const bool is_held = carom_gen_alpha_has_rows(s);
    return carom_plan_ask(s->plan, &at, is_held ? CAROM_GEN_ALPHA_HELD : CAROM_GEN_ALPHA_FREE,
                          s->ev[0], s->error);
}

bool carom_gen_alpha_notice_contacts(carom_step *s)
{
    carom_gen_alpha *g = s->self;
    bool is_new = false;
    for (int c = 0; c < s->size.n_contact; c++) {
        if (g->is_near[c] || !(s->ev[0]->gaps.value[c] <= 0)) continue;
        g->is_near[c] = g->is_closed[c] = 1;
        g->has_near = is_new = true;
    }
    return is_new;
}

// r without multipliers
static void fill_residual(const carom_step *s, carom_gen_alpha *g)
{
    const int n = s->size.nu;
    const carom_eval *ev = s->ev[0];
    double *r = g->residual, *x = g->x;
    const double h = s->h, *restrict f = ev->f;
    carom_mass_times(ev->mass, g->a_dot, r);
    for (int i = 0; i < n; i++) r[i] = h * (r[i] - f[i]);
    if (!carom_gen_alpha_has_rows(s)) return;
    if (!g->has_jumps) {
        memset(r + n, 0, 2 * sizeof(double) * (size_t)n);
        return;
    }
    carom_mass_times(ev->mass, x + 2 * n, r + 2 * n);
    if (g->on_position)
        carom_mass_times(ev->mass, x + n, r + n);
    else
        for (int i = 0; i < n; i++) r[n + i] = x[n + i] - 0.5 * x[2 * n + i];
}

// what U and W add: derivatives of M U/h - W' push at u = v~ and of M W - W' Lambda
static carom_status look_at_slopes(carom_step *s, carom_gen_alpha *g, double t)
{
    const int n = s->size.nu, rows = s->size.n_row;
    memcpy(g->push, g->p[CAROM_LEVEL_POSITION], sizeof(double) * (size_t)rows);
    for (int c = 0; c < s->size.n_contact; c++) {
        const carom_contact_facts *facts = carom_plan_contact(s->plan, c);
        for (int k = 1; k <= facts->n_slip; k++)
            g->push[facts->row + k] = 0.5 * g->p[CAROM_LEVEL_VELOCITY][facts->row + k];
    }
    const carom_point of_u = {
        .t = t, .q = g->q, .u = g->v_smooth, .a = g->x + n, .P = g->push, .holds = s->holds};
    const carom_point of_w = {.t = t,
                              .q = g->q,
                              .u = g->v,
                              .a = g->x + 2 * n,
                              .P = g->p[CAROM_LEVEL_VELOCITY],
                              .holds = s->holds};
    CAROM_TRY(carom_plan_ask(s->plan, &of_u, CAROM_GEN_ALPHA_SLOPE, s->ev[1], s->error));
    return carom_plan_ask(s->plan, &of_w, CAROM_GEN_ALPHA_SLOPE, s->ev[2], s->error);
}

static carom_status pass_free(carom_step *s, const carom_gen_alpha *g)
{
    CAROM_TRY(carom_gen_alpha_factor_free(s));
    for (int i = 0; i < s->size.nu; i++) g->dx[i] = -g->residual[i];
    carom_gen_alpha_solve_free(s, g->dx);
    return CAROM_OK;
}

// rates W u + w0; what is no more than their rounding counts as 0 and is no impact
static void find_rates(const carom_eval *ev, const double *u, double *gamma)
{
    const carom_sparse *W = &ev->rows.W;
    for (int r = 0; r < W->n_row; r++) {
        double sum = ev->rows.w0[r], size = fabs(ev->rows.w0[r]);
        for (int k = W->start[r]; k < W->start[r + 1]; k++) {
            const double part = W->value[k] * u[W->index[k]];
            sum += part;
            size += fabs(part);
        }
        gamma[r] = fabs(sum) <= 64 * DBL_EPSILON * size ? 0 : sum;
    }
}

// rates at the start of the step, for the restitution
static carom_status look_at_start(carom_step *s, carom_gen_alpha *g, const carom_state *now)
{
    if (g->has_start) return CAROM_OK;
    const carom_point at = {.t = now->t, .q = now->q, .u = now->u, .holds = s->holds};
    CAROM_TRY(carom_plan_ask(s->plan, &at, CAROM_GEN_ALPHA_START, s->ev[3], s->error));
    find_rates(s->ev[3], now->u, g->gamma_minus);
    g->has_start = true;
    return CAROM_OK;
}

static carom_status pass_held(carom_step *s, carom_gen_alpha *g, const carom_state *now)
{
    CAROM_TRY(look_at_start(s, g, now));
    if (!g->matrix.can_split || g->matrix.has_rates) CAROM_TRY(look_at_slopes(s, g, now->t + s->h));
    carom_gen_alpha_rows_choose(s);
    CAROM_TRY(carom_gen_alpha_factor_held(s));
    CAROM_TRY(carom_gen_alpha_rows_solve(s));
    carom_gen_alpha_rows_move(s);
    return CAROM_OK;
}

bool carom_gen_alpha_is_linear(const carom_gen_alpha *g)
{
    return g->matrix.is_constant && !g->matrix.has_rates;
}

carom_status carom_gen_alpha_pass(carom_step *s, const carom_state *now, double *change)
{
    carom_gen_alpha *g = s->self;
    const bool is_held = carom_gen_alpha_has_rows(s);
    const int n = is_held ? 3 * s->size.nu : s->size.nu;
    fill_residual(s, g);
    CAROM_TRY(is_held ? pass_held(s, g, now) : pass_free(s, g));
    g->has_jumps |= is_held;
    for (int i = 0; i < n; i++) g->x[i] += g->dx[i];
    *change = carom_vector_is_finite(g->dx, n) ? carom_vector_largest(g->dx, n) : NAN;
    return CAROM_OK;
}

void carom_gen_alpha_report(carom_step *s, const carom_state *next)
{
    const carom_gen_alpha *g = s->self;
    const double *w0 = s->ev[0]->rows.w0;
    carom_step_report *r = &s->report;
    if (!carom_gen_alpha_has_rows(s)) return;
    find_rates(s->ev[0], next->u, r->rate_after);
    memcpy(r->rate_before, g->gamma_minus, sizeof(double) * (size_t)s->size.n_row);
    for (int k = 0; k < s->size.n_constraint; k++) r->obstacle_work -= next->P[k] * w0[k];
    for (int c = 0; c < s->size.n_contact; c++) {
        const carom_contact_facts *facts = carom_plan_contact(s->plan, c);
        for (int i = facts->row; i <= facts->row + facts->n_slip; i++) {
            if (!g->is_closed[c] && !carom_law_is_disc(facts))
                r->rate_before[i] = r->rate_after[i] = 0;
            if (next->P[i] == 0) continue;
            const double lost = -0.5 * next->P[i] * (r->rate_before[i] + r->rate_after[i]);
            *(i == facts->row ? &r->impact_loss : &r->friction_loss) += lost;
            r->obstacle_work -= next->P[i] * w0[i];
        }
    }
}
