// SPDX-License-Identifier: Apache-2.0
// How well impulses satisfy the laws, from (problem, P) alone. With s = sqrt|G_ii|, the variables
// p = s P and x = xi/s have the same unit in every row (sqrt of energy), and the natural map
//
//     p - proj(p - x)      on R (bilateral), R+ (normal), the disc of radius s mu P_N (tangential)
//
// (P_N less its given part, or the disc of a given radius, or radius + mu Q_N of its contact)
// vanishes exactly at a solution. Its
// largest entry is divided by the largest |b|/s, or |p| up to 1e3 times that: huge impulses that
// cancel (a direction in which G is singular) must not make violations look small. Nor may
// rounding: a violation below eps |p| cannot be told from one.
#include "contact/problem/problem.h"
#include "contact/solver.h"
#include "math/cone.h"

#include <float.h>
#include <stdlib.h>

enum { N_BUFFER = CAROM_DENSE_LIMIT };

typedef struct tally {
    double worst, largest_p, largest_b;
    double sum; // of everything: finite as long as all numbers are
} tally;

static inline void count_violation(tally *t, double violation, double p, double force)
{
    t->worst = carom_larger(t->worst, fabs(violation));
    t->largest_p = carom_larger(t->largest_p, fabs(p));
    t->largest_b = carom_larger(t->largest_b, fabs(force));
    t->sum += fabs(p) + fabs(force);
}

typedef struct view {
    const carom_problem *problem;
    const double *P, *xi, *b, *dense;
    ptrdiff_t to_next; // diagonal entry of a dense matrix
} view;

// sqrt|G_ii|
static inline double scale_of(const view *v, int i)
{
    const double diagonal = v->dense ? v->dense[v->to_next * i] : 0;
    return sqrt(diagonal != 0 ? fabs(diagonal) : carom_matrix_size(&v->problem->G, i));
}

// the normal of a contact, s its scale, lower the given part of its impulse
static inline void count_normal(tally *t, const view *v, int i, double s, double lower)
{
    const double inverse = 1 / s, x = inverse * v->xi[i], p = s * v->P[i];
    const double q = s * (v->P[i] - lower);
    t->sum += fabs(x);
    count_violation(t, x < q ? x : q, p, inverse * v->b[i]);
}

// the tangent of a contact in the plane
static inline void count_tangent(tally *t, const view *v, int i, double s, const carom_block *block)
{
    const double inverse = 1 / s, p = s * v->P[i], y = p - inverse * v->xi[i];
    const double limit = carom_larger(s * block->mu * (v->P[i - 1] - block->lower), 0);
    t->sum += fabs(v->xi[i]);
    count_violation(t, p - carom_larger(y < limit ? y : limit, -limit), p, inverse * v->b[i]);
}

// a disc of radius mu Q: the two tangents of a contact in space, or (mu = 1) a block of given
// radius
static tally count_disc(view v, int first, int dim, double mu, double Q)
{
    const double *p = v.P + first, *x = v.xi + first, *b = v.b + first;
    double y[3], s = 0;
    tally t = {0};
    // one size for the block keeps the disc a disc
    for (int i = 0; i < dim; i++) s = carom_larger(s, scale_of(&v, first + i));
    const double inverse = 1 / s;
    for (int i = 0; i < dim; i++) {
        y[i] = s * p[i] - inverse * x[i];
        t.sum += fabs(x[i]);
    }
    carom_cone_disc(s * mu * Q, dim, y);
    for (int i = 0; i < dim; i++) count_violation(&t, s * p[i] - y[i], s * p[i], inverse * b[i]);
    return t;
}

static inline void count_bilateral(tally *t, const view *v, const carom_block *block)
{
    for (int i = block->first; i < block->first + block->dim; i++) {
        const double s = scale_of(v, i), inverse = 1 / s, x = inverse * v->xi[i];
        t->sum += fabs(x);
        count_violation(t, x, s * v->P[i], inverse * v->b[i]);
    }
}

static inline tally joined(tally a, tally b)
{
    return (tally){carom_larger(a.worst, b.worst), carom_larger(a.largest_p, b.largest_p),
                   carom_larger(a.largest_b, b.largest_b), a.sum + b.sum};
}

static inline view view_of(const carom_problem *problem, const double *P, const double *xi)
{
    return (view){problem, P, xi, problem->b, problem->G.dense, problem->G.n + 1};
}

static inline __attribute__((always_inline)) tally count_block(view v, const carom_block *block)
{
    const int i = block->first;
    tally t = {0};
    if (carom_block_is_disc(block))
        return count_disc(v, i, block->dim, 1, carom_disc_reach(block, v.P));
    if (block->is_bilateral) {
        count_bilateral(&t, &v, block);
        return t;
    }
    count_normal(&t, &v, i, scale_of(&v, i), block->lower);
    if (block->dim == 2) count_tangent(&t, &v, i + 1, scale_of(&v, i + 1), block);
    if (block->dim < 3) return t;
    return joined(t, count_disc(v, i + 1, 2, block->mu, v.P[i] - block->lower));
}

static __attribute__((noinline)) tally count_any(const carom_problem *problem, const double *P,
                                                 const double *xi)
{
    const view v = view_of(problem, P, xi);
    tally t = {0};
    for (int k = 0; k < problem->n_block; k++) t = joined(t, count_block(v, &problem->block[k]));
    return t;
}

// most problems of a simulation, in short code: constraints, contacts in the plane or without
// friction, G dense and without 0 on its diagonal; false for others
static inline bool count_plane(tally *t, const view *v)
{
    const carom_block *block = v->problem->block;
    for (int k = 0, n = v->problem->n_block; k < n; k++, block++) {
        const int i = block->first;
        const double *diagonal = v->dense + v->to_next * i;
        if (carom_block_is_disc(block)) return false;
        if (block->is_bilateral) {
            count_bilateral(t, v, block);
            continue;
        }
        if (block->dim > 2 || *diagonal == 0) return false;
        count_normal(t, v, i, sqrt(fabs(*diagonal)), block->lower);
        if (block->dim == 1) continue;
        diagonal += v->to_next;
        if (*diagonal == 0) return false;
        count_tangent(t, v, i + 1, sqrt(fabs(*diagonal)), block);
    }
    return true;
}

static inline double residual_of(tally t)
{
    if (!(t.sum < INFINITY)) return INFINITY;
    const double most = 1e3 * t.largest_b;
    const bool is_huge = most > 0 && t.largest_p > most;
    const double p = is_huge ? most : t.largest_p;
    // impulses so large that rates are lost in rounding prove nothing
    if (is_huge) t.worst = carom_larger(t.worst, DBL_EPSILON * t.largest_p);
    return t.worst > 0 ? t.worst / carom_larger(p, t.largest_b) : 0;
}

double carom_residual_at(const carom_problem *problem, const double *P, const double *xi)
{
    const view v = view_of(problem, P, xi);
    tally t = {0};
    if (!v.dense || !count_plane(&t, &v)) t = count_any(problem, P, xi);
    return residual_of(t);
}

// the rates at P, in the buffer where they fit; NULL without memory
static double *find_rates(const carom_problem *problem, const double *P, double *buffer)
{
    double *xi = problem->n_row <= N_BUFFER ? buffer : malloc(sizeof *xi * (size_t)problem->n_row);
    if (xi) carom_problem_rates(problem, P, xi);
    return xi;
}

static bool is_formed(const carom_problem *problem, const double *P)
{
    return problem && (P || problem->n_row == 0) &&
           carom_problem_check(problem, problem->n_row, NULL) == CAROM_OK;
}

double carom_contact_residual(const carom_problem *problem, const double *P)
{
    return is_formed(problem, P) ? carom_residual_formed(problem, P) : NAN;
}

double carom_residual_formed(const carom_problem *problem, const double *P)
{
    double buffer[N_BUFFER], *xi = find_rates(problem, P, buffer);
    const double residual = xi ? carom_residual_at(problem, P, xi) : INFINITY;
    if (xi != buffer) free(xi);
    return residual;
}

int carom_contact_worst_row(const carom_problem *problem, const double *P)
{
    double buffer[N_BUFFER], *xi = find_rates(problem, P, buffer), worst = -1;
    const view v = view_of(problem, P, xi);
    int row = -1;
    for (int k = 0; xi && k < problem->n_block; k++) {
        // a block of constraints has several that may be meant, a contact only one
        const carom_block *block = &problem->block[k];
        const bool is_group = carom_block_is_equality(block);
        carom_block part = *block;
        part.dim = 1;
        for (; part.first < block->first + (is_group ? block->dim : 1); part.first++) {
            const tally t = count_block(v, is_group ? &part : block);
            if (t.worst <= worst) continue;
            worst = t.worst;
            row = part.first;
        }
    }
    if (xi != buffer) free(xi);
    return row;
}

double carom_contact_cone_violation(const carom_problem *problem, const double *P)
{
    if (!problem || !P) return NAN;
    double worst = 0;
    const carom_block *block = problem->block;
    for (int k = 0, n = problem->n_block; k < n; k++, block++) {
        const double *p = P + block->first;
        if (carom_block_is_disc(block))
            worst =
                carom_larger(worst, carom_cone_length(block->dim, p) - carom_disc_reach(block, P));
        if (block->is_bilateral || block->dim < 2) continue;
        const double length = block->dim == 2 ? fabs(p[1]) : sqrt(p[1] * p[1] + p[2] * p[2]);
        worst = carom_larger(worst, length - block->mu * (p[0] - block->lower));
    }
    return worst;
}

// adds the squares of a block's natural map, and of P and xi; reach: of a disc
static void count_errors(const carom_block *block, double reach, const double *P, const double *xi,
                         double sum[3])
{
    double y[3] = {0, 0, 0};
    for (int i = 0; i < block->dim; i++) {
        sum[1] += P[i] * P[i];
        sum[2] += xi[i] * xi[i];
        if (carom_block_is_equality(block)) sum[0] += xi[i] * xi[i];
    }
    if (carom_block_is_equality(block)) return;
    for (int i = 0; i < block->dim; i++) y[i] = P[i] - xi[i];
    if (carom_block_is_disc(block)) {
        carom_cone_disc(reach, block->dim, y);
    } else {
        const double mu = block->dim > 1 ? block->mu : 0;
        y[0] -= mu * carom_cone_length(block->dim - 1, xi + 1);
        y[0] -= block->lower;
        carom_cone_project(mu, block->dim, y);
        y[0] += block->lower;
    }
    for (int i = 0; i < block->dim; i++) sum[0] += (P[i] - y[i]) * (P[i] - y[i]);
}

void carom_errors_at(const carom_problem *problem, const double *P, const double *xi,
                     double *err_rel, double *err_max)
{
    double sum[3] = {0, 0, 0}, force = 0;
    for (int i = 0; i < problem->n_row; i++) force += problem->b[i] * problem->b[i];
    for (int k = 0; k < problem->n_block; k++) {
        const carom_block *block = &problem->block[k];
        const double reach = carom_block_is_disc(block) ? carom_disc_reach(block, P) : 0;
        count_errors(block, reach, P + block->first, xi + block->first, sum);
    }
    const double largest = carom_larger(force, carom_larger(sum[1], sum[2]));
    if (err_rel) *err_rel = sqrt(force > 0 ? sum[0] / force : sum[0]);
    if (err_max) *err_max = sqrt(largest > 0 ? sum[0] / largest : sum[0]);
}

void carom_contact_errors(const carom_problem *problem, const double *P, double *err_rel,
                          double *err_max)
{
    if (err_rel) *err_rel = INFINITY;
    if (err_max) *err_max = INFINITY;
    if (!is_formed(problem, P)) return;
    double buffer[N_BUFFER], *xi = find_rates(problem, P, buffer);
    if (xi) carom_errors_at(problem, P, xi, err_rel, err_max);
    if (xi != buffer) free(xi);
}
