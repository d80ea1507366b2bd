// SPDX-License-Identifier: Apache-2.0
// Lemke's method with lexicographic pivoting for frictionless contacts: w = G P + b, w and P
// complementary and >= 0. The tableau
//
//     w - G P - e z = b        z: artificial variable, driven out
//
// is pivoted until z leaves. A column without a pivot means that no answer exists, or that rounding
// made it so: then G + d I, which always has one, shows the active set. The active set is solved
// once more from the original numbers.
//
// C. E. Lemke, Bimatrix equilibrium points and mathematical programming, 1965.
#include "contact/small/mode.h"
#include "contact/small/tableau.h"
#include "contact/solver.h"

#include <string.h>

enum { ITERATIONS = CAROM_OPTION_TOLERANCE + 1 };
static const carom_option rows[] = {
    [CAROM_OPTION_TOLERANCE] = CAROM_TOLERANCE_ROW,
    [ITERATIONS] = {"iterations", CAROM_INTEGER, 10000, 1, 1e6, NULL, "most pivots"},
    {0},
};

static const double SMALLEST_PIVOT = 1e-11;

static size_t n_work(int max_row)
{
    const int n = max_row < CAROM_DENSE_LIMIT ? max_row : CAROM_DENSE_LIMIT;
    return carom_tableau_work(n) + carom_modes_work(n) + 2 * (size_t)n;
}

static size_t n_index(int max_row)
{
    const int n = max_row < CAROM_DENSE_LIMIT ? max_row : CAROM_DENSE_LIMIT;
    return carom_tableau_index(n) + carom_modes_index(n);
}

// the tableau of G + d I with z in all rows
static void fill_tableau(carom_tableau *t, double d)
{
    carom_tableau_fill(t);
    for (int i = 0; i < t->n; i++) {
        double *row = t->value + (size_t)i * (size_t)t->width;
        row[t->n + i] -= d;
        row[2 * t->n] = -1;
    }
}

// whether row i comes before row k in the lexicographic order of (b, B^-1) / pivot
static bool comes_before(const carom_tableau *t, int i, int k, double pivot_i, double pivot_k)
{
    double difference = carom_tableau_level(t, i) / pivot_i - carom_tableau_level(t, k) / pivot_k;
    for (int j = 0; j < t->n && fabs(difference) <= 1e-14; j++)
        difference = carom_tableau_at(t, i, j) / pivot_i - carom_tableau_at(t, k, j) / pivot_k;
    return difference < 0;
}

// the row that leaves when column enters, or -1
static int leaving_row(const carom_tableau *t, int column)
{
    int best = -1;
    for (int i = 0; i < t->n; i++) {
        const double pivot = carom_tableau_at(t, i, column);
        if (!(pivot > SMALLEST_PIVOT)) continue;
        if (best < 0 || comes_before(t, i, best, pivot, carom_tableau_at(t, best, column)))
            best = i;
    }
    return best;
}

// the row with the most negative b, the first to leave for z
static int first_row(const carom_tableau *t)
{
    int best = 0;
    for (int i = 1; i < t->n; i++)
        if (carom_tableau_level(t, i) < carom_tableau_level(t, best)) best = i;
    return best;
}

// true where z was driven out
static bool drive_out(carom_tableau *t, carom_attempt *attempt)
{
    const int artificial = 2 * t->n, n_pivot = (int)attempt->option[ITERATIONS];
    int r = first_row(t), column = artificial;
    for (int k = 0; k < n_pivot && r >= 0; k++) {
        const int left = t->basic[r];
        attempt->iterations++;
        carom_tableau_pivot(t, r, column);
        if (left == artificial) return true;
        column = carom_tableau_partner(t, left);
        r = leaving_row(t, column);
    }
    return false;
}

// solves the active set again; keeps the better answer
static void polish_answer(carom_attempt *attempt, double *trial, carom_modes *modes)
{
    const size_t size = sizeof *trial * (size_t)attempt->problem->n_row;
    double best = carom_residual_formed(attempt->problem, attempt->P);
    carom_modes_guess(modes, attempt->P);
    for (int least = 0; least < 2 && best > 0; least++) {
        if (!carom_modes_solve(modes, least == 1, trial)) continue;
        const double residual = carom_residual_formed(attempt->problem, trial);
        if (!(residual < best)) continue;
        best = residual;
        memcpy(attempt->P, trial, size);
    }
    attempt->residual = best;
}

static carom_status refuse(const carom_attempt *attempt)
{
    const carom_problem *problem = attempt->problem;
    if (!problem->G.dense || problem->n_row > CAROM_DENSE_LIMIT ||
        problem->n_row != problem->n_block)
        return carom_fail(attempt->error, CAROM_BAD_INPUT,
                          "solver lemke takes frictionless contacts, at most %d rows; use auto",
                          CAROM_DENSE_LIMIT);
    if (carom_problem_has_discs(problem))
        return carom_fail(attempt->error, CAROM_BAD_INPUT, "solver lemke takes no discs; use auto");
    return CAROM_OK;
}

static carom_status lemke_solve(carom_attempt *attempt)
{
    CAROM_TRY(refuse(attempt));
    const carom_problem *problem = attempt->problem;
    const int n = problem->n_row;
    carom_tableau t = carom_tableau_cut(problem, attempt->work, attempt->index);
    double *trial = attempt->work + carom_tableau_work(n);
    carom_modes modes =
        carom_modes_cut(problem, trial + n, attempt->index + carom_tableau_index(n));
    t.size = 1; // the problem comes scaled
    attempt->solver = "lemke";
    for (int i = 0; i < n; i++) attempt->P[i] = 0;
    fill_tableau(&t, 0);
    attempt->residual = 0;
    if (n == 0 || !(problem->b[first_row(&t)] < 0)) return CAROM_OK;
    if (!drive_out(&t, attempt)) {
        fill_tableau(&t, 1e-9);
        drive_out(&t, attempt);
    }
    carom_tableau_answer(&t, attempt->P);
    polish_answer(attempt, trial, &modes);
    return CAROM_OK;
}

const carom_solver carom_solver_lemke = {
    .facts = {"lemke", "Lemke's pivoting with lexicographic order, frictionless", false, true,
              false, false, CAROM_DENSE_LIMIT, rows},
    .eliminates = true,
    .n_work = n_work,
    .n_index = n_index,
    .solve = lemke_solve,
};
