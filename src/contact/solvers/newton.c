// SPDX-License-Identifier: Apache-2.0
// Semismooth Newton on the laws written as equations, F(P) = 0 (problem/natural.h: Alart-Curnier,
// Jean-Moreau or Fischer-Burmeister), with a nonmonotone line search:
//
//     F'(P) step = -F(P),     P := P + factor step,     factor = 1, 1/2, 1/4
//
// Small problems take the step of minimum norm where F' is singular (redundant contacts). Large
// ones solve the problem of G + d I around the last answer P_k,
//
//     xi = G P + b + d (P - P_k),     d = 1e-3 residual, between 1e-10 and 1e-5
//
// whose F' is regular; d goes down with the residual and plays no part at the solution. Fast where
// it converges, and it converges where few contacts change their mode; else prox goes on.
//
// P. Alart, A. Curnier, A mixed formulation for frictional contact problems, 1991.
#include "contact/newton/semismooth.h"

#include <string.h>

enum { N_RECENTER = 12, N_TRIAL = 3 };
static const double LARGEST_SHIFT = 1e-5, SMALLEST_SHIFT = 1e-10;

enum { ITERATIONS = CAROM_OPTION_TOLERANCE + 1, FUNCTION };
static const carom_option rows[] = {
    [CAROM_OPTION_TOLERANCE] = CAROM_TOLERANCE_ROW,
    [ITERATIONS] = {"iterations", CAROM_INTEGER, 200, 1, 1e6, NULL, "most Newton steps"},
    [FUNCTION] = {"function", CAROM_CHOICE, 0, 0, 2, "alart_curnier|jean_moreau|fischer_burmeister",
                  "the laws as equations"},
    {0},
};

static double shift_for(const carom_semismooth *a, double residual)
{
    if (a->is_dense) return 0;
    const double d = 1e-3 * residual;
    return d > LARGEST_SHIFT ? LARGEST_SHIFT : carom_larger(d, SMALLEST_SHIFT);
}

static carom_status newton_solve(carom_attempt *attempt)
{
    carom_semismooth a = carom_semismooth_cut(attempt);
    const double tolerance = attempt->option[CAROM_OPTION_TOLERANCE];
    const int n_most = (int)attempt->option[ITERATIONS];
    const size_t size = sizeof *attempt->P * (size_t)a.problem->n_row;
    double best = carom_semismooth_residual(&a, attempt->P);
    attempt->solver = "newton";
    a.n_trial = N_TRIAL;
    a.natural.kind = (carom_natural_kind)attempt->option[FUNCTION]; // as the choices
    memcpy(a.good, attempt->P, size);
    for (int k = 0; k < N_RECENTER && best > tolerance && a.iterations < n_most; k++) {
        memcpy(a.center, attempt->P, size);
        const double goal = carom_larger(1e-3 * (best < 1 ? best : 1), 0.1 * tolerance);
        carom_semismooth_iterate(&a, shift_for(&a, best), attempt->P, goal, n_most - a.iterations);
        const double residual = carom_semismooth_residual(&a, attempt->P), before = best;
        if (residual < best) {
            best = residual;
            memcpy(a.good, attempt->P, size);
        }
        if (!(best < 0.9 * before)) break;
    }
    memcpy(attempt->P, a.good, size);
    attempt->iterations += a.iterations;
    attempt->residual = best;
    return CAROM_OK;
}

const carom_solver carom_solver_newton = {
    .facts = {"newton", "semismooth Newton (Alart-Curnier, Jean-Moreau, Fischer-Burmeister)", true,
              true, true, true, 0, rows},
    .n_work = carom_semismooth_work,
    .n_index = carom_semismooth_index,
    .in_bodies = newton_solve,
    .solve = newton_solve,
};
