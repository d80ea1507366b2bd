// SPDX-License-Identifier: Apache-2.0
// A small dense problem in the form solvers like. Rows are scaled by s = 1/sqrt|G_ii| (the
// tangential rows of a contact alike, so that a disc stays a disc; mu becomes mu s_N / s_T, a given
// radius radius / s). Bilateral rows are eliminated, those of discs stay with the contacts:
//
//     P_B = -G_BB^+ (G_BC P_C + b_B)
//     G  <-  G_CC - G_CB G_BB^+ G_BC,     b  <-  b_C - G_CB G_BB^+ b_B
//
// with the minimum norm where constraints are redundant.
#include "contact/problem/reduce.h"

#include "math/dense.h"
#include "math/gram.h"

#include <string.h>

static const double DEAD = 1e-13; // what is left of a unit diagonal that cancels

bool carom_scaled_take(carom_arena *arena, int n, carom_scaled *scaled)
{
    scaled->problem.G.dense = CAROM_TAKE(arena, double, (size_t)n *(size_t)n);
    scaled->problem.b = CAROM_TAKE(arena, double, n);
    scaled->problem.block = CAROM_TAKE(arena, carom_block, n);
    scaled->s = CAROM_TAKE(arena, double, n);
    scaled->P = CAROM_TAKE(arena, double, n);
    return scaled->problem.G.dense && scaled->problem.b && scaled->problem.block && scaled->s &&
           scaled->P;
}

bool carom_reduced_take(carom_arena *arena, int n, carom_reduced *reduced)
{
    const size_t room = (size_t)n * ((size_t)n + 1);
    reduced->row = CAROM_TAKE(arena, int, n);
    reduced->pivot = CAROM_TAKE(arena, int, n);
    reduced->X = CAROM_TAKE(arena, double, room);
    reduced->work = CAROM_TAKE(arena, double, room + carom_dense_room(n, n + 1));
    return reduced->row && reduced->pivot && reduced->X && reduced->work &&
           carom_scaled_take(arena, n, &reduced->contact);
}

void carom_choose_scales(const carom_problem *problem, double *s)
{
    const int n = problem->n_row;
    for (int i = 0; i < n; i++) {
        const double diagonal = problem->G.dense ? fabs(problem->G.dense[i * n + i]) : 0;
        s[i] = diagonal > 0 ? diagonal : carom_matrix_size(&problem->G, i);
    }
    for (int k = 0; k < problem->n_block; k++) {
        const carom_block *block = &problem->block[k];
        const int at = carom_block_disc_at(block), dim = block->dim - at;
        double *t = s + block->first + at, largest = 0;
        for (int i = 0; i < dim; i++) largest = carom_larger(largest, t[i]);
        for (int i = 0; i < dim; i++) t[i] = largest;
    }
    for (int i = 0; i < n; i++) s[i] = 1 / sqrt(s[i]);
}

static void apply_scales(carom_problem *problem, const double *s)
{
    const int n = problem->n_row;
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) problem->G.dense[j * n + i] *= s[i] * s[j];
    for (int i = 0; i < n; i++) problem->b[i] *= s[i];
    for (int k = 0; k < problem->n_block; k++) {
        carom_block *block = &problem->block[k];
        const int i = block->first;
        if (carom_block_is_disc(block)) block->radius /= s[i];
        if (block->of > 0) block->mu *= s[i - block->of] / s[i];
        if (block->is_bilateral) continue;
        if (block->dim > 1) block->mu *= s[i] / s[i + 1];
        // no impulse can open a dead row: leave it at its rate, the check outside tells
        const bool is_dead = problem->G.dense[i * n + i] == 0 && problem->b[i] < 0;
        if (is_dead && carom_matrix_row_is_zero(&problem->G, i)) problem->b[i] = 0;
    }
}

static void copy_matrix(const carom_matrix *from, double *dense)
{
    const size_t n = (size_t)from->n;
    if (from->dense) {
        memcpy(dense, from->dense, sizeof *dense * n * n);
        return;
    }
    memset(dense, 0, sizeof *dense * n * n);
    if (!from->start)
        for (int j = 0; j < from->n; j++)
            for (int i = 0; i < from->n; i++)
                dense[(size_t)j * n + (size_t)i] = carom_matrix_at(from, i, j);
    for (int i = 0; i < from->n && from->start; i++)
        for (int k = from->start[i]; k < from->start[i + 1]; k++)
            dense[(size_t)from->index[k] * n + (size_t)i] = from->value[k];
}

void carom_scaled_fill(const carom_problem *problem, const double *P, carom_scaled *scaled)
{
    carom_problem *to = &scaled->problem;
    to->n_row = to->G.n = problem->n_row;
    to->n_block = problem->n_block;
    memcpy(to->block, problem->block, sizeof *to->block * (size_t)to->n_block);
    memcpy(to->b, problem->b, sizeof *to->b * (size_t)to->n_row);
    copy_matrix(&problem->G, to->G.dense);
    carom_choose_scales(to, scaled->s);
    apply_scales(to, scaled->s);
    for (int i = 0; i < to->n_row; i++) scaled->P[i] = P[i] / scaled->s[i];
}

void carom_scaled_answer(const carom_scaled *scaled, double *P)
{
    for (int i = 0; i < scaled->problem.n_row; i++) P[i] = scaled->s[i] * scaled->P[i];
}

bool carom_reduced_is_needed(const carom_problem *problem)
{
    for (int k = 0; k < problem->n_block; k++) {
        const carom_block *block = &problem->block[k];
        if (carom_block_is_equality(block)) return true;
        if (!block->is_bilateral && block->dim > 1 && block->mu == 0) return true;
    }
    return false;
}

// rows of a block that stay: all, or the normal one where there is no friction
static int rows_kept(const carom_block *block)
{
    return block->is_bilateral || block->mu > 0 ? block->dim : 1;
}

// what a disc is before its own rows, after rows of its contact have been left out
static int rows_between(const carom_problem *to, int k)
{
    if (to->block[k].of == 0) return 0;
    return to->block[k - 1].dim + to->block[k - 1].of;
}

// lists the bilateral rows, those of the contacts, those left out; copies the contact blocks
static void split_rows(const carom_problem *problem, carom_reduced *reduced)
{
    carom_problem *to = &reduced->contact.problem;
    const int m = carom_problem_bilateral(problem);
    int n_bilateral = 0, n_left_out = 0;
    to->n_row = to->n_block = 0;
    for (int k = 0; k < problem->n_block; k++) {
        const carom_block *block = &problem->block[k];
        const bool is_eliminated = carom_block_is_equality(block);
        const int kept = rows_kept(block);
        if (!is_eliminated) {
            to->block[to->n_block] = *block;
            to->block[to->n_block].first = to->n_row;
            to->block[to->n_block].of = rows_between(to, to->n_block);
            to->block[to->n_block++].dim = kept;
        }
        for (int i = 0; i < kept; i++)
            reduced->row[is_eliminated ? n_bilateral++ : m + to->n_row++] = block->first + i;
        for (int i = kept; i < block->dim; i++)
            reduced->row[problem->n_row - ++n_left_out] = block->first + i;
    }
    to->G.n = to->n_row;
    reduced->n_bilateral = m;
}

// the first m of the listed rows of a column of G
static void copy_column(const carom_problem *problem, const int *row, int column, int m, double *to)
{
    const double *from = problem->G.dense + (size_t)column * (size_t)problem->G.n;
    for (int i = 0; i < m; i++) to[i] = from[row[i]];
}

// X = G_BB^+ [G_BC, b_B]. Constraints come first in problems of simulations; where rates and pushes
// are taken apart G_BB is not symmetric.
static void solve_bilateral(const carom_problem *problem, carom_reduced *reduced)
{
    const int m = reduced->n_bilateral, n = reduced->contact.problem.n_row, *row = reduced->row;
    double *A = reduced->work, *work = A + m * m, *X = reduced->X;
    if (m == 0) return;
    for (int j = 0; j < n; j++) copy_column(problem, row, row[m + j], m, X + j * m);
    for (int i = 0; i < m; i++) X[n * m + i] = problem->b[row[i]];
    const carom_gram gram = {m, problem->G.n, problem->G.dense, reduced->work, reduced->pivot};
    const bool are_first = m > 2 && row[m - 1] == m - 1;
    if (are_first && carom_gram_solve(&gram, n + 1, X) >= 0) return;
    for (int j = 0; j < m; j++) copy_column(problem, row, row[j], m, A + j * m);
    carom_dense_solve(m, A, n + 1, X, work, reduced->pivot);
}

// value - (row i of G_CB) (column j of X)
static double eliminate(const carom_problem *problem, const carom_reduced *reduced, int i, int j,
                        double value)
{
    const int m = reduced->n_bilateral, *row = reduced->row;
    const double *G = problem->G.dense + row[m + i];
    for (int k = 0; k < m; k++) value -= G[row[k] * problem->G.n] * reduced->X[j * m + k];
    return value;
}

// contacts that the constraints hold fast keep only noise in G
static void clear_dead_rows(carom_problem *problem)
{
    const int n = problem->n_row;
    double *G = problem->G.dense;
    for (int i = 0; i < n; i++) {
        if (!(fabs(G[i * n + i]) < DEAD)) continue;
        for (int j = 0; j < n; j++) G[i * n + j] = G[j * n + i] = 0;
    }
}

void carom_reduced_fill(const carom_scaled *whole, carom_reduced *reduced)
{
    const carom_problem *problem = &whole->problem;
    carom_scaled *contact = &reduced->contact;
    split_rows(problem, reduced);
    solve_bilateral(problem, reduced);
    const int m = reduced->n_bilateral, n = contact->problem.n_row, *row = reduced->row + m;
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            contact->problem.G.dense[j * n + i] =
                eliminate(problem, reduced, i, j, problem->G.dense[row[j] * problem->G.n + row[i]]);
    for (int i = 0; i < n; i++)
        contact->problem.b[i] = eliminate(problem, reduced, i, n, problem->b[row[i]]);
    clear_dead_rows(&contact->problem);
    carom_choose_scales(&contact->problem, contact->s);
    apply_scales(&contact->problem, contact->s);
    for (int i = 0; i < n; i++) contact->P[i] = whole->P[row[i]] / contact->s[i];
}

void carom_reduced_answer(const carom_reduced *reduced, carom_scaled *whole)
{
    const int m = reduced->n_bilateral, n = reduced->contact.problem.n_row;
    for (int i = m + n; i < whole->problem.n_row; i++) whole->P[reduced->row[i]] = 0;
    for (int i = 0; i < n; i++)
        whole->P[reduced->row[m + i]] = reduced->contact.s[i] * reduced->contact.P[i];
    for (int k = 0; k < m; k++) {
        double sum = reduced->X[n * m + k];
        for (int j = 0; j < n; j++) sum += reduced->X[j * m + k] * whole->P[reduced->row[m + j]];
        whole->P[reduced->row[k]] = -sum;
    }
}
