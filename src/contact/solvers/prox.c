// SPDX-License-Identifier: Apache-2.0
// Proximal point iteration around semismooth Newton. Each round solves, roughly, the regular
// problem
//
//     xi = G P + b + d (P - P_k)         P_k+1 = P
//
// by full Newton steps. d goes down while rounds succeed, quickly where they were easy, and up
// where one fails; just above a d that failed it goes down with care. At the solution d plays no
// part, and redundant contacts (singular G) need nothing else.
//
// R. T. Rockafellar, Monotone operators and the proximal point algorithm, 1976.
#include "contact/newton/semismooth.h"

#include <limits.h>
#include <string.h>

enum { N_INNER = 16, N_FLAT = 5, PATIENCE = 120 };
static const double ROUNDING = 1e-15, SMALLEST_SHIFT = 1e-9, LARGEST_SHIFT = 1e3;
static const double PROGRESS = 0.1, UP = 3, FORGET = 0.6;

enum { ITERATIONS = CAROM_OPTION_TOLERANCE + 1, SHIFT };
static const carom_option rows[] = {
    [CAROM_OPTION_TOLERANCE] = CAROM_TOLERANCE_ROW,
    [ITERATIONS] = {"iterations", CAROM_INTEGER, 300, 1, 1e6, NULL, "most proximal rounds"},
    [SHIFT] = {"shift", CAROM_REAL, 1e-2, 1e-9, 1e2, NULL,
               "first d, relative to the diagonal of G"},
    {0},
};

typedef struct rounds {
    carom_semismooth newton;
    double d, failed; // shift, and one that failed
    double best;      // residual
    double mark;      // residual when it last fell clearly
    int n_flat;       // rounds since then
} rounds;

static void keep_best(rounds *r, const double *P)
{
    const double residual = carom_semismooth_residual(&r->newton, P);
    r->n_flat++;
    if (residual < 0.5 * r->mark) {
        r->mark = residual;
        r->n_flat = 0;
    }
    if (!(residual < r->best)) return;
    r->best = residual;
    memcpy(r->newton.good, P, sizeof *P * (size_t)r->newton.problem->n_row);
}

// the next shift after a round of so many steps
static void choose_shift(rounds *r, bool is_solved, int n_step)
{
    if (!is_solved) {
        r->failed = r->d;
        r->d *= UP;
        return;
    }
    double next = r->d * (n_step <= 3 ? 0.05 : n_step <= 8 ? 0.3 : 1);
    if (next <= r->failed) {
        next = sqrt(r->d * r->failed);
        if (next > r->d) next = r->d;
    }
    r->failed *= FORGET;
    r->d = carom_larger(next, SMALLEST_SHIFT);
}

static void solve_round(rounds *r, double *P)
{
    carom_semismooth *a = &r->newton;
    const int before = a->iterations;
    memcpy(a->center, P, sizeof *P * (size_t)a->problem->n_row);
    carom_natural_shift(&a->natural, 0, NULL);
    const double length = carom_natural_at(&a->natural, P), scale = a->natural.scale;
    const double goal = PROGRESS * (scale > 0 ? length / scale : length) + 1e-16;
    const double reached = carom_semismooth_iterate(a, r->d, P, goal, N_INNER);
    keep_best(r, P);
    choose_shift(r, reached <= goal, a->iterations - before);
}

static carom_status prox_solve(carom_attempt *attempt)
{
    rounds r = {.newton = carom_semismooth_cut(attempt), .best = INFINITY, .mark = INFINITY};
    const double tolerance = attempt->option[CAROM_OPTION_TOLERANCE];
    const int n_round = (int)attempt->option[ITERATIONS];
    const int limit = attempt->limit > 0 ? attempt->limit : INT_MAX;
    attempt->solver = "prox";
    keep_best(&r, attempt->P);
    // a good guess needs less care
    r.d = attempt->option[SHIFT] * (r.best < 1e-3 ? r.best : 1);
    r.d = carom_larger(r.d, SMALLEST_SHIFT);
    for (int k = 0; k < n_round && r.best > tolerance; k++) {
        if (r.n_flat >= (r.best > 1e-11 ? PATIENCE : N_FLAT)) break;
        solve_round(&r, attempt->P);
        if (!(r.d < LARGEST_SHIFT) || r.newton.iterations >= limit) break;
    }
    // close to the end one more step gives most of the digits there are
    if (r.best <= carom_larger(tolerance, 1e-10) && r.best > ROUNDING) {
        memcpy(attempt->P, r.newton.good, sizeof *attempt->P * (size_t)r.newton.problem->n_row);
        r.d = SMALLEST_SHIFT;
        solve_round(&r, attempt->P);
    }
    memcpy(attempt->P, r.newton.good, sizeof *attempt->P * (size_t)r.newton.problem->n_row);
    attempt->iterations += r.newton.iterations;
    attempt->residual = r.best;
    return CAROM_OK;
}

const carom_solver carom_solver_prox = {
    .facts = {"prox", "proximal point iteration around Newton: redundant and hard problems", true,
              true, true, true, 0, rows},
    .n_work = carom_semismooth_work,
    .n_index = carom_semismooth_index,
    .in_bodies = prox_solve,
    .solve = prox_solve,
};
