// SPDX-License-Identifier: Apache-2.0
// A few contacts in the plane or without friction. For each combination of modes
//
//     open P = 0,   closed xi_N = 0,   stick xi_T = 0,   slip P_T = +-mu P_N
//
// the impulses follow from at most 8 equations, solved in place by elimination with row pivots. The
// order of the combinations is that of the solver enumerate: those with few closed contacts first.
#include "contact/small/direct.h"

#include "contact/small/mode.h"

enum { MOST = 2 * CAROM_DIRECT_CONTACTS };
static const double SMALLEST = 1e-12; // a pivot below this, relative to its row, is noise
static const double ROUNDING = 1e-13;

typedef struct direct {
    const carom_problem *problem;
    int mode[CAROM_DIRECT_CONTACTS];
    int n, row[MOST];              // unknowns
    double slip[MOST];             // what each pushes along the row after its own
    double A[MOST][MOST], x[MOST]; // by rows; right hand side, then answer
    double P[MOST], *xi;
} direct;

static inline double slip_of(const carom_block *block, int mode)
{
    static const double side[] = {[CAROM_SLIP_UP] = 1, [CAROM_SLIP_DOWN] = -1};
    return side[mode] * block->mu;
}

static void list_unknowns(direct *d)
{
    const carom_problem *p = d->problem;
    int n = 0;
    for (int k = 0; k < p->n_block; k++) {
        const carom_block *block = &p->block[k];
        const int mode = d->mode[k];
        if (mode == CAROM_OPEN) continue;
        d->row[n] = block->first;
        d->slip[n++] = slip_of(block, mode);
        if (mode != CAROM_STICK || block->dim == 1) continue;
        d->row[n] = block->first + 1;
        d->slip[n++] = 0;
    }
    d->n = n;
}

static inline void assemble(direct *d, int n)
{
    const carom_problem *p = d->problem;
    for (int j = 0; j < n; j++) {
        const double *column = p->G.dense + d->row[j] * p->n_row, slip = d->slip[j];
        const double *next = slip != 0 ? column + p->n_row : column;
        for (int i = 0; i < n; i++) d->A[i][j] = column[d->row[i]] + slip * next[d->row[i]];
        d->x[j] = -p->b[d->row[j]];
    }
}

static inline void swap_rows(direct *d, int n, int k, int other)
{
    const double x = d->x[k];
    d->x[k] = d->x[other];
    d->x[other] = x;
    for (int j = k; j < n; j++) {
        const double kept = d->A[k][j];
        d->A[k][j] = d->A[other][j];
        d->A[other][j] = kept;
    }
}

// the impulses of the unknowns into x; false where a pivot is noise
static inline bool eliminate(direct *d, int n)
{
    double size = 0;
    for (int i = 0; i < n; i++) size = carom_larger(size, fabs(d->A[i][i]));
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k + 1; i < n; i++)
            if (fabs(d->A[i][k]) > fabs(d->A[best][k])) best = i;
        if (!(fabs(d->A[best][k]) > SMALLEST * size)) return false;
        if (best != k) swap_rows(d, n, k, best);
        const double inverse = 1 / d->A[k][k];
        for (int i = k + 1; i < n; i++) {
            const double factor = d->A[i][k] * inverse;
            for (int j = k + 1; j < n; j++) d->A[i][j] -= factor * d->A[k][j];
            d->x[i] -= factor * d->x[k];
        }
    }
    for (int k = n - 1; k >= 0; k--) {
        double x = d->x[k];
        for (int j = k + 1; j < n; j++) x -= d->A[k][j] * d->x[j];
        d->x[k] = x / d->A[k][k];
    }
    return true;
}

// one or two unknowns are most of all cases, and loops of known length are short code
static bool solve_unknowns(direct *d)
{
    const int n = d->n;
    if (n == 1) {
        assemble(d, 1);
        return eliminate(d, 1);
    }
    if (n == 2) {
        assemble(d, 2);
        return eliminate(d, 2);
    }
    assemble(d, n);
    return eliminate(d, n);
}

// to all rows; false where a normal impulse pulls or a sticking one leaves the cone
static bool spread_answer(direct *d)
{
    const carom_problem *p = d->problem;
    const double *x = d->x;
    for (int k = 0; k < p->n_block; k++) {
        const carom_block *block = &p->block[k];
        double *P = d->P + block->first;
        const int mode = d->mode[k];
        P[0] = mode == CAROM_OPEN ? 0 : *x++;
        if (!(P[0] >= 0)) return false;
        if (block->dim == 1) continue;
        P[1] = mode == CAROM_STICK ? *x++ : slip_of(block, mode) * P[0];
        if (mode == CAROM_STICK && !(fabs(P[1]) <= block->mu * P[0])) return false;
    }
    return true;
}

// whether the rate of row i is nothing but rounding
static bool is_rounding(const direct *d, int i)
{
    const carom_problem *p = d->problem;
    double size = fabs(p->b[i]);
    for (int j = 0; j < p->n_row; j++) size += fabs(p->G.dense[j * p->n_row + i] * d->P[j]);
    return fabs(d->xi[i]) <= ROUNDING * size;
}

// open contacts open, friction acts against the slip
static bool is_lawful(const direct *d)
{
    const carom_problem *p = d->problem;
    for (int k = 0; k < p->n_block; k++) {
        const int mode = d->mode[k], i = p->block[k].first + (mode != CAROM_OPEN);
        if (mode == CAROM_STICK) continue;
        const double wanted = mode == CAROM_SLIP_UP ? -d->xi[i] : d->xi[i];
        if (!(wanted >= 0) && !is_rounding(d, i)) return false;
    }
    return true;
}

static bool try_modes(direct *d)
{
    list_unknowns(d);
    if (!solve_unknowns(d) || !spread_answer(d)) return false;
    carom_problem_rates(d->problem, d->P, d->xi);
    return is_lawful(d);
}

static bool next_closed(direct *d, unsigned mask)
{
    for (int k = 0; k < d->problem->n_block; k++) {
        if (!(mask >> k & 1u)) continue;
        const int last = d->problem->block[k].dim == 1 ? CAROM_STICK : CAROM_SLIP_DOWN;
        if (++d->mode[k] <= last) return true;
        d->mode[k] = CAROM_STICK;
    }
    return false;
}

static bool try_mask(direct *d, unsigned mask)
{
    for (int k = 0; k < d->problem->n_block; k++)
        d->mode[k] = (mask >> k & 1u) ? CAROM_STICK : CAROM_OPEN;
    do {
        if (try_modes(d)) return true;
    } while (next_closed(d, mask));
    return false;
}

static bool try_all(direct *d)
{
    const unsigned end = 1u << d->problem->n_block;
    for (int n_closed = 1; n_closed <= d->problem->n_block; n_closed++)
        for (unsigned mask = 1; mask < end; mask++) {
            int n = 0;
            for (unsigned rest = mask; rest; rest &= rest - 1) n++;
            if (n == n_closed && try_mask(d, mask)) return true;
        }
    return false;
}

// a first impact: what closes is closed, and slips as it did without contact
static void guess_from_rates(direct *d)
{
    const carom_problem *p = d->problem;
    for (int k = 0; k < p->n_block; k++) {
        const carom_block *block = &p->block[k];
        if (p->b[block->first] >= 0) continue;
        d->mode[k] = CAROM_STICK;
        if (block->dim > 1 && p->b[block->first + 1] != 0)
            d->mode[k] = p->b[block->first + 1] < 0 ? CAROM_SLIP_UP : CAROM_SLIP_DOWN;
    }
}

// the guess as modes; false for problems that are not taken
static bool read_guess(direct *d, const double *guess, int *n_friction)
{
    const carom_problem *p = d->problem;
    bool is_open = true;
    *n_friction = 0;
    if (p->n_block > CAROM_DIRECT_CONTACTS || !p->G.dense) return false;
    for (int k = 0; k < p->n_block; k++) {
        const carom_block *block = &p->block[k];
        const double *P = guess + block->first;
        const bool has_friction = block->dim > 1;
        if (block->is_bilateral || block->dim > 2 || (has_friction && !(block->mu > 0)))
            return false;
        *n_friction += has_friction;
        d->mode[k] = CAROM_OPEN;
        if (!(P[0] > 0)) continue;
        is_open = false;
        d->mode[k] = CAROM_STICK;
        if (has_friction && fabs(P[1]) >= (1 - 1e-12) * block->mu * P[0])
            d->mode[k] = P[1] >= 0 ? CAROM_SLIP_UP : CAROM_SLIP_DOWN;
    }
    if (is_open) guess_from_rates(d);
    return true;
}

bool carom_direct_solve(const carom_problem *problem, double *P, double *xi)
{
    direct d;
    int n_friction;
    d.problem = problem;
    d.xi = xi;
    if (!read_guess(&d, P, &n_friction)) return false;
    const bool is_few = n_friction == 0 || problem->n_block <= 2;
    if (!try_modes(&d) && !(is_few && try_all(&d))) return false;
    for (int k = 0; k < problem->n_block; k++) { // without a call, as a plain copy would be
        const int i = problem->block[k].first;
        P[i] = d.P[i];
        if (problem->block[k].dim > 1) P[i + 1] = d.P[i + 1];
    }
    return true;
}
