// SPDX-License-Identifier: Apache-2.0
// Alternating directions: the linear law on one copy of the impulses (x), the cones on another (z),
// with x = S P, A = S^-1 G S^-1, c = S^-1 b, S alike for the rows of a contact:
//
//     x = (A + rho)^-1 (rho (z - w) - c - mu rho |w_T| e_0)    De Saxce's term: y_T = -rho w_T
//     t = w + a x + (1 - a) z,  z = proj_K(t),  w = t - z      a: relaxation
//
// A + rho is factorised once for each rho, by L D L' where it is symmetric and by L U as
// it is where not, so that the fixed point is that of the problem; rho follows the ratio
// of the residuals. All in the variable t, whose steps Anderson's method accelerates where
// asked. Close to the end Newton on the laws gives the last digits; where that fails, proximal
// steps do (solvers/prox.c).
//
// S. Boyd et al., Distributed optimization and statistical learning via the alternating direction
// method of multipliers, 2011.
#include "contact/newton/acceleration.h"
#include "contact/newton/polish.h"
#include "contact/problem/cone_form.h"
#include "contact/solver.h"
#include "math/cone.h"

#include <string.h>

enum { CHECK_EVERY = 8, FIRST_BALANCE = 16, N_VECTOR = 8 };
static const double FIRST_RHO = 0.3, POLISH_BELOW = 1e-3;

enum { ITERATIONS = CAROM_OPTION_TOLERANCE + 1, RELAXATION, MEMORY, PROXIMAL };
static const carom_option rows[] = {
    [CAROM_OPTION_TOLERANCE] = CAROM_TOLERANCE_ROW,
    [ITERATIONS] = {"iterations", CAROM_INTEGER, 400, 1, 1e9, NULL,
                    "most iterations before the proximal steps"},
    [RELAXATION] = {"relaxation", CAROM_REAL, 1.6, 1, 1.95, NULL,
                    "1 = plain, above 1 = over-relaxed"},
    [MEMORY] = {"memory", CAROM_INTEGER, 0, 0, CAROM_ANDERSON_MOST, NULL,
                "differences for Anderson acceleration, 0 = none"},
    [PROXIMAL] = {"proximal", CAROM_INTEGER, 1000, 0, 1e9, NULL,
                  "most Newton steps of the proximal iteration at the end, 0 = none"},
    {0},
};

typedef struct admm {
    const carom_problem *problem;
    carom_blend blend;
    carom_polish polish;
    carom_anderson anderson;
    double *s, *x, *z, *t, *f, *P, *best, *old; // (n_row)
    double *C;                                  // (3 n_row)
    double rho, size, residual;
    double primal, dual; // |x - z|, rho |z - old| relative to their sizes
} admm;

static size_t n_work(int max_row)
{
    const size_t own = (N_VECTOR + 3) * (size_t)max_row + carom_polish_work(max_row) +
                       carom_anderson_work(max_row, CAROM_ANDERSON_MOST) +
                       carom_blend_work(max_row);
    const size_t after = carom_solver_prox.n_work(max_row); // in the same memory
    return own > after ? own : after;
}

static size_t n_index(int max_row)
{
    const size_t own = carom_blend_index(max_row), after = carom_solver_prox.n_index(max_row);
    return own > after ? own : after;
}

static bool cut(admm *a, const carom_attempt *attempt)
{
    const int n_row = attempt->problem->n_row;
    const size_t n = (size_t)n_row;
    double **const vector[N_VECTOR] = {&a->s, &a->x, &a->z, &a->t, &a->f, &a->P, &a->best, &a->old};
    double *work = attempt->work;
    *a = (admm){.problem = attempt->problem, .residual = INFINITY, .rho = FIRST_RHO};
    for (int i = 0; i < N_VECTOR; i++, work += n) *vector[i] = work;
    a->C = work;
    work += 3 * n;
    a->anderson = carom_anderson_cut(n_row, (int)attempt->option[MEMORY], work);
    work += carom_anderson_work(n_row, CAROM_ANDERSON_MOST);
    a->size = carom_cone_scaling(attempt->problem, true, a->s);
    const bool is_open = carom_blend_open(&a->blend, attempt->problem, a->s,
                                          work + carom_polish_work(n_row), attempt->index);
    a->polish = carom_polish_cut(&a->blend, work);
    return is_open;
}

static bool factor(admm *a)
{
    for (int i = 0; i < a->problem->n_row; i++) {
        const carom_block *block = &a->problem->block[a->blend.block_of[i]];
        double *C = a->C + 3 * (size_t)i;
        C[0] = C[1] = C[2] = 0;
        C[carom_block_is_equality(block) ? 0 : i - block->first] = a->rho;
    }
    return carom_blend_factor_once(&a->blend, a->C);
}

// z = proj_K(t)
static void project_on_cones(admm *a)
{
    memcpy(a->z, a->t, sizeof *a->z * (size_t)a->problem->n_row);
    for (int k = 0; k < a->problem->n_block; k++) {
        const carom_block *block = &a->problem->block[k];
        carom_cone_project_block(block, carom_cone_reach(block, a->s, a->size, a->z),
                                 a->z + block->first);
    }
}

// z and x from t, and the step f of t
static void iterate(admm *a, double relaxation)
{
    const carom_problem *problem = a->problem;
    project_on_cones(a);
    for (int i = 0; i < problem->n_row; i++)
        a->x[i] = a->rho * (2 * a->z[i] - a->t[i]) - problem->b[i] / (a->s[i] * a->size);
    for (int k = 0; k < problem->n_block; k++) {
        const carom_block *block = &problem->block[k];
        const int first = block->first, dim = carom_cone_dim(block);
        double w[2] = {0, 0};
        for (int i = 1; i < dim; i++) w[i - 1] = a->t[first + i] - a->z[first + i];
        if (dim > 1) a->x[first] -= block->mu * a->rho * carom_cone_length(dim - 1, w);
    }
    carom_blend_solve(&a->blend, a->x);
    for (int i = 0; i < problem->n_row; i++) a->f[i] = relaxation * (a->x[i] - a->z[i]);
}

// the two residuals since the last z
static void weigh_residuals(admm *a)
{
    double xz = 0, zz = 0, dz = 0, ww = 0;
    for (int i = 0; i < a->problem->n_row; i++) {
        const double gap = a->x[i] - a->z[i], move = a->z[i] - a->old[i], w = a->t[i] - a->z[i];
        xz += gap * gap;
        dz += move * move;
        zz += a->z[i] * a->z[i];
        ww += w * w;
    }
    a->primal = zz > 0 ? sqrt(xz / zz) : 0;
    a->dual = ww > 0 ? sqrt(dz / ww) : 0;
}

// a new rho keeps z and y = -rho w
static bool balance_rho(admm *a)
{
    const double ratio = a->dual > 0 ? sqrt(a->primal / a->dual) : 1;
    if (!(ratio > 3 || ratio < 1.0 / 3)) return true;
    const double factor_by = ratio > 5 ? 5 : ratio < 0.2 ? 0.2 : ratio;
    a->rho *= factor_by;
    for (int i = 0; i < a->problem->n_row; i++) a->t[i] = a->z[i] + (a->t[i] - a->z[i]) / factor_by;
    carom_anderson_forget(&a->anderson);
    return factor(a);
}

static void keep_best(admm *a)
{
    const size_t size = sizeof *a->P * (size_t)a->problem->n_row;
    for (int i = 0; i < a->problem->n_row; i++) a->P[i] = a->z[i] * a->size / a->s[i];
    const double residual = carom_residual_formed(a->problem, a->P);
    if (!(residual < a->residual)) return;
    a->residual = residual;
    memcpy(a->best, a->P, size);
}

// from a guess: z is its part in the cone, w follows from the rates
static void start(admm *a, const double *P)
{
    const int n = a->problem->n_row;
    a->residual = carom_residual_formed(a->problem, P);
    memcpy(a->best, P, sizeof *P * (size_t)n);
    for (int i = 0; i < n; i++) a->x[i] = P[i] * a->s[i] / a->size;
    carom_blend_product(&a->blend, a->x, a->f);
    for (int i = 0; i < n; i++) a->f[i] += a->problem->b[i] / (a->s[i] * a->size);
    for (int k = 0; k < a->problem->n_block; k++) {
        const carom_block *block = &a->problem->block[k];
        double *y = a->f + block->first;
        const int dim = carom_cone_dim(block);
        if (dim > 1) y[0] += block->mu * carom_cone_length(dim - 1, y + 1);
    }
    for (int i = 0; i < n; i++) a->t[i] = a->x[i] - a->f[i] / a->rho;
}

// true where the last digits came and are good
static bool finish_digits(admm *a, double tolerance, double *polished)
{
    if (!(a->residual < *polished)) return a->residual <= tolerance;
    *polished = 0.3 * a->residual;
    a->residual = carom_polish_run(&a->polish, a->best, a->residual, tolerance, a->P);
    return a->residual <= tolerance || !factor(a);
}

static carom_status run_iterations(admm *a, carom_attempt *attempt)
{
    const double *option = attempt->option;
    const int n_iteration = (int)option[ITERATIONS], n = a->problem->n_row;
    const bool is_plain = option[MEMORY] < 1;
    int next_balance = FIRST_BALANCE;
    double polished = POLISH_BELOW;
    start(a, attempt->P);
    if (!factor(a)) return CAROM_OK;
    for (int i = 0; i < n_iteration; i++) {
        attempt->iterations++;
        memcpy(a->old, a->z, sizeof *a->z * (size_t)n);
        iterate(a, option[RELAXATION]);
        if (i % CHECK_EVERY == CHECK_EVERY - 1) {
            keep_best(a);
            if (finish_digits(a, option[CAROM_OPTION_TOLERANCE], &polished)) break;
        }
        if (i + 1 == next_balance) {
            next_balance *= 2;
            weigh_residuals(a);
            const double before = a->rho;
            if (!balance_rho(a)) break;
            if (a->rho != before) continue;
        }
        for (int k = 0; k < n && is_plain; k++) a->t[k] += a->f[k];
        if (!is_plain) carom_anderson_next(&a->anderson, a->t, a->f);
    }
    return CAROM_OK;
}

static carom_status admm_solve(carom_attempt *attempt)
{
    admm a;
    attempt->solver = "admm";
    const carom_status status =
        cut(&a, attempt) ? run_iterations(&a, attempt)
                         : carom_fail(attempt->error, CAROM_NO_MEMORY,
                                      "no memory for %d contact rows", attempt->problem->n_row);
    carom_blend_close(&a.blend);
    if (status != CAROM_OK) return status;
    memcpy(attempt->P, a.best, sizeof *attempt->P * (size_t)attempt->problem->n_row);
    attempt->residual = a.residual;
    carom_solver_go_on(&carom_solver_prox, attempt, (int)attempt->option[PROXIMAL]);
    return CAROM_OK;
}

const carom_solver carom_solver_admm = {
    .facts = {"admm",
              "alternating directions with one factorisation, fair answers to large problems", true,
              true, true, true, 0, rows},
    .eliminates = true,
    .n_work = n_work,
    .n_index = n_index,
    .solve = admm_solve,
};
