// SPDX-License-Identifier: Apache-2.0
// How well impulses satisfy the laws, from (problem, P) alone. With s = sqrt|G_ii|, p = s P and x =
// xi/s have the same unit in every row (sqrt of energy), and the natural map
//
//     p - proj(p - x)      on R (bilateral), R+ (normal), the disc of radius s mu P_N (tangential)
//
// vanishes exactly at a solution. Its largest entry is divided by the largest |b|/s, or |p| up to
// 1e3 times that: huge impulses that cancel (a direction in which G is singular) must not make
// violations look small, and neither must their rounding, eps |p|, which counts as a violation
// there.
#include "contact/problem.h"
#include "contact/solver.h"
#include "math/cone.h"

#include <stdlib.h>

static const double ROUNDING = 2.2204460492503131e-16;
enum { N_BUFFER = CAROM_DENSE_LIMIT };

typedef struct tally {
    const carom_problem *problem;
    const double *P, *xi;
    double worst, largest_p, largest_b;
    double sum; // of everything: finite as long as all numbers are
} tally;

static inline void count(tally *t, double violation, double p, double force)
{
    t->worst = carom_larger(t->worst, fabs(violation));
    t->largest_p = carom_larger(t->largest_p, fabs(p));
    t->largest_b = carom_larger(t->largest_b, fabs(force));
    t->sum += fabs(p) + fabs(force);
}

// the rate of row i, and |G_ii|
static inline double rate(const tally *t, int i, double *size)
{
    const carom_matrix *G = &t->problem->G;
    const double diagonal = G->dense ? G->dense[(size_t)i * (size_t)G->n + (size_t)i] : 0;
    *size = diagonal != 0 ? fabs(diagonal) : carom_matrix_size(G, i);
    return t->xi[i];
}

static void count_tangential(tally *t, const carom_block *block)
{
    const int dim = block->dim - 1, first = block->first + 1;
    const double *P = t->P + first;
    double x[2] = {0, 0}, y[2] = {0, 0}, size = 0, own;
    for (int i = 0; i < dim; i++) {
        x[i] = rate(t, first + i, &own);
        size = carom_larger(size, own); // one size for the block keeps the disc a disc
    }
    const double s = sqrt(size), inverse = 1 / s;
    for (int i = 0; i < dim; i++) {
        y[i] = s * P[i] - inverse * x[i];
        t->sum += fabs(x[i]);
    }
    carom_cone_disc(s * block->mu * t->P[block->first], dim, y);
    for (int i = 0; i < dim; i++)
        count(t, s * P[i] - y[i], s * P[i], inverse * t->problem->b[first + i]);
}

static inline void count_row(tally *t, int i, bool is_bilateral)
{
    double size;
    const double xi = rate(t, i, &size), s = sqrt(size), inverse = 1 / s;
    const double x = inverse * xi, p = s * t->P[i];
    t->sum += fabs(x);
    count(t, is_bilateral || x < p ? x : p, p, inverse * t->problem->b[i]);
}

double carom_residual_at(const carom_problem *problem, const double *P, const double *xi)
{
    tally t = {problem, P, xi, 0, 0, 0, 0};
    for (int k = 0; k < problem->n_block; k++) {
        const carom_block *block = &problem->block[k];
        const int end = block->first + (block->is_bilateral ? block->dim : 1);
        for (int i = block->first; i < end; i++) count_row(&t, i, block->is_bilateral);
        if (!block->is_bilateral && block->dim > 1) count_tangential(&t, block);
    }
    if (!(t.sum < INFINITY)) return INFINITY;
    const double most = 1e3 * t.largest_b;
    const bool is_huge = most > 0 && t.largest_p > most;
    const double p = is_huge ? most : t.largest_p;
    // impulses so large that b is lost in the rounding of G P prove nothing
    if (is_huge) t.worst = carom_larger(t.worst, ROUNDING * t.largest_p);
    return t.worst > 0 ? t.worst / carom_larger(p, t.largest_b) : 0;
}

// the rates at P, in the buffer where they fit; NULL without memory
static double *find_rates(const carom_problem *problem, const double *P, double *buffer)
{
    double *xi = problem->n_row <= N_BUFFER ? buffer : malloc(sizeof *xi * (size_t)problem->n_row);
    if (xi) carom_problem_rates(problem, P, xi);
    return xi;
}

double carom_contact_residual(const carom_problem *problem, const double *P)
{
    double buffer[N_BUFFER], *xi = find_rates(problem, P, buffer);
    const double residual = xi ? carom_residual_at(problem, P, xi) : INFINITY;
    if (xi != buffer) free(xi);
    return residual;
}

double carom_contact_cone_violation(const carom_problem *problem, const double *P)
{
    double worst = 0;
    for (int k = 0; k < problem->n_block; k++) {
        const carom_block *block = &problem->block[k];
        if (block->is_bilateral || block->dim < 2) continue;
        const double length = carom_cone_length(block->dim - 1, P + block->first + 1);
        worst = carom_larger(worst, length - block->mu * P[block->first]);
    }
    return worst;
}

// adds the squares of a block's natural map, and of P and xi
static void count_errors(const carom_block *block, const double *P, const double *xi, double sum[3])
{
    double y[3] = {0, 0, 0};
    for (int i = 0; i < block->dim; i++) {
        sum[1] += P[i] * P[i];
        sum[2] += xi[i] * xi[i];
        if (block->is_bilateral) sum[0] += xi[i] * xi[i];
    }
    if (block->is_bilateral) return;
    const double mu = block->dim > 1 ? block->mu : 0;
    for (int i = 0; i < block->dim; i++) y[i] = P[i] - xi[i];
    y[0] -= mu * carom_cone_length(block->dim - 1, xi + 1);
    carom_cone_project(mu, block->dim, y);
    for (int i = 0; i < block->dim; i++) sum[0] += (P[i] - y[i]) * (P[i] - y[i]);
}

void carom_errors_at(const carom_problem *problem, const double *P, const double *xi,
                     double *err_rel, double *err_max)
{
    double sum[3] = {0, 0, 0}, force = 0;
    for (int i = 0; i < problem->n_row; i++) force += problem->b[i] * problem->b[i];
    for (int k = 0; k < problem->n_block; k++) {
        const carom_block *block = &problem->block[k];
        count_errors(block, P + block->first, xi + block->first, sum);
    }
    const double largest = carom_larger(force, carom_larger(sum[1], sum[2]));
    if (err_rel) *err_rel = sqrt(force > 0 ? sum[0] / force : sum[0]);
    if (err_max) *err_max = sqrt(largest > 0 ? sum[0] / largest : sum[0]);
}

void carom_contact_errors(const carom_problem *problem, const double *P, double *err_rel,
                          double *err_max)
{
    double buffer[N_BUFFER], *xi = find_rates(problem, P, buffer);
    if (err_rel) *err_rel = INFINITY;
    if (err_max) *err_max = INFINITY;
    if (xi) carom_errors_at(problem, P, xi, err_rel, err_max);
    if (xi != buffer) free(xi);
}
