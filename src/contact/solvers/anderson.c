// SPDX-License-Identifier: Apache-2.0
// Projected fixed point steps with Anderson acceleration. Needs nothing but products
// with G: for problems too large to factorise, given by factors. With x = S P, S alike
// for the rows of a contact:
//
//     f(x) = proj_K(x - a y) - x,   y = S^-1 (G S^-1 x + b) + De Saxce's mu |y_T| e_0
//     a = 1.8 / largest eigenvalue of S^-1 G S^-1, by the power method
//
// G. De Saxce, Z.-Q. Feng, The bipotential method: a constructive approach to design the complete
// contact law with friction and improved numerical algorithms, 1998.
#include "contact/newton/acceleration.h"

#include "contact/problem/cone_form.h"
#include "contact/solver.h"
#include "math/cone.h"

#include <string.h>

enum { N_POWER = 12, N_VECTOR = 6 };

enum { ITERATIONS = CAROM_OPTION_TOLERANCE + 1, RELAXATION, MEMORY };
static const carom_option rows[] = {
    [CAROM_OPTION_TOLERANCE] = CAROM_TOLERANCE_ROW,
    [ITERATIONS] = {"iterations", CAROM_INTEGER, 20000, 1, 1e9, NULL,
                    "most products with the matrix"},
    [RELAXATION] = {"relaxation", CAROM_REAL, 1.8, 0.1, 1.95, NULL,
                    "length of a step, 2 = the limit of stability"},
    [MEMORY] = {"memory", CAROM_INTEGER, 10, 0, CAROM_ANDERSON_MOST, NULL,
                "differences for the acceleration, 0 = none"},
    {0},
};

typedef struct fixed_point {
    const carom_problem *problem;
    carom_anderson anderson;
    double *s, *x, *y, *f, *P, *best; // (n_row)
    double step, residual;
} fixed_point;

static size_t n_work(int max_row)
{
    return N_VECTOR * (size_t)max_row + carom_anderson_work(max_row, CAROM_ANDERSON_MOST);
}

static size_t n_index(int max_row)
{
    (void)max_row;
    return 0;
}

static fixed_point cut(const carom_attempt *attempt)
{
    fixed_point a = {.problem = attempt->problem, .residual = INFINITY};
    const size_t n = (size_t)attempt->problem->n_row;
    double **const vector[N_VECTOR] = {&a.s, &a.x, &a.y, &a.f, &a.P, &a.best};
    for (size_t i = 0; i < N_VECTOR; i++) *vector[i] = attempt->work + i * n;
    a.anderson =
        carom_anderson_cut((int)n, (int)attempt->option[MEMORY], attempt->work + N_VECTOR * n);
    carom_cone_scaling(attempt->problem, true, a.s);
    return a;
}

// the largest eigenvalue of S^-1 G S^-1, a little too small; x and y are scratch
static double find_largest(fixed_point *a)
{
    const int n = a->problem->n_row;
    double size = 1;
    for (int i = 0; i < n; i++) a->y[i] = 1 + 0.3 * (i % 7); // any start with no symmetry
    for (int k = 0; k < N_POWER; k++) {
        double sum = 0;
        for (int i = 0; i < n; i++) sum += a->y[i] * a->y[i];
        size = sqrt(sum);
        if (!(size > 0)) return 1;
        for (int i = 0; i < n; i++) a->P[i] = a->y[i] / (size * a->s[i]);
        carom_matrix_product(&a->problem->G, a->P, a->y);
        for (int i = 0; i < n; i++) a->y[i] /= a->s[i];
    }
    return size;
}

// P, y and the step f at x; the residual of P is kept where it is the best
static void evaluate_step(fixed_point *a)
{
    const carom_problem *problem = a->problem;
    const int n = problem->n_row;
    for (int i = 0; i < n; i++) a->P[i] = a->x[i] / a->s[i];
    carom_problem_rates(problem, a->P, a->y);
    const double residual = carom_residual_at(problem, a->P, a->y);
    if (residual < a->residual) {
        a->residual = residual;
        memcpy(a->best, a->P, sizeof *a->P * (size_t)n);
    }
    for (int i = 0; i < n; i++) a->y[i] /= a->s[i];
    for (int k = 0; k < problem->n_block; k++) {
        const carom_block *block = &problem->block[k];
        const int first = block->first, dim = carom_cone_dim(block);
        double *f = a->f + first;
        if (dim > 1) a->y[first] += block->mu * carom_cone_length(dim - 1, a->y + first + 1);
        for (int i = 0; i < block->dim; i++) f[i] = a->x[first + i] - a->step * a->y[first + i];
        carom_cone_project_block(block, carom_cone_reach(block, a->s, 1, a->f), f);
    }
    for (int i = 0; i < n; i++) a->f[i] -= a->x[i];
}

static carom_status anderson_solve(carom_attempt *attempt)
{
    fixed_point a = cut(attempt);
    const double *option = attempt->option;
    const int n = attempt->problem->n_row, n_iteration = (int)option[ITERATIONS];
    const bool is_plain = option[MEMORY] < 1;
    attempt->solver = "anderson";
    a.step = option[RELAXATION] / find_largest(&a);
    memcpy(a.best, attempt->P, sizeof *a.best * (size_t)n);
    for (int i = 0; i < n; i++) a.x[i] = attempt->P[i] * a.s[i];
    for (int k = 0; k < n_iteration; k++) {
        attempt->iterations++;
        evaluate_step(&a);
        if (a.residual <= option[CAROM_OPTION_TOLERANCE]) break;
        for (int i = 0; i < n && is_plain; i++) a.x[i] += a.f[i];
        if (!is_plain) carom_anderson_next(&a.anderson, a.x, a.f);
    }
    memcpy(attempt->P, a.best, sizeof *a.best * (size_t)n);
    attempt->residual = a.residual;
    return CAROM_OK;
}

const carom_solver carom_solver_anderson = {
    .facts = {"anderson", "accelerated projections: products with the matrix only, no factors",
              true, true, true, true, 0, rows},
    .eliminates = true,
    .n_work = n_work,
    .n_index = n_index,
    .solve = anderson_solve,
};
