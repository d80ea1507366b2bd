// SPDX-License-Identifier: Apache-2.0
// Tries every combination of open, stick and slip until the laws hold: exact, for a few contacts
// in the plane or without friction. For each combination the impulses follow from a linear system
// (contact/small/mode.h), and the residual says whether the laws hold. Discs of one row stick or
// slip whatever the contacts do. In this order:
//
//     1. the modes that the guess shows
//     2. all combinations, those with few closed contacts first: redundant contacts have an answer
//        with independent columns; singular systems are skipped
//     3. all again, singular systems by minimum norm
#include "contact/small/mode.h"
#include "contact/solver.h"

#include <string.h>

enum { MAX_COMBINATION = 4096, MAX_CONTACT = 12 };

static const carom_option rows[] = {[CAROM_OPTION_TOLERANCE] = CAROM_TOLERANCE_ROW, {0}};

typedef struct search {
    carom_attempt *attempt;
    carom_modes modes;
    double *trial;
    unsigned discs; // which blocks are discs: they do not open
} search;

static size_t n_work(int max_row)
{
    const int n = max_row < 3 * MAX_CONTACT ? max_row : 3 * MAX_CONTACT;
    return carom_modes_work(n) + (size_t)n;
}

static size_t n_index(int max_row)
{
    return carom_modes_index(max_row < 3 * MAX_CONTACT ? max_row : 3 * MAX_CONTACT);
}

// how many closed modes a contact has: without friction slip and stick are the same
static int closed_modes(const carom_block *block)
{
    if (block->is_bilateral) return 3; // a disc, which has no other
    return block->dim == 1 || block->mu == 0 ? 1 : 3;
}

// true where the search is over
static bool try_modes(search *s, bool least)
{
    s->attempt->iterations++;
    if (!carom_modes_solve(&s->modes, least, s->trial)) return false;
    const double residual = carom_residual_formed(s->attempt->problem, s->trial);
    if (!(residual < s->attempt->residual)) return false;
    s->attempt->residual = residual;
    memcpy(s->attempt->P, s->trial, sizeof *s->trial * (size_t)s->attempt->problem->n_row);
    return residual <= s->attempt->option[CAROM_OPTION_TOLERANCE];
}

// the next combination of closed modes for the contacts in mask; false after the last
static bool next_closed(search *s, unsigned mask)
{
    for (int k = 0; k < s->attempt->problem->n_block; k++) {
        if (!(mask >> k & 1u) && !s->attempt->problem->block[k].is_bilateral) continue;
        if (++s->modes.mode[k] <= closed_modes(&s->attempt->problem->block[k])) return true;
        s->modes.mode[k] = CAROM_STICK;
    }
    return false;
}

static bool try_mask(search *s, unsigned mask, bool least)
{
    for (int k = 0; k < s->attempt->problem->n_block; k++)
        s->modes.mode[k] = (mask >> k & 1u) || s->attempt->problem->block[k].is_bilateral
                               ? CAROM_STICK
                               : CAROM_OPEN;
    do {
        if (try_modes(s, least)) return true;
    } while (next_closed(s, mask));
    return false;
}

// all masks with the same number of ones, from the smallest (Gosper)
static bool try_size(search *s, int n_closed, bool least)
{
    const unsigned end = 1u << s->attempt->problem->n_block;
    for (unsigned mask = (1u << n_closed) - 1; mask < end;) {
        if ((mask & s->discs) == 0 && try_mask(s, mask, least)) return true;
        if (mask == 0) break;
        const unsigned low = mask & (~mask + 1u), up = mask + low;
        mask = (((up ^ mask) >> 2) / low) | up;
    }
    return false;
}

static carom_status refuse(carom_attempt *attempt)
{
    const carom_problem *problem = attempt->problem;
    double combinations = 1;
    for (int k = 0; k < problem->n_block; k++) {
        const carom_block *block = &problem->block[k];
        const bool is_disc = carom_block_is_disc(block);
        if (is_disc ? block->dim > 1 : block->is_bilateral || block->dim > 2 || !problem->G.dense)
            return carom_fail(attempt->error, CAROM_BAD_INPUT,
                              "solver enumerate takes small problems in the plane or without "
                              "friction, and discs of one row; use auto");
        combinations *= is_disc ? 3 : 1 + closed_modes(block);
    }
    if (combinations > MAX_COMBINATION || problem->n_block > MAX_CONTACT)
        return carom_fail(attempt->error, CAROM_BAD_INPUT,
                          "solver enumerate: %d contacts are too many; use auto", problem->n_block);
    return CAROM_OK;
}

static carom_status enumerate_solve(carom_attempt *attempt)
{
    CAROM_TRY(refuse(attempt));
    const carom_problem *problem = attempt->problem;
    const int n = problem->n_row;
    search s = {attempt, carom_modes_cut(problem, attempt->work + n, attempt->index), attempt->work,
                0};
    for (int k = 0; k < problem->n_block; k++)
        s.discs |= (unsigned)problem->block[k].is_bilateral << k;
    attempt->solver = "enumerate";
    attempt->residual = INFINITY;
    carom_modes_guess(&s.modes, attempt->P);
    for (int k = 0; k < problem->n_block; k++)
        if (problem->block[k].dim > 1 && problem->block[k].mu == 0 && s.modes.mode[k])
            s.modes.mode[k] = CAROM_SLIP_UP;
    if (try_modes(&s, false)) return CAROM_OK;
    for (int pass = 0; pass < 2; pass++)
        for (int n_closed = 0; n_closed <= problem->n_block; n_closed++)
            if (try_size(&s, n_closed, pass == 1)) return CAROM_OK;
    return CAROM_OK;
}

const carom_solver carom_solver_enumerate = {
    .facts = {"enumerate", "tries all open/stick/slip combinations: exact, few contacts, plane",
              true, true, true, true, 0, rows},
    .eliminates = true,
    .tries_closed = true,
    .n_work = n_work,
    .n_index = n_index,
    .solve = enumerate_solve,
};
