// SPDX-License-Identifier: Apache-2.0
// The Schatzman-Paoli scheme: contact on position level, two steps for each impact.
//
//     M(q) (q+ - 2 q + q-) = h^2 f(t, q, u) + W(y)' P,    u+ = (q+ - q-) / 2h,    first q- = q - h
//     u y = (q+ + e q-)/(1 + e) for each contact,           0 <= g(y) _|_ P >= 0
//
// P/h is the impulse. Newton's method on q+, with the complementarity kept exact in every pass:
//     0 <= (1 + e) g(y) + W (q+_free - q+_old) + W M^-1 W' P _|_ P >= 0
// A step of another length than the one before continues with the velocity (q - q-)/h_before.
//
// M. Schatzman, A class of nonlinear differential equations of second order in time, 1978; L. Paoli
// and M. Schatzman, A numerical scheme for impact problems, 2002; Acary and Bonnefon 2011, eqs 3-4
// (gradient corrected).
#include "dynamics/mixed.h"
#include "schemes/schemes.h"

#include <math.h>
#include <string.h>

enum { MOTION = CAROM_MASS | CAROM_FORCES, MOST_PASSES = 50, GROWTH = 4 };
static const double CONVERGED = 1e-14; // of the largest step of a coordinate in two steps

// scratch, cut from s->work
typedef struct scratch {
    double *q_before, *q_free, *q_old, *y; // (n)
    double *offset;                        // (n_row)
} scratch;

static int n_memory(const carom_model *model)
{
    return carom_model_sizes(model).nq + 1; // q-, and the length of the step from there
}

static int n_work(const carom_model *model)
{
    const carom_sizes size = carom_model_sizes(model);
    return 4 * size.nq + size.n_row;
}

static scratch cut(const carom_step *s)
{
    const int n = s->size.nq;
    double *w = s->work;
    return (scratch){w, w + n, w + 2 * n, w + 3 * n, w + 4 * n};
}

static carom_status prepare(carom_step *s)
{
    carom_mixed *mixed;
    CAROM_TRY(carom_mixed_new(s->model, &mixed, s->error));
    s->self = mixed;
    return CAROM_OK;
}

static void release(carom_step *s)
{
    carom_mixed_free(s->self);
}

static carom_status start(carom_step *s, carom_state *state)
{
    carom_model_move(s->model, state->q, state->u, -s->h, state->memory);
    state->memory[s->size.nq] = s->h;
    return CAROM_OK;
}

// after all took part: those that push or are closed
static void keep_closed(const carom_step *s, carom_state *next)
{
    for (int c = 0; c < s->size.n_contact; c++)
        next->is_active[c] &=
            s->ev[2]->gap[c] <= 0 || next->P[carom_model_contact(s->model, c)->row] > 0;
}

static carom_status pass(carom_step *s, const scratch *w, carom_state *next)
{
    const carom_eval *all = s->ev[2];
    const int n = s->size.nq;
    for (int c = 0; c < s->size.n_contact; c++) {
        const carom_contact_facts *facts = carom_model_contact(s->model, c);
        double sum = (1 + facts->e) * all->gap[c];
        for (int k = all->W.start[facts->row]; k < all->W.start[facts->row + 1]; k++)
            sum += all->W.value[k] * (w->q_free[all->W.index[k]] - next->q[all->W.index[k]]);
        w->offset[facts->row] = sum;
    }
    memcpy(w->q_old, next->q, sizeof(double) * (size_t)n);
    memcpy(next->q, w->q_free, sizeof(double) * (size_t)n);
    const carom_contact_terms terms = {
        .rate = all, .mass = s->ev[0], .is_active = next->is_active, .position = w->q_old};
    carom_dynamics_clear_report(s);
    return carom_dynamics_correct(s, &terms, w->offset, next->P, next->q);
}

static carom_status solve(carom_step *s, const scratch *w, const carom_state *now,
                          carom_state *next)
{
    const int n = s->size.nq;
    const carom_mixed_points points = {now->t - s->h, now->t + s->h, w->q_before,
                                       next->q,       now->u,        w->y};
    bool is_converged = false, with_all = false;
    for (int k = 0; k < MOST_PASSES && !is_converged; k++) {
        CAROM_TRY(carom_mixed_eval(s, s->self, &points, s->ev[1], s->ev[2]));
        // a set that still grows could need as many passes as there are contacts: let the law
        // choose among all
        const int n_joined = carom_mixed_activate(s->ev[2], with_all, next->is_active);
        if (n_joined == 0 && k == 0) return CAROM_OK;
        with_all |= n_joined > 0 && k >= GROWTH;
        CAROM_TRY(pass(s, w, next));
        s->report.iterations++;
        double change = 0, scale = 0;
        for (int i = 0; i < n; i++) {
            change = fmax(change, fabs(next->q[i] - w->q_old[i]));
            scale = fmax(scale, fabs(next->q[i]) + fabs(next->q[i] - w->q_before[i]));
        }
        is_converged = change <= CONVERGED * scale;
    }
    s->report.is_converged &= is_converged;
    if (with_all) keep_closed(s, next);
    return CAROM_OK;
}

// impulses, and the rates before and after for the energy balance: those of the half steps, between
// which P acts
static void finish(carom_step *s, const scratch *w, const carom_state *now, carom_state *next)
{
    carom_step_report *report = &s->report;
    const carom_eval *all = s->ev[2];
    for (int c = 0; c < s->size.n_contact; c++) {
        const int r = carom_model_contact(s->model, c)->row;
        next->P[r] /= s->h;
        if (!next->is_active[c]) continue;
        double before = all->w0[r], after = all->w0[r];
        for (int k = all->W.start[r]; k < all->W.start[r + 1]; k++) {
            const int i = all->W.index[k];
            before += all->W.value[k] * (now->q[i] - w->q_before[i]) / s->h;
            after += all->W.value[k] * (next->q[i] - now->q[i]) / s->h;
        }
        report->rate_before[r] = before;
        report->rate_after[r] = after;
        report->impact_loss -= 0.5 * next->P[r] * (before + after);
        report->obstacle_work -= next->P[r] * all->w0[r];
    }
}

static carom_status step(carom_step *s, const carom_state *now, carom_state *next)
{
    const scratch w = cut(s);
    const int n = s->size.nq;
    const carom_point at = {.t = now->t, .q = now->q, .u = now->u};
    CAROM_TRY(carom_model_eval(s->plan, &at, MOTION, s->ev[0], s->error));

    // without contact: q+ = 2 q - q- + h^2 M^-1 f
    const double ratio = s->h / now->memory[n];
    memcpy(w.q_free, s->ev[0]->f, sizeof(double) * (size_t)n);
    carom_mass_solve(s->ev[0]->mass, w.q_free);
    for (int i = 0; i < n; i++) {
        w.q_before[i] =
            ratio == 1 ? now->memory[i] : now->q[i] - ratio * (now->q[i] - now->memory[i]);
        w.q_free[i] = 2 * now->q[i] - w.q_before[i] + s->h * s->h * w.q_free[i];
        next->q[i] = w.q_free[i];
    }
    memset(next->P, 0, sizeof(double) * (size_t)s->size.n_row);
    memset(next->is_active, 0, (size_t)s->size.n_contact);
    CAROM_TRY(solve(s, &w, now, next));

    for (int i = 0; i < n; i++) {
        next->u[i] = (next->q[i] - w.q_before[i]) / (2 * s->h);
        next->memory[i] = now->q[i];
    }
    next->memory[n] = s->h;
    finish(s, &w, now, next);
    next->t = now->t + s->h;
    return CAROM_OK;
}

static const unsigned masks[] = {MOTION, CAROM_MIXED_MASK, 0};

const carom_scheme carom_scheme_schatzman_paoli = {
    .name = "schatzman_paoli",
    .about = "Schatzman-Paoli: contact on position level, restitution over two steps",
    .reference = "L. Paoli and M. Schatzman, A numerical scheme for impact problems, 2002",
    .order_free = 1,
    .order_contact = 1,
    .level = "position",
    .cost = 1.3,
    .has_contact = true,
    .mask = masks,
    .n_eval = 3,
    .n_memory = n_memory,
    .n_work = n_work,
    .accepts = carom_mixed_accepts,
    .prepare = prepare,
    .release = release,
    .start = start,
    .step = step,
};
