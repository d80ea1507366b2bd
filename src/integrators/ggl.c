// SPDX-License-Identifier: Apache-2.0
// The implicit GGL step: active set, Newton's method on the system of ggl_system.c, and what the
// step reports.
//
//     1. A = {g(q + h/2 u) <= 0}
//     2. start from (q+, u+, P, psi) = (q + h u, u, P of the last step on A, 0)
//     3. Newton's method with prox rows (ggl_newton.c), until |dq| <= 1e-12 Q, |du| <= 1e-12 U, and
//        the laws hold; without rows q+ = q + h u_m is put in, and Newton's method is that of
//        integrators/theta on u+ alone
//     4. where the scheme asks for it, contacts that would end with g(q+) < 0 join A: again from 2,
//        with a little load on those that had none
//
// U is the largest velocity met in the step, h M^-1 f included, Q the largest of |q| and h U. On
// the slider-crank (U = 150 rad/s) this is the paper's test, 1e-12 with velocities scaled by 1/100.
#include "integrators/ggl.h"

#include "dynamics/active.h"
#include "dynamics/law.h"
#include "integrators/ggl_system.h"
#include "model/plan.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { MOST_PASSES = 50, N_TIE = 8 }; // passes in which rows without load that are 0 hold
static const double CONVERGED = 1e-12, TIE = 16 * DBL_EPSILON;
static const double FORESEEN = 1e-16; // the next change, from the last two
static const double STAGNANT = 1e-9;  // of stiff forces rounding may be so much of a velocity

carom_status carom_ggl_prepare(carom_step *s)
{
    carom_ggl_system *g;
    CAROM_TRY(carom_ggl_system_new(s, &g));
    s->self = g;
    return CAROM_OK;
}

carom_status carom_ggl_prepare_rough(carom_step *s)
{
    CAROM_TRY(carom_ggl_prepare(s));
    carom_ggl_system *g = s->self;
    return carom_ggl_friction_new(s, &g->rough);
}

carom_status carom_ggl_renew(carom_step *s)
{
    const carom_ggl_system *g = s->self;
    carom_theta_forget(g->free);
    return CAROM_OK;
}

void carom_ggl_release(carom_step *s)
{
    carom_ggl_system_free(s->self);
}

static double largest(const double *x, int n)
{
    double most = 0;
    for (int i = 0; i < n; i++)
        if (!(fabs(x[i]) <= most)) most = fabs(x[i]);
    return most;
}

static void advance_along(const carom_step *s, const carom_ggl_system *g, const carom_state *now,
                          carom_state *next)
{
    for (int i = 0; i < s->size.nu; i++) g->dq[i] -= g->x[i];
    carom_model_moved(s->model, now->q, g->dq, 1, next->q);
}

// moves to the next iterate; returns the change relative to the sizes of the step
static double advance_iterate(const carom_step *s, carom_ggl_system *g, const carom_state *now,
                              carom_state *next)
{
    const int n = s->size.nu;
    if (s->model->n_plain >= 0)
        for (int i = 0; i < n; i++) next->q[i] -= g->x[i];
    else
        advance_along(s, g, now, next);
    for (int i = 0; i < n; i++) next->u[i] -= g->x[n + i];
    for (int k = 0; k < g->n; k++) {
        g->P[g->row[k]] -= g->x[2 * n + k];
        if (g->rows.has_gaps) g->psi[g->row[k]] -= g->x[2 * n + g->n + k];
    }
    g->scale_u = fmax(g->scale_u, largest(next->u, n));
    g->scale_q = fmax(fmax(g->scale_q, largest(next->q, s->size.nq)), s->h * g->scale_u);
    const double dq = largest(g->x, n), du = largest(g->x + n, n);
    return fmax(dq > 0 ? dq / g->scale_q : dq, du > 0 ? du / g->scale_u : du);
}

// how far a multiplier and its row are from complementarity, in the unit of the row
static double gap_to_law(const carom_ggl_system *g, int k, double multiplier, double value,
                         double diagonal)
{
    return fabs(g->contact[k] < 0 ? value : fmin(value, diagonal * multiplier));
}

// how far row k of the system is from its law, relative to what the sizes of the step make of it
static double row_residual(const carom_ggl_system *g, int k)
{
    const double length = g->length[k];
    double worst = 0;
    if (!(length > 0)) return 0;
    const double rate = gap_to_law(g, k, g->P[g->row[k]], g->rate[k], g->d_P[k]);
    if (rate > 0) worst = rate / (length * g->scale_u);
    if (!g->rows.has_gaps) return worst;
    const double gap = gap_to_law(g, k, g->psi[g->row[k]], g->gap[k], g->d_psi[k]);
    return gap > 0 ? fmax(worst, gap / (length * g->scale_q)) : worst;
}

// the row that is farthest from its law
static void report_residual(carom_step *s, const carom_ggl_system *g)
{
    s->report.residual = 0;
    for (int k = 0; k < g->n; k++) {
        const double residual = row_residual(g, k);
        if (!(residual > s->report.residual)) continue;
        s->report.residual = residual;
        s->report.residual_row = g->row[k];
    }
    if (g->rough) carom_ggl_friction_residual(s);
}

static void measure_state(const carom_step *s, carom_ggl_system *g, const carom_state *now)
{
    const int n = s->size.nu;
    g->scale_u = largest(now->u, n);
    g->scale_q = fmax(largest(now->q, s->size.nq), s->h * g->scale_u);
}

static void start_iterate(const carom_step *s, carom_ggl_system *g, const carom_state *now,
                          carom_state *next)
{
    const int n = s->size.nu;
    carom_model_moved(s->model, now->q, now->u, s->h, next->q);
    for (int i = 0; i < n; i++) g->dq[i] = s->h * now->u[i];
    memcpy(next->u, now->u, sizeof(double) * (size_t)n);
    memset(g->P, 0, sizeof(double) * (size_t)s->size.n_row);
    memset(g->psi, 0, sizeof(double) * (size_t)s->size.n_row);
    for (int c = 0; c < s->size.n_contact; c++) {
        const int r = carom_plan_contact(s->plan, c)->row;
        if (next->is_active[c]) g->P[r] = now->P[r];
    }
    if (g->rough) carom_ggl_friction_guess(s, now);
    measure_state(s, g, now);
}

// Contacts have joined: anew, each contact with the load of the last step. One that had none gets a
// little, so that what touches and does not move is taken as loaded: else a stack would take one
// pass for each body.
static void start_iterate_again(const carom_step *s, carom_ggl_system *g, const carom_state *now,
                                carom_state *next)
{
    const double little = CONVERGED * s->h * largest(s->ev[1]->f, s->size.nu);
    start_iterate(s, g, now, next);
    for (int c = 0; c < s->size.n_contact; c++) {
        double *P = &g->P[carom_plan_contact(s->plan, c)->row];
        if (next->is_active[c] && !(*P > 0)) *P = little;
    }
}

// what the forces alone do to the velocity in a step counts as a velocity, also where contacts take
// it all
static void measure_forces(const carom_step *s, carom_ggl_system *g)
{
    const int n = s->size.nu;
    memcpy(g->v, s->ev[1]->f, sizeof(double) * (size_t)n);
    carom_mass_solve(s->ev[0]->mass, g->v);
    g->scale_u = fmax(g->scale_u, s->h * largest(g->v, n));
}

// solves for the rows chosen, from the present iterate
static carom_status solve_rows(carom_step *s, const carom_state *now, carom_state *next)
{
    carom_ggl_system *g = s->self;
    bool is_settled = false;
    double change = 0; // of the pass before; the first has none to compare with
    s->report.is_converged = false;
    s->report.residual = INFINITY;
    // a stack may take one pass for each contact that comes under load
    const int most = MOST_PASSES + 2 * g->n;
    for (int pass = 0; pass < most && !is_settled; pass++) {
        CAROM_TRY(carom_ggl_look_at_rows(s, now, next, true));
        if (pass == 0) measure_forces(s, g);
        g->tie = pass < N_TIE ? TIE : -1;
        CAROM_TRY(carom_ggl_newton_step(s, now, next));
        const double before = change;
        change = advance_iterate(s, g, now, next);
        s->report.iterations++;
        if (!isfinite(change))
            return carom_fail(s->error, CAROM_NOT_FINITE,
                              "Newton's method diverged; use a smaller step");
        // the rate of convergence tells what the next pass would change
        const bool is_stuck = carom_ggl_is_rough(g->rough) && pass > 0 && change >= before;
        if (change > (is_stuck ? STAGNANT : CONVERGED) && change * change > FORESEEN * before)
            continue;
        CAROM_TRY(carom_ggl_look_at_rows(s, now, next, false));
        const double was = s->report.residual;
        report_residual(s, g);
        s->report.is_converged = s->report.residual <= CAROM_CONTACT_TOLERANCE;
        // redundant rows may take a few passes more, as long as these help
        is_settled = s->report.residual <= CONVERGED ||
                     (s->report.is_converged && s->report.residual >= was);
    }
    if (is_settled || !isinf(s->report.residual)) return CAROM_OK;
    if (change <= STAGNANT) CAROM_TRY(carom_ggl_look_at_rows(s, now, next, false));
    report_residual(s, g);
    s->report.is_converged = change <= STAGNANT && s->report.residual <= CAROM_CONTACT_TOLERANCE;
    return CAROM_OK;
}

// contacts that the step would leave open to penetration join; returns whether there are any
static carom_status add_closing(carom_step *s, const carom_state *now, carom_state *next,
                                bool *is_any)
{
    carom_ggl_system *g = s->self;
    const carom_point end = {.t = now->t + s->h, .q = next->q, .u = next->u, .holds = s->holds};
    if (g->n == 0 || g->rows.is_printed || !s->report.is_converged)
        CAROM_TRY(carom_plan_ask(s->plan, &end, CAROM_GAPS, s->ev[3], s->error));
    *is_any = false;
    for (int c = 0; c < s->size.n_contact; c++) {
        if (next->is_active[c] || !(s->ev[3]->gaps.value[c] < 0)) continue;
        next->is_active[c] = 1;
        *is_any = true;
    }
    if (!*is_any) return CAROM_OK;
    // in a stack at rest rounding opens some gaps: they join with the first, not one after another
    if (g->n == 0) measure_state(s, g, now);
    const double rounding = CONVERGED * g->scale_q;
    for (int c = 0; c < s->size.n_contact; c++)
        if (s->ev[0]->gaps.value[c] <= rounding) next->is_active[c] = 1;
    return CAROM_OK;
}

// impulses, and rates and losses as the law saw them
static void report_step(carom_step *s, carom_state *next)
{
    const carom_ggl_system *g = s->self;
    carom_step_report *r = &s->report;
    memcpy(next->P, g->P, sizeof(double) * (size_t)s->size.n_row);
    for (int k = 0; k < g->n; k++) {
        const int row = g->row[k], c = g->contact[k];
        const double P = g->P[row], before = g->gamma_minus[row];
        const double after = carom_law_rate(carom_ggl_law_factor(s, c), before, g->rate[k]);
        const double w0_after = g->rows.is_printed ? 2 * s->ev[1]->rows.w0[row] - g->w0_start[row]
                                                   : s->ev[3]->rows.w0[row];
        r->rate_before[row] = before;
        r->rate_after[row] = after;
        r->obstacle_work -= 0.5 * P * (g->w0_start[row] + w0_after);
        if (c >= 0) r->impact_loss -= 0.5 * P * (before + after);
    }
    if (g->rough) carom_ggl_friction_report(s);
}

// a step with the rows of the active set
static carom_status try_rows(carom_step *s, const carom_state *now, carom_state *next,
                             bool is_again)
{
    carom_ggl_system *g = s->self;
    CAROM_TRY(carom_ggl_choose_rows(s, now, next->is_active));
    if (g->n == 0) {
        memset(next->P, 0, sizeof(double) * (size_t)s->size.n_row);
        return carom_theta_step(s, g->free, now, next);
    }
    if (is_again)
        start_iterate_again(s, g, now, next);
    else
        start_iterate(s, g, now, next);
    CAROM_TRY(solve_rows(s, now, next));
    if (carom_ggl_is_rough(g->rough)) carom_ggl_friction_place(s, now, next);
    return CAROM_OK;
}

carom_status carom_ggl_step(carom_step *s, carom_ggl_rows rows, const carom_state *now,
                            carom_state *next)
{
    carom_ggl_system *g = s->self;
    g->rows = rows;
    carom_model_moved(s->model, now->q, now->u, 0.5 * s->h, g->q_m);
    const carom_point explicit = {
        .t = now->t + 0.5 * s->h, .q = g->q_m, .u = now->u, .holds = s->holds};
    CAROM_TRY(carom_plan_ask(s->plan, &explicit, CAROM_GGL_EXPLICIT, s->ev[0], s->error));
    carom_active_closed(s->ev[0], 0, next->is_active);
    if (!rows.adds_closing) carom_active_keep(s, s->ev[0], next->is_active);
    g->has_start = false;
    const bool looks_ahead = rows.adds_closing && s->size.n_contact > 0;
    CAROM_TRY(try_rows(s, now, next, false));
    for (bool is_again = looks_ahead; is_again;) {
        CAROM_TRY(add_closing(s, now, next, &is_again));
        if (is_again) CAROM_TRY(try_rows(s, now, next, true));
    }
    if (g->n > 0) report_step(s, next);
    next->t = now->t + s->h;
    return CAROM_OK;
}
