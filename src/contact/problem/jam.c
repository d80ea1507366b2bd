// SPDX-License-Identifier: Apache-2.0
// A certificate that no impulses of the friction cones solve a problem. Weights y >= 0 on the
// normal rows, of any sign on the bilateral ones and 0 on the tangential ones, with g = G'y,
//
//     contacts  g_N + mu |g_T| + sum mu_disc |g_disc| <= 0     (its own discs)
//     bilateral g = 0      y'b + sum radius |g_disc| < 0       (all discs)
//
// give y'xi = g'P + y'b < 0 for all P in the cones and discs, while the laws ask for y'xi >= 0. (De
// Saxce's term needs nothing: u~ is in the dual cone exactly where xi_N >= 0.) y comes from the
// linear program of the normal and bilateral rows alone (small/tableau.h); where G is symmetric and
// has no negative eigenvalue, G y = 0, so none is missed. Where y fails the test nothing is said.
#include "contact/problem/jam.h"

#include "contact/small/tableau.h"
#include "math/cone.h"

static const double ROUNDING = 1e-9, DECISIVE = 1e-7;

size_t carom_jam_work(int n)
{
    return carom_tableau_work(n) + 3 * (size_t)n;
}

size_t carom_jam_index(int n)
{
    return carom_tableau_index(n) + 2 * (size_t)n;
}

// g_j = y'G_j over the rows of y, and the size of its terms
static double weigh_row(const carom_tableau *t, const double *y, int j, double *terms)
{
    const double *column = t->problem->G.dense + (size_t)j * (size_t)t->problem->n_row;
    double sum = 0;
    for (int i = 0; i < t->n; i++) {
        sum += y[i] * column[t->row[i]];
        *terms += fabs(y[i] * column[t->row[i]]);
    }
    return sum;
}

// what the discs of a contact can do with each unit of its push, and the size of the terms
static double reach_of_loaded(const carom_tableau *t, const double *y, const carom_block *contact,
                              double *terms)
{
    const carom_block *end = t->problem->block + t->problem->n_block;
    double sum = 0;
    for (const carom_block *disc = contact + 1; disc < end && disc->of > 0; disc++) {
        double g[3] = {0, 0, 0}, size = 0;
        for (int i = 0; i < disc->dim; i++) g[i] = weigh_row(t, y, disc->first + i, &size);
        sum += disc->mu * carom_cone_length(disc->dim, g);
        *terms += disc->mu * size;
    }
    return sum;
}

static bool block_agrees(const carom_tableau *t, const double *y, const carom_block *block)
{
    double g[3] = {0, 0, 0}, terms = 0;
    if (carom_block_is_disc(block)) return true; // in the product
    for (int i = 0; block->is_bilateral && i < block->dim; i++) {
        terms = 0;
        if (!(fabs(weigh_row(t, y, block->first + i, &terms)) <= ROUNDING * (1 + terms)))
            return false;
    }
    if (block->is_bilateral) return true;
    for (int i = 0; i < block->dim; i++) g[i] = weigh_row(t, y, block->first + i, &terms);
    double slip = block->mu * carom_cone_length(block->dim - 1, g + 1);
    slip += reach_of_loaded(t, y, block, &terms);
    return g[0] + slip <= ROUNDING * (1 + terms) * (1 + block->mu);
}

// what the disc of a block can at most do for y'xi
static double reach_of_disc(const carom_tableau *t, const double *y, const carom_block *block)
{
    double g[3] = {0, 0, 0}, terms = 0;
    if (!carom_block_is_disc(block)) return 0;
    for (int i = 0; i < block->dim; i++) g[i] = weigh_row(t, y, block->first + i, &terms);
    return block->radius * carom_cone_length(block->dim, g);
}

bool carom_jam_is_proven(const carom_problem *problem, double *work, int *index)
{
    const size_t n = (size_t)problem->n_row;
    carom_tableau t = carom_tableau_cut(problem, work, index);
    double *y = work + carom_tableau_work((int)n), size = 0, product = 0, largest = 0;
    int nodes = 0;
    // one node: both of each pair allowed. Its y has the opposite sign.
    if (carom_tableau_search(&t, 1, y, index + carom_tableau_index((int)n), &nodes) !=
        CAROM_SEARCH_NONE)
        return false;
    for (int i = 0; i < t.n; i++) size = carom_larger(size, fabs(y[i]));
    for (int i = 0; i < t.n; i++) {
        y[i] = -y[i] / size;
        product += y[i] * problem->b[t.row[i]];
        largest = carom_larger(largest, fabs(problem->b[t.row[i]]));
        if (!t.is_equality[i] && !(y[i] >= -ROUNDING)) return false;
        if (!t.is_equality[i] && y[i] < 0) y[i] = 0;
    }
    for (int k = 0; k < problem->n_block; k++) product += reach_of_disc(&t, y, &problem->block[k]);
    if (!(product < -DECISIVE * largest)) return false;
    for (int k = 0; k < problem->n_block; k++)
        if (!block_agrees(&t, y, &problem->block[k])) return false;
    return true;
}
