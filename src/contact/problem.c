// SPDX-License-Identifier: Apache-2.0
// Reading a contact problem xi = G P + b: rows, sizes, and whether it is well formed.
// What depends on the form of G is in matrix.c.
#include "contact/problem.h"

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

// one or two contacts are most problems of a simulation
void carom_problem_rates(const carom_problem *problem, const double *P, double *xi)
{
    const int n = problem->G.dense ? problem->n_row : 0;
    if (n == 1)
        few_rates(problem, P, xi, 1);
    else if (n == 2)
        few_rates(problem, P, xi, 2);
    else if (n == 4)
        few_rates(problem, P, xi, 4);
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

carom_status carom_problem_check(const carom_problem *problem, int max_row, carom_error *error)
{
    int row = 0;
    if (problem->n_row > max_row)
        return carom_fail(error, CAROM_BUG,
                          "contact problem with %d rows; its solver was made for at most %d",
                          problem->n_row, max_row);
    for (int i = 0; i < problem->n_block; i++) {
        const carom_block *block = &problem->block[i];
        const bool fits =
            block->is_bilateral ? block->dim >= 1 : block->dim >= 1 && block->dim <= 3;
        if (block->first != row || !fits)
            return carom_fail(error, CAROM_BUG,
                              "contact problem: block %d (first row %d, dim %d) does not fit", i,
                              block->first, block->dim);
        if (!block->is_bilateral && !(block->mu >= 0 && block->mu <= 1e100))
            return carom_fail(
                error, CAROM_BAD_INPUT,
                "contact problem: friction %g of block %d must be 0 or more and finite", block->mu,
                i);
        row += block->dim;
    }
    if (row != problem->n_row || (row > 0 && problem->G.n != row))
        return carom_fail(error, CAROM_BUG, "contact problem: blocks have %d rows, b %d, G %d", row,
                          problem->n_row, problem->G.n);
    return CAROM_OK;
}

bool carom_problem_has_dead_row(const carom_problem *problem)
{
    for (int k = 0; k < problem->n_block; k++) {
        const carom_block *block = &problem->block[k];
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
        n += problem->block[i].is_bilateral ? problem->block[i].dim : 0;
    return n;
}

bool carom_problem_has_friction(const carom_problem *problem)
{
    for (int i = 0; i < problem->n_block; i++)
        if (!problem->block[i].is_bilateral && problem->block[i].dim > 1) return true;
    return false;
}
