// SPDX-License-Identifier: Apache-2.0
// Semismooth Newton on F(P) = 0 (contact/problem/natural.h),
//
//     F'(P) step = -F(P),     P := P + factor step
//
// Rows of open contacts are trivial and left out. Small problems: LU, or minimum norm where
// singular; large ones: sparse block LU. The step is halved (n_trial - 1 times at most) until F
// shrinks against the last few iterates, or taken where F was shortest. Measured on stacks, walls
// and packings, full steps around a proximal center (n_trial = 1) succeed far more often than long
// searches, which end at kinks of F.
//
// L. Grippo, F. Lampariello, S. Lucidi, A nonmonotone line search technique for Newton's method,
// 1986.
#include "contact/newton/semismooth.h"

#include "math/dense.h"

#include <string.h>

enum { PATIENCE = 10 };

size_t carom_semismooth_work(int max_row)
{
    const size_t m = (size_t)max_row, n = m < CAROM_DENSE_LIMIT ? m : CAROM_DENSE_LIMIT;
    const size_t dense = n * n + carom_dense_room((int)n, 1), bodies = 6 * m;
    return 6 * m + carom_natural_work(max_row) + (dense > bodies ? dense : bodies);
}

size_t carom_semismooth_index(int max_row)
{
    return 2 * (size_t)max_row;
}

carom_semismooth carom_semismooth_cut(const carom_attempt *attempt)
{
    const carom_problem *problem = attempt->problem;
    const size_t n = (size_t)problem->n_row;
    double *work = attempt->work + 6 * n + carom_natural_work((int)n);
    carom_semismooth a = {.problem = problem, .lu = attempt->lu, .length = INFINITY, .n_trial = 1};
    a.is_dense = problem->G.dense;
    a.bodies = attempt->bodies;
    a.step = attempt->work;
    a.trial = attempt->work + n;
    a.best = attempt->work + 2 * n;
    a.good = attempt->work + 3 * n;
    a.x = attempt->work + 4 * n;
    a.center = attempt->work + 5 * n;
    a.natural = carom_natural_cut(problem, attempt->work + 6 * n);
    a.free = attempt->index;
    a.pivot = attempt->index + n;
    a.R = work;
    if (!a.is_dense) return a;
    a.A = work;
    a.work = work + n * n;
    return a;
}

// the derivative's entry (i, j)
static double derivative(const carom_semismooth *a, const carom_natural_row *row, int j)
{
    const double *column = a->problem->G.dense + (size_t)j * (size_t)a->problem->n_row + row->first;
    double sum = j >= row->first && j < row->first + row->dim ? row->own[j - row->first] : 0;
    for (int k = 0; k < row->dim; k++) sum += row->rate[k] * column[k];
    if (row->back > 0 && j == row->first - row->back) sum += row->load;
    return sum;
}

// trivial rows give their step at once; the others are listed
static int list_free(carom_semismooth *a)
{
    int m = 0;
    for (int i = 0; i < a->problem->n_row; i++) {
        if (a->natural.row[i].is_identity)
            a->step[i] = -a->natural.F[i];
        else
            a->free[m++] = i;
    }
    return m;
}

static void step_dense(carom_semismooth *a)
{
    const int n = a->problem->n_row, m = list_free(a);
    for (int i = 0; i < m; i++) {
        const carom_natural_row *row = &a->natural.row[a->free[i]];
        a->x[i] = -a->natural.F[a->free[i]];
        for (int j = 0; j < m; j++) a->A[j * m + i] = derivative(a, row, a->free[j]);
        for (int j = 0; j < n; j++)
            if (a->natural.row[j].is_identity && a->step[j] != 0)
                a->x[i] -= derivative(a, row, j) * a->step[j];
    }
    carom_dense_solve(m, a->A, 1, a->x, a->work, a->pivot);
    for (int i = 0; i < m; i++) a->step[a->free[i]] = a->x[i];
}

// the matrix of the step is own + rate G; its blocks stand where the roots of a relative scale are
static bool step_bodies(carom_semismooth *a)
{
    carom_body_blend *blend = &a->bodies->blend;
    const carom_problem *problem = a->problem;
    const double *F = a->natural.F;
    double *R = a->R, *C = a->R + 3 * (size_t)problem->n_row;
    if (!carom_body_blend_open(blend, &a->bodies->form, &a->bodies->lu, NULL)) return false;
    memset(R, 0, 6 * sizeof *R * (size_t)problem->n_row);
    for (int k = 0; k < problem->n_block; k++) {
        const carom_block *block = &problem->block[k];
        const bool is_equality = carom_block_is_equality(block);
        for (int i = block->first; i < block->first + block->dim; i++) {
            const carom_natural_row *row = &a->natural.row[i];
            for (int j = 0; j < row->dim; j++) {
                const int at = 3 * i + (is_equality ? 0 : row->first + j - block->first);
                R[at] = row->rate[j];
                C[at] = row->own[j];
            }
            // an equation r xi + ... = 0 is one for xi
            const double factor = is_equality ? 1 / R[3 * i] : 1;
            C[3 * i] *= factor;
            a->step[i] = -F[i] * factor;
        }
    }
    if (!carom_body_blend_factor(blend, R, C)) return false;
    carom_body_blend_solve(blend, a->step);
    return true;
}

static bool find_step(carom_semismooth *a)
{
    if (a->bodies) return step_bodies(a);
    if (!a->is_dense) return carom_block_lu_step(a->lu, &a->natural, a->step);
    step_dense(a);
    return true;
}

// goes along the step until F is shorter than at some recent iterate, or to the shortest F seen
static double search_along_step(carom_semismooth *a, double *P)
{
    const int n = a->problem->n_row;
    double limit = 0, shortest = INFINITY, factor = 1, best_factor = 1;
    for (int i = 0; i < CAROM_NEWTON_MEMORY; i++) limit = carom_larger(limit, a->memory[i]);
    for (int i = 0; i < a->n_trial; i++, factor *= 0.5) {
        for (int k = 0; k < n; k++) a->trial[k] = P[k] + factor * a->step[k];
        const double length = carom_natural_at(&a->natural, a->trial);
        if (length < shortest) {
            shortest = length;
            best_factor = factor;
        }
        if (length <= (1 - 1e-4 * factor) * limit) break;
    }
    for (int k = 0; k < n; k++) P[k] += best_factor * a->step[k];
    return best_factor == factor ? shortest : carom_natural_at(&a->natural, P);
}

double carom_semismooth_iterate(carom_semismooth *a, double d, double *P, double goal, int n_most)
{
    const size_t size = sizeof *P * (size_t)a->problem->n_row;
    const int patience = PATIENCE + a->problem->n_row / 16; // news travels contact by contact
    int since = 0;
    carom_natural_shift(&a->natural, d, a->center);
    a->length = INFINITY;
    double length = carom_natural_at(&a->natural, P);
    for (int i = 0; i < CAROM_NEWTON_MEMORY; i++) a->memory[i] = length;
    for (int i = 0;; i++) {
        const double relative = a->natural.scale > 0 ? length / a->natural.scale : length;
        if (relative < 0.5 * a->length) since = i;
        if (relative < a->length) {
            a->length = relative;
            memcpy(a->best, P, size);
        }
        if (a->length <= goal || i - since > patience || i >= n_most || !(length < INFINITY)) break;
        a->iterations++;
        if (!find_step(a)) break;
        length = search_along_step(a, P);
        a->memory[i % CAROM_NEWTON_MEMORY] = length;
    }
    if (a->length < INFINITY) memcpy(P, a->best, size);
    return a->length;
}

double carom_semismooth_residual(carom_semismooth *a, const double *P)
{
    carom_problem_rates(a->problem, P, a->x);
    return carom_residual_at(a->problem, P, a->x);
}
