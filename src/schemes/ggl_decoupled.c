// SPDX-License-Identifier: Apache-2.0
// Gear-Gupta-Leimkuhler for impacts, decoupled: Moreau's midpoint rule for the velocity, then
// a shift of the position out of all contacts. The velocity does not know of the shift.
//
//     q_m = q + h/2 u
//     M(q_m) (u+ - u) = h f(t_m, q_m, u) + W(q_m)' P      law on W(q_m) u+ and W(q_m) u
//                                                         contacts with g(q_m) <= 0
//     q~ = q + h/2 (u + u+)
//     q+ = q~ + W(q_m)' psi                               0 <= g(q+)  _|_  psi >= 0, all contacts
//                                                         constraints: g_B(q+) = 0
//
// psi moves the position along the rows of the midpoint; it has no physical meaning. Newton's
// method on q+, from q_k = q~ on, keeps the complementarity exact in every pass:
//
//     0 <= g(q_k) + W(q_k) (q~ - q_k) + W(q_k) W(q_m)' psi  _|_  psi >= 0
//
// Where positions are not plain q+ = q~ (+) W(q_m)' psi, and q~ - q_k is their difference.
//
// Contacts come in when their gap is negative and stay for the step; what touches to rounding comes
// in with them, else a stack would take one pass for each body. No friction.
//
// S. Schoeder, H. Ulbrich, Th. Schindler, Discussion of the Gear-Gupta-Leimkuhler method for
// impacting mechanical systems, 2014, eqs 29-33.
#include "dynamics/active.h"
#include "math/vector.h"
#include "model/plan.h"
#include "schemes/schemes.h"

#include <math.h>
#include <string.h>

enum { MOTION = CAROM_MASS | CAROM_FORCES | CAROM_GAPS, MOST_PASSES = 50 };
static const double CONVERGED = 1e-12; // of the largest of |q| and h |u|

// scratch, cut from s->work
typedef struct scratch {
    double *q_free, *q_old;    // (nq)
    double *shift;             // (nu) from q~, where positions are not plain
    double *offset, *psi;      // (n_row)
    unsigned char *is_shifted; // (n_contact) contacts of the position
} scratch;

static int n_work(const carom_model *model)
{
    const carom_sizes size = carom_model_sizes(model);
    return 2 * size.nq + size.nu + 2 * size.n_row + size.n_contact;
}

static scratch cut(const carom_step *s)
{
    const int n = s->size.nq, rows = s->size.n_row;
    double *w = s->work, *of_rows = w + 2 * n + s->size.nu;
    return (scratch){w,       w + n,          w + 2 * n,
                     of_rows, of_rows + rows, (unsigned char *)(of_rows + 2 * rows)};
}

// contacts with a negative gap join and stay; returns whether some are new. What touches joins with
// them: else a stack would take one pass for each body
static bool join_closed(const carom_step *s, double rounding, unsigned char *is_shifted)
{
    bool is_new = false;
    for (int c = 0; c < s->size.n_contact; c++)
        is_new |= !is_shifted[c] && s->ev[1]->gaps.value[c] < 0;
    for (int c = 0; c < s->size.n_contact && is_new; c++)
        is_shifted[c] |= s->ev[1]->gaps.value[c] <= rounding;
    return is_new;
}

static void find_values(const carom_step *s, const scratch *w)
{
    const carom_eval *here = s->ev[1];
    for (int r = 0; r < s->size.n_constraint; r++) w->offset[r] = here->gaps.constraint[r];
    for (int c = 0; c < s->size.n_contact; c++)
        w->offset[carom_plan_contact(s->plan, c)->row] = here->gaps.value[c];
}

// the same pass where positions are not plain: q+ = q~ (+) W_m' psi
static carom_status newton_pass_along(carom_step *s, const scratch *w, carom_state *next,
                                      double *change)
{
    const carom_eval *here = s->ev[1];
    carom_model_difference(s->model, next->q, w->q_free, w->shift);
    find_values(s, w);
    for (int r = 0; r < s->size.n_row; r++)
        w->offset[r] += carom_sparse_row_times(&here->rows.W, r, w->shift);
    memcpy(w->q_old, next->q, sizeof(double) * (size_t)s->size.nq);
    carom_vector_clear(s->size.nu, w->shift);
    const carom_contact_terms terms = {.rate = here,
                                       .push = s->ev[0],
                                       .is_identity = true,
                                       .is_active = w->is_shifted,
                                       .on_positions = true};
    CAROM_TRY(carom_dynamics_correct(s, &terms, w->offset, w->psi, w->shift));
    s->report.iterations++;
    carom_model_moved(s->model, w->q_free, w->shift, 1, next->q);
    carom_model_difference(s->model, w->q_old, next->q, w->shift);
    *change = carom_vector_largest(w->shift, s->size.nu);
    return CAROM_OK;
}

// one pass of Newton's method; returns the change of q+
static carom_status ggl_decoupled_pass(carom_step *s, const scratch *w, carom_state *next,
                                       double *change)
{
    const carom_eval *here = s->ev[1];
    const carom_sparse *W = &here->rows.W;
    const int n = s->size.nq;
    if (s->model->n_plain < 0) return newton_pass_along(s, w, next, change);
    find_values(s, w);
    for (int r = 0; r < s->size.n_row; r++)
        for (int k = W->start[r]; k < W->start[r + 1]; k++)
            w->offset[r] += W->value[k] * (w->q_free[W->index[k]] - next->q[W->index[k]]);
    memcpy(w->q_old, next->q, sizeof(double) * (size_t)n);
    memcpy(next->q, w->q_free, sizeof(double) * (size_t)n);
    const carom_contact_terms terms = {.rate = here,
                                       .push = s->ev[0],
                                       .is_identity = true,
                                       .is_active = w->is_shifted,
                                       .on_positions = true,
                                       .position = w->q_free};
    CAROM_TRY(carom_dynamics_correct(s, &terms, w->offset, w->psi, next->q));
    s->report.iterations++;
    for (int i = 0; i < n; i++) w->q_old[i] -= next->q[i];
    *change = carom_vector_largest(w->q_old, n);
    return CAROM_OK;
}

// moves q+ = q~ out of all contacts, along the rows of the midpoint
// Rows that are redundant where they hold are nearly so before, and their multipliers not known to
// the last digits. A law of the shift that is broken by less than positions are converged to counts
// as kept; before is the report without the shift
static void forgive_rounding(carom_step *s, const scratch *w, const carom_step_report *before,
                             double rounding)
{
    const double broken = s->report.residual * carom_vector_largest(w->offset, s->size.n_row);
    if (!(broken <= rounding)) return;
    s->report.residual = before->residual;
    s->report.residual_row = before->residual_row;
    s->report.is_converged = before->is_converged;
}

static carom_status shift_position(carom_step *s, const scratch *w, const carom_state *now,
                                   carom_state *next)
{
    const carom_point end = {.t = now->t + s->h, .q = next->q, .u = next->u, .holds = s->holds};
    const int n = s->size.nq, nu = s->size.nu;
    const double scale =
        fmax(carom_vector_largest(now->q, n),
             s->h * fmax(carom_vector_largest(now->u, nu), carom_vector_largest(next->u, nu)));
    double change = s->size.n_constraint > 0 ? INFINITY : 0;
    memset(w->is_shifted, 0, (size_t)s->size.n_contact);
    memset(w->psi, 0, sizeof(double) * (size_t)s->size.n_row);
    memcpy(w->q_free, next->q, sizeof(double) * (size_t)n);
    for (int k = 0; k < MOST_PASSES + s->size.n_contact; k++) {
        CAROM_TRY(carom_plan_ask(s->plan, &end, CAROM_GAPS, s->ev[1], s->error));
        if (!join_closed(s, CONVERGED * scale, w->is_shifted) && change <= CONVERGED * scale)
            return CAROM_OK;
        CAROM_TRY(carom_plan_ask(s->plan, &end, CAROM_ROWS, s->ev[1], s->error));
        const carom_step_report before = s->report;
        CAROM_TRY(ggl_decoupled_pass(s, w, next, &change));
        forgive_rounding(s, w, &before, CONVERGED * scale);
        if (!isfinite(change))
            return carom_fail(s->error, CAROM_NOT_FINITE,
                              "the shift of the position diverged; use a smaller step");
    }
    s->report.is_converged = false;
    return CAROM_OK;
}

static carom_status ggl_decoupled_step(carom_step *s, const carom_state *now, carom_state *next)
{
    const scratch w = cut(s);
    carom_eval *mid = s->ev[0];
    carom_model_moved(s->model, now->q, now->u, 0.5 * s->h, next->q);
    const carom_point at = {.t = now->t + 0.5 * s->h, .q = next->q, .u = now->u, .holds = s->holds};
    CAROM_TRY(carom_plan_ask(s->plan, &at, MOTION, mid, s->error));

    // the velocity of Moreau's midpoint rule
    carom_dynamics_free_velocity(mid, now->u, s->h, next->u);
    memcpy(next->P, now->P, sizeof(double) * (size_t)s->size.n_row);
    if (s->size.n_row > 0) CAROM_TRY(carom_plan_ask(s->plan, &at, CAROM_ROWS, mid, s->error));
    if (carom_active_closed(mid, 0, next->is_active)) {
        const carom_contact_terms terms = {
            .rate = mid, .u_minus = now->u, .is_active = next->is_active};
        CAROM_TRY(carom_dynamics_contact(s, &terms, next->P, next->u));
    } else {
        memset(next->P, 0, sizeof(double) * (size_t)s->size.n_row);
    }

    carom_model_moved(s->model, next->q, next->u, 0.5 * s->h, next->q);
    if (s->size.n_row > 0) CAROM_TRY(shift_position(s, &w, now, next));
    next->t = now->t + s->h;
    return CAROM_OK;
}

static const unsigned masks[] = {MOTION, CAROM_ROWS, CAROM_GAPS, 0};

const carom_scheme carom_scheme_ggl_decoupled = {
    .name = "ggl_decoupled",
    .about = "Moreau's midpoint rule, then the position shifted out of all contacts",
    .reference = "S. Schoeder, H. Ulbrich, Th. Schindler, Discussion of the Gear-Gupta-Leimkuhler "
                 "method, 2014",
    .order_free = 2,
    .order_contact = 1,
    .level = "both",
    .cost = 2.1,
    .has_bilateral = true,
    .takes.rates = true,
    .takes.wh = 2,
    .takes.varies = CAROM_VARIES_RESTITUTION,
    .has_contact = true,
    .mask = masks,
    .n_eval = 2,
    .n_work = n_work,
    .step = ggl_decoupled_step,
};
