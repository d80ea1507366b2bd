// SPDX-License-Identifier: Apache-2.0
// Newton's method for a GGL step with friction. Its motion is linearised, J dx = -r + B p in x =
// (q+, u+), and the laws of both levels stay exact in every pass, as one contact problem: a contact
// with its tangents, and its gap as another one without,
//
//     row           law                                        pushes
//     rate          law on gamma(q+, u+) and gamma(q, u)       W_m' P       on u+
//     tangents      the same                                   W_T(q+)' P_T on u+
//     gap over h    0 <= g(q+)/h  _|_  psi/s >= 0              s W_m' psi   on q+
//
//     G = C J^-1 B      b = value - C J^-1 r      s = h (W M^-1 W')/(W W')
//
// Tangents push as they are where the law sees them: two of them may turn about their normal, and
// nothing may depend on how. Both rates are velocities and both multipliers impulses, so that one
// scale serves all; G is nearly block triangular, since positions hardly change what velocities do.
// Without friction the method of ggl_newton.c does the same with less.
//
// N. H. Josephy, Newton's method for generalized equations, 1979.
#include "integrators/ggl_friction.h"

#include "contact/problem/problem.h"
#include "contact/problem/unique.h"
#include "contact/solver.h"
#include "dynamics/assembly.h"
#include "dynamics/columns.h"
#include "dynamics/law.h"
#include "integrators/ggl_system.h"
#include "math/blockmass.h"
#include "math/linear.h"
#include "model/plan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// a tangent of the step
typedef struct tangent {
    int row, normal; // of the model; which of the step's rows its contact is
    double factor;   // of the law
    double rate;     // from the one that the law aims at
    double d, length;
} tangent;

// a row of the contact problem
typedef struct problem_row {
    int row, of;    // of the model; which of the step's rows
    bool is_gap;    // on position level
    int of_tangent; // which tangent, or -1
} problem_row;

struct carom_ggl_friction {
    carom_arena *arena;
    carom_contact_solver *solver;
    carom_problem problem;
    tangent *tangent;
    int n;            // tangents in the step
    problem_row *row; // (rows of the problem)
    double *p;
    double *normal_P, *tangent_P; // (n_row) the impulses of the step
    double *free, *dx;            // (2 nu) the Newton step without multipliers; a column of J^-1 B
    double *dense;
    carom_columns entry;
    int room_sparse;
};

static bool take_memory(const carom_step *s, carom_ggl_friction *f, int n_tangent)
{
    const int most = 2 * (s->size.n_constraint + s->size.n_contact) + n_tangent;
    const int dense = most < CAROM_PROBLEM_DENSE ? most : CAROM_PROBLEM_DENSE;
    carom_arena *arena = f->arena;
    f->tangent = CAROM_TAKE(arena, tangent, n_tangent);
    f->problem.block = CAROM_TAKE(arena, carom_block, most);
    f->problem.b = CAROM_TAKE(arena, double, most);
    f->problem.G.start = CAROM_TAKE(arena, int, most + 1);
    f->row = CAROM_TAKE(arena, problem_row, most);
    f->p = CAROM_TAKE(arena, double, most);
    f->normal_P = CAROM_TAKE(arena, double, s->size.n_row);
    f->tangent_P = CAROM_TAKE(arena, double, s->size.n_row);
    f->free = CAROM_TAKE(arena, double, 2 * s->size.nu);
    f->dx = CAROM_TAKE(arena, double, 2 * s->size.nu);
    f->dense = CAROM_TAKE(arena, double, dense *dense);
    f->entry.start = CAROM_TAKE(arena, int, most + 1);
    f->entry.bytes = s->contacts->entry.bytes;
    return f->tangent && f->problem.block && f->problem.b && f->problem.G.start && f->row && f->p &&
           f->normal_P && f->tangent_P && f->free && f->dx && f->dense && f->entry.start;
}

carom_status carom_ggl_friction_new(carom_step *s, carom_ggl_friction **friction)
{
    int n_tangent = 0;
    for (int c = 0; c < s->size.n_contact; c++) n_tangent += carom_plan_contact(s->plan, c)->n_slip;
    *friction = NULL;
    if (n_tangent == 0) return CAROM_OK;
    carom_arena *arena = carom_arena_new();
    carom_ggl_friction *f = arena ? CAROM_TAKE(arena, carom_ggl_friction, 1) : NULL;
    if (f) f->arena = arena;
    if (!f || !take_memory(s, f, n_tangent)) {
        carom_arena_free(arena);
        return carom_fail(s->error, CAROM_NO_MEMORY, "not enough memory for the scheme");
    }
    *friction = f;
    const int most = 2 * (s->size.n_constraint + s->size.n_contact) + n_tangent;
    return carom_contact_solver_like(s->contacts->solver, most, &f->solver, s->error);
}

void carom_ggl_friction_free(carom_ggl_friction *f)
{
    if (!f) return;
    carom_contact_solver_free(f->solver);
    free(f->entry.index);
    free(f->entry.value);
    free(f->entry.place);
    free(f->problem.G.index);
    free(f->problem.G.value);
    carom_arena_free(f->arena);
}

static carom_ggl_friction *friction_of(const carom_step *s)
{
    const carom_ggl_system *g = s->self;
    return g->rough;
}

void carom_ggl_friction_choose(const carom_step *s)
{
    const carom_ggl_system *g = s->self;
    carom_ggl_friction *f = g->rough;
    f->n = 0;
    for (int k = 0; k < g->n; k++) {
        if (g->contact[k] < 0) continue;
        const carom_contact_facts *facts = carom_plan_contact(s->plan, g->contact[k]);
        for (int i = 1; carom_law_is_rough(facts) && i <= facts->n_slip; i++)
            f->tangent[f->n++] =
                (tangent){.row = facts->row + i, .normal = k, .factor = carom_law_factor(facts, i)};
    }
}

bool carom_ggl_is_rough(const carom_ggl_friction *f)
{
    return f && f->n > 0;
}

const double *carom_ggl_friction_P(const carom_step *s, bool of_tangents)
{
    const carom_ggl_system *g = s->self;
    const carom_ggl_friction *f = g->rough;
    memcpy(f->normal_P, g->P, sizeof(double) * (size_t)s->size.n_row);
    memset(f->tangent_P, 0, sizeof(double) * (size_t)s->size.n_row);
    for (int i = 0; i < f->n; i++) {
        const int r = f->tangent[i].row;
        f->tangent_P[r] = g->P[r];
        f->normal_P[r] = 0;
    }
    return of_tangents ? f->tangent_P : f->normal_P;
}

void carom_ggl_friction_guess(const carom_step *s, const carom_state *now)
{
    const carom_ggl_system *g = s->self;
    for (int i = 0; i < g->rough->n; i++) {
        const int r = g->rough->tangent[i].row;
        g->P[r] = now->P[r];
    }
}

void carom_ggl_friction_measure(const carom_step *s)
{
    const carom_ggl_system *g = s->self;
    const carom_sparse *W = &s->ev[1]->rows.W;
    memset(g->v, 0, sizeof(double) * (size_t)s->size.nu);
    for (int i = 0; i < g->rough->n; i++) {
        tangent *t = &g->rough->tangent[i];
        const int first = W->start[t->row], n = W->start[t->row + 1] - first;
        const int n_touched = carom_mass_solve_sparse(s->ev[0]->mass, n, W->index + first,
                                                      W->value + first, g->v, g->touched);
        t->d = carom_sparse_row_times(W, t->row, g->v);
        t->length = 0;
        for (int k = 0; k < n_touched; k++) g->v[g->touched[k]] = 0;
        for (int k = first; k < first + n; k++) t->length += fabs(W->value[k]);
    }
}

void carom_ggl_friction_look(const carom_step *s, const carom_state *next)
{
    const carom_ggl_system *g = s->self;
    const carom_eval_rows *end = &s->ev[3]->rows;
    for (int i = 0; i < g->rough->n; i++) {
        tangent *t = &g->rough->tangent[i];
        const double gamma = carom_sparse_row_times(&end->W, t->row, next->u) + end->w0[t->row];
        t->rate = carom_law_excess(t->factor, g->gamma_minus[t->row], gamma);
    }
}

// by how much the tangents from i on that share a contact miss P = proj_disc(P - rate/d), as a rate
static double miss_of(const carom_step *s, int i, int n)
{
    const carom_ggl_system *g = s->self;
    const tangent *t = &g->rough->tangent[i];
    const double push = fmax(g->P[g->row[t->normal]], 0);
    const double limit = carom_law_limit(carom_plan_contact(s->plan, g->contact[t->normal]), push);
    double d = 0, size = 0, miss = 0;
    for (int k = 0; k < n; k++) d = fmax(d, t[k].d);
    if (!(d > 0)) return 0;
    for (int k = 0; k < n; k++) size = hypot(size, g->P[t[k].row] - t[k].rate / d);
    const double share = size > limit ? limit / size : 1;
    for (int k = 0; k < n; k++) {
        const double P = g->P[t[k].row];
        miss = fmax(miss, fabs(P - share * (P - t[k].rate / d)));
    }
    return d * miss;
}

void carom_ggl_friction_residual(carom_step *s)
{
    const carom_ggl_system *g = s->self;
    const carom_ggl_friction *f = g->rough;
    for (int i = 0, n; i < f->n; i += n) {
        for (n = 1; i + n < f->n && f->tangent[i + n].normal == f->tangent[i].normal;) n++;
        const double miss = miss_of(s, i, n);
        const double size = f->tangent[i].length * g->scale_u;
        if (!(miss > 0) || !(miss / size > s->report.residual)) continue;
        s->report.residual = miss / size;
        s->report.residual_row = f->tangent[i].row;
    }
}

void carom_ggl_friction_report(carom_step *s)
{
    const carom_ggl_system *g = s->self;
    carom_step_report *r = &s->report;
    for (int i = 0; i < g->rough->n; i++) {
        const tangent *t = &g->rough->tangent[i];
        const int row = t->row;
        const double P = g->P[row], before = g->gamma_minus[row];
        const double after = carom_law_rate(t->factor, before, t->rate);
        r->rate_before[row] = before;
        r->rate_after[row] = after;
        r->friction_loss -= 0.5 * P * (before + after);
        r->obstacle_work -= 0.5 * P * (g->w0_start[row] + s->ev[3]->rows.w0[row]);
    }
}

static void add_row(carom_ggl_friction *f, problem_row row)
{
    f->row[f->problem.n_row++] = row;
}

static void add_block(carom_ggl_friction *f, carom_block block)
{
    block.first = f->problem.n_row;
    f->problem.block[f->problem.n_block++] = block;
}

// the rows: of each contact and constraint that pushes its rate with tangents, and its gap
static void choose_problem(const carom_step *s)
{
    const carom_ggl_system *g = s->self;
    carom_ggl_friction *f = g->rough;
    f->problem.n_row = f->problem.n_block = 0;
    for (int k = 0, i = 0; k < g->n; k++) {
        const int c = g->contact[k], r = g->row[k], first = i;
        while (i < f->n && f->tangent[i].normal == k) i++;
        if (!(g->d_P[k] > 0)) continue;
        const carom_block block = {.dim = 1 + i - first,
                                   .is_bilateral = c < 0,
                                   .mu = c < 0 ? 0
                                               : carom_law_friction(carom_plan_contact(s->plan, c)),
                                   .id = c < 0 ? k : c};
        add_block(f, block);
        add_row(f, (problem_row){.row = r, .of = k, .of_tangent = -1});
        for (int j = first; j < i; j++)
            add_row(f, (problem_row){.row = f->tangent[j].row, .of = k, .of_tangent = j});
        add_block(f, (carom_block){.dim = 1, .is_bilateral = c < 0, .id = c < 0 ? k : c});
        add_row(f, (problem_row){.row = r, .of = k, .is_gap = true, .of_tangent = -1});
    }
    f->problem.G.n = f->problem.n_row;
}

// an impulse of 1 as psi
static double scale_of(const carom_step *s, int k)
{
    const carom_ggl_system *g = s->self;
    return s->h * g->d_P[k] / g->d_psi[k];
}

// x += push times column j of B
static void push_column(const carom_step *s, int j, double push, double *x)
{
    const problem_row *row = &friction_of(s)->row[j];
    const carom_sparse *W = &s->ev[row->of_tangent >= 0 ? 3 : 1]->rows.W;
    double *of = row->is_gap ? x : x + s->size.nu;
    const double factor = row->is_gap ? push * scale_of(s, row->of) : push;
    for (int k = W->start[row->row]; k < W->start[row->row + 1]; k++)
        of[W->index[k]] += factor * W->value[k];
}

// row i of C times x
static double change_of(const carom_step *s, int i, const double *x)
{
    const problem_row *row = &friction_of(s)->row[i];
    const carom_eval *end = s->ev[3];
    if (row->is_gap) return carom_sparse_row_times(&end->rows.W, row->row, x) / s->h;
    return carom_sparse_row_times(&end->derivatives.dgamma_dq, row->row, x) +
           carom_sparse_row_times(&end->rows.W, row->row, x + s->size.nu);
}

static double value_of(const carom_step *s, int i)
{
    const carom_ggl_system *g = s->self;
    const problem_row *row = &g->rough->row[i];
    if (row->is_gap) return g->gap[row->of] / s->h;
    return row->of_tangent >= 0 ? g->rough->tangent[row->of_tangent].rate : g->rate[row->of];
}

static const double *solve_column(const carom_step *s, int j)
{
    const carom_ggl_system *g = s->self;
    double *x = g->rough->dx;
    memset(x, 0, sizeof(double) * 2 * (size_t)s->size.nu);
    push_column(s, j, 1, x);
    carom_linear_solve(g->matrix, x);
    return x;
}

static void build_dense(const carom_step *s, carom_ggl_friction *f)
{
    const int n = f->problem.n_row;
    f->problem.G.dense = f->dense;
    for (int j = 0; j < n; j++) {
        const double *x = solve_column(s, j);
        for (int i = 0; i < n; i++) f->dense[j * n + i] = change_of(s, i, x);
    }
}

static bool build_sparse(const carom_step *s, carom_ggl_friction *f)
{
    carom_columns *entry = &f->entry;
    const int n = f->problem.n_row;
    f->problem.G.dense = NULL;
    entry->start[0] = 0;
    for (int j = 0; j < n; j++) {
        const double *x = solve_column(s, j);
        int at = entry->start[j];
        if (!carom_columns_reserve(entry, at + n)) return false;
        for (int i = 0; i < n; i++) {
            const double value = change_of(s, i, x);
            if (value == 0 && i != j) continue;
            entry->index[at] = i;
            entry->value[at++] = value;
        }
        entry->start[j + 1] = at;
    }
    return carom_columns_turn_to_rows(entry, &f->problem.G, &f->room_sparse);
}

// b: the laws' values after the step without multipliers, which is in free
static void fill_b(const carom_step *s, carom_ggl_friction *f)
{
    const carom_ggl_system *g = s->self;
    for (int i = 0; i < 2 * s->size.nu; i++) f->free[i] = -g->x[i];
    carom_linear_solve(g->matrix, f->free);
    for (int i = 0; i < f->problem.n_row; i++)
        f->problem.b[i] = value_of(s, i) + change_of(s, i, f->free);
}

// the guess: large problems go on from the multipliers at hand, small ones need none
static void guess_multipliers(const carom_step *s, carom_ggl_friction *f)
{
    const carom_ggl_system *g = s->self;
    for (int i = 0; i < f->problem.n_row; i++) {
        const problem_row *row = &f->row[i];
        f->p[i] = 0;
        if (f->problem.n_row <= CAROM_PROBLEM_DENSE) continue;
        f->p[i] = row->is_gap ? g->psi[row->row] / scale_of(s, row->of) : g->P[row->row];
    }
}

// the multipliers of p into x and P
static void give_multipliers(const carom_step *s, const carom_ggl_friction *f)
{
    const carom_ggl_system *g = s->self;
    const int n = 2 * s->size.nu;
    double *x = g->x;
    for (int k = 0; k < g->n; k++) { // of rows that push nothing
        x[n + k] = g->P[g->row[k]];
        x[n + g->n + k] = g->psi[g->row[k]];
    }
    for (int i = 0; i < f->problem.n_row; i++) {
        const problem_row *row = &f->row[i];
        if (row->of_tangent >= 0)
            g->P[row->row] = f->p[i];
        else if (row->is_gap)
            x[n + g->n + row->of] = g->psi[row->row] - scale_of(s, row->of) * f->p[i];
        else
            x[n + row->of] = g->P[row->row] - f->p[i];
    }
}

// x: the Newton step, from the residual without multipliers and these
static void fill_step(const carom_step *s, const carom_ggl_friction *f)
{
    const carom_ggl_system *g = s->self;
    for (int j = 0; j < f->problem.n_row; j++)
        if (f->p[j] != 0) push_column(s, j, -f->p[j], g->x);
    carom_linear_solve(g->matrix, g->x);
}

carom_status carom_ggl_friction_step(carom_step *s, const carom_state *now, const carom_state *next)
{
    const carom_ggl_system *g = s->self;
    carom_ggl_friction *f = g->rough;
    carom_contact_info info;
    choose_problem(s);
    carom_linear_resize(g->matrix, 2 * s->size.nu);
    carom_ggl_put_motion(s);
    carom_linear_add(g->matrix, s->size.nu, 0, &s->ev[3]->derivatives.dWP_dq, -1, false);
    carom_ggl_put_residual(s, now, next, NULL, NULL);
    CAROM_TRY(carom_linear_factor(g->matrix, s->error));
    fill_b(s, f);
    if (f->problem.n_row <= CAROM_PROBLEM_DENSE)
        build_dense(s, f);
    else if (!build_sparse(s, f))
        return carom_columns_fail(&f->entry, s->error);
    guess_multipliers(s, f);
    CAROM_TRY(carom_contact_solve(f->solver, &f->problem, f->p, &info, s->error));
    s->report.iterations += info.iterations;
    s->report.cone = carom_contact_cone_violation(&f->problem, f->p);
    s->report.is_ambiguous = info.is_converged && carom_contact_has_other(&f->problem, f->p);
    fill_step(s, f);
    give_multipliers(s, f);
    return CAROM_OK;
}

void carom_ggl_friction_place(const carom_step *s, const carom_state *now, carom_state *next)
{
    const carom_ggl_system *g = s->self;
    double *v = g->v;
    memset(v, 0, sizeof(double) * (size_t)s->size.nu);
    carom_dynamics_push(s->ev[1], g->psi, v);
    if (g->rows.moves_masses) carom_mass_solve(s->ev[0]->mass, v);
    for (int i = 0; i < s->size.nu; i++) v[i] = 0.5 * (now->u[i] + next->u[i]) + v[i] / s->h;
    carom_model_moved(s->model, now->q, v, s->h, next->q);
}
