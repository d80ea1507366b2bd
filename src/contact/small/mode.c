// SPDX-License-Identifier: Apache-2.0
// Given which contacts are open, stick or slip, the impulses follow from a linear system:
//
//     open P = 0,   closed xi_N = 0,   stick xi_T = 0,   slip P_T = +-mu P_N
//     disc          stick xi = 0,      slip P = +-radius, of a contact +-(radius + mu P_N)
//
// Slip is substituted, so the unknowns are the normal impulses of closed and the tangential ones of
// sticking contacts and discs.
#include "contact/small/mode.h"

#include "math/dense.h"

size_t carom_modes_work(int n)
{
    return (size_t)n * (size_t)n + (size_t)n + carom_dense_room(n, 1);
}

size_t carom_modes_index(int n)
{
    return 3 * (size_t)n;
}

carom_modes carom_modes_cut(const carom_problem *problem, double *work, int *index)
{
    const size_t n = (size_t)problem->n_row;
    return (carom_modes){problem, index,        index + n,       index + 2 * n,
                         work,    work + n * n, work + n * n + n};
}

static int guess_disc(const carom_block *block, const double *P)
{
    const double p = P[block->first];
    if (fabs(p) < (1 - 1e-12) * carom_disc_reach(block, P)) return CAROM_STICK;
    return p >= 0 ? CAROM_SLIP_UP : CAROM_SLIP_DOWN;
}

void carom_modes_guess(carom_modes *modes, const double *P)
{
    for (int k = 0; k < modes->problem->n_block; k++) {
        const carom_block *block = &modes->problem->block[k];
        if (carom_block_is_disc(block)) {
            modes->mode[k] = guess_disc(block, P);
            continue;
        }
        const double N = P[block->first], T = block->dim > 1 ? P[block->first + 1] : 0;
        const double limit = (1 - 1e-12) * block->mu * N;
        int mode = CAROM_STICK;
        if (!(N > 0))
            mode = CAROM_OPEN;
        else if (block->dim > 1 && fabs(T) >= limit)
            mode = T >= 0 ? CAROM_SLIP_UP : CAROM_SLIP_DOWN;
        modes->mode[k] = mode;
    }
}

// the impulse of a disc that slips
static double slip_of_disc(const carom_block *block, int mode)
{
    return mode == CAROM_SLIP_UP ? block->radius : -block->radius;
}

// whether the impulses of a block are known: an open contact, a disc that slips
static bool is_known(const carom_block *block, int mode)
{
    return mode == CAROM_OPEN || (block->is_bilateral && mode != CAROM_STICK);
}

static double slip_of(const carom_block *block, int mode)
{
    if (block->dim == 1 || mode < CAROM_SLIP_UP) return 0;
    return mode == CAROM_SLIP_UP ? block->mu : -block->mu;
}

// what the discs of a contact that slip push for each unit of its normal, into column j
static void add_loaded(const carom_modes *modes, int k, int n, int j)
{
    const carom_problem *problem = modes->problem;
    for (int d = k + 1; d < problem->n_block && problem->block[d].of > 0; d++) {
        const carom_block *disc = &problem->block[d];
        if (modes->mode[d] == CAROM_STICK) continue;
        const double side = modes->mode[d] == CAROM_SLIP_UP ? disc->mu : -disc->mu;
        const double *column = problem->G.dense + disc->first * problem->n_row;
        for (int i = 0; i < n; i++) modes->A[j * n + i] += side * column[modes->unknown[i]];
    }
}

// the rows of the unknowns
static int list_unknowns(const carom_modes *modes)
{
    int n = 0;
    for (int k = 0; k < modes->problem->n_block; k++) {
        const carom_block *block = &modes->problem->block[k];
        if (is_known(block, modes->mode[k])) continue;
        modes->unknown[n++] = block->first;
        if (modes->mode[k] == CAROM_STICK && block->dim > 1) modes->unknown[n++] = block->first + 1;
    }
    return n;
}

static void assemble(const carom_modes *modes, int n)
{
    const carom_problem *problem = modes->problem;
    const int n_row = problem->n_row, *unknown = modes->unknown;
    int j = 0;
    for (int i = 0; i < n; i++) modes->x[i] = -problem->b[unknown[i]];
    for (int k = 0; k < problem->n_block; k++) {
        const carom_block *block = &problem->block[k];
        const double slip = slip_of(block, modes->mode[k]),
                     *column = problem->G.dense + block->first * n_row;
        if (block->is_bilateral && modes->mode[k] != CAROM_STICK)
            for (int i = 0; i < n; i++)
                modes->x[i] -= slip_of_disc(block, modes->mode[k]) * column[unknown[i]];
        if (is_known(block, modes->mode[k])) continue;
        for (int i = 0; i < n; i++) modes->A[j * n + i] = column[unknown[i]];
        for (int i = 0; i < n && slip != 0; i++)
            modes->A[j * n + i] += slip * column[n_row + unknown[i]];
        if (!block->is_bilateral) add_loaded(modes, k, n, j);
        j++;
        if (modes->mode[k] != CAROM_STICK || block->dim == 1) continue;
        for (int i = 0; i < n; i++) modes->A[j * n + i] = column[n_row + unknown[i]];
        j++;
    }
}

static bool spread_answer(const carom_modes *modes, int n, double *P)
{
    double largest = 0;
    for (int i = 0; i < n; i++) largest = carom_larger(largest, fabs(modes->x[i]));
    const double *x = modes->x;
    for (int k = 0; k < modes->problem->n_block; k++) {
        const carom_block *block = &modes->problem->block[k];
        double N = 0, T = 0;
        if (block->is_bilateral) {
            const double reach = carom_disc_reach(block, P);
            N = modes->mode[k] == CAROM_STICK     ? *x++
                : modes->mode[k] == CAROM_SLIP_UP ? reach
                                                  : -reach;
            if (fabs(N) > reach + 1e-7 * largest) return false;
        } else if (modes->mode[k] != CAROM_OPEN) {
            N = *x++;
            if (!(N >= -1e-11 * largest)) return false;
            N = carom_larger(N, 0);
            T = slip_of(block, modes->mode[k]) * N;
            if (modes->mode[k] == CAROM_STICK && block->dim > 1) T = *x++;
            if (fabs(T) > block->mu * N + 1e-7 * largest && block->dim > 1) return false;
        }
        P[block->first] = N;
        if (block->dim > 1) P[block->first + 1] = T;
    }
    return true;
}

// whether open contacts open: most wrong modes fail here, before the full residual is computed
static bool is_plausible(const carom_modes *modes, const double *P)
{
    const carom_problem *problem = modes->problem;
    const int n = problem->n_row;
    for (int k = 0; k < problem->n_block; k++) {
        if (modes->mode[k] != CAROM_OPEN) continue;
        const int i = problem->block[k].first;
        double xi = problem->b[i], size = fabs(xi);
        for (int j = 0; j < n; j++) {
            const double part = problem->G.dense[j * n + i] * P[j];
            xi += part;
            size += fabs(part);
        }
        if (xi < -1e-7 * size) return false;
    }
    return true;
}

bool carom_modes_solve(carom_modes *modes, bool least, double *P)
{
    const int n = list_unknowns(modes);
    assemble(modes, n);
    if (n == 1 && !least) {
        if (!(fabs(modes->A[0]) > 1e-13)) return false;
        modes->x[0] /= modes->A[0];
    } else if (least) {
        carom_dense_least(n, modes->A, 1, modes->x, modes->work, modes->pivot);
    } else if (!carom_dense_lu(n, modes->A, 1, modes->x, modes->pivot)) {
        return false;
    }
    return spread_answer(modes, n, P) && is_plausible(modes, P);
}
