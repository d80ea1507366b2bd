// SPDX-License-Identifier: Apache-2.0
// Nonsmooth block Gauss-Seidel: contact after contact is solved exactly with all others held, to
// and fro, until the residual is small. For each block k in turn:
//
//     q_k = xi_k - G_kk P_k             what the others do to it
//     P_k := answer of the law on xi_k = G_kk P_k + q_k      (contact/small/local.h, disc.h)
//
// A relaxation other than 1 takes a part of the change, or more than all of it, and goes back into
// the cone. Bilateral blocks are solved by LU or minimum norm, row by row where they are large.
// Robust, without memory for factors, and slow: its digits come one by one. With momentum
// (contact/newton/momentum.h) a pair of sweeps begins beyond where the last one ended; q_k does not
// contain P_k, so that it may begin outside of the cones.
//
// M. Jean, The non-smooth contact dynamics method, 1999.
#include "contact/newton/momentum.h"
#include "contact/problem/problem.h"
#include "contact/small/disc.h"
#include "contact/small/local.h"
#include "contact/solver.h"
#include "math/cone.h"
#include "math/dense.h"

#include <math.h>
#include <string.h>

enum { MAX_BLOCK = 6, CHECK_EVERY = 8 };

enum { ITERATIONS = CAROM_OPTION_TOLERANCE + 1, RELAXATION, MOMENTUM };
static const carom_option rows[] = {
    [CAROM_OPTION_TOLERANCE] = CAROM_TOLERANCE_ROW,
    [ITERATIONS] = {"iterations", CAROM_INTEGER, 5000, 1, 1e9, NULL, "most sweeps"},
    [RELAXATION] = {"relaxation", CAROM_REAL, 1, 0.05, 1.95, NULL,
                    "1 = plain, above 1 = over-relaxed"},
    [MOMENTUM] = {"momentum", CAROM_INTEGER, 0, 0, 1, NULL, "1 = accelerated sweeps, 0 = plain"},
    {0},
};

static size_t n_work(int max_row)
{
    return 3 * (size_t)max_row;
}

static size_t n_index(int max_row)
{
    (void)max_row;
    return 0;
}

// where the exact local problem has no answer: one projected step
static void take_projected_step(const carom_block *block, const double *G, const double *xi,
                                double *P)
{
    const int dim = block->dim;
    const double N = fabs(G[0]) > 0 ? P[0] - xi[0] / fabs(G[0]) : 0;
    P[0] = carom_larger(N, 0);
    double size = 0;
    for (int i = 1; i < dim; i++) size = carom_larger(size, fabs(G[i * dim + i]));
    for (int i = 1; i < dim; i++) P[i] -= size > 0 ? xi[i] / size : 0;
    if (dim > 1) carom_cone_disc(block->mu * P[0], dim - 1, P + 1);
}

// reach: of a disc
static void solve_block(const carom_block *block, double reach, const double *G, const double *xi,
                        double *P)
{
    const int dim = block->dim;
    double q[MAX_BLOCK], work[3 * MAX_BLOCK * MAX_BLOCK + 3 * MAX_BLOCK];
    int pivot[MAX_BLOCK];
    for (int i = 0; i < dim; i++) {
        q[i] = xi[i];
        for (int j = 0; j < dim; j++) q[i] -= G[j * dim + i] * P[j];
    }
    if (!block->is_bilateral) {
        if (!carom_local_solve(dim, G, q, block->mu, P)) take_projected_step(block, G, xi, P);
        return;
    }
    if (block->is_limited) {
        carom_disc_solve(dim, G, q, reach, P);
        return;
    }
    for (int i = 0; i < dim; i++) P[i] = -q[i];
    carom_dense_solve(dim, G, 1, P, work, pivot);
}

// rates and diagonal block of piece k of a matrix by block rows
static void read_piece(const carom_problem *problem, int k, const double *P, double *G, double *xi)
{
    const carom_block_rows *B = problem->G.blocks;
    const int dim = problem->block[k].dim;
    for (int p = B->start[k]; p < B->start[k + 1]; p++) {
        const int c = B->index[p], first = B->row[c], width = B->row[c + 1] - first;
        const double *block = B->value + B->at[p];
        if (c == k) memcpy(G, block, sizeof *G * (size_t)(dim * dim));
        for (int j = 0; j < width; j++, block += dim)
            for (int i = 0; i < dim; i++) xi[i] += block[i] * P[first + j];
    }
}

// the same by rows, for any block of any matrix
static void read_rows(const carom_problem *problem, const carom_block *block, const double *P,
                      double *G, double *xi)
{
    const int first = block->first, dim = block->dim;
    double ignored;
    for (int i = 0; i < dim; i++) {
        xi[i] += carom_matrix_row(&problem->G, first + i, P, &ignored);
        for (int j = 0; j < dim; j++)
            G[j * dim + i] = carom_matrix_at(&problem->G, first + i, first + j);
    }
}

// k: the number of the block where it is a whole one, else -1
static void relax_block(const carom_attempt *attempt, const carom_block *block, int k)
{
    const carom_problem *problem = attempt->problem;
    const double relaxation = attempt->option[RELAXATION];
    const int first = block->first, dim = block->dim;
    double G[MAX_BLOCK * MAX_BLOCK] = {0}, xi[MAX_BLOCK] = {0}, P[MAX_BLOCK] = {0};
    for (int i = 0; i < dim; i++) {
        P[i] = attempt->P[first + i];
        xi[i] = problem->b[first + i];
    }
    if (k >= 0 && problem->G.blocks && !problem->G.dense && !problem->G.start)
        read_piece(problem, k, attempt->P, G, xi);
    else
        read_rows(problem, block, attempt->P, G, xi);
    const double reach = block->is_limited ? carom_disc_reach(block, attempt->P) : 0;
    solve_block(block, reach, G, xi, P);
    for (int i = 0; i < dim; i++)
        attempt->P[first + i] += relaxation * (P[i] - attempt->P[first + i]);
    if (relaxation == 1 || carom_block_is_equality(block)) return;
    double *now = attempt->P + first;
    if (block->is_limited) {
        carom_cone_disc(reach, dim, now);
        return;
    }
    now[0] = carom_larger(now[0], 0);
    if (dim > 1) carom_cone_disc(block->mu * now[0], dim - 1, now + 1);
}

static void visit_block(const carom_attempt *attempt, int k, bool is_forward)
{
    const carom_block *block = &attempt->problem->block[k];
    if (!block->is_bilateral || block->dim <= MAX_BLOCK) {
        relax_block(attempt, block, k);
        return;
    }
    for (int i = 0; i < block->dim; i++) {
        carom_block single = *block;
        single.first += is_forward ? i : block->dim - 1 - i;
        single.dim = 1;
        relax_block(attempt, &single, -1);
    }
}

// goes on from P as if it were the first time: where the last pairs of sweeps ended and began
static void begin_here(const carom_attempt *attempt)
{
    const size_t n = (size_t)attempt->problem->n_row, size = sizeof *attempt->P * n;
    memcpy(attempt->work + n, attempt->P, size);
    memcpy(attempt->work + 2 * n, attempt->P, size);
}

static void add_momentum(const carom_attempt *attempt, carom_momentum *m)
{
    const int n = attempt->problem->n_row;
    double *P = attempt->P, *before = attempt->work + n, *start = before + n, uphill = 0;
    for (int i = 0; i < n; i++)
        uphill +=
            carom_matrix_size(&attempt->problem->G, i) * (start[i] - P[i]) * (P[i] - before[i]);
    const double beta = carom_momentum_next(m, uphill > 0);
    for (int i = 0; i < n; i++) {
        const double now = P[i];
        P[i] += beta * (now - before[i]);
        before[i] = now;
        start[i] = P[i];
    }
}

static carom_status nsgs_solve(carom_attempt *attempt)
{
    const carom_problem *problem = attempt->problem;
    const int n_sweep = (int)attempt->option[ITERATIONS], n = problem->n_block;
    const size_t size = sizeof *attempt->P * (size_t)problem->n_row;
    const bool accelerates = attempt->option[MOMENTUM] > 0;
    double best = carom_residual_formed(problem, attempt->P);
    carom_momentum m = carom_momentum_new(best);
    begin_here(attempt);
    attempt->solver = "nsgs";
    memcpy(attempt->work, attempt->P, size);
    for (int sweep = 0; sweep < n_sweep && best > attempt->option[CAROM_OPTION_TOLERANCE];
         sweep++) {
        const bool is_forward = sweep % 2 == 0;
        attempt->iterations++;
        for (int k = 0; k < n; k++) visit_block(attempt, is_forward ? k : n - 1 - k, is_forward);
        const bool is_due =
            sweep % CHECK_EVERY == CHECK_EVERY - 1 || sweep <= 2 || sweep == n_sweep - 1;
        const double residual = is_due ? carom_residual_formed(problem, attempt->P) : best;
        if (!(residual < INFINITY)) break;
        if (residual < best) {
            best = residual;
            memcpy(attempt->work, attempt->P, size);
        }
        if (accelerates && !is_forward) add_momentum(attempt, &m);
        if (accelerates && carom_momentum_is_astray(&m, 1, best)) {
            memcpy(attempt->P, attempt->work, size);
            begin_here(attempt);
        }
    }
    memcpy(attempt->P, attempt->work, size);
    attempt->residual = best;
    return CAROM_OK;
}

const carom_solver carom_solver_nsgs = {
    .facts = {"nsgs", "block Gauss-Seidel with exact local cone solves, dense and sparse", true,
              true, true, true, 0, rows},
    .eliminates = true,
    .n_work = n_work,
    .n_index = n_index,
    .solve = nsgs_solve,
};
