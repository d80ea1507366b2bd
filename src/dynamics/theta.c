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
// M itself; where J and W do not depend on q and u, one pass is exact, and J is factorised once for
// each h. Else J is kept in the step while the velocity changes little (chord method), and the
// iteration ends when its rate of convergence says that the next change is rounding.
//
// M. Jean, The non-smooth contact dynamics method, 1999; Acary and Bonnefon 2011, eq 2 (weights
// corrected).
#include "dynamics/theta.h"
#include "math/vector.h"
#include "model/model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PASSES = 50 };
static const double CONVERGED = 1e-12, STAGNANT = 1e-9; // of the largest velocity
static const double FORESEEN = 1e-14;                   // the next change, from the last two
static const double CLOSE = 1e-2; // a change, or a rate, with which the matrix will do

struct carom_theta {
    double weight;
    carom_linear *jacobian; // NULL: the mass is the matrix
    bool is_linear;         // the matrix and the rows do not depend on the unknown velocity
    bool is_constant;       // nor on anything else but h:
    double h;               // the matrix is factorised for this step; 0: for none
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
    const bool is_still = entries(&ev->dgamma_dq) == 0; // the rows
    (*theta)->is_constant = is_still && s->model->mass_is_constant &&
                            entries(&ev->dMa_dq) + entries(&ev->dWP_dq) == 0 &&
                            carom_plan_is_constant(s->plan, CAROM_D_FORCES);
    (*theta)->is_linear = weight == 0 || (is_mass && is_still) || (*theta)->is_constant;
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

static carom_status factor(const carom_step *s, carom_theta *theta, bool has_rows, bool is_first)
{
    const double th = theta->weight, h = s->h;
    const carom_eval *ev = s->ev[1];
    carom_linear *jacobian = theta->jacobian;
    carom_linear_clear(jacobian);
    carom_linear_add_mass(jacobian, 0, 0, ev->mass, 1);
    if (!is_first) carom_linear_add(jacobian, 0, 0, &ev->dMa_dq, th * th * h, false); // a = 0
    carom_linear_add(jacobian, 0, 0, &ev->df_du, -h * th, false);
    carom_linear_add(jacobian, 0, 0, &ev->df_dq, -h * h * th * th, false);
    if (has_rows) carom_linear_add(jacobian, 0, 0, &ev->dWP_dq, -th * th * h, false);
    theta->h = 0;
    CAROM_TRY(carom_linear_factor(jacobian, s->error));
    theta->h = h;
    return CAROM_OK;
}

// answers at the theta point of the present u+
static carom_status evaluate(carom_step *s, const carom_theta *theta, const carom_state *now,
                             const carom_state *next, unsigned mask)
{
    const scratch w = cut(s);
    const double th = theta->weight, h = s->h, *u = now->u, *u_next = next->u;
    for (int i = 0, n = s->size.nu; i < n; i++) {
        w.u_th[i] = (1 - th) * u[i] + th * u_next[i];
        w.a[i] = u_next[i] - u[i];
    }
    carom_model_move(s->model, now->q, w.u_th, th * h, w.q_th);
    const carom_point at = {.t = now->t + th * h, .q = w.q_th, .u = w.u_th, .a = w.a, .P = next->P};
    return carom_model_eval(s->plan, &at, mask, s->ev[1], s->error);
}

// one Newton pass: the smooth part gives u without contact, the contact problem the rest
static carom_status pass(carom_step *s, const carom_theta *theta, const carom_state *now,
                         carom_state *next, bool has_rows)
{
    const scratch w = cut(s);
    const int n = s->size.nu;
    const carom_eval *ev = s->ev[1];
    const double h = s->h, *f = ev->f;
    double *u = next->u;
    carom_mass_times(ev->mass, w.a, w.residual);
    for (int i = 0; i < n; i++) {
        w.u_old[i] = u[i];
        w.residual[i] -= h * f[i];
    }
    if (theta->jacobian)
        carom_linear_solve(theta->jacobian, w.residual);
    else
        carom_mass_solve(ev->mass, w.residual);
    for (int i = 0; i < n; i++) u[i] -= w.residual[i];
    if (!has_rows) return CAROM_OK;
    carom_dynamics_clear_report(s);
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

// The change of the velocity in a pass, and what it is measured by: what rests still moves by
// h M^-1 f before the contacts hold it.
static double find_change(const scratch *w, int n, const double *u, const double *u_next,
                          double *change)
{
    double scale = 0, most = 0;
    for (int i = 0; i < n; i++) {
        scale = carom_vector_larger(scale, fabs(u[i]));
        scale = carom_vector_larger(scale, fabs(u_next[i]));
        scale = carom_vector_larger(scale, fabs(w->residual[i]));
        most = carom_vector_larger(most, fabs(w->u_old[i] - u_next[i]));
    }
    *change = most;
    return scale;
}

// Whether pass k goes on with the matrix at hand. With contacts the first one knows nothing of P.
static bool keeps(const carom_step *s, const carom_theta *theta, int k, bool has_rows, double rate)
{
    if (!theta->jacobian || theta->is_constant) return !theta->jacobian || theta->h == s->h;
    return k > has_rows && rate <= CLOSE;
}

static unsigned choose_mask(int k, bool has_rows, bool is_kept)
{
    if (is_kept) return has_rows ? CAROM_THETA_CHORD_MASK : CAROM_THETA_FREE_CHORD_MASK;
    return k > 0 || has_rows ? CAROM_THETA_MASK : CAROM_THETA_FREE_MASK;
}

// from the old velocity, until the velocity no longer changes
static carom_status iterate(carom_step *s, carom_theta *theta, const carom_state *now,
                            carom_state *next)
{
    const scratch w = cut(s);
    const int n = s->size.nu;
    const bool has_rows = any_rows(s, next->is_active);
    bool is_converged = false;
    double change = INFINITY, rate = INFINITY;
    memcpy(next->u, now->u, sizeof(double) * (size_t)n);
    carom_dynamics_clear_report(s);
    if (!has_rows) memset(next->P, 0, sizeof(double) * (size_t)s->size.n_row);
    for (int k = 0; k < MOST_PASSES && !is_converged; k++) {
        const bool is_kept = keeps(s, theta, k, has_rows, rate);
        CAROM_TRY(evaluate(s, theta, now, next, choose_mask(k, has_rows, is_kept)));
        if (!is_kept) CAROM_TRY(factor(s, theta, has_rows, k == 0));
        CAROM_TRY(pass(s, theta, now, next, has_rows));
        s->report.iterations++;
        const double before = change, scale = find_change(&w, n, now->u, next->u, &change);
        if (!isfinite(change))
            return carom_fail(s->error, CAROM_NOT_FINITE,
                              "Newton's method diverged; use a smaller step");
        rate = change / (k == 0 ? scale : before);
        is_converged = theta->is_linear || change <= CONVERGED * scale ||
                       (k > 0 && change * rate <= FORESEEN * scale) ||
                       (change >= before && change <= STAGNANT * scale);
    }
    s->report.is_converged &= is_converged;
    return CAROM_OK;
}

carom_status carom_theta_step(carom_step *s, carom_theta *theta, const carom_state *now,
                              carom_state *next)
{
    const scratch w = cut(s);
    const double th = theta->weight;
    CAROM_TRY(iterate(s, theta, now, next));
    const double *u = now->u, *u_next = next->u;
    for (int i = 0, n = s->size.nu; i < n; i++) w.u_th[i] = (1 - th) * u[i] + th * u_next[i];
    carom_model_move(s->model, now->q, w.u_th, s->h, next->q);
    next->t = now->t + s->h;
    return CAROM_OK;
}
