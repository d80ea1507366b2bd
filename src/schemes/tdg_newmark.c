// SPDX-License-Identifier: Apache-2.0
// Half-explicit time-discontinuous Galerkin scheme with a Newmark base: what tdg_velocity does, on
// the generalised-alpha method in place of the explicit trapezoidal rule. Forces are implicit, so
// that stiff ones do not limit the step, and rho damps what the step cannot resolve.
//
//     A+, A'+      accelerations at the end of the step, from those at its start (alpha_stage.c)
//     la-          forces of constraints and of {g(q) <= 0}:    law with e = 0 on W(q+) u-
//     no contact closes    u+ = u-                                                         P = 0
//     a contact closes     u+ = u- + M(q+)^-1 W(q+)' P    law with e on W(q+) u+ and W(q+) u-
//                                                         on {g(q+) <= 0} and what pressed
//
// Forces and impulses are kept apart, and a contact that presses stays until its force is 0: its
// gap drifts with order 2. A contact closes where it was not held and ends with g <= 0, or where
// it is closed and closing at the start of the run.
//
// A and A' carry the forces of the step before. Where these jump (an impact, a contact that opens,
// slip that begins, ends or turns, a break of a law in time) their share is found anew, so that no
// force rings: c and d with
//
//     A = a + c       c = M^-1 W' la+:  law with e = 0 on W(q + h u) [u + h (a + c)]
//     A' = a' + d     d likewise, with a'
//
// and an impact adds J^-1 [f(q+, u+) - f(q+, u-)] to a and a'. The memory of a state holds a, a',
// c, d, the powers of forces at moving obstacles and of friction, whether c and d are to be found
// anew, and whether each contact is open, slides or sticks.
//
// T. Schindler et al., Half-explicit timestepping schemes on velocity level, 2015, Sect. 8 (where
// it is left as further work); J. Chung, G. M. Hulbert, 1993 (the base).
#include "dynamics/active.h"
#include "dynamics/law.h"
#include "integrators/alpha_stage.h"
#include "integrators/trapezoid.h"
#include "math/vector.h"
#include "model/plan.h"
#include "schemes/schemes.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    START = CAROM_MASS | CAROM_GAPS | CAROM_ROWS | CAROM_KEEP,
    FREE = CAROM_MASS | CAROM_FORCES | CAROM_ACCELERATION,
    N_PART = 4 // a, a', c, d
};
enum { RHO };
typedef enum contact_mode { OPEN, SLIDES, STICKS } contact_mode;
static const double FULL = 1 - 1e-9; // of its limit: friction that slides
static const double NO_SLIP = 1e-12; // of the largest velocity

typedef struct tdg {
    carom_alpha *alpha;
    unsigned char *stops; // (n_contact) closed and not held at the start: without restitution
} tdg;

// the memory of a state
typedef struct memory {
    double *a, *a_dot; // (nu) of the forces without contact: filtered, and M^-1 f
    double *c, *d;     // (nu) of the contact forces: filtered, and M^-1 W' la
    double *la;        // (n_row) the forces that c is made of; those of d are the state's
    double *power;     // of friction and of moving obstacles [W]
    double *is_fresh;  // c and d are to be found anew
    double *mode;      // (n_contact)
} memory;

static int n_memory(const carom_model *model)
{
    const carom_sizes size = carom_model_sizes(model);
    return N_PART * size.nu + size.n_row + 3 + size.n_contact;
}

static memory memory_of(const carom_step *s, const carom_state *state)
{
    const int n = s->size.nu;
    double *m = state->memory, *la = m + N_PART * n, *rest = la + s->size.n_row;
    return (memory){m, m + n, m + 2 * n, m + 3 * n, la, rest, rest + 2, rest + 3};
}

static bool is_memory(const carom_step *s, const carom_state *state)
{
    const memory m = memory_of(s, state);
    bool is_good = m.is_fresh[0] == 0 || m.is_fresh[0] == 1;
    for (int c = 0; c < s->size.n_contact; c++)
        is_good &= m.mode[c] == OPEN || m.mode[c] == SLIDES || m.mode[c] == STICKS;
    return is_good;
}

static void forget(const carom_step *s, carom_state *state, int contact)
{
    const carom_contact_facts *facts = carom_plan_contact(s->plan, contact);
    const memory m = memory_of(s, state);
    m.mode[contact] = OPEN;
    m.is_fresh[0] = 1;
    for (int k = 0; k <= facts->n_slip; k++) m.la[facts->row + k] = 0;
}

// scratch, behind that of carom_alpha_step
typedef struct scratch {
    double *q;                 // (nq)
    double *A, *A_dot, *force; // (nu)
    double *from, *from_dot;   // (nu) A and A' at the start of the step
    double *h_la;              // (n_row)
    double *before;            // (n_row) forces at the start of the step
} scratch;

static int n_work(const carom_model *model)
{
    const carom_sizes size = carom_model_sizes(model);
    return carom_alpha_n_work(model) + size.nq + 5 * size.nu + 2 * size.n_row;
}

static scratch cut(const carom_step *s)
{
    const int n = s->size.nu, rows = s->size.n_row;
    double *q = s->work + carom_alpha_n_work(s->model), *w = q + s->size.nq;
    double *h_la = w + 5 * n;
    return (scratch){q, w, w + n, w + 2 * n, w + 3 * n, w + 4 * n, h_la, h_la + rows};
}

static void release(carom_step *s)
{
    tdg *self = s->self;
    if (!self) return;
    carom_alpha_free(self->alpha);
    free(self->stops);
    free(self);
}

static carom_status prepare(carom_step *s)
{
    tdg *self = s->self = calloc(1, sizeof *self);
    if (self) self->stops = calloc((size_t)s->size.n_contact + 1, 1);
    if (!self || !self->stops)
        return carom_fail(s->error, CAROM_NO_MEMORY, "not enough memory for the scheme");
    return carom_alpha_new(s, s->option[RHO], &self->alpha);
}

static carom_status renew(carom_step *s)
{
    const tdg *self = s->self;
    carom_alpha_forget(self->alpha);
    return CAROM_OK;
}

// the first contact that is none but a disc
static int first_disc(const carom_step *s)
{
    return s->size.n_contact - s->size.n_disc;
}

// the rate of row r, 0 where it is rounding
static double rate_of(const carom_eval *at, int r, const double *u)
{
    const carom_sparse *W = &at->rows.W;
    double sum = at->rows.w0[r], size = fabs(at->rows.w0[r]);
    for (int k = W->start[r]; k < W->start[r + 1]; k++) {
        const double part = W->value[k] * u[W->index[k]];
        sum += part;
        size += fabs(part);
    }
    return fabs(sum) <= 64 * DBL_EPSILON * size ? 0 : sum;
}

static carom_status start(carom_step *s, carom_state *state)
{
    const size_t size = sizeof(double) * (size_t)s->size.nu;
    const memory m = memory_of(s, state);
    const carom_point at = {.t = state->t, .q = state->q, .u = state->u, .holds = s->holds};
    CAROM_TRY(carom_plan_ask(s->plan, &at, FREE, s->ev[2], s->error));
    CAROM_TRY(carom_plan_ask(s->plan, &at, START, s->ev[0], s->error));
    memset(state->memory, 0, sizeof(double) * (size_t)n_memory(s->model));
    memcpy(m.a, s->ev[2]->acceleration, size);
    memcpy(m.a_dot, s->ev[2]->acceleration, size);
    m.is_fresh[0] = 1;
    for (int c = 0; c < first_disc(s); c++) {
        const int r = carom_plan_contact(s->plan, c)->row;
        const bool rests = s->ev[0]->gaps.value[c] <= 0 && rate_of(s->ev[0], r, state->u) == 0;
        if (rests) m.mode[c] = STICKS;
    }
    return CAROM_OK;
}

// what pressed at the end of the step before
static bool choose_held(const carom_step *s, const carom_state *now, carom_state *next)
{
    const memory m = memory_of(s, now);
    bool is_any = carom_active_always(&s->size);
    memset(next->is_active, 0, (size_t)s->size.n_contact);
    for (int c = 0; c < first_disc(s); c++) {
        if (m.mode[c] == OPEN || !carom_active_is_there(s, c)) continue;
        next->is_active[c] = 1;
        is_any = true;
    }
    return is_any;
}

// share := M^-1 W' la with the law on what h (a + share) makes of u; la (n_row) is a guess on entry
static carom_status hold_start(carom_step *s, const carom_state *now,
                               const unsigned char *is_active, const double *a, double *la,
                               double *share)
{
    const scratch w = cut(s);
    const double h = s->h;
    const int n = s->size.nu, rows = s->size.n_row;
    const carom_contact_terms terms = {.rate = s->ev[2],
                                       .push = s->ev[0],
                                       .mass = s->ev[0],
                                       .u_minus = now->u,
                                       .is_active = is_active,
                                       .without_restitution = true};
    for (int i = 0; i < n; i++) share[i] = w.force[i] = now->u[i] + h * a[i];
    for (int r = 0; r < rows; r++) la[r] *= h;
    CAROM_TRY(carom_dynamics_contact(s, &terms, la, share));
    for (int r = 0; r < rows; r++) la[r] /= h;
    for (int i = 0; i < n; i++) share[i] = (share[i] - w.force[i]) / h;
    return CAROM_OK;
}

// what the forces la lose to friction and take from moving obstacles at the velocities u [W]
static void find_powers(const carom_step *s, const carom_eval *at, const double *u,
                        const double *la, double *power)
{
    power[0] = power[1] = 0;
    for (int r = 0; r < s->size.n_constraint; r++) power[1] -= la[r] * at->rows.w0[r];
    for (int c = 0; c < s->size.n_contact; c++) {
        const carom_contact_facts *facts = carom_plan_contact(s->plan, c);
        const bool is_disc = carom_law_is_disc(facts);
        for (int r = facts->row + is_disc; r <= facts->row + facts->n_slip; r++) {
            if (la[r] == 0) continue;
            power[1] -= la[r] * at->rows.w0[r];
            if (r == facts->row) continue;
            power[0] -= la[r] * (carom_sparse_row_times(&at->rows.W, r, u) + at->rows.w0[r]);
        }
    }
}

// a law that breaks here has other forces from here on
static carom_status cross_break(carom_step *s, const carom_state *now, const memory *m)
{
    const carom_point at = {.t = now->t, .q = now->q, .u = now->u, .holds = s->holds};
    CAROM_TRY(carom_plan_ask(s->plan, &at, FREE, s->ev[2], s->error));
    for (int i = 0; i < s->size.nu; i++) {
        const double jump = s->ev[2]->acceleration[i] - m->a_dot[i];
        m->a[i] += jump;
        m->a_dot[i] += jump;
    }
    return CAROM_OK;
}

// whether a contact slides now; what is left of its slip by rounding is none
static bool has_slip(const carom_step *s, const carom_contact_facts *facts, const double *u,
                     double scale)
{
    const carom_sparse *W = &s->ev[0]->rows.W;
    bool slips = false;
    for (int r = facts->row + 1; r <= facts->row + facts->n_slip; r++) {
        double length = 0;
        for (int k = W->start[r]; k < W->start[r + 1]; k++) length += fabs(W->value[k]);
        const double rate = carom_sparse_row_times(W, r, u) + s->ev[0]->rows.w0[r];
        slips |= fabs(rate) > NO_SLIP * length * scale;
    }
    return slips;
}

// Where forces are found anew, modes are too: friction that stops a slip, or jams, is another one
// afterwards.
static void see_slips(const carom_step *s, const carom_state *now, const memory *m,
                      const double *la)
{
    const int n = s->size.nu;
    const double scale = carom_vector_largest(now->u, n) + s->h * carom_vector_largest(m->a, n);
    for (int c = 0; c < s->size.n_contact; c++) {
        const carom_contact_facts *facts = carom_plan_contact(s->plan, c);
        const bool is_rough = carom_law_is_disc(facts) || carom_law_is_rough(facts);
        if (!is_rough || !(la[facts->row] > 0)) continue;
        m->mode[c] = has_slip(s, facts, now->u, scale) ? SLIDES : STICKS;
    }
}

// c, d and the forces that they are made of
static carom_status refresh_forces(carom_step *s, const carom_state *now, const memory *m,
                                   const unsigned char *is_active, double *la)
{
    const scratch w = cut(s);
    const size_t rows = sizeof(double) * (size_t)s->size.n_row;
    carom_model_moved(s->model, now->q, now->u, s->h, w.q);
    const carom_point ahead = {.t = now->t + s->h, .q = w.q, .u = now->u, .holds = s->holds};
    CAROM_TRY(carom_plan_ask(s->plan, &ahead, CAROM_ROWS, s->ev[2], s->error));
    CAROM_TRY(hold_start(s, now, is_active, m->a, la, m->c));
    memcpy(m->la, la, rows);
    CAROM_TRY(hold_start(s, now, is_active, m->a_dot, la, m->d));
    find_powers(s, s->ev[0], now->u, la, m->power);
    see_slips(s, now, m, la);
    return CAROM_OK;
}

// the memory as the step starts with it, into that of next; the forces of d into la; A and A'
static carom_status begin(carom_step *s, const carom_state *now, carom_state *next, bool has_rows)
{
    const scratch w = cut(s);
    const memory m = memory_of(s, next);
    const int n = s->size.nu;
    memcpy(next->memory, now->memory, sizeof(double) * (size_t)n_memory(s->model));
    memcpy(w.before, now->la, sizeof(double) * (size_t)s->size.n_row);
    if (s->is_anew) CAROM_TRY(cross_break(s, now, &m));
    if (!has_rows) {
        carom_vector_clear(2 * n, m.c);
        carom_vector_clear(2, m.power);
        carom_vector_clear(s->size.n_row, m.la);
        carom_vector_clear(s->size.n_row, w.before);
    } else if (m.is_fresh[0] != 0 || s->is_anew) {
        CAROM_TRY(refresh_forces(s, now, &m, next->is_active, w.before));
    }
    for (int i = 0; i < n; i++) {
        w.from[i] = m.a[i] + m.c[i];
        w.from_dot[i] = m.a_dot[i] + m.d[i];
    }
    return CAROM_OK;
}

// takes the forces la of the rows of a contact out of force; they stay 0
static void drop_rows(const carom_step *s, const carom_contact_facts *facts, double *la,
                      double *force)
{
    const carom_sparse *W = &s->ev[0]->rows.W;
    if (carom_law_is_disc(facts)) la[facts->row] = 0; // a limit, no force
    for (int r = facts->row; r <= facts->row + facts->n_slip; r++) {
        for (int k = W->start[r]; la[r] != 0 && k < W->start[r + 1]; k++)
            force[W->index[k]] -= W->value[k] * la[r];
        la[r] = 0;
    }
}

// the share of the contacts that open, out of the accelerations x that the forces la are in
static void drop_share(const carom_step *s, const unsigned char *opens, double *la, double *x,
                       double *y)
{
    const scratch w = cut(s);
    memset(w.force, 0, sizeof(double) * (size_t)s->size.nu);
    for (int c = 0; c < first_disc(s); c++) {
        const carom_contact_facts *facts = carom_plan_contact(s->plan, c);
        if (!opens[c]) continue;
        drop_rows(s, facts, la, w.force);
        for (int d = facts->disc; d < facts->disc + facts->n_disc; d++)
            drop_rows(s, carom_plan_contact(s->plan, d), la, w.force);
    }
    carom_mass_solve(s->ev[0]->mass, w.force);
    for (int i = 0; i < s->size.nu; i++) {
        x[i] += w.force[i];
        y[i] += w.force[i];
    }
}

// Contacts that end without a force open at the start of the step: what pressed there would
// otherwise do work on what moves away. Whether there are any.
static bool open_contacts(carom_step *s, carom_state *next)
{
    const tdg *self = s->self;
    const scratch w = cut(s);
    const memory m = memory_of(s, next);
    bool is_any = false;
    memset(self->stops, 0, (size_t)s->size.n_contact);
    for (int c = 0; c < first_disc(s); c++) {
        if (!next->is_active[c] || w.h_la[carom_plan_contact(s->plan, c)->row] > 0) continue;
        next->is_active[c] = 0;
        self->stops[c] = 1;
        is_any = true;
    }
    if (!is_any) return false;
    drop_share(s, self->stops, m.la, m.c, w.from);
    drop_share(s, self->stops, w.before, m.d, w.from_dot);
    return true;
}

// the step without impacts: forces of what is held, into next->la
static carom_status move(carom_step *s, const carom_state *now, carom_state *next, bool has_rows)
{
    const tdg *self = s->self;
    const scratch w = cut(s);
    const carom_alpha_ends ends = {w.from, w.from_dot, w.A, w.A_dot};
    bool is_again = true;
    while (is_again) {
        for (int r = 0; r < s->size.n_row; r++) w.h_la[r] = s->h * w.before[r];
        CAROM_TRY(carom_alpha_step(s, self->alpha, now, &ends, next, w.h_la));
        is_again = has_rows && open_contacts(s, next);
    }
    for (int r = 0; r < s->size.n_row; r++) next->la[r] = has_rows ? w.h_la[r] / s->h : 0;
    return CAROM_OK;
}

static contact_mode mode_of(const carom_step *s, int contact, const double *la)
{
    const carom_contact_facts *facts = carom_plan_contact(s->plan, contact);
    const double push = la[facts->row];
    const double limit = carom_law_is_disc(facts) ? push : carom_law_limit(facts, push);
    double friction = 0;
    for (int k = 1; k <= facts->n_slip; k++) friction = hypot(friction, la[facts->row + k]);
    return !(push > 0) ? OPEN : friction < FULL * limit ? STICKS : SLIDES;
}

// whether the force of the contact is of another kind than at the start of the step
static bool has_changed(const carom_step *s, int contact, const double *before, const double *la,
                        double *mode)
{
    const carom_contact_facts *facts = carom_plan_contact(s->plan, contact);
    const double was = *mode;
    double along = 0;
    *mode = mode_of(s, contact, la);
    for (int k = 1; k <= facts->n_slip; k++) along += before[facts->row + k] * la[facts->row + k];
    return *mode != was || (*mode == SLIDES && along < 0);
}

// the forces la of the step apart from the others, and of what kind they are
static void keep_memory(carom_step *s, const carom_state *next)
{
    const scratch w = cut(s);
    const memory m = memory_of(s, next);
    const carom_alpha_weights of = carom_alpha_weights_of(s->option[RHO]);
    const int n = s->size.nu;
    const double now = (1 - of.alpha_f) / (1 - of.alpha_m), was = of.alpha_f / (1 - of.alpha_m),
                 last = of.alpha_m / (1 - of.alpha_m);
    memset(w.force, 0, sizeof(double) * (size_t)n);
    carom_dynamics_push(s->ev[1], next->la, w.force);
    carom_mass_solve(s->ev[1]->mass, w.force);
    for (int i = 0; i < n; i++) {
        m.c[i] = now * w.force[i] + was * m.d[i] - last * m.c[i];
        m.d[i] = w.force[i];
        m.a[i] = w.A[i] - m.c[i];
        m.a_dot[i] = w.A_dot[i] - m.d[i];
    }
    for (int r = 0; r < s->size.n_row; r++)
        m.la[r] = now * next->la[r] + was * w.before[r] - last * m.la[r];
    m.is_fresh[0] = 0;
    for (int c = 0; c < s->size.n_contact; c++)
        if (has_changed(s, c, w.before, next->la, &m.mode[c])) m.is_fresh[0] = 1;
}

// the work of the step's forces, from the powers at both ends
static void report_work(carom_step *s, carom_state *next)
{
    const memory m = memory_of(s, next);
    const double friction = m.power[0], obstacle = m.power[1];
    find_powers(s, s->ev[1], next->u, next->la, m.power);
    s->report.impact_loss = 0;
    s->report.friction_loss = 0.5 * s->h * (friction + m.power[0]);
    s->report.obstacle_work = 0.5 * s->h * (obstacle + m.power[1]);
    for (int c = 0; c < first_disc(s); c++)
        s->report.has_contact |= next->la[carom_plan_contact(s->plan, c)->row] > 0;
}

typedef enum meeting { NOTHING, STOP, IMPACT } meeting;

// Contacts that are not held and are closed now, where one of them closes: those that were open
// have an impact; what was closed is stopped without restitution.
static meeting meet_contacts(carom_step *s, const carom_state *now, carom_state *next)
{
    const tdg *self = s->self;
    const bool is_start = carom_trapezoid_starts_closing(s->ev[0], now, 0);
    meeting is = is_start ? IMPACT : NOTHING;
    for (int c = 0; c < first_disc(s); c++) {
        const int r = carom_plan_contact(s->plan, c)->row;
        const bool is_new = !next->is_active[c] && s->ev[1]->gaps.value[c] <= 0;
        const bool was_open = s->ev[0]->gaps.value[c] > 0;
        self->stops[c] = is_new && !was_open && !is_start;
        if (is_new && rate_of(s->ev[1], r, next->u) < 0 && is != IMPACT)
            is = was_open ? IMPACT : STOP;
    }
    for (int c = 0; c < first_disc(s) && is != NOTHING; c++)
        next->is_active[c] |= s->ev[1]->gaps.value[c] <= 0;
    return is;
}

// what an impact does to the forces; f_minus are those before, and the room for the change
static carom_status shift_accelerations(carom_step *s, const carom_state *next, double *f_minus)
{
    const tdg *self = s->self;
    const memory m = memory_of(s, next);
    const carom_point at = {.t = next->t, .q = next->q, .u = next->u, .holds = s->holds};
    CAROM_TRY(carom_plan_ask(s->plan, &at, CAROM_FORCES, s->ev[2], s->error));
    for (int i = 0; i < s->size.nu; i++) f_minus[i] = s->ev[2]->f[i] - f_minus[i];
    CAROM_TRY(carom_alpha_ease(s, self->alpha, f_minus));
    for (int i = 0; i < s->size.nu; i++) {
        m.a[i] += f_minus[i];
        m.a_dot[i] += f_minus[i];
    }
    return CAROM_OK;
}

// what is hit and does not bounce is held from now on
static void hold_hit(const carom_step *s, const carom_state *next)
{
    const tdg *self = s->self;
    const memory m = memory_of(s, next);
    for (int c = 0; c < first_disc(s); c++) {
        const carom_contact_facts *facts = carom_plan_contact(s->plan, c);
        const bool bounces = !self->stops[c] && rate_of(s->ev[1], facts->row, next->u) > 0 &&
                             carom_law_factor(facts, 0) > 0;
        if (next->P[facts->row] > 0) m.mode[c] = bounces ? OPEN : mode_of(s, c, next->P);
    }
    m.is_fresh[0] = 1;
}

// the impact at the end of the step: u- becomes u+; what only stops has a force
static carom_status hit(carom_step *s, carom_state *next, meeting is)
{
    const tdg *self = s->self;
    const scratch w = cut(s);
    const size_t size = sizeof(double) * (size_t)s->size.nu;
    const carom_point at = {.t = next->t, .q = next->q, .u = next->u, .holds = s->holds};
    const carom_contact_terms terms = {.rate = s->ev[1],
                                       .u_minus = w.A,
                                       .is_active = next->is_active,
                                       .rests = self->stops,
                                       .is_instant = true};
    CAROM_TRY(carom_plan_ask(s->plan, &at, CAROM_FORCES, s->ev[2], s->error));
    memcpy(w.A_dot, s->ev[2]->f, size);
    memcpy(w.A, next->u, size);
    CAROM_TRY(carom_dynamics_contact(s, &terms, next->P, next->u));
    CAROM_TRY(shift_accelerations(s, next, w.A_dot));
    hold_hit(s, next);
    for (int c = 0; c < first_disc(s); c++) {
        const bool presses = next->P[carom_plan_contact(s->plan, c)->row] > 0;
        s->report.has_impact |= is == IMPACT && presses;
        s->report.has_contact |= presses;
    }
    for (int r = 0; r < s->size.n_row && is == STOP; r++) {
        next->la[r] += next->P[r] / s->h;
        next->P[r] = 0;
    }
    return CAROM_OK;
}

static carom_status tdg_newmark_step(carom_step *s, const carom_state *now, carom_state *next)
{
    const size_t rows = sizeof(double) * (size_t)s->size.n_row;
    CAROM_TRY(carom_plan_ask_again(s->plan, now, s->holds, START, s->ev[0], s->error));
    const bool has_rows = choose_held(s, now, next);
    CAROM_TRY(begin(s, now, next, has_rows));
    CAROM_TRY(move(s, now, next, has_rows));
    const carom_point end = {.t = next->t, .q = next->q, .u = next->u, .holds = s->holds};
    CAROM_TRY(carom_plan_ask(s->plan, &end, START, s->ev[1], s->error));
    keep_memory(s, next);
    report_work(s, next);
    memset(next->P, 0, rows);
    const meeting is = meet_contacts(s, now, next);
    if (is != NOTHING) CAROM_TRY(hit(s, next, is));
    carom_eval *ahead = s->ev[1]; // the end of this step is the start of the next
    s->ev[1] = s->ev[0];
    s->ev[0] = ahead;
    return CAROM_OK;
}

static const carom_option options[] = {
    {"rho", CAROM_REAL, 0.8, 0, 1, NULL, "spectral radius at infinite frequency: 1 no damping"},
    {0}};

static const unsigned masks[] = {START, FREE, CAROM_ROWS, CAROM_FORCES, CAROM_ALPHA_MASKS, 0};

const carom_scheme carom_scheme_tdg_newmark = {
    .name = "tdg_newmark",
    .about = "time-discontinuous Galerkin on velocity level, implicit: forces and impulses apart, "
             "high frequencies damped",
    .reference =
        "T. Schindler et al., Half-explicit timestepping schemes on velocity level, 2015, Sect. 8",
    .order_free = 2,
    .order_contact = 1,
    .level = "velocity",
    .cost = 4,
    .has_friction = true,
    .has_bilateral = true,
    .takes.laws = CAROM_LAWS_WITH_DISCS,
    .takes.varies = CAROM_VARIES_RESTITUTION | CAROM_VARIES_FRICTION,
    .takes.rates = true,
    .has_contact = true,
    .separates_impact = true,
    .is_implicit = true,
    .option = options,
    .mask = masks,
    .n_eval = 4,
    .memory = {.n = n_memory, .is_good = is_memory, .forget = forget},
    .n_work = n_work,
    .prepare = prepare,
    .release = release,
    .renew = renew,
    .start = start,
    .step = tdg_newmark_step,
};
