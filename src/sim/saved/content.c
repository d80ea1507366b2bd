// SPDX-License-Identifier: Apache-2.0
// Whether what a checkpoint holds can be true. Its checksum tells damage, not malice: a file that
// was made up has the right one. So everything that steers the run has to be in its range: times
// within the run, counts from 0, indices of things that are there, flags 0 or 1, lengths of steps
// and sizes that are finite and not negative. Sums that are only reported may be anything.
#include "sim/saved/content.h"

#include <limits.h>

// counts go on from here without an overflow, and are exact as doubles
static const long long most_count = 1LL << 53;

static bool are_finite(const double *x, int n)
{
    for (int i = 0; i < n; i++)
        if (!isfinite(x[i])) return false;
    return true;
}

static bool are_sizes(const double *x, int n)
{
    for (int i = 0; i < n; i++)
        if (!(x[i] >= 0 && x[i] < INFINITY)) return false;
    return true;
}

static bool are_counts(const long *const *x, int n)
{
    for (int i = 0; i < n; i++)
        if (*x[i] < 0 || *x[i] > most_count) return false;
    return true;
}

static bool is_flag(long x)
{
    return x == 0 || x == 1;
}

// -1 = none
static bool is_place(long i, int n)
{
    return i >= -1 && i < n;
}

static bool state_can_be(const carom_sim *sim, const carom_state *state)
{
    const carom_sizes *n = &sim->size;
    bool is_good = state->t >= 0 && isfinite(state->t);
    is_good &= are_finite(state->q, n->nq) && are_finite(state->u, n->nu);
    is_good &= are_finite(state->P, n->n_row) && are_finite(state->la, n->n_row);
    is_good &= are_finite(state->memory, sim->n_memory);
    for (int i = 0; i < n->n_contact; i++) is_good &= is_flag(state->is_active[i]);
    for (int i = 0; state->slot && i < n->n_contact; i++)
        is_good &= state->slot[i].generation >= 0 && state->slot[i].generation <= most_count;
    return is_good && (!sim->scheme->memory.is_good || sim->scheme->memory.is_good(&sim->s, state));
}

static bool counts_can_be(const carom_ledger *ledger)
{
    const carom_counts *c = &ledger->counts;
    const long *const counts[] = {
        &c->steps,         &c->impact_steps,      &c->contact_steps,   &c->events,
        &c->unconverged,   &c->solver_iterations, &c->rejected,        &c->evaluations,
        &c->energy_rises,  &c->ambiguous,         &ledger->done,       &ledger->grid,
        &ledger->row_step, &ledger->look,         &ledger->rows.count, &ledger->events.count};
    return are_counts(counts, (int)(sizeof counts / sizeof *counts)) && ledger->look > 0 &&
           is_flag(ledger->is_pushed) && is_flag(ledger->had_impulse) && is_flag(ledger->is_cut) &&
           is_flag(ledger->rows.has_hole) && is_flag(ledger->events.has_hole) &&
           is_flag(ledger->lines.has_hole) && ledger->lines.count >= 0 &&
           ledger->lines.count <= most_count;
}

// steps of fixed length are counted from base: what is done of them leads to t
static bool times_can_be(const carom_sim *sim, const carom_content *is)
{
    const carom_ledger *ledger = &is->ledger;
    const double t = is->state->t, rounding = 1e-9 * (t + sim->choice.step);
    const double length[] = {ledger->h_next, ledger->impact_by, ledger->h_impact, ledger->base};
    if (!are_sizes(length, 4) || ledger->base > t + rounding) return false;
    return sim->is.has_free_steps ||
           ledger->base + (double)(ledger->done - 1) * sim->choice.step <= t + rounding;
}

static bool ledger_can_be(const carom_sim *sim, const carom_content *is)
{
    const carom_ledger *ledger = &is->ledger;
    const carom_sizes *n = &sim->size;
    return counts_can_be(ledger) && times_can_be(sim, is) &&
           is_place(ledger->worst.min_gap_contact, n->n_contact) &&
           is_place(ledger->worst.drift_constraint, n->n_constraint) &&
           is_place(ledger->worst.residual_row, n->n_row) &&
           is_place(ledger->worst.lag_contact, n->n_contact) && !isnan(ledger->worst.min_gap) &&
           !isnan(ledger->worst.max_drift) && !isnan(ledger->worst.residual);
}

static bool tracks_can_be(const carom_sim *sim, const carom_content *is)
{
    for (int i = 0; i < sim->size.n_contact; i++) {
        const carom_track *track = &is->track[i];
        const double scale[] = {track->rate_scale, track->slip_scale};
        if (!are_sizes(scale, 2) || !is_flag(track->is_pushed) || track->grip > CAROM_GRIP_SLIP)
            return false;
    }
    return true;
}

// of the memory of step control the sizes come first; the rest is only compared
bool carom_content_can_be(const carom_sim *sim, const carom_content *is)
{
    const carom_sizes *n = &sim->size;
    return state_can_be(sim, is->state) && ledger_can_be(sim, is) && tracks_can_be(sim, is) &&
           are_finite(is->pending, carom_sim_n_pending(sim)) &&
           (!is->control || are_sizes(is->control, n->nq + n->nu)) && is->every > 0 &&
           is->every <= INT_MAX && are_sizes(&is->output_step, 1) && is->saved >= 0 &&
           is->saved <= is->seen && is->seen <= most_count;
}
