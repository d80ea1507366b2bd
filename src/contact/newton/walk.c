// SPDX-License-Identifier: Apache-2.0
// The proximal point iteration: P_k+1 solves the problem of G + d/r, b - d/r P_k, and d goes down
// while that succeeds. Redundant contacts make Newton's own matrix singular and let impulses drift
// far at constant rates until some contact opens: d bounds the steps, small d makes them long.
// Newton inside takes its full steps (at most two halvings): each change of status makes |F| grow
// before it falls, and a search that forbids this makes Newton creep on rock piles.
//
// R. T. Rockafellar, Monotone operators and the proximal point algorithm, 1976.
#include "contact/newton/walk.h"

#include <string.h>

enum { N_INNER = 25, PATIENCE = 15, N_LENGTH = 3, N_MEMORY = 4, N_FAILURE = 12 };
static const double FIRST_SHIFT = 1e-2, SMALLEST_SHIFT = 1e-10, LARGEST_SHIFT = 10;

size_t carom_walk_work(int max_row)
{
    return 4 * (size_t)max_row;
}

carom_walk carom_walk_cut(carom_polish *polish, double *work)
{
    const size_t n = (size_t)polish->blend->problem->n_row;
    return (carom_walk){polish, work, work + n, work + 2 * n, work + 3 * n, INFINITY, 0};
}

// goes from P towards trial as far as |F| allows; returns |F| there
static double go_towards_trial(carom_walk *w, double limit)
{
    const int n = w->polish->blend->problem->n_row;
    carom_natural *natural = &w->polish->natural;
    double shortest = INFINITY, best = 1, factor = 1;
    for (int i = 0; i < n; i++) w->trial[i] -= w->P[i];
    for (int k = 0; k < N_LENGTH; k++, factor *= 0.5) {
        // P moves from length to length and back to the best one
        const double move = k == 0 ? 1 : -factor;
        for (int i = 0; i < n; i++) w->P[i] += move * w->trial[i];
        const double length = carom_natural_at(natural, w->P);
        if (length < shortest) {
            shortest = length;
            best = factor;
        }
        if (length <= limit || k == N_LENGTH - 1) break;
    }
    const double now = factor;
    for (int i = 0; i < n && best != now; i++) w->P[i] += (best - now) * w->trial[i];
    return shortest;
}

// Newton on the shifted problem from P; P becomes the best iterate. Returns its |F|.
static double solve_shifted(carom_walk *w, double goal)
{
    const size_t size = sizeof *w->P * (size_t)w->polish->blend->problem->n_row;
    double length = carom_natural_at(&w->polish->natural, w->P), shortest = length;
    double memory[N_MEMORY] = {length, length, length, length};
    memcpy(w->inner, w->P, size);
    for (int i = 0, since = 0; i < N_INNER && shortest > goal && since < PATIENCE; i++, since++) {
        double limit = 0;
        for (int k = 0; k < N_MEMORY; k++) limit = carom_larger(limit, memory[k]);
        memcpy(w->trial, w->P, size);
        w->n_step++;
        if (!carom_polish_step(w->polish, w->trial)) break;
        length = memory[i % N_MEMORY] = go_towards_trial(w, limit);
        if (!(length < INFINITY)) break;
        if (!(length < shortest)) continue;
        if (length < 0.7 * shortest) since = -1;
        shortest = length;
        memcpy(w->inner, w->P, size);
    }
    memcpy(w->P, w->inner, size);
    return shortest;
}

static void keep_best(carom_walk *w, double *best)
{
    const carom_problem *problem = w->polish->blend->problem;
    const double residual = carom_residual_formed(problem, w->P);
    if (!(residual < w->residual)) return;
    w->residual = residual;
    memcpy(best, w->P, sizeof *best * (size_t)problem->n_row);
}

double carom_walk_run(carom_walk *w, double *best, double residual, double tolerance, int max_step)
{
    const size_t size = sizeof *best * (size_t)w->polish->blend->problem->n_row;
    carom_natural *natural = &w->polish->natural;
    double d = FIRST_SHIFT;
    w->residual = residual;
    memcpy(w->P, best, size);
    natural->center = w->center;
    for (int failures = 0; w->residual > tolerance && w->n_step < max_step;) {
        memcpy(w->center, w->P, size);
        natural->shift = 0;
        const double before = carom_natural_at(natural, w->P);
        natural->shift = d;
        const bool is_solved = solve_shifted(w, 1e-3 * before) < 3e-2 * before;
        natural->shift = 0;
        keep_best(w, best);
        failures = is_solved ? 0 : failures + 1;
        if (!is_solved) memcpy(w->P, w->center, size);
        d *= is_solved ? 0.4 : 2.3;
        if (d < SMALLEST_SHIFT) d = SMALLEST_SHIFT;
        if (d > LARGEST_SHIFT || failures > N_FAILURE) break;
    }
    return w->residual;
}
