// SPDX-License-Identifier: Apache-2.0
// The nonsmooth generalised-alpha method: a motion with impacts is split into a smooth one, v~,
// which a generalised-alpha formula integrates with order 2 and numerical damping, and the rest:
// the impulses of a step in one jump W, and a correction U of the positions. At the end of a step,
// with q = q~ + U and v = v~ + W:
//
//     M v~' = f(q, v) + W_B' la                     W_B v~ + w0 = 0
//     M U   = W_B' nu_B + W_N' nu + h/2 W_T' P_T    g_B = 0,   0 <= g  _|_  nu >= 0
//     M W   = W_c' P                                law on W_c v and the rates at the start
//
// (W_c: rows of constraints and closed contacts, W_B, W_N, W_T those of constraints, normals and
// tangents.) The law is asked of contacts whose gap nu holds or is 0. With level = velocity U is
// h/2 W instead, and the law is asked where the free motion ends with g <= 0: gaps are left then.
//
// A step is Newton's method on x = (h a, U/h, W); each pass solves the laws of all levels as one
// contact problem, and contacts may join and leave until nothing changes. The equations of the step
// and their derivatives are in integrators/gen_alpha_step.c, the contact problem in
// gen_alpha_rows.c. Discs (forces of limited strength) are held on W v~ + w0, beside the
// constraints. The memory of a state holds a, v~' and the powers of moving constraints and of
// discs.
//
// Q.-z. Chen, V. Acary, G. Virlez, O. Bruels, IJNME 96, 2013 (level = velocity); O. Bruels,
// V. Acary, A. Cardona, CMAME 281, 2014 (level = both).
#include "dynamics/active.h"
#include "dynamics/discs.h"
#include "dynamics/law.h"
#include "integrators/gen_alpha_step.h"
#include "math/vector.h"
#include "model/plan.h"
#include "schemes/schemes.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
    START = CAROM_MASS | CAROM_FORCES | CAROM_ROWS | CAROM_CURVATURE,
    MOST_PASSES = 50,
    FREE_PASSES = 20 // after these contacts may enter the velocity level, but not leave it
};
enum { RHO, LEVEL };
static const double CONVERGED = 1e-12, STAGNANT = 1e-9; // of the largest velocity

static int n_memory(const carom_model *model)
{
    // a, v~', power of moving constraints, that of discs
    const carom_sizes size = carom_model_sizes(model);
    return 2 * size.nu + 1 + (size.n_disc > 0);
}

static carom_status prepare(carom_step *s)
{
    carom_gen_alpha *g;
    CAROM_TRY(carom_gen_alpha_new(s, s->option[RHO], s->option[LEVEL] == 0, &g));
    s->self = g;
    return CAROM_OK;
}

static void release(carom_step *s)
{
    carom_gen_alpha_free(s->self);
}

static carom_status renew(carom_step *s)
{
    carom_gen_alpha_forget(s->self);
    return CAROM_OK;
}

// what constraints and discs give that move by themselves, and where there are discs what these
// lose at the velocities u [W]
static void find_powers(const carom_step *s, const carom_eval *ev, const double *la,
                        const double *u, double *power)
{
    power[0] = 0;
    if (s->size.n_disc > 0) power[1] = 0;
    for (int r = 0; r < s->size.n_constraint; r++) power[0] -= la[r] * ev->rows.w0[r];
    for (int c = s->size.n_contact - s->size.n_disc; c < s->size.n_contact; c++) {
        const carom_contact_facts *facts = carom_plan_contact(s->plan, c);
        for (int r = facts->row + 1; r <= facts->row + facts->n_slip; r++) {
            power[0] -= la[r] * ev->rows.w0[r];
            power[1] -= la[r] * (carom_sparse_row_times(&ev->rows.W, r, u) + ev->rows.w0[r]);
        }
    }
}

// the slip rate of a disc; 0 where that is rounding
static double slip_of(const carom_eval *ev, const carom_contact_facts *facts, const double *u)
{
    const carom_sparse *W = &ev->rows.W;
    double slip = 0, size = 0;
    for (int r = facts->row + 1; r <= facts->row + facts->n_slip; r++) {
        slip = hypot(slip, carom_sparse_row_times(W, r, u) + ev->rows.w0[r]);
        size += fabs(ev->rows.w0[r]);
        for (int k = W->start[r]; k < W->start[r + 1]; k++)
            size += fabs(W->value[k] * u[W->index[k]]);
    }
    return slip > 64 * DBL_EPSILON * size ? slip : 0;
}

// a disc that slides at the start pushes with all it bears under the forces la: into slide and f
static void push_sliding_discs(const carom_step *s, const carom_eval *ev, const double *u,
                               const double *la, double *slide, double *f)
{
    const carom_sparse *W = &ev->rows.W;
    for (int c = s->size.n_contact - s->size.n_disc; c < s->size.n_contact; c++) {
        const carom_contact_facts *facts = carom_plan_contact(s->plan, c);
        if (facts->of > 0) continue; // nothing is pressed yet
        const double slip = slip_of(ev, facts, u);
        const double most = carom_disc_radius(facts, ev->rows.limit[c], 1, la);
        for (int r = facts->row + 1; slip > 0 && r <= facts->row + facts->n_slip; r++) {
            slide[r] = -most * (carom_sparse_row_times(W, r, u) + ev->rows.w0[r]) / slip;
            for (int k = W->start[r]; k < W->start[r + 1]; k++)
                f[W->index[k]] += slide[r] * W->value[k];
        }
    }
}

// Constraints and discs at rest on acceleration level: a contact problem whose velocity is the
// acceleration. held: the same answers with the curvature as w0, and discs that slide bear nothing.
static carom_status hold_at_start(carom_step *s, const carom_eval *ev, carom_eval *held,
                                  carom_state *state, double *slide)
{
    const int n = s->size.nu, rows = s->size.n_row;
    double *a = state->memory, change = INFINITY;
    const carom_contact_terms terms = {
        .rate = held, .u_minus = state->u, .is_active = state->is_active, .span = 1};
    // joint friction that slides has the load that these forces are
    for (int k = 0; k < MOST_PASSES && change > 0; k++) {
        double most = 0;
        change = 0;
        memcpy(a, ev->f, sizeof(double) * (size_t)n);
        push_sliding_discs(s, ev, state->u, state->la, slide, a);
        carom_mass_solve(ev->mass, a);
        CAROM_TRY(carom_dynamics_contact(s, &terms, state->la, a));
        for (int r = 0; r < rows; r++) {
            const double before = s->work[r];
            change = fmax(change, fabs(state->la[r] - before));
            most = fmax(most, fabs(state->la[r]));
            s->work[r] = state->la[r];
        }
        if (change <= CONVERGED * most) change = 0;
    }
    for (int r = 0; r < rows; r++) state->la[r] += slide[r];
    return CAROM_OK;
}

// M v~' = f + W_B' la with W_B v~' + curvature = 0
static carom_status start(carom_step *s, carom_state *state)
{
    const int n = s->size.nu, n_row = s->size.n_row;
    const size_t rows = sizeof(double) * (size_t)n_row;
    double *a = state->memory, *slide = s->work + n_row, *limit = slide + n_row;
    carom_eval *ev = s->ev[0], held;
    const carom_point at = {.t = state->t, .q = state->q, .u = state->u, .holds = s->holds};
    CAROM_TRY(carom_plan_ask(s->plan, &at, START, ev, s->error));
    memset(state->is_active, 0, (size_t)s->size.n_contact);
    memset(state->la, 0, rows);
    memset(s->work, 0, 2 * rows);
    memcpy(a, ev->f, sizeof(double) * (size_t)n);
    carom_mass_solve(ev->mass, a);
    held = *ev;
    held.rows.w0 = ev->rows.curvature;
    held.rows.limit = limit;
    for (int c = s->size.n_contact - s->size.n_disc; c < s->size.n_contact; c++)
        limit[c] =
            slip_of(ev, carom_plan_contact(s->plan, c), state->u) > 0 ? 0 : ev->rows.limit[c];
    if (carom_active_always(&s->size)) CAROM_TRY(hold_at_start(s, ev, &held, state, slide));
    memcpy(a + n, a, sizeof(double) * (size_t)n);
    find_powers(s, ev, state->la, state->u, a + 2 * n);
    return CAROM_OK;
}

// whether a pass that changed x by so much was the last
static bool is_last_pass(const carom_step *s, const carom_state *now, double change, double before)
{
    const carom_gen_alpha *g = s->self;
    const int n = s->size.nu;
    const double scale =
        fmax(carom_vector_largest(now->u, n),
             fmax(carom_vector_largest(g->v, n), carom_vector_largest(g->x, 3 * n)));
    // positions are known to rounding, velocities to that over h
    const double noise = 64 * DBL_EPSILON * carom_vector_largest(now->q, s->size.nq) / s->h;
    return change <= CONVERGED * scale ||
           (change >= before && change <= fmax(STAGNANT * scale, noise));
}

// Linear models end where one pass leads, unless a contact closes on the way.
static carom_status look_for_new(carom_step *s, const carom_state *now, bool *is_new)
{
    const carom_gen_alpha *g = s->self;
    carom_gen_alpha_place_end(s, now);
    const carom_point at = {.t = now->t + s->h, .q = g->q, .u = g->v, .holds = s->holds};
    CAROM_TRY(carom_plan_ask(s->plan, &at, CAROM_GAPS, s->ev[0], s->error));
    *is_new = carom_gen_alpha_notice_contacts(s);
    return CAROM_OK;
}

// Newton's method on x; the contact problem stays exact in every pass. Leaves the end placed.
static carom_status solve_step(carom_step *s, const carom_state *now)
{
    carom_gen_alpha *g = s->self;
    const bool is_linear = carom_gen_alpha_is_linear(g);
    bool is_settled = false, has_noticed = false;
    double change = INFINITY;
    for (int k = 0; k < MOST_PASSES; k++) {
        CAROM_TRY(carom_gen_alpha_look_at_end(s, now));
        if (g->on_position || (is_settled && !has_noticed)) {
            has_noticed = true;
            if (carom_gen_alpha_notice_contacts(s)) CAROM_TRY(carom_gen_alpha_look_at_end(s, now));
        }
        const double before = change;
        CAROM_TRY(carom_gen_alpha_pass(s, now, &change));
        s->report.iterations++;
        if (!isfinite(change))
            return carom_fail(s->error, CAROM_NOT_FINITE,
                              "Newton's method diverged; use a smaller step");
        const bool is_moved = carom_gen_alpha_choose_closed(s, now, k < FREE_PASSES);
        is_settled = !is_moved && (is_linear || is_last_pass(s, now, change, before));
        bool is_new = false;
        if (is_settled && is_linear && (g->on_position || !has_noticed)) {
            has_noticed = true;
            CAROM_TRY(look_for_new(s, now, &is_new));
        }
        if (is_settled && has_noticed && !is_new) {
            carom_gen_alpha_place_end(s, now);
            return CAROM_OK;
        }
    }
    carom_gen_alpha_place_end(s, now);
    s->report.is_converged = false;
    return CAROM_OK;
}

static carom_status nonsmooth_gen_alpha_step(carom_step *s, const carom_state *now,
                                             carom_state *next)
{
    carom_gen_alpha *g = s->self;
    const int n = s->size.nu;
    const size_t rows = sizeof(double) * (size_t)s->size.n_row, size = sizeof(double) * (size_t)n;
    carom_gen_alpha_begin(s, now, now->memory, now->memory + n);
    // what was closed stays near: most likely it still is
    for (int c = 0; c < s->size.n_contact && g->on_position; c++) {
        g->is_near[c] = now->is_active[c] && carom_active_is_there(s, c);
        g->is_closed[c] = g->is_near[c];
        g->has_near |= g->is_near[c];
    }
    CAROM_TRY(solve_step(s, now));
    memcpy(next->q, g->q, sizeof(double) * (size_t)s->size.nq);
    memcpy(next->u, g->v, size);
    memcpy(next->P, g->p[CAROM_LEVEL_VELOCITY], rows);
    memcpy(next->la, g->force, rows);
    memcpy(next->is_active, g->is_closed, (size_t)s->size.n_contact);
    for (int i = 0; i < n; i++) next->memory[i] = g->x[i] / s->h;
    memcpy(next->memory + n, g->a_dot, size);
    find_powers(s, s->ev[0], g->force, g->v, next->memory + 2 * n);
    carom_gen_alpha_report(s, next);
    s->report.obstacle_work += 0.5 * s->h * (now->memory[2 * n] + next->memory[2 * n]);
    if (s->size.n_disc > 0)
        s->report.friction_loss += 0.5 * s->h * (now->memory[2 * n + 1] + next->memory[2 * n + 1]);
    next->t = now->t + s->h;
    return CAROM_OK;
}

static int n_work(const carom_model *model)
{
    const carom_sizes size = carom_model_sizes(model);
    return 2 * size.n_row + size.n_contact;
}

static const carom_option options[] = {
    {"rho", CAROM_REAL, 0.8, 0, 1, NULL, "spectral radius at infinite frequency: 1 no damping"},
    {"level", CAROM_CHOICE, 0, 0, 1, "both|velocity",
     "contacts and constraints on position and velocity level (2014), or on velocity level (2013)"},
    {0}};

static const unsigned masks[] = {
    CAROM_GEN_ALPHA_FREE,  CAROM_GEN_ALPHA_HELD, START,      CAROM_GEN_ALPHA_SLOPE,
    CAROM_GEN_ALPHA_START, CAROM_D_FORCES,       CAROM_GAPS, 0};

const carom_scheme carom_scheme_nonsmooth_gen_alpha = {
    .name = "nonsmooth_gen_alpha",
    .about = "Nonsmooth generalised-alpha: damps high frequencies, holds gaps and rates",
    .reference = "O. Bruels, V. Acary and A. Cardona, Simultaneous enforcement of constraints at "
                 "position and velocity levels in the nonsmooth generalized-alpha scheme, 2014",
    .order_free = 2,
    .order_contact = 1,
    .level = "both",
    .cost = 7,
    .has_friction = true,
    .has_bilateral = true,
    .takes.laws = CAROM_LAWS_WITH_DISCS,
    .takes.varies = CAROM_VARIES_ALL,
    .takes.rates = true,
    .has_contact = true,
    .is_implicit = true,
    .option = options,
    .mask = masks,
    .n_eval = 4,
    .memory = {.n = n_memory},
    .n_work = n_work,
    .prepare = prepare,
    .release = release,
    .renew = renew,
    .start = start,
    .step = nonsmooth_gen_alpha_step,
};
