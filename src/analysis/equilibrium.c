// SPDX-License-Identifier: Apache-2.0
// A rest of a model at t = 0: positions and forces with
//
//     f(q, u = 0) + W'la = 0,     constraints 0,     0 <= gap _|_ la_N >= 0,     |la_T| <= mu la_N
//
// Found by steps of a motion without inertia's memory: an implicit Euler step from rest, with one
// pass of Newton's method, after which the velocity is forgotten,
//
//     J d = f + W'la,     J = M/tau^2 - df/dq - d(W'la)/dq,     q := q (+) d
//     c + W d = 0         0 <= g + W_N d _|_ la_N >= 0         -W_T d in N_disc(mu la_N)(la_T)
//
// which is one contact problem with J in the place of the mass. A short tau goes downhill, as a
// heavily damped motion would; a long one is Newton's method on the equations above. tau grows
// while steps do what was expected of them and shrinks where they do not:
//
//     e = f(q+) + W(q+)'la - M d/tau^2      what Newton's pass has left of the Euler step
//     d'J d                                 must be positive: else the step would go to a summit
//     c(q+), gaps of pushing contacts       small against d
//
// Where e alone is too large, more passes of Newton's method from q+ finish the same Euler step, as
// long as each leaves less than the one before: what is stiff along and soft across (beams, cables)
// moves far within a step only so. way = q (-) q_a from where the step began then has its share of
// inertia, M way/tau^2, and of slip, W_T way.
//
// Friction resists the step that is taken: what can stick where it is, does. Steps are no longer
// than a share of the model's size and of the way so far, so that a model that has no rest (free
// fall, sliding) runs away fast, and is seen to.
//
// C. T. Kelley, D. E. Keyes, Convergence analysis of pseudo-transient continuation, 1998.
#include "analysis/stability.h"
#include "base/need.h"
#include "dynamics/contact_blocks.h"
#include "model/laws/coefficients.h"
#include "model/making/lagrange.h"
#include "model/model.h"
#include "model/slots/slots.h"
#include "model/touch/near.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    TRIAL = CAROM_MASS | CAROM_FORCES | CAROM_GAPS | CAROM_ROWS,
    FULL = TRIAL | CAROM_D_FORCES | CAROM_D_ROWS,
    MOST_PASSES = 3000,
    MOST_INNER = 12, // of one Euler step
    POLISH = 4
};
static const double FOUND = 1e-10;            // force left, of the largest
static const double STILL = 1e-9;             // step, of the model's size
static const double GOOD = 0.25, FINE = 0.02; // e of the force that drives the step
static const double CONTRACTS = 0.5;          // e of the pass before
static const double FIRST_STEP = 4e-3;        // of the longest step
// The motion that forces alone would make in tau, of the longest step: rows take it back, and lose
// as many digits of the positions. The passes that a longer tau would save are few
static const double MOST_STEPS = 1e3;
static const double LONGEST = 0.25;    // step, of the model's size and the way so far
static const double TURN = 0.5;        // likewise of angles [rad]
static const double AWAY = 1e4;        // sizes of the model: it runs away
static const double ROUNDING = 1e-13;  // of positions
static const double CLOSED = 30;       // times rounding: rows that are kept
static const double LEAST_TAU = 1e-12; // of the first one

// an Euler step that takes several passes of Newton's method
typedef struct euler_step {
    double tau;
    int inner;             // passes so far; 0 = the first is to come
    double *anchor, *gone; // where it began, and q (-) anchor
    double driven, left;   // what drove it there, what the last pass left
    bool contracts;        // less than the pass before
} euler_step;

typedef struct search {
    carom_step s; // what contact problems are made in
    const carom_model *model;
    carom_arena *arena;
    carom_eval *here, *there;
    carom_eval shifted; // here with offsets in the place of w0
    carom_linear *J;
    double *q, *tried, *zero, *d, *force, *push, *x, *offset, *la, *longest, *way;
    unsigned char *is_active, *holds, *is_held;
    double size, largest, residual, step;
    double grain, closing; // rounding of positions, and how far rows are broken, mass-weighted
    int passes;
    euler_step euler;
} search;

static bool take_memory(search *e)
{
    const carom_sizes *n = &e->s.size;
    double **of_u[] = {&e->zero, &e->d,       &e->force, &e->push,
                       &e->x,    &e->longest, &e->way,   &e->euler.gone};
    bool is_made = (e->arena = carom_arena_new()) != NULL;
    for (size_t i = 0; is_made && i < sizeof of_u / sizeof *of_u; i++)
        is_made = (*of_u[i] = CAROM_TAKE(e->arena, double, n->nu)) != NULL;
    if (!is_made) return false;
    is_made &= (e->q = CAROM_TAKE(e->arena, double, n->nq)) != NULL;
    is_made &= (e->tried = CAROM_TAKE(e->arena, double, n->nq)) != NULL;
    is_made &= (e->euler.anchor = CAROM_TAKE(e->arena, double, n->nq)) != NULL;
    is_made &= (e->offset = CAROM_TAKE(e->arena, double, n->n_row + 1)) != NULL;
    is_made &= (e->la = CAROM_TAKE(e->arena, double, n->n_row + 1)) != NULL;
    is_made &= (e->is_active = CAROM_TAKE(e->arena, unsigned char, n->n_contact + 1)) != NULL;
    is_made &= (e->holds = CAROM_TAKE(e->arena, unsigned char, n->n_contact + 1)) != NULL;
    is_made &= (e->is_held = CAROM_TAKE(e->arena, unsigned char, n->n_row + 1)) != NULL;
    is_made &= (e->s.report.rate_before = CAROM_TAKE(e->arena, double, 2 * n->n_row + 1)) != NULL;
    if (is_made) e->s.report.rate_after = e->s.report.rate_before + n->n_row;
    is_made &= (e->here = carom_plan_eval(e->s.plan)) != NULL;
    is_made &= (e->there = carom_plan_eval(e->s.plan)) != NULL;
    return is_made;
}

static int entries(const carom_eval *ev, int nu)
{
    return carom_mass_n_entry(ev->mass) + ev->derivatives.df_dq.start[nu] +
           ev->derivatives.dWP_dq.start[nu] + nu;
}

// sqrt(f' M^-1 f)
static double measure(search *e, const double *f)
{
    double sum = 0;
    memcpy(e->x, f, sizeof(double) * (size_t)e->s.size.nu);
    carom_mass_solve(e->here->mass, e->x);
    for (int i = 0; i < e->s.size.nu; i++) sum += f[i] * e->x[i];
    return sqrt(fmax(sum, 0));
}

static carom_status look_here(search *e, carom_error *error)
{
    const carom_point from = {.q = e->q, .u = e->zero};
    CAROM_TRY(carom_plan_refresh(e->s.plan, &from, 0, NULL, error));
    const carom_point at = {.q = e->q, .u = e->zero, .P = e->la};
    CAROM_TRY(carom_model_eval(e->s.plan, &at, FULL, e->here, error));
    CAROM_TRY(carom_plan_rest_coefficients(e->s.plan, e->q, error));
    for (int c = 0; c < e->s.size.n_contact; c++)
        e->holds[c] = !e->here->gaps.inside || e->here->gaps.inside[c] != 0;
    return CAROM_OK;
}

static bool is_angle(const carom_model *model, int i)
{
    return model->n_plain < 0 ? strncmp(model->names.velocity[i], "der(", 4) != 0
                              : model->names.unit && strcmp(model->names.unit[i], "rad") == 0;
}

// how far each position may go in this step, and which contacts that can close
static void set_reach(search *e)
{
    const carom_sparse *W = &e->here->rows.W;
    double way = 0;
    carom_model_difference(e->model, carom_model_start_q(e->model), e->q, e->way);
    for (int i = 0; i < e->s.size.nu; i++) way = fmax(way, fabs(e->way[i]));
    e->grain = 0;
    for (int i = 0; i < e->s.size.nu; i++) {
        e->longest[i] = is_angle(e->model, i) ? TURN : LONGEST * (e->size + way);
        e->grain =
            fmax(e->grain, ROUNDING * e->longest[i] * sqrt(carom_mass_entry(e->here->mass, i, i)));
    }
    for (int c = 0; c < e->s.size.n_contact; c++) {
        const int r = carom_plan_contact(e->s.plan, c)->row;
        double reach = 0;
        for (int k = W->start[r]; k < W->start[r + 1]; k++)
            reach += fabs(W->value[k]) * e->longest[W->index[k]];
        e->is_active[c] = e->here->gaps.value[c] <= 2 * reach;
    }
}

static double slip_so_far(const search *e, int row)
{
    const carom_sparse *W = &e->here->rows.W;
    double slip = 0;
    for (int k = W->start[row]; e->euler.inner > 0 && k < W->start[row + 1]; k++)
        slip += W->value[k] * e->euler.gone[W->index[k]];
    return slip;
}

static void set_offsets(search *e)
{
    const carom_sizes *n = &e->s.size;
    for (int r = 0; r < n->n_row; r++)
        e->offset[r] = r < n->n_constraint ? e->here->gaps.constraint[r] : slip_so_far(e, r);
    for (int c = 0; c < n->n_contact; c++)
        if (e->is_active[c])
            e->offset[carom_plan_contact(e->s.plan, c)->row] = e->here->gaps.value[c];
    e->shifted = *e->here;
    e->shifted.rows.w0 = e->offset;
}

// force -= M way/tau^2
static void take_inertia(search *e, const double *way, double *force)
{
    carom_mass_times(e->here->mass, way, e->x);
    for (int i = 0; i < e->s.size.nu; i++) force[i] -= e->x[i] / (e->euler.tau * e->euler.tau);
}

// d and la of one step with tau; false where J is singular or the contact problem unsolved
static bool solve_step(search *e)
{
    const carom_eval *ev = e->here;
    const int nu = e->s.size.nu;
    const carom_contact_terms terms = {.rate = &e->shifted,
                                       .push = ev,
                                       .metric = e->J,
                                       .u_minus = e->zero,
                                       .is_active = e->is_active,
                                       .without_restitution = true};
    carom_linear_clear(e->J);
    carom_linear_add_mass(e->J, 0, 0, ev->mass, 1 / (e->euler.tau * e->euler.tau));
    carom_linear_add(e->J, 0, 0, &ev->derivatives.df_dq, -1, false);
    carom_linear_add(e->J, 0, 0, &ev->derivatives.dWP_dq, -1, false);
    if (carom_linear_factor(e->J, NULL) != CAROM_OK) return false;
    memcpy(e->d, ev->f, sizeof(double) * (size_t)nu);
    if (e->euler.inner > 0) take_inertia(e, e->euler.gone, e->d);
    carom_linear_solve(e->J, e->d);
    carom_error unheard = {0};
    e->s.error = &unheard;
    carom_dynamics_clear_report(&e->s);
    if (e->s.size.n_row > 0 && (carom_dynamics_contact(&e->s, &terms, e->la, e->d) != CAROM_OK ||
                                !(e->s.report.residual <= 1e-6)))
        return false;
    for (int i = 0; i < nu; i++)
        if (!isfinite(e->d[i])) return false;
    return true;
}

// f + W'la at a point, into force
static void add_forces(const search *e, const carom_eval *ev)
{
    memset(e->push, 0, sizeof(double) * (size_t)e->s.size.nu);
    carom_dynamics_push(ev, e->la, e->push);
    for (int i = 0; i < e->s.size.nu; i++) e->force[i] = ev->f[i] + e->push[i];
}

// how far the rows of the step are broken there, as a mass-weighted way
static double broken_rows(const search *e)
{
    const carom_sizes *n = &e->s.size;
    const carom_sparse *W = &e->there->rows.W;
    double sum = 0;
    for (int k = 0; k < n->n_constraint + n->n_contact; k++) {
        const int c = k - n->n_constraint;
        const int r = c < 0 ? k : carom_plan_contact(e->s.plan, c)->row;
        const double value = c < 0 ? e->there->gaps.constraint[k] : e->there->gaps.value[c];
        double weight = 0;
        if (c >= 0 && (!e->is_active[c] || !isfinite(value) || (value > 0 && e->la[r] <= 0)))
            continue;
        for (int j = W->start[r]; j < W->start[r + 1]; j++)
            weight += W->value[j] * W->value[j] /
                      carom_mass_entry(e->here->mass, W->index[j], W->index[j]);
        if (weight > 0) sum += value * value / weight;
    }
    return sqrt(sum);
}

// the step over what it may be at most
static double step_length(const search *e, const double *way)
{
    double length = 0;
    for (int i = 0; i < e->s.size.nu; i++) length = fmax(length, fabs(way[i]) / e->longest[i]);
    return length;
}

// How far a step is from what was expected of it, of what drives it; INFINITY where it goes uphill.
// Leaves the force at its end in e->residual, and in largest the largest of its forces.
static double judge_step(search *e, double *largest)
{
    const int nu = e->s.size.nu;
    double along = 0, inertia = 0;
    add_forces(e, e->here);
    if (e->euler.inner == 0) e->euler.driven = measure(e, e->force);
    const double driven = e->euler.driven, noise = ROUNDING * e->largest;
    *largest = fmax(measure(e, e->here->f), measure(e, e->push));
    carom_mass_times(e->here->mass, e->euler.gone, e->x);
    for (int i = 0; i < nu; i++) {
        along += e->euler.gone[i] * e->force[i];
        inertia += e->euler.gone[i] * e->x[i];
    }
    const double closing = broken_rows(e), way = sqrt(inertia);
    e->closing = closing;
    const bool is_still = way <= e->grain;
    if (e->euler.inner == 0 && !is_still && driven > noise &&
        along < 0.1 * inertia / (e->euler.tau * e->euler.tau))
        return INFINITY;
    add_forces(e, e->there);
    e->residual = measure(e, e->force);
    if (is_still) return closing <= e->grain ? 0 : GOOD;
    take_inertia(e, e->euler.gone, e->force);
    const double left = measure(e, e->force);
    const double ratio = left <= noise ? 0 : left / fmax(driven, noise);
    e->euler.contracts = e->euler.inner == 0 || left < CONTRACTS * e->euler.left;
    e->euler.left = left;
    return fmax(ratio, closing <= e->grain ? 0 : closing / way);
}

// back to where the step began, for a shorter one
static bool shorten(search *e, double factor)
{
    e->euler.tau *= factor;
    if (e->euler.inner > 0) memcpy(e->q, e->euler.anchor, sizeof(double) * (size_t)e->s.size.nq);
    e->euler.inner = 0;
    return false;
}

// to the end of this pass; whether it is the end of its step
static bool take(search *e, bool is_end)
{
    const size_t bytes = sizeof(double) * (size_t)e->s.size.nq;
    if (e->euler.inner == 0) memcpy(e->euler.anchor, e->q, bytes);
    memcpy(e->q, e->tried, bytes);
    e->euler.inner = is_end ? 0 : e->euler.inner + 1;
    return is_end;
}

// One pass; false where it did not end a step: it was not taken, and tau is shorter now, or more
// passes are to follow.
static bool try_step(search *e)
{
    const bool is_solved = solve_step(e);
    double length = is_solved ? step_length(e, e->d) : 1;
    if (!is_solved || length > 1)
        return shorten(e, is_solved ? fmax(0.1, fmin(0.7, 0.9 / sqrt(length))) : 0.3);
    carom_model_move(e->model, e->q, e->d, 1, e->tried);
    const carom_point at = {
        .q = e->tried, .u = e->zero, .holds = e->here->gaps.inside ? e->holds : NULL};
    if (carom_model_eval(e->s.plan, &at, TRIAL, e->there, NULL) != CAROM_OK) return shorten(e, 0.3);
    if (e->euler.inner > 0)
        carom_model_difference(e->model, e->euler.anchor, e->tried, e->euler.gone);
    else
        memcpy(e->euler.gone, e->d, sizeof(double) * (size_t)e->s.size.nu);
    double largest;
    e->euler.contracts = false;
    const double off = judge_step(e, &largest);
    if (off > GOOD) {
        length = step_length(e, e->euler.gone);
        if (e->euler.contracts && length <= 1 && e->euler.inner < MOST_INNER) return take(e, false);
        return shorten(e, isfinite(off) ? 0.5 : 0.25);
    }
    e->step = step_length(e, e->euler.gone);
    e->largest = fmax(e->largest, largest);
    e->euler.tau *= off < FINE ? 10 : off < 0.5 * GOOD ? 2 : 1;
    return take(e, true);
}

// ---- the search ----

static carom_status refuse(const search *e, carom_error *error)
{
    int far = 0, driven = 0;
    for (int i = 1; i < e->s.size.nu; i++) {
        if (fabs(e->way[i]) > fabs(e->way[far])) far = i;
        if (fabs(e->force[i]) > fabs(e->force[driven])) driven = i;
    }
    if (fabs(e->way[far]) > AWAY * e->size)
        return carom_fail(error, CAROM_NOT_CONVERGED,
                          "there is no rest from this start: '%s' moves on and on (it falls, or "
                          "slides where friction does not hold it; support it, or give --start)",
                          carom_model_moved_name(e->model, far));
    return carom_fail(error, CAROM_NOT_CONVERGED,
                      "no rest was found in %d passes: a share of %.3g of the forces is left, the "
                      "largest on '%s' (start nearer to a rest, with --start)",
                      e->passes, e->largest > 0 ? e->residual / e->largest : 0,
                      carom_model_moved_name(e->model, driven));
}

static bool is_away(const search *e)
{
    for (int i = 0; i < e->s.size.nu; i++)
        if (!(fabs(e->way[i]) <= AWAY * e->size)) return true;
    return false;
}

// the time in which the applied forces alone would move something a share of the longest step
static double time_for(search *e, double share)
{
    double fastest = 0;
    memcpy(e->x, e->here->f, sizeof(double) * (size_t)e->s.size.nu);
    carom_mass_solve(e->here->mass, e->x);
    for (int i = 0; i < e->s.size.nu; i++) fastest = fmax(fastest, fabs(e->x[i]) / e->longest[i]);
    return fastest > 0 ? sqrt(share / fastest) : INFINITY;
}

// what the rounding of positions does to forces: much, where something is very stiff
static double rounding_of_forces(search *e)
{
    const carom_sparse *K = &e->here->derivatives.df_dq;
    for (int i = 0; i < e->s.size.nu; i++) {
        e->force[i] = 0;
        for (int k = K->start[i]; k < K->start[i + 1]; k++)
            e->force[i] += fabs(K->value[k]) * DBL_EPSILON * e->longest[K->index[k]];
    }
    return measure(e, e->force);
}

static bool is_at_rest(search *e)
{
    return e->step <= STILL && e->closing <= CLOSED * e->grain &&
           e->residual <= fmax(FOUND * e->largest, rounding_of_forces(e));
}

static carom_status search_rest(search *e, carom_error *error)
{
    int polished = 0;
    double best = INFINITY;
    CAROM_TRY(look_here(e, error));
    set_reach(e);
    const double first = fmin(time_for(e, FIRST_STEP), 1);
    e->euler.tau = first;
    for (e->passes = 1; e->passes <= MOST_PASSES; e->passes++) {
        set_reach(e);
        if (e->euler.inner == 0)
            e->euler.tau = fmin(e->euler.tau, fmin(time_for(e, MOST_STEPS), first / LEAST_TAU));
        set_offsets(e);
        const bool is_taken = try_step(e);
        CAROM_TRY(look_here(e, error));
        if (is_away(e) || e->euler.tau < LEAST_TAU * first) break;
        if (!is_taken || !is_at_rest(e)) continue;
        // as good as it gets
        if (polished++ >= POLISH || !(e->residual < 0.5 * best)) return CAROM_OK;
        best = e->residual;
    }
    return refuse(e, error);
}

// ---- what was found ----

// rows that hold: constraints, contacts that push, tangents that stick with something to spare
static void find_held(const search *e)
{
    const carom_sizes *n = &e->s.size;
    const double least = 1e-9;
    double largest = 0;
    for (int r = 0; r < n->n_row; r++) largest = fmax(largest, fabs(e->la[r]));
    for (int r = 0; r < n->n_constraint; r++) e->is_held[r] = 1;
    for (int c = 0; c < n->n_contact; c++) {
        const carom_contact_facts *facts = carom_plan_contact(e->s.plan, c);
        const int r = facts->row;
        double friction = 0;
        e->is_held[r] = e->la[r] > least * largest;
        for (int k = 1; k <= facts->n_slip; k++) friction = hypot(friction, e->la[r + k]);
        const bool sticks = e->is_held[r] && friction < facts->mu * e->la[r] * (1 - least);
        for (int k = 1; k <= facts->n_slip; k++) e->is_held[r + k] = sticks;
    }
}

static carom_status report(search *e, carom_equilibrium *found, carom_error *error)
{
    const carom_sizes *n = &e->s.size;
    found->q = calloc((size_t)n->nq + 1, sizeof(double));
    found->la = calloc((size_t)n->n_row + 1, sizeof(double));
    found->gap = calloc((size_t)n->n_contact + 1, sizeof(double));
    found->friction = calloc((size_t)n->n_contact + 1, sizeof(double));
    if (!found->q || !found->la || !found->gap || !found->friction)
        return carom_fail(error, CAROM_NO_MEMORY, "not enough memory for a rest");
    found->nq = n->nq;
    found->n_row = n->n_row;
    found->n_contact = n->n_contact;
    memcpy(found->q, e->q, sizeof(double) * (size_t)n->nq);
    memcpy(found->la, e->la, sizeof(double) * (size_t)n->n_row);
    memcpy(found->gap, e->here->gaps.value, sizeof(double) * (size_t)n->n_contact);
    for (int c = 0; c < n->n_contact; c++)
        found->friction[c] = carom_plan_contact(e->s.plan, c)->mu;
    found->residual = e->largest > 0 ? e->residual / e->largest : 0;
    found->passes = e->passes;
    find_held(e);
    const carom_at_rest rest = {e->here, e->is_held};
    found->softest = carom_stability_softest(&rest, &found->n_free);
    return CAROM_OK;
}

static carom_status begin(search *e, carom_error *error)
{
    static const unsigned masks[] = {TRIAL, FULL};
    const double *q0 = carom_model_start_q(e->model);
    if (e->model->kind == &carom_model_of_near_shapes && e->model->size.nu > CAROM_NEAR_DENSE)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "a rest of shapes whose contacts come and go can be found with up to %d "
                          "velocities, and this model has %d (run it until it rests)",
                          CAROM_NEAR_DENSE, e->model->size.nu);
    CAROM_TRY(carom_plan_new(e->model, masks, 2, &e->s.plan, error));
    CAROM_TRY(carom_contacts_new(e->model, NULL, NULL, 0, &e->s.contacts, error));
    carom_contacts_follow(e->s.contacts, e->s.plan);
    if (!take_memory(e)) return carom_fail(error, CAROM_NO_MEMORY, "not enough memory for a rest");
    CAROM_TRY(carom_linear_new(e->s.size.nu, entries(e->here, e->s.size.nu), &e->J, error));
    memcpy(e->q, q0, sizeof(double) * (size_t)e->s.size.nq);
    for (int i = 0; i < e->s.size.nu; i++)
        e->size = fmax(e->size, carom_model_size_along(e->model, q0, i));
    if (e->model->start.size > 0) e->size = e->model->start.size;
    if (!(e->size > 0)) e->size = 1;
    return CAROM_OK;
}

carom_status carom_equilibrium_find(const carom_model *model, carom_equilibrium *equilibrium,
                                    carom_error *error)
{
    CAROM_NEED(error, equilibrium);
    *equilibrium = (carom_equilibrium){0};
    CAROM_NEED(error, model);
    search e = {.model = model, .s = {.model = model, .size = carom_model_sizes(model), .h = 1}};
    carom_status status = begin(&e, error);
    if (status == CAROM_OK) status = search_rest(&e, error);
    if (status == CAROM_OK) status = report(&e, equilibrium, error);
    carom_linear_free(e.J);
    carom_contacts_free(e.s.contacts);
    carom_plan_free(e.s.plan);
    carom_arena_free(e.arena);
    if (status != CAROM_OK) carom_equilibrium_free(equilibrium);
    return status;
}

void carom_equilibrium_free(carom_equilibrium *equilibrium)
{
    if (!equilibrium) return;
    free(equilibrium->q);
    free(equilibrium->la);
    free(equilibrium->gap);
    free(equilibrium->friction);
    *equilibrium = (carom_equilibrium){0};
}
