// SPDX-License-Identifier: Apache-2.0
// Pivoting for frictionless contacts with equality rows, also singular ones:
//
//     w = G z + b,   0 <= w _|_ z >= 0 on contacts,   w = 0, z free on equality rows
//
// 1. The free z enter the basis for the w of equality rows (complete pivoting); where what is left
//    of that block is singular, a free z and an equality row are exchanged through a contact.
// 2. Lemke's method with lexicographic pivoting on the contacts of that basis, with up to four
//    artificial columns. A ray proves nothing for a general G.
// 3. Where that fails, the search of search.c: it finds a solution or proves that there is none.
//
// The active set found is solved once more from the original numbers.
// R. W. Cottle, J.-S. Pang, R. E. Stone, The Linear Complementarity Problem, 1992, chapter 4.
#include "contact/small/tableau.h"
#include "contact/solver.h"
#include "math/dense.h"

#include <string.h>

enum { ITERATIONS = CAROM_OPTION_TOLERANCE + 1 };
static const carom_option rows[] = {
    [CAROM_OPTION_TOLERANCE] = CAROM_TOLERANCE_ROW,
    [ITERATIONS] = {"iterations", CAROM_INTEGER, 10000, 1, 1e6, NULL,
                    "most pivots, and most branches"},
    {0},
};

static const double SMALLEST_PIVOT = 1e-10;
enum { N_COVER = 4 }; // Lemke's method with other artificial columns

typedef struct pivoting {
    carom_attempt *attempt;
    carom_tableau t;
    int *start;    // (n) columns that are basic where Lemke's method begins
    int *scratch;  // (2 n)
    double *trial; // (2 n_row)
    double *A, *room;
    int *lu_pivot;
} pivoting;

static size_t n_work(int max_row)
{
    const int n = max_row < CAROM_DENSE_LIMIT ? max_row : CAROM_DENSE_LIMIT;
    return carom_tableau_work(n) + 3 * (size_t)n + (size_t)n * (size_t)n + carom_dense_room(n, 1);
}

static size_t n_index(int max_row)
{
    const int n = max_row < CAROM_DENSE_LIMIT ? max_row : CAROM_DENSE_LIMIT;
    return carom_tableau_index(n) + 4 * (size_t)n;
}

static pivoting cut(carom_attempt *attempt)
{
    const size_t n = (size_t)attempt->problem->n_row;
    double *work = attempt->work + carom_tableau_work((int)n);
    int *index = attempt->index + carom_tableau_index((int)n);
    return (pivoting){.attempt = attempt,
                      .t = carom_tableau_cut(attempt->problem, attempt->work, attempt->index),
                      .start = index,
                      .scratch = index + n,
                      .lu_pivot = index + 3 * n,
                      .trial = work,
                      .A = work + 3 * n,
                      .room = work + 3 * n + n * n};
}

// an equality row whose own w is still basic
static bool is_waiting(const carom_tableau *t, int i)
{
    return t->basic[i] < t->n && t->is_equality[t->basic[i]];
}

static bool is_basic(const carom_tableau *t, int column)
{
    for (int i = 0; i < t->n; i++)
        if (t->basic[i] == column) return true;
    return false;
}

// exchanges the largest entry of waiting rows and free columns; false where there is none
static bool exchange_one(carom_tableau *t)
{
    int row = -1, column = -1;
    double largest = SMALLEST_PIVOT;
    for (int j = t->n; j < 2 * t->n; j++) {
        if (!t->is_equality[j - t->n] || is_basic(t, j)) continue;
        for (int i = 0; i < t->n; i++) {
            if (!is_waiting(t, i) || !(fabs(carom_tableau_at(t, i, j)) > largest)) continue;
            largest = fabs(carom_tableau_at(t, i, j));
            row = i;
            column = j;
        }
    }
    if (row >= 0) carom_tableau_pivot(t, row, column);
    return row >= 0;
}

// the free column with the largest entry in row i
static int best_free(const carom_tableau *t, int i)
{
    int best = -1;
    for (int j = t->n; j < 2 * t->n; j++) {
        if (!t->is_equality[j - t->n] || is_basic(t, j)) continue;
        if (best < 0 || fabs(carom_tableau_at(t, i, j)) > fabs(carom_tableau_at(t, i, best)))
            best = j;
    }
    return best;
}

// z_c enters in a waiting row, a free z enters for w_c; false where no contact c can do that
static bool exchange_two(carom_tableau *t)
{
    int row = -1, contact_row = -1, free_column = -1;
    double largest = SMALLEST_PIVOT;
    for (int r = 0; r < t->n; r++) {
        const int c = t->basic[r];
        if (c >= t->n || t->is_equality[c]) continue;
        const int f = best_free(t, r);
        if (f < 0) return false;
        const double second = fabs(carom_tableau_at(t, r, f));
        for (int i = 0; i < t->n; i++) {
            const double first = fabs(carom_tableau_at(t, i, t->n + c));
            const double least = first < second ? first : second;
            if (!is_waiting(t, i) || !(least > largest)) continue;
            largest = least;
            row = i;
            contact_row = r;
            free_column = f;
        }
    }
    if (row < 0) return false;
    const int c = t->basic[contact_row];
    carom_tableau_pivot(t, row, t->n + c);
    carom_tableau_pivot(t, contact_row, free_column);
    return true;
}

// false where an equality row stays that is not void
static bool settle_equalities(carom_tableau *t)
{
    while (exchange_one(t) || exchange_two(t)) continue;
    for (int i = 0; i < t->n; i++)
        if (is_waiting(t, i) && fabs(carom_tableau_level(t, i)) > SMALLEST_PIVOT) return false;
    return true;
}

// whether the variable of row i must stay >= 0
static bool is_bounded(const carom_tableau *t, int i)
{
    return !carom_tableau_is_free(t, t->basic[i]) && !is_waiting(t, i);
}

// x - y, or 0 where that is rounding
static double differ(double x, double y)
{
    const double difference = x - y;
    return fabs(difference) <= 1e-12 * (fabs(x) + fabs(y)) + 1e-15 ? 0 : difference;
}

// whether row i comes before row k in the lexicographic order of (level, starting basis) / pivot
static bool comes_before(const pivoting *p, int i, int k, double pivot_i, double pivot_k)
{
    const carom_tableau *t = &p->t;
    double difference =
        differ(carom_tableau_level(t, i) / pivot_i, carom_tableau_level(t, k) / pivot_k);
    for (int j = 0; j < t->n && difference == 0; j++)
        difference = differ(carom_tableau_at(t, i, p->start[j]) / pivot_i,
                            carom_tableau_at(t, k, p->start[j]) / pivot_k);
    return difference < 0;
}

static int leaving_row(const pivoting *p, int column)
{
    const carom_tableau *t = &p->t;
    int best = -1;
    for (int i = 0; i < t->n; i++) {
        const double pivot = carom_tableau_at(t, i, column);
        if (!is_bounded(t, i) || !(pivot > SMALLEST_PIVOT)) continue;
        if (best < 0 || comes_before(p, i, best, pivot, carom_tableau_at(t, best, column)))
            best = i;
    }
    return best;
}

// the weight of row i in the artificial column: any positive numbers will do, and where one choice
// ends in a ray another may not
static double weight(int i, int attempt)
{
    const double x = 0.618033988749895 * attempt * (i + 1);
    return attempt == 0 ? 1 : 0.1 + x - floor(x);
}

// the artificial column covers all contacts; returns the row it enters in, -1 where none is needed.
// Of rows that tie the last is the lexicographically lowest.
static int cover_contacts(pivoting *p, int attempt)
{
    carom_tableau *t = &p->t;
    int lowest = -1;
    double least = 0;
    for (int i = 0; i < t->n; i++) {
        const double d = is_bounded(t, i) ? weight(i, attempt) : 0;
        p->start[i] = t->basic[i];
        t->value[(size_t)i * (size_t)t->width + 2 * (size_t)t->n] = -d;
        if (d == 0 || !(carom_tableau_level(t, i) < 0)) continue;
        if (lowest >= 0 && carom_tableau_level(t, i) / d > least) continue;
        lowest = i;
        least = carom_tableau_level(t, i) / d;
    }
    return lowest;
}

// true where the artificial variable was driven out
static bool run_lemke(pivoting *p, int attempt)
{
    carom_tableau *t = &p->t;
    const int artificial = 2 * t->n, few = 100 + 20 * t->n;
    int n_pivot = (int)p->attempt->option[ITERATIONS];
    // most problems need about n pivots: one that needs many more may do better another way
    if (attempt + 1 < N_COVER && n_pivot > few) n_pivot = few;
    int r = cover_contacts(p, attempt), column = artificial;
    if (r < 0) return true;
    for (int k = 0; k < n_pivot && r >= 0; k++) {
        const int left = t->basic[r];
        p->attempt->iterations++;
        carom_tableau_pivot(t, r, column);
        if (left == artificial) return true;
        column = carom_tableau_partner(t, left);
        r = leaving_row(p, column);
    }
    return false;
}

// keeps trial where it is better
static void offer_trial(pivoting *p)
{
    carom_attempt *a = p->attempt;
    const double residual = carom_residual_formed(a->problem, p->trial);
    if (!(residual < a->residual)) return;
    a->residual = residual;
    memcpy(a->P, p->trial, sizeof *a->P * (size_t)a->problem->n_row);
}

// solves w = 0 for the basic z and all equality rows, from the original numbers
static void polish_answer(pivoting *p, bool least)
{
    const carom_tableau *t = &p->t;
    const carom_problem *problem = t->problem;
    const size_t n_row = (size_t)problem->n_row;
    int *list = p->scratch, n = 0;
    for (int i = 0; i < t->n; i++)
        if (t->is_equality[i] || is_basic(t, t->n + i)) list[n++] = t->row[i];
    double *x = p->trial + n_row;
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            p->A[j * n + i] = problem->G.dense[(size_t)list[j] * n_row + (size_t)list[i]];
    for (int i = 0; i < n; i++) x[i] = -problem->b[list[i]];
    if (least)
        carom_dense_least(n, p->A, 1, x, p->room, p->lu_pivot);
    else if (!carom_dense_lu(n, p->A, 1, x, p->lu_pivot))
        return;
    memset(p->trial, 0, sizeof *p->trial * n_row);
    for (int i = 0; i < n; i++) p->trial[list[i]] = x[i];
    for (int i = 0; i < t->n; i++)
        if (!t->is_equality[i] && p->trial[t->row[i]] < 0) p->trial[t->row[i]] = 0;
    offer_trial(p);
}

static bool is_solved(const pivoting *p)
{
    return p->attempt->residual <= p->attempt->option[CAROM_OPTION_TOLERANCE];
}

// the answer of the basis, and what solving its active set again makes of it
static void read_answer(pivoting *p)
{
    carom_tableau_answer(&p->t, p->trial);
    offer_trial(p);
    for (int least = 0; least < 2 && p->t.n > 0 && !is_solved(p); least++)
        polish_answer(p, least == 1);
}

static carom_status refuse(const carom_attempt *attempt)
{
    const carom_problem *problem = attempt->problem;
    bool has_friction = false;
    for (int k = 0; k < problem->n_block; k++) {
        const carom_block *block = &problem->block[k];
        has_friction = has_friction || (!block->is_bilateral && block->dim > 1 && block->mu > 0);
    }
    if (carom_problem_has_discs(problem))
        return carom_fail(attempt->error, CAROM_BAD_INPUT, "solver pivot takes no discs; use auto");
    if (problem->G.dense && problem->n_row <= CAROM_DENSE_LIMIT && !has_friction) return CAROM_OK;
    return carom_fail(attempt->error, CAROM_BAD_INPUT,
                      "solver pivot takes contacts without friction, at most %d rows; use auto",
                      CAROM_DENSE_LIMIT);
}

static carom_status pivot_solve(carom_attempt *attempt)
{
    CAROM_TRY(refuse(attempt));
    pivoting p = cut(attempt);
    attempt->solver = "pivot";
    attempt->residual = INFINITY;
    for (int k = 0; k < N_COVER; k++) {
        carom_tableau_fill(&p.t);
        if (!settle_equalities(&p.t)) break;
        if (run_lemke(&p, k)) read_answer(&p);
        if (attempt->residual <= CAROM_CONTACT_TOLERANCE) return CAROM_OK;
    }
    const carom_search found = carom_tableau_search(&p.t, (int)attempt->option[ITERATIONS], p.trial,
                                                    p.scratch, &attempt->iterations);
    attempt->has_certificate = found == CAROM_SEARCH_NONE;
    read_answer(&p);
    return CAROM_OK;
}

const carom_solver carom_solver_pivot = {
    .facts = {"pivot", "pivoting with equality rows, frictionless; proves where nothing solves it",
              false, true, false, false, CAROM_DENSE_LIMIT, rows},
    .n_work = n_work,
    .n_index = n_index,
    .solve = pivot_solve,
};
