// SPDX-License-Identifier: Apache-2.0
// The implicit velocity step of the Moreau-Jean theta rule. With x_th = (1 - theta) x + theta x+:
//
//     q+ = q + h u_th
//     M(q_th) (u+ - u) = h f(t + theta h, q_th, u_th) + W(q_th)' P,   law on W(q_th) u+ and W(q_th)
//     u
//
// Newton's method on the velocity, with the contact law kept exact in every pass: its matrix
//     J = M + theta^2 h d(M a)/dq - h theta df/du - h^2 theta^2 df/dq - theta^2 h d(W'P)/dq,   a =
//     u+ - u
// takes the place of M in the contact problem. Where all of these derivatives have no entries J is
// M itself, and where the rates do not depend on q either, one pass is exact.
//
// M. Jean, The non-smooth contact dynamics method, 1999; Acary and Bonnefon 2011, eq 2 (weights
// corrected).
#include "dynamics/theta.h"
#include "math/vector.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PASSES = 50 };
static const double CONVERGED = 1e-12, STAGNANT = 1e-9; // of the largest velocity

struct carom_theta {
    double weight;
    carom_linear *jacobian; // NULL: the mass is the matrix
    bool is_linear;         // nothing depends on the unknown velocity but M u
};

// scratch, cut from s->work
typedef struct scratch {
    double *q_th;                        // (nq)
    double *u_th, *a, *residual, *u_old; // (nu)
} scratch;

int carom_theta_n_work(const carom_model *model)
{
    const carom_sizes size = carom_model_sizes(model);
    return size.nq + 4 * size.nu;
}

static scratch cut(const carom_step *s)
{
    const int n = s->size.nu;
    double *w = s->work + s->size.nq;
    return (scratch){s->work, w, w + n, w + 2 * n, w + 3 * n};
}

static int entries(const carom_sparse *matrix)
{
    return matrix->start[matrix->n_row];
}

carom_status carom_theta_new(carom_step *s, double weight, carom_theta **theta)
{
    const carom_eval *ev = s->ev[1];
    const int n = s->size.nu;
    const int derived =
        entries(&ev->df_dq) + entries(&ev->df_du) + entries(&ev->dMa_dq) + entries(&ev->dWP_dq);
    *theta = calloc(1, sizeof **theta);
    if (!*theta) return carom_fail(s->error, CAROM_NO_MEMORY, "not enough memory for the scheme");
    (*theta)->weight = weight;
    const bool is_mass = weight == 0 || derived == 0;
    (*theta)->is_linear = weight == 0 || (is_mass && entries(&ev->dgamma_dq) == 0);
    if (is_mass) return CAROM_OK;
    const int room = n <= CAROM_LINEAR_DENSE ? n * n : derived + carom_mass_n_entry(ev->mass);
    return carom_linear_new(n, room, &(*theta)->jacobian, s->error);
}

void carom_theta_free(carom_theta *theta)
{
    if (!theta) return;
    carom_linear_free(theta->jacobian);
    free(theta);
}

static carom_status factor(const carom_step *s, const carom_theta *theta)
{
    const double th = theta->weight, h = s->h;
    const carom_eval *ev = s->ev[1];
    carom_linear *jacobian = theta->jacobian;
    carom_linear_clear(jacobian);
    carom_linear_add_mass(jacobian, 0, 0, ev->mass, 1);
    carom_linear_add(jacobian, 0, 0, &ev->dMa_dq, th * th * h, false);
    carom_linear_add(jacobian, 0, 0, &ev->df_du, -h * th, false);
    carom_linear_add(jacobian, 0, 0, &ev->df_dq, -h * h * th * th, false);
    carom_linear_add(jacobian, 0, 0, &ev->dWP_dq, -th * th * h, false);
    return carom_linear_factor(jacobian, s->error);
}

// answers and the matrix at the theta point of the present u+
static carom_status linearise(carom_step *s, const carom_theta *theta, const carom_state *now,
                              const carom_state *next)
{
    const scratch w = cut(s);
    const double th = theta->weight, h = s->h;
    for (int i = 0; i < s->size.nu; i++) {
        w.u_th[i] = (1 - th) * now->u[i] + th * next->u[i];
        w.a[i] = next->u[i] - now->u[i];
    }
    carom_model_move(s->model, now->q, w.u_th, th * h, w.q_th);
    const carom_point at = {.t = now->t + th * h, .q = w.q_th, .u = w.u_th, .a = w.a, .P = next->P};
    CAROM_TRY(carom_model_eval(s->plan, &at, CAROM_THETA_MASK, s->ev[1], s->error));
    return theta->jacobian ? factor(s, theta) : CAROM_OK;
}

// one Newton pass: the smooth part gives u without contact, the contact problem the rest
static carom_status pass(carom_step *s, const carom_theta *theta, const carom_state *now,
                         carom_state *next, bool has_rows)
{
    const scratch w = cut(s);
    const int n = s->size.nu;
    const carom_eval *ev = s->ev[1];
    CAROM_TRY(linearise(s, theta, now, next));
    memcpy(w.u_old, next->u, sizeof(double) * (size_t)n);
    carom_mass_times(ev->mass, w.a, w.residual);
    for (int i = 0; i < n; i++) w.residual[i] -= s->h * ev->f[i];
    if (theta->jacobian)
        carom_linear_solve(theta->jacobian, w.residual);
    else
        carom_mass_solve(ev->mass, w.residual);
    for (int i = 0; i < n; i++) next->u[i] -= w.residual[i];
    carom_dynamics_clear_report(s);
    if (!has_rows) return CAROM_OK;
    const carom_contact_terms terms = {
        .rate = ev, .metric = theta->jacobian, .u_minus = now->u, .is_active = next->is_active};
    return carom_dynamics_contact(s, &terms, next->P, next->u);
}

static bool any_rows(const carom_step *s, const unsigned char *is_active)
{
    bool is_any = s->size.n_constraint > 0;
    for (int c = 0; c < s->size.n_contact; c++) is_any |= is_active[c];
    return is_any;
}

// from the old velocity, until the velocity no longer changes
static carom_status iterate(carom_step *s, const carom_theta *theta, const carom_state *now,
                            carom_state *next)
{
    const scratch w = cut(s);
    const int n = s->size.nu;
    const bool has_rows = any_rows(s, next->is_active);
    bool is_converged = false;
    double change = INFINITY;
    memcpy(next->u, now->u, sizeof(double) * (size_t)n);
    if (!has_rows) memset(next->P, 0, sizeof(double) * (size_t)s->size.n_row);
    for (int k = 0; k < MOST_PASSES && !is_converged; k++) {
        CAROM_TRY(pass(s, theta, now, next, has_rows));
        s->report.iterations++;
        for (int i = 0; i < n; i++) w.u_old[i] -= next->u[i];
        // what rests still moves by h M^-1 f before the contacts hold it
        const double moving =
            fmax(carom_vector_largest(next->u, n), carom_vector_largest(now->u, n));
        const double before = change, scale = fmax(moving, carom_vector_largest(w.residual, n));
        change = carom_vector_largest(w.u_old, n);
        if (!isfinite(change))
            return carom_fail(s->error, CAROM_NOT_FINITE,
                              "Newton's method diverged; use a smaller step");
        is_converged = theta->is_linear || change <= CONVERGED * scale ||
                       (change >= before && change <= STAGNANT * scale);
    }
    s->report.is_converged &= is_converged;
    return CAROM_OK;
}

carom_status carom_theta_step(carom_step *s, const carom_theta *theta, const carom_state *now,
                              carom_state *next)
{
    const scratch w = cut(s);
    const double th = theta->weight;
    CAROM_TRY(iterate(s, theta, now, next));
    for (int i = 0; i < s->size.nu; i++) w.u_th[i] = (1 - th) * now->u[i] + th * next->u[i];
    carom_model_move(s->model, now->q, w.u_th, s->h, next->q);
    next->t = now->t + s->h;
    return CAROM_OK;
}
