// SPDX-License-Identifier: Apache-2.0
// The Moreau-Jean theta scheme, implicit in the forces. With x_th = (1 - theta) x + theta x+:
//
//     q+ = q + h u_th
//     M(q_th) (u+ - u) = h f(t + theta h, q_th, u_th) + W(q_th)' P
//     law on W(q_th) u+ and W(q_th) u, contacts with g(q) + prediction h W(q) u <= 0
//
// Newton's method on the velocity, with the contact law kept exact in every pass: its matrix
//     J = M + theta^2 h d(M a)/dq - h theta df/du - h^2 theta^2 df/dq - theta^2 h d(W'P)/dq,   a = u+ - u
// takes the place of M in the contact problem.
//
// M. Jean, The non-smooth contact dynamics method, 1999; Acary and Bonnefon 2011, eq 2 (weights corrected).
#include "dynamics/active.h"
#include "schemes/schemes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    START = CAROM_GAPS | CAROM_ROWS,
    MOTION = CAROM_MASS | CAROM_FORCES | CAROM_ROWS | CAROM_D_FORCES | CAROM_D_MASS | CAROM_D_ROWS,
    MOST_PASSES = 50
};
enum { THETA, PREDICTION };
static const double CONVERGED = 1e-12, STAGNANT = 1e-9; // of the largest velocity

// scratch, cut from s->work
typedef struct scratch {
    double *gamma; // (n_row)
    double *q_th, *u_th, *a, *residual, *u_old;
} scratch;

static int n_work(const carom_model *model)
{
    const carom_sizes size = carom_model_sizes(model);
    return size.n_row + 5 * size.nu;
}

static scratch cut(const carom_step *s)
{
    double *w = s->work + s->size.n_row;
    const int n = s->size.nu;
    return (scratch){s->work, w, w + n, w + 2 * n, w + 3 * n, w + 4 * n};
}

static int entries(const carom_sparse *matrix)
{
    return matrix->start[matrix->n_row];
}

static carom_status prepare(carom_step *s)
{
    const carom_eval *ev = s->ev[1];
    const int n = s->size.nu;
    const double dense = (double)n * n;
    const int sparse = entries(&ev->df_dq) + entries(&ev->df_du) + entries(&ev->dMa_dq) + entries(&ev->dWP_dq) +
                       carom_mass_n_entry(ev->mass);
    carom_linear *jacobian;
    CAROM_TRY(carom_linear_new(n, n <= CAROM_LINEAR_DENSE ? (int)dense : sparse, &jacobian, s->error));
    s->self = jacobian;
    return CAROM_OK;
}

static void release(carom_step *s)
{
    carom_linear_free(s->self);
}

static double largest(const double *x, int n)
{
    double most = 0;
    for (int i = 0; i < n; i++) most = fmax(most, fabs(x[i]));
    return most;
}

// answers and the matrix at the theta point of the present u+
static carom_status linearise(carom_step *s, const scratch *w, const carom_state *now, const carom_state *next)
{
    const double theta = s->option[THETA], h = s->h;
    carom_eval *ev = s->ev[1];
    for (int i = 0; i < s->size.nu; i++) {
        w->u_th[i] = (1 - theta) * now->u[i] + theta * next->u[i];
        w->a[i] = next->u[i] - now->u[i];
    }
    carom_model_move(s->model, now->q, w->u_th, theta * h, w->q_th);
    const carom_point at = {.t = now->t + theta * h, .q = w->q_th, .u = w->u_th, .a = w->a, .P = next->P};
    CAROM_TRY(carom_model_eval(s->plan, &at, MOTION, ev, s->error));
    carom_linear *jacobian = s->self;
    carom_linear_clear(jacobian);
    carom_linear_add_mass(jacobian, 0, 0, ev->mass, 1);
    carom_linear_add(jacobian, 0, 0, &ev->dMa_dq, theta * theta * h, false);
    carom_linear_add(jacobian, 0, 0, &ev->df_du, -h * theta, false);
    carom_linear_add(jacobian, 0, 0, &ev->df_dq, -h * h * theta * theta, false);
    carom_linear_add(jacobian, 0, 0, &ev->dWP_dq, -theta * theta * h, false);
    return carom_linear_factor(jacobian, s->error);
}

// one Newton pass: the smooth part gives u without contact, the contact problem the rest
static carom_status pass(carom_step *s, const scratch *w, const carom_state *now, carom_state *next, bool is_touching)
{
    const int n = s->size.nu;
    const carom_eval *ev = s->ev[1];
    CAROM_TRY(linearise(s, w, now, next));
    memcpy(w->u_old, next->u, sizeof(double) * (size_t)n);
    carom_mass_times(ev->mass, w->a, w->residual);
    for (int i = 0; i < n; i++) w->residual[i] -= s->h * ev->f[i];
    carom_linear_solve(s->self, w->residual);
    for (int i = 0; i < n; i++) next->u[i] -= w->residual[i];
    carom_dynamics_clear_report(s);
    if (!is_touching) return CAROM_OK;
    const carom_contact_terms terms = {
        .rate = ev, .metric = s->self, .u_minus = now->u, .is_active = next->is_active};
    return carom_dynamics_contact(s, &terms, next->P, next->u);
}

static carom_status step(carom_step *s, const carom_state *now, carom_state *next)
{
    const scratch w = cut(s);
    const int n = s->size.nu;
    const carom_point at = {.t = now->t, .q = now->q, .u = now->u};
    CAROM_TRY(carom_model_eval(s->plan, &at, START, s->ev[0], s->error));
    carom_dynamics_rates(s->ev[0], now->u, w.gamma);
    const bool is_touching =
        carom_active_predicted(s->ev[0], s->option[PREDICTION] * s->h, w.gamma, next->is_active);

    // from the old velocity, until the velocity no longer changes
    memcpy(next->u, now->u, sizeof(double) * (size_t)n);
    memset(next->P, 0, sizeof(double) * (size_t)s->size.n_row);
    bool is_converged = false;
    double change = INFINITY;
    for (int k = 0; k < MOST_PASSES && !is_converged; k++) {
        CAROM_TRY(pass(s, &w, now, next, is_touching));
        s->report.iterations++;
        for (int i = 0; i < n; i++) w.u_old[i] -= next->u[i];
        const double before = change, scale = fmax(largest(next->u, n), largest(now->u, n));
        change = largest(w.u_old, n);
        if (!isfinite(change))
            return carom_fail(s->error, CAROM_NOT_FINITE, "Newton's method diverged; use a smaller step");
        is_converged = change <= CONVERGED * scale || (change >= before && change <= STAGNANT * scale);
    }
    s->report.is_converged &= is_converged;

    for (int i = 0; i < n; i++)
        w.u_th[i] = (1 - s->option[THETA]) * now->u[i] + s->option[THETA] * next->u[i];
    carom_model_move(s->model, now->q, w.u_th, s->h, next->q);
    next->t = now->t + s->h;
    return CAROM_OK;
}

static const carom_option options[] = {
    {"theta", CAROM_REAL, 0.5, 0, 1, NULL, "weight of the end of the step: 0.5 midpoint, 1 fully implicit"},
    {"prediction", CAROM_REAL, 0.5, 0, 1, NULL, "share of the step over which gaps are predicted"},
    {0}};

static const unsigned masks[] = {START, MOTION, 0};

const carom_scheme carom_scheme_moreau_jean = {
    .name = "moreau_jean",
    .about = "Moreau-Jean theta scheme, implicit in the forces",
    .reference = "M. Jean, The non-smooth contact dynamics method, 1999",
    .order_free = 2,
    .order_contact = 1,
    .has_friction = true,
    .has_bilateral = true,
    .has_contact = true,
    .is_implicit = true,
    .option = options,
    .mask = masks,
    .n_eval = 2,
    .n_work = n_work,
    .prepare = prepare,
    .release = release,
    .step = step,
};
