// SPDX-License-Identifier: Apache-2.0
// The implicit velocity step of the Moreau-Jean theta rule. With x_th = (1 - theta) x + theta x+:
//
//     q+ = q + h u_th
//     M(q_th) (u+ - u) = h f(t + theta h, q_th, u_th) + W(q_th)' P
//                         law on W(q_th) u+ and W(q_th) u, on the contacts that are given
//
// Newton's method on u+, from u on, with the contact law kept exact in every pass: its matrix takes
// the place of M in the contact problem. With a = u+ - u it is
//
//     J = M + theta^2 h d(M a)/dq - theta h df/du - theta^2 h^2 df/dq - theta^2 h d(W'P)/dq
//
// Where all of these derivatives have no entries J is M itself; where J and W do not depend on q
// and u, one pass is exact, and J is factorised once for each h. Else J is kept in the step while
// the velocity changes little (chord method), and the iteration ends when its rate of convergence
// says that the next change is rounding.
//
// d(W'P)/dq of a long chain of constraints couples all its coordinates, so that W J^-1 W' would be
// full; constraints like these are eliminated together with J (dynamics/border).
//
// M. Jean, The non-smooth contact dynamics method, 1999; V. Acary and O. Bonnefon, Time integration
// of nonsmooth mechanical systems with unilateral contact, 2011, eq 2 (weights corrected).
#include "integrators/theta.h"

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
static const double FADED = 1e-14;    // of the largest position: what a change moves in a step
static const double FORESEEN = 1e-14; // the next change, from the last two
static const double ROUNDING = 1e-16; // the same where the caller holds gaps to rounding
static const double CLOSE = 1e-2;     // a change, or a rate, with which the matrix will do

struct carom_theta {
    double weight;
    const carom_mass *mass; // of the theta point, or
    bool mass_is_given;     // of another
    double foreseen;        // next change with which the iteration ends
    carom_linear *jacobian; // NULL: the mass is the matrix
    bool is_linear;         // the matrix and the rows do not depend on the unknown velocity
    bool is_constant;       // nor on anything else but h:
    double h;               // the matrix is factorised for this step; 0: for none
    carom_border *border;   // the matrix with all constraints, where they are many; else NULL
    bool is_bordered;       // it serves in the present pass
};

// the parts of the matrix
enum { MASS, DF_DU, DF_DQ, DMA_DQ, DWP_DQ, N_PART };

// scratch, cut from s->work
typedef struct scratch {
    double *q_th;                // (nq)
    double *u_th, *a, *residual; // (nu)
} scratch;

int carom_theta_n_work(const carom_model *model)
{
    const carom_sizes size = carom_model_sizes(model);
    return size.nq + 3 * size.nu;
}

static scratch cut(const carom_step *s)
{
    const int n = s->size.nu;
    double *w = s->work + s->size.nq;
    return (scratch){s->work, w, w + n, w + 2 * n};
}

static int entries(const carom_sparse *matrix)
{
    return matrix->start[matrix->n_row];
}

// which derivatives the matrix has, and what follows from that
static int analyse_parts(const carom_step *s, carom_theta *theta)
{
    const carom_eval *ev = s->ev[1];
    const bool is_still = entries(&ev->derivatives.dgamma_dq) == 0; // the rows
    const int of_forces = entries(&ev->derivatives.df_dq) + entries(&ev->derivatives.df_du);
    const int of_point = theta->mass_is_given
                             ? 0
                             : entries(&ev->derivatives.dMa_dq) + entries(&ev->derivatives.dWP_dq);
    const bool is_mass = theta->weight == 0 || of_forces + of_point == 0;
    theta->is_constant = (is_still || theta->mass_is_given) && s->model->mass_is_constant &&
                         of_point == 0 && carom_plan_is_constant(s->plan, CAROM_D_FORCES);
    theta->is_linear =
        theta->weight == 0 || (is_mass && (is_still || theta->mass_is_given)) || theta->is_constant;
    return is_mass ? 0 : of_forces + of_point;
}

carom_status carom_theta_new(carom_step *s, double weight, const carom_eval *mass,
                             carom_theta **theta)
{
    const carom_eval *ev = s->ev[1];
    const int n = s->size.nu;
    carom_theta *made = *theta = calloc(1, sizeof *made);
    if (!made) return carom_fail(s->error, CAROM_NO_MEMORY, "not enough memory for the scheme");
    made->weight = weight;
    made->mass = mass->mass;
    made->mass_is_given = mass != ev;
    made->foreseen = made->mass_is_given ? ROUNDING : FORESEEN;
    const int derived = analyse_parts(s, made);
    if (derived == 0) return CAROM_OK;
    const int room = n <= CAROM_LINEAR_DENSE ? n * n : derived + carom_mass_n_entry(made->mass);
    const carom_sparse part[N_PART] = {[MASS] = carom_mass_sparse(made->mass),
                                       [DF_DU] = ev->derivatives.df_du,
                                       [DF_DQ] = ev->derivatives.df_dq,
                                       [DMA_DQ] = ev->derivatives.dMa_dq,
                                       [DWP_DQ] = ev->derivatives.dWP_dq};
    CAROM_TRY(carom_linear_new(n, room, &made->jacobian, s->error));
    CAROM_TRY(carom_linear_expect(made->jacobian, N_PART, part, s->error));
    if (made->mass_is_given) return CAROM_OK;
    return carom_border_new(ev, N_PART, part, &made->border, s->error);
}

void carom_theta_free(carom_theta *theta)
{
    if (!theta) return;
    carom_border_free(theta->border);
    carom_linear_free(theta->jacobian);
    free(theta);
}

void carom_theta_forget(carom_theta *theta)
{
    theta->h = 0;
}

carom_status carom_theta_renew(carom_step *s)
{
    carom_theta_forget(s->self);
    return CAROM_OK;
}

// with_dMa: a is not 0
static void weigh_parts(const carom_theta *theta, double h, bool has_rows, bool with_dMa,
                        double *weight)
{
    const double th = theta->weight;
    weight[MASS] = 1;
    weight[DF_DU] = -h * th;
    weight[DF_DQ] = -h * h * th * th;
    weight[DMA_DQ] = with_dMa ? th * th * h : 0;
    weight[DWP_DQ] = has_rows ? -th * th * h : 0;
}

static carom_status factor_matrix(const carom_step *s, carom_theta *theta, bool has_rows,
                                  bool is_first)
{
    double weight[N_PART];
    weigh_parts(theta, s->h, has_rows, !is_first && !theta->mass_is_given, weight);
    carom_linear_combine(theta->jacobian, weight);
    theta->h = 0;
    CAROM_TRY(carom_linear_factor(theta->jacobian, s->error));
    theta->h = s->h;
    return CAROM_OK;
}

static carom_contact_terms terms_of(const carom_step *s, const carom_theta *theta,
                                    const carom_state *now, const carom_state *next)
{
    return (carom_contact_terms){.rate = s->ev[1],
                                 .metric = theta->jacobian,
                                 .u_minus = now->u,
                                 .is_active = next->is_active,
                                 .rests = s->rests,
                                 .lead = s->rests ? (1 - theta->weight) * s->h : 0};
}

// The matrix with all constraints, whose rows are those of this pass also where the rest is kept.
// Rows that are not independent are left to the contact problem.
static carom_status factor_bordered(carom_step *s, carom_theta *theta, const carom_state *now,
                                    const carom_state *next, bool is_kept, bool is_first)
{
    const carom_contact_terms terms = terms_of(s, theta, now, next);
    double weight[N_PART];
    weigh_parts(theta, s->h, true, !is_first, weight);
    CAROM_TRY(carom_border_factor(s, theta->border, weight, &terms, &theta->is_bordered));
    if (theta->is_bordered) theta->h = 0;
    if (theta->is_bordered || (is_kept && theta->h == s->h)) return CAROM_OK;
    return factor_matrix(s, theta, true, is_first);
}

// the old velocity as the first iterate; returns its size
static double start_iterate(const carom_step *s, const scratch *w, const double *u, double *u_next)
{
    double *u_th = w->u_th, *a = w->a, size = 0;
    const int n = s->size.nu;
    if (n > CAROM_LONG) {
        for (int i = 0; i < n; i++) {
            u_th[i] = u_next[i] = u[i];
            a[i] = 0;
        }
        return carom_vector_largest(u, n);
    }
    for (int i = 0; i < n; i++) {
        u_th[i] = u_next[i] = u[i];
        a[i] = 0;
        size = carom_vector_larger(size, fabs(u[i]));
    }
    return size;
}

// answers at the theta point of the present u+
static carom_status evaluate_theta_point(carom_step *s, const scratch *w, double th,
                                         const carom_state *now, const carom_state *next,
                                         unsigned mask)
{
    const double lead = th * s->h;
    carom_model_moved(s->model, now->q, w->u_th, lead, w->q_th);
    const carom_point at = {
        .t = now->t + lead, .q = w->q_th, .u = w->u_th, .a = w->a, .P = next->P, .holds = s->holds};
    CAROM_TRY(carom_plan_ask(s->plan, &at, mask, s->ev[1], s->error));
    if (!s->rests) return CAROM_OK;
    return carom_plan_ask(s->plan, &at, CAROM_CURVATURE, s->ev[1], s->error);
}

// residual = M a - h f
static void find_residual(const carom_step *s, const carom_mass *mass, const scratch *w,
                          bool is_first)
{
    const double h = s->h, *f = s->ev[1]->f;
    double *residual = w->residual;
    const int n = s->size.nu;
    if (is_first) { // a = 0
        CAROM_EACH_SHORT(i, n, residual[i] = -h * f[i])
    } else {
        carom_mass_times(mass, w->a, residual);
        CAROM_EACH_SHORT(i, n, residual[i] -= h * f[i])
    }
}

// one Newton pass with the constraints in its matrix
static carom_status theta_pass_bordered(carom_step *s, const carom_theta *theta,
                                        const carom_state *now, carom_state *next, const scratch *w)
{
    const carom_contact_terms terms = terms_of(s, theta, now, next);
    carom_dynamics_clear_report(s);
    return carom_border_contact(s, theta->border, &terms, w->residual, next->P, next->u);
}

// one Newton pass: the smooth part gives u without contact, the contact problem the rest
static carom_status theta_pass(carom_step *s, const carom_theta *theta, const carom_state *now,
                               carom_state *next, const scratch *w, bool has_rows)
{
    double *u = next->u, *residual = w->residual;
    if (theta->is_bordered) return theta_pass_bordered(s, theta, now, next, w);
    if (theta->jacobian)
        carom_linear_solve(theta->jacobian, residual);
    else
        carom_mass_solve(theta->mass, residual);
    CAROM_EACH_SHORT(i, s->size.nu, u[i] -= residual[i])
    if (!has_rows) return CAROM_OK;
    carom_dynamics_clear_report(s);
    const carom_contact_terms terms = terms_of(s, theta, now, next);
    return carom_dynamics_contact(s, &terms, next->P, next->u);
}

static bool any_rows(const carom_step *s, const unsigned char *is_active)
{
    bool is_any = carom_active_always(&s->size);
    CAROM_EACH_SHORT(c, s->size.n_contact, is_any |= is_active[c])
    return is_any;
}

// Makes what a pass has found the iterate, and finds its change. Returns what that is measured by:
// what rests still moves by h M^-1 f before the contacts hold it.
static double take_iterate(const carom_step *s, const scratch *w, double th, const double *u,
                           const double *u_next, double *change)
{
    double *a = w->a, *u_th = w->u_th, most = 0, scale = 0;
    const double *residual = w->residual;
    for (int i = 0, n = s->size.nu; i < n; i++) {
        const double a_new = u_next[i] - u[i];
        scale = carom_vector_larger(scale, fabs(u_next[i]));
        scale = carom_vector_larger(scale, fabs(residual[i]));
        most = carom_vector_larger(most, fabs(a_new - a[i]));
        a[i] = a_new;
        u_th[i] = u[i] + th * a_new;
    }
    *change = most;
    return scale;
}

// The same where one pass is exact; change tells only whether all is finite.
static double take_last_iterate(const carom_step *s, const scratch *w, double th, const double *u,
                                const double *u_next, double *change)
{
    double *u_th = w->u_th;
    for (int i = 0, n = s->size.nu; i < n; i++) u_th[i] = u[i] + th * (u_next[i] - u[i]);
    *change = carom_vector_is_finite(u_next, s->size.nu) ? 0 : NAN;
    return 0;
}

// Whether pass k goes on with the matrix at hand: after one that changed little, or much less than
// the one before.
static bool keeps_matrix(const carom_step *s, const carom_theta *theta, int k, double rate)
{
    if (!theta->jacobian || theta->is_constant) return !theta->jacobian || theta->h == s->h;
    return k > 0 && rate <= CLOSE;
}

static unsigned choose_mask(const carom_theta *theta, int k, bool has_rows, bool is_kept)
{
    if (theta->mass_is_given) return is_kept ? CAROM_FORCES : CAROM_FORCES | CAROM_D_FORCES;
    if (is_kept) return has_rows ? CAROM_THETA_CHORD_MASK : CAROM_THETA_FREE_CHORD_MASK;
    return k > 0 || has_rows ? CAROM_THETA_MASK : CAROM_THETA_FREE_MASK;
}

// at rest the velocity fades, and forces that hold each other leave the rounding of positions in it
static bool has_faded(const carom_step *s, const carom_state *now, double change)
{
    double most = 0;
    for (int i = 0; i < s->size.nq; i++) most = carom_vector_larger(most, fabs(now->q[i]));
    return s->h * change <= FADED * most;
}

// from the old velocity, until the velocity no longer changes
static carom_status iterate_newton(carom_step *s, carom_theta *theta, const carom_state *now,
                                   carom_state *next, const scratch *w)
{
    const double th = theta->weight, size = start_iterate(s, w, now->u, next->u);
    const bool has_rows = any_rows(s, next->is_active);
    bool is_converged = false;
    double change = INFINITY, rate = INFINITY;
    for (int k = 0; k < MOST_PASSES && !is_converged; k++) {
        const bool is_kept = keeps_matrix(s, theta, k, rate);
        CAROM_TRY(
            evaluate_theta_point(s, w, th, now, next, choose_mask(theta, k, has_rows, is_kept)));
        if (theta->border)
            CAROM_TRY(factor_bordered(s, theta, now, next, is_kept, k == 0));
        else if (!is_kept)
            CAROM_TRY(factor_matrix(s, theta, has_rows, k == 0));
        find_residual(s, theta->mass, w, k == 0);
        CAROM_TRY(theta_pass(s, theta, now, next, w, has_rows));
        s->report.iterations++;
        const double before = change;
        // two calls, so that the usual one is inlined
        const double size_now = theta->is_linear && s->size.nu > CAROM_LONG
                                    ? take_last_iterate(s, w, th, now->u, next->u, &change)
                                    : take_iterate(s, w, th, now->u, next->u, &change);
        const double scale = carom_vector_larger(size, size_now);
        if (!isfinite(change))
            return carom_fail(s->error, CAROM_NOT_FINITE,
                              "Newton's method diverged; use a smaller step");
        rate = change / (k == 0 ? scale : before);
        is_converged =
            theta->is_linear || change <= CONVERGED * scale ||
            (k > 0 && change * rate <= theta->foreseen * scale) ||
            (change >= before && (change <= STAGNANT * scale || has_faded(s, now, change)));
    }
    s->report.is_converged &= is_converged;
    return CAROM_OK;
}

carom_status carom_theta_step(carom_step *s, carom_theta *theta, const carom_state *now,
                              carom_state *next)
{
    const scratch w = cut(s);
    CAROM_TRY(iterate_newton(s, theta, now, next, &w));
    carom_model_moved(s->model, now->q, w.u_th, s->h, next->q);
    next->t = now->t + s->h;
    return CAROM_OK;
}
