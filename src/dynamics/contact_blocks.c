// SPDX-License-Identifier: Apache-2.0
// One contact problem of a step: choose rows, build, solve, apply, and report. In this order:
//
//     1. rows of the active contacts and of all constraints     (assembly.c; compact.c for few
//        coordinates; columns.c for many rows)
//     2. G, b and a guess go to the contact solver              ->  P
//     3. contact/solve.c computes the residual from (G, b, P): the solver is not believed
//     4. u := u + M^-1 W_push' P
//     5. losses -P.(gamma+ + gamma-)/2 by contact, and the rates before and after, go to the report
#include "base/need.h"
#include "contact/problem/problem.h"
#include "contact/problem/unique.h"
#include "contact/solver.h"
#include "dynamics/compact.h"
#include "dynamics/discs.h"
#include "dynamics/factored.h"
#include "math/vector.h"
#include "model/model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool take_memory(carom_contacts *c)
{
    carom_arena *arena = c->arena;
    const int n = c->size.nu + c->size.n_constraint, rows = c->size.n_row;
    const size_t dense = (size_t)(rows < CAROM_PROBLEM_DENSE ? rows : CAROM_PROBLEM_DENSE);
    carom_problem *p = &c->problem;
    p->block = CAROM_TAKE(arena, carom_block, c->size.n_constraint + c->size.n_contact);
    p->b = CAROM_TAKE(arena, double, rows);
    c->chosen = CAROM_TAKE(arena, unsigned char, c->size.n_contact);
    c->start = p->G.start = CAROM_TAKE(arena, int, rows + 1);
    c->dense = CAROM_TAKE(arena, double, (int)(dense * dense));
    c->row = CAROM_TAKE(arena, int, rows);
    c->whole = CAROM_TAKE(arena, int, rows);
    c->law = CAROM_TAKE(arena, double, rows);
    c->P = CAROM_TAKE(arena, double, rows);
    c->gamma_minus = CAROM_TAKE(arena, double, rows);
    c->x = CAROM_TAKE(arena, double, n);
    c->touched = CAROM_TAKE(arena, int, n);
    c->column.start = CAROM_TAKE(arena, int, rows + 1);
    c->entry.start = CAROM_TAKE(arena, int, rows + 1);
    c->links.n = n;
    c->links.first = CAROM_TAKE(arena, int, n);
    c->links.is_in = CAROM_TAKE(arena, unsigned char, rows);
    // small systems get all the room they can ever need, large ones grow to what they use
    const double most = (double)c->size.nu * rows;
    c->column.room = most < 1e6 ? (int)most : 0;
    c->column.index = malloc(sizeof(int) * (size_t)(c->column.room + 1));
    c->column.value = malloc(sizeof(double) * (size_t)(c->column.room + 1));
    return p->block && p->b && c->chosen && p->G.start && c->dense && c->row && c->whole &&
           c->law && c->P && c->gamma_minus && c->x && c->touched && c->column.start &&
           c->entry.start && c->links.first && c->links.is_in && c->column.index && c->column.value;
}

// so that the problems made here need no check: all else about their blocks is right by the making
static carom_status check_friction(const carom_model *model, carom_error *error)
{
    for (int i = 0; i < model->size.n_contact; i++)
        if (!(model->contact[i].mu >= 0 && model->contact[i].mu <= 1e100))
            return carom_fail(error, CAROM_BAD_INPUT,
                              "friction %g of contact '%s' must be 0 or more and finite",
                              model->contact[i].mu, model->contact[i].name);
    return CAROM_OK;
}

static carom_status check_discs(const carom_contacts *c, carom_error *error)
{
    const carom_solver_facts *facts = carom_contact_solver_facts(c->solver);
    for (int i = c->size.n_contact - c->size.n_disc; i < c->size.n_contact; i++) {
        if (c->facts[i].of > 0 ? facts->takes_loaded : facts->takes_discs) continue;
        return carom_fail(
            error, CAROM_BAD_INPUT,
            "solver %s takes no %s such as '%s' (use another solver, e.g. auto)", facts->name,
            c->facts[i].of > 0 ? "rolling and spinning friction" : "forces of limited strength",
            c->facts[i].name);
    }
    return CAROM_OK;
}

carom_status carom_contacts_new(const carom_model *model, const char *solver,
                                const carom_setting *setting, int n_setting,
                                carom_contacts **contacts, carom_error *error)
{
    carom_contacts *c = calloc(1, sizeof *c);
    *contacts = NULL;
    if (!c) return carom_fail(error, CAROM_NO_MEMORY, "not enough memory for the contacts");
    c->model = model;
    c->facts = model->contact;
    c->size = carom_model_sizes(model);
    c->arena = carom_arena_new();
    carom_status status = CAROM_OK;
    if (!c->arena || !take_memory(c))
        status = carom_fail(error, CAROM_NO_MEMORY, "not enough memory for the contacts");
    if (status == CAROM_OK) status = check_friction(model, error);
    if (status == CAROM_OK)
        status = carom_contact_solver_new(solver ? solver : "auto", setting, n_setting,
                                          c->size.n_row, &c->solver, error);
    if (status == CAROM_OK) status = check_discs(c, error);
    if (status == CAROM_OK)
        *contacts = c;
    else
        carom_contacts_free(c);
    return status;
}

void carom_contacts_follow(carom_contacts *contacts, const carom_plan *plan)
{
    contacts->facts = plan->contact;
    contacts->choice = CAROM_NOT_CHOSEN;
}

void carom_contacts_limit(carom_contacts *contacts, double bytes)
{
    contacts->column.bytes = contacts->entry.bytes = bytes;
    carom_contact_solver_bodies(contacts->solver)->lu.most = bytes;
}

carom_contact_solver *carom_contacts_solver(carom_contacts *contacts)
{
    return contacts->solver;
}

void carom_contacts_free(carom_contacts *c)
{
    if (!c) return;
    carom_contact_solver_free(c->solver);
    carom_arena_free(c->arena);
    free(c->column.index);
    free(c->column.value);
    free(c->entry.index);
    free(c->entry.value);
    free(c->entry.place);
    free(c->problem.G.index);
    free(c->problem.G.value);
    carom_factors_free(&c->factors);
    free(c->links.next);
    free(c->links.row);
    free(c);
}

void carom_dynamics_free_velocity(const carom_eval *eval, const double *u, double h, double *u_out)
{
    if (!eval || !u || !u_out) return;
    const int n = eval->model->size.nu;
    carom_vector_copy(n, eval->f, u_out);
    carom_mass_solve(eval->mass, u_out);
    carom_model_freed(eval->model, u, u_out, h, u_out);
}

void carom_dynamics_clear_report(carom_step *s)
{
    if (!s) return;
    const size_t rows = sizeof(double) * (size_t)s->size.n_row;
    carom_step_report *r = &s->report;
    r->is_converged = true;
    r->is_ambiguous = false;
    r->residual = r->cone = r->impact_loss = r->friction_loss = r->obstacle_work = 0;
    memset(r->rate_before, 0, rows);
    memset(r->rate_after, 0, rows);
}

void carom_dynamics_rates(const carom_eval *eval, const double *u, double *gamma)
{
    if (!eval || !u || !gamma) return;
    const carom_sparse *W = &eval->rows.W;
    for (int r = 0; r < W->n_row; r++) {
        double sum = eval->rows.w0[r];
        for (int k = W->start[r]; k < W->start[r + 1]; k++) sum += W->value[k] * u[W->index[k]];
        gamma[r] = sum;
    }
}

void carom_dynamics_push(const carom_eval *eval, const double *P, double *f_out)
{
    if (!eval || !P || !f_out) return;
    const carom_sparse *W = &eval->rows.W;
    for (int r = 0; r < W->n_row; r++)
        for (int k = W->start[r]; P[r] != 0 && k < W->start[r + 1]; k++)
            f_out[W->index[k]] += W->value[k] * P[r];
}

// u += M^-1 W' P
static void apply_impulses(const carom_contacts *c, double *u)
{
    const carom_columns *column = &c->column;
    for (int j = 0; j < c->problem.n_row; j++) {
        const double p = c->P[j];
        const int end = p != 0 ? column->start[j + 1] : 0;
        for (int k = column->start[j]; k < end; k++) u[column->index[k]] += column->value[k] * p;
    }
}

static void report_solve(const carom_contacts *c, const carom_contact_info *info, double seen,
                         carom_step_report *r)
{
    if (info->residual > seen && info->residual > r->residual) {
        const int worst = carom_contact_worst_row(&c->problem, c->P);
        r->residual_row = worst < 0 ? -1 : c->row[worst];
    }
    r->is_converged &= info->is_converged;
    r->iterations += info->iterations;
    r->residual = carom_vector_larger(r->residual, info->residual);
    r->cone = carom_vector_larger(r->cone, carom_problem_cone(&c->problem, c->P));
}

static void report_rates(const carom_contacts *c, const carom_contact_terms *terms, const double *u,
                         carom_step_report *r)
{
    const carom_eval *rate = terms->rate, *push = terms->push ? terms->push : rate;
    for (int k = 0; k < c->problem.n_block; k++) {
        const carom_block *block = &c->problem.block[k];
        for (int i = block->first; i < block->first + block->dim; i++) {
            const int row = c->row[i];
            double after = rate->rows.w0[row];
            for (int e = rate->rows.W.start[row]; e < rate->rows.W.start[row + 1]; e++)
                after += rate->rows.W.value[e] * u[rate->rows.W.index[e]];
            r->rate_before[row] = c->gamma_minus[i];
            r->rate_after[row] = after;
            r->obstacle_work -= c->P[i] * push->rows.w0[row];
            const bool is_firm = block->is_bilateral && !block->is_limited;
            const double lost = is_firm ? 0 : -0.5 * c->P[i] * (after + c->gamma_minus[i]);
            const bool is_normal = i == block->first && !block->is_limited;
            *(is_normal ? &r->impact_loss : &r->friction_loss) += lost;
        }
    }
}

void carom_contacts_note_ambiguity(carom_step *s)
{
    const carom_contacts *c = s->contacts;
    s->report.is_ambiguous |= carom_contact_has_other(&c->problem, c->P);
}

carom_status carom_contacts_solve(carom_step *s, double *P)
{
    carom_contacts *c = s->contacts;
    carom_contact_info info;
    const int n = c->problem.n_row, *row = c->row;
    double *own = c->P;
    CAROM_EACH_SHORT(i, n, own[i] = P[row[i]])
    carom_vector_clear(c->size.n_row, P);
    if (n == 0) return CAROM_OK;
    CAROM_TRY(carom_contact_solve_formed(c->solver, &c->problem, own, &info, s->error));
    CAROM_EACH_SHORT(i, n, P[row[i]] = own[i])
    report_solve(c, &info, s->residual_seen, &s->report);
    if (info.is_converged) carom_contacts_note_ambiguity(s);
    return CAROM_OK;
}

void carom_contacts_set_free(carom_contacts *c, double *P)
{
    carom_vector_clear(c->problem.n_row, c->P);
    carom_vector_clear(c->size.n_row, P);
}

carom_status carom_contacts_solve_velocity(carom_step *s, const carom_contact_terms *terms,
                                           double *P, double *u)
{
    carom_contacts *c = s->contacts;
    const bool has_discs = c->size.n_disc > 0;
    carom_contacts_rates(c, terms, u);
    CAROM_TRY(carom_contacts_check(c, s->error));
    if (has_discs) CAROM_TRY(carom_discs_begin(s, terms, P));
    if (carom_contact_is_idle(c->solver, &c->problem)) {
        carom_contacts_set_free(c, P);
        // a body that leaves may just as well be jammed
        if (c->problem.n_row <= CAROM_UNIQUE_ROWS && carom_problem_has_friction(&c->problem)) {
            CAROM_TRY(carom_contacts_build(c, terms, s->error));
            carom_contacts_note_ambiguity(s);
        }
    } else {
        CAROM_TRY(carom_contacts_build(c, terms, s->error));
        CAROM_TRY(carom_contacts_solve(s, P));
        if (has_discs) CAROM_TRY(carom_discs_settle(s, terms, P));
        apply_impulses(c, u);
    }
    if (has_discs) carom_discs_tell(c, P);
    report_rates(c, terms, u, &s->report);
    carom_contacts_report_end(c, terms, &s->report);
    return CAROM_OK;
}

// what a scheme may have left out
static inline carom_status check_call(const carom_step *s, const carom_contact_terms *terms,
                                      const char *function)
{
    if (s && terms && terms->rate && (terms->is_active || s->size.n_contact == 0)) return CAROM_OK;
    if (!s) return CAROM_BUG;
    return carom_misuse(s->error, function, "%s is NULL",
                        !terms         ? "terms"
                        : !terms->rate ? "terms->rate"
                                       : "terms->is_active");
}

carom_status carom_dynamics_contact(carom_step *s, const carom_contact_terms *terms, double *P,
                                    double *u)
{
    CAROM_TRY(check_call(s, terms, __func__));
    CAROM_NEED(s->error, P);
    CAROM_NEED(s->error, u);
    carom_contacts *c = s->contacts;
    carom_contacts_choose(c, terms, NULL, CAROM_WITH_FRICTION);
    if (carom_compact_takes(c)) return carom_compact_contact(s, terms, P, u);
    return carom_contacts_solve_velocity(s, terms, P, u);
}

carom_status carom_dynamics_correct(carom_step *s, const carom_contact_terms *terms,
                                    const double *offset, double *l, double *q)
{
    CAROM_TRY(check_call(s, terms, __func__));
    CAROM_NEED(s->error, offset);
    CAROM_NEED(s->error, l);
    CAROM_NEED(s->error, q);
    carom_contacts *c = s->contacts;
    carom_contacts_choose(c, terms, terms->is_equality,
                          terms->on_positions ? CAROM_POSITIONS : CAROM_WITHOUT_FRICTION);
    for (int i = 0; i < c->problem.n_row; i++) c->problem.b[i] = offset[c->row[i]];
    CAROM_TRY(carom_contacts_check(c, s->error));
    if (carom_compact_takes(c)) return carom_compact_correct(s, terms, l, q);
    if (terms->position)
        carom_contacts_forget_rounding(c, &terms->rate->rows.W, terms->position, NULL);
    CAROM_TRY(carom_contacts_build(c, terms, s->error));
    CAROM_TRY(carom_contacts_solve(s, l));
    apply_impulses(c, q);
    return CAROM_OK;
}
