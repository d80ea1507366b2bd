// SPDX-License-Identifier: Apache-2.0
// One implicit step of the Newmark family by Newton's method. Its unknown x is a change of
// position, from which all else follows, and the forces of the held rows:
//
//     q+ = .. + x,     u+ = .. + gamma' x,     u_dot+ = .. + beta' x
//     beta' = (1 - alpha_m) / (h^2 beta (1 - alpha_f)),     gamma' = gamma / (h beta)
//
//     [ (beta' M + gamma' C + K)/beta'   -D ] [ dx        ]   [ -R/beta' ]
//     [ G                                 0 ] [ dla/beta' ] = [ -g       ]
//
//     R = M u_dot - f - W'la,     K = dR/dq,     C = -df/du
//
// In this scaling the matrix does not degenerate for small h. Velocity rows are divided by gamma',
// acceleration rows by beta'. Redundant rows get the smallest forces.
//
// M. Arnold, O. Bruls, Convergence of the generalized-alpha scheme for constrained mechanical
// systems, 2007. O. A. Bauchau, A. Epple, C. L. Bottasso, Scaling of constraints and augmented
// Lagrangian formulations, 2009.
#include "smooth/newmark.h"

#include "dynamics/friction.h"
#include "dynamics/law.h"
#include "math/dense.h"
#include "math/vector.h"
#include "model/model.h"
#include "smooth/weak.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { MOST_PASSES = 25, STALLED = 3 };
static const double ROW_TOLERANCE = 1e-14, ROUNDING = 1e-10;
static const double LEAST_TERM = 1e-6; // of the largest: with the tolerance far below rounding
static const double WEAK_SHARE = 0.1;  // of the tolerance, of a row that is held weakly
static const double MOST_FORCE = 1e-10, LEAST_FORCE = 1e-13, FORCE_SHARE = 0.01;

// of the forces, left over by Newton's method: far less than the tolerance of a step
static double force_tolerance(const carom_flow *flow)
{
    return fmax(LEAST_FORCE, fmin(MOST_FORCE, FORCE_SHARE * flow->rtol));
}

// of its terms, left over in a row where Newton's method stalls. What is held weakly keeps its
// forces, so that the row keeps what is off; the end of such a step is brought onto the constraints
static double row_rounding(const carom_flow *flow)
{
    return fmax(ROUNDING, carom_weak_is_near(flow) ? WEAK_SHARE * flow->rtol : 0);
}

// a row of the system: position, velocity or acceleration of a row of the model
typedef struct newton_row {
    int row, contact; // contact: that of a normal, else -1
    carom_newmark_level level;
    bool is_psi; // its multiplier moves positions
} newton_row;

struct carom_newmark {
    carom_flow *flow;
    carom_arena *arena;
    carom_newmark_level level;
    carom_linear *matrix;      // (nu)
    int n;                     // rows of the system
    newton_row *row;           // (2 n_row)
    double beta, gamma;        // beta', gamma'
    double *X, *S, *b, *scale; // (nu 2n_row), (2n_row)^2, (2n_row)
    double *R, *x, *f;         // (nu) residual, step, push
    double *rest;              // (2 n_row) residuals of the rows, as they stand
    double *kept;              // (2 n_row) right side of the rows
    double *work;
    int *pivot;
    double force_error, row_error; // over their tolerances
    double largest_force;          // of the step so far
};

static bool take_all(carom_newmark *m)
{
    const carom_sizes n = m->flow->s->size;
    const size_t rows = 2 * (size_t)n.n_row, nu = (size_t)n.nu;
    bool is_taken = (m->row = CAROM_TAKE(m->arena, newton_row, 2 * n.n_row)) != NULL;
    is_taken &= (m->X = carom_arena_take(m->arena, sizeof(double) * (nu * rows + 1))) != NULL;
    is_taken &= (m->S = carom_arena_take(m->arena, sizeof(double) * (rows * rows + 1))) != NULL;
    is_taken &= (m->work = carom_arena_take(
                     m->arena, sizeof(double) * (carom_dense_room((int)rows, 1) + 1))) != NULL;
    is_taken &= (m->b = CAROM_TAKE(m->arena, double, 2 * n.n_row)) != NULL;
    is_taken &= (m->scale = CAROM_TAKE(m->arena, double, 2 * n.n_row)) != NULL;
    is_taken &= (m->rest = CAROM_TAKE(m->arena, double, 2 * n.n_row)) != NULL;
    is_taken &= (m->kept = CAROM_TAKE(m->arena, double, 2 * n.n_row)) != NULL;
    is_taken &= (m->pivot = CAROM_TAKE(m->arena, int, 2 * n.n_row)) != NULL;
    is_taken &= (m->R = CAROM_TAKE(m->arena, double, n.nu)) != NULL;
    is_taken &= (m->x = CAROM_TAKE(m->arena, double, n.nu)) != NULL;
    is_taken &= (m->f = CAROM_TAKE(m->arena, double, n.nu)) != NULL;
    return is_taken;
}

// each slip of friction that is an expression fills at most these rows
static int n_friction_entry(const carom_eval *ev)
{
    const carom_sparse *W = &ev->rows.W;
    int n = 0;
    for (int c = 0; c < ev->model->size.n_contact; c++) {
        const carom_contact_facts *facts = carom_model_contact(ev->model, c);
        const int r = facts->row + 1;
        if (facts->varies & CAROM_VARIES_FRICTION)
            n += (W->start[r + facts->n_slip] - W->start[r]) * ev->model->size.nu;
    }
    return n;
}

// entries of all blocks of the matrix together, an upper bound
static int n_entry(const carom_eval *ev)
{
    return carom_mass_n_entry(ev->mass) + ev->derivatives.df_dq.start[ev->derivatives.df_dq.n_row] +
           ev->derivatives.df_du.start[ev->derivatives.df_du.n_row] +
           ev->derivatives.dMa_dq.start[ev->derivatives.dMa_dq.n_row] +
           ev->derivatives.dWP_dq.start[ev->derivatives.dWP_dq.n_row] + n_friction_entry(ev);
}

carom_status carom_newmark_new(carom_flow *flow, carom_newmark_level level, carom_newmark **newmark)
{
    *newmark = NULL;
    carom_arena *arena = carom_arena_new();
    carom_newmark *made = arena ? CAROM_TAKE(arena, carom_newmark, 1) : NULL;
    if (!made) {
        carom_arena_free(arena);
        return carom_fail(flow->s->error, CAROM_NO_MEMORY, "no memory for an implicit step");
    }
    *made = (carom_newmark){.flow = flow, .arena = arena, .level = level};
    carom_status status = CAROM_NO_MEMORY;
    if (take_all(made))
        status =
            carom_linear_new(flow->s->size.nu, n_entry(flow->ev[0]), &made->matrix, flow->s->error);
    else
        carom_fail(flow->s->error, status, "no memory for an implicit step");
    if (status != CAROM_OK) {
        carom_newmark_free(made);
        return status;
    }
    *newmark = made;
    return CAROM_OK;
}

void carom_newmark_free(carom_newmark *newmark)
{
    if (!newmark) return;
    carom_linear_free(newmark->matrix);
    carom_arena_free(newmark->arena);
}

static void add_row(carom_newmark *m, int row, int contact, carom_newmark_level level, bool is_psi)
{
    m->row[m->n++] = (newton_row){row, contact, level, is_psi};
}

// the rows of the system: on the level asked for, tangents never on position level
static void choose_rows(carom_newmark *m)
{
    const carom_step *s = m->flow->s;
    const unsigned char *is_held = m->flow->rows.is_held;
    const bool is_ggl = m->level == CAROM_NEWMARK_GGL;
    const carom_newmark_level level = is_ggl ? CAROM_NEWMARK_VELOCITY : m->level;
    m->n = 0;
    for (int k = 0; k < s->size.n_constraint; k++)
        if (is_held[k]) add_row(m, k, -1, level, false);
    for (int c = 0; c < s->size.n_contact; c++) {
        const carom_contact_facts *facts = carom_plan_contact(s->plan, c);
        if (is_held[facts->row]) add_row(m, facts->row, c, level, false);
        for (int k = 1; k <= facts->n_slip; k++)
            if (is_held[facts->row + k])
                add_row(m, facts->row + k, -1,
                        level == CAROM_NEWMARK_POSITION ? CAROM_NEWMARK_VELOCITY : level, false);
    }
    if (!is_ggl) return;
    for (int k = 0; k < s->size.n_constraint; k++)
        if (is_held[k]) add_row(m, k, -1, CAROM_NEWMARK_POSITION, true);
    for (int c = 0; c < s->size.n_contact; c++) {
        const int r = carom_plan_contact(s->plan, c)->row;
        if (is_held[r]) add_row(m, r, c, CAROM_NEWMARK_POSITION, true);
    }
}

static double row_times(const carom_sparse *W, int r, const double *x, bool of_sizes)
{
    double sum = 0;
    for (int k = W->start[r]; k < W->start[r + 1]; k++) {
        const double term = W->value[k] * x[W->index[k]];
        sum += of_sizes ? fabs(term) : term;
    }
    return sum;
}

// the size of the positions that a row moves; an orientation counts as 1
static double size_of_row(const carom_newmark *m, int r, const double *q)
{
    const carom_sparse *W = &m->flow->ev[0]->rows.W;
    double sum = 0;
    for (int k = W->start[r]; k < W->start[r + 1]; k++)
        sum += fabs(W->value[k]) * carom_model_size_along(m->flow->s->model, q, W->index[k]);
    return sum;
}

// Least size of a row's terms, by the largest entry of x (n): what rows hold at 0 has no size of
// its own, and where they are redundant it is not 0 to the last bit
static double least_size(const carom_sparse *W, int r, const double *x, int n)
{
    double sum = 0;
    for (int k = W->start[r]; k < W->start[r + 1]; k++) sum += fabs(W->value[k]);
    return LEAST_TERM * sum * carom_vector_largest(x, n);
}

// what is left of a row, and the size of the terms it is made of
static double row_rest(const carom_newmark *m, const newton_row *row, const carom_motion *at,
                       double *size)
{
    const carom_eval *ev = m->flow->ev[0];
    const int r = row->row;
    if (row->level == CAROM_NEWMARK_POSITION) {
        // positions carry the rounding of where the step came from
        const double before = size_of_row(m, r, m->flow->from.q);
        *size = fmax(size_of_row(m, r, at->q), 2 * DBL_EPSILON / ROW_TOLERANCE * before);
        *size = fmax(*size, least_size(&ev->rows.W, r, at->q, m->flow->s->size.nq));
        return row->contact >= 0 ? ev->gaps.value[row->contact] : ev->gaps.constraint[r];
    }
    const double *x = row->level == CAROM_NEWMARK_VELOCITY ? at->u : at->a;
    const double other =
        row->level == CAROM_NEWMARK_VELOCITY ? ev->rows.w0[r] : ev->rows.curvature[r];
    *size = row_times(&ev->rows.W, r, x, true) + fabs(other);
    *size = fmax(*size, least_size(&ev->rows.W, r, x, m->flow->s->size.nu));
    return row_times(&ev->rows.W, r, x, false) + other;
}

static void friction_forces(const carom_flow *flow, double *la)
{
    for (int c = 0; c < flow->s->size.n_contact; c++) {
        const carom_contact_facts *facts = carom_plan_contact(flow->s->plan, c);
        if (!flow->rows.is_sliding[c]) continue;
        for (int k = 1; k <= facts->n_slip; k++)
            la[facts->row + k] =
                carom_law_drag(facts, flow->rows.direction[facts->row + k]) * la[facts->row];
    }
}

// evaluates at the present unknowns; fills R and the rests of all rows
static carom_status look_at_unknowns(carom_newmark *m, carom_motion *at)
{
    carom_flow *flow = m->flow;
    const carom_step *s = flow->s;
    carom_eval *ev = flow->ev[0];
    const bool with_curvature = m->level == CAROM_NEWMARK_ACCELERATION;
    const carom_point point = {
        .t = at->t, .q = at->q, .u = at->u, .a = at->a, .P = at->la, .holds = s->holds};
    CAROM_TRY(carom_model_eval(
        s->plan, &point, with_curvature ? CAROM_NEWMARK_MASK_1 : CAROM_NEWMARK_MASK, ev, s->error));
    flow->cost.F++;
    flow->cost.G++;
    flow->cost.G_q++;
    carom_saddle_turn_directions(s->model, &flow->rows, ev, at->u);
    CAROM_TRY(carom_friction_follow(s->plan, &flow->rows, ev, &point, s->error));
    friction_forces(flow, at->la);
    memset(m->f, 0, sizeof(double) * (size_t)s->size.nu);
    carom_dynamics_push(ev, at->la, m->f);
    carom_mass_times(ev->mass, at->a, m->R);
    // a force that vanishes at the end of the step is as large as at its start
    double worst = 0, scale = fmax(DBL_MIN, m->largest_force);
    for (int i = 0; i < s->size.nu; i++) {
        const double mass = flow->root_mass[i]; // newtons and newton metres compare by it
        const double most = fmax(fabs(m->R[i]), fmax(fabs(ev->f[i]), fabs(m->f[i])));
        scale = fmax(scale, most / mass);
        m->R[i] -= ev->f[i] + m->f[i];
        worst = fmax(worst, fabs(m->R[i]) / mass);
    }
    m->largest_force = scale;
    const double of_forces = force_tolerance(flow);
    m->force_error = worst / (of_forces * scale);
    m->row_error = 0;
    for (int j = 0; j < m->n; j++) {
        double size;
        m->rest[j] = row_rest(m, &m->row[j], at, &size);
        const double tolerance =
            m->row[j].level == CAROM_NEWMARK_ACCELERATION ? of_forces : ROW_TOLERANCE;
        m->row_error = fmax(m->row_error, fabs(m->rest[j]) / fmax(DBL_MIN, tolerance * size));
    }
    return CAROM_OK;
}

static void add_direction(const carom_sparse *W, int r, double factor, double *x)
{
    for (int k = W->start[r]; k < W->start[r + 1]; k++) x[W->index[k]] += factor * W->value[k];
}

// Friction that is an expression, la_T = -mu la_N d: R changes by la_N W_T'd dmu, with
// dmu = mu_q dq + mu_s d(d.gamma_T), as a row of the unknown divided by beta'
static void add_friction(carom_newmark *m, int c, const double *la)
{
    const carom_flow *flow = m->flow;
    const carom_eval *ev = flow->ev[0];
    const carom_contact_facts *facts = carom_plan_contact(flow->s->plan, c);
    const carom_eval_coefficients *of = carom_plan_coefficients(flow->s->plan);
    const int nu = flow->s->size.nu;
    double *push = m->f, *change = m->x;
    memset(push, 0, sizeof(double) * (size_t)nu);
    memset(change, 0, sizeof(double) * (size_t)nu);
    add_direction(&of->mu_q, c, 1 / m->beta, change);
    for (int r = facts->row + 1; r <= facts->row + facts->n_slip; r++) {
        const double slope = of->slope[c] * flow->rows.direction[r];
        add_direction(&ev->rows.W, r, la[facts->row] * flow->rows.direction[r], push);
        add_direction(&ev->rows.W, r, slope * m->gamma / m->beta, change);
        add_direction(&ev->derivatives.dgamma_dq, r, slope / m->beta, change);
    }
    for (int i = 0; i < nu; i++)
        for (int j = 0; push[i] != 0 && j < nu; j++)
            if (change[j] != 0) carom_linear_add_entry(m->matrix, i, j, push[i] * change[j]);
}

static carom_status factorise(carom_newmark *m, const double *la)
{
    const carom_eval *ev = m->flow->ev[0];
    const carom_step *s = m->flow->s;
    carom_linear_clear(m->matrix);
    carom_linear_add_mass(m->matrix, 0, 0, ev->mass, 1);
    carom_linear_add(m->matrix, 0, 0, &ev->derivatives.df_du, -m->gamma / m->beta, false);
    carom_linear_add(m->matrix, 0, 0, &ev->derivatives.df_dq, -1 / m->beta, false);
    carom_linear_add(m->matrix, 0, 0, &ev->derivatives.dMa_dq, 1 / m->beta, false);
    carom_linear_add(m->matrix, 0, 0, &ev->derivatives.dWP_dq, -1 / m->beta, false);
    for (int c = 0; c < s->size.n_contact && s->plan->coefficients; c++)
        if (m->flow->rows.is_sliding[c] && s->plan->contact[c].varies & CAROM_VARIES_FRICTION)
            add_friction(m, c, la);
    m->flow->cost.solves++;
    return carom_linear_factor(m->matrix, m->flow->s->error);
}

// what the multiplier of row j does to x
static void push_column(const carom_newmark *m, int j, double *x)
{
    const carom_flow *flow = m->flow;
    const carom_sparse *W = &flow->ev[0]->rows.W;
    const newton_row *row = &m->row[j];
    memset(x, 0, sizeof(double) * (size_t)flow->s->size.nu);
    if (row->is_psi) return;
    add_direction(W, row->row, 1, x);
    if (row->contact >= 0 && flow->rows.is_sliding[row->contact]) {
        const carom_contact_facts *facts = carom_plan_contact(flow->s->plan, row->contact);
        for (int k = 1; k <= facts->n_slip; k++)
            add_direction(W, row->row + k,
                          carom_law_drag(facts, flow->rows.direction[row->row + k]), x);
    }
    carom_linear_solve(m->matrix, x);
}

// the derivative of row i, in its scaling, along dx
static double row_along(const carom_newmark *m, int i, const double *dx)
{
    const carom_eval *ev = m->flow->ev[0];
    const newton_row *row = &m->row[i];
    const double along = row_times(&ev->rows.W, row->row, dx, false);
    if (row->level == CAROM_NEWMARK_POSITION) return along;
    const double turn = row_times(&ev->derivatives.dgamma_dq, row->row, dx, false);
    if (row->level == CAROM_NEWMARK_VELOCITY) return along + turn / m->gamma;
    return along + 2 * turn * m->gamma / m->beta; // the rest of its derivative is of order h^2
}

static double row_scale(const carom_newmark *m, const newton_row *row)
{
    if (row->level == CAROM_NEWMARK_POSITION) return 1;
    return row->level == CAROM_NEWMARK_VELOCITY ? 1 / m->gamma : 1 / m->beta;
}

// W W' between a position row and the multiplier that moves positions
static double psi_entry(const carom_newmark *m, int i, int j)
{
    if (!m->row[i].is_psi || !m->row[j].is_psi) return 0;
    const carom_sparse *W = &m->flow->ev[0]->rows.W;
    memset(m->f, 0, sizeof(double) * (size_t)m->flow->s->size.nu);
    add_direction(W, m->row[j].row, 1, m->f);
    return row_times(W, m->row[i].row, m->f, false);
}

static void build_rows(carom_newmark *m)
{
    const int n = m->n, nu = m->flow->s->size.nu;
    for (int j = 0; j < n; j++) {
        double *column = m->X + (size_t)j * (size_t)nu;
        push_column(m, j, column);
        for (int i = 0; i < n; i++)
            m->S[(size_t)j * (size_t)n + (size_t)i] = row_along(m, i, column) + psi_entry(m, i, j);
    }
    for (int j = 0; j < n; j++) {
        const double size = fabs(m->S[(size_t)j * (size_t)n + (size_t)j]);
        m->scale[j] = size > 0 ? 1 / sqrt(size) : 1;
    }
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            m->S[(size_t)j * (size_t)n + (size_t)i] *= m->scale[i] * m->scale[j];
}

// S b = b. Near a place where rows become dependent what is held weakly keeps its forces
static void solve_rows(carom_newmark *m)
{
    const int n = m->n;
    const size_t size = (size_t)n * (size_t)n;
    memcpy(m->kept, m->b, sizeof(double) * (size_t)n);
    const int rank = carom_dense_solve(n, m->S, 1, m->b, m->work, m->pivot);
    if (m->level != CAROM_NEWMARK_POSITION) return;
    const carom_saddle_strength strength = {n, rank, carom_dense_weakest(n, rank, m->work)};
    carom_weak_note_strength(m->flow, &strength);
    const carom_saddle_limit limit = carom_weak_limit(m->flow, true);
    if (rank >= limit.rank && strength.weakest >= limit.weakest) return;
    memcpy(m->b, m->kept, sizeof(double) * (size_t)n);
    memcpy(m->work, m->S, sizeof(double) * size);
    carom_dense_least_above(limit.weakest, n, m->work, m->b, m->work + size, m->pivot);
}

// dx into x, the changes of the multipliers (still divided by beta') into b
static void solve_step(carom_newmark *m)
{
    const int n = m->n, nu = m->flow->s->size.nu;
    for (int i = 0; i < nu; i++) m->x[i] = -m->R[i] / m->beta;
    carom_linear_solve(m->matrix, m->x);
    for (int i = 0; i < n; i++)
        m->b[i] = m->scale[i] * (-m->rest[i] * row_scale(m, &m->row[i]) - row_along(m, i, m->x));
    if (n > 0) solve_rows(m);
    for (int j = 0; j < n; j++) {
        m->b[j] *= m->scale[j];
        for (int i = 0; i < nu; i++) m->x[i] += m->b[j] * m->X[(size_t)j * (size_t)nu + (size_t)i];
    }
}

static void apply_step(carom_newmark *m, carom_motion *at)
{
    const int nu = m->flow->s->size.nu;
    for (int i = 0; i < nu; i++) {
        at->u[i] += m->gamma * m->x[i];
        at->a[i] += m->beta * m->x[i];
    }
    for (int j = 0; j < m->n; j++) {
        if (m->row[j].is_psi)
            add_direction(&m->flow->ev[0]->rows.W, m->row[j].row, m->b[j], m->x);
        else
            at->la[m->row[j].row] += m->beta * m->b[j];
    }
    carom_model_move(m->flow->s->model, at->q, m->x, 1, at->q);
}

// q, u, u_dot with u_dot+ = u_dot
static void predict_end(carom_newmark *m, const carom_newmark_rule *rule, const carom_motion *now,
                        double h, const double *a, carom_motion *next)
{
    const int nu = m->flow->s->size.nu;
    for (int i = 0; i < nu; i++) {
        const double a_next = (now->a[i] - rule->alpha_m * a[i]) / (1 - rule->alpha_m);
        m->x[i] = now->u[i] + h * ((0.5 - rule->beta) * a[i] + rule->beta * a_next);
        next->u[i] = now->u[i] + h * ((1 - rule->gamma) * a[i] + rule->gamma * a_next);
        next->a[i] = now->a[i];
    }
    carom_model_move(m->flow->s->model, now->q, m->x, h, next->q);
    memcpy(next->la, now->la, sizeof(double) * (size_t)m->flow->s->size.n_row);
    for (int r = 0; r < m->flow->s->size.n_row; r++)
        if (!m->flow->rows.is_held[r]) next->la[r] = 0;
    friction_forces(m->flow, next->la);
    next->t = now->t + h;
}

static carom_status iterate_newton(carom_newmark *m, carom_motion *next)
{
    double best = INFINITY;
    int stalled = 0;
    for (int k = 0; k < MOST_PASSES; k++) {
        CAROM_TRY(look_at_unknowns(m, next));
        const double error = fmax(m->force_error, m->row_error);
        if (error <= 1) return CAROM_OK;
        // rows whose terms cancel cannot come closer than rounding lets them
        stalled = error < 0.5 * best ? 0 : stalled + 1;
        best = fmin(best, error);
        if (stalled >= STALLED && m->force_error <= 1 &&
            m->row_error * ROW_TOLERANCE <= row_rounding(m->flow))
            return CAROM_OK;
        CAROM_TRY(factorise(m, next->la));
        build_rows(m);
        solve_step(m);
        apply_step(m, next);
    }
    return carom_fail(m->flow->s->error, CAROM_NOT_CONVERGED,
                      "Newton's method did not converge in %d passes (step too long?)",
                      MOST_PASSES);
}

carom_status carom_newmark_step(carom_newmark *m, const carom_newmark_rule *rule,
                                const carom_motion *now, double h, const double *a_now,
                                carom_motion *next)
{
    m->beta = (1 - rule->alpha_m) / (h * h * rule->beta * (1 - rule->alpha_f));
    m->gamma = rule->gamma / (h * rule->beta);
    m->largest_force = 0;
    choose_rows(m);
    predict_end(m, rule, now, h, a_now, next);
    CAROM_TRY(iterate_newton(m, next));
    for (int i = 0; i < m->flow->s->size.nu; i++)
        next->memory[i] = ((1 - rule->alpha_f) * next->a[i] + rule->alpha_f * now->a[i] -
                           rule->alpha_m * a_now[i]) /
                          (1 - rule->alpha_m);
    return CAROM_OK;
}
