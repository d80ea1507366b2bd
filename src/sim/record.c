// SPDX-License-Identifier: Apache-2.0
// Rows: the state, its energies, and for each contact gap, rates, impulses since the last row and
// forces now; the same impulses and forces of constraints. The order is that of columns.c. Nothing
// is computed where no recorder asks for it.
#include "base/limits.h"
#include "base/need.h"
#include "dynamics/law.h"
#include "sim/clock.h"
#include "sim/sim.h"

#include <string.h>

static double *put_numbers(double *to, const double *from, int n)
{
    memcpy(to, from, sizeof(double) * (size_t)n);
    return to + n;
}

static double *put_contact(const carom_sim *sim, const carom_state *state, int contact, double *to)
{
    const carom_contact_facts *facts = carom_plan_contact(sim->s.plan, contact);
    const int row = facts->row, n = facts->n_slip;
    if (!carom_law_is_disc(facts)) {
        *to++ = sim->eval->gaps.value[contact];
        *to++ = sim->rows.gamma[row];
    }
    *to++ = sim->rows.P[row];
    *to++ = state->la[row];
    to = put_numbers(to, sim->rows.gamma + row + 1, n);
    to = put_numbers(to, sim->rows.P + row + 1, n);
    return put_numbers(to, state->la + row + 1, n);
}

static carom_status fill_row(carom_sim *sim, const carom_state *state)
{
    carom_error *error = &sim->trouble;
    const carom_point at = {.t = state->t, .q = state->q, .u = state->u};
    CAROM_TRY(carom_model_eval(sim->s.plan, &at, CAROM_ROW_MASK, sim->eval, error));
    carom_dynamics_rates(sim->eval, state->u, sim->rows.gamma);
    double kinetic = sim->eval->energy.kinetic, potential = sim->eval->energy.potential;
    sim->s.error = error;
    if (sim->scheme->energy) CAROM_TRY(sim->scheme->energy(&sim->s, state, &kinetic, &potential));

    double *to = sim->rows.value;
    *to++ = state->t;
    to = put_numbers(to, state->q, sim->size.nq);
    to = put_numbers(to, state->u, sim->size.nu);
    *to++ = kinetic;
    *to++ = potential;
    *to++ = kinetic + potential;
    for (int i = 0; i < sim->size.n_contact; i++) to = put_contact(sim, state, i, to);
    to = put_numbers(to, sim->eval->gaps.constraint, sim->size.n_constraint);
    to = put_numbers(to, sim->rows.P, sim->size.n_constraint);
    to = put_numbers(to, state->la, sim->size.n_constraint);
    put_numbers(to, sim->eval->record, sim->size.n_record);
    return CAROM_OK;
}

static carom_status send_row(carom_sim *sim, carom_error *error)
{
    for (int i = 0; i < sim->recording.n; i++) {
        const carom_recorder *to = &sim->recording.item[i];
        if (to->row) CAROM_TRY(to->row(to->self, sim->rows.value, sim->rows.n_column, error));
    }
    carom_stream_add(&sim->recording.sent_rows, sim->rows.value, sim->rows.n_column);
    return CAROM_OK;
}

carom_status carom_sim_write_row(carom_sim *sim, const carom_state *state, carom_error *error)
{
    if (++sim->rows.n_written > sim->rows.most + 2) // start and end come on top
        return carom_limit_fail(error, (carom_place){0}, "the run has recorded", "rows",
                                sim->rows.most);
    const double start = carom_clock_wall();
    sim->trouble.status = CAROM_OK;
    sim->trouble.message[0] = 0;
    carom_status status = fill_row(sim, state);
    if (status == CAROM_OK)
        status = send_row(sim, error);
    else
        carom_fail(error, status, "the row at t = %.9g failed: %.800s", state->t,
                   sim->trouble.message);
    sim->clock.row_seconds += carom_clock_wall() - start;
    return status;
}

carom_status carom_sim_write_start(carom_sim *sim, carom_error *error)
{
    if (!sim->rows.needs_start || !sim->recording.has_rows) return CAROM_OK;
    sim->rows.needs_start = false;
    memset(sim->rows.P, 0, sizeof(double) * (size_t)sim->size.n_row);
    carom_state start = sim->now;
    if (sim->rows.has_first_la) start.la = sim->rows.first_la;
    CAROM_TRY(carom_sim_write_row(sim, &start, error));
    sim->ledger->rows = sim->recording.sent_rows;
    return CAROM_OK;
}

carom_status carom_sim_write_next(carom_sim *sim, carom_error *error)
{
    for (int i = 0; i < sim->size.n_row; i++)
        sim->rows.P[i] = sim->rows.pending[i] + sim->next.P[i];
    return carom_sim_write_row(sim, &sim->next, error);
}

carom_status carom_sim_write_cut(carom_sim *sim, carom_error *error)
{
    carom_ledger *ledger = sim->ledger;
    if (!sim->recording.has_rows || ledger->is_cut || ledger->row_step == ledger->counts.steps)
        return CAROM_OK;
    memcpy(sim->rows.P, sim->rows.pending, sizeof(double) * (size_t)sim->size.n_row);
    CAROM_TRY(carom_sim_write_row(sim, &sim->now, error));
    ledger->is_cut = 1;
    sim->recording.needs_opening = true;
    return CAROM_OK;
}

// the row of the cut stays, and the next one shows the impulses since then
static void accept_cut(carom_sim *sim)
{
    memset(sim->rows.pending, 0, sizeof(double) * (size_t)sim->size.n_row);
    sim->ledger->row_step = sim->ledger->counts.steps;
}

void carom_sim_open_recording(carom_sim *sim)
{
    carom_ledger *ledger = sim->ledger;
    sim->recording.needs_opening = false;
    if (ledger->is_cut && !(sim->recording.is_restarted && sim->recording.continues_rows))
        accept_cut(sim);
    ledger->is_cut = 0;
    // files that do not go on start anew
    if (sim->recording.is_restarted && !sim->recording.continues_rows)
        sim->recording.sent_rows = (carom_stream){0};
    if (sim->recording.is_restarted && !sim->recording.continues_events)
        sim->recording.sent_events = (carom_stream){0};
    if (!sim->recording.has_rows) sim->recording.sent_rows.has_hole = 1;
    if (!sim->recording.has_events) sim->recording.sent_events.has_hole = 1;
    sim->recording.is_restarted = false;
    ledger->rows = sim->recording.sent_rows;
    ledger->events = sim->recording.sent_events;
}

carom_status carom_sim_check_rows(const carom_sim *sim, carom_error *error)
{
    CAROM_NEED(error, sim);
    const bool has_grid = sim->is.has_free_steps && sim->choice.output_step > 0;
    const double n = has_grid                 ? sim->choice.end / sim->choice.output_step
                     : sim->is.has_free_steps ? 0 // not known before
                                              : (double)sim->grid.n_step / sim->choice.every;
    if (n <= sim->rows.most) return CAROM_OK;
    return carom_limit_fail(error, (carom_place){0},
                            "the run (see --every and --output-step) records", "rows",
                            sim->rows.most);
}

carom_status carom_sim_add_recorder(carom_sim *sim, carom_recorder recorder, carom_error *error)
{
    CAROM_NEED(error, sim);
    if (sim->recording.n == CAROM_MAX_RECORDER)
        return carom_fail(error, CAROM_BUG, "a simulation takes at most %d recorders",
                          CAROM_MAX_RECORDER);
    if (recorder.row) CAROM_TRY(carom_sim_check_rows(sim, error));
    if (recorder.row) CAROM_TRY(carom_sim_find_first_forces(sim, error));
    sim->recording.item[sim->recording.n++] = recorder;
    sim->recording.has_rows |= recorder.row != NULL;
    sim->recording.has_events |= recorder.event != NULL;
    sim->recording.needs_opening = true;
    return CAROM_OK;
}
