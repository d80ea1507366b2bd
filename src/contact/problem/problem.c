// SPDX-License-Identifier: Apache-2.0
// Reading a contact problem xi = G P + b: rows, sizes, and whether it is well formed.
// What depends on the form of G is in matrix.c.
#include "contact/problem/problem.h"

#include "math/sparse/pattern.h"

#include <limits.h>

// row by row, for which compilers make short code where n is known
static inline void few_rates(const carom_problem *problem, const double *P, double *restrict xi,
                             int n)
{
    const double *G = problem->G.dense, *b = problem->b;
    for (int i = 0; i < n; i++) {
        double sum = b[i];
        for (int j = 0; j < n; j++) sum += G[j * n + i] * P[j];
        xi[i] = sum;
    }
}

static __attribute__((noinline)) void any_rates(const carom_problem *problem, const double *P,
                                                double *xi)
{
    const double *column = problem->G.dense;
    const int n = problem->n_row;
    if (!column) carom_matrix_product(&problem->G, P, xi);
    for (int i = 0; i < n; i++) xi[i] = column ? problem->b[i] : xi[i] + problem->b[i];
    for (int j = 0; j < n && column; j++, column += n) {
        const double p = P[j];
        for (int i = 0; i < n; i++) xi[i] += column[i] * p;
    }
}

// one or two contacts, or three pins, are most problems of a simulation
void carom_problem_rates(const carom_problem *problem, const double *P, double *xi)
{
    const int n = problem->G.dense ? problem->n_row : 0;
    if (n == 1)
        few_rates(problem, P, xi, 1);
    else if (n == 2)
        few_rates(problem, P, xi, 2);
    else if (n == 4)
        few_rates(problem, P, xi, 4);
    else if (n == 6)
        few_rates(problem, P, xi, 6);
    else
        any_rates(problem, P, xi);
}

void carom_problem_diagonal(const carom_problem *problem, int k, double *D)
{
    const carom_block *block = &problem->block[k];
    for (int j = 0; j < block->dim; j++)
        for (int i = 0; i < block->dim; i++)
            D[j * block->dim + i] =
                carom_matrix_at(&problem->G, block->first + i, block->first + j);
}

void carom_problem_block_product(const carom_problem *problem, int k, int j, const double *x,
                                 double *y)
{
    const carom_block *row = &problem->block[k], *column = &problem->block[j];
    for (int c = 0; c < column->dim; c++)
        for (int i = 0; i < row->dim; i++)
            y[i] += carom_matrix_at(&problem->G, row->first + i, column->first + c) * x[c];
}

// rows by rows, of G or of the factor W
static bool is_pattern(int n_row, int n_column, const int *start, const int *index,
                       const double *value)
{
    const carom_pattern_shape shape = {n_row, n_column, INT_MAX, false};
    return start && index && value && carom_pattern_fault(shape, start, index) < 0;
}

// first rows of consecutive parts, from 0 to n
static bool are_firsts(int n_part, const int *first, int n)
{
    if (n_part < 0 || !first || first[0] != 0 || first[n_part] != n) return false;
    for (int k = 0; k < n_part; k++)
        if (first[k + 1] <= first[k] || first[k + 1] > n) return false;
    return true;
}

static bool has_blocks(const carom_block_rows *B, int n)
{
    if (!are_firsts(B->n_block, B->row, n) || !B->at ||
        !is_pattern(B->n_block, B->n_block, B->start, B->index, B->value))
        return false;
    for (int p = 0; p < B->start[B->n_block]; p++)
        if (B->at[p] < 0) return false;
    return true;
}

static bool has_factors(const carom_factors *f, int n)
{
    if (f->n_column < 0 || !is_pattern(n, f->n_column, f->start, f->index, f->value) ||
        !are_firsts(f->n_mass, f->mass_row, f->n_column))
        return false;
    for (int m = 0; m < f->n_mass; m++)
        if (!f->inverse_at || f->inverse_at[m] < 0) return false;
    return f->inverse && f->scratch;
}

static bool has_matrix(const carom_matrix *G)
{
    if (G->dense) return true; // n*n numbers, which cannot be counted
    if (G->start) return is_pattern(G->n, G->n, G->start, G->index, G->value);
    if (G->blocks) return has_blocks(G->blocks, G->n);
    return G->factors && has_factors(G->factors, G->n);
}

// friction, radius and the given part of the impulse
static carom_status check_numbers(const carom_block *block, int i, carom_error *error)
{
    const bool has_friction = !block->is_bilateral || block->of != 0;
    if (has_friction && !(block->mu >= 0 && block->mu <= 1e100))
        return carom_fail(error, CAROM_BAD_INPUT,
                          "contact problem: friction %g of block %d must be 0 or more and finite",
                          block->mu, i);
    if (!block->is_bilateral && !isfinite(block->lower))
        return carom_fail(error, CAROM_BAD_INPUT,
                          "contact problem: lower bound %g of block %d must be finite",
                          block->lower, i);
    if (carom_block_is_disc(block) && !(block->radius >= 0 && block->radius <= 1e100))
        return carom_fail(error, CAROM_BAD_INPUT,
                          "contact problem: radius %g of disc %d must be 0 or more and finite (a "
                          "disc without a limit is a bilateral block)",
                          block->radius, i);
    return CAROM_OK;
}

// a disc of a contact stands behind it, and behind other discs of this contact alone
static bool is_at_home(const carom_problem *problem, int i)
{
    const carom_block *block = &problem->block[i];
    if (block->of == 0) return true;
    if (!carom_block_is_disc(block) || i == 0) return false;
    const carom_block *before = block - 1;
    const int back = before->dim + (before->is_bilateral ? before->of : 0);
    return block->of == back && (!before->is_bilateral || before->of > 0);
}

static carom_status check_block(const carom_problem *problem, int i, int row, carom_error *error)
{
    const carom_block *block = &problem->block[i];
    const int most = problem->n_row - row;
    const bool fits = block->dim >= 1 && block->dim <= most;
    if (block->first != row || !fits || (!carom_block_is_equality(block) && block->dim > 3))
        return carom_fail(error, CAROM_BUG,
                          "contact problem: block %d (first row %d, dim %d) does not fit", i,
                          block->first, block->dim);
    if (block->is_limited && !block->is_bilateral)
        return carom_fail(error, CAROM_BUG,
                          "contact problem: block %d is limited but not bilateral (discs are both)",
                          i);
    if (!is_at_home(problem, i))
        return carom_fail(
            error, CAROM_BUG,
            "contact problem: block %d belongs to a contact %d rows before it, and "
            "does not follow it (a disc stands behind its contact, of = rows between)",
            i, block->of);
    return check_numbers(block, i, error);
}

carom_status carom_problem_check(const carom_problem *problem, int max_row, carom_error *error)
{
    int row = 0;
    if (problem->n_row < 0 || problem->n_block < 0 || (problem->n_block > 0 && !problem->block) ||
        (problem->n_row > 0 && !problem->b))
        return carom_fail(error, CAROM_BUG,
                          "contact problem: sizes %d and %d below 0, or block or b is NULL",
                          problem->n_row, problem->n_block);
    if (problem->n_row > max_row)
        return carom_fail(error, CAROM_BUG,
                          "contact problem with %d rows; its solver was made for at most %d",
                          problem->n_row, max_row);
    for (int i = 0; i < problem->n_block; row += problem->block[i++].dim)
        CAROM_TRY(check_block(problem, i, row, error));
    if (row != problem->n_row || (row > 0 && problem->G.n != row))
        return carom_fail(error, CAROM_BUG, "contact problem: blocks have %d rows, b %d, G %d", row,
                          problem->n_row, problem->G.n);
    if (row > 0 && !has_matrix(&problem->G))
        return carom_fail(error, CAROM_BUG,
                          "contact problem: G has no form, or its pattern is none (columns "
                          "increasing within a row, from 0 to %d)",
                          row - 1);
    return CAROM_OK;
}

bool carom_problem_has_dead_row(const carom_problem *problem)
{
    for (int k = 0; k < problem->n_block; k++) {
        const carom_block *block = &problem->block[k];
        if (carom_block_is_disc(block)) continue; // slips
        const int end = block->first + (block->is_bilateral ? block->dim : 1);
        for (int i = block->first; i < end; i++) {
            const double b = problem->b[i];
            if ((block->is_bilateral ? b != 0 : b < 0) && carom_matrix_row_is_zero(&problem->G, i))
                return true;
        }
    }
    return false;
}

int carom_problem_bilateral(const carom_problem *problem)
{
    int n = 0;
    for (int i = 0; i < problem->n_block; i++)
        n += carom_block_is_equality(&problem->block[i]) ? problem->block[i].dim : 0;
    return n;
}

bool carom_problem_has_discs(const carom_problem *problem)
{
    for (int i = 0; i < problem->n_block; i++)
        if (carom_block_is_disc(&problem->block[i])) return true;
    return false;
}

bool carom_problem_has_loaded(const carom_problem *problem)
{
    for (int i = 0; i < problem->n_block; i++)
        if (problem->block[i].of != 0) return true;
    return false;
}

carom_problem carom_problem_raise(const carom_problem *problem, carom_block *block, double *b,
                                  double *change, double *Q)
{
    const int n = problem->n_row;
    for (int i = 0; i < n; i++) change[i] = 0;
    for (int k = 0; k < problem->n_block; k++) {
        block[k] = problem->block[k];
        block[k].lower = 0;
        if (!block[k].is_bilateral) change[block[k].first] = problem->block[k].lower;
    }
    for (int i = 0; i < n; i++) Q[i] -= change[i];
    carom_problem_rates(problem, change, b);
    return (carom_problem){n, problem->n_block, block, problem->G, b};
}

void carom_problem_lower(const carom_problem *problem, double *P)
{
    for (int k = 0; k < problem->n_block; k++)
        if (!problem->block[k].is_bilateral) P[problem->block[k].first] += problem->block[k].lower;
}
