// SPDX-License-Identifier: Apache-2.0
// Newton's method for positions. While a violation over the chosen contacts S and the constraints
// exceeds the tolerance, all at the position q of this pass:
//
//     0 <= g_S + W A W' l  _|_  l >= 0       contacts of S
//     g + W A W' l = 0                       constraints, and contacts that are held at gap 0
//     q := q + A W' l                        A the unit matrix, or M(q)^-1
//
// Redundant rows contradict each other by terms of second order: then the linear problem has no
// solution, its best answer is used, and what counts are the gaps after the move. A projection that
// leads away (100 times the first violation) or takes more than 50 passes is not converged.
//
// V. Acary, Projected event-capturing time-stepping schemes for nonsmooth mechanical systems with
// unilateral contact and Coulomb's friction, 2013.
#include "integrators/projection.h"
#include "model/plan.h"

#include <math.h>
#include <string.h>

enum { MOST_PASSES = 50 };
static const double LOST = 100; // times the first violation: no way back

// scratch, cut from how->work
typedef struct scratch {
    double *offset, *l;     // (n_row)
    double *dq;             // (nu)
    unsigned char *is_open; // (n_contact) contacts that exist, where all are asked for
} scratch;

int carom_projection_n_work(const carom_model *model)
{
    const carom_sizes size = carom_model_sizes(model);
    return 2 * size.n_row + size.nu + size.n_contact / (int)sizeof(double) + 1;
}

static scratch cut(const carom_step *s, const carom_projection *how)
{
    const int rows = s->size.n_row;
    double *w = how->work;
    return (scratch){w, w + rows, w + 2 * rows, (unsigned char *)(w + 2 * rows + s->size.nu)};
}

// a contact that does not exist here has no direction to be pushed in
static void choose_existing(const carom_step *s, unsigned char *is_open)
{
    const carom_eval *ev = s->ev[0];
    for (int c = 0; c < s->size.n_contact; c++) {
        const int r = carom_plan_contact(s->plan, c)->row;
        double poison = 0 * ev->gaps.value[c];
        for (int k = ev->rows.W.start[r]; k < ev->rows.W.start[r + 1]; k++)
            poison += 0 * ev->rows.W.value[k];
        is_open[c] = poison == 0;
    }
}

// fills the offsets of all rows in the problem; returns the largest violation
static double violation(const carom_step *s, const carom_projection *how,
                        const unsigned char *is_chosen, double *offset)
{
    const carom_eval *ev = s->ev[0];
    double worst = 0;
    for (int k = 0; k < s->size.n_constraint; k++) {
        offset[k] = ev->gaps.constraint[k];
        worst = fmax(worst, fabs(offset[k]));
    }
    for (int c = 0; c < s->size.n_contact; c++) {
        if (!is_chosen[c]) continue;
        const double gap = ev->gaps.value[c];
        offset[carom_plan_contact(s->plan, c)->row] = gap;
        worst = fmax(worst, how->is_equality && how->is_equality[c] ? fabs(gap) : -gap);
    }
    return worst;
}

static carom_status look_at_gaps(carom_step *s, const carom_projection *how,
                                 const carom_state *next)
{
    const unsigned mask = how->has_mass_metric ? CAROM_PROJECTION_MASS_MASK : CAROM_PROJECTION_MASK;
    const carom_point at = {.t = next->t, .q = next->q, .u = next->u, .holds = s->holds};
    return carom_plan_ask(s->plan, &at, mask, s->ev[0], s->error);
}

// one Newton step. Redundant rows contradict each other by terms of second order, so a linear
// problem without a solution is no verdict: the gaps after the move are
static carom_status move_position(carom_step *s, const carom_contact_terms *terms, const scratch *w,
                                  carom_state *next)
{
    const bool was_converged = s->report.is_converged;
    const double residual = s->report.residual;
    memset(w->l, 0, sizeof(double) * (size_t)s->size.n_row);
    memset(w->dq, 0, sizeof(double) * (size_t)s->size.nu);
    s->report.is_converged = true;
    CAROM_TRY(carom_dynamics_correct(s, terms, w->offset, w->l, w->dq));
    s->report.iterations++;
    if (!s->report.is_converged) s->report.residual = residual;
    s->report.is_converged = was_converged;
    carom_model_moved(s->model, next->q, w->dq, 1, next->q);
    return CAROM_OK;
}

carom_status carom_projection_apply(carom_step *s, const carom_projection *how, carom_state *next)
{
    const scratch w = cut(s, how);
    const carom_contact_terms terms = {.rate = s->ev[0],
                                       .is_identity = !how->has_mass_metric,
                                       .is_active = how->is_chosen ? how->is_chosen : w.is_open,
                                       .is_equality = how->is_equality,
                                       .on_positions = true,
                                       .position = s->model->n_plain < 0 ? NULL : next->q};
    double first = INFINITY;
    for (int k = 0; k <= MOST_PASSES; k++) {
        CAROM_TRY(look_at_gaps(s, how, next));
        if (!how->is_chosen) choose_existing(s, w.is_open);
        const double worst = violation(s, how, terms.is_active, w.offset);
        if (worst <= how->tolerance) return CAROM_OK;
        if (k == 0) first = worst;
        if (k == MOST_PASSES || !(worst <= LOST * first)) break;
        CAROM_TRY(move_position(s, &terms, &w, next));
    }
    s->report.is_converged = false;
    return CAROM_OK;
}
