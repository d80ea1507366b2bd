// SPDX-License-Identifier: Apache-2.0
// Frictionless contacts with a sparse symmetric G: the set S of closed contacts is guessed from the
// start and mended until it fits,
//
//     G_SS P_S = -b_S,   P = 0 elsewhere,   xi = G P + b
//     i in S with P_i < 0 leaves, i outside with xi_i < 0 joins
//
// all at once as long as their number falls (block principal pivoting), else only the last of them,
// which ends for every positive definite G. Bilateral rows are always in S. Chains and columns take
// a few factorisations of linear cost.
//
// J. J. Judice, F. M. Pires, A block principal pivoting algorithm for large-scale strictly monotone
// linear complementarity problems, Computers & Operations Research 21, 1994.
#include "contact/newton/symmetric.h"
#include "contact/solver.h"

#include <string.h>

enum { ITERATIONS = CAROM_OPTION_TOLERANCE + 1 };
static const carom_option rows[] = {
    [CAROM_OPTION_TOLERANCE] = CAROM_TOLERANCE_ROW,
    [ITERATIONS] = {"iterations", CAROM_INTEGER, 200, 1, 1e6, NULL, "most factorisations"},
    {0},
};

static const double ROUNDING = 1e-14; // of the largest |b| / sqrt(G_ii)
static const double TOUCHING = 1e-10; // of the same: rows that may take part in the first set
enum { N_CHANCE = 8 };                // exchanges of all rows at once that do not help

typedef struct search {
    const carom_problem *problem;
    carom_symmetric *G;
    double *P, *xi, *root; // (n_row) root: of the diagonal, which makes P and xi comparable
    int *is_in, *is_free;  // (n_row) in S; bilateral
    double small, largest;
} search;

static size_t n_work(int max_row)
{
    return 2 * (size_t)max_row;
}

static size_t n_index(int max_row)
{
    return 2 * (size_t)max_row;
}

static search start(carom_attempt *attempt)
{
    const carom_problem *problem = attempt->problem;
    search s = {.problem = problem, .G = attempt->symmetric, .P = attempt->P, .xi = attempt->work};
    double largest = 0;
    s.is_in = attempt->index;
    s.is_free = attempt->index + problem->n_row;
    s.root = attempt->work + problem->n_row;
    carom_symmetric_diagonal(s.G, s.root);
    for (int k = 0; k < problem->n_block; k++) {
        const carom_block *block = &problem->block[k];
        for (int i = block->first; i < block->first + block->dim; i++) {
            s.is_free[i] = block->is_bilateral;
            s.is_in[i] = block->is_bilateral || attempt->P[i] > 0;
            s.root[i] = s.root[i] > 0 ? sqrt(s.root[i]) : 1;
            largest = carom_larger(largest, fabs(problem->b[i]) / s.root[i]);
        }
    }
    s.small = ROUNDING * largest;
    s.largest = largest;
    return s;
}

// impulses and rates of the present set
static bool solve_set(search *s)
{
    const int n = s->problem->n_row;
    for (int i = 0; i < n; i++) s->P[i] = s->is_in[i] ? -s->problem->b[i] : 0;
    if (!carom_symmetric_solve(s->G, s->is_in, s->P)) return false;
    carom_symmetric_product(s->G, s->P, s->xi);
    for (int i = 0; i < n; i++) s->xi[i] += s->problem->b[i];
    return true;
}

static bool is_wrong(const search *s, int i)
{
    if (s->is_free[i]) return false;
    return s->is_in[i] ? s->P[i] * s->root[i] < -s->small : s->xi[i] < -s->small * s->root[i];
}

static int count_wrong(const search *s, int *last)
{
    int n = 0;
    for (int i = 0; i < s->problem->n_row; i++) {
        if (!is_wrong(s, i)) continue;
        n++;
        *last = i;
    }
    return n;
}

// rows that touch without pressing join too: else an impact would travel along a row of touching
// balls one ball at a time. The first time also those that are a little open; if they do not press,
// they leave at once and stay away
static void exchange_all(search *s, bool is_first)
{
    const double touching = is_first ? TOUCHING * s->largest : s->small;
    for (int i = 0; i < s->problem->n_row; i++) {
        if (is_wrong(s, i))
            s->is_in[i] = !s->is_in[i];
        else if (!s->is_in[i] && s->xi[i] <= touching * s->root[i])
            s->is_in[i] = 1;
    }
}

static void pivot(search *s, carom_attempt *attempt)
{
    const int most = (int)attempt->option[ITERATIONS];
    int fewest = s->problem->n_row + 1, chances = N_CHANCE, last = 0;
    for (int k = 0; k < most; k++) {
        attempt->iterations++;
        if (!solve_set(s)) return;
        const int n = count_wrong(s, &last);
        if (n == 0) return;
        if (n < fewest)
            fewest = n, chances = N_CHANCE;
        else
            chances--;
        if (chances >= 0)
            exchange_all(s, k == 0);
        else
            s->is_in[last] = !s->is_in[last];
    }
}

static carom_status active_set_solve(carom_attempt *attempt)
{
    const carom_problem *problem = attempt->problem;
    attempt->solver = "active_set";
    attempt->residual = INFINITY;
    if (carom_problem_has_friction(problem))
        return carom_fail(attempt->error, CAROM_BAD_INPUT,
                          "solver active_set takes frictionless contacts; use auto");
    if (carom_problem_has_discs(problem))
        return carom_fail(attempt->error, CAROM_BAD_INPUT,
                          "solver active_set takes no discs; use auto");
    if (!carom_symmetric_fill(attempt->symmetric, problem))
        return carom_fail(attempt->error, CAROM_BAD_INPUT,
                          "solver active_set takes symmetric problems; use auto");
    search s = start(attempt);
    pivot(&s, attempt);
    for (int i = 0; i < problem->n_row; i++)
        if (!s.is_free[i]) s.P[i] = carom_larger(s.P[i], 0);
    attempt->residual = carom_residual_formed(problem, s.P);
    return CAROM_OK;
}

const carom_solver carom_solver_active_set = {
    .facts = {"active_set", "block principal pivoting with sparse factors, frictionless, symmetric",
              false, true, false, false, 0, rows},
    .takes_symmetric = true,
    .n_work = n_work,
    .n_index = n_index,
    .solve = active_set_solve,
};
