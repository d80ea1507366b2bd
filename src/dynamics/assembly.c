// SPDX-License-Identifier: Apache-2.0
// Building a contact problem from a model's answers, xi = G P + b on the chosen rows:
//
//     G = W_rate M^-1 W_push'
//     b = W_rate u_free + w0 + e gamma_minus
//
// W_rate are the rows in which the law is asked, W_push those along which impulses push;
// they and the mass may come from different points. G is dense for few rows; for many it is
// collected through the coordinates that rows share, so that the cost follows the number of
// entries that are not zero.
#include "dynamics/assembly.h"

#include "contact/problem/problem.h"
#include "contact/solver.h"
#include "dynamics/discs.h"
#include "dynamics/factored.h"
#include "dynamics/law.h"
#include "math/blockmass.h"
#include "math/linear.h"
#include "math/vector.h"
#include "model/laws/coefficients.h"
#include "model/model.h"

#include <float.h>
#include <math.h>
#include <string.h>

// whether the rows of the last problem will do; if not, what is asked for is noted for next time
static bool is_chosen(carom_contacts *c, const unsigned char *is_active, bool is_plain,
                      carom_choice choice)
{
    const size_t n = (size_t)c->size.n_contact;
    if (is_plain && c->choice == choice && memcmp(c->chosen, is_active, n) == 0) return true;
    memcpy(c->chosen, is_active, n);
    // e and mu that are expressions are others each time
    c->choice = is_plain && !carom_coefficients_vary(c->model) ? choice : CAROM_NOT_CHOSEN;
    return false;
}

void carom_contacts_add_row(carom_contacts *c, int r, double factor)
{
    const carom_pattern *W = &c->model->layout.W;
    const int i = c->problem.n_row++, first = c->model->rows_change_pattern ? 0 : W->start[r];
    bool is_whole = !c->model->rows_change_pattern && W->start[r + 1] - first == c->size.nu;
    for (int d = 0; d < c->size.nu && is_whole; d++) is_whole = W->index[first + d] == d;
    c->row[i] = r;
    c->whole[i] = is_whole ? first : -1;
    c->law[i] = factor;
}

void carom_contacts_choose(carom_contacts *c, const carom_contact_terms *terms,
                           const unsigned char *is_equality, carom_choice choice)
{
    const unsigned char *is_active = terms->is_active, *rests = terms->rests;
    if (is_chosen(c, is_active, !is_equality && !rests, choice)) return;
    carom_problem *p = &c->problem;
    c->is_mapped = false;
    p->n_row = p->n_block = 0;
    const bool on_positions = choice == CAROM_POSITIONS;
    for (int k = 0; k < c->size.n_constraint && choice != CAROM_ONLY_CONTACTS; k++) {
        if (on_positions && carom_model_is_rate(c->model, k)) continue;
        p->block[p->n_block++] =
            (carom_block){.first = p->n_row, .dim = 1, .is_bilateral = true, .id = k};
        carom_contacts_add_row(c, k, 0);
    }
    const bool with_friction = choice != CAROM_WITHOUT_FRICTION && !on_positions;
    for (int i = 0; i < c->size.n_contact - c->size.n_disc; i++) {
        if (!is_active[i]) continue;
        const carom_contact_facts *facts = &c->facts[i];
        const bool is_held = is_equality && is_equality[i];
        const bool has_no_law = is_held || (rests && rests[i]);
        const int dim = with_friction && carom_law_is_rough(facts) ? 1 + facts->n_slip : 1;
        p->block[p->n_block++] = (carom_block){.first = p->n_row,
                                               .dim = dim,
                                               .is_bilateral = is_held,
                                               .mu = carom_law_friction(facts),
                                               .id = i};
        for (int d = 0; d < dim; d++)
            carom_contacts_add_row(c, facts->row + d, has_no_law ? 0 : carom_law_factor(facts, d));
        if (facts->n_disc > 0 && with_friction && !is_held) carom_discs_follow(c, facts);
    }
    if (with_friction) carom_discs_choose(c);
    p->G.n = p->n_row;
}

// x := M^-1 w for row r of push; returns how many entries of x were touched
static int solve_row(carom_contacts *c, const carom_contact_terms *terms, const carom_sparse *W,
                     int r)
{
    const int n_entry = W->start[r + 1] - W->start[r];
    if (terms->is_identity) {
        memcpy(c->touched, W->index + W->start[r], sizeof(int) * (size_t)n_entry);
        for (int k = W->start[r]; k < W->start[r + 1]; k++) c->x[W->index[k]] = W->value[k];
        return n_entry;
    }
    if (!terms->metric) {
        const carom_eval *mass = terms->mass ? terms->mass : terms->rate;
        return carom_mass_solve_sparse(mass->mass, n_entry, W->index + W->start[r],
                                       W->value + W->start[r], c->x, c->touched);
    }
    return carom_linear_solve_sparse(terms->metric, n_entry, W->index + W->start[r],
                                     W->value + W->start[r], c->x, c->touched);
}

// moves x into column j, leaving x zero
static bool keep_column(carom_contacts *c, int j, int n_touched)
{
    carom_columns *column = &c->column;
    const int first = column->start[j];
    if (!carom_columns_reserve(column, first + n_touched)) return false;
    for (int k = 0; k < n_touched; k++) {
        const int i = c->touched[k];
        column->index[first + k] = i;
        column->value[first + k] = c->x[i];
        c->x[i] = 0;
    }
    column->start[j + 1] = first + n_touched;
    return true;
}

static bool build_dense(carom_contacts *c, const carom_contact_terms *terms)
{
    const carom_sparse *rate = &terms->rate->rows.W,
                       *push = terms->push ? &terms->push->rows.W : rate;
    const int n = c->problem.n_row;
    const bool is_symmetric = push == rate && !terms->metric; // masses are
    double *G = c->problem.G.dense = c->dense;
    for (int j = 0; j < n; j++) {
        const int n_touched = solve_row(c, terms, push, c->row[j]);
        for (int i = is_symmetric ? j : 0; i < n; i++)
            G[j * n + i] = carom_sparse_row_times(rate, c->row[i], c->x);
        for (int i = 0; i < j && is_symmetric; i++) G[j * n + i] = G[i * n + j];
        if (!keep_column(c, j, n_touched)) return false;
    }
    return true;
}

// for each coordinate the rows of the problem that contain it, ascending
static bool link_rows(carom_contacts *c, const carom_sparse *W)
{
    carom_links_clear(&c->links);
    for (int i = c->problem.n_row - 1; i >= 0; i--)
        if (!carom_links_add(&c->links, i, W, c->row[i])) return false;
    return true;
}

// column j of G into c->entry: every row that shares a touched coordinate, and the diagonal
static bool collect_column(carom_contacts *c, const carom_sparse *rate, int j, int n_touched)
{
    const carom_columns *entry = &c->entry;
    if (!carom_links_collect(&c->links, &c->entry, j, n_touched, c->touched)) return false;
    for (int k = entry->start[j]; k < entry->start[j + 1]; k++)
        entry->value[k] = carom_sparse_row_times(rate, c->row[entry->index[k]], c->x);
    return true;
}

// the same rows as last time, with the mass: only numbers are new
static void refill_numbers(carom_contacts *c, const carom_contact_terms *terms,
                           const carom_sparse *rate, const carom_sparse *push)
{
    const carom_columns *entry = &c->entry, *column = &c->column;
    double *x = c->x, *G = c->problem.G.value;
    for (int j = 0; j < c->problem.n_row; j++) {
        solve_row(c, terms, push, c->row[j]);
        for (int k = entry->start[j], end = entry->start[j + 1]; k < end; k++)
            G[entry->place[k]] = carom_sparse_row_times(rate, c->row[entry->index[k]], x);
        for (int k = column->start[j], end = column->start[j + 1]; k < end; k++) {
            column->value[k] = x[column->index[k]];
            x[column->index[k]] = 0;
        }
    }
}

// G as factors where the solver works with bodies; false where it cannot be
static bool build_factors(carom_contacts *c, const carom_contact_terms *terms)
{
    const carom_sparse *rate = &terms->rate->rows.W;
    const bool is_symmetric = !terms->metric && (!terms->push || terms->push == terms->rate);
    if (!is_symmetric || !carom_contact_takes_factors(c->solver, c->problem.n_row) ||
        !carom_problem_has_friction(&c->problem) || !carom_factors_take(c, terms))
        return false;
    for (int j = 0; j < c->problem.n_row; j++)
        if (!keep_column(c, j, solve_row(c, terms, rate, c->row[j]))) return false;
    c->is_mapped = false;
    c->problem.G.dense = NULL;
    c->problem.G.start = NULL;
    c->problem.G.factors = &c->factors;
    return true;
}

static bool build_sparse(carom_contacts *c, const carom_contact_terms *terms)
{
    const carom_sparse *rate = &terms->rate->rows.W,
                       *push = terms->push ? &terms->push->rows.W : rate;
    const bool has_mass = !terms->metric && !terms->is_identity && !c->model->rows_change_pattern;
    c->problem.G.dense = NULL;
    c->problem.G.start = c->start;
    if (has_mass && c->is_mapped) {
        refill_numbers(c, terms, rate, push);
        return true;
    }
    c->is_mapped = false;
    if (!link_rows(c, rate)) return false;
    for (int j = 0; j < c->problem.n_row; j++) {
        const int n_touched = solve_row(c, terms, push, c->row[j]);
        if (!collect_column(c, rate, j, n_touched) || !keep_column(c, j, n_touched)) return false;
    }
    const bool is_turned = carom_columns_turn_to_rows(&c->entry, &c->problem.G, &c->room_sparse);
    c->is_mapped = has_mass && is_turned;
    return is_turned;
}

void carom_contacts_forget_rounding(carom_contacts *c, const carom_sparse *W, const double *x,
                                    const double *more)
{
    if (c->problem.n_row <= CAROM_PROBLEM_DENSE) return;
    for (int i = 0; i < c->problem.n_row; i++) {
        double size = more ? fabs(more[i]) : 0;
        for (int k = W->start[c->row[i]]; k < W->start[c->row[i] + 1]; k++)
            size += fabs(W->value[k] * x[W->index[k]]);
        if (fabs(c->problem.b[i]) <= 4 * DBL_EPSILON * size) c->problem.b[i] = 0;
    }
}

// what the normal of a block gains until the end of the step, at a constant velocity
static double gain_of(const carom_contacts *c, const carom_contact_terms *terms,
                      const carom_block *block)
{
    const bool is_contact = !block->is_bilateral && !block->is_limited;
    if (!is_contact || !terms->rests[block->id]) return 0;
    return terms->lead * terms->rate->rows.curvature[c->row[block->first]];
}

void carom_contacts_hold_end(carom_contacts *c, const carom_contact_terms *terms)
{
    if (!terms->rests || terms->lead == 0) return;
    for (int k = 0; k < c->problem.n_block; k++)
        c->problem.b[c->problem.block[k].first] += gain_of(c, terms, &c->problem.block[k]);
}

void carom_contacts_report_end(const carom_contacts *c, const carom_contact_terms *terms,
                               carom_step_report *report)
{
    if (!terms->rests || terms->lead == 0) return;
    for (int k = 0; k < c->problem.n_block; k++) {
        const carom_block *block = &c->problem.block[k];
        report->rate_after[c->row[block->first]] += gain_of(c, terms, block);
    }
}

void carom_contacts_rates(carom_contacts *c, const carom_contact_terms *terms, const double *u)
{
    const carom_eval *rate = terms->rate, *before = terms->before ? terms->before : rate;
    const double hit = terms->without_restitution ? 0 : 1;
    for (int i = 0; i < c->problem.n_row; i++) {
        const int r = c->row[i];
        c->gamma_minus[i] =
            terms->gamma_minus
                ? terms->gamma_minus[r]
                : carom_sparse_row_times(&before->rows.W, r, terms->u_minus) + before->rows.w0[r];
        const double after = carom_sparse_row_times(&rate->rows.W, r, u) + rate->rows.w0[r];
        c->problem.b[i] = carom_law_excess(hit * c->law[i], c->gamma_minus[i], after);
    }
    carom_contacts_forget_rounding(c, &rate->rows.W, u, c->gamma_minus);
    carom_contacts_hold_end(c, terms);
}

static bool is_finite(const carom_problem *problem)
{
    double poison = 0;
    for (int i = 0; i < problem->n_row; i++) poison += 0 * problem->b[i];
    return poison == 0;
}

carom_status carom_contacts_check(const carom_contacts *c, carom_error *error)
{
    if (is_finite(&c->problem)) return CAROM_OK;
    int k = 0;
    for (int i = 0; isfinite(c->problem.b[i]); i++)
        if (i + 1 == c->problem.block[k].first + c->problem.block[k].dim) k++;
    const carom_block *block = &c->problem.block[k];
    const bool is_constraint = c->row[block->first] < c->size.n_constraint;
    return carom_fail(error, CAROM_NOT_FINITE,
                      "the direction or rate of %s '%s' is not a finite number",
                      is_constraint ? "constraint" : "contact",
                      is_constraint ? carom_model_constraint_name(c->model, block->id)
                                    : carom_model_contact(c->model, block->id)->name);
}

carom_status carom_contacts_build(carom_contacts *c, const carom_contact_terms *terms,
                                  carom_error *error)
{
    const bool is_built = c->problem.n_row <= CAROM_PROBLEM_DENSE
                              ? build_dense(c, terms)
                              : build_factors(c, terms) || build_sparse(c, terms);
    if (is_built) return CAROM_OK;
    return carom_columns_fail(c->column.is_full ? &c->column : &c->entry, error);
}
