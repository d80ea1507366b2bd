// SPDX-License-Identifier: Apache-2.0
// The contact problem of one Newton pass of the nonsmooth generalised-alpha method. Each row is one
// of the model's rows on one of three levels; its rate is linear in dx, and its impulse is in B p:
//
//     level      law                                                     pushes
//     force      W_B v~ + w0 = 0;   discs -(W v~ + w0) in N_disc         h a
//     position   0 <= g/h  _|_  nu/h >= 0;   constraints g/h = 0         U/h
//     velocity   law on W v + w0 and gamma_minus                         W; friction half of it U/h
//                (with rolling and spinning friction)
//
//     G = C J^-1 B,     b = value - C J^-1 r
//
// J and r are derivative and residual of gen_alpha_step.c, C the derivative of the rows. Rates of
// all levels are velocities and all multipliers impulses, so that one scale serves all.
#include "contact/problem/problem.h"
#include "contact/problem/unique.h"
#include "contact/solver.h"
#include "dynamics/assembly.h"
#include "dynamics/discs.h"
#include "dynamics/law.h"
#include "integrators/gen_alpha_step.h"
#include "math/linear.h"
#include "math/vector.h"
#include "model/model.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

carom_status carom_gen_alpha_rows_new(carom_step *s, carom_gen_alpha *g)
{
    const carom_sizes size = s->size;
    const int most = 2 * size.n_constraint + size.n_contact + size.n_row;
    const int dense = most < CAROM_PROBLEM_DENSE ? most : CAROM_PROBLEM_DENSE;
    carom_gen_alpha_rows *rows = &g->rows;
    carom_problem *p = &rows->problem;
    p->block = CAROM_TAKE(g->arena, carom_block, most);
    p->b = CAROM_TAKE(g->arena, double, most);
    p->G.start = CAROM_TAKE(g->arena, int, most + 1);
    rows->row = CAROM_TAKE(g->arena, int, most);
    rows->level = CAROM_TAKE(g->arena, int, most);
    rows->is_tangent = CAROM_TAKE(g->arena, unsigned char, most);
    rows->p = CAROM_TAKE(g->arena, double, most);
    rows->xi = CAROM_TAKE(g->arena, double, most);
    rows->entry.start = CAROM_TAKE(g->arena, int, most + 1);
    rows->entry.bytes = s->contacts->entry.bytes;
    rows->links.n = size.nu;
    rows->links.first = CAROM_TAKE(g->arena, int, size.nu);
    rows->links.is_in = CAROM_TAKE(g->arena, unsigned char, most);
    rows->touched = CAROM_TAKE(g->arena, int, 3 * size.nu);
    rows->unknown = CAROM_TAKE(g->arena, int, 3 * size.nu);
    rows->push = CAROM_TAKE(g->arena, double, 3 * size.nu);
    rows->dense = CAROM_TAKE(g->arena, double, dense *dense);
    if (!p->block || !p->b || !p->G.start || !rows->row || !rows->level || !rows->is_tangent ||
        !rows->p || !rows->xi || !rows->entry.start || !rows->dense || !rows->links.first ||
        !rows->links.is_in || !rows->touched || !rows->unknown || !rows->push)
        return carom_fail(s->error, CAROM_NO_MEMORY, "not enough memory for the contact rows");
    return carom_contact_solver_like(s->contacts->solver, most, &rows->solver, s->error);
}

void carom_gen_alpha_rows_free(carom_gen_alpha_rows *rows)
{
    carom_contact_solver_free(rows->solver);
    free(rows->entry.index);
    free(rows->entry.value);
    free(rows->entry.place);
    free(rows->links.next);
    free(rows->links.row);
    free(rows->problem.G.index);
    free(rows->problem.G.value);
}

static void add_block(carom_gen_alpha_rows *rows, carom_block block, int level, int row)
{
    carom_problem *p = &rows->problem;
    block.first = p->n_row;
    p->block[p->n_block++] = block;
    for (int k = 0; k < block.dim; k++) {
        rows->level[p->n_row] = level;
        rows->is_tangent[p->n_row] = block.of > 0 || (k > 0 && !block.is_bilateral);
        rows->row[p->n_row++] = row + k;
    }
}

// forces that are never impulses; loads of joint friction are those of the pass before
static void choose_discs(const carom_step *s, carom_gen_alpha *g)
{
    double *p = g->p[CAROM_LEVEL_FORCE];
    for (int c = s->size.n_contact - s->size.n_disc; c < s->size.n_contact; c++) {
        const carom_contact_facts *facts = carom_plan_contact(s->plan, c);
        if (facts->of > 0) continue;
        const double radius = carom_disc_radius(facts, s->ev[0]->rows.limit[c], s->h, p);
        const carom_block block = {.dim = facts->n_slip,
                                   .is_bilateral = true,
                                   .is_limited = true,
                                   .radius = radius > 0 ? radius : 0,
                                   .id = c};
        add_block(&g->rows, block, CAROM_LEVEL_FORCE, facts->row + 1);
    }
}

// rolling and spinning friction of a contact that is closed: on its level
static void follow_contact(const carom_step *s, carom_gen_alpha *g,
                           const carom_contact_facts *contact)
{
    carom_problem *p = &g->rows.problem;
    const int normal = p->block[p->n_block - 1].first;
    for (int c = contact->disc; c < contact->disc + contact->n_disc; c++) {
        const carom_contact_facts *facts = carom_plan_contact(s->plan, c);
        const carom_block block = {.dim = facts->n_slip,
                                   .is_bilateral = true,
                                   .is_limited = true,
                                   .mu = s->ev[0]->rows.limit[c],
                                   .id = c,
                                   .of = p->n_row - normal};
        add_block(&g->rows, block, CAROM_LEVEL_VELOCITY, facts->row + 1);
    }
}

// what they may bear stands on their normal rows
static void tell_discs(const carom_step *s, carom_gen_alpha *g)
{
    const carom_problem *problem = &g->rows.problem;
    for (int k = 0; k < problem->n_block; k++) {
        const carom_block *block = &problem->block[k];
        if (!block->is_limited) continue;
        const int level = block->of > 0 ? CAROM_LEVEL_VELOCITY : CAROM_LEVEL_FORCE;
        g->p[level][carom_plan_contact(s->plan, block->id)->row] =
            carom_disc_reach(block, g->rows.p);
    }
}

// constraints on all levels (on velocity level only where something else can make v jump), near
// contacts on position level, closed ones on velocity level
void carom_gen_alpha_rows_choose(const carom_step *s)
{
    carom_gen_alpha *g = s->self;
    carom_gen_alpha_rows *rows = &g->rows;
    rows->problem.n_row = rows->problem.n_block = 0;
    for (int level = 0; level < CAROM_N_LEVEL; level++) {
        const bool is_needed = level == CAROM_LEVEL_POSITION   ? g->on_position
                               : level == CAROM_LEVEL_VELOCITY ? g->has_near
                                                               : true;
        for (int k = 0; k < s->size.n_constraint && is_needed; k++)
            if (level != CAROM_LEVEL_POSITION || !carom_model_is_rate(s->model, k))
                add_block(rows, (carom_block){.dim = 1, .is_bilateral = true, .id = k}, level, k);
    }
    if (s->size.n_disc > 0) choose_discs(s, g);
    for (int c = 0; c < s->size.n_contact - s->size.n_disc; c++) {
        const carom_contact_facts *facts = carom_plan_contact(s->plan, c);
        if (g->is_near[c] && g->on_position)
            add_block(rows, (carom_block){.dim = 1, .id = c}, CAROM_LEVEL_POSITION, facts->row);
        const int dim = carom_law_is_rough(facts) ? 1 + facts->n_slip : 1;
        if (!g->is_closed[c]) continue;
        add_block(rows, (carom_block){.dim = dim, .mu = carom_law_friction(facts), .id = c},
                  CAROM_LEVEL_VELOCITY, facts->row);
        follow_contact(s, g, facts);
    }
    rows->problem.G.n = rows->problem.n_row;
}

// W times the dq, dv~ or dv of dx that belong to row r
static double moved_by(const carom_step *s, const carom_gen_alpha *g, const carom_sparse *W, int r,
                       int level, const double *dx)
{
    const int n = s->size.nu;
    const double *change = dx, *shift = dx + n, *jump = dx + 2 * n;
    double sum = 0;
    for (int k = W->start[r]; k < W->start[r + 1]; k++) {
        const int i = W->index[k];
        if (level == CAROM_LEVEL_POSITION)
            sum += W->value[k] * (s->h * (g->weights.beta * change[i] + shift[i]));
        else if (level == CAROM_LEVEL_FORCE)
            sum += W->value[k] * (g->weights.gamma * change[i]);
        else
            sum += W->value[k] * (g->weights.gamma * change[i] + jump[i]);
    }
    return sum;
}

// row i of C times dx
static double rate_of(const carom_step *s, const carom_gen_alpha *g, int i, const double *dx)
{
    const int r = g->rows.row[i], level = g->rows.level[i];
    const double along = moved_by(s, g, &s->ev[0]->rows.W, r, level, dx);
    if (level == CAROM_LEVEL_POSITION) return along / s->h;
    if (!g->matrix.has_rates) return along;
    const carom_eval *ev = s->ev[level == CAROM_LEVEL_FORCE ? 1 : 0];
    return moved_by(s, g, &ev->derivatives.dgamma_dq, r, CAROM_LEVEL_POSITION, dx) + along;
}

// what the law of row i of a block sees at the present x
static double value_of(const carom_step *s, const carom_gen_alpha *g, const carom_block *block,
                       int i)
{
    const int r = g->rows.row[i];
    const carom_eval *ev = s->ev[0];
    if (g->rows.level[i] == CAROM_LEVEL_POSITION)
        return (block->is_bilateral ? ev->gaps.constraint[r] : ev->gaps.value[block->id]) / s->h;
    if (g->rows.level[i] == CAROM_LEVEL_FORCE)
        return carom_sparse_row_times(&ev->rows.W, r, g->v_smooth) + ev->rows.w0[r];
    const carom_contact_facts *facts =
        block->is_bilateral ? NULL : carom_plan_contact(s->plan, block->id);
    const double factor = facts ? carom_law_factor(facts, i - block->first) : 0;
    const double after = carom_sparse_row_times(&ev->rows.W, r, g->v) + ev->rows.w0[r];
    return carom_law_excess(factor, g->gamma_minus[r], after);
}

// column j of B into unknown and push; returns the number of its entries
static int list_push(const carom_step *s, const carom_gen_alpha *g, int j)
{
    const carom_gen_alpha_rows *rows = &g->rows;
    const carom_sparse *W = &s->ev[0]->rows.W;
    const int n = s->size.nu, r = rows->row[j];
    const bool moves_too = rows->is_tangent[j] && g->on_position;
    int n_push = 0;
    for (int k = W->start[r]; k < W->start[r + 1]; k++) {
        rows->unknown[n_push] = rows->level[j] * n + W->index[k];
        rows->push[n_push++] = W->value[k];
        if (!moves_too) continue;
        rows->unknown[n_push] = n + W->index[k];
        rows->push[n_push++] = 0.5 * W->value[k];
    }
    return n_push;
}

// column j of J^-1 B: as it was last time, or in dx
static const double *solve_column(const carom_step *s, carom_gen_alpha *g, int j)
{
    const carom_gen_alpha_rows *rows = &g->rows;
    const int n_push = list_push(s, g, j);
    carom_recall *recall = g->matrix.recall;
    const double *known = carom_recall_find(recall, n_push, rows->unknown, rows->push);
    if (known) return known;
    memset(g->dx, 0, sizeof(double) * 3 * (size_t)s->size.nu);
    for (int k = 0; k < n_push; k++) g->dx[rows->unknown[k]] += rows->push[k];
    carom_gen_alpha_solve_held(s, g->dx);
    carom_recall_keep(recall, n_push, rows->unknown, rows->push, g->dx);
    return g->dx;
}

static void build_dense(const carom_step *s, carom_gen_alpha *g)
{
    carom_gen_alpha_rows *rows = &g->rows;
    const int n = rows->problem.n_row;
    rows->problem.G.dense = rows->dense;
    for (int j = 0; j < n; j++) {
        const double *column = solve_column(s, g, j);
        for (int i = 0; i < n; i++)
            rows->dense[(size_t)j * (size_t)n + (size_t)i] = rate_of(s, g, i, column);
    }
}

// for each coordinate the rows of the problem whose rates depend on it, ascending
static bool link_rows(const carom_step *s, carom_gen_alpha *g)
{
    carom_gen_alpha_rows *rows = &g->rows;
    carom_links_clear(&rows->links);
    for (int i = rows->problem.n_row - 1; i >= 0; i--) {
        const bool on_position = rows->level[i] == CAROM_LEVEL_POSITION;
        if (!carom_links_add(&rows->links, i, &s->ev[0]->rows.W, rows->row[i]) ||
            (!on_position &&
             !carom_links_add(&rows->links, i, &s->ev[0]->derivatives.dgamma_dq, rows->row[i])))
            return false;
    }
    return true;
}

// dx := J^-1 (column j of B), where it is not 0; returns the number of coordinates in touched
static int reach_column(const carom_step *s, const carom_gen_alpha *g, int j)
{
    const carom_gen_alpha_rows *rows = &g->rows;
    const int n_push = list_push(s, g, j);
    const int n_touched = carom_linear_solve_sparse(g->matrix.whole, n_push, rows->unknown,
                                                    rows->push, g->dx, rows->touched);
    for (int k = 0; k < n_touched; k++) rows->touched[k] %= s->size.nu;
    return n_touched;
}

// leaves dx zero
static void forget_column(const carom_step *s, const carom_gen_alpha *g, int n_touched)
{
    const int n = s->size.nu;
    for (int k = 0; k < n_touched; k++) {
        const int i = g->rows.touched[k];
        g->dx[i] = g->dx[n + i] = g->dx[2 * n + i] = 0;
    }
}

static bool build_sparse(const carom_step *s, carom_gen_alpha *g)
{
    carom_gen_alpha_rows *rows = &g->rows;
    carom_columns *entry = &rows->entry;
    rows->problem.G.dense = NULL;
    if (!link_rows(s, g)) return false;
    memset(g->dx, 0, sizeof(double) * 3 * (size_t)s->size.nu);
    for (int j = 0; j < rows->problem.n_row; j++) {
        const int n_touched = reach_column(s, g, j);
        if (!carom_links_collect(&rows->links, &rows->entry, j, n_touched, rows->touched))
            return false;
        for (int k = entry->start[j]; k < entry->start[j + 1]; k++)
            entry->value[k] = rate_of(s, g, entry->index[k], g->dx);
        forget_column(s, g, n_touched);
    }
    return carom_columns_turn_to_rows(entry, &rows->problem.G, &rows->room_sparse);
}

// b: the laws' values after the free part of the step
static void fill_b(const carom_step *s, carom_gen_alpha *g)
{
    carom_problem *p = &g->rows.problem;
    for (int i = 0; i < 3 * s->size.nu; i++) g->free[i] = -g->residual[i];
    carom_gen_alpha_solve_held(s, g->free);
    for (int k = 0; k < p->n_block; k++)
        for (int i = p->block[k].first; i < p->block[k].first + p->block[k].dim; i++)
            p->b[i] = value_of(s, g, &p->block[k], i) + rate_of(s, g, i, g->free);
}

static void report_solve(carom_step *s, const carom_gen_alpha *g, const carom_contact_info *info)
{
    s->report.is_converged &= info->is_converged;
    s->report.iterations += info->iterations;
    s->report.residual = info->residual;
    if (info->residual > s->residual_seen) {
        const int worst = carom_contact_worst_row(&g->rows.problem, g->rows.p);
        s->report.residual_row = worst < 0 ? -1 : g->rows.row[worst];
    }
    s->report.cone = carom_contact_cone_violation(&g->rows.problem, g->rows.p);
}

carom_status carom_gen_alpha_rows_solve(carom_step *s)
{
    carom_gen_alpha *g = s->self;
    carom_gen_alpha_rows *rows = &g->rows;
    carom_problem *p = &rows->problem;
    fill_b(s, g);
    if (p->n_row <= CAROM_PROBLEM_DENSE)
        build_dense(s, g);
    else if (!build_sparse(s, g))
        return carom_columns_fail(&rows->entry, s->error);
    for (int i = 0; i < p->n_row; i++) rows->p[i] = g->p[rows->level[i]][rows->row[i]];
    for (int k = 0; k < CAROM_N_LEVEL; k++)
        memset(g->p[k], 0, sizeof(double) * (size_t)s->size.n_row);
    carom_dynamics_clear_report(s);
    if (p->n_row == 0) return CAROM_OK;
    carom_contact_info info;
    CAROM_TRY(carom_contact_solve(rows->solver, p, rows->p, &info, s->error));
    for (int i = 0; i < p->n_row; i++) g->p[rows->level[i]][rows->row[i]] = rows->p[i];
    if (s->size.n_disc > 0) tell_discs(s, g);
    carom_problem_rates(p, rows->p, rows->xi);
    report_solve(s, g, &info);
    s->report.is_ambiguous |= info.is_converged && carom_contact_has_other(p, rows->p);
    return CAROM_OK;
}

// dx := free + J^-1 B p from columns that are known; false where one is not
static bool move_by_columns(const carom_step *s, carom_gen_alpha *g)
{
    const carom_gen_alpha_rows *rows = &g->rows;
    const int n = 3 * s->size.nu;
    memcpy(g->dx, g->free, sizeof(double) * (size_t)n);
    for (int j = 0; j < rows->problem.n_row; j++) {
        const double p = rows->p[j];
        if (p == 0) continue;
        const int n_push = list_push(s, g, j);
        const double *column =
            carom_recall_find(g->matrix.recall, n_push, rows->unknown, rows->push);
        if (!column) return false;
        for (int i = 0; i < n; i++) g->dx[i] += p * column[i];
    }
    return true;
}

void carom_gen_alpha_rows_move(const carom_step *s)
{
    carom_gen_alpha *g = s->self;
    const carom_gen_alpha_rows *rows = &g->rows;
    if (move_by_columns(s, g)) return;
    for (int i = 0; i < 3 * s->size.nu; i++) g->dx[i] = -g->residual[i];
    for (int j = 0; j < rows->problem.n_row; j++)
        for (int k = list_push(s, g, j) - 1; k >= 0; k--)
            g->dx[rows->unknown[k]] += rows->p[j] * rows->push[k];
    carom_gen_alpha_solve_held(s, g->dx);
}

// by how much a gap, as a rate, can be wrong through rounding [m/s]: the step moved it from one
// place to another, and where the second is 0 the first still says how exactly it is known
static double rounding_of(const carom_step *s, const carom_state *now, int r)
{
    const carom_gen_alpha *g = s->self;
    const carom_sparse *W = &s->ev[0]->rows.W;
    const bool is_direct = s->model->n_plain >= 0;
    const double widest = is_direct ? 0
                                    : carom_larger(carom_vector_largest(now->q, s->size.nq),
                                                   carom_vector_largest(g->q, s->size.nq));
    double sum = fabs(s->ev[0]->rows.w0[r]);
    for (int k = W->start[r]; k < W->start[r + 1]; k++) {
        const int i = W->index[k];
        const double place = is_direct ? carom_larger(fabs(now->q[i]), fabs(g->q[i])) : widest;
        sum += fabs(W->value[k]) * (place / s->h + fabs(now->u[i]) + fabs(g->v[i]));
    }
    return 64 * DBL_EPSILON * sum;
}

bool carom_gen_alpha_choose_closed(carom_step *s, const carom_state *now, bool may_leave)
{
    carom_gen_alpha *g = s->self;
    const carom_problem *p = &g->rows.problem;
    bool is_changed = false;
    for (int k = 0; k < p->n_block; k++) {
        const carom_block *block = &p->block[k];
        const int i = block->first;
        if (block->is_bilateral || g->rows.level[i] != CAROM_LEVEL_POSITION) continue;
        const double push = carom_matrix_at(&p->G, i, i) * g->rows.p[i];
        const bool is_closed = push + rounding_of(s, now, g->rows.row[i]) >= g->rows.xi[i] ||
                               (g->is_closed[block->id] && !may_leave);
        is_changed |= is_closed != g->is_closed[block->id];
        g->is_closed[block->id] = is_closed;
    }
    return is_changed;
}
