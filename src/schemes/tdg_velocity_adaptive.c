// SPDX-License-Identifier: Apache-2.0
// Time-discontinuous Galerkin scheme on velocity level with short steps around impacts: a step that
// would end behind a contact is replaced by short ones, so that penetration at impacts shrinks with
// them. With a = M(q)^-1 f(q, u), a1 the same at (q1, u1), and the forecast q^ = q + h u:
//
//     no contact has g(q) > tol and g(q^) <= tol:      a step h without impact
//         u1 = u + h M(q)^-1 [f(q, u) + W(q)' la+]         la+ on {g(q^) <= tol}:  law on W(q^) u1
//         q1 = q + h/2 (u + u1)
//         u+ = (u + u1)/2
//            + h/2 M(q1)^-1 [f(q1, u1) + W(q1)' la-]       la- on {g(q1) <= tol}:  law on W(q1) u+
//     else:                                            an impulsive step k = impulsive_fraction h
//         u1 = u + k a,   q1 = q + k/2 (u + u1)
//         u- = u + k/2 (a + a1)
//         u+ = u- + M(q1)^-1 W(q1)' P                      P on {g(q1) <= tol}:  law on W(q1) u+
//                                                                                and W(q1) u-
//     q+ = q1
//
// The laws of la+ and la- have e = 0, that of P the contact's own e; tol is index_tolerance. Up to
// 1/impulsive_fraction short steps lead up to an impact. A contact that is closed and closing at
// the start of the run has its impact in the first step. The time of the last step may lie behind
// the end: steps are never cut.
//
// T. Schindler et al., Half-explicit timestepping schemes on velocity level, 2015, Fig. 24.
#include "dynamics/active.h"
#include "dynamics/law.h"
#include "integrators/trapezoid.h"
#include "model/plan.h"
#include "schemes/schemes.h"

#include <string.h>

enum { INDEX_TOLERANCE, IMPULSIVE_FRACTION };
enum { AHEAD = CAROM_GAPS | CAROM_ROWS };

// scratch, cut from s->work behind that of the trapezoid
typedef struct scratch {
    double *a0, *u1, *du, *u_base, *a1; // (nu)
    double *h_la;                       // (n_row)
} scratch;

static int n_work(const carom_model *model)
{
    return carom_trapezoid_n_work(model) + 5 * carom_model_sizes(model).nu +
           carom_model_sizes(model).n_row;
}

static scratch cut(const carom_step *s)
{
    const int n = s->size.nu;
    double *w = s->work + carom_trapezoid_n_work(s->model);
    return (scratch){w, w + n, w + 2 * n, w + 3 * n, w + 4 * n, w + 5 * n};
}

static void find_acceleration(const carom_eval *at, double *a, int n)
{
    memcpy(a, at->f, sizeof(double) * (size_t)n);
    carom_mass_solve(at->mass, a);
}

// q1 = q + h/2 (u + u1) and the answers there
static carom_status move_on(carom_step *s, const scratch *w, const carom_state *now,
                            carom_state *next, double h)
{
    for (int i = 0; i < s->size.nu; i++) w->u_base[i] = 0.5 * (now->u[i] + w->u1[i]);
    carom_model_moved(s->model, now->q, w->u_base, h, next->q);
    next->t = now->t + h;
    const carom_point at = {.t = next->t, .q = next->q, .u = w->u1, .holds = s->holds};
    CAROM_TRY(carom_plan_ask(s->plan, &at, CAROM_TRAPEZOID_MASK, s->ev[1], s->error));
    find_acceleration(s->ev[1], w->a1, s->size.nu);
    return CAROM_OK;
}

// the forces that hold what is closed at ahead
static carom_status find_forces(carom_step *s, const carom_stage *stage, const carom_eval *ahead,
                                const scratch *w)
{
    if (carom_active_closed(ahead, s->option[INDEX_TOLERANCE], stage->is_active))
        return carom_trapezoid_velocity_law(s, stage, ahead, 1, w->h_la, w->du);
    memset(w->h_la, 0, sizeof(double) * (size_t)s->size.n_row);
    memset(w->du, 0, sizeof(double) * (size_t)s->size.nu);
    return CAROM_OK;
}

static carom_status smooth_step(carom_step *s, const scratch *w, const carom_state *now,
                                carom_state *next)
{
    for (int r = 0; r < s->size.n_row; r++) w->h_la[r] = s->h * now->la[r];
    const carom_stage first = {s->ev[0], now->t, now->q, now->u, w->a0, now->u, 1, next->is_active};
    CAROM_TRY(find_forces(s, &first, s->ev[2], w));
    for (int i = 0; i < s->size.nu; i++) w->u1[i] = now->u[i] + s->h * w->a0[i] + w->du[i];
    CAROM_TRY(move_on(s, w, now, next, s->h));
    const carom_stage second = {s->ev[1], next->t,   next->q, w->u1,
                                w->a1,    w->u_base, 0.5,     next->is_active};
    CAROM_TRY(find_forces(s, &second, s->ev[1], w));
    for (int i = 0; i < s->size.nu; i++)
        next->u[i] = w->u_base[i] + 0.5 * (s->h * w->a1[i] + w->du[i]);
    for (int r = 0; r < s->size.n_row; r++) next->la[r] = w->h_la[r] / s->h;
    memset(next->P, 0, sizeof(double) * (size_t)s->size.n_row);
    return CAROM_OK;
}

static carom_status impulsive_step(carom_step *s, const scratch *w, const carom_state *now,
                                   carom_state *next)
{
    const double k = s->h * s->option[IMPULSIVE_FRACTION];
    s->report.h_used = k;
    for (int i = 0; i < s->size.nu; i++) w->u1[i] = now->u[i] + k * w->a0[i];
    CAROM_TRY(move_on(s, w, now, next, k));
    for (int i = 0; i < s->size.nu; i++) next->u[i] = now->u[i] + 0.5 * k * (w->a0[i] + w->a1[i]);
    return carom_trapezoid_impact(s, s->ev[1], s->option[INDEX_TOLERANCE], next);
}

static carom_status tdg_velocity_adaptive_step(carom_step *s, const carom_state *now,
                                               carom_state *next)
{
    const scratch w = cut(s);
    const double level = s->option[INDEX_TOLERANCE];
    const carom_point start = {.t = now->t, .q = now->q, .u = now->u, .holds = s->holds};
    CAROM_TRY(carom_plan_ask(s->plan, &start, CAROM_TRAPEZOID_MASK, s->ev[0], s->error));
    find_acceleration(s->ev[0], w.a0, s->size.nu);
    carom_model_moved(s->model, now->q, now->u, s->h, next->q);
    const carom_point ahead = {.t = now->t + s->h, .q = next->q, .u = now->u, .holds = s->holds};
    CAROM_TRY(carom_plan_ask(s->plan, &ahead, AHEAD, s->ev[2], s->error));
    for (int c = 0; c < s->size.n_contact; c++)
        if (s->ev[0]->gaps.value[c] > level && s->ev[2]->gaps.value[c] <= level)
            return impulsive_step(s, &w, now, next);
    if (carom_trapezoid_starts_closing(s->ev[0], now, level))
        return impulsive_step(s, &w, now, next);
    return smooth_step(s, &w, now, next);
}

static const carom_option options[] = {{"index_tolerance", CAROM_REAL, 0, 0, 1, NULL,
                                        "gap up to which a contact counts as closed [m]"},
                                       {"impulsive_fraction", CAROM_REAL, 0.1, 1e-6, 1, NULL,
                                        "length of an impulsive step as a share of the step"},
                                       {0}};
static const unsigned masks[] = {CAROM_TRAPEZOID_MASK, AHEAD, 0};

const carom_scheme carom_scheme_tdg_velocity_adaptive = {
    .name = "tdg_velocity_adaptive",
    .about = "time-discontinuous Galerkin on velocity level with short steps around impacts",
    .reference =
        "T. Schindler et al., Half-explicit timestepping schemes on velocity level, 2015, Fig. 24",
    .order_free = 2,
    .order_contact = 1,
    .level = "velocity",
    .cost = 2.4,
    .has_friction = true,
    .has_bilateral = true,
    .takes.laws = CAROM_LAWS_WITH_DISCS,
    .takes.varies = CAROM_VARIES_ALL,
    .takes.rates = true,
    .takes.wh = 2,
    .has_contact = true,
    .is_adaptive = true,
    .keeps_step = true,
    .separates_impact = true,
    .option = options,
    .mask = masks,
    .n_eval = 3,
    .n_work = n_work,
    .step = tdg_velocity_adaptive_step,
};
