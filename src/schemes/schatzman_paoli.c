// SPDX-License-Identifier: Apache-2.0
// The Schatzman-Paoli scheme: central differences for q, with contact on position level. The gap
// is asked at a point y between the last and the next position, weighted so that a body which came
// with velocity -v leaves with e v; one impact so takes two steps.
//
//     M(q) (q+ - 2 q + q-) = h^2 f(t, q, u) + W(y)' P     u+ = (q+ - q-) / 2h
//     y = (q+ + e q-) / (1 + e)                           for each contact, with its own e
//     0 <= g(y)  _|_  P >= 0                              all contacts
//     q- = q - h u                                        in the first step
//
// P/h is the impulse. Newton's method on q+ keeps the complementarity exact in every pass, with
// q+_free = 2 q - q- + h^2 M^-1 f and q+_old the iterate at which g(y) and W(y) were taken:
//
//     0 <= (1 + e) g(y) + W (q+_free - q+_old) + W M^-1 W' P  _|_  P >= 0
//
// What is computed are displacements, d = q - q- and d+ = q+ - q, and what rounding takes from a
// position is added to the next: bodies that move together keep the same d, so that their gaps stay
// 0 to one rounding of the positions. With q- in the memory they would get velocities of the size
// eps |q| / h against each other, and the contact problem of a long row would be made of noise. A
// step of another length than the one before continues with the velocity d / h_before.
//
// Where positions are not plain q+ = q (+) d+, y = q (+) (d+ - e d)/(1 + e), and nothing is added
// for rounding: d is in axes of the body, and a turn by d leaves it as it is, so that d and d+ are
// in one frame.
//
// M. Schatzman, A class of nonlinear differential equations of second order in time, 1978; L. Paoli
// and M. Schatzman, A numerical scheme for impact problems, 2002; V. Acary and O. Bonnefon, Time
// integration of nonsmooth mechanical systems, 2011, eqs 3-4 (place of the gradient corrected).
#include "dynamics/assembly.h"
#include "dynamics/law.h"
#include "integrators/mixed.h"
#include "model/plan.h"
#include "schemes/schemes.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOTION = CAROM_MASS | CAROM_FORCES, MOST_PASSES = 50, GROWTH = 4 };
static const double CONVERGED = 1e-14; // of the largest step of a coordinate in two steps
static const double SAME = 1e-12;      // of numbers of rows in one place

// a state's memory: d = q - q-, what q lost to rounding, and the length of the step from q-
typedef struct memory {
    double *d, *lost, *h; // (nu), (nu), (1)
} memory;

static memory memory_of(const carom_step *s, const carom_state *state)
{
    double *m = state->memory;
    return (memory){m, m + s->size.nu, m + 2 * s->size.nu};
}

// scratch, cut from s->work
typedef struct scratch {
    double *d_before, *d_free, *d, *d_old; // (nu)
    double *size;                          // (nu) of the positions, for what is rounding
    double *y;                             // (nq)
    double *offset, *l;                    // (n_row)
    unsigned char *is_held;                // (n_contact), from the tools
} scratch;

// what the scheme keeps of a model
typedef struct tools {
    carom_mixed *mixed;
    unsigned char is_held[];
} tools;

static int n_memory(const carom_model *model)
{
    return 2 * carom_model_sizes(model).nu + 1;
}

static int n_work(const carom_model *model)
{
    const carom_sizes size = carom_model_sizes(model);
    return 5 * size.nu + size.nq + 2 * size.n_row;
}

static scratch cut(const carom_step *s)
{
    const int n = s->size.nu;
    double *w = s->work;
    return (scratch){.d_before = w,
                     .d_free = w + n,
                     .d = w + 2 * n,
                     .d_old = w + 3 * n,
                     .size = w + 4 * n,
                     .offset = w + 5 * n,
                     .l = w + 5 * n + s->size.n_row,
                     .y = w + 5 * n + 2 * s->size.n_row,
                     .is_held = ((tools *)s->self)->is_held};
}

static carom_status prepare(carom_step *s)
{
    tools *made = calloc(1, sizeof *made + (size_t)s->size.n_contact);
    if (!made) return carom_fail(s->error, CAROM_NO_MEMORY, "not enough memory for the scheme");
    s->self = made;
    CAROM_TRY(carom_mixed_new(s->plan, &made->mixed, s->error));
    return carom_mixed_accepts(s->plan, made->mixed, s->error);
}

static carom_status renew(carom_step *s)
{
    const tools *self = s->self;
    carom_mixed_renew(s->plan, self->mixed);
    return carom_mixed_accepts(s->plan, self->mixed, s->error);
}

static void release(carom_step *s)
{
    tools *made = s->self;
    if (made) carom_mixed_free(made->mixed);
    free(made);
}

// whether row b is row a times a positive number, with its gap and the rate of its obstacle
static bool is_same_place(const carom_eval *at, const carom_contact_facts *a,
                          const carom_contact_facts *b, int contact_a, int contact_b)
{
    const carom_sparse *W = &at->rows.W;
    const int i = W->start[a->row], j = W->start[b->row], n = W->start[a->row + 1] - i;
    if (n == 0 || W->start[b->row + 1] - j != n) return false;
    const double *gap = at->gaps.value, *w0 = at->rows.w0;
    const double by = W->value[j] / W->value[i];
    bool is_same = by > 0 && isfinite(gap[contact_a]);
    is_same = is_same && fabs(gap[contact_b] - by * gap[contact_a]) <= SAME * fabs(gap[contact_b]);
    is_same = is_same && fabs(w0[b->row] - by * w0[a->row]) <= SAME * fabs(w0[b->row]);
    for (int k = 0; k < n && is_same; k++)
        is_same = W->index[i + k] == W->index[j + k] &&
                  fabs(W->value[j + k] - by * W->value[i + k]) <= SAME * fabs(W->value[j + k]);
    return is_same;
}

// Of contacts in one place g+ >= - e g- asks least of the hardest, and the softest decides: that is
// not Newton's law, and no residual tells so
static carom_status refuse_coincident(carom_step *s, const carom_state *state)
{
    const carom_point at = {.t = state->t, .q = state->q, .u = state->u, .holds = s->holds};
    CAROM_TRY(carom_plan_ask(s->plan, &at, CAROM_MIXED_MASK, s->ev[2], s->error));
    for (int i = 0; i < s->size.n_contact; i++) {
        const carom_contact_facts *a = carom_plan_contact(s->plan, i);
        for (int j = 0; j < i; j++) {
            const carom_contact_facts *b = carom_plan_contact(s->plan, j);
            if (carom_law_factor(a, 0) == carom_law_factor(b, 0)) continue;
            if (!is_same_place(s->ev[2], a, b, i, j)) continue;
            return carom_fail(s->error, CAROM_BAD_INPUT,
                              "contacts '%s' and '%s' lie in one place with different restitution: "
                              "scheme schatzman_paoli would take the softer one, against Newton's "
                              "law (leave one out, or take another scheme)",
                              b->name, a->name);
        }
    }
    return CAROM_OK;
}

static carom_status start(carom_step *s, carom_state *state)
{
    const memory m = memory_of(s, state);
    CAROM_TRY(refuse_coincident(s, state));
    for (int i = 0; i < s->size.nu; i++) m.d[i] = s->h * state->u[i];
    memset(m.lost, 0, sizeof(double) * (size_t)s->size.nu);
    *m.h = s->h;
    return CAROM_OK;
}

// after all took part: those that push or are closed
static void keep_closed(const carom_step *s, carom_state *next)
{
    for (int c = 0; c < s->size.n_contact; c++)
        next->is_active[c] &=
            s->ev[2]->gaps.value[c] <= 0 || next->P[carom_plan_contact(s->plan, c)->row] > 0;
}

static carom_status schatzman_paoli_pass(carom_step *s, const scratch *w, carom_state *next)
{
    const carom_eval *all = s->ev[2];
    const int n = s->size.nu;
    for (int c = 0; c < s->size.n_contact; c++) {
        const carom_contact_facts *facts = carom_plan_contact(s->plan, c);
        double sum = (1 + carom_law_factor(facts, 0)) * all->gaps.value[c];
        for (int k = all->rows.W.start[facts->row]; k < all->rows.W.start[facts->row + 1]; k++)
            sum += all->rows.W.value[k] *
                   (w->d_free[all->rows.W.index[k]] - w->d[all->rows.W.index[k]]);
        w->offset[facts->row] = sum;
    }
    memcpy(w->d_old, w->d, sizeof(double) * (size_t)n);
    memcpy(w->d, w->d_free, sizeof(double) * (size_t)n);
    const carom_contact_terms terms = {
        .rate = all, .mass = s->ev[0], .is_active = next->is_active, .position = w->size};
    carom_dynamics_clear_report(s);
    return carom_dynamics_correct(s, &terms, w->offset, next->P, w->d);
}

// contacts that push, and whether one of them is open or closed by more than rounding of positions
static bool look_at_held(const carom_step *s, const scratch *w, const carom_state *next)
{
    const carom_eval *all = s->ev[2];
    bool is_off = false;
    for (int c = 0; c < s->size.n_contact; c++) {
        const carom_contact_facts *facts = carom_plan_contact(s->plan, c);
        const int r = facts->row;
        double size = 0;
        for (int k = all->rows.W.start[r]; k < all->rows.W.start[r + 1]; k++)
            size += fabs(all->rows.W.value[k] * w->size[all->rows.W.index[k]]);
        w->offset[r] = (1 + carom_law_factor(facts, 0)) * all->gaps.value[c];
        w->is_held[c] = next->is_active[c] && next->P[r] > 0;
        is_off |= w->is_held[c] && fabs(w->offset[r]) > 4 * DBL_EPSILON * size;
    }
    return is_off;
}

// In a large problem P may be many times what moves a body: its rounding is more than that of d.
// One linear correction brings the contacts that push back to g(y) = 0; where it cannot (more
// contacts than directions) all stays as it is.
static carom_status settle_held(carom_step *s, const scratch *w, carom_state *next)
{
    const size_t n = (size_t)s->size.nu;
    if (!look_at_held(s, w, next)) return CAROM_OK;
    const carom_contact_terms terms = {.rate = s->ev[2],
                                       .mass = s->ev[0],
                                       .is_active = w->is_held,
                                       .is_equality = w->is_held,
                                       .position = w->size};
    const carom_step_report report = s->report;
    s->report.is_converged = true;
    memcpy(w->d_old, w->d, sizeof(double) * n);
    memset(w->l, 0, sizeof(double) * (size_t)s->size.n_row);
    CAROM_TRY(carom_dynamics_correct(s, &terms, w->offset, w->l, w->d));
    const bool is_good = s->report.is_converged;
    s->report = report;
    if (!is_good) memcpy(w->d, w->d_old, sizeof(double) * n);
    for (int r = 0; r < s->size.n_row && is_good; r++) next->P[r] = fmax(0, next->P[r] + w->l[r]);
    return CAROM_OK;
}

static int count_active(const carom_step *s, const carom_state *next)
{
    int n = 0;
    for (int c = 0; c < s->size.n_contact; c++) n += next->is_active[c];
    return n;
}

static carom_status solve_position(carom_step *s, const scratch *w, const carom_state *now,
                                   carom_state *next)
{
    const int n = s->size.nu;
    const carom_mixed_points points = {
        .t = now->t,
        .h = s->h,
        .q = now->q,
        .lost = memory_of(s, now).lost,
        .u = now->u,
        .d_before = w->d_before,
        .d_after = w->d,
        .y = w->y,
        .way = w->d_old,
    };
    const carom_mixed *mixed = ((const tools *)s->self)->mixed;
    const bool is_plain = s->model->n_plain >= 0;
    bool is_converged = false, with_all = false;
    for (int k = 0; k < MOST_PASSES && !is_converged; k++) {
        CAROM_TRY(carom_mixed_eval(s, mixed, &points, s->ev[1], s->ev[2]));
        // a set that still grows could need as many passes as there are contacts: let the law
        // choose among all
        const int n_joined = carom_mixed_activate(s->ev[2], with_all, next->is_active);
        if (n_joined == 0 && k == 0) return CAROM_OK;
        with_all |= n_joined > 0 && k >= GROWTH;
        CAROM_TRY(schatzman_paoli_pass(s, w, next));
        s->report.iterations++;
        double change = 0, scale = 0;
        for (int i = 0; i < n; i++) {
            change = fmax(change, fabs(w->d[i] - w->d_old[i]));
            const double place = is_plain ? fabs(now->q[i] + w->d[i]) : w->size[i];
            scale = fmax(scale, place + fabs(w->d[i] + w->d_before[i]));
        }
        is_converged = change <= CONVERGED * scale;
    }
    s->report.is_converged &= is_converged;
    if (with_all) keep_closed(s, next);
    if (count_active(s, next) <= CAROM_PROBLEM_DENSE) return CAROM_OK;
    CAROM_TRY(carom_mixed_eval(s, mixed, &points, s->ev[1], s->ev[2]));
    return settle_held(s, w, next);
}

// impulses, and the rates before and after for the energy balance: those of the half steps, between
// which P acts
static void report_impulses(carom_step *s, const scratch *w, carom_state *next)
{
    carom_step_report *report = &s->report;
    const carom_eval *all = s->ev[2];
    for (int c = 0; c < s->size.n_contact; c++) {
        const int r = carom_plan_contact(s->plan, c)->row;
        next->P[r] /= s->h;
        if (!next->is_active[c]) continue;
        double before = all->rows.w0[r], after = all->rows.w0[r];
        for (int k = all->rows.W.start[r]; k < all->rows.W.start[r + 1]; k++) {
            const int i = all->rows.W.index[k];
            before += all->rows.W.value[k] * w->d_before[i] / s->h;
            after += all->rows.W.value[k] * w->d[i] / s->h;
        }
        report->rate_before[r] = before;
        report->rate_after[r] = after;
        report->impact_loss -= 0.5 * next->P[r] * (before + after);
        report->obstacle_work -= next->P[r] * all->rows.w0[r];
    }
}

// q+ = q + d, and what rounding takes from it
static void move_position(const carom_step *s, const scratch *w, const carom_state *now,
                          carom_state *next)
{
    const memory old = memory_of(s, now), m = memory_of(s, next);
    *m.h = s->h;
    if (s->model->n_plain < 0) {
        memcpy(m.d, w->d, sizeof(double) * (size_t)s->size.nu);
        memset(m.lost, 0, sizeof(double) * (size_t)s->size.nu);
        carom_model_moved(s->model, now->q, w->d, 1, next->q);
        return;
    }
    for (int i = 0; i < s->size.nu; i++) {
        const double q = now->q[i], d = w->d[i] + old.lost[i], sum = q + d, moved = sum - q;
        next->q[i] = sum;
        m.d[i] = w->d[i];
        m.lost[i] = (q - (sum - moved)) + (d - moved);
    }
}

// the gyroscopic term at the middle of d and d+, which are spins times h
static void turn_spins(const carom_step *s, const scratch *w, const carom_state *now)
{
    double *before = w->d, *after = w->d_old; // not used yet
    for (int i = 0; i < s->size.nu; i++) {
        before[i] = w->d_before[i] / s->h;
        after[i] = w->d_free[i] / s->h;
    }
    carom_chart_spin(&s->model->chart, now->u, before, s->h, after);
    for (int i = 0; i < s->size.nu; i++) w->d_free[i] = s->h * after[i];
}

static carom_status schatzman_paoli_step(carom_step *s, const carom_state *now, carom_state *next)
{
    const scratch w = cut(s);
    const int n = s->size.nu;
    const carom_point at = {.t = now->t, .q = now->q, .u = now->u, .holds = s->holds};
    if (now->slot) CAROM_TRY(renew(s)); // other contacts, other restitutions
    CAROM_TRY(carom_plan_ask(s->plan, &at, MOTION, s->ev[0], s->error));

    // without contact: d+ = d + h^2 M^-1 f
    const memory old = memory_of(s, now);
    const double ratio = s->h / *old.h;
    memcpy(w.d_free, s->ev[0]->f, sizeof(double) * (size_t)n);
    carom_mass_solve(s->ev[0]->mass, w.d_free);
    for (int i = 0; i < n; i++) {
        w.d_before[i] = ratio * old.d[i];
        w.d_free[i] = w.d_before[i] + s->h * s->h * w.d_free[i];
    }
    if (s->model->n_inert < 0) turn_spins(s, &w, now);
    carom_model_measure(s->model, now->q, w.size);
    for (int i = 0; i < n; i++) {
        w.d[i] = w.d_free[i];
        w.size[i] += fabs(w.d_before[i]) + fabs(w.d_free[i]);
    }
    memset(next->P, 0, sizeof(double) * (size_t)s->size.n_row);
    memset(next->is_active, 0, (size_t)s->size.n_contact);
    CAROM_TRY(solve_position(s, &w, now, next));

    move_position(s, &w, now, next);
    for (int i = 0; i < n; i++) next->u[i] = (w.d[i] + w.d_before[i]) / (2 * s->h);
    report_impulses(s, &w, next);
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
    .cost = 1.9,
    .takes.wh = 2,
    .has_contact = true,
    .mask = masks,
    .n_eval = 3,
    .memory = {.n = n_memory},
    .n_work = n_work,
    .prepare = prepare,
    .release = release,
    .renew = renew,
    .start = start,
    .step = schatzman_paoli_step,
};
