// SPDX-License-Identifier: Apache-2.0
// With S the bordered matrix of border.h, contacts push with S^-1 (W_c', 0), so that
//
//     (u, P_b) := (u, 0) + S^-1 (-residual, -(W_b u + w0)) + S^-1 (W_c', 0) P_c
//     G = (W_c, 0) S^-1 (W_c', 0)
//
// which is the contact problem of J with another metric and longer columns.
#include "dynamics/border.h"

#include "base/arena.h"
#include "contact/solver.h"
#include "dynamics/assembly.h"
#include "math/blockmass.h"
#include "math/linear.h"
#include "math/vector.h"
#include "model/model.h"

#include <math.h>
#include <string.h>

static const double DEPENDENT = 1e-10; // mobility of a contact, of the one without constraints

struct carom_border {
    carom_arena *arena;
    int nu, n_constraint, n_part;
    carom_sparse *part; // (n_part)
    carom_linear *matrix;
    double *x; // (nu + n_constraint) velocity and impulses of the constraints
};

// the coordinates that J couples, as trees: each points to another, the root of a tree to itself
static int root_of(int *above, int i)
{
    while (above[i] != i) i = above[i] = above[above[i]];
    return i;
}

static void couple_coordinates(int *above, const carom_sparse *part)
{
    for (int i = 0; i < part->n_row; i++)
        for (int k = part->start[i]; k < part->start[i + 1]; k++)
            above[root_of(above, i)] = root_of(above, part->index[k]);
}

// coordinates that J^-1 w has for the constraints, on the mean; counts by parts
// of J that are not coupled
static double reach_of_constraints(const carom_border *b, const carom_sparse *W, int *above,
                                   int *count)
{
    for (int i = 0; i < b->nu; i++) above[i] = i;
    for (int i = 0; i < b->n_part; i++) couple_coordinates(above, &b->part[i]);
    for (int i = 0; i < b->nu; i++) count[root_of(above, i)]++;
    double sum = 0;
    for (int r = 0; r < b->n_constraint; r++) {
        int most = 0;
        for (int k = W->start[r]; k < W->start[r + 1]; k++) {
            const int here = count[root_of(above, W->index[k])];
            if (here > most) most = here;
        }
        sum += most;
    }
    return sum / b->n_constraint;
}

static bool is_needed(const carom_border *b, const carom_sparse *W)
{
    if (b->n_constraint <= CAROM_PROBLEM_DENSE || b->nu + b->n_constraint <= CAROM_LINEAR_DENSE)
        return false;
    int *above = CAROM_TAKE(b->arena, int, b->nu), *count = CAROM_TAKE(b->arena, int, b->nu);
    return above && count && reach_of_constraints(b, W, above, count) > CAROM_PROBLEM_DENSE;
}

static carom_status take_memory(carom_border *b, const carom_sparse *W, carom_error *error)
{
    const int n = b->nu + b->n_constraint;
    int n_entry = 2 * W->start[b->n_constraint];
    for (int i = 0; i < b->n_part; i++) n_entry += b->part[i].start[b->part[i].n_row];
    b->x = CAROM_TAKE(b->arena, double, n);
    if (!b->x) return carom_fail(error, CAROM_NO_MEMORY, "no memory for %d constraints", n);
    return carom_linear_new(n, n_entry, &b->matrix, error);
}

carom_status carom_border_new(const carom_eval *rows, int n_part, const carom_sparse *part,
                              carom_border **border, carom_error *error)
{
    const carom_sizes size = carom_model_sizes(rows->model);
    *border = NULL;
    if (rows->model->rows_change_pattern) return CAROM_OK;
    carom_arena *arena = carom_arena_new();
    carom_border *made = arena ? CAROM_TAKE(arena, carom_border, 1) : NULL;
    carom_sparse *parts = made ? CAROM_TAKE(arena, carom_sparse, n_part) : NULL;
    if (!parts) {
        carom_arena_free(arena);
        return carom_fail(error, CAROM_NO_MEMORY, "no memory for %d constraints",
                          size.n_constraint);
    }
    memcpy(parts, part, sizeof *part * (size_t)n_part);
    *made = (carom_border){arena, size.nu, size.n_constraint, n_part, parts, NULL, NULL};
    const bool is_taken = is_needed(made, &rows->rows.W);
    const carom_status status = is_taken ? take_memory(made, &rows->rows.W, error) : CAROM_OK;
    if (is_taken && status == CAROM_OK)
        *border = made;
    else
        carom_border_free(made);
    return status;
}

void carom_border_free(carom_border *border)
{
    if (!border) return;
    carom_linear_free(border->matrix);
    carom_arena_free(border->arena);
}

// Whether the constraints leave each active contact free to move: where they do not (a point held
// between two rods slides no way), its entries of G would be rounding of those of the mass alone.
static bool contacts_can_move(carom_contacts *c, const carom_border *b, const carom_eval *rows)
{
    const carom_sparse *W = &rows->rows.W;
    for (int i = 0; i < c->problem.n_row; i++) {
        const int r = c->row[i], first = W->start[r], n_entry = W->start[r + 1] - first;
        int n = carom_linear_solve_sparse(b->matrix, n_entry, W->index + first, W->value + first,
                                          c->x, c->touched);
        const double held = fabs(carom_sparse_row_times(W, r, c->x));
        while (n > 0) c->x[c->touched[--n]] = 0;
        n = carom_mass_solve_sparse(rows->mass, n_entry, W->index + first, W->value + first, c->x,
                                    c->touched);
        const double alone = carom_sparse_row_times(W, r, c->x);
        while (n > 0) c->x[c->touched[--n]] = 0;
        if (!(held > DEPENDENT * alone)) return false;
    }
    return true;
}

static void fill_matrix(carom_border *b, const double *weight, const carom_eval *rows)
{
    carom_sparse W = rows->rows.W;
    W.n_row = b->n_constraint; // they come first
    carom_linear_clear(b->matrix);
    // parts of weight 0, too: one pattern is analysed once
    for (int i = 0; i < b->n_part; i++)
        carom_linear_add(b->matrix, 0, 0, &b->part[i], weight[i], false);
    carom_linear_add(b->matrix, 0, b->nu, &W, -1, true);
    carom_linear_add(b->matrix, b->nu, 0, &W, 1, false);
}

carom_status carom_border_factor(carom_step *s, carom_border *b, const double *weight,
                                 const carom_contact_terms *terms, bool *is_regular)
{
    carom_error why = {0};
    fill_matrix(b, weight, terms->rate);
    const carom_status status = carom_linear_factor(b->matrix, &why);
    *is_regular = status == CAROM_OK && carom_linear_is_sound(b->matrix);
    if (*is_regular) {
        carom_contacts_choose(s->contacts, terms, NULL, CAROM_ONLY_CONTACTS);
        *is_regular = contacts_can_move(s->contacts, b, terms->rate);
    }
    if (status == CAROM_OK || status == CAROM_NOT_CONVERGED) return CAROM_OK;
    return carom_fail(s->error, status, "%s", why.message);
}

// the system's right side; x becomes velocity and impulses without contacts
static void solve_free(carom_border *b, const carom_eval *rows, const double *residual, double *u)
{
    const int nu = b->nu;
    double *x = b->x;
    for (int i = 0; i < nu; i++) x[i] = -residual[i];
    for (int r = 0; r < b->n_constraint; r++)
        x[nu + r] = -(carom_sparse_row_times(&rows->rows.W, r, u) + rows->rows.w0[r]);
    carom_linear_solve(b->matrix, x);
    for (int i = 0; i < nu; i++) x[i] += u[i];
}

// The rates of the constraints, and what is left of them over the largest that the velocities
// before, after and of the free motion could make of them.
static void report_constraints(carom_step *s, const carom_border *b,
                               const carom_contact_terms *terms, const double *free)
{
    const carom_sparse *W = &terms->rate->rows.W;
    const double *w0 = terms->rate->rows.w0, *u = b->x, *before = terms->u_minus;
    carom_step_report *out = &s->report;
    double worst = 0, most = 0;
    int row = -1;
    for (int r = 0; r < b->n_constraint; r++) {
        double size = 0, sum = fabs(w0[r]);
        for (int k = W->start[r]; k < W->start[r + 1]; k++) {
            const int i = W->index[k];
            const double w = fabs(W->value[k]);
            size = carom_vector_larger(size, w);
            sum += w * (fabs(u[i]) + fabs(before[i]) + fabs(free[i]));
        }
        out->rate_before[r] = carom_sparse_row_times(W, r, before) + w0[r];
        out->rate_after[r] = carom_sparse_row_times(W, r, u) + w0[r];
        out->obstacle_work -= u[b->nu + r] * w0[r];
        if (size == 0) continue; // in the unit of a coordinate's velocity:
        const double left = fabs(out->rate_after[r]) / size;
        if (left > worst) row = r;
        worst = carom_vector_larger(worst, left);
        most = carom_vector_larger(most, sum / size);
    }
    const double residual = worst > 0 ? worst / most : 0;
    if (residual > out->residual) out->residual_row = row;
    out->residual = carom_vector_larger(out->residual, residual);
    out->is_converged &= residual <= CAROM_CONTACT_TOLERANCE;
}

carom_status carom_border_contact(carom_step *s, carom_border *b, const carom_contact_terms *terms,
                                  double *residual, double *P, double *u)
{
    carom_contact_terms own = *terms;
    own.metric = b->matrix;
    solve_free(b, terms->rate, residual, u);
    CAROM_TRY(carom_contacts_solve_velocity(s, &own, P, b->x));
    memcpy(u, b->x, sizeof(double) * (size_t)b->nu);
    memcpy(P, b->x + b->nu, sizeof(double) * (size_t)b->n_constraint);
    carom_mass_solve(terms->rate->mass, residual);
    report_constraints(s, b, terms, residual);
    return CAROM_OK;
}
