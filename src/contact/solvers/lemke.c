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
#include "contact/solver.h"

#include <string.h>

static const carom_option rows[] = {
    CAROM_TOLERANCE_ROW,
    {"iterations", CAROM_INTEGER, 10000, 1, 1e6, NULL, "most pivots"},
    {0},
};

static const double SMALLEST_PIVOT = 1e-11;

// rows of 2n+2: w (n), P (n), z, b
typedef struct tableau {
    int n, width;
    double *row;
    int *basic; // (n) column that is basic in each row
} tableau;

static size_t n_work(int max_row)
{
    const int n = max_row < CAROM_DENSE_LIMIT ? max_row : CAROM_DENSE_LIMIT;
    return (size_t)n * (2 * (size_t)n + 2) + carom_modes_work(n) + 2 * (size_t)n;
}

static size_t n_index(int max_row)
{
    const int n = max_row < CAROM_DENSE_LIMIT ? max_row : CAROM_DENSE_LIMIT;
    return carom_modes_index(n) + (size_t)n;
}

static void fill_tableau(tableau *t, const carom_problem *problem, double d)
{
    const int n = t->n;
    memset(t->row, 0, sizeof *t->row * (size_t)n * (size_t)t->width);
    for (int i = 0; i < n; i++) {
        double *row = t->row + i * t->width;
        row[i] = 1;
        for (int j = 0; j < n; j++) row[n + j] = -problem->G.dense[j * n + i];
        row[n + i] -= d;
        row[2 * n] = -1;
        row[2 * n + 1] = problem->b[i];
        t->basic[i] = i;
    }
}

// whether row i comes before row k in the lexicographic order of (b, B^-1) / pivot
static bool comes_before(const tableau *t, int i, int k, double pivot_i, double pivot_k)
{
    const double *a = t->row + i * t->width, *c = t->row + k * t->width;
    const int last = t->width - 1;
    double difference = a[last] / pivot_i - c[last] / pivot_k;
    for (int j = 0; j < t->n && fabs(difference) <= 1e-14; j++)
        difference = a[j] / pivot_i - c[j] / pivot_k;
    return difference < 0;
}

// the row that leaves when column enters, or -1
static int leaving_row(const tableau *t, int column)
{
    int best = -1;
    for (int i = 0; i < t->n; i++) {
        const double pivot = t->row[i * t->width + column];
        if (!(pivot > SMALLEST_PIVOT)) continue;
        if (best < 0 || comes_before(t, i, best, pivot, t->row[best * t->width + column])) best = i;
    }
    return best;
}

static void pivot_on(tableau *t, int r, int column)
{
    double *pivot_row = t->row + r * t->width;
    const double inverse = 1 / pivot_row[column];
    for (int j = 0; j < t->width; j++) pivot_row[j] *= inverse;
    pivot_row[column] = 1;
    for (int i = 0; i < t->n; i++) {
        double *row = t->row + i * t->width;
        const double factor = row[column];
        if (i == r || factor == 0) continue;
        for (int j = 0; j < t->width; j++) row[j] -= factor * pivot_row[j];
        row[column] = 0;
    }
}

// the row with the most negative b, the first to leave for z
static int first_row(const tableau *t)
{
    int best = 0;
    for (int i = 1; i < t->n; i++)
        if (t->row[(i + 1) * t->width - 1] < t->row[(best + 1) * t->width - 1]) best = i;
    return best;
}

// true where z was driven out
static bool drive_out(tableau *t, carom_attempt *attempt)
{
    const int n = t->n, n_pivot = (int)attempt->option[CAROM_OPTION_ITERATIONS];
    int r = first_row(t), column = 2 * n;
    for (int k = 0; k < n_pivot && r >= 0; k++) {
        const int left = t->basic[r];
        attempt->iterations++;
        pivot_on(t, r, column);
        t->basic[r] = column;
        if (left == 2 * n) return true;
        column = left < n ? left + n : left - n; // the partner of what left
        r = leaving_row(t, column);
    }
    return false;
}

static void read_answer(const tableau *t, double *P)
{
    for (int i = 0; i < t->n; i++) P[i] = 0;
    for (int i = 0; i < t->n; i++) {
        const int column = t->basic[i];
        if (column >= t->n && column < 2 * t->n)
            P[column - t->n] = carom_larger(t->row[(i + 1) * t->width - 1], 0);
    }
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
    return CAROM_OK;
}

static carom_status solve(carom_attempt *attempt)
{
    CAROM_TRY(refuse(attempt));
    const carom_problem *problem = attempt->problem;
    const int n = problem->n_row, width = 2 * n + 2;
    tableau t = {n, width, attempt->work, attempt->index};
    double *trial = attempt->work + (size_t)n * (size_t)width;
    carom_modes modes = carom_modes_cut(problem, trial + n, attempt->index + n);
    attempt->solver = "lemke";
    for (int i = 0; i < n; i++) attempt->P[i] = 0;
    fill_tableau(&t, problem, 0);
    attempt->residual = 0;
    if (n == 0 || !(problem->b[first_row(&t)] < 0)) return CAROM_OK;
    if (!drive_out(&t, attempt)) {
        fill_tableau(&t, problem, 1e-9);
        drive_out(&t, attempt);
    }
    read_answer(&t, attempt->P);
    polish_answer(attempt, trial, &modes);
    return CAROM_OK;
}

const carom_solver carom_solver_lemke = {
    .facts = {"lemke", "Lemke's pivoting with lexicographic order, frictionless", false, true,
              CAROM_DENSE_LIMIT, rows},
    .eliminates = true,
    .n_work = n_work,
    .n_index = n_index,
    .solve = solve,
};
