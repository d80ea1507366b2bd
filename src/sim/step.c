// SPDX-License-Identifier: Apache-2.0
// One step and the loop around it: the scheme makes next from now; audit, events and row look at
// it; only when all went well does next become now.
//
//     advance     h from the grid or the step control; scheme->step(now -> next); all finite?
//     look        what the audit has to know of next: gaps, constraints, work
//     enter       audit, events, row, each on a copy of the ledger
//     commit      swap(now, next), the copy becomes the ledger
//
// On failure state and audit are as before, and the message says where it happened.
//
// Most steps are quiet: of fixed length, nothing touches or has touched, and neither a row nor
// a look at the energy is due. Once the audit has asked the model, nothing of such a step can fail,
// and it is entered at once. Of a loud step the audit is made on a copy.
#include "base/need.h"
#include "math/vector.h"
#include "model/model.h"
#include "sim/audit.h"
#include "sim/clock.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SHOWN_COORDINATES = 4, MAX_STRIDE = 1 << 16 };
static const double tick_seconds = 0.05;

// "x = 1, der(x) = -2, ..." of the state before the step
static void describe_state(const carom_sim *sim, char *text, size_t room)
{
    const carom_state *now = &sim->now;
    size_t used = 0;
    for (int i = 0; i < sim->size.nq && i < SHOWN_COORDINATES; i++) {
        const char *name = carom_model_coordinate_name(sim->model, i);
        int n = snprintf(text + used, room - used, "%s%s = %.9g", i ? ", " : "", name, now->q[i]);
        if (n > 0 && used + (size_t)n < room) used += (size_t)n;
        if (i >= sim->size.nu) continue;
        n = snprintf(text + used, room - used, ", der(%s) = %.9g", name, now->u[i]);
        if (n > 0 && used + (size_t)n < room) used += (size_t)n;
    }
    if (sim->size.nq > SHOWN_COORDINATES) snprintf(text + used, room - used, ", ...");
}

static carom_status explain(const carom_sim *sim, carom_status status, carom_error *error)
{
    char state[400] = "";
    const char *why = sim->trouble.message[0] ? sim->trouble.message : "the scheme gave up";
    describe_state(sim, state, sizeof state);
    return carom_fail(error, status, "step %ld from t = %.9g failed: %.500s; the state there: %s",
                      sim->ledger->counts.steps + 1, sim->now.t, why, state);
}

static carom_status blame(carom_sim *sim, const carom_state *next)
{
    for (int i = 0; i < sim->size.nq; i++)
        if (!isfinite(next->q[i]))
            return carom_fail(&sim->trouble, CAROM_NOT_FINITE, "%s became %g",
                              carom_model_coordinate_name(sim->model, i), next->q[i]);
    for (int i = 0; i < sim->size.nu; i++)
        if (!isfinite(next->u[i]))
            return carom_fail(&sim->trouble, CAROM_NOT_FINITE, "der(%s) became %g",
                              carom_model_coordinate_name(sim->model, i), next->u[i]);
    return CAROM_OK;
}

// Field by field: of a literal for the whole compilers make one slow string instruction.
static void clear_report(carom_step_report *r, double h)
{
    r->h_used = h;
    r->h_next = r->error = r->residual = r->cone = 0;
    r->is_converged = true;
    r->is_ambiguous = false;
    r->has_impact = r->has_contact = r->has_applied_work = r->is_free = r->has_rates = false;
    r->iterations = r->rejected = 0;
    r->evaluations = 0;
    r->impact_loss = r->friction_loss = r->obstacle_work = r->applied_work = 0;
    r->at_end = NULL;
}

static carom_status choose_contacts(carom_sim *sim, const carom_state *from)
{
    CAROM_TRY(carom_model_refresh(sim->model, from->t, from->q, &sim->trouble));
    return carom_sim_choose_patches(sim, from, &sim->trouble);
}

// the new state starts as a copy: whatever a scheme does not write is the same in every run, also
// after a restart
static inline carom_status try_step(carom_sim *sim, const carom_state *from, carom_state *to,
                                    double h)
{
    carom_step_report *report = &sim->s.report;
    if (!sim->scheme->writes_all) memcpy(to->q, from->q, sim->state_bytes);
    to->t = from->t + h;
    to->number = ++sim->n_state;
    if (report->has_rates || !report->is_free) // of the step before
        memset(report->rate_before, 0, 2 * sizeof(double) * (size_t)sim->size.n_row);
    clear_report(report, h);
    sim->s.h = h;
    sim->trouble.status = CAROM_OK;
    sim->trouble.message[0] = 0;
    if (sim->chooses_contacts) CAROM_TRY(choose_contacts(sim, from));
    CAROM_TRY(sim->scheme->step(&sim->s, from, to));
    return carom_vector_is_finite(to->q, sim->size.nq + sim->size.nu) ? CAROM_OK : blame(sim, to);
}

carom_status carom_sim_try_step(carom_sim *sim, const carom_state *from, carom_state *to, double h)
{
    return try_step(sim, from, to, h);
}

carom_status carom_sim_check_advance(carom_sim *sim, double h)
{
    if (sim->now.t + h > sim->now.t) return CAROM_OK;
    sim->trouble = (carom_error){0};
    return carom_fail(&sim->trouble, CAROM_NOT_CONVERGED,
                      "a step of %.3g s is lost in the rounding of t = %.17g: time cannot advance "
                      "(take a larger tolerance)",
                      h, sim->now.t);
}

// for the scheme's own events and the step control
static void begin(carom_sim *sim)
{
    if (sim->control) memcpy(sim->next_ledger, sim->ledger, sim->ledger_bytes);
    if (!sim->scheme->finds_events) return;
    sim->sink_error.status = CAROM_OK;
    sim->sunk = 0;
    carom_sim_rises_begin(sim);
    sim->sink_status = CAROM_OK;
}

// the scheme's step and what the audit has to know of it; messages go to sim->trouble
static __attribute__((noinline)) carom_status advance(carom_sim *sim)
{
    begin(sim);
    const double h = carom_sim_next_h(sim);
    if (!sim->control) CAROM_TRY(carom_sim_check_advance(sim, h));
    if (sim->schedule) carom_schedule_open(sim, h);
    const carom_status status = sim->control ? carom_sim_auto_step(sim, sim->next_ledger)
                                             : carom_sim_try_step(sim, &sim->now, &sim->next, h);
    if (sim->schedule) carom_schedule_close(sim);
    if (status != CAROM_OK) return status;
    carom_sim_land_on_grid(sim, &sim->next);
    return carom_audit_look_at_next(sim);
}

// the same for a step of the grid that may become quiet
static inline carom_status advance_on_grid(carom_sim *sim)
{
    const carom_ledger *ledger = sim->ledger;
    CAROM_TRY(try_step(sim, &sim->now, &sim->next, sim->step));
    sim->next.t = ledger->base + (double)(ledger->done + 1) * sim->step;
    return carom_audit_look_at_next(sim);
}

static inline void swap_states(carom_sim *sim)
{
    const carom_state next = sim->next;
    sim->next = sim->now;
    sim->now = next;
}

// enters the step if it is quiet
static inline bool enter_quietly(carom_sim *sim)
{
    carom_ledger *ledger = sim->ledger;
    const carom_step_report *report = &sim->s.report;
    if (!report->is_free || report->has_contact || ledger->is_pushed) return false;
    const long step = ledger->counts.steps + 1;
    const bool is_row = sim->every == 1 || step % sim->every == 0; // dividing is slow
    if (is_row && (sim->has_rows || sim->has_pending)) return false;
    if (sim->size.n_contact > 0) {
        const double least = carom_audit_least(sim, sim->seen);
        if (carom_sim_gap_plunges(least, sim->least)) return false;
        sim->least = least;
        carom_audit_enter_least(sim, sim->seen, least, sim->next.t, ledger);
    }
    carom_audit_enter_free(sim, ledger);
    if (is_row) ledger->row_step = step;
    swap_states(sim);
    return true;
}

// the impulses since the last row
static void add_pending(carom_sim *sim, const carom_ledger *ledger)
{
    const bool has_row = ledger->row_step == ledger->counts.steps;
    double *pending = sim->pending;
    const double *P = sim->next.P;
    const int n = sim->size.n_row;
    if (!has_row)
        for (int i = 0; i < n; i++) pending[i] += P[i];
    else if (sim->has_pending)
        memset(pending, 0, sizeof(double) * (size_t)n);
    sim->has_pending = !has_row;
}

// what the step leaves behind becomes the present
static void commit(carom_sim *sim, carom_ledger *ledger)
{
    const bool were_seen =
        !sim->scheme->finds_events && (ledger->is_pushed || sim->ledger->is_pushed);
    add_pending(sim, ledger);
    swap_states(sim);
    ledger->rows = sim->sent_rows;
    ledger->events = sim->sent_events;
    if (were_seen)
        memcpy(sim->track, sim->next_track, sizeof(carom_track) * (size_t)sim->size.n_contact);
    sim->next_ledger = sim->ledger;
    sim->ledger = ledger;
    sim->s.residual_seen = ledger->residual;
    if (sim->control) carom_sim_commit_control(sim);
    // the grid of a run that ended in a shorter step starts anew at the end
    if (!sim->has_free_steps && !sim->is_whole && ledger->done == 0) sim->n_step = 0;
    carom_sim_plan_quiet(sim);
}

static inline carom_status enter_on_copy(carom_sim *sim, carom_error *error)
{
    carom_ledger *ledger = sim->next_ledger;
    // a size that compilers do not know: faster
    if (!sim->control) memcpy(ledger, sim->ledger, sim->ledger_bytes);
    if (!sim->scheme->finds_events) carom_sim_rises_begin(sim);
    carom_sim_audit_enter(sim, ledger);
    carom_sim_arrive(sim, &sim->next, ledger);
    if (sim->sink_status != CAROM_OK) {
        if (error) *error = sim->sink_error;
        return sim->sink_status;
    }
    CAROM_TRY(carom_sim_events(sim, ledger, error));
    if (carom_sim_row_is_due(sim, ledger)) {
        CAROM_TRY(carom_sim_write_next(sim, error));
        ledger->row_step = ledger->counts.steps;
    }
    if (ledger->counts.steps >= ledger->look) carom_sim_look_at_energy(sim, ledger);
    commit(sim, ledger);
    return CAROM_OK;
}

static __attribute__((noinline)) carom_status enter_loudly(carom_sim *sim, carom_error *error)
{
    if (sim->size.n_contact > 0) {
        carom_status heeded = carom_sim_heed_directions(sim);
        if (heeded == CAROM_OK) heeded = carom_sim_heed_laws(sim);
        if (heeded != CAROM_OK) return explain(sim, heeded, error);
        sim->least = carom_audit_least(sim, sim->seen);
    }
    const carom_status status = enter_on_copy(sim, error);
    if (status != CAROM_OK) carom_sim_events_undo(sim);
    return status;
}

static inline carom_status take_step(carom_sim *sim, carom_error *error)
{
    const bool is_common = sim->ledger->done + 1 < sim->quiet_until;
    sim->s.error = &sim->trouble;
    const carom_status status = is_common ? advance_on_grid(sim) : advance(sim);
    if (status != CAROM_OK) return explain(sim, status, error);
    return is_common && enter_quietly(sim) ? CAROM_OK : enter_loudly(sim, error);
}

carom_status carom_sim_step(carom_sim *sim, carom_error *error)
{
    CAROM_NEED(error, sim);
    if (carom_sim_is_done(sim))
        return carom_fail(error, CAROM_BUG, "the run has reached its end, t = %.9g", sim->now.t);
    if (sim->needs_opening) carom_sim_open_recording(sim);
    CAROM_TRY(carom_sim_write_start(sim, error));
    CAROM_TRY(take_step(sim, error));
    return carom_sim_is_done(sim) ? carom_sim_write_cut(sim, error) : CAROM_OK;
}

// looks at the clock so seldom that it costs nothing, and so often that ticks come in time
static carom_status look_at_clock(carom_sim *sim, carom_error *error)
{
    const double now = carom_clock_wall(), passed = now - sim->last_tick;
    if (passed < 0.2 * tick_seconds && sim->stride < MAX_STRIDE) sim->stride *= 2;
    if (passed > 2 * tick_seconds && sim->stride > 1) sim->stride /= 2;
    sim->until_look = sim->stride;
    if (passed < tick_seconds) return CAROM_OK;
    sim->last_tick = now;
    if (!sim->watch.tick(sim->watch.self, sim->now.t, sim->end, sim->ledger->counts.steps))
        return CAROM_OK;
    return carom_fail(error, CAROM_STOPPED, "stopped at t = %.9g", sim->now.t);
}

// the processor's clock is slow to read: it is read once for a run, and shared
// out by the wall clock
static void share_time(carom_sim *sim, double processor, double wall)
{
    const double share = wall > sim->row_seconds ? sim->row_seconds / wall : 1;
    sim->times.output += processor * share;
    sim->times.stepping += processor * (1 - share);
}

carom_status carom_sim_run(carom_sim *sim, carom_error *error)
{
    CAROM_NEED(error, sim);
    const double processor = carom_clock_processor(), wall = carom_clock_wall();
    sim->last_tick = wall;
    sim->row_seconds = 0;
    if (sim->needs_opening) carom_sim_open_recording(sim);
    carom_status status = carom_sim_write_start(sim, error);
    while (status == CAROM_OK && !carom_sim_is_at_end(sim, sim->now.t, sim->ledger)) {
        status = take_step(sim, error);
        if (status == CAROM_OK && sim->watch.tick && --sim->until_look <= 0)
            status = look_at_clock(sim, error);
    }
    // the end is shown, and of a run that is cut off the last state it reached
    if (status == CAROM_OK)
        status = carom_sim_write_cut(sim, error);
    else if (status != CAROM_IO)
        carom_sim_write_cut(sim, NULL);
    share_time(sim, carom_clock_processor() - processor, carom_clock_wall() - wall);
    return status;
}

const carom_state *carom_sim_state(const carom_sim *sim)
{
    return sim ? &sim->now : NULL;
}

bool carom_sim_is_done(const carom_sim *sim)
{
    return !sim || carom_sim_is_at_end(sim, sim->now.t, sim->ledger);
}

carom_counts carom_sim_counts(const carom_sim *sim)
{
    return sim ? sim->ledger->counts : (carom_counts){0};
}

carom_times carom_sim_times(const carom_sim *sim)
{
    return sim ? sim->times : (carom_times){0};
}

bool carom_sim_native(const carom_sim *sim, const char **why)
{
    if (why) *why = sim ? sim->not_native.message : "";
    return sim && sim->is_native;
}

const char *carom_sim_scheme(const carom_sim *sim)
{
    return sim ? sim->scheme->name : NULL;
}

const char *carom_sim_solver(const carom_sim *sim)
{
    return sim ? sim->solver : NULL;
}

void carom_sim_set_watch(carom_sim *sim, carom_watch watch)
{
    if (!sim) return;
    sim->watch = watch;
    sim->stride = sim->until_look = 1;
}
