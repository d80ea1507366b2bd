// SPDX-License-Identifier: Apache-2.0
// A frictionless problem as a tableau: its rows, one exchange, and reading the answer of a basis.
#include "contact/small/tableau.h"

#include <string.h>

size_t carom_tableau_work(int n)
{
    return (size_t)n * (2 * (size_t)n + 2);
}

size_t carom_tableau_index(int n)
{
    // rows, basic columns, and a byte for each row
    return 3 * (size_t)n + 1;
}

carom_tableau carom_tableau_cut(const carom_problem *problem, double *work, int *index)
{
    carom_tableau t = {.problem = problem, .row = index, .value = work};
    const size_t most = (size_t)problem->n_row;
    t.basic = index + most;
    t.is_equality = (unsigned char *)(index + 2 * most);
    for (int k = 0; k < problem->n_block; k++) {
        const carom_block *block = &problem->block[k];
        const int kept = carom_block_is_disc(block) ? 0 : block->is_bilateral ? block->dim : 1;
        for (int i = 0; i < kept; i++) {
            t.is_equality[t.n] = block->is_bilateral;
            t.row[t.n++] = block->first + i;
        }
    }
    t.width = 2 * t.n + 2;
    t.size = 0;
    for (int i = 0; i < t.n; i++) t.size = carom_larger(t.size, fabs(problem->b[t.row[i]]));
    if (t.size == 0) t.size = 1;
    return t;
}

void carom_tableau_fill(carom_tableau *t)
{
    const size_t n_row = (size_t)t->problem->n_row;
    memset(t->value, 0, sizeof *t->value * (size_t)t->n * (size_t)t->width);
    for (int i = 0; i < t->n; i++) {
        double *to = t->value + (size_t)i * (size_t)t->width;
        to[i] = 1;
        for (int j = 0; j < t->n; j++)
            to[t->n + j] = -t->problem->G.dense[(size_t)t->row[j] * n_row + (size_t)t->row[i]];
        to[t->width - 1] = t->problem->b[t->row[i]] / t->size;
        t->basic[i] = i;
    }
}

void carom_tableau_pivot(carom_tableau *t, int r, int column)
{
    double *pivot_row = t->value + (size_t)r * (size_t)t->width;
    const double inverse = 1 / pivot_row[column];
    for (int j = 0; j < t->width; j++) pivot_row[j] *= inverse;
    pivot_row[column] = 1;
    for (int i = 0; i < t->n; i++) {
        double *row = t->value + (size_t)i * (size_t)t->width;
        const double factor = row[column];
        if (i == r || factor == 0) continue;
        for (int j = 0; j < t->width; j++) row[j] -= factor * pivot_row[j];
        row[column] = 0;
    }
    t->basic[r] = column;
}

void carom_tableau_answer(const carom_tableau *t, double *P)
{
    for (int i = 0; i < t->problem->n_row; i++) P[i] = 0;
    for (int i = 0; i < t->n; i++) {
        const int column = t->basic[i];
        if (column < t->n || column >= 2 * t->n) continue;
        const double level = carom_tableau_level(t, i) * t->size;
        const bool is_free = carom_tableau_is_free(t, column);
        P[t->row[column - t->n]] = is_free ? level : carom_larger(level, 0);
    }
}
