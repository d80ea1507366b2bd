// SPDX-License-Identifier: Apache-2.0
// Reading a contact problem xi = G P + b: rows, sizes, and whether it is well formed.
// G is dense by columns or sparse by rows; what depends on that is here, so that the residual, the
// scaling and Gauss-Seidel need not care.
#include "contact/problem.h"

static double sparse_row(const carom_matrix *G, int i, const double *P, double *diagonal)
{
    double sum = 0;
    *diagonal = 0;
    for (int k = G->start[i]; k < G->start[i + 1]; k++) {
        sum += G->value[k] * P[G->index[k]];
        if (G->index[k] == i) *diagonal = G->value[k];
    }
    return sum;
}

double carom_matrix_row(const carom_matrix *G, int i, const double *P, double *diagonal)
{
    if (!G->dense) return sparse_row(G, i, P, diagonal);
    const size_t n = (size_t)G->n;
    const double *entry = G->dense + i;
    double sum = 0;
    for (size_t j = 0; j < n; j++) sum += entry[j * n] * P[j];
    *diagonal = entry[(size_t)i * n];
    return sum;
}

double carom_matrix_at(const carom_matrix *G, int i, int j)
{
    if (G->dense) return G->dense[(size_t)j * (size_t)G->n + (size_t)i];
    int low = G->start[i], high = G->start[i + 1];
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (G->index[middle] == j) return G->value[middle];
        if (G->index[middle] < j)
            low = middle + 1;
        else
            high = middle;
    }
    return 0;
}

double carom_matrix_size(const carom_matrix *G, int i)
{
    const double diagonal = fabs(carom_matrix_at(G, i, i));
    if (diagonal > 0) return diagonal;
    double largest = 0;
    const int first = G->dense ? 0 : G->start[i], end = G->dense ? G->n : G->start[i + 1];
    for (int k = first; k < end; k++) {
        const double x = fabs(G->dense ? carom_matrix_at(G, i, k) : G->value[k]);
        if (x > largest) largest = x;
    }
    return largest > 0 ? largest : 1;
}

void carom_problem_rates(const carom_problem *problem, const double *P, double *xi)
{
    const carom_matrix *G = &problem->G;
    const int n = problem->n_row;
    double ignored;
    for (int i = 0; i < n; i++) xi[i] = problem->b[i];
    if (!G->dense) {
        for (int i = 0; i < n; i++) xi[i] += sparse_row(G, i, P, &ignored);
        return;
    }
    const double *column = G->dense;
    for (int j = 0; j < n; j++, column += n) {
        const double p = P[j];
        for (int i = 0; i < n; i++) xi[i] += column[i] * p;
    }
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
