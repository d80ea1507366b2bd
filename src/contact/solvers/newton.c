// SPDX-License-Identifier: Apache-2.0
// Semismooth Newton on the Alart-Curnier functions F(P) = 0 (contact/natural.h), with r = 1/|G_ii|.
// Rows of open contacts are trivial and left out; the rest is solved by LU, or by minimum norm
// where it is singular (redundant contacts). The step is halved until F shrinks against the last
// few iterates. Where that stalls, the proximal point iteration takes over: Newton on the regular
// problem (G + d I) P + b - d P_k, P_k+1 = P, with d going down. Large problems go the sparse way
// (memory from the heap).
//
// P. Alart, A. Curnier, A mixed formulation for frictional contact problems, 1991.
// R. T. Rockafellar, Monotone operators and the proximal point algorithm, 1976.
#include "contact/natural.h"
#include "contact/solver.h"
#include "contact/sparse_step.h"
#include "math/dense.h"

#include <string.h>

enum { N_MEMORY = 4, N_HALVING = 8, PATIENCE = 10, N_INNER = 25, N_PROXIMAL = 40 };

static const carom_option rows[] = {
    CAROM_TOLERANCE_ROW,
    {"iterations", CAROM_INTEGER, 100, 1, 1e6, NULL,
     "most Newton steps before the proximal iteration"},
    {0},
};

typedef struct newton {
    const carom_problem *problem;
    carom_natural natural;
    double *step, *trial, *best, *good, *center, *A, *x, *work;
    int *free, *pivot;       // rows that are not trivial
    double memory[N_MEMORY]; // lengths of F at the last iterates
    double residual;         // of best
    bool is_dense;
    int iterations;
} newton;

static size_t n_work(int max_row)
{
    const size_t m = (size_t)max_row, n = m < CAROM_DENSE_LIMIT ? m : CAROM_DENSE_LIMIT;
    return 6 * m + carom_natural_work(max_row) + n * n + carom_dense_room((int)n, 1);
}

static size_t n_index(int max_row)
{
    return 2 * (size_t)max_row;
}

static newton cut(const carom_attempt *attempt)
{
    const carom_problem *problem = attempt->problem;
    const size_t n = (size_t)problem->n_row;
    double *work = attempt->work + 6 * n + carom_natural_work((int)n);
    newton a = {.problem = problem, .residual = INFINITY};
    a.is_dense = problem->G.dense && n <= CAROM_DENSE_LIMIT;
    a.step = attempt->work;
    a.trial = attempt->work + n;
    a.best = attempt->work + 2 * n;
    a.good = attempt->work + 3 * n;
    a.x = attempt->work + 4 * n;
    a.center = attempt->work + 5 * n;
    a.natural = carom_natural_cut(problem, attempt->work + 6 * n);
    a.free = attempt->index;
    a.pivot = attempt->index + n;
    if (!a.is_dense) return a;
    a.A = work;
    a.work = work + n * n;
    return a;
}

// the derivative's entry (i, j)
static double derivative(const newton *a, const carom_natural_row *row, int j)
{
    const double *column = a->problem->G.dense + (size_t)j * (size_t)a->problem->n_row + row->first;
    double sum = j >= row->first && j < row->first + row->dim ? row->own[j - row->first] : 0;
    for (int k = 0; k < row->dim; k++) sum += row->rate[k] * column[k];
    return sum;
}

// trivial rows give their step at once; the others are listed
static int list_free(newton *a)
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

static void step_dense(newton *a)
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

static bool find_step(newton *a)
{
    if (!a->is_dense) return carom_sparse_step(&a->natural, a->step);
    step_dense(a);
    return true;
}

static void keep_best(newton *a, const double *P, double length, int iteration, int *since)
{
    // of a proximal step only the length of F matters
    const double residual =
        a->natural.shift > 0 ? length / a->natural.scale : carom_contact_residual(a->problem, P);
    if (!(residual < a->residual)) return;
    if (residual < 0.5 * a->residual) *since = iteration;
    a->residual = residual;
    memcpy(a->best, P, sizeof *P * (size_t)a->problem->n_row);
}

// goes along the step until F is shorter than at some recent iterate, or to the shortest F seen
static double search(newton *a, double *P)
{
    const int n = a->problem->n_row;
    double limit = 0, shortest = INFINITY, factor = 1, best_factor = 1;
    for (int i = 0; i < N_MEMORY; i++) limit = carom_larger(limit, a->memory[i]);
    for (int i = 0; i < N_HALVING; i++, factor *= 0.5) {
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

// Newton from P, with a proximal shift towards center where shift > 0; P becomes the best iterate.
// Returns its residual.
static double iterate(newton *a, double shift, double *P, double tolerance, int n_iteration)
{
    int since = 0;
    const int patience = PATIENCE + a->problem->n_row / 16; // news travels contact by contact
    a->natural.shift = shift;
    a->natural.center = a->center;
    a->residual = INFINITY;
    double length = carom_natural_at(&a->natural, P);
    for (int i = 0; i < N_MEMORY; i++) a->memory[i] = length;
    for (int i = 0;; i++) {
        keep_best(a, P, length, i, &since);
        if (a->residual <= tolerance || i - since > patience || i >= n_iteration ||
            !(length < INFINITY))
            break;
        a->iterations++;
        if (!find_step(a)) break;
        length = search(a, P);
        a->memory[i % N_MEMORY] = length;
    }
    if (a->residual < INFINITY) memcpy(P, a->best, sizeof *P * (size_t)a->problem->n_row);
    return a->residual;
}

// keeps P in good where it is better than what is there
static double keep_good(newton *a, const double *P, double best)
{
    const double residual = carom_contact_residual(a->problem, P);
    if (residual < best) memcpy(a->good, P, sizeof *P * (size_t)a->problem->n_row);
    return residual < best ? residual : best;
}

static double proximal(newton *a, double *P, double tolerance)
{
    const size_t size = sizeof *P * (size_t)a->problem->n_row;
    double best = keep_good(a, P, INFINITY), d = 0.1;
    for (int k = 0; k < N_PROXIMAL && best > tolerance; k++) {
        memcpy(a->center, P, size);
        const bool is_solved =
            iterate(a, d, P, 1e-3 * best + tolerance, N_INNER + a->problem->n_row / 8) <= 1e-2;
        const double before = best;
        best = keep_good(a, P, best);
        if (best < 1e-3 && best < before) {
            // near the end plain Newton is quick
            iterate(a, 0, P, tolerance, 6);
            best = keep_good(a, P, best);
        }
        if (is_solved && d > 1e-6) d *= 0.4;
        if (!is_solved && d < 10) d *= 6;
    }
    memcpy(P, a->good, size);
    return best;
}

static carom_status solve(carom_attempt *attempt)
{
    newton a = cut(attempt);
    const double tolerance = attempt->option[CAROM_OPTION_TOLERANCE];
    const int n_iteration = (int)attempt->option[CAROM_OPTION_ITERATIONS];
    attempt->solver = "newton";
    double residual = iterate(&a, 0, attempt->P, tolerance, n_iteration);
    if (residual > 1e-2 * CAROM_CONTACT_TOLERANCE && residual < INFINITY)
        residual = proximal(&a, attempt->P, tolerance);
    attempt->iterations += a.iterations;
    attempt->residual = residual;
    return CAROM_OK;
}

const carom_solver carom_solver_newton = {
    .facts = {"newton", "semismooth Newton (Alart-Curnier), minimum norm where singular", true,
              true, 0, rows},
    .n_work = n_work,
    .n_index = n_index,
    .solve = solve,
};
