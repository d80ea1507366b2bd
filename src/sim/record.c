// SPDX-License-Identifier: Apache-2.0
// Rows: the state, its energies, and for each contact gap, rates, impulses since the last row and
// forces now; the same impulses and forces of constraints and of joints on bodies. The order is
// that of sim_columns.c. Behind a row stand the lines of contacts that come and go, of those that
// are near. Nothing is computed where no recorder asks for it.
#include "base/limits.h"
#include "base/need.h"
#include "dynamics/law.h"
#include "model/plan.h"
#include "model/slots/slots.h"
#include "sim/sim.h"
#include "sim/sim_clock.h"

#include <string.h>

static double *put_numbers(double *to, const double *from, int n)
{
    memcpy(to, from, sizeof(double) * (size_t)n);
    return to + n;
}

// of the tangents; what lies along the second slip of an ellipse is measured as the slip is
static double *put_slips(const carom_contact_facts *facts, const double *from, double scale,
                         double *to)
{
    double *next = put_numbers(to, from, facts->n_slip);
    if (facts->ratio > 0) to[1] *= scale;
    return next;
}

static double *put_contact(const carom_sim *sim, const carom_state *state, int contact, double *to)
{
    const carom_contact_facts *facts = carom_plan_contact(sim->s.plan, contact);
    const int row = facts->row;
    if (carom_plan_contact(sim->s.plan, carom_law_home(facts, contact))->is_near) return to;
    if (!carom_law_is_disc(facts)) {
        *to++ = sim->eval->gaps.value[contact];
        *to++ = sim->rows.gamma[row];
    }
    *to++ = sim->rows.P[row];
    *to++ = state->la[row];
    to = put_slips(facts, sim->rows.gamma + row + 1, 1 / facts->ratio, to);
    to = put_slips(facts, sim->rows.P + row + 1, facts->ratio, to);
    return put_slips(facts, state->la + row + 1, facts->ratio, to);
}

static double *put_reactions(const carom_sim *sim, const carom_state *state, double *to)
{
    const int n = sim->size.n_reaction;
    double *force = put_numbers(to, sim->rows.P + sim->size.n_row, n);
    memset(force, 0, sizeof(double) * (size_t)n);
    if (sim->rows.last_P) carom_sim_add_reactions(sim, sim->rows.last_P, to);
    carom_sim_add_reactions(sim, state->la, force);
    return force + n;
}

static carom_status fill_row(carom_sim *sim, const carom_state *state)
{
    carom_error *error = &sim->trouble;
    const carom_point at = {
        .t = state->t, .q = state->q, .u = state->u, .a = sim->rows.a, .P = sim->rows.force};
    CAROM_TRY(carom_sim_feel(sim, state));
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
    to = put_reactions(sim, state, to);
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

static carom_status send_line(carom_sim *sim, const carom_contact_line *line, carom_error *error)
{
    for (int i = 0; i < sim->recording.n; i++) {
        const carom_recorder *to = &sim->recording.item[i];
        if (to->contact) CAROM_TRY(to->contact(to->self, line, error));
    }
    carom_stream_add_line(&sim->recording.sent_lines, line);
    return CAROM_OK;
}

// the contacts that are near, at the row just filled
static carom_status send_lines(carom_sim *sim, const carom_state *state, carom_error *error)
{
    const carom_plan *plan = sim->s.plan;
    const int n = sim->size.n_contact;
    double *point = sim->rows.place, *normal = point + 3 * (size_t)n;
    const carom_point at = {.t = state->t, .q = state->q, .u = state->u};
    const bool is_now = state->q == sim->now.q; // else the end of the step to come, or inside it
    const long step = sim->ledger->counts.steps + (is_now ? 0 : 1);
    const carom_places places = {point, normal, sim->rows.touching};
    for (int i = 0; i < 6 * n; i++) sim->rows.place[i] = NAN;
    for (int i = 0; i < 2 * n; i++) sim->rows.touching[i] = -1;
    if (sim->model->kind->places)
        CAROM_TRY(sim->model->kind->places(sim->s.plan, &at, &places, error));
    for (int c = plan->slots->first; c < plan->slots->end; c++) {
        if (plan->slots->slot[c].key == 0) continue;
        const int row = plan->contact[c].row;
        carom_contact_line line = {.step = step,
                                   .t = state->t,
                                   .key = plan->slots->slot[c].key,
                                   .gap = sim->eval->gaps.value[c],
                                   .rate = sim->rows.gamma[row],
                                   .P = sim->rows.P[row],
                                   .la = state->la[row]};
        memcpy(line.point, point + 3 * c, sizeof line.point);
        memcpy(line.normal, normal + 3 * c, sizeof line.normal);
        for (int k = 0; k < 2; k++) line.body[k] = sim->rows.touching[2 * c + k];
        CAROM_TRY(send_line(sim, &line, error));
    }
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
    if (status == CAROM_OK) {
        status = send_row(sim, error);
        if (status == CAROM_OK && sim->recording.has_lines) status = send_lines(sim, state, error);
    } else
        carom_fail(error, status, "the row at t = %.9g failed: %.800s", state->t,
                   sim->trouble.message);
    sim->clock.row_seconds += carom_clock_wall() - start;
    return status;
}

carom_status carom_sim_write_start(carom_sim *sim, carom_error *error)
{
    if (!sim->rows.needs_start || !sim->recording.has_rows) return CAROM_OK;
    sim->rows.needs_start = false;
    memset(sim->rows.P, 0, sizeof(double) * (size_t)carom_sim_n_pending(sim));
    sim->rows.last_P = NULL;
    sim->rows.h = 0;
    sim->rows.is_start = true;
    carom_state start = sim->now;
    if (sim->rows.has_first_la && sim->scheme->separates_impact) start.la = sim->rows.first_la;
    const carom_status status = carom_sim_write_row(sim, &start, error);
    sim->rows.is_start = false;
    if (status != CAROM_OK) return status;
    sim->ledger->rows = sim->recording.sent_rows;
    sim->ledger->lines = sim->recording.sent_lines;
    return CAROM_OK;
}

carom_status carom_sim_write_next(carom_sim *sim, carom_error *error)
{
    memcpy(sim->rows.P, sim->rows.pending, sizeof(double) * (size_t)carom_sim_n_pending(sim));
    for (int i = 0; i < sim->size.n_row; i++) sim->rows.P[i] += sim->next.P[i];
    for (int i = 0; i < sim->contacts.n_changed; i++) { // what came before was another contact's
        const carom_contact_facts *facts = &sim->s.plan->contact[sim->contacts.changed[i]];
        memcpy(sim->rows.P + facts->row, sim->next.P + facts->row,
               sizeof(double) * (size_t)(1 + facts->n_slip));
    }
    sim->rows.last_P = sim->next.P;
    sim->rows.h = sim->next.t - sim->now.t;
    return carom_sim_write_row(sim, &sim->next, error);
}

carom_status carom_sim_write_cut(carom_sim *sim, carom_error *error)
{
    carom_ledger *ledger = sim->ledger;
    if (!sim->recording.has_rows || ledger->is_cut || ledger->row_step == ledger->counts.steps)
        return CAROM_OK;
    memcpy(sim->rows.P, sim->rows.pending, sizeof(double) * (size_t)carom_sim_n_pending(sim));
    sim->rows.last_P = NULL;
    sim->rows.h = sim->rows.last_h;
    CAROM_TRY(carom_sim_write_row(sim, &sim->now, error));
    ledger->is_cut = 1;
    sim->recording.needs_opening = true;
    return CAROM_OK;
}

// the row of the cut stays, and the next one shows the impulses since then
static void accept_cut(carom_sim *sim)
{
    memset(sim->rows.pending, 0, sizeof(double) * (size_t)carom_sim_n_pending(sim));
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
    if (sim->recording.is_restarted && !sim->recording.continues_rows)
        sim->recording.sent_lines = (carom_stream){0};
    if (!sim->recording.has_lines && sim->now.slot) sim->recording.sent_lines.has_hole = 1;
    sim->recording.is_restarted = false;
    ledger->rows = sim->recording.sent_rows;
    ledger->events = sim->recording.sent_events;
    ledger->lines = sim->recording.sent_lines;
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
    const bool takes_lines = recorder.contact && sim->now.slot; // which stand behind rows
    const bool takes_rows = recorder.row || takes_lines;
    if (takes_rows) CAROM_TRY(carom_sim_check_rows(sim, error));
    if (takes_rows) CAROM_TRY(carom_sim_find_first_forces(sim, error));
    sim->recording.item[sim->recording.n++] = recorder;
    sim->recording.has_rows |= takes_rows;
    sim->recording.has_events |= recorder.event != NULL;
    sim->recording.has_lines |= takes_lines;
    sim->recording.needs_opening = true;
    return CAROM_OK;
}

carom_status carom_sim_row(carom_sim *sim, const carom_state *state, double *value,
                           carom_error *error)
{
    CAROM_NEED(error, sim);
    CAROM_NEED(error, state);
    CAROM_NEED(error, value);
    sim->trouble = (carom_error){0};
    memset(sim->rows.P, 0, sizeof(double) * (size_t)carom_sim_n_pending(sim));
    sim->rows.last_P = NULL;
    sim->rows.h = 0;
    const carom_status status = fill_row(sim, state);
    if (status != CAROM_OK) {
        if (error) *error = sim->trouble;
        return status;
    }
    memcpy(value, sim->rows.value, sizeof(double) * (size_t)sim->rows.n_column);
    return CAROM_OK;
}
