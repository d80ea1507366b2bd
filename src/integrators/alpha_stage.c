// SPDX-License-Identifier: Apache-2.0
// The implicit step of the generalised-alpha method with contact forces on velocity level. A is the
// acceleration that moves the system, A' = M^-1 (f + W' la) what it is filtered from:
//
//     u+ = u + h [(1 - gamma) A + gamma A+]
//     q+ = q + h u + h^2 [(1/2 - beta) A + beta A+]
//     (1 - alpha_m) A+ + alpha_m A = (1 - alpha_f) A'+ + alpha_f A'
//     M(q+) A'+ = f(t + h, q+, u+) + W(q+)' la      law with e = 0 on W(q+) u+
//
//     alpha_m = (2 rho - 1)/(rho + 1)     alpha_f = rho/(rho + 1)     d = alpha_f - alpha_m
//     gamma = 1/2 + d                     beta = (1 + d)^2/4
//
// Newton's method on u+, from u on, with the law kept exact in every pass. With k =
// (1 - alpha_f)/(1 - alpha_m), p = h gamma k la and X = A+ + (alpha_m A - alpha_f A')/(1 - alpha_m)
// one pass is
//
//     J (u+_new - u+) = -h gamma (M X - k f) + W' p
//     J = M - h gamma k df/du + h^2 beta [d(M X)/dq - k df/dq] - h beta/gamma d(W'p)/dq
//
// so that J is all that a contact problem sees of the implicit forces. In a linear system J is
// constant, one pass is exact, and J is factorised once for each h. A row that holds for all times
// has W A = 0, and the motion along it is that of the generalised-alpha method without contact:
// what that is stable for, this is.
//
// J. Chung, G. M. Hulbert, A time integration algorithm for structural dynamics with improved
// numerical dissipation: the generalized-alpha method, 1993.
#include "integrators/alpha_stage.h"

#include "dynamics/active.h"
#include "dynamics/border.h"
#include "math/blockmass.h"
#include "math/linear.h"
#include "math/vector.h"
#include "model/plan.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_PASSES = 50 };
static const double CONVERGED = 1e-12, STAGNANT = 1e-9; // of the largest velocity
static const double FORESEEN = 1e-14;                   // the next change, from the last two
static const double CLOSE = 1e-2; // a rate of convergence with which the matrix will do

struct carom_alpha {
    carom_alpha_weights weights;
    double share;           // k
    carom_linear *jacobian; // NULL: the mass is the matrix
    carom_border *border;   // the matrix with all constraints, where they are many; else NULL
    bool is_bordered;       // it serves in the present pass
    bool has_rows;          // the present step has some
    bool is_linear;         // the matrix and the rows do not depend on the unknown velocity
    bool is_constant;       // nor on anything else but h:
    double h;               // the matrix is factorised for this step; 0: for none
};

// the parts of the matrix
enum { MASS, DF_DU, DF_DQ, DMA_DQ, DWP_DQ, N_PART };

// scratch, cut from s->work
typedef struct scratch {
    double *q;                             // (nq)
    double *v, *X, *A, *residual, *before; // (nu)
} scratch;

int carom_alpha_n_work(const carom_model *model)
{
    const carom_sizes size = carom_model_sizes(model);
    return size.nq + 5 * size.nu;
}

static scratch cut(const carom_step *s)
{
    const int n = s->size.nu;
    double *w = s->work + s->size.nq;
    return (scratch){s->work, w, w + n, w + 2 * n, w + 3 * n, w + 4 * n};
}

carom_alpha_weights carom_alpha_weights_of(double rho)
{
    const double alpha_m = (2 * rho - 1) / (rho + 1), alpha_f = rho / (rho + 1);
    const double d = alpha_f - alpha_m;
    return (carom_alpha_weights){alpha_m, alpha_f, 0.25 * (1 + d) * (1 + d), 0.5 + d};
}

static int entries(const carom_sparse *matrix)
{
    return matrix->start[matrix->n_row];
}

// which derivatives the matrix has, and what follows from that
static int analyse_parts(const carom_step *s, carom_alpha *alpha)
{
    const carom_eval_derivatives *by = &s->ev[3]->derivatives;
    const bool is_still = entries(&by->dgamma_dq) == 0; // the rows
    const int of_point = entries(&by->dMa_dq) + entries(&by->dWP_dq);
    const int derived = of_point + entries(&by->df_dq) + entries(&by->df_du);
    alpha->is_constant = is_still && of_point == 0 && s->model->mass_is_constant &&
                         carom_plan_is_constant(s->plan, CAROM_D_FORCES);
    alpha->is_linear = alpha->is_constant;
    return derived;
}

carom_status carom_alpha_new(carom_step *s, double rho, carom_alpha **alpha)
{
    const carom_eval *ev = s->ev[3];
    const int n = s->size.nu;
    carom_alpha *made = *alpha = calloc(1, sizeof *made);
    if (!made) return carom_fail(s->error, CAROM_NO_MEMORY, "not enough memory for the scheme");
    made->weights = carom_alpha_weights_of(rho);
    made->share = (1 - made->weights.alpha_f) / (1 - made->weights.alpha_m);
    const int derived = analyse_parts(s, made);
    if (derived == 0) return CAROM_OK;
    const int room = n <= CAROM_LINEAR_DENSE ? n * n : derived + carom_mass_n_entry(ev->mass);
    const carom_sparse part[N_PART] = {[MASS] = carom_mass_sparse(ev->mass),
                                       [DF_DU] = ev->derivatives.df_du,
                                       [DF_DQ] = ev->derivatives.df_dq,
                                       [DMA_DQ] = ev->derivatives.dMa_dq,
                                       [DWP_DQ] = ev->derivatives.dWP_dq};
    CAROM_TRY(carom_linear_new(n, room, &made->jacobian, s->error));
    CAROM_TRY(carom_linear_expect(made->jacobian, N_PART, part, s->error));
    return carom_border_new(ev, N_PART, part, &made->border, s->error);
}

void carom_alpha_free(carom_alpha *alpha)
{
    if (!alpha) return;
    carom_border_free(alpha->border);
    carom_linear_free(alpha->jacobian);
    free(alpha);
}

void carom_alpha_forget(carom_alpha *alpha)
{
    alpha->h = 0;
}

static void weigh_parts(const carom_alpha *alpha, double h, bool has_rows, double *weight)
{
    const double beta = alpha->weights.beta, gamma = alpha->weights.gamma, k = alpha->share;
    weight[MASS] = 1;
    weight[DF_DU] = -h * gamma * k;
    weight[DF_DQ] = -h * h * beta * k;
    weight[DMA_DQ] = h * h * beta;
    weight[DWP_DQ] = has_rows ? -h * beta / gamma : 0;
}

static carom_status factor_matrix(const carom_step *s, carom_alpha *alpha, bool has_rows)
{
    double weight[N_PART];
    weigh_parts(alpha, s->h, has_rows, weight);
    carom_linear_combine(alpha->jacobian, weight);
    alpha->h = 0;
    CAROM_TRY(carom_linear_factor(alpha->jacobian, s->error));
    alpha->h = s->h;
    return CAROM_OK;
}

static carom_contact_terms terms_of(const carom_step *s, const carom_alpha *alpha,
                                    const carom_state *now, const carom_state *next)
{
    return (carom_contact_terms){.rate = s->ev[3],
                                 .metric = alpha->jacobian,
                                 .u_minus = now->u,
                                 .is_active = next->is_active,
                                 .without_restitution = true,
                                 .span = s->h * alpha->weights.gamma * alpha->share};
}

// The matrix with all constraints, whose rows are those of this pass also where the rest is kept.
// Rows that are not independent are left to the contact problem.
static carom_status factor_bordered(carom_step *s, carom_alpha *alpha, const carom_state *now,
                                    const carom_state *next, bool is_kept)
{
    const carom_contact_terms terms = terms_of(s, alpha, now, next);
    double weight[N_PART];
    weigh_parts(alpha, s->h, true, weight);
    CAROM_TRY(carom_border_factor(s, alpha->border, weight, &terms, &alpha->is_bordered));
    if (alpha->is_bordered) alpha->h = 0;
    if (alpha->is_bordered || (is_kept && alpha->h == s->h)) return CAROM_OK;
    return factor_matrix(s, alpha, true);
}

// A+, X and q+ of the present u+
static void place_end(const carom_step *s, const carom_alpha *alpha, const scratch *w,
                      const carom_state *now, const carom_alpha_ends *ends, const double *u_next)
{
    const carom_alpha_weights *of = &alpha->weights;
    const double h = s->h, past = (1 - of->gamma) / of->gamma;
    for (int i = 0; i < s->size.nu; i++) {
        const double a = ends->a[i];
        w->A[i] = (u_next[i] - now->u[i]) / (h * of->gamma) - past * a;
        w->X[i] = w->A[i] + (of->alpha_m * a - of->alpha_f * ends->a_dot[i]) / (1 - of->alpha_m);
        w->v[i] = now->u[i] + h * ((0.5 - of->beta) * a + of->beta * w->A[i]);
    }
    carom_model_moved(s->model, now->q, w->v, h, w->q);
}

static carom_status look_at_end(carom_step *s, const scratch *w, const carom_state *now,
                                const double *u_next, const double *P, unsigned mask)
{
    const carom_point at = {
        .t = now->t + s->h, .q = w->q, .u = u_next, .a = w->X, .P = P, .holds = s->holds};
    return carom_plan_ask(s->plan, &at, mask, s->ev[3], s->error);
}

// One Newton pass: the smooth part gives u without contact forces, the contact problem the rest.
static carom_status alpha_pass(carom_step *s, const carom_alpha *alpha, const carom_state *now,
                               carom_state *next, const scratch *w, double *P)
{
    const carom_contact_terms terms = terms_of(s, alpha, now, next);
    double *u = next->u, *residual = w->residual;
    if (alpha->has_rows) carom_dynamics_clear_report(s);
    if (alpha->is_bordered) return carom_border_contact(s, alpha->border, &terms, residual, P, u);
    if (alpha->jacobian)
        carom_linear_solve(alpha->jacobian, residual);
    else
        carom_mass_solve(s->ev[3]->mass, residual);
    for (int i = 0; i < s->size.nu; i++) u[i] -= residual[i];
    return alpha->has_rows ? carom_dynamics_contact(s, &terms, P, u) : CAROM_OK;
}

static void find_residual(const carom_step *s, const carom_alpha *alpha, const scratch *w)
{
    const double *f = s->ev[3]->f, reach = s->h * alpha->weights.gamma;
    carom_mass_times(s->ev[3]->mass, w->X, w->residual);
    for (int i = 0; i < s->size.nu; i++)
        w->residual[i] = reach * (w->residual[i] - alpha->share * f[i]);
}

static bool any_rows(const carom_step *s, const unsigned char *is_active)
{
    bool is_any = carom_active_always(&s->size);
    CAROM_EACH_SHORT(c, s->size.n_contact, is_any |= is_active[c])
    return is_any;
}

// Whether pass k goes on with the matrix at hand: after one that changed much less than the one
// before.
static bool keeps_matrix(const carom_step *s, const carom_alpha *alpha, int k, double rate)
{
    if (!alpha->jacobian || alpha->is_constant) return !alpha->jacobian || alpha->h == s->h;
    return k > 0 && rate <= CLOSE;
}

// how much the pass has changed; scale receives what that is measured by
static double change_of(const carom_step *s, const scratch *w, const double *u, double *scale)
{
    double most = 0;
    for (int i = 0; i < s->size.nu; i++) {
        *scale = carom_vector_larger(*scale, fabs(u[i]));
        *scale = carom_vector_larger(*scale, fabs(w->residual[i]));
        most = carom_vector_larger(most, fabs(u[i] - w->before[i]));
    }
    return carom_vector_is_finite(u, s->size.nu) ? most : NAN;
}

// from the old velocity, until the velocity no longer changes
static carom_status iterate_newton(carom_step *s, carom_alpha *alpha, const carom_state *now,
                                   const carom_alpha_ends *ends, carom_state *next, double *P)
{
    const scratch w = cut(s);
    const bool has_rows = any_rows(s, next->is_active);
    const size_t bytes = sizeof(double) * (size_t)s->size.nu;
    double change = INFINITY, rate = INFINITY, scale = carom_vector_largest(now->u, s->size.nu);
    bool is_converged = false;
    memcpy(next->u, now->u, bytes);
    alpha->has_rows = has_rows;
    for (int k = 0; k < MOST_PASSES && !is_converged; k++) {
        const bool is_kept = keeps_matrix(s, alpha, k, rate);
        place_end(s, alpha, &w, now, ends, next->u);
        CAROM_TRY(look_at_end(s, &w, now, next->u, P,
                              is_kept ? CAROM_ALPHA_CHORD_MASK : CAROM_ALPHA_MASK));
        if (alpha->border && has_rows)
            CAROM_TRY(factor_bordered(s, alpha, now, next, is_kept));
        else if (!is_kept)
            CAROM_TRY(factor_matrix(s, alpha, has_rows));
        find_residual(s, alpha, &w);
        memcpy(w.before, next->u, bytes);
        CAROM_TRY(alpha_pass(s, alpha, now, next, &w, P));
        s->report.iterations++;
        const double last = change;
        change = change_of(s, &w, next->u, &scale);
        if (!isfinite(change))
            return carom_fail(s->error, CAROM_NOT_FINITE,
                              "Newton's method diverged; use a smaller step");
        rate = change / (k == 0 ? scale : last);
        is_converged = alpha->is_linear || change <= CONVERGED * scale ||
                       (k > 0 && change * rate <= FORESEEN * scale) ||
                       (change >= last && change <= STAGNANT * scale);
    }
    s->report.is_converged &= is_converged;
    return CAROM_OK;
}

carom_status carom_alpha_step(carom_step *s, carom_alpha *alpha, const carom_state *now,
                              const carom_alpha_ends *ends, carom_state *next, double *h_la)
{
    const carom_alpha_weights *of = &alpha->weights;
    const scratch w = cut(s);
    const double share = of->gamma * alpha->share;
    for (int r = 0; r < s->size.n_row; r++) h_la[r] *= share;
    CAROM_TRY(iterate_newton(s, alpha, now, ends, next, h_la));
    for (int r = 0; r < s->size.n_row; r++) h_la[r] /= share;
    place_end(s, alpha, &w, now, ends, next->u);
    memcpy(next->q, w.q, sizeof(double) * (size_t)s->size.nq);
    for (int i = 0; i < s->size.nu; i++) {
        ends->a_end[i] = w.A[i];
        ends->a_dot_end[i] =
            ((1 - of->alpha_m) * w.A[i] + of->alpha_m * ends->a[i] - of->alpha_f * ends->a_dot[i]) /
            (1 - of->alpha_f);
    }
    next->t = now->t + s->h;
    return CAROM_OK;
}

carom_status carom_alpha_ease(carom_step *s, carom_alpha *alpha, double *x)
{
    if (!alpha->jacobian) {
        carom_mass_solve(s->ev[3]->mass, x);
        return CAROM_OK;
    }
    if (alpha->h != s->h) CAROM_TRY(factor_matrix(s, alpha, false));
    carom_linear_solve(alpha->jacobian, x);
    return CAROM_OK;
}
