// SPDX-License-Identifier: Apache-2.0
// Whether a frictionless problem has a solution at all. With a set of columns allowed (both of a
// pair at first), the linear program
//
//     w - G z = b,   w, z >= 0 (z of equality rows free),   least sum of artificial variables
//
// is infeasible exactly where some y has y'a <= 0 for every allowed column a (= 0 for free ones)
// and y'b > 0 (Farkas): that branch holds no solution. Where it is feasible but a pair has w_i
// z_i > 0, the search goes on with w_i = 0 and then with z_i = 0. Branches that are all refused
// prove that there is none; the certificate y is checked against the original columns each time.
// Bland's rule keeps the simplex method from cycling.
#include "contact/small/tableau.h"

#include <string.h>

enum { BOTH, ONLY_Z, ONLY_W };

static const double FEASIBLE = 1e-10, DECISIVE = 1e-8, SMALLEST_PIVOT = 1e-9;

typedef struct program {
    carom_tableau *t;
    int *choice;     // (n) of each pair
    double *y;       // (n) multipliers
    unsigned n_left; // pivots before giving up
} program;

static bool is_allowed(const program *p, int column)
{
    const int n = p->t->n, i = column < n ? column : column - n;
    if (p->t->is_equality[i]) return column >= n;
    return p->choice[i] == BOTH || (p->choice[i] == ONLY_W) == (column < n);
}

// an artificial variable is basic where the basic column is none: -1
static void start(program *p)
{
    carom_tableau *t = p->t;
    carom_tableau_fill(t);
    for (int i = 0; i < t->n; i++) {
        double *row = t->value + (size_t)i * (size_t)t->width;
        const bool is_negative = carom_tableau_level(t, i) < 0;
        if (!is_negative && is_allowed(p, i)) continue; // w_i itself is basic
        for (int j = 0; is_negative && j < t->width; j++) row[j] = -row[j];
        t->basic[i] = -1;
    }
}

// sum of the rows with an artificial variable in one column: what entering it gains
static double gain(const program *p, int column)
{
    double sum = 0;
    for (int i = 0; i < p->t->n; i++)
        if (p->t->basic[i] < 0) sum += carom_tableau_at(p->t, i, column);
    return sum;
}

// the first column that gains, and its direction; -1 where there is none
static int entering_column(const program *p, double *direction)
{
    for (int column = 0; column < 2 * p->t->n; column++) {
        if (!is_allowed(p, column)) continue;
        const double g = gain(p, column);
        const bool is_free = carom_tableau_is_free(p->t, column);
        if (!(g > SMALLEST_PIVOT) && !(is_free && g < -SMALLEST_PIVOT)) continue;
        *direction = g > 0 ? 1 : -1;
        return column;
    }
    return -1;
}

// the row whose variable reaches 0 first; ties go to the lowest variable, artificial ones first
static int leaving_row(const program *p, int column, double direction)
{
    const carom_tableau *t = p->t;
    int best = -1;
    double least = INFINITY;
    for (int i = 0; i < t->n; i++) {
        const double pivot = direction * carom_tableau_at(t, i, column);
        if (t->basic[i] >= 0 && carom_tableau_is_free(t, t->basic[i])) continue;
        if (!(pivot > SMALLEST_PIVOT)) continue;
        const double ratio = carom_larger(carom_tableau_level(t, i), 0) / pivot;
        const bool is_tied = best >= 0 && fabs(ratio - least) <= 1e-14;
        if (is_tied ? t->basic[i] < t->basic[best] : ratio < least) {
            best = i;
            least = ratio;
        }
    }
    return best;
}

static double infeasibility(const carom_tableau *t)
{
    double sum = 0;
    for (int i = 0; i < t->n; i++)
        if (t->basic[i] < 0) sum += fabs(carom_tableau_level(t, i));
    return sum;
}

// whether y proves that no allowed columns make b
static bool proves(const program *p)
{
    const carom_tableau *t = p->t;
    const carom_problem *problem = t->problem;
    const size_t n_row = (size_t)problem->n_row;
    double size = 0, product = 0;
    for (int i = 0; i < t->n; i++) {
        p->y[i] = gain(p, i); // the columns of w hold the inverse of the basis
        size = carom_larger(size, fabs(p->y[i]));
        product += p->y[i] * problem->b[t->row[i]] / t->size;
    }
    if (!(product > DECISIVE * size)) return false;
    for (int column = 0; column < 2 * t->n; column++) {
        if (!is_allowed(p, column)) continue;
        double sum = column < t->n ? p->y[column] : 0, terms = fabs(sum);
        for (int i = 0; column >= t->n && i < t->n; i++) {
            const double part =
                p->y[i] *
                problem->G.dense[(size_t)t->row[column - t->n] * n_row + (size_t)t->row[i]];
            sum -= part;
            terms += fabs(part);
        }
        if (carom_tableau_is_free(t, column)) sum = fabs(sum);
        if (sum > SMALLEST_PIVOT * (terms + size)) return false;
    }
    return true;
}

// feasible: FOUND; proven infeasible: NONE
static carom_search solve_program(program *p)
{
    double direction = 1;
    start(p);
    while (infeasibility(p->t) > FEASIBLE) {
        const int column = entering_column(p, &direction);
        if (column < 0) return proves(p) ? CAROM_SEARCH_NONE : CAROM_SEARCH_OPEN;
        const int r = leaving_row(p, column, direction);
        if (r < 0 || p->n_left-- == 0) return CAROM_SEARCH_OPEN;
        carom_tableau_pivot(p->t, r, column);
    }
    return CAROM_SEARCH_FOUND;
}

// value of w_i (column i) and z_i in the basis
static void read_pairs(const carom_tableau *t, double *value)
{
    memset(value, 0, sizeof *value * 2 * (size_t)t->n);
    for (int i = 0; i < t->n; i++)
        if (t->basic[i] >= 0) value[t->basic[i]] = carom_tableau_level(t, i);
}

// the pair that is least complementary, or -1
static int worst_pair(const program *p, const double *value)
{
    const int n = p->t->n;
    int worst = -1;
    double most = FEASIBLE;
    for (int i = 0; i < n; i++) {
        if (p->t->is_equality[i] || p->choice[i] != BOTH) continue;
        const double least = value[i] < value[n + i] ? value[i] : value[n + i];
        if (least <= most) continue;
        worst = i;
        most = least;
    }
    return worst;
}

// takes back choices until one can be turned to its other side; false where all are used up
static bool take_back_choice(program *p, int *path, int *depth)
{
    while (*depth > 0) {
        // a pair is on the path as i + 1, and as -(i + 1) once its second side is tried
        const int entry = path[*depth - 1], i = (entry > 0 ? entry : -entry) - 1;
        if (entry > 0) {
            p->choice[i] = p->choice[i] == ONLY_Z ? ONLY_W : ONLY_Z;
            path[*depth - 1] = -entry;
            return true;
        }
        p->choice[i] = BOTH;
        --*depth;
    }
    return false;
}

carom_search carom_tableau_search(carom_tableau *t, int max_node, double *trial, int *scratch,
                                  int *nodes)
{
    program p = {.t = t, .choice = scratch, .y = trial, .n_left = 1u << 20};
    int *path = scratch + t->n, depth = 0;
    bool is_proven = true;
    for (int i = 0; i < t->n; i++) p.choice[i] = BOTH;
    for (int node = 0; node < max_node; node++) {
        ++*nodes;
        const carom_search result = solve_program(&p);
        if (result == CAROM_SEARCH_OPEN) is_proven = false;
        int worst = -1;
        if (result == CAROM_SEARCH_FOUND) {
            read_pairs(t, trial);
            worst = worst_pair(&p, trial);
            if (worst < 0) return CAROM_SEARCH_FOUND;
            path[depth++] = worst + 1;
            p.choice[worst] = trial[worst] < trial[t->n + worst] ? ONLY_Z : ONLY_W;
        } else if (!take_back_choice(&p, path, &depth)) {
            return is_proven ? CAROM_SEARCH_NONE : CAROM_SEARCH_OPEN;
        }
    }
    return CAROM_SEARCH_OPEN;
}
